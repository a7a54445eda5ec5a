"""Carrying out a paper's experiments."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from covey.report.page import Prose
from covey.reproduce import run
from covey.reproduce.paper import Found
from covey.reproduce.run import Reproduction, judge, reproduce, show
from covey.study import Outcome, Store


def test_everything_is_carried_out(result, small_paper):
    assert isinstance(result, Reproduction)
    assert list(result.found) == ["systems", "others"]
    assert result.found.quick
    assert [view.id for view, _ in result.views] == [view.id for view in small_paper.views]
    assert [claim.id for claim, _ in result.verdicts] == [claim.id for claim in small_paper.claims]
    assert list(result.found.missing) == ["labor"]
    for results in result.found.values():
        assert set(results.frame()["status"]) == {"done"}


def test_progress_is_of_all_experiments_together(made):
    _, told = made
    total = 2 * (9 + 2) * 6
    assert {one.total for one in told} == {total}
    assert [one.done for one in told] == list(range(1, total + 1))
    assert {one.failed for one in told} == {0}


def test_store_and_report_are_in_the_folder(result):
    folder = result.report.parent
    assert result.report.name == "report.html"
    assert (folder / "multistrategy-quick.store").is_file()
    text = result.report.read_text(encoding="utf-8")
    assert "Multi-strategy ensemble learning" in text
    for claim, _ in result.verdicts:
        assert claim.id in text


def test_a_report_is_never_half_replaced(result, tmp_path, monkeypatch):
    report = tmp_path / "report.html"
    report.write_text("of before", encoding="utf-8")
    write = Path.write_bytes

    def full_disk(path, content):
        write(path, content[:100])
        raise OSError("no space left")

    again = result.paper, result.found, [], [], report
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full_disk)
        with pytest.raises(OSError, match="no space"):
            run._reported(*again)
    assert report.read_text(encoding="utf-8") == "of before"
    run._reported(*again)
    assert report.read_text(encoding="utf-8").endswith("</html>")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.slow
def test_a_second_run_carries_out_nothing(result, embedded):
    told = []
    again = reproduce("multistrategy", out=result.report.parent, progress=told.append)
    assert told == []
    assert [verdict for _, verdict in again.verdicts] == [verdict for _, verdict in result.verdicts]


def test_a_table_alone(result, embedded, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(run, "run_study", lambda study, store, **_: ran.append(study.name) or result.found["systems"])
    alone = reproduce("multistrategy", out=tmp_path, tables=["table 4", "figure 2"])
    assert ran == ["multistrategy: systems"]
    assert [view.id for view, _ in alone.views] == ["4", "figure 2"]
    judged = {claim.id for claim, _ in alone.verdicts}
    assert "MS-13" in judged
    # Those need bagging or small ensembles, or nothing at all.
    assert not judged & {"MS-20", "MS-21", "MS-22", "MS-23"}


@pytest.mark.slow
def test_a_full_run_is_as_published_and_has_a_store_of_its_own(result, embedded, tmp_path, monkeypatch):
    ran = {}

    def record(study, store, **_):
        ran[study.name] = study, store
        return result.found[study.name.removeprefix("multistrategy: ")]

    monkeypatch.setattr(run, "run_study", record)
    full = reproduce("multistrategy", out=tmp_path, quick=False)
    study, store = ran["multistrategy: systems"]
    assert store == tmp_path / "multistrategy-full.store"
    assert study.protocol.n_repeats == 10
    assert [data.name for data in study.datasets] == ["iris", "led-24", "waveform-21", "wine"]
    assert len(full.found.missing) == 37
    assert "quick" not in str(full)


def test_a_share_of_the_repeats(result, embedded, tmp_path, monkeypatch):
    ran = {}
    monkeypatch.setattr(run, "run_study", lambda study, store, **_: ran.update({study.name: (study, store)}) or some)
    some = result.found["systems"]
    part = reproduce("multistrategy", out=tmp_path, tables=["6"], quick=False, repeats=0.2)
    study, store = ran["multistrategy: systems"]
    assert store == tmp_path / "multistrategy-full.store"
    assert study.protocol.n_repeats == 2
    assert "This run has fewer repeats than the paper, on all datasets: 2 of 10 for the nine systems." in " ".join(
        str(part).split()
    )
    assert "run with a share of the repeats" in repr(part)
    with pytest.raises(ValueError, match=r"repeats=0\.5 is for full runs; give quick=False"):
        reproduce("multistrategy", out=tmp_path, repeats=0.5)
    with pytest.raises(ValueError, match="repeats=2 is out of range"):
        reproduce("multistrategy", out=tmp_path, quick=False, repeats=2)
    with pytest.raises(
        ValueError, match="repeats: '12' is no table or experiment of 'multistrategy'; there are '1', '2'"
    ):
        reproduce("multistrategy", out=tmp_path, quick=False, repeats={"12": 1.0})


def test_a_table_that_is_not_there(embedded, tmp_path):
    with pytest.raises(ValueError, match="'9' is none of 'multistrategy' that can be made; there are '1', '2'"):
        reproduce("multistrategy", out=tmp_path / "new", tables=["9"])
    with pytest.raises(TypeError, match=r"write tables=\['4'\]"):
        reproduce("multistrategy", out=tmp_path / "new", tables="4")
    assert not (tmp_path / "new").exists()


def test_without_a_package_for_the_report_nothing_runs(embedded, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "find_spec", lambda name: None if name == "jinja2" else object())
    with pytest.raises(ImportError, match=r"needs jinja2: pip install 'covey\[study\]'"):
        reproduce("multistrategy", out=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_was_not_carried_out_cannot_be_tested(small_paper):
    nothing = Found({}, quick=True, missing={"iris": "look for it"})
    verdict = judge(small_paper.claims[0], nothing)
    assert (verdict.status, verdict.found) == (
        "not testable",
        "experiment 'systems' was not carried out, for none of its datasets is there",
    )
    (block,) = show(small_paper.views[0], nothing)
    assert isinstance(block, Prose)


def test_none_of_the_data(embedded, tmp_path, monkeypatch, small_paper):
    quick = replace(
        small_paper.experiments[0].quick, without=(*small_paper.experiments[0].quick.without, "iris", "wine")
    )
    alone = replace(small_paper, experiments=tuple(replace(one, quick=quick) for one in small_paper.experiments))
    monkeypatch.setattr(run, "find_paper", lambda id: alone)
    found = reproduce("multistrategy", out=tmp_path)
    held = {claim.id for claim, verdict in found.verdicts if verdict.status == "held"}
    assert held == {"MS-23"}
    assert "Nothing could be carried out." in str(found)
    assert found.page().summary
    assert found.report.is_file()


def test_failed_fits_are_told(result, tmp_path):
    """A store with a failed fit: the dataset is left out, and said to be."""
    store = tmp_path / "multistrategy-quick.store"
    with closing(sqlite3.connect(result.found["systems"].store)) as old, closing(sqlite3.connect(store)) as new:
        old.backup(new)
    keys = dict(result.found["systems"].keys)
    key, labels = next(one for one in keys.items() if one[1]["method"] == "boost")
    keys["another"] = keys.pop(key)
    with Store.open(store, write=True) as kept:
        kept.put(Outcome.failed("another", labels, "it was too hard"))
    systems = replace(result.found["systems"], store=store, keys=keys)
    results = {"systems": systems, "others": result.found["others"]}
    views = [view for view, _ in result.views]
    torn = run._reported(result.paper, Found(results, True), views, result.paper.claims, tmp_path / "r.html")
    assert "1 of 108 fits failed" in " ".join(str(torn).split())
    verdicts = {claim.id: verdict for claim, verdict in torn.verdicts}
    assert "Incomplete: fits are lacking on 1 dataset." in verdicts["MS-13"].found
    assert "it was too hard" in (tmp_path / "r.html").read_text(encoding="utf-8")
