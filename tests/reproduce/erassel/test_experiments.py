"""The study files of the thesis, against what it says of its experiments."""

from __future__ import annotations

import pytest

from covey.reproduce.erassel import PAPER
from covey.reproduce.erassel.experiments import COLLINEAR, ORTHOGONAL, TABLES, WITH_SIZES, sizes_id
from covey.reproduce.erassel.figures import RULES, SIZES, STATIC
from covey.reproduce.erassel.tables import METHODS, PUBLISHED
from covey.reproduce.experiments import _smaller, published_study
from covey.reproduce.published import published_table
from covey.study import FixedSplit, Resamples

EXPERIMENTS = {experiment.id: experiment for experiment in PAPER.experiments}
# How the published tables were found: appendix A.
AS_PUBLISHED = {True: ("running", "error", None), False: ("running", "error", False)}


def study(id):
    return published_study("erassel", EXPERIMENTS[id])


def rule_of(model, has_classes):
    return model.update, model.credit, None if has_classes else model.scale_errors


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.number)
def test_tables_have_the_published_protocol(table):
    found = study(table.id)
    assert found.protocol == Resamples(50, 0.7, stratified=table.has_classes)
    assert found.task == ("classification" if table.has_classes else "regression")
    assert found.metrics == ("error",)
    assert {one.name for one in found.methods} == set(METHODS)
    made = {one.name: one.make() for one in found.methods if one.name != "glm"}
    for model in made.values():
        assert (model.n_estimators, model.subspace_size) == (200, table.subspace_size)
    assert {name: made[name].weighting for name in PUBLISHED} == {
        "rssl": "uniform",
        "adaptive-rssl": "uniform",
        "rassel": "relevance",
        "erassel": "evolving",
    }
    assert made["adaptive-rssl"].bootstrap == 0.7
    assert rule_of(made["erassel"], table.has_classes) == AS_PUBLISHED[table.has_classes]
    assert made["erassel, by default"].update == "mean"


def test_data_are_those_of_table_4_1():
    """Where files of them are there; the printed number of cases of ionosphere is a misprint (ERA-I08)."""
    printed = published_table("erassel", "4.1").set_index("dataset")
    for table in TABLES.values():
        (data, *others) = study(table.id).datasets
        if others:
            assert {one.source for one in (data, *others)} == {f"generator:{table.id}"}
            assert len({one.seed for one in (data, *others)}) == 10
        else:
            assert data.log_target == bool(printed.loc[table.id, "response_transformed"])
    (cars,) = study("cars93").datasets
    assert {"Min.Price", "Max.Price"} < set(cars.drop)
    assert cars.complete
    assert [one.target for id in ("boston", "diamonds") for one in study(id).datasets] == ["crim", "carat"]


@pytest.mark.parametrize("table", WITH_SIZES, ids=lambda table: table.id)
def test_sizes_go_up_to_all_columns(table):
    found = study(sizes_id(table.id))
    sizes = [one.params["subspace_size"] for one in found.methods]
    assert [int(one.name) for one in found.methods] == sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (1, table.n_columns)
    assert table.subspace_size in sizes
    assert found.protocol.train_size == 0.8
    assert {rule_of(one.make(), table.has_classes) for one in found.methods} == {AS_PUBLISHED[table.has_classes]}
    assert [one.source for one in found.datasets] == [one.source for one in study(table.id).datasets]
    quick = _smaller(found, EXPERIMENTS[sizes_id(table.id)].quick)
    assert str(table.subspace_size) in {one.name for one in quick.methods}


@pytest.mark.parametrize("id", [ORTHOGONAL, COLLINEAR])
def test_weights_are_of_40_draws_of_300_cases(id):
    found = study(id)
    assert sorted(one.seed for one in found.datasets) == list(range(1, 41))
    assert {one.n_samples for one in found.datasets} == {301}
    assert found.protocol == FixedSplit(300)
    assert all(("collinear" in one.source) is (id == COLLINEAR) for one in found.datasets)
    made = {one.name: one.make() for one in found.methods}
    assert set(made) == {f"{rule} {size}" for rule in (*RULES, STATIC) for size in SIZES}
    for size in SIZES:
        rules = {rule: made[f"{rule} {size}"] for rule in RULES}
        assert {model.subspace_size for model in rules.values()} == {size}
        assert [rules[rule].update for rule in RULES] == ["mean", "running", "printed", "mean"]
        assert [rules[rule].credit for rule in RULES] == ["error", "error", "error", "conditional"]
        assert [rules[rule].scale_errors for rule in RULES][:3] == [True, False, False]
        assert made[f"rassel {size}"].weighting == "relevance"
