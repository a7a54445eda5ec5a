"""Tables and figures of made-up results: the thesis's own figures come back as they were printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from covey.report.page import Details, Drawing, Prose, TableBlock
from covey.reproduce.erassel import PAPER
from covey.reproduce.erassel.reading import BY_ID, METHODS, PUBLISHED, TABLES
from covey.reproduce.erassel.size_views import FIGURES, curve_of, id_of
from covey.reproduce.erassel.table_views import differences
from covey.reproduce.erassel.views import tell_all
from covey.reproduce.erassel.weights import paths_of, weights_of
from covey.reproduce.experiments import published_study
from covey.reproduce.paper import Found
from covey.study import run_study
from reproduce.erassel.printed import Made, printed, sizes_of, table_of, weighing, with_results

VIEWS = {view.id: view for view in PAPER.views}


def of_kind(blocks, kind):
    inner = [one for block in blocks if isinstance(block, Details) for one in block.blocks]
    return [block for block in (*blocks, *inner) if isinstance(block, kind)]


def words(blocks):
    return " ".join(text for block in of_kind(blocks, Prose) for text in block.paragraphs)


def test_all_tables_and_figures_are_there():
    figures = [f"figure 5.{number}" for number in (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 18, 20)]
    assert list(VIEWS) == [*(table.number for table in TABLES), *figures]
    assert [table.figure for table in TABLES] == ["5.7", "5.9", "5.11", "5.13", "5.15", "5.17", "5.19", "5.21", "5.22"]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.number)
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
    assert drawing.caption.startswith(f"Figure {table.figure}: errors of single splits on ")


def test_means_far_from_the_published_are_bold_and_told():
    table = BY_ID["ionosphere"]
    found = with_results(ionosphere=table_of(table, {"rssl": 12.7, "rassel": 30.0}))
    (beside, *_) = of_kind(VIEWS["5.8"].show(found), TableBlock)
    assert beside.table.bold["mean"].tolist() == [method == "rssl" for method in PUBLISHED]
    assert "2 of 3 means within 10 % of the published: rssl +11.2 %" in VIEWS["5.8"].tell(found)
    assert "34 of 36" not in tell_all(found)
    assert "30 of 31 means within 10 % of the published; not so rssl on ionosphere +11.2 %." in tell_all(found)


def test_differences_are_of_the_same_splits():
    """All methods vary alike from split to split, so that their differences hardly vary."""
    table = BY_ID["cars93"]
    frame = differences(printed(), table)
    assert frame.loc["erassel", "ours"] == pytest.approx(0.5)
    assert frame.loc["erassel", "published"] == pytest.approx(0.5)
    spread = abs(347.89**0.5 - 344.15**0.5) / 50**0.5
    assert frame.loc["erassel", "standard error"] == pytest.approx(spread)
    assert "rssl" not in frame.index


def test_boxes_of_simulated_data_are_of_the_draw_nearest_to_the_published():
    near, far = (table_of(BY_ID["sim-regression"], {"rssl": level}).errors for level in (17.5, 13.0))
    errors = {("sim-regression 1", name): far["sim-regression 1", name] for name in PUBLISHED}
    errors |= {("sim-regression 2", name): near["sim-regression 1", name] for name in PUBLISHED}
    (drawing,) = of_kind(VIEWS["5.1"].show(with_results(sim_regression=Made(errors))), Drawing)
    assert drawing.caption == "Figure 5.7: errors of single splits on sim-regression 2"


@pytest.mark.slow
@pytest.mark.parametrize("dataset", FIGURES)
def test_size_curves_are_least_where_losses_are(dataset):
    table, figure = BY_ID[dataset], FIGURES[dataset]
    best = min(table.subspace_size, 5)
    curve = curve_of(printed(), dataset)
    assert curve.sizes[curve.errors.argmin()] == best
    assert curve.errors.min() == pytest.approx(table.factor * (5 / 60 if table.has_classes else 1.0295))
    view = VIEWS[f"figure {figure.number}"]
    assert f"with {best} of {figure.n_columns} columns" in view.tell(printed())
    assert f"the thesis took {table.subspace_size}." in view.tell(printed())
    blocks = view.show(printed())
    assert len(of_kind(blocks, Drawing)) == 1
    (numbers,) = of_kind(blocks, TableBlock)
    np.testing.assert_allclose(numbers.table.frame["error"], curve.errors)
    assert figure.said in words(blocks)


def test_a_size_that_failed_is_left_out():
    made = sizes_of(3, BY_ID["diamonds"])
    frame = made.frame()
    frame.loc[frame["method"] == "3", "status"] = "failed"
    made.frame = lambda: frame
    curve = curve_of(with_results(sizes_diamonds=made), "diamonds")
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
    for nothing in (Found({}, quick=True), Found({one.id: Made() for one in PAPER.experiments}, quick=True)):
        for view in VIEWS.values():
            assert words(view.show(nothing))
            assert view.tell is None or view.tell(nothing)
        assert tell_all(nothing)


@pytest.fixture(scope="module")
def carried_out(tmp_path_factory):
    """Two draws of the simulated data with small ensembles, as the studies have them otherwise."""
    store, results = tmp_path_factory.mktemp("erassel") / "a.store", {}
    for id in ("sim-regression", "sim-logistic", "weights", id_of("sim-regression")):
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
    weights = weights_of(carried_out["weights"], "mean", 3)
    (path, *_) = paths_of(carried_out["weights"], "mean", 3)
    assert list(weights) == ["sim-regression 1", "sim-regression 2"]
    np.testing.assert_allclose([sum(one) for one in weights.values()], 1)
    assert path.shape == (12, 10)
    np.testing.assert_allclose(path[-1], weights["sim-regression 1"])


def test_every_figure_of_sizes_has_its_experiment():
    assert {id_of(dataset) for dataset in FIGURES} < {one.id for one in PAPER.experiments}
