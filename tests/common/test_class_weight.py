"""Weights of classes: they multiply those of rows, wherever a classifier makes use of weights."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.class_weight import compute_sample_weight

from common.roster import opinions
from covey import (
    C45Classifier,
    CoveyClassifier,
    OneVsOneClassifier,
    WaggingClassifier,
    load_model,
    save_model,
)


@pytest.fixture
def weighable(entry, data):
    """A classifier that takes class weights, rows and labels that are text, one of them rare."""
    if "class_weight" not in entry.params:
        pytest.skip("no class weights")
    X, y = data
    labels = np.array(["1", "no", "2"])[y]
    rare = np.flatnonzero(labels == "no")[6:]
    return entry, np.delete(X, rare, axis=0), np.delete(labels, rare)


@pytest.mark.parametrize("class_weight", ["balanced", {"1": 0.5, "no": 4.0, "2": 1.0}])
def test_class_weights_are_row_weights(weighable, class_weight, tmp_path):
    entry, X, y = weighable
    if "covey" in entry.name:
        pytest.skip("it counts cases by their own weights first")
    by_row = compute_sample_weight("balanced", y)
    if class_weight != "balanced":
        by_row = np.vectorize(class_weight.get)(y)
    expected = entry.new().fit(X, y, sample_weight=by_row)
    model = entry.new(class_weight=class_weight).fit(X, y)
    np.testing.assert_array_equal(opinions(model, X), opinions(expected, X))
    saved = load_model(save_model(model, tmp_path / "model.covey"))
    assert saved.class_weight == class_weight


def test_rows_without_weight_do_not_count_for_balance(weighable):
    entry, X, y = weighable
    if "covey" in entry.name:
        pytest.skip("it counts cases by their own weights first")
    absent = np.flatnonzero(y == "1")[::2]
    weight = np.ones(len(y))
    weight[absent] = 0.0
    by_row = np.zeros(len(y))
    by_row[weight > 0] = compute_sample_weight("balanced", y[weight > 0])
    model = entry.new(class_weight="balanced").fit(X, y, sample_weight=weight)
    np.testing.assert_array_equal(opinions(model, X), opinions(entry.new().fit(X, y, sample_weight=by_row), X))


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("even", "class_weight"),
        ({"No": 2.0}, r"gives no weight to \['1', '2', 'no'\] and one to \{'No'\}"),
        ({"no": 0.0}, r"class_weight=\{'no': 0.0\} is no weight; give a number of more than 0"),
        ({"no": np.inf}, "is no weight"),
        ({"no": "much"}, "is no weight"),
    ],
)
def test_bad_class_weights(weighable, class_weight, message):
    entry, X, y = weighable
    with pytest.raises(ValueError, match=message):
        entry.new(class_weight=class_weight).fit(X, y)


@pytest.mark.parametrize("outer", [WaggingClassifier(n_estimators=2), OneVsOneClassifier()], ids=repr)
def test_a_base_estimator_takes_balance_and_no_labels(outer):
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = np.where(np.arange(60) < 50, "usual", "rare")
    balanced = clone(outer).set_params(estimator=C45Classifier(class_weight="balanced"), random_state=0).fit(X, y)
    plain = clone(outer).set_params(estimator=C45Classifier(), random_state=0).fit(X, y)
    assert np.count_nonzero(balanced.predict(X) == "rare") > np.count_nonzero(plain.predict(X) == "rare")
    by_label = clone(outer).set_params(estimator=C45Classifier(class_weight={"rare": 5.0, "usual": 1.0}))
    with pytest.raises(ValueError, match=r"of the base estimator is by labels, .* give it to the ensemble"):
        by_label.fit(X, y)


def test_a_member_of_a_combination_is_refused_labels_too():
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = CoveyClassifier([C45Classifier(class_weight={1: 5.0, 0: 1.0})], cv=2)
    with pytest.raises(ValueError, match=r"class_weight=.* of the base estimator is by labels"):
        model.fit(X, X[:, 0] > 0)
