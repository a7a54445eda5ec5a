"""Pages of a documentation from a reproduction."""

from __future__ import annotations

import json
from dataclasses import replace

import pandas as pd
import pytest

from covey.reproduce.evidence import besides_of, command_of, file_of, repeats_of, write_evidence
from covey.reproduce.index_page import index_page
from covey.reproduce.mfs.tables import VIEWS
from covey.reproduce.paper import Found


@pytest.fixture(scope="session")
def written(made, tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs") / "papers"
    return write_evidence(made[0], folder)


def test_files(written):
    assert written.name == "multistrategy.md"
    names = {path.name for path in (written.parent / "results").iterdir()}
    tables = {f"multistrategy-table-{number:02d}.csv" for number in range(1, 7)}
    assert names == {*tables, "multistrategy-claims.csv", "multistrategy.json"}


def test_a_page_has_every_claim_and_every_table(written, result):
    text = written.read_text(encoding="utf-8")
    for claim, verdict in result.verdicts:
        assert f"**{claim.id}, {verdict.status}.**" in text
    for number in range(1, 7):
        assert f"### Table {number}: " in text
    assert "covey reproduce multistrategy --quick" in text
    assert "This is a quick run" in text.split("## ")[0]
    assert "MS-I01" in text
    assert "ratios are within 0.03 of the published" in text


def test_every_figure_beyond_the_bound_is_listed(written, result):
    text = written.read_text(encoding="utf-8").split("## Beyond the bound")[1].split("## Misprints")[0]
    far = sum(one.compared - one.near for one in besides_of(result).values())
    assert f"{far} figures, of which " in text
    assert sum(line.startswith("|") for line in text.splitlines()) == far + 2


def test_figures_as_csv(written, result):
    file = written.parent / "results" / "multistrategy-table-01.csv"
    first = file.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# covey reproduce multistrategy --quick; covey ")
    assert first.endswith("; seed 20040501; repeats: quick run")
    frame = pd.read_csv(file, comment="#")
    assert list(frame) == ["method", "against", "ours", "published", "spread", "deviation", "near"]
    beside = besides_of(result)[result.paper.views[0]]
    assert len(frame) == beside.compared
    assert frame["near"].sum() == beside.near


def test_the_summary_and_the_page_of_all_papers(written, result):
    summary = json.loads((written.parent / "results" / "multistrategy.json").read_text(encoding="utf-8"))
    assert summary["verdicts"]["held"] == sum(verdict.status == "held" for _, verdict in result.verdicts)
    assert sum(summary["verdicts"].values()) == 24
    assert summary["missing"] == ["labor"]
    index = (written.parent / "index.md").read_text(encoding="utf-8")
    assert "\nmultistrategy\n```" in index
    assert "Not carried out yet: rsc, mfs, erassel, triskel." in index


def test_figures_of_runs_of_different_size_are_not_added_up():
    table = {"1": {"figures": 10, "near": 9}}
    one = {"paper": "mfs", "title": "m", "tables": table, "open": 1, "verdicts": {"held": 2}, "hours": {"full": 1.0}}
    page = index_page(
        [
            {**one, "repeats": [1.0, 1.0]},
            {**one, "paper": "rsc", "repeats": [0.1, 1.0]},
            {**one, "paper": "triskel", "repeats": [0.1, 0.1]},
        ]
    )
    assert "| 100 % " in page
    assert "| 10 to 100 % " in page
    assert "| 10 % " in page
    assert "all the repeats of the paper (mfs) 9 of 10 figures are within the bound (90 %)." in page
    assert "fewer repeats than the paper (rsc, triskel) 18 of 20 figures are within the bound (90 %)." in page
    assert "Claims: 6 held, of 6." in page


@pytest.mark.parametrize(
    ("repeats", "options"),
    [
        (1.0, ""),
        (0.1, " --repeats 0.1"),
        ({"": 0.1, "11": 1.0}, " --repeats 0.1 --repeats 11=1"),
        ({"figure 3": 0.5}, ' --repeats 1 --repeats "figure 3=0.5"'),
        ({"": 1.0, "11": 1.0}, ""),
    ],
)
def test_a_share_of_the_repeats_is_part_of_the_command(repeats, options):
    found = Found({}, quick=False, repeats=repeats)
    assert command_of("rsc", found) == f"covey reproduce rsc --full{options}"


def test_numbers_of_tables_sort_as_names():
    two = next(view for view in VIEWS if view.id == "2")
    assert [file_of("x", replace(two, id=id)) for id in ("2", "11", "5.1")] == [
        "x-table-02",
        "x-table-11",
        "x-table-05-1",
    ]


def test_the_share_of_the_repeats_is_of_what_was_carried_out(result):
    assert repeats_of(result) == (0.2, 0.2)
