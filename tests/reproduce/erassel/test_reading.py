from __future__ import annotations

import numpy as np
import pytest

from covey.reproduce.erassel.reading import (
    BY_ID,
    MEASURES,
    PUBLISHED,
    TABLES,
    chance,
    deviations,
    errors_of,
    measures,
    misprints_on,
    percent,
    published_measures,
    samples,
)
from covey.reproduce.paper import Found
from covey.reproduce.published import published_table
from reproduce.erassel.printed import SPLITS, Made, printed


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.number)
def test_units_are_those_that_were_printed(table):
    metric = {
        "mean squared error": "mse",
        "mean squared error x 1000": "mse-x1000",
        "error in per cent": "error-pct",
        "share of errors": "error-fraction",
    }
    printed_table = published_table("erassel", table.number)
    assert set(printed_table["metric"]) == {metric[table.unit]}
    assert set(printed_table["dataset"]) == {table.id}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.number)
def test_means_and_variances_are_read_back(table):
    ours, theirs = measures(printed(), table), published_measures(table)
    assert list(ours.index) == list(PUBLISHED)
    np.testing.assert_allclose(ours[["mean", "variance"]], theirs[["mean", "variance"]])
    np.testing.assert_allclose(list(deviations(printed(), table).values()), 0, atol=1e-12)


def test_misprinted_rows_are_no_target():
    assert list(deviations(printed(), BY_ID["spam"])) == ["rssl", "adaptive-rssl", "erassel"]
    assert list(deviations(printed(), BY_ID["boston"])) == list(PUBLISHED)


def test_measures_of_draws_are_means_over_draws():
    table = BY_ID["sim-regression"]
    runs = {"sim-regression 1": np.array([1.0, 2.0, 6.0]), "sim-regression 2": np.array([4.0, 5.0, 9.0])}
    found = Found({table.id: Made({(draw, "rssl"): run for draw, run in runs.items()})}, quick=True)
    row = measures(found, table).loc["rssl"]
    assert row["mean"] == pytest.approx(4.5)
    assert row["median"] == pytest.approx(3.5)
    assert row["variance"] == pytest.approx(7.0)
    assert (row["lowest"], row["highest"]) == (3.0, 6.0)
    np.testing.assert_allclose(samples(found, table, ("rssl",)), [[3.0], [6.0]])


def test_units_of_a_single_dataset_are_splits():
    table = BY_ID["cars93"]
    some = samples(printed(), table, ("rssl", "erassel"))
    assert some.shape == (SPLITS, 2)
    np.testing.assert_allclose(some.mean(axis=0), [57.29, 57.79])
    assert samples(printed(), table, ("rssl", "none")).shape == (0, 2)
    assert samples(Found({}, quick=True), table, ("rssl",)).shape == (0, 1)


def test_chance_is_of_both_sets_of_splits():
    """Ours has the published variance, and as many splits."""
    assert chance(printed(), BY_ID["cars93"]) == pytest.approx(2 * (2 * 344.15 / 50) ** 0.5)
    one = Found({"cars93": Made({("cars93", "rssl"): np.ones(1)})}, quick=True)
    assert np.isnan(chance(one, BY_ID["cars93"]))


def test_chance_on_simulated_data_is_of_another_draw():
    runs = {f"sim-regression {draw}": np.array([level, level]) for draw, level in enumerate((15.0, 17.0, 19.0))}
    found = Found({"sim-regression": Made({(draw, "rssl"): run for draw, run in runs.items()})}, quick=True)
    assert chance(found, BY_ID["sim-regression"]) == pytest.approx(2 * (4 / 3 + 4) ** 0.5)


def test_a_method_that_failed_on_some_split_has_no_figures():
    made = Made({("boston", "rssl"): np.ones(3), ("boston", "rassel"): np.ones(3)})
    frame = made.frame()
    frame.loc[1, "status"] = "failed"
    made.frame = lambda: frame
    assert len(errors_of(made, "boston", "rssl")) == 0
    assert list(measures(Found({"boston": made}, quick=True), BY_ID["boston"]).index) == ["rassel"]


@pytest.mark.parametrize(
    ("number", "ids"),
    [
        ("5.1", ["ERA-I02"]),
        ("5.3", []),
        ("5.7", ["ERA-I01", "ERA-I05", "ERA-I10"]),
        ("5.9", ["ERA-I01", "ERA-I06", "ERA-I10"]),
    ],
)
def test_misprints_of_a_table_are_named(number, ids):
    assert [line.partition(",")[0] for line in misprints_on(number)] == ids


def test_deviations_are_written_in_per_cent():
    assert [percent(share) for share in (0.1, -0.0123)] == ["+10.0 %", "-1.2 %"]
    assert MEASURES == ("mean", "median", "variance")
