"""Whether models can be saved, told before they are trained, and what their files need to be loaded."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from covey import can_save, load_model, method, methods, save_model
from covey.models import needed_trust
from models.files import Unwritable, X, Y


@pytest.mark.filterwarnings("ignore:.* a small ridge:UserWarning")
@pytest.mark.parametrize("id", [entry.id for entry in methods()])
def test_published_systems(id, path):
    model = method(id)
    few = {"n_estimators": 3, "random_state": 0, "members": ["c4.5", "logistic regression", "nn"], "cv": 2}
    model.set_params(**{name: value for name, value in few.items() if name in model.get_params()})
    assert can_save(model) is None
    save_model(model.fit(X, Y), path)
    assert needed_trust(path) == ()
    np.testing.assert_array_equal(load_model(path).predict(X), model.predict(X))


def test_what_cannot_be_written_is_told_before_it_is_trained():
    model = DummyClassifier()
    model.strategy = Unwritable()
    assert "cannot be written to a file without pickle" in str(can_save(model))
    why = can_save(make_pipeline(FunctionTransformer(lambda X: X), DummyClassifier()))
    assert str(why).startswith("Pipeline cannot be written to a file without pickle: The model holds")


def test_an_estimator_is_left_as_it_is_and_may_not_suit_random_numbers():
    model = RandomForestClassifier(7)
    assert can_save(model) is None
    assert not hasattr(model, "estimators_")
    assert model.n_estimators == 7
    assert can_save(HistGradientBoostingClassifier(categorical_features=[99])) is None


def test_without_skops_it_says_so_of_what_needs_it(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("covey.models.foreign.import_module", missing)
    assert "pip install 'covey[study]'" in str(can_save(SVC()))
    assert can_save(DummyClassifier()) is None
