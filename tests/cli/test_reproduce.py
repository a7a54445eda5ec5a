import json
from pathlib import Path
from types import SimpleNamespace

import pytest

import covey.reproduce as package
from covey.reproduce import papers
from covey.reproduce.paper import Verdict


@pytest.fixture
def asked(monkeypatch):
    given = {}

    class Made(SimpleNamespace):
        def __str__(self):
            return "what came of [red]it\n\nReport: x/report.html"

    def reproduce(paper, **settings):
        given.update(settings, paper=paper)
        return Made()

    monkeypatch.setattr(package, "reproduce", reproduce)
    return given


def test_papers_are_listed(covey):
    found = covey("reproduce")
    assert found.code == 0
    for paper in papers():
        assert paper in found.out


def test_papers_and_verdicts_as_json(covey, asked, monkeypatch):
    listed = json.loads(covey("reproduce", "--json").out)
    assert [paper["id"] for paper in listed] == list(papers())
    claim = SimpleNamespace(id="A-1", text="so it is", published="1.0")
    made = SimpleNamespace(
        paper=SimpleNamespace(id="rsc"),
        found=SimpleNamespace(quick=True, missing={"wdbc": "ask"}),
        verdicts=((claim, Verdict("held", "1.1")),),
        report=Path("x/report.html"),
    )
    monkeypatch.setattr(package, "reproduce", lambda paper, **settings: made)
    assert json.loads(covey("reproduce", "rsc", "--json", "-q").out) == {
        "paper": "rsc",
        "quick": True,
        "claims": [{"id": "A-1", "text": "so it is", "published": "1.0", "status": "held", "found": "1.1"}],
        "missing": {"wdbc": "ask"},
        "report": "x/report.html",
    }


def test_every_option_is_handed_on(covey, asked):
    found = covey(
        "reproduce", "rsc", "--table", "4", "--table", "figure 3", "--full", "--repeats", 0.5, "--out", "x",
        "--workers", 2, "--dask", "local", "--timeout", 5, "--memory", "1GB", "--retry-failed", "-q",
    )  # fmt: skip
    assert found.code == 0
    assert found.out == "what came of [red]it\n\nReport: x/report.html\n"
    del asked["progress"]
    assert str(asked.pop("out")) == "x"
    assert asked == {
        "paper": "rsc", "tables": ("4", "figure 3"), "quick": False, "repeats": 0.5, "n_workers": 2, "cluster": "local",
        "timeout": 5.0, "memory": 10**9, "retry_failed": True,
    }  # fmt: skip


def test_shares_of_repeats_by_table(covey, asked):
    covey("reproduce", "rsc", "--full", "--repeats", 0.1, "--repeats", "Table 11=1", "--repeats", "figure 3=0.5")
    assert asked["repeats"] == {"": 0.1, "11": 1.0, "figure 3": 0.5}
    found = covey("reproduce", "rsc", "--full", "--repeats", "11=most")
    assert found.code == 2
    assert "--repeats 11=most: 'most' is no number" in found.err


def test_quick_is_what_happens_by_default(covey, asked):
    covey("reproduce", "multistrategy")
    assert asked["quick"] is True
    assert str(asked["out"]) == "covey-multistrategy"


def test_an_unknown_paper(covey, tmp_path):
    found = covey("reproduce", "multistrateg")
    assert found.code == 2
    assert "did you mean 'multistrategy'" in found.err
    assert list(tmp_path.iterdir()) == []


def test_pages_for_a_documentation(covey, asked, monkeypatch, tmp_path):
    written = []
    monkeypatch.setattr(package, "write_evidence", lambda made, folder: written.append(folder))
    assert covey("reproduce", "rsc", "--docs", tmp_path / "papers", "-q").code == 0
    assert written == [tmp_path / "papers"]
    (tmp_path / "file").write_text("x")
    found = covey("reproduce", "rsc", "--docs", tmp_path / "file", "-q")
    assert found.code == 2
    assert "--docs" in found.err
