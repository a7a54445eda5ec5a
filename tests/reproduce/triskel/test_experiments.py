"""The study files of the Triskel paper, against what its tables print."""

from __future__ import annotations

import pytest

from covey.reproduce.experiments import _smaller, published_study
from covey.reproduce.published import PUBLISHED
from covey.reproduce.triskel import PAPER
from covey.reproduce.triskel.reading import METHODS, published_wide
from covey.study import CycledFolds
from covey.study.checks import check_study

EXPERIMENTS = {experiment.id: experiment for experiment in PAPER.experiments}


def study(id):
    return published_study("triskel", EXPERIMENTS[id])


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_every_method_can_be_made(id):
    check_study(study(id), data=False)


@pytest.mark.parametrize("id", EXPERIMENTS)
def test_the_quick_run_is_a_part_of_the_full_one(id):
    whole, part = study(id), _smaller(study(id), EXPERIMENTS[id].quick)
    assert {one.name for one in part.datasets} <= {one.name for one in whole.datasets}
    assert {one.name for one in part.methods} <= {one.name for one in whole.methods}
    assert part.protocol.n_repeats == 1
    assert part.protocol.n_folds == whole.protocol.n_folds == 10
    assert part.seed == whole.seed


def test_table_1_is_of_the_papers_datasets_and_methods():
    found = study("folds")
    assert [one.name for one in found.datasets] == list(published_wide(1).index)
    assert tuple(one.name for one in found.methods) == METHODS
    assert found.protocol == CycledFolds(10, 10, stratified=True)


def test_datasets_are_the_files_that_the_paper_had():
    import pandas as pd

    known = pd.read_csv(PUBLISHED / "DATASETS.csv", dtype=str, keep_default_na=False)
    files = dict(zip(known.iloc[:, 0], known.iloc[:, 2], strict=True))
    assert {one.name: one.source for one in study("folds").datasets} == {
        name: files[name] for name in published_wide(1).index
    }


def test_methods_are_as_published():
    made = {one.name: one.make() for one in study("folds").methods}
    for name, rounds, covering, multiclass in (
        ("triskel-m1", 1, "separate", "triskel-m"),
        ("triskel-1", 1, "separate", "one-vs-one"),
        ("triskel-w2", 2, "soft", "one-vs-one"),
        ("triskel-w4", 4, "soft", "one-vs-one"),
    ):
        model = made[name]
        assert (model.n_rounds, model.covering, model.multiclass) == (rounds, covering, multiclass)
        assert (model.bias, model.biasing) == (0.9, "undersample")
    for rounds in (3, 10, 50):
        assert made[f"adaboost-{rounds}"].estimator.n_estimators == rounds


def test_the_other_ways_differ_in_one_thing():
    tables = {one.name: one.make() for one in study("folds").methods}
    others = {one.name: one.make() for id in ("covering", "oversampling") for one in study(id).methods}
    for name, like, param, value in (
        ("separate-2", "triskel-w2", "covering", "separate"),
        ("separate-4", "triskel-w4", "covering", "separate"),
        ("oversample-1", "triskel-1", "biasing", "oversample"),
        ("oversample-w4", "triskel-w4", "biasing", "oversample"),
    ):
        ours, theirs = (model.get_params(deep=False) for model in (others[name], tables[like]))
        different = {key for key in ours if key != "estimator" and ours[key] != theirs[key]}
        assert different == {param}
        assert ours[param] == value


def test_folds_are_the_same_for_all_ways():
    """So that they can be compared fold by fold."""
    assert len({(study(id).seed, study(id).protocol) for id in ("folds", "covering", "oversampling")}) == 1


def test_draws_of_the_cake_differ():
    draws = study("layered-cake").datasets
    assert len(draws) == 10
    assert len({one.seed for one in draws}) == 10
    assert {one.n_samples for one in draws} == {300}
