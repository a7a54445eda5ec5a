"""Tables and figures of made-up results: the thesis's own figures come back as they were printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from covey.report.page import Drawing, TableBlock
from covey.reproduce.erassel import PAPER
from covey.reproduce.erassel.experiments import TABLES, WITH_SIZES, sizes_id
from covey.reproduce.erassel.figures import curve_of, final_weights, paths_of
from covey.reproduce.erassel.tables import (
    METHODS,
    PUBLISHED,
    chance,
    deviations,
    differences,
    measures,
    published_measures,
    samples,
)
from covey.reproduce.experiments import published_study
from covey.reproduce.paper import Found
from covey.reproduce.published import published_table
from covey.reproduce.run import show
from covey.reproduce.text import tell
from covey.study import run_study
from reproduce.erassel.printed import SPLITS, errors_of, printed, sizes_of, table_of, weighing, with_results
from reproduce.made_up import Made, of_kind, words

VIEWS = {view.id: view for view in PAPER.views}


METRICS = {
    "mean squared error": "mse",
    "mean squared error x 1000": "mse-x1000",
    "error in per cent": "error-pct",
    "share of errors": "error-fraction",
}


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.number)
def test_means_and_variances_are_read_back_in_the_printed_units(table):
    printed_table = published_table("erassel", table.number)
    assert set(printed_table["metric"]) == {METRICS[table.unit]}
    assert set(printed_table["dataset"]) == {table.id}
    ours, theirs = measures(printed(), table), published_measures(table)
    assert list(ours.index) == list(PUBLISHED)
    np.testing.assert_allclose(ours[["mean", "variance"]], theirs[["mean", "variance"]])
    apart = deviations(printed(), table)
    np.testing.assert_allclose(list(apart.values()), 0, atol=1e-12)
    # Misprinted rows are no target.
    assert list(apart) == [method for method in PUBLISHED if not table.has_classes or method != "rassel"]


def test_measures_of_draws_are_means_over_draws():
    table = TABLES["sim-regression"]
    runs = {"sim-regression 1": np.array([1.0, 2.0, 6.0]), "sim-regression 2": np.array([4.0, 5.0, 9.0])}
    found = Found({table.id: errors_of({(draw, "rssl"): run for draw, run in runs.items()})}, quick=True)
    assert measures(found, table).loc["rssl"].tolist() == pytest.approx([4.5, 3.5, 7.0, 3.0, 6.0])
    np.testing.assert_allclose(samples(found, table, ("rssl",)), [[3.0], [6.0]])


def test_units_of_a_single_dataset_are_splits():
    table = TABLES["cars93"]
    some = samples(printed(), table, ("rssl", "erassel"))
    assert some.shape == (SPLITS, 2)
    np.testing.assert_allclose(some.mean(axis=0), [57.29, 57.79])
    assert samples(printed(), table, ("rssl", "none")).shape == (0, 2)
    assert samples(Found({}, quick=True), table, ("rssl",)).shape == (0, 1)


def test_chance_is_of_both_sets_of_splits_or_of_another_draw():
    """Ours has the published variance, and as many splits."""
    assert chance(printed(), TABLES["cars93"]) == pytest.approx(2 * (2 * 344.15 / 50) ** 0.5)
    one = Found({"cars93": errors_of({("cars93", "rssl"): np.ones(1)})}, quick=True)
    assert np.isnan(chance(one, TABLES["cars93"]))
    runs = {f"sim-regression {draw}": np.array([level, level]) for draw, level in enumerate((15.0, 17.0, 19.0))}
    found = Found({"sim-regression": errors_of({(draw, "rssl"): run for draw, run in runs.items()})}, quick=True)
    assert chance(found, TABLES["sim-regression"]) == pytest.approx(2 * (4 / 3 + 4) ** 0.5)


def test_a_method_that_failed_on_some_split_has_no_figures():
    made = errors_of({("boston", "rssl"): np.ones(3), ("boston", "rassel"): np.ones(3)}).failing("boston", "rssl", 1)
    assert list(measures(Found({"boston": made}, quick=True), TABLES["boston"]).index) == ["rassel"]


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.number)
def test_printed_tables_do_not_deviate(table):
    text = VIEWS[table.number].tell(printed())
    count = 3 if table.has_classes else 4
    assert f"{count} of {count} means within 10 % of the published" in text
    blocks = VIEWS[table.number].show(printed())
    assert "by chance alone means may be" in words(blocks)
    beside, gaps = of_kind(blocks, TableBlock)
    frame = beside.table.frame
    np.testing.assert_allclose(frame["mean"], frame["mean, published"])
    np.testing.assert_allclose(frame["variance"], frame["variance, published"])
    assert ("lowest mean" in frame) is table.id.startswith("sim")
    assert not beside.table.bold.any(axis=None)
    assert any("ERA-I01" in note for note in beside.table.notes) is table.has_classes
    assert bool(np.isnan(gaps.table.frame.loc["rassel", "published"])) is table.has_classes
    (drawing,) = of_kind(blocks, Drawing)
    assert drawing.svg.startswith("<svg")
    assert drawing.caption.startswith(f"Figure {table.boxes}: errors of single splits on ")


def test_means_far_from_the_published_are_bold_and_told():
    table = TABLES["ionosphere"]
    found = with_results(ionosphere=table_of(table, {"rssl": 12.7, "rassel": 30.0}))
    (beside, *_) = of_kind(VIEWS["5.8"].show(found), TableBlock)
    assert beside.table.bold["mean"].tolist() == [method == "rssl" for method in PUBLISHED]
    assert "2 of 3 means within 10 % of the published: rssl +11.2 %" in VIEWS["5.8"].tell(found)
    assert "30 of 31 means within 10 % of the published; not so rssl on ionosphere +11.2 %." in PAPER.tell(found)


def test_differences_are_of_the_same_splits():
    """All methods vary alike from split to split, so that their differences hardly vary."""
    table = TABLES["cars93"]
    frame = differences(printed(), table)
    assert frame.loc["erassel", "ours"] == pytest.approx(0.5)
    assert frame.loc["erassel", "published"] == pytest.approx(0.5)
    spread = abs(347.89**0.5 - 344.15**0.5) / 50**0.5
    assert frame.loc["erassel", "standard error"] == pytest.approx(spread)
    assert "rssl" not in frame.index


def test_boxes_of_simulated_data_are_of_the_draw_nearest_to_the_published():
    near, far = (table_of(TABLES["sim-regression"], {"rssl": level}).figures for level in (17.5, 13.0))
    errors = {("sim-regression 1", name): far["sim-regression 1", name] for name in PUBLISHED}
    errors |= {("sim-regression 2", name): near["sim-regression 1", name] for name in PUBLISHED}
    (drawing,) = of_kind(VIEWS["5.1"].show(with_results(sim_regression=Made(errors))), Drawing)
    assert drawing.caption == "Figure 5.7: errors of single splits on sim-regression 2"


@pytest.mark.slow
@pytest.mark.parametrize("table", WITH_SIZES, ids=lambda table: table.id)
def test_size_curves_are_least_where_losses_are(table):
    best = min(table.subspace_size, 5)
    curve = curve_of(printed(), table)
    assert curve.sizes[curve.errors.argmin()] == best
    assert curve.errors.min() == pytest.approx(table.factor * (5 / 60 if table.has_classes else 1.0295))
    view = VIEWS[f"figure {table.sizes}"]
    assert f"with {best} of {table.n_columns} columns" in view.tell(printed())
    assert f"the thesis took {table.subspace_size}." in view.tell(printed())
    blocks = view.show(printed())
    assert len(of_kind(blocks, Drawing)) == 1
    (numbers,) = of_kind(blocks, TableBlock)
    np.testing.assert_allclose(numbers.table.frame["error"], curve.errors)
    assert table.sizes_text in words(blocks)


def test_a_size_that_failed_is_left_out():
    made = sizes_of(3, TABLES["diamonds"]).failing("diamonds", "3")
    curve = curve_of(with_results(sizes_diamonds=made), TABLES["diamonds"])
    assert curve.sizes.tolist() == [1, 2, 4, 5, 6]


@pytest.mark.slow
@pytest.mark.parametrize(("id", "drawings"), [("5.1", 4), ("5.2", 2), ("5.3", 2), ("5.4", 4), ("5.5", 2)])
def test_weights_are_drawn(id, drawings):
    blocks = VIEWS[f"figure {id}"].show(printed())
    found = of_kind(blocks, Drawing)
    assert len(found) == drawings
    assert len({one.name for one in found}) == drawings
    assert all(one.svg.startswith("<svg") for one in found)
    assert all(f"Figure {id}: " in one.caption for one in found)


def test_counts_stand_beside_the_most_that_can_be_found():
    found = with_results(weights=weighing(("x1", "x4", "x5"), 4, 1))
    (table,) = of_kind(VIEWS["figure 5.2"].show(found), TableBlock)
    frame = table.table.frame
    assert frame["size 3"].tolist()[:-1] == ["3 of 4"] * 5
    best, total = (int(part) for part in frame["size 3"].iloc[-1].split(" of "))
    assert total == 40
    assert best >= 36
    assert "mean 3 (size 3) and 3 (size 5), running 3 (size 3)" in VIEWS["figure 5.1"].tell(found)


def test_weights_of_both_kinds_are_told_to_be_alike():
    assert "mean, size 3: 1.00 (4 of 4)" in words(VIEWS["figure 5.3"].show(printed()))


def test_without_results_there_are_words():
    nothing = Found({one.id: Made() for one in PAPER.experiments}, quick=True)
    for view in PAPER.views:
        assert words(show(view, nothing))
        assert view.tell is None or tell(view, nothing)
    assert PAPER.tell(nothing)


@pytest.fixture(scope="module")
def carried_out(tmp_path_factory):
    """Two draws of the simulated data with small ensembles, as the studies have them otherwise."""
    store, results = tmp_path_factory.mktemp("erassel") / "a.store", {}
    for id in ("sim-regression", "sim-logistic", "weights", sizes_id("sim-regression")):
        whole = published_study("erassel", next(one for one in PAPER.experiments if one.id == id))
        methods = tuple(one.adjusted({"n_estimators": 12}) for one in whole.methods)
        protocol = whole.protocol if id == "weights" else replace(whole.protocol, n_repeats=2)
        study = replace(whole, datasets=whole.datasets[:2], methods=methods, protocol=protocol)
        results[id] = run_study(study, store)
    return Found(results, quick=True)


@pytest.mark.slow
def test_what_was_carried_out_is_shown(carried_out):
    assert all(set(results.frame()["status"]) == {"done"} for results in carried_out.values())
    for id in ("5.1", "5.5"):
        (beside, *_) = of_kind(VIEWS[id].show(carried_out), TableBlock)
        assert list(beside.table.frame.index) == list(METHODS)
    for id, drawings in (("figure 5.1", 4), ("figure 5.2", 2), ("figure 5.3", 2), ("figure 5.6", 1)):
        assert len(of_kind(VIEWS[id].show(carried_out), Drawing)) == drawings


def test_weights_are_those_of_the_models(carried_out):
    weights = final_weights(carried_out, "weights", "mean", 3)
    (path, *_) = paths_of(carried_out, "weights", "mean", 3)
    assert list(weights) == ["sim-regression 1", "sim-regression 2"]
    np.testing.assert_allclose([sum(one) for one in weights.values()], 1)
    assert path.shape == (12, 10)
    np.testing.assert_allclose(path[-1], weights["sim-regression 1"])
