"""Blocks as Markdown."""

from __future__ import annotations

import pandas as pd

from covey.analysis.tables import ResultTable
from covey.report.page import Details, Listing, Prose, Remarks, TableBlock
from covey.reproduce.markdown import to_paragraphs, to_table

INDEX = pd.Index(["iris", "wine"], name="dataset")


def test_published_figures_stand_behind_ours():
    frame = pd.DataFrame(
        {
            "nn": [1.0, 2.0],
            "nn, published": [1.5, None],
            "rows": [3, 4],
            "published rows": [3, 5],
            "same": ["yes", "no"],
        },
        index=INDEX,
    )
    bold = frame.notna() & False
    bold.loc["wine", "nn"] = True
    text = to_table(ResultTable(frame, caption="Errors", default_format=".1f", bold=bold, notes=("So it is.",)))
    lines = [line.replace(" ", "") for line in text.splitlines()]
    assert lines[2] == "|dataset|nn|rows|same|"
    assert lines[4] == "|iris|1.0(1.5)|3(3)|yes|"
    assert lines[5] == "|wine|**2.0**|4(5)|no|"
    assert text.endswith("In brackets: the published.\n\nSo it is.")


def test_published_figures_need_not_stand_beside_ours():
    frame = pd.DataFrame({"ours": [1.0, 2.0], "standard error": [0.1, 0.2], "published": [3.0, 4.0]}, index=INDEX)
    lines = to_table(ResultTable(frame, default_format=".1f")).replace(" ", "").splitlines()
    assert lines[0] == "|dataset|ours|standarderror|"
    assert lines[2] == "|iris|1.0(3.0)|0.1|"


def test_spreads_are_left_out_and_tables_without_published_figures_stay():
    frame = pd.DataFrame({"nn": [1.0, 2.0]}, index=INDEX)
    text = to_table(ResultTable(frame, spread=frame, default_format=".1f"))
    assert "±" not in text
    assert "brackets" not in text


def test_a_column_of_published_figures_alone_stays():
    frame = pd.DataFrame({"published": [1.0, 2.0]}, index=INDEX)
    assert "published" in to_table(ResultTable(frame))


def test_prose_tables_and_lists():
    table = TableBlock(ResultTable(pd.DataFrame({"nn": [1.0, 2.0]}, index=INDEX)), "t")
    blocks = (Prose(("a*b", "c")), Remarks(("d",)), Listing((("term", "two\n words"),)), table, Details("x", (table,)))
    first, *others, last = to_paragraphs(blocks)
    assert first == r"a\*b"
    assert others == ["c", "d", "- **term**: two words"]
    assert last.startswith("| dataset |")
