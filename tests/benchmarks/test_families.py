"""The study of families: its methods can be made, and its figures are those of plain computations on the stores."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import replace

import accuracy
import families
import families_analysis
import families_report
import families_times
import numpy as np
import pandas as pd
import pytest
from accuracy_report import read

from covey.datasets import load
from covey.study import CycledFolds, DataSpec, MethodSpec, Study, run_study

SETS = ("iris", "wine", "breast_cancer")
MODELS = {
    "covey": ("covey.EnsembleClassifier", {"n_estimators": 5}),
    "c4.5": ("covey:c4.5", {}),
    "SVM": ("sklearn.naive_bayes.GaussianNB", {}),
}


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("families")
    specs = tuple(DataSpec(name, f"sklearn:{name}") for name in SETS)
    for name, (path, params) in MODELS.items():
        # More repeats of one, as a study has that was ended.
        protocol = CycledFolds(3 if name == "SVM" else 2, 2, stratified=True)
        study = Study(
            "families", specs, (MethodSpec(name, path, params),), protocol, accuracy.METRICS["classification"], 0
        )
        run_study(study, accuracy.store_of(folder, name))
    return folder


@pytest.fixture(scope="module")
def compared(stores):
    return read(stores, same_repeats=False)


def test_every_method_has_a_family_and_can_be_made():
    every = list(families.methods())
    assert {method.name for method in every} == set(families.families())
    for method in every:
        if method.name not in ("LightGBM", "XGBoost"):
            method.make()


def test_parents_of_combinations_are_in_the_study():
    names = {method.name for method in families.methods()}
    assert all(set(one.parents) <= names for one in families.COMBINATIONS)
    assert len(families.COMBINATIONS) >= 5


def test_each_method_is_judged_by_its_own_whole_repeats(stores, compared, tmp_path):
    table = families_analysis.overview(compared, families.families())
    assert table["repeats"].to_dict() == {"covey": "2", "c4.5": "2", "SVM": "3"}
    fits = compared.results["SVM"].frame()
    assert table.loc["SVM", "accuracy"] == pytest.approx(fits["accuracy"].mean())
    assert read(stores).frame["repeat"].max() == 1
    # A repeat of which a fold is lacking does not count.
    shutil.copytree(stores, tmp_path / "stores")
    with sqlite3.connect(accuracy.store_of(tmp_path / "stores", "SVM")) as store:
        place = "json_extract(labels, '$.dataset') = 'iris' and json_extract(labels, '$.fit') = 5"
        assert store.execute(f"delete from cells where {place}").rowcount == 1
    kept = read(tmp_path / "stores", same_repeats=False)
    assert families_analysis.overview(kept, families.families())["repeats"]["SVM"] == "2 to 3"
    first = fits[(fits["dataset"] == "iris") & (fits["fit"] < 4)]
    assert kept.scores["accuracy"].loc["iris", "SVM"] == pytest.approx(first["accuracy"].mean())


def test_a_method_without_probabilities_has_no_log_loss(compared):
    scores = {name: frame.copy() for name, frame in compared.scores.items()}
    scores["neg_log_loss"]["SVM"] = np.nan
    table = families_analysis.overview(replace(compared, scores=scores), families.families())
    assert table.loc["SVM", ["log loss", "rank by log loss"]].isna().all()
    assert set(table["rank by log loss"].dropna()) <= {1, 4 / 3, 1.5, 5 / 3, 2}
    assert table["accuracy"].notna().all()


def test_a_method_that_lacks_datasets_is_compared_on_the_others(compared, monkeypatch):
    without = {name: frame.drop(columns="c4.5") for name, frame in compared.scores.items()}
    every = {name: frame.copy() for name, frame in compared.every.items()}
    every["accuracy"].loc["iris", "c4.5"] = np.nan
    some = replace(compared, scores=without, every=every)
    table, ranks = families_analysis.on_some(some, "c4.5", ["covey"])
    gaps = (compared.scores["accuracy"]["c4.5"] - compared.scores["accuracy"]["covey"]).drop("iris")
    assert table.loc["covey", "points"] == pytest.approx(100 * gaps.mean())
    assert len(ranks) == 3
    monkeypatch.setattr(families_report, "FEWEST_SOME", 2)
    loaded = [load(f"sklearn:{name}") for name in SETS]
    found = families_report.Findings.of(some, loaded, families.families())
    assert "### c4.5, on 2 datasets" in families_report.page(some, found, {})[0]


def test_bias_and_variance_add_up_to_the_error(compared):
    parts, n_datasets = families_analysis.bias_and_variance(compared)
    assert n_datasets == len(SETS)
    accuracies = compared.scores["accuracy"].mean()
    np.testing.assert_allclose(parts["bias"] + parts["variance"], 1 - accuracies[parts.index], atol=0.005)


def test_only_methods_with_members_have_a_diversity(compared):
    members = families_analysis.votes(compared)
    means = families_analysis.diversity(members)
    assert list(means.index) == ["covey"]
    assert members.index.nlevels == 2
    assert len(members) == len(SETS)
    assert means.loc["covey", "individual error"] > means.loc["covey", "ensemble error"]


def test_what_explains_errors_is_found_dataset_by_dataset():
    generator = np.random.default_rng(0)
    pairs = pd.MultiIndex.from_product([list("abcdef"), [f"set {number}" for number in range(20)]])
    level = pd.Series(np.tile(generator.uniform(0.1, 0.5, 20), 6), pairs)
    frame = pd.DataFrame({"kappa": generator.uniform(size=120), "individual error": generator.uniform(size=120)}, pairs)
    frame["individual error"] = level + 0.1 * frame["individual error"]
    frame["ensemble error"] = frame["individual error"] - 0.05 * (1 - frame["kappa"])
    shares = families_analysis.explained(frame)
    assert shares["error by both"] == pytest.approx(1)
    assert shares["gain by kappa"] == pytest.approx(1)
    assert 0.5 < shares["error by members' error"] < 1
    assert shares["error by kappa"] < 0.5


def test_losses_are_points_behind_the_best_family(compared):
    accuracies = compared.scores["accuracy"]
    behind = families_analysis.losses(accuracies, {"trees": "c4.5", "machines": "SVM"})
    best = accuracies[["c4.5", "SVM"]].max(axis=1)
    np.testing.assert_allclose(behind["trees"], 100 * (best - accuracies["c4.5"]))
    assert (behind.min(axis=1) == 0).all()


def test_gaps_are_those_of_the_means_and_equal_methods_are_equal():
    generator = np.random.default_rng(0)
    first = pd.Series(generator.uniform(0.6, 0.9, 40))
    scores = pd.DataFrame({"a": first, "b": first - generator.uniform(0.02, 0.04, 40), "c": first})
    gaps = families_analysis.beside(scores, "a", ["b", "c"])
    assert gaps.loc["b", "points"] == pytest.approx(100 * (scores["a"] - scores["b"]).mean())
    assert gaps.loc["b", "low"] < gaps.loc["b", "points"] < gaps.loc["b", "high"]
    assert gaps.loc["b", "record"] == "40/0/0"
    assert gaps.loc["b", "p"] < 1e-6
    assert gaps.loc["b", "better"] > 0.99
    assert gaps.loc["c", "points"] == 0
    assert gaps.loc["c", "p"] == 1
    assert gaps.loc["c", "equal"] > 0.99


def test_a_star_marks_losses_that_go_with_a_property():
    known = pd.DataFrame({"rows": np.arange(40), "noise": np.tile([0.1, 0.3], 20)})
    behind = pd.DataFrame({"spheres": known["rows"] / 10.0, "trees": np.zeros(40)})
    table = families_analysis.by_kind(known, behind)
    assert table.loc["rows > 19.5"].to_dict() == {"datasets": 20, "spheres": "3.0*", "trees": "0.0"}
    assert table.loc["rows <= 19.5", "spheres"] == "0.9"
    assert "*" not in "".join(table.loc["noise > 0.2", ["spheres", "trees"]])


def test_methods_to_try_are_chosen_on_other_rows(compared):
    order = families_analysis.order_to_try(compared, ["covey", "c4.5", "SVM"], 3)
    assert sorted(order.index) == sorted(MODELS)
    scores = {(row["method"], row["dataset"], row["fit"]): row["accuracy"] for _, row in compared.frame.iterrows()}
    means = {name: np.mean([scores[name, data, fit] for data in SETS for fit in range(4)]) for name in MODELS}
    assert order["alone"].to_dict() == pytest.approx(means)
    assert order.index[0] == max(means, key=means.get)
    assert order["accuracy"].iloc[0] == pytest.approx(max(means.values()))
    got = []
    for data in SETS:
        for fit in range(4):
            first = {name: scores[name, data, fit] for name in order.index}
            got.append(scores[max(first, key=first.get), data, fit ^ 1])
    assert order["accuracy"].iloc[-1] == pytest.approx(np.mean(got))


def test_the_tree_over_properties_tells_data_apart_by_what_matters():
    known = pd.DataFrame({"rows": np.arange(40), "columns": np.arange(40) % 5})
    behind = pd.DataFrame(
        {"spheres": np.where(known["rows"] < 20, 0.0, 4.0), "trees": np.where(known["rows"] < 20, 3.0, 0.0)}
    )
    lines = families_analysis.which_family(known, behind)
    assert lines == [
        "rows <= 19.5: 20 datasets; spheres 0.0, trees 3.0",
        "rows > 19.5: 20 datasets; trees 0.0, spheres 4.0",
    ]
    pays = families_analysis.advice_pays(known, behind)
    assert pays["by the tree"] < 0.2 < pays["always the same"]


def test_the_page_has_every_method_and_figure(compared):
    loaded = [load(f"sklearn:{name}") for name in SETS]
    found = families_report.Findings.of(compared, loaded, families.families())
    text, drawn = families_report.page(compared, found, {"covey": ("c4.5", "SVM")})
    assert set(found.table.index) == set(MODELS)
    assert set(drawn) == {"ranks", "gaps", "time", "bias-variance"}
    assert all(f"families-{name}.svg" in text for name in drawn)
    assert "3 datasets" in text
    assert "| covey" in text


def test_processor_time_is_measured_once_and_shown(compared, tmp_path, capsys):
    loaded = [load(f"sklearn:{name}") for name in SETS]
    chosen = [MethodSpec(name, path, params) for name, (path, params) in MODELS.items()]
    assert families_times.read_times(tmp_path) is None
    families_times.write_times(chosen[:2], loaded, tmp_path)
    first = families_times.read_times(tmp_path)
    families_times.write_times(chosen, loaded, tmp_path)
    times = families_times.read_times(tmp_path)
    assert set(times.index) == set(MODELS)
    assert times[first.index].equals(first)
    table = families_analysis.overview(compared, families.families(), times)
    assert table["fit (s)"].to_dict() == times.to_dict()


def test_datasets_to_time_are_of_all_sizes():
    loaded = [load(f"sklearn:{name}") for name in ("breast_cancer", "iris", "digits", "wine")]
    assert [data.name for data in families_times.typical(loaded, 2)] == ["wine", "digits"]
    assert [data.name for data in families_times.typical(loaded, 4)] == ["iris", "wine", "breast_cancer", "digits"]


def test_what_was_written_by_hand_is_kept(stores, tmp_path, capsys):
    (tmp_path / "stores").symlink_to(stores)
    page = tmp_path / families_report.PAGE
    page.write_text(f"# Families\n\nBy hand.\n\n{families_report.RESULTS}\n\nold\n")
    loaded = [load(f"sklearn:{name}") for name in SETS]
    families_report.write_report(tmp_path, loaded, families.families(), {}, None)
    text = page.read_text()
    assert text.startswith(f"# Families\n\nBy hand.\n\n{families_report.RESULTS}\n\n## All results")
    assert "old" not in text
    assert (tmp_path / "families-gaps.svg").exists()
