"""The study files of the feature-subset paper, against what its tables print."""

from __future__ import annotations

import pytest

from covey.reproduce.experiments import published_study
from covey.reproduce.mfs import PAPER
from covey.reproduce.mfs.experiments import TABLE_2
from covey.reproduce.mfs.tables import LOSS_DATASETS, METHODS, STAND_INS, published_noise
from covey.reproduce.published import published_wide
from covey.study import CycledFolds, DisjointSamples, FixedSplit, Resamples

EXPERIMENTS = {experiment.id: experiment for experiment in PAPER.experiments}
PROTOCOLS = {"satimage": FixedSplit(4435), "vowel": FixedSplit(528), "waveform": Resamples(10, 300)}


def study(id):
    return published_study("mfs", EXPERIMENTS[id])


def test_table_2_is_of_the_papers_datasets_and_methods():
    pairs = [(data.name, method.name) for id in TABLE_2 for data in study(id).datasets for method in study(id).methods]
    printed = published_wide("mfs", 2)
    assert len(pairs) == len(set(pairs)) == 25 * 8
    assert set(pairs) == {(data, STAND_INS.get(method, method)) for data in printed.index for method in METHODS}


@pytest.mark.parametrize("id", TABLE_2)
def test_table_2_has_the_papers_protocols(id):
    assert study(id).protocol == PROTOCOLS.get(id, CycledFolds(1, 10, stratified=False))


def test_subsets_are_drawn_for_each_case_and_ensembles_have_100_members():
    for id in EXPERIMENTS:
        for one in study(id).methods:
            model = one.make()
            last = model.steps[-1][1] if hasattr(model, "steps") else model
            if one.name.startswith("mfs"):
                assert last.resample == "query"
            assert getattr(last, "n_estimators", 100) == 100


def test_numbers_are_scaled_but_where_the_data_come_divided():
    for id in TABLE_2:
        for one in study(id).methods:
            if one.name not in ("c4.5", "boost"):
                assert one.make().scale is (id not in ("satimage", "vowel"))


def test_folds_are_the_same_for_all_methods():
    """So that errors without irrelevant attributes, and of single sizes, are comparable."""
    ids = ("neighbours", "selection", "trees", "irrelevant", "members", "sizes")
    assert len({(study(id).seed, study(id).protocol.lasting()) for id in ids}) == 1


def test_irrelevant_attributes_are_in_the_names_of_methods():
    found = study("irrelevant")
    assert [one.name for one in found.datasets] == list(published_noise().index)
    for one in found.methods:
        method, number = one.name.split()
        noise, last = (step for _, step in one.make().steps)
        assert noise.n_features == int(number)
        assert (last.n_neighbors == "auto") is (method == "knn")


def test_bias_and_variance_are_of_100_training_sets():
    found = study("bias-variance")
    assert found.protocol == DisjointSamples(100, 300, 3000)
    assert [one.name for one in found.datasets] == list(LOSS_DATASETS)
    assert {one.n_samples for one in found.datasets} == {33_000}


def test_members_are_those_of_figure_1():
    made = {one.name: one.make() for one in study("members").methods}
    assert (made["50 prototypes"].draw.size, made["50 prototypes"].draw.replacement) == (50, False)
    assert (made["bagged nn"].draw.size, made["bagged nn"].draw.replacement) == (1.0, True)
    assert made["6 features"].subset_size == 6
    assert made["6 features"].resample == "fit"


def test_sizes_are_tenths_of_all_attributes():
    sizes = [one.params["subset_size"] for one in study("sizes").methods]
    assert sizes == pytest.approx([tenth / 10 for tenth in range(1, 11)])
