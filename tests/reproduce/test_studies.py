"""The study files of the papers, against what their tables print and their texts say."""

from __future__ import annotations

import pytest

from covey.reproduce import find_paper
from covey.reproduce.erassel import tables as erassel
from covey.reproduce.erassel.experiments import COLLINEAR, ORTHOGONAL, TABLES, WITH_SIZES, sizes_id
from covey.reproduce.erassel.figures import RULES, SIZES, STATIC
from covey.reproduce.experiments import _smaller, published_study
from covey.reproduce.mfs import tables as mfs
from covey.reproduce.mfs.experiments import TABLE_2
from covey.reproduce.published import known_datasets, published_table, published_wide
from covey.reproduce.rsc import tables as rsc
from covey.reproduce.rsc.experiments import CURVES, LOSSES, loss_id, published_kappa
from covey.reproduce.triskel.experiments import METHODS
from covey.study import BootstrapSamples, CycledFolds, DisjointSamples, FixedSplit, Resamples

# How the published tables of the thesis were found: appendix A.
AS_PUBLISHED = {True: ("running", "error", None), False: ("running", "error", False)}
TEN_FOLDS = CycledFolds(1, 10, stratified=False)


def experiment(paper, id):
    return next(part for part in find_paper(paper).experiments if part.id == id)


def study(paper, id):
    return published_study(paper, experiment(paper, id))


def names(things):
    return [thing.name for thing in things]


def last_step(model):
    return model.steps[-1][1] if hasattr(model, "steps") else model


@pytest.mark.parametrize(
    ("paper", "id", "protocol"),
    [
        *(("rsc", id, Resamples(30, 2 / 3)) for id in ("full-space", "subspace", "unscaled")),
        ("rsc", "sizes", CycledFolds(1, 10)),
        *(("rsc", loss_id(dataset), BootstrapSamples(200, 200, 1 / 3)) for dataset in LOSSES),
        *(("mfs", id, TEN_FOLDS) for id in TABLE_2 if id not in ("satimage", "vowel", "waveform")),
        ("mfs", "satimage", FixedSplit(4435)),
        ("mfs", "vowel", FixedSplit(528)),
        ("mfs", "waveform", Resamples(10, 300)),
        ("mfs", "bias-variance", DisjointSamples(100, 300, 3000)),
        *(("erassel", table.id, Resamples(50, 0.7, stratified=table.has_classes)) for table in TABLES.values()),
        *(("erassel", id, FixedSplit(300)) for id in (ORTHOGONAL, COLLINEAR)),
        ("triskel", "folds", CycledFolds(10, 10, stratified=True)),
    ],
)
def test_protocols_are_the_published(paper, id, protocol):
    assert study(paper, id).protocol == protocol


@pytest.mark.parametrize(
    ("paper", "id", "datasets"),
    [
        ("rsc", "sizes", rsc.published_sizes().index),
        ("mfs", "irrelevant", mfs.published_noise().index),
        ("mfs", "bias-variance", mfs.LOSS_DATASETS),
        ("triskel", "folds", published_wide("triskel", 1).index),
    ],
)
def test_datasets_are_the_printed(paper, id, datasets):
    assert names(study(paper, id).datasets) == list(datasets)


@pytest.mark.parametrize(
    ("paper", "ids"),
    [
        ("mfs", ("neighbours", "selection", "trees", "irrelevant", "members", "sizes")),
        ("triskel", ("folds", "covering", "oversampling")),
    ],
)
def test_folds_are_the_same_for_all_methods(paper, ids):
    """So that they can be compared fold by fold, without irrelevant attributes too, and with single sizes."""
    assert len({(study(paper, id).seed, study(paper, id).protocol.lasting()) for id in ids}) == 1


@pytest.mark.parametrize(
    ("id", "methods", "table"), [("full-space", rsc.FULL_SPACE_METHODS, 2), ("subspace", rsc.SUBSPACE_METHODS, 4)]
)
def test_accuracies_are_of_the_papers_datasets_and_methods(id, methods, table):
    found, alone = study("rsc", id), study("rsc", "unscaled")
    datasets = {one.name for one in (*found.datasets, *alone.datasets)}
    assert datasets == set(rsc.published_means(table).index)
    expected = {
        name for method in methods for name in ([method] if method in rsc.VOTING else [f"{method} 25", f"{method} 100"])
    }
    assert {one.name for one in found.methods} == expected <= {one.name for one in alone.methods}
    for one in (*found.methods, *alone.methods):
        size = one.name.rpartition(" ")[2]
        assert last_step(one.make()).n_estimators == (int(size) if size.isdigit() else 100)
        assert one.params.get("scale", True) is not (one.name.startswith("alpha") and one in alone.methods)


def test_sizes_are_read_from_the_largest_ensemble():
    assert study("rsc", "sizes").methods[0].params["n_estimators"] == max(rsc.SIZES)


@pytest.mark.parametrize(
    ("id", "by"), [("chi-squared", "chi_squared"), ("information-gain", "information_gain"), ("relief", "relieff")]
)
def test_genes_are_filtered_to_the_papers_numbers(id, by):
    found = study("rsc", f"gene-{id}")
    assert names(found.methods) == list(rsc.GENE_METHODS)
    assert {one.select.by for one in found.datasets} == {by}
    parts = [one.name.rsplit(" ", 1) for one in found.datasets]
    assert [int(k) for _, k in parts] == [one.select.k for one in found.datasets] == [5, 10, 20, 30, 40, 50] * 6
    assert {name for name, _ in parts} == set(rsc.published_means(7).index)


@pytest.mark.parametrize("dataset", LOSSES)
def test_losses_have_the_printed_parameters(dataset):
    """An alpha of 0, as printed, keeps every sphere, as 1 does."""
    printed = published_table("rsc", 11)
    printed = printed[(printed["dataset"] == dataset) & (printed["kind"] == "value")].drop_duplicates("method")
    alphas = {row.method: max(int(row.alpha), 1) for row in printed.itertuples()}
    found = study("rsc", loss_id(dataset))
    for one in found.methods:
        method, _, kappa = one.name.partition(" ")
        assert one.params["min_sphere_size"] == alphas[method]
        assert one.params.get("n_estimators", 25) == 25
        assert one.params.get("subspace_size") == (int(kappa) if kappa else None)
        assert one.params.get("scale", True) is (dataset != "wdbc")
    kappas = [one.params["subspace_size"] for one in found.methods if "subspace_size" in one.params]
    assert published_kappa(dataset) in kappas
    assert (len(kappas) > 2) is (dataset in CURVES)
    quick = _smaller(found, experiment("rsc", loss_id(dataset)).quick)
    assert f"alpha-rsse {published_kappa(dataset)}" in {one.name for one in quick.methods}


def test_alphas_are_in_the_names_of_methods():
    for one in study("rsc", "alpha").methods:
        assert int(one.name.rsplit(" ", 1)[1]) == one.params["min_sphere_size"]
        assert one.params["n_estimators"] == 25


def test_the_two_ensembles_of_the_conclusion_differ_by_the_resampling_only():
    plain, resampled = (one.make() for one in study("rsc", "beta").methods)
    assert plain.n_estimators == resampled.n_estimators == 25
    assert plain.min_sphere_size == resampled.estimator.min_sphere_size == 2
    assert plain.subspace_size == resampled.subspace.size == 0.5
    assert type(resampled.reweight).__name__ == "BorderResampling"


def rule_of(model, has_classes):
    return model.update, model.credit, None if has_classes else model.scale_errors


@pytest.mark.parametrize("table", TABLES.values(), ids=lambda table: table.number)
def test_tables_have_the_published_methods(table):
    found = study("erassel", table.id)
    assert found.task == ("classification" if table.has_classes else "regression")
    assert found.metrics == ("error",)
    assert {one.name for one in found.methods} == set(erassel.METHODS)
    made = {one.name: one.make() for one in found.methods if one.name != "glm"}
    for model in made.values():
        assert (model.n_estimators, model.subspace_size) == (200, table.subspace_size)
    assert {name: made[name].weighting for name in erassel.PUBLISHED} == {
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
        (data, *others) = study("erassel", table.id).datasets
        if others:
            assert {one.source for one in (data, *others)} == {f"generator:{table.id}"}
            assert len({one.seed for one in (data, *others)}) == 10
        else:
            assert data.log_target == bool(printed.loc[table.id, "response_transformed"])
    (cars,) = study("erassel", "cars93").datasets
    assert {"Min.Price", "Max.Price"} < set(cars.drop)
    assert cars.complete
    assert [one.target for id in ("boston", "diamonds") for one in study("erassel", id).datasets] == ["crim", "carat"]


@pytest.mark.parametrize("table", WITH_SIZES, ids=lambda table: table.id)
def test_sizes_go_up_to_all_columns(table):
    found = study("erassel", sizes_id(table.id))
    sizes = [one.params["subspace_size"] for one in found.methods]
    assert [int(one.name) for one in found.methods] == sizes == sorted(sizes)
    assert (sizes[0], sizes[-1]) == (1, table.n_columns)
    assert table.subspace_size in sizes
    assert found.protocol.train_size == 0.8
    assert {rule_of(one.make(), table.has_classes) for one in found.methods} == {AS_PUBLISHED[table.has_classes]}
    assert [one.source for one in found.datasets] == [one.source for one in study("erassel", table.id).datasets]
    quick = _smaller(found, experiment("erassel", sizes_id(table.id)).quick)
    assert str(table.subspace_size) in {one.name for one in quick.methods}


@pytest.mark.parametrize("id", [ORTHOGONAL, COLLINEAR])
def test_weights_are_of_40_draws_of_300_cases(id):
    found = study("erassel", id)
    assert sorted(one.seed for one in found.datasets) == list(range(1, 41))
    assert {one.n_samples for one in found.datasets} == {301}
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


def test_datasets_are_the_files_that_the_paper_had():
    files = known_datasets().set_index("id")["dataset"]
    assert {one.name: one.source for one in study("triskel", "folds").datasets} == {
        name: files[name] for name in published_wide("triskel", 1).index
    }


def test_methods_are_as_published():
    made = {one.name: one.make() for one in study("triskel", "folds").methods}
    assert tuple(made) == METHODS
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
    tables = {one.name: one.make() for one in study("triskel", "folds").methods}
    others = {one.name: one.make() for id in ("covering", "oversampling") for one in study("triskel", id).methods}
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


def test_draws_of_the_cake_differ():
    draws = study("triskel", "layered-cake").datasets
    assert len(draws) == 10
    assert len({one.seed for one in draws}) == 10
    assert {one.n_samples for one in draws} == {300}


def test_table_2_is_of_the_papers_datasets_and_methods():
    studies = [study("mfs", id) for id in TABLE_2]
    pairs = [(data.name, method.name) for part in studies for data in part.datasets for method in part.methods]
    printed = published_wide("mfs", 2)
    assert len(pairs) == len(set(pairs)) == 25 * 8
    assert set(pairs) == {(data, mfs.STAND_INS.get(method, method)) for data in printed.index for method in mfs.METHODS}


def test_subsets_are_drawn_for_each_case_and_ensembles_have_100_members():
    for part in find_paper("mfs").experiments:
        for one in published_study("mfs", part).methods:
            last = last_step(one.make())
            if one.name.startswith("mfs"):
                assert last.resample == "query"
            assert getattr(last, "n_estimators", 100) == 100


def test_numbers_are_scaled_but_where_the_data_come_divided():
    for id in TABLE_2:
        for one in study("mfs", id).methods:
            if one.name not in ("c4.5", "boost"):
                assert one.make().scale is (id not in ("satimage", "vowel"))


def test_irrelevant_attributes_are_in_the_names_of_methods():
    for one in study("mfs", "irrelevant").methods:
        method, number = one.name.split()
        noise, last = (step for _, step in one.make().steps)
        assert noise.n_features == int(number)
        assert (last.n_neighbors == "auto") is (method == "knn")


def test_bias_and_variance_are_of_33_000_cases():
    assert {one.n_samples for one in study("mfs", "bias-variance").datasets} == {33_000}


def test_members_are_those_of_figure_1():
    made = {one.name: one.make() for one in study("mfs", "members").methods}
    assert (made["50 prototypes"].draw.size, made["50 prototypes"].draw.replacement) == (50, False)
    assert (made["bagged nn"].draw.size, made["bagged nn"].draw.replacement) == (1.0, True)
    assert made["6 features"].subset_size == 6
    assert made["6 features"].resample == "fit"


def test_sizes_are_tenths_of_all_attributes():
    sizes = [one.params["subset_size"] for one in study("mfs", "sizes").methods]
    assert sizes == pytest.approx([tenth / 10 for tenth in range(1, 11)])
