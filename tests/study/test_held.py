"""Estimators that a study holds in memory."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from functools import partial

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from covey.study import CycledFolds, DataSpec, MethodSpec, Results, Study, check_study, run_study
from covey.study.layout import lay_out

IRIS = DataSpec("iris", "iris")


def study_of(*methods, **more):
    return Study("held", (IRIS,), methods, CycledFolds(n_folds=3), ("accuracy",), 0, **more)


def test_what_a_record_tells_of_an_estimator():
    forest = MethodSpec("forest", held=RandomForestClassifier(7, max_features=None, random_state=3))
    assert forest.path == "sklearn.ensemble.RandomForestClassifier"
    assert forest.params == {"n_estimators": 7, "max_features": None}
    scaled = MethodSpec("scaled", held=make_pipeline(StandardScaler(), "passthrough", SVC(C=2)))
    svc = {"estimator": "sklearn.svm.SVC", "params": {"C": 2}}
    assert (scaled.path, scaled.params["steps"][1]) == ("pipeline", svc)
    vote = MethodSpec("vote", held=VotingClassifier([("a", SVC(C=2)), ("b", GaussianNB(priors=np.array([0.5, 0.5])))]))
    assert vote.params["estimators"][0] == ["a", svc]
    assert json.loads(json.dumps(vote.params)) == vote.params


def test_an_estimator_is_the_same_method_as_its_import_path():
    named = MethodSpec("forest", "sklearn.ensemble.RandomForestClassifier", {"n_estimators": 7})
    keys = [set(lay_out(study_of(one)).keys) for one in (named, MethodSpec("mine", held=RandomForestClassifier(7)))]
    assert keys[0] == keys[1]
    seeded = MethodSpec("mine", held=RandomForestClassifier(7, random_state=9))
    assert set(lay_out(study_of(seeded)).keys) == keys[0]
    other = MethodSpec("mine", held=RandomForestClassifier(8))
    assert not set(lay_out(study_of(other)).keys) & keys[0]
    with pytest.raises(ValueError, match="'forest' and 'mine' are the same but for their names"):
        lay_out(study_of(named, seeded))


def test_a_copy_is_kept_and_sent():
    tree = DecisionTreeClassifier(max_depth=2)
    method = MethodSpec("tree", held=tree)
    tree.set_params(max_depth=5)
    assert method.make().max_depth == 2
    assert method.make() is not method.make()
    sent = pickle.loads(pickle.dumps(method))
    assert sent == method
    assert sent.make().max_depth == 2
    assert method.adjusted({"max_depth": 3, "n_estimators": 4}).make().max_depth == 3


def test_a_study_on_a_store_and_its_results_from_the_store_alone(tmp_path):
    held = MethodSpec("near", held=make_pipeline(StandardScaler(), KNeighborsClassifier(3)))
    steps = [
        {"estimator": "sklearn.preprocessing.StandardScaler"},
        {"estimator": "sklearn.neighbors.KNeighborsClassifier", "params": {"n_neighbors": 3}},
    ]
    named = MethodSpec("near", "pipeline", {"steps": steps})
    store = tmp_path / "a.store"
    check_study(study_of(held))
    found = run_study(study_of(held, MethodSpec("blind", held=DummyClassifier())), store)
    again = run_study(study_of(named), tmp_path / "b.store")
    np.testing.assert_array_equal(found.scores()["near"], again.scores()["near"])
    assert Results.in_store(store).baselines == ("blind",)
    assert b"sklearn.pipeline" not in store.read_bytes()  # as a pickle would name it
    seen = []
    run_study(study_of(named), store, progress=seen.append)
    assert seen == []


class Tagless:
    def fit(self, X, y):
        return self

    predict = get_params = fit


class Mended(ClassifierMixin, BaseEstimator):
    def __init__(self, size=None):
        self.size = [size]

    fit = predict = None


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (SVC, r"is the class SVC; give an instance: SVC\(\)"),
        (StandardScaler(), "is no scikit-learn estimator with fit and predict"),
        (KMeans(), "is neither a classifier nor a regressor"),
        (Tagless(), "derive its class from BaseEstimator|neither a classifier"),
        (Mended(), "cannot be copied: Cannot clone"),
        (make_pipeline(FunctionTransformer(lambda X: X), GaussianNB()), "cannot be recognised by a later run"),
    ],
)
def test_what_cannot_be_held(estimator, message):
    with pytest.raises(TypeError, match=f"the estimator of method 'mine'.*({message})"):
        MethodSpec("mine", held=estimator)


def test_the_task_must_be_the_studys():
    with pytest.raises(ValueError, match="method 'line' is for regression, but the study is for classification"):
        study_of(MethodSpec("line", held=LinearRegression()))


SCRIPT = """
import sys
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from covey.study import CycledFolds, DataSpec, MethodSpec, Study, run_study
from covey.study.layout import lay_out

CLASS = '''
class Constant(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[{place}]) if "a" in {{"a", "b", "c"}} else None
'''
for place in (1, 0):
    exec(CLASS.format(place=place))
    method = MethodSpec("mine", held=Constant())
    study = Study("a", (DataSpec("iris", "iris"),), (method,), CycledFolds(1, 2), ("accuracy",), 0)
    print(*lay_out(study).keys)
if len(sys.argv) > 1:
    found = run_study(study, sys.argv[1], timeout=100)
    print(found.counts()["done"], found.scores().iloc[0, 0])
"""


def test_a_class_of_the_script_that_is_run(tmp_path):
    """Workers get it with the task; written anew, it is another method."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    run = partial(subprocess.run, capture_output=True, text=True, check=True)
    first, second, scores = run([sys.executable, script, tmp_path / "a.store"]).stdout.splitlines()
    assert run([sys.executable, script]).stdout.splitlines() == [first, second]
    assert not set(first.split()) & set(second.split())
    done, mean = scores.split()
    assert (done, float(mean)) == ("2", pytest.approx(1 / 3))
