"""What all ensembles tell of their members, and how they take parameters of a base estimator that is not given."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV


def test_member_predictions_are_labels_and_codes_by_option(entry, data):
    X, y = data
    if not hasattr(entry.new().fit(X, y), "member_predictions"):
        pytest.skip("no members that are asked one by one")
    if not entry.is_classifier:
        assert entry.new().fit(X, y).member_predictions(X).dtype == np.float64
        return
    labels = np.array(["c", "a", "b"])[y]
    model = entry.new().fit(X, labels)
    said, codes = model.member_predictions(X), model.member_predictions(X, codes=True)
    assert codes.dtype == np.int8
    np.testing.assert_array_equal(said, np.array(["a", "b", "c"])[codes])
    assert said.shape == (len(X), len(model.estimator_weights_))
    # Whatever is predicted, some member, or pair of classes, says so.
    assert (said == model.predict(X)[:, None]).any(axis=1).all()


def test_a_parameter_of_the_base_estimator_puts_the_default_in_its_place(entry, data):
    if entry.params.get("estimator", 0) is not None:
        pytest.skip("no base estimator, or one that is given")
    by_default = entry.new()._base()
    name, value = _another(by_default)
    model = entry.new(**{f"estimator__{name}": value})
    assert type(model.estimator) is type(by_default)
    assert model.estimator.get_params() == by_default.get_params() | {name: value}
    assert clone(model).get_params(deep=True)[f"estimator__{name}"] == value
    assert clone(model).estimator is not model.estimator
    assert entry.new().estimator is None  # what other models have is left alone
    # Given back in one go, and with None said outright.
    again = entry.new().set_params(**model.get_params(deep=False)).set_params(estimator=None)
    assert again.estimator is None
    assert again.set_params(estimator=None, **{f"estimator__{name}": value}).get_params()[f"estimator__{name}"] == value
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        entry.new(estimator__nonsense=1)
    X, y = data
    search = GridSearchCV(entry.new(), {f"estimator__{name}": [value]}, cv=2, error_score="raise").fit(X, y)
    expected = entry.new(estimator=clone(by_default).set_params(**{name: value})).fit(X, y)
    np.testing.assert_array_equal(search.predict(X), expected.predict(X))


def _another(estimator):
    """A parameter of a default base estimator and another value for it."""
    wanted = {"confidence": 0.1, "C": 0.5, "max_depth": 2, "min_cases": 4.0, "ridge": 0.01}
    return next((name, value) for name, value in wanted.items() if name in estimator.get_params(deep=False))


def test_importances_add_up_to_1_where_members_have_any(entry, data):
    X, y = data
    model = entry.new().fit(np.column_stack([X, np.ones(len(X))]), y)
    members = getattr(model, "estimators_", [])
    if not members or "covey" in entry.name:
        pytest.skip("no members, or importances of another kind")
    has = [hasattr(member, "feature_importances_") for member in members]
    assert hasattr(model, "feature_importances_") == all(has)
    assert not hasattr(entry.new(), "feature_importances_")
    if all(has):
        assert model.feature_importances_.sum() == pytest.approx(1.0)
        assert (model.feature_importances_ >= 0).all()
        assert model.feature_importances_[-1] == 0.0
