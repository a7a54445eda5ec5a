"""Every published system has an id, and its estimator is set up as published."""

from __future__ import annotations

import csv
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_regressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

import covey
from covey import Bootstrap, C45Classifier, MeanProbability, RandomSubspace, RandomTreeClassifier, method, methods
from covey.registry import PAPERS, title_of
from covey.table import Indicators

SYSTEMS = {
    "multistrategy": ["c4.5", "c4.5sas", "wag", "boost", "sasc", "mb", "boostsasc", "wagsasc", "mbsasc"],
    "rsc": [
        *("bagging", "adaboost", "multiboost", "random-subspace", "random-committee", "random-forest"),
        *("rotation-forest", "alpha-rsc", "alpha-rse", "alphabeta-rse", "alpha-rsse"),
    ],
    "mfs": ["nn", "knn", "fss", "bss", "mfs1", "mfs2"],
    "erassel": ["rssl", "adaptive-rssl", "rassel", "erassel"],
    "triskel": [
        *("smo", "adaboost-3", "adaboost-10", "adaboost-50"),
        *("triskel-1", "triskel-w2", "triskel-w4", "triskel-m1"),
    ],
}
LINEAR, PAIRS = SYSTEMS["erassel"], SYSTEMS["triskel"]
IDS = [entry.id for entry in methods()]
SINGLE = ("c4.5", "c4.5sas", "alpha-rsc", "nn", "knn", "fss", "bss")
ENSEMBLES = [id for id in IDS if id not in (*SINGLE, *PAIRS, "covey")]
QUICK = {"members": ["c4.5", "logistic regression"], "cv": 2}  # of the combination, which tries many by default
NAMES = Path(__file__).parents[2] / "shared" / "reference" / "NAMES.csv"


@pytest.fixture(scope="module")
def mixed() -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers and categories, both with gaps, that tell the class."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(60) < 0.5, "yes", "no")
    frame = pd.DataFrame(
        {
            "length": rng.normal(size=60) + 2 * (y == "yes"),
            "width": rng.normal(size=60),
            "colour": pd.Categorical(np.where(rng.random(60) < 0.8, np.where(y == "yes", "red", "blue"), "green")),
            "place": np.where(rng.random(60) < 0.5, "here", "there"),
        }
    )
    frame.loc[::7, "length"] = np.nan
    frame.loc[::9, "colour"] = None
    return frame, y


def test_the_papers_systems_in_their_order():
    for paper, ids in SYSTEMS.items():
        assert [entry.id for entry in methods(paper=paper)][: len(ids)] == ids


def test_every_record_is_complete_and_every_id_is_there_once():
    assert len(set(IDS)) == len(IDS) == len(set(methods()))
    for entry in methods():
        assert entry.paper in PAPERS
        assert entry.name
        assert entry.family
        assert entry.description
        assert set(entry.tasks) <= {"classification", "regression"}
        assert str(clone(method(entry.id)).get_params()) == str(method(entry.id).get_params())
        assert method(entry.id) is not method(entry.id)


def test_filters():
    assert [entry.id for entry in methods(family="boosting")][:2] == ["boost", "adaboost"]
    assert [entry.id for entry in methods(family="multi-strategy", paper="rsc")] == ["multiboost"]
    with pytest.raises(ValueError, match="family='forest' has no methods; give one of 'combination', 'tree'"):
        methods(family="forest")
    with pytest.raises(ValueError, match="paper='breiman' has no methods; give one of 'covey', 'multistrategy'"):
        methods(paper="breiman")


def test_it_prints_as_a_table():
    head, *lines = repr(methods()).splitlines()
    assert head.split() == ["id", "name", "paper", "family", "tasks", "description"]
    assert len(lines) == len(methods())
    for line, entry in zip(lines, methods(), strict=True):
        assert line[head.index("name") :].startswith(entry.name)
        assert line.endswith(entry.description)
    html = methods()._repr_html_()
    assert html.count("<tr>") == len(methods()) + 1
    assert "scikit-learn&#x27;s random forest" in html


@pytest.mark.skipif(not NAMES.exists(), reason="the papers' names are not beside the checkout")
def test_names_are_those_printed():
    with NAMES.open(encoding="utf-8") as file:
        printed = {(row["id"], row["paper"], row["as_printed"]) for row in csv.DictReader(file)}
    for entry in methods():
        assert entry.paper == "covey" or (entry.id, entry.paper, entry.name) in printed


@pytest.mark.parametrize("id", IDS)
def test_each_learns_from_mixed_data_with_gaps(id, mixed):
    frame, y = mixed
    few = {"n_estimators": 8} if id in ENSEMBLES else QUICK if id == "covey" else {}
    model = method(id, **few)
    model.set_params(**{name: 0 for name in model.get_params() if name.split("__")[-1] == "random_state"})
    with warnings.catch_warnings():
        if id == "rotation-forest" or id in (*LINEAR, *PAIRS):
            warnings.simplefilter("ignore", UserWarning)  # they impute, need a ridge, or keep a case
        model.fit(frame, y)
    assert model.score(frame, y) > 0.75
    assert not hasattr(model, "predict_proba") or model.predict_proba(frame).shape == (60, 2)
    assert set(model.predict(frame)) == {"yes", "no"}


@pytest.mark.parametrize("id", ENSEMBLES)
def test_ensembles_have_as_many_members_as_published_unless_told_otherwise(id):
    def size(model):
        params = model.get_params()
        return params.get("n_estimators", params.get("forest__n_estimators"))

    assert size(method(id)) == (200 if id in LINEAR else 100)
    assert size(method(id, n_estimators=25)) == 25


@pytest.mark.parametrize("id", [*LINEAR, "covey"])
def test_systems_that_predict_numbers_too(id, mixed):
    frame, y = mixed
    few = {"members": ["ridge regression"]} if id == "covey" else {"n_estimators": 8}
    model = method(id, task="regression", random_state=0, **few)
    assert is_regressor(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model.fit(frame, (np.asarray(y) == "yes") + 0.0)
    assert model.predict(frame).shape == (60,)


TREE, SPARSE_TREE = {"estimator": C45Classifier}, {"estimator": C45Classifier, "estimator__attribute_probability": 0.33}
VOTED = {"estimator": C45Classifier, "combine": MeanProbability}
SUBSETS = {"n_estimators": 100, "subset_size": "auto"}


@pytest.mark.parametrize(
    ("id", "kind", "settings"),
    [
        ("covey", "CoveyClassifier", {"members": "auto", "weighting": "optimal"}),
        ("c4.5", "C45Classifier", {}),
        ("c4.5sas", "C45Classifier", {"attribute_probability": 0.33}),
        ("sasc", "StochasticCommitteeClassifier", {"attribute_probability": 0.33}),
        ("wag", "WaggingClassifier", TREE),
        ("boost", "BoostingClassifier", TREE),
        ("mb", "MultiBoostClassifier", TREE),
        ("wagsasc", "WaggingClassifier", SPARSE_TREE),
        ("boostsasc", "BoostingClassifier", SPARSE_TREE),
        ("mbsasc", "MultiBoostClassifier", SPARSE_TREE),
        ("bagging", "EnsembleClassifier", {**VOTED, "draw": Bootstrap, "draw__size": 1.0}),
        ("random-subspace", "EnsembleClassifier", {**VOTED, "subspace": RandomSubspace, "subspace__size": 0.5}),
        ("adaboost", "BoostingClassifier", {}),
        ("random-committee", "RandomCommitteeClassifier", {"estimator": RandomTreeClassifier}),
        ("nn", "MixedNeighborsClassifier", {"n_neighbors": 1}),
        ("knn", "MixedNeighborsClassifier", {"n_neighbors": "auto"}),
        ("fss", "SelectedNeighborsClassifier", {"direction": "forward"}),
        ("bss", "SelectedNeighborsClassifier", {"direction": "backward"}),
        ("mfs1", "FeatureSubsetNeighborsClassifier", {**SUBSETS, "replacement": True}),
        ("mfs2", "FeatureSubsetNeighborsClassifier", {**SUBSETS, "replacement": False}),
        ("rssl", "RandomSubspaceClassifier", {"weighting": "uniform"}),
        ("adaptive-rssl", "RandomSubspaceClassifier", {"weighting": "uniform", "bootstrap": 0.7}),
        ("rassel", "RandomSubspaceClassifier", {"weighting": "relevance"}),
        ("erassel", "RandomSubspaceClassifier", {"weighting": "evolving"}),
        *((f"adaboost-{n}", "OneVsOneClassifier", {"estimator__n_estimators": n}) for n in (3, 10, 50)),
        ("triskel-1", "TriskelClassifier", {"n_rounds": 1, "covering": "separate", "bias": 0.9}),
        ("triskel-w2", "TriskelClassifier", {"n_rounds": 2, "covering": "soft", "bias": 0.9}),
        ("triskel-w4", "TriskelClassifier", {"n_rounds": 4, "covering": "soft", "bias": 0.9}),
        ("triskel-m1", "TriskelClassifier", {"n_rounds": 1, "covering": "separate", "bias": 0.9}),
    ],
)
def test_systems_are_set_up_as_published(id, kind, settings):
    model = method(id)
    assert type(model) is getattr(covey, kind)
    params = model.get_params()
    for name, value in settings.items():
        assert type(params[name]) is value if isinstance(value, type) else params[name] == value
    if settings is TREE:
        assert params["estimator__attribute_probability"] in (None, 1.0)


def test_chains_of_multiboost_are_those_of_their_papers():
    assert method("mbsasc")._plan(50, 4).chains == (10,) * 10
    assert method("multiboost")._plan(50, 4).chains == (34, 33, 33)


def test_parameters_are_set_nested_ones_too():
    model = method("mbsasc", n_estimators=12, n_jobs=2, random_state=3, estimator__attribute_probability=0.5)
    assert (model.n_estimators, model.n_jobs, model.random_state) == (12, 2, 3)
    assert model.estimator.attribute_probability == 0.5
    assert method("mbsasc").estimator.attribute_probability == 0.33
    assert method("random-subspace", subspace__size=3).subspace.size == 3


@pytest.mark.parametrize(
    ("id", "params", "problem"),
    [
        ("mbsac", {}, r"no method 'mbsac'; did you mean 'mbsasc'.*Methods are 'covey', 'c4.5', .*'wag'"),
        ("zzzzzz", {}, r"no method 'zzzzzz'\. Methods are"),
        ("mfs1", {"task": "regression"}, r"task='regression' is nothing that 'mfs1' does; it is for classif"),
        ("mb", {"n_trees": 3}, r"method\('mb'\) has no parameter 'n_trees'.*'n_estimators', 'n_jobs'"),
        ("random-forest", {"n_trees": 3}, r"method\('random-forest'\) has no parameter 'n_trees'.*'n_estimators'"),
        ("random-forest", {"n_estimator": 3}, "did you mean 'n_estimators'"),
    ],
)
def test_what_there_is_not_says_what_comes_close(id, params, problem):
    with pytest.raises(ValueError, match=problem):
        method(id, **params)


def test_it_is_scikit_learns(mixed):
    frame, y = mixed
    model = method("random-forest", n_estimators=7, n_jobs=2, random_state=1)
    forest = model.steps[-1][1]
    assert type(forest) is RandomForestClassifier
    assert (forest.n_estimators, forest.n_jobs, forest.random_state) == (7, 2, 1)
    expected = make_pipeline(Indicators(), RandomForestClassifier(7, random_state=1)).fit(frame, y)
    np.testing.assert_array_equal(model.fit(frame, y).predict_proba(frame), expected.predict_proba(frame))


def test_polars_frames_and_arrays(mixed):
    frame, y = mixed
    model = method("random-forest", n_estimators=5, random_state=0)
    expected = clone(model).fit(frame, y).predict_proba(frame)
    other = pl.from_pandas(frame)
    np.testing.assert_array_equal(clone(model).fit(other, y).predict_proba(other), expected)
    numbers = frame[["length", "width"]].to_numpy()
    plain = RandomForestClassifier(5, random_state=0).fit(numbers, y)
    np.testing.assert_array_equal(clone(model).fit(numbers, y).predict_proba(numbers), plain.predict_proba(numbers))


@pytest.mark.parametrize(("id", "n_trees"), [("adaboost", 1), ("multiboost", 3), ("boost", 9), ("mb", 9)])
def test_boosting_of_the_sphere_cover_paper_ends_after_a_tree_without_error(id, n_trees):
    X = np.arange(40.0)[:, None]
    model = method(id, n_estimators=9, random_state=0).fit(X, X[:, 0] >= 20)
    assert len(model.estimators_) == n_trees


def test_every_method_has_a_title_of_its_own():
    titles = [entry.title for entry in methods()]
    assert len(set(titles)) == len(titles)
    assert max(map(len, titles)) <= 50


@pytest.mark.parametrize(
    ("name", "path", "title"),
    [
        ("mbsasc", "covey:mbsasc", "multiboosted C4.5 with random attributes (mbsasc)"),
        ("alpha-rsse", "covey:alpha-rsse", "random sphere cover subspaces (alpha-rsse)"),
        ("covey", "covey:covey", "combination of unlike families (covey)"),
        ("rotation-forest", "covey:rotation-forest", "rotation forest"),
        ("boost", "covey:boost", "boosted C4.5 (boost)"),
        ("rotation", "covey:rotation-forest", "rotation forest (rotation)"),
        ("random forest", "sklearn.ensemble.RandomForestClassifier", "random forest"),
        ("mine", "covey.MultiBoostClassifier", "mine"),
        ("old", "covey:gone", "old"),
    ],
)
def test_methods_of_a_study_are_called_what_people_call_them(name, path, title):
    """Review: method names are codes."""
    assert title_of(name, path) == title
