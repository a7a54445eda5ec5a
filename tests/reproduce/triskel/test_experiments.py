"""The study files of the Triskel paper, against what its tables print."""

from __future__ import annotations

from covey.reproduce.experiments import published_study
from covey.reproduce.published import known_datasets, published_wide
from covey.reproduce.triskel import PAPER
from covey.reproduce.triskel.experiments import METHODS
from covey.study import CycledFolds

EXPERIMENTS = {experiment.id: experiment for experiment in PAPER.experiments}


def study(id):
    return published_study("triskel", EXPERIMENTS[id])


def test_table_1_is_of_the_papers_datasets_and_methods():
    found = study("folds")
    assert [one.name for one in found.datasets] == list(published_wide("triskel", 1).index)
    assert tuple(one.name for one in found.methods) == METHODS
    assert found.protocol == CycledFolds(10, 10, stratified=True)


def test_datasets_are_the_files_that_the_paper_had():
    files = known_datasets().set_index("id")["dataset"]
    assert {one.name: one.source for one in study("folds").datasets} == {
        name: files[name] for name in published_wide("triskel", 1).index
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
