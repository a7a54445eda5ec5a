"""Whether models can be saved, told before they are trained, and what their files need to be loaded."""

import numpy as np
import pytest
from covey.persistence import can_save, needed_trust
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from covey import EnsembleRegressor, load_model, method, methods, save_model
from covey.table import Indicators
from persistence.files import TREE, Unwritable, X, Y

NEIGHBOURS = ["sklearn.metrics._dist_metrics.EuclideanDistance64", "sklearn.neighbors._kd_tree.KDTree"]


def scaled(model):
    return make_pipeline(Indicators(), SimpleImputer(), StandardScaler(), model)


CLASSIFIERS = [
    DummyClassifier(),
    ExtraTreesClassifier(3),
    RandomForestClassifier(3),
    HistGradientBoostingClassifier(max_iter=3),
    HistGradientBoostingClassifier(max_iter=3, categorical_features="from_dtype"),
    scaled(LogisticRegression()),
    scaled(KNeighborsClassifier(algorithm="brute")),
    make_pipeline(Indicators(), RandomForestClassifier(3)),
]
REGRESSORS = [
    DummyRegressor(), ExtraTreesRegressor(3), HistGradientBoostingRegressor(max_iter=3), EnsembleRegressor(None, 3),
    scaled(RidgeCV()),
]  # fmt: skip


@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_classifiers_that_are_compared(model, path):
    assert can_save(model) is None
    save_model(model.fit(X, Y), path)
    assert needed_trust(path) == ()
    np.testing.assert_array_equal(load_model(path).predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("model", REGRESSORS, ids=repr)
def test_regressors_that_are_compared(model, path):
    assert can_save(model) is None
    save_model(model.fit(X, X[:, 0]), path)
    assert needed_trust(path) == ()
    np.testing.assert_array_equal(load_model(path).predict(X), model.predict(X))


@pytest.mark.filterwarnings("ignore:.* a small ridge:UserWarning")
@pytest.mark.parametrize("id", [entry.id for entry in methods()])
def test_published_systems(id, path):
    model = method(id)
    few = {"n_estimators": 3, "random_state": 0}
    model.set_params(**{name: value for name, value in few.items() if name in model.get_params()})
    assert can_save(model) is None
    save_model(model.fit(X, Y), path)
    assert needed_trust(path) == ()
    np.testing.assert_array_equal(load_model(path).predict(X), model.predict(X))


@pytest.mark.parametrize("name", ["LGBMClassifier", "LGBMRegressor"])
def test_lightgbm_is_saved_without_pickle_and_loaded_when_it_is_trusted(name, path, mixed):
    lightgbm = pytest.importorskip("lightgbm")
    frame, y = mixed
    frame = frame.drop(columns="text")
    model = getattr(lightgbm, name)(n_estimators=3, min_child_samples=2, verbose=-1)
    assert can_save(model) is None
    save_model(model.fit(frame, y if "Class" in name else frame["x"].fillna(0)), path)
    assert needed_trust(path) == ("lightgbm",)
    with pytest.raises(ValueError, match=r"give trusted=\['lightgbm'\]"):
        load_model(path)
    np.testing.assert_array_equal(load_model(path, trusted=["lightgbm"]).predict(frame), model.predict(frame))


def test_lightgbm_inside_a_pipeline(path):
    lightgbm = pytest.importorskip("lightgbm")
    model = make_pipeline(StandardScaler(), lightgbm.LGBMClassifier(n_estimators=3, verbose=-1))
    assert can_save(model) is None
    save_model(model.set_output(transform="pandas").fit(X, Y), path)
    assert needed_trust(path) == ("lightgbm",)
    load_model(path, trusted=needed_trust(path))


@pytest.mark.parametrize(
    ("model", "trust"),
    [(KNeighborsClassifier(algorithm="kd_tree"), NEIGHBOURS), (GradientBoostingClassifier(n_estimators=2), [TREE])],
)
def test_compiled_parts_that_cannot_be_checked(model, trust, path):
    assert can_save(model) is None
    save_model(model.fit(X, Y), path)
    assert sorted(needed_trust(path)) == sorted(trust)
    load_model(path, trusted=needed_trust(path))


def test_a_lambda_is_told_before_it_is_trained():
    why = can_save(make_pipeline(FunctionTransformer(lambda X: X), DummyClassifier()))
    assert why is not None
    assert why.startswith("Pipeline cannot be written to a file without pickle: The model holds")


def test_what_cannot_be_written_is_told():
    model = DummyClassifier()
    model.strategy = Unwritable()
    assert "cannot be written to a file without pickle" in str(can_save(model))


def test_the_estimator_is_left_as_it_is():
    model = RandomForestClassifier(7)
    assert can_save(model) is None
    assert not hasattr(model, "estimators_")
    assert model.n_estimators == 7


def test_without_skops_it_says_so(monkeypatch):
    from covey import persistence

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(persistence, "import_module", missing)
    assert "pip install 'covey[study]'" in str(can_save(DummyClassifier()))


def test_an_estimator_that_random_numbers_do_not_suit():
    assert can_save(HistGradientBoostingClassifier(categorical_features=[99])) is None
