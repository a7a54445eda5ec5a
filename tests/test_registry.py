"""Every published system has an id, and its estimator is set up as published."""

from __future__ import annotations

import csv
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline

import covey
from covey import (
    BoostingClassifier,
    Bootstrap,
    C45Classifier,
    EnsembleClassifier,
    FeatureSubsetNeighborsClassifier,
    MeanProbability,
    MultiBoostClassifier,
    RandomCommitteeClassifier,
    RandomSubspace,
    RandomTreeClassifier,
    SelectedNeighborsClassifier,
    StochasticCommitteeClassifier,
    WaggingClassifier,
    method,
    methods,
)
from covey.registry import PAPERS
from covey.table import Indicators

MULTISTRATEGY = ["c4.5", "c4.5sas", "wag", "boost", "sasc", "mb", "boostsasc", "wagsasc", "mbsasc"]
SPHERE_COVER = [
    "bagging",
    "adaboost",
    "multiboost",
    "random-subspace",
    "random-committee",
    "random-forest",
    "rotation-forest",
    "alpha-rsc",
    "alpha-rse",
    "alphabeta-rse",
    "alpha-rsse",
]
FEATURE_SUBSETS = ["nn", "knn", "fss", "bss", "mfs1", "mfs2"]
LINEAR = ["rssl", "adaptive-rssl", "rassel", "erassel"]
PAIRS = ["smo", "adaboost-3", "adaboost-10", "adaboost-50", "triskel-1", "triskel-w2", "triskel-w4", "triskel-m1"]
IDS = [entry.id for entry in methods()]
SINGLE = ("c4.5", "c4.5sas", "alpha-rsc", "nn", "knn", "fss", "bss")
ENSEMBLES = [id for id in IDS if id not in (*SINGLE, *PAIRS)]
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


class TestMethods:
    def test_the_papers_systems_in_their_order(self):
        assert [entry.id for entry in methods(paper="multistrategy")] == MULTISTRATEGY
        assert [entry.id for entry in methods(paper="rsc")][: len(SPHERE_COVER)] == SPHERE_COVER
        assert [entry.id for entry in methods(paper="mfs")] == FEATURE_SUBSETS
        assert [entry.id for entry in methods(paper="erassel")] == LINEAR
        assert [entry.id for entry in methods(paper="triskel")] == PAIRS

    def test_every_record_is_complete_and_every_id_is_there_once(self):
        assert len(set(IDS)) == len(IDS)
        for entry in methods():
            assert entry.paper in PAPERS
            assert entry.name
            assert entry.family
            assert entry.description
            assert set(entry.tasks) <= {"classification", "regression"}

    def test_filters(self):
        assert [entry.id for entry in methods(family="boosting")][:2] == ["boost", "adaboost"]
        assert [entry.id for entry in methods(family="multi-strategy", paper="rsc")] == ["multiboost"]
        with pytest.raises(ValueError, match="family='forest' has no methods; give one of 'tree', 'bagging'"):
            methods(family="forest")
        with pytest.raises(ValueError, match="paper='breiman' has no methods; give one of 'multistrategy', 'rsc'"):
            methods(paper="breiman")

    def test_records_are_fixed_and_hashable(self):
        entry = methods()[0]
        assert {entry: 1}[methods()[0]] == 1
        with pytest.raises(AttributeError):
            entry.id = "other"

    def test_it_prints_as_a_table(self):
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
    def test_names_are_those_printed(self):
        with NAMES.open(encoding="utf-8") as file:
            printed = {(row["id"], row["paper"], row["as_printed"]) for row in csv.DictReader(file)}
        for entry in methods():
            assert (entry.id, entry.paper, entry.name) in printed


class TestMethod:
    @pytest.mark.parametrize("id", IDS)
    def test_each_is_a_new_estimator_that_can_be_cloned(self, id):
        model = method(id)
        assert model is not method(id)
        assert is_classifier(model)
        assert str(clone(model).get_params()) == str(model.get_params())

    @pytest.mark.parametrize("id", IDS)
    def test_each_learns_from_mixed_data_with_gaps(self, id, mixed):
        frame, y = mixed
        model = method(id, n_estimators=8) if id in ENSEMBLES else method(id)
        model.set_params(**{name: 0 for name in model.get_params() if name.split("__")[-1] == "random_state"})
        with warnings.catch_warnings():
            if id == "rotation-forest" or id in (*LINEAR, *PAIRS):
                warnings.simplefilter("ignore", UserWarning)  # they impute, need a ridge, or keep a case
            model.fit(frame, y)
        assert model.score(frame, y) > 0.75
        assert not hasattr(model, "predict_proba") or model.predict_proba(frame).shape == (60, 2)
        assert set(model.predict(frame)) == {"yes", "no"}

    @pytest.mark.parametrize("id", ENSEMBLES)
    def test_ensembles_have_as_many_members_as_published_unless_told_otherwise(self, id):
        def size(model):
            params = model.get_params()
            return params.get("n_estimators", params.get("forest__n_estimators"))

        assert size(method(id)) == (200 if id in LINEAR else 100)
        assert size(method(id, n_estimators=25)) == 25

    @pytest.mark.parametrize("id", LINEAR)
    def test_the_systems_of_the_thesis_predict_numbers_too(self, id, mixed):
        frame, y = mixed
        model = method(id, task="regression", n_estimators=8, random_state=0)
        assert is_regressor(model)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            model.fit(frame, (np.asarray(y) == "yes") + 0.0)
        assert model.predict(frame).shape == (60,)

    def test_a_system_for_classes_refuses_numbers(self):
        with pytest.raises(ValueError, match=r"task='regression' is nothing that 'mfs1' does; it is for classif"):
            method("mfs1", task="regression")

    def test_the_systems_of_the_thesis(self):
        settings = {id: method(id).get_params() for id in LINEAR}
        weighting = {id: params["weighting"] for id, params in settings.items()}
        assert weighting == {
            "rssl": "uniform",
            "adaptive-rssl": "uniform",
            "rassel": "relevance",
            "erassel": "evolving",
        }
        assert settings["adaptive-rssl"]["bootstrap"] == 0.7

    def test_the_systems_of_the_triskel_paper(self):
        settings = {id: method(id).get_params() for id in PAIRS}
        rounds = {id: params["n_rounds"] for id, params in settings.items() if "n_rounds" in params}
        assert rounds == {"triskel-1": 1, "triskel-w2": 2, "triskel-w4": 4, "triskel-m1": 1}
        covering = {id: settings[id]["covering"] for id in rounds}
        assert covering == {
            "triskel-1": "separate",
            "triskel-w2": "soft",
            "triskel-w4": "soft",
            "triskel-m1": "separate",
        }
        assert {settings[id]["bias"] for id in rounds} == {0.9}
        boosted = [settings[f"adaboost-{count}"]["estimator__n_estimators"] for count in (3, 10, 50)]
        assert boosted == [3, 10, 50]

    def test_the_systems_of_the_multistrategy_paper(self):
        for id, kind, probability in [
            ("wag", WaggingClassifier, None),
            ("boost", BoostingClassifier, None),
            ("mb", MultiBoostClassifier, None),
            ("wagsasc", WaggingClassifier, 0.33),
            ("boostsasc", BoostingClassifier, 0.33),
            ("mbsasc", MultiBoostClassifier, 0.33),
        ]:
            model = method(id)
            assert type(model) is kind
            assert type(model.estimator) is C45Classifier
            assert model.estimator.attribute_probability in ((None, 1.0) if probability is None else (probability,))
        assert type(method("c4.5")) is C45Classifier
        assert method("c4.5sas").attribute_probability == 0.33
        assert type(method("sasc")) is StochasticCommitteeClassifier
        assert method("sasc").attribute_probability == 0.33
        assert method("mbsasc")._plan(50, 4).chains == (10,) * 10

    def test_the_comparators_of_the_sphere_cover_paper(self):
        bagging, subspace = method("bagging"), method("random-subspace")
        for model in (bagging, subspace):
            assert type(model) is EnsembleClassifier
            assert type(model.estimator) is C45Classifier
            assert type(model.combine) is MeanProbability
        assert type(bagging.draw) is Bootstrap
        assert bagging.draw.size == 1.0
        assert type(subspace.subspace) is RandomSubspace
        assert subspace.subspace.size == 0.5
        assert type(method("adaboost")) is BoostingClassifier
        assert method("multiboost")._plan(50, 4).chains == (34, 33, 33)
        committee = method("random-committee")
        assert type(committee) is RandomCommitteeClassifier
        assert type(committee.estimator) is RandomTreeClassifier

    def test_the_systems_of_the_feature_subset_paper(self):
        assert method("nn").n_neighbors == 1
        assert method("knn").n_neighbors == "auto"
        for id, direction in (("fss", "forward"), ("bss", "backward")):
            assert type(method(id)) is SelectedNeighborsClassifier
            assert method(id).direction == direction
        for id, replacement in (("mfs1", True), ("mfs2", False)):
            model = method(id, n_estimators=10)
            assert type(model) is FeatureSubsetNeighborsClassifier
            assert (model.n_estimators, model.replacement, model.subset_size) == (10, replacement, "auto")
        assert {entry.family for entry in methods(paper="mfs")} == {"nearest neighbours", "subspace"}

    def test_parameters_are_set_nested_ones_too(self):
        model = method("mbsasc", n_estimators=12, n_jobs=2, random_state=3, estimator__attribute_probability=0.5)
        assert (model.n_estimators, model.n_jobs, model.random_state) == (12, 2, 3)
        assert model.estimator.attribute_probability == 0.5
        assert method("mbsasc").estimator.attribute_probability == 0.33
        assert method("random-subspace", subspace__size=3).subspace.size == 3

    def test_an_unknown_id_says_what_comes_close_and_what_there_is(self):
        with pytest.raises(ValueError, match=r"no method 'mbsac'; did you mean 'mbsasc'.*Methods are 'c4.5', .*'wag'"):
            method("mbsac")
        with pytest.raises(ValueError, match=r"no method 'zzzzzz'\. Methods are"):
            method("zzzzzz")

    @pytest.mark.parametrize("id", ["mb", "random-forest"])
    def test_an_unknown_parameter_says_what_there_is(self, id):
        with pytest.raises(ValueError, match=rf"method\('{id}'\) has no parameter 'n_trees'.*'n_estimators', 'n_jobs'"):
            method(id, n_trees=3)
        with pytest.raises(ValueError, match="did you mean 'n_estimators'"):
            method(id, n_estimator=3)


class TestRandomForest:
    def test_it_is_scikit_learns(self, mixed):
        frame, y = mixed
        model = method("random-forest", n_estimators=7, n_jobs=2, random_state=1)
        forest = model.steps[-1][1]
        assert type(forest) is RandomForestClassifier
        assert (forest.n_estimators, forest.n_jobs, forest.random_state) == (7, 2, 1)
        expected = make_pipeline(Indicators(), RandomForestClassifier(7, random_state=1)).fit(frame, y)
        np.testing.assert_array_equal(model.fit(frame, y).predict_proba(frame), expected.predict_proba(frame))

    def test_polars_frames_and_arrays(self, mixed):
        frame, y = mixed
        model = method("random-forest", n_estimators=5, random_state=0)
        expected = clone(model).fit(frame, y).predict_proba(frame)
        other = pl.from_pandas(frame)
        np.testing.assert_array_equal(clone(model).fit(other, y).predict_proba(other), expected)
        numbers = frame[["length", "width"]].to_numpy()
        plain = RandomForestClassifier(5, random_state=0).fit(numbers, y)
        np.testing.assert_array_equal(clone(model).fit(numbers, y).predict_proba(numbers), plain.predict_proba(numbers))


def test_listing_loads_nothing_heavy():
    code = "import sys, covey; covey.methods(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "matplotlib", "pandas", "sklearn", "numpy", "scipy"} & set(loaded)
    assert covey.method is method
