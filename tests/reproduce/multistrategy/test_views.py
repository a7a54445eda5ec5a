"""Tables and figures of the multi-strategy paper, ours beside the published."""

from __future__ import annotations

import numpy as np
import pytest

from covey.report.page import Drawing, Prose, TableBlock
from covey.reproduce.multistrategy.measures import MEASURES, measures_of
from covey.reproduce.published import published_table


@pytest.fixture
def blocks(made):
    return {view.id: blocks for view, blocks in made[0].views}


@pytest.mark.parametrize("number", range(1, 6))
def test_tables_have_the_published_cells(made, blocks, number):
    prose, block = blocks[str(number)]
    assert isinstance(prose, Prose)
    assert isinstance(block, TableBlock)
    frame, printed = block.table.frame, published_table("multistrategy", number)
    assert list(frame.index) == list(zip(printed["col_method"], printed["row_method"], strict=True))
    assert frame["published ratio"].tolist() == printed["ratio"].tolist()
    assert frame["published p"].tolist() == printed["p"].tolist()
    assert frame["published record"].iloc[0] == "/".join(
        str(printed[name].iloc[0]) for name in ("wins", "draws", "losses")
    )
    assert np.allclose(frame["apart"], np.log(frame["ratio"] / frame["published ratio"]), equal_nan=True)
    assert block.table.notes[-1] == f"All {len(frame)} printed p-values follow from the printed records."
    agree = (frame["agree"] == "yes").sum()
    assert f"{agree} of {len(frame)} sign tests come out as published" in prose.paragraphs[0]


def test_ratios_are_those_of_the_measures(made, blocks):
    errors = measures_of(made[0].found).frames["error"]
    ratio = np.exp(np.log(errors["boost"] / errors["c4.5"]).mean())
    assert blocks["1"][1].table.frame.loc[("boost", "c4.5"), "ratio"] == pytest.approx(ratio)


@pytest.mark.parametrize(("number", "measure"), list(enumerate(MEASURES, 2)))
def test_figures_have_both_hierarchies(made, blocks, number, measure):
    _, ours, theirs, table = blocks[f"figure {number}"]
    assert isinstance(ours, Drawing)
    assert "on 41 datasets" not in ours.caption
    assert "of table" in theirs.caption
    assert ours.svg != theirs.svg
    means = measures_of(made[0].found).frames[measure].mean()
    assert table.table.frame.loc["mb", "ours"] == pytest.approx(means["mb"])
    assert ("published" in table.table.frame) == (measure in ("diversity", "individual error"))
    assert f"{means['mb']:.3f}" in ours.description


def test_the_means_that_are_left(blocks):
    frame = blocks["figure 5"][-1].table.frame
    assert frame["published"].dropna().to_dict() == {"boost": 0.340, "boost-small": 0.276}


def test_datasets(blocks):
    frame = blocks["6"][0].table.frame
    assert frame.loc["iris", ["rows", "published rows", "classes", "same"]].tolist() == [150, 150, 3, "yes"]
    assert frame["same"].tolist() == ["yes", "yes"]
