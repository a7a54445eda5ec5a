"""The paper's measures from stored predictions and votes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from covey.analysis import kohavi_wolpert
from covey.report.page import Drawing, Prose, TableBlock
from covey.reproduce.multistrategy.experiments import ENSEMBLES, SINGLE
from covey.reproduce.multistrategy.figures import printed_records
from covey.reproduce.multistrategy.tables import (
    MEASURES,
    Measures,
    measures_of,
    printed_comparisons,
    split_error,
    votes_measured,
)
from covey.reproduce.paper import Found
from covey.reproduce.published import published_table


def runs(n_repeats):
    label = st.integers(10, 12)
    return st.tuples(arrays(np.int64, (n_repeats, 5), elements=label), arrays(np.int64, 5, elements=label))


@settings(deadline=None, max_examples=50)
@given(runs(10))
def test_ten_cycles_give_the_plain_formulas(run):
    predictions, y = run
    plain = kohavi_wolpert(predictions, y)
    found = split_error(predictions, y)
    assert found["bias"] == pytest.approx(plain.bias, abs=1e-12)
    assert found["variance"] == pytest.approx(plain.variance, abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(st.integers(2, 6).flatmap(runs))
def test_bias_and_variance_add_up_to_error(run):
    predictions, y = run
    found = split_error(predictions, y)
    assert found["bias"] + found["variance"] == pytest.approx(np.mean(predictions != y), abs=1e-12)


def test_two_cycles_are_on_average_what_ten_are():
    rng = np.random.default_rng(0)
    y = np.zeros(3000, dtype=int)
    chances = rng.random(3000)  # of being wrong, by case
    ten = split_error((rng.random((10, 3000)) < chances).astype(int), y)
    two = split_error((rng.random((2, 3000)) < chances).astype(int), y)
    # Of the mean over cases: E[q^2] = 1/3 is bias, E[q - q^2] = 1/6 variance, a tenth of which counts as bias.
    for found in (ten, two):
        assert found["variance"] == pytest.approx(0.9 / 6, abs=0.01)
        assert found["bias"] == pytest.approx(1 / 3 + 0.1 / 6, abs=0.02)


@pytest.mark.slow
def test_what_a_store_has(result):
    measures = measures_of(result.found)
    assert list(measures.frames) == list(MEASURES)
    errors = result.found["systems"].scores("error")
    for name in (*SINGLE, *ENSEMBLES):
        # Folds differ by one case at most.
        assert measures.frames["error"][name].to_numpy() == pytest.approx(errors[name].to_numpy(), abs=1e-2)
    together = measures.frames["bias"] + measures.frames["variance"]
    pd.testing.assert_frame_equal(together, measures.frames["error"], check_exact=False)
    assert measures.frames["diversity"][list(SINGLE)].isna().all().all()
    assert (measures.members[list(ENSEMBLES)] == 4).all().all()
    assert (measures.members["boost-small"] == 2).all()


def test_a_class_that_the_training_part_lacks(ecoli_like):
    """Of two folds the first was trained without class c: its members never name it, and are wrong about its case."""
    measured = measures_of(Found({"systems": ecoli_like}, quick=True))
    # Votes of the four cases: ab, bb | cc, ca, weights 1 and 3, truth c, b | c, a.
    assert measured.frames["error"].loc["ecoli", "boost"] == pytest.approx(1 / 4)
    assert measured.frames["diversity"].loc["ecoli", "boost"] == pytest.approx((2 * (1 - 1 / 16 - 9 / 16)) / 4)
    assert measured.frames["individual error"].loc["ecoli", "boost"] == pytest.approx((1 + 0 + 0 + 1 / 4) / 4)
    assert measured.members.loc["ecoli", "boost"] == 2


def test_no_fits_have_no_measures():
    assert votes_measured([]) == {}


def test_diversity_by_hand(result):
    results = result.found["systems"]
    by_hand, errors, cases = 0.0, 0.0, 0
    for fit in results.fits("wine", "boost"):
        for votes, truth in zip(fit["votes"], fit["y"], strict=True):
            shares = np.zeros(len(fit["classes"]))
            np.add.at(shares, votes, fit["weights"] / fit["weights"].sum())
            by_hand += 1 - (shares**2).sum()
            errors += fit["weights"][fit["classes"][votes] != truth].sum() / fit["weights"].sum()
            cases += 1
    measures = measures_of(result.found)
    assert cases == 2 * 178
    assert measures.frames["diversity"].loc["wine", "boost"] == pytest.approx(by_hand / cases)
    assert measures.frames["individual error"].loc["wine", "boost"] == pytest.approx(errors / cases)


def test_comparison_by_hand():
    frame = pd.DataFrame({"a": [0.1, 0.2, 0.3, 0.0, np.nan], "b": [0.2, 0.2, 0.1, 0.1, 0.5]}, index=list("vwxyz"))
    found = Measures({"error": frame}, frame).compare("error", "a", "b")
    assert (found.wins, found.ties, found.losses, found.total) == (2, 1, 1, 4)
    # Zero has no ratio.
    assert found.ratio == pytest.approx((0.5 * 1 * 3) ** (1 / 3))
    assert found.outcome == "level"
    assert str(found) == "b to a 1.145 (2/1/1, p = 1.0000)"


def test_nothing_to_compare():
    frame = pd.DataFrame({"a": [np.nan], "b": [0.2]}, index=["x"])
    found = Measures({"error": frame}, frame).compare("error", "a", "b")
    assert found.total == 0
    assert np.isnan(found.ratio)


@pytest.mark.parametrize("measure", MEASURES)
def test_every_printed_p_value_follows_from_its_record(measure):
    cells = printed_comparisons(measure)
    assert len(cells) == (36 if measure in MEASURES[:3] else 21)
    assert {cell.total for cell, _ in cells} == {41}
    for cell, printed in cells:
        number = float(printed.lstrip("<>"))
        below, above = cell.p_value < number, cell.p_value > number
        same = abs(cell.p_value - number) <= 0.51e-4
        assert below if printed.startswith("<") else above if printed.startswith(">") else same


def test_records():
    records = printed_records("error")
    assert records.record("boost", "c4.5") == (34, 2, 5)
    assert records.record("c4.5", "boost") == (5, 2, 34)
    turned = printed_records("diversity", larger_is_better=True)
    assert turned.record("mb", "wag") == (41, 0, 0)


@pytest.fixture
def blocks(result):
    return {view.id: blocks for view, blocks in result.views}


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


def test_ratios_are_those_of_the_measures(result, blocks):
    errors = measures_of(result.found).frames["error"]
    ratio = np.exp(np.log(errors["boost"] / errors["c4.5"]).mean())
    assert blocks["1"][1].table.frame.loc[("boost", "c4.5"), "ratio"] == pytest.approx(ratio)


@pytest.mark.parametrize(("number", "measure"), list(enumerate(MEASURES, 2)))
def test_figures_have_both_hierarchies(result, blocks, number, measure):
    _, ours, theirs, table = blocks[f"figure {number}"]
    assert isinstance(ours, Drawing)
    assert "on 41 datasets" not in ours.caption
    assert "of table" in theirs.caption
    assert ours.svg != theirs.svg
    means = measures_of(result.found).frames[measure].mean()
    assert table.table.frame.loc["mb", "ours"] == pytest.approx(means["mb"])
    assert ("published" in table.table.frame) == (measure in ("diversity", "individual error"))
    assert f"{means['mb']:.3f}" in ours.description


def test_the_means_that_are_left(blocks):
    frame = blocks["figure 5"][-1].table.frame
    assert frame["published"].dropna().to_dict() == {"boost": 0.340, "boost-small": 0.276}


def test_datasets(blocks):
    frame = blocks["6"][1].table.frame
    assert frame.loc["iris", ["rows", "published rows", "classes", "same"]].tolist() == [150, 150, 3, "yes"]
    assert frame["same"].tolist() == ["yes", "yes"]
