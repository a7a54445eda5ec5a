from __future__ import annotations

import numpy as np
import pytest

from covey.reproduce.beside import Beside
from covey.reproduce.mfs.judging import Record
from covey.reproduce.mfs.reading import (
    CHOICES,
    METHODS,
    choices,
    closeness,
    error_of,
    errors,
    in_order,
    misprints_on,
    points,
    published_wide,
)
from covey.reproduce.paper import Found
from covey.reproduce.published import published_table
from reproduce.mfs.printed import Made, printed


def test_errors_are_read_back():
    ours, theirs = errors(printed()), published_wide(2)
    assert list(ours.index) == list(theirs.index)
    np.testing.assert_allclose(ours, theirs[list(METHODS)], atol=1e-9)


def test_choices_are_read_back():
    ours, theirs = choices(printed()), published_wide(7)
    np.testing.assert_allclose(ours, theirs[list(CHOICES)].reindex(ours.index))


def test_the_printed_averages_are_those_of_the_printed_columns():
    for table, metric in ((2, "average-error-pct"), (7, None)):
        frame = published_table("mfs", table)
        averages = frame[frame["dataset"] == "all"].set_index("method")["mean"]
        assert metric is None or set(frame.loc[frame["dataset"] == "all", "metric"]) == {metric}
        np.testing.assert_allclose(published_wide(table).mean()[averages.index], averages, atol=0.051)


def test_errors_count_each_case_once_whatever_the_size_of_its_fold():
    made = Made({("a", "nn"): 10.0})
    folds = [{"predictions": np.array([1, 0, 0]), "y": np.zeros(3)}, {"predictions": np.array([1]), "y": np.zeros(1)}]
    made.fits = lambda dataset, method: iter(folds)
    assert error_of(made, "a", "nn") == pytest.approx(50)


def test_a_dataset_on_which_a_fit_failed_has_no_error():
    made = Made({("iris", "nn"): 10.0, ("wine", "nn"): 20.0})
    frame = made.frame()
    frame.loc[0, "status"] = "failed"
    made.frame = lambda: frame
    found = errors(Found({"neighbours": made}, quick=True))
    assert np.isnan(found.loc["iris", "nn"])
    assert found.loc["wine", "nn"] == 20
    assert found["mfs1"].isna().all()


def test_datasets_come_in_the_order_of_the_paper():
    assert in_order({"wine", "glass", "vowel"}) == ["glass", "vowel", "wine"]


def test_published_numbers_of_neighbours_are_odd():
    """Ten odd numbers have an even sum; the two datasets of one fit have an odd number itself."""
    k = published_wide(7)["knn"]
    alone = ["satimage", "vowel"]
    assert ((10 * k.drop(alone)).round(6) % 2 == 0).all()
    assert (k[alone] % 2 == 1).all()


@pytest.mark.parametrize(("table", "ids"), [(1, ["MFS-I02", "MFS-I03", "MFS-I04"]), (6, ["MFS-I01"]), (2, [])])
def test_misprints_of_a_table_are_named(table, ids):
    assert [line.partition(",")[0] for line in misprints_on(table)] == ids


def test_closeness_is_told_in_points():
    ours, theirs = published_wide(2)[["nn"]] + 2.0, published_wide(2)[["nn"]]
    text = closeness(2, Beside.of(ours, theirs, unit="percentage point"), 3.0)
    assert text == (
        "Table 2: 25 of 25 figures within 3 percentage points of the published; median deviation 2.0, mean +2.0."
    )
    assert closeness(2, Beside.of(ours, theirs, unit="percentage point"), 1.0).startswith("Table 2: 0 of 25")
    assert closeness(2, Beside.of(ours.iloc[:0], theirs), 3.0) == "Table 2: nothing to compare."
    assert points(1) == "1 percentage point"


@pytest.mark.parametrize("row", list(published_table("mfs", 3).itertuples()), ids=lambda row: f"{row[1]}-{row[2]}")
def test_the_printed_records_are_those_of_the_printed_errors(row):
    record = Record.of(published_wide(2), row.row_method, row.col_method)
    assert (record.wins, record.losses, record.ties) == (row.wins, row.losses, row.ties)
    assert (record.p_value < 0.05 / 28) == bool(row.significant_bonferroni)


@pytest.mark.parametrize(
    ("wins", "losses", "outcome", "better"),
    [(10, 0, "better", True), (0, 10, "worse", False), (5, 4, "level", False)],
)
def test_an_outcome_is_by_the_sign_test(wins, losses, outcome, better):
    record = Record("a against b", wins, losses, 1)
    assert (record.outcome, record.better, record.total) == (outcome, better, wins + losses + 1)
    assert str(record).startswith(f"a against b {wins}-{losses}-1 (p = ")
