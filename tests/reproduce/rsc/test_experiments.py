"""The study files of the sphere-cover paper, against what its tables print."""

from __future__ import annotations

import pytest

from covey.reproduce.experiments import _smaller, published_study
from covey.reproduce.published import published_table
from covey.reproduce.rsc import PAPER
from covey.reproduce.rsc.experiments import CURVES, LOSSES, loss_id, published_kappa
from covey.reproduce.rsc.tables import (
    FULL_SPACE_METHODS,
    GENE_METHODS,
    SIZES,
    SUBSPACE_METHODS,
    VOTING,
    published_means,
    published_sizes,
)
from covey.study import BootstrapSamples, CycledFolds, Resamples

EXPERIMENTS = {experiment.id: experiment for experiment in PAPER.experiments}


def study(id):
    return published_study("rsc", EXPERIMENTS[id])


@pytest.mark.parametrize(
    ("id", "methods", "table"), [("full-space", FULL_SPACE_METHODS, 2), ("subspace", SUBSPACE_METHODS, 4)]
)
def test_accuracies_are_of_the_papers_datasets_and_methods(id, methods, table):
    found, alone = study(id), study("unscaled")
    datasets = {one.name for one in (*found.datasets, *alone.datasets)}
    assert datasets == set(published_means(table).index)
    expected = {
        name for method in methods for name in ([method] if method in VOTING else [f"{method} 25", f"{method} 100"])
    }
    assert {one.name for one in found.methods} == expected <= {one.name for one in alone.methods}
    assert found.protocol == alone.protocol == Resamples(30, 2 / 3)
    for one in (*found.methods, *alone.methods):
        size = one.name.rpartition(" ")[2]
        model = one.make()
        last = model.steps[-1][1] if hasattr(model, "steps") else model
        assert last.n_estimators == (int(size) if size.isdigit() else 100)
        assert one.params.get("scale", True) is not (one.name.startswith("alpha") and one in alone.methods)


def test_sizes_are_those_of_table_6():
    found = study("sizes")
    assert [one.name for one in found.datasets] == list(published_sizes().index)
    assert found.methods[0].params["n_estimators"] == max(SIZES)
    assert found.protocol == CycledFolds(1, 10)


@pytest.mark.parametrize(
    ("id", "by"), [("chi-squared", "chi_squared"), ("information-gain", "information_gain"), ("relief", "relieff")]
)
def test_genes_are_filtered_to_the_papers_numbers(id, by):
    found = study(f"gene-{id}")
    assert [one.name for one in found.methods] == list(GENE_METHODS)
    assert {one.select.by for one in found.datasets} == {by}
    names = [one.name.rsplit(" ", 1) for one in found.datasets]
    assert [int(k) for _, k in names] == [one.select.k for one in found.datasets] == [5, 10, 20, 30, 40, 50] * 6
    assert {name for name, _ in names} == set(published_means(7).index)


@pytest.mark.parametrize("dataset", LOSSES)
def test_losses_have_the_printed_parameters(dataset):
    """An alpha of 0, as printed, keeps every sphere, as 1 does."""
    printed = published_table("rsc", 11)
    printed = printed[(printed["dataset"] == dataset) & (printed["kind"] == "value")].drop_duplicates("method")
    alphas = {row.method: max(int(row.alpha), 1) for row in printed.itertuples()}
    found = study(loss_id(dataset))
    assert found.protocol == BootstrapSamples(200, 200, 1 / 3)
    for one in found.methods:
        method, _, kappa = one.name.partition(" ")
        assert one.params["min_sphere_size"] == alphas[method]
        assert one.params.get("n_estimators", 25) == 25
        assert one.params.get("subspace_size") == (int(kappa) if kappa else None)
        assert one.params.get("scale", True) is (dataset != "wdbc")
    kappas = [one.params["subspace_size"] for one in found.methods if "subspace_size" in one.params]
    assert published_kappa(dataset) in kappas
    assert (len(kappas) > 2) is (dataset in CURVES)
    quick = _smaller(found, EXPERIMENTS[loss_id(dataset)].quick)
    assert f"alpha-rsse {published_kappa(dataset)}" in {one.name for one in quick.methods}


def test_alphas_are_in_the_names_of_methods():
    for one in study("alpha").methods:
        assert int(one.name.rsplit(" ", 1)[1]) == one.params["min_sphere_size"]
        assert one.params["n_estimators"] == 25


def test_the_two_ensembles_of_the_conclusion_differ_by_the_resampling_only():
    plain, resampled = (one.make() for one in study("beta").methods)
    assert plain.n_estimators == resampled.n_estimators == 25
    assert plain.min_sphere_size == resampled.estimator.min_sphere_size == 2
    assert plain.subspace_size == resampled.subspace.size == 0.5
    assert type(resampled.reweight).__name__ == "BorderResampling"
