"""Scores on the rows that members have not seen."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier

from covey import AdaBoost, Bootstrap, EnsembleClassifier, RandomSubspace, Wagging

X, y = load_iris(return_X_y=True)


def test_each_row_is_judged_by_members_that_have_not_seen_it():
    model = EnsembleClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, y)
    votes = model.member_predictions(X)
    left_out = np.stack([np.unpackbits(member.left_out, count=150) for member in model._members], axis=1)
    expected = np.stack([((votes == code) * left_out).sum(axis=1) for code in range(3)], axis=1)
    expected = expected / left_out.sum(axis=1, keepdims=True)
    # As predict_proba of so many votes.
    nothing = 0.2 + 0.8 / (left_out.sum(axis=1, keepdims=True) + 1)
    sharp = ((1 - nothing) * expected + nothing / 3) ** 1.5
    believed = sharp / sharp.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.oob_decision_function_, believed, atol=1e-11)
    assert model.oob_score_ == pytest.approx(np.mean(expected.argmax(axis=1) == y), abs=0.02)


def test_any_score_of_labels():
    model = EnsembleClassifier(n_estimators=40, oob_score=balanced_accuracy_score, random_state=0).fit(X, y)
    labels = model.classes_[model.oob_decision_function_.argmax(axis=1)]
    assert model.oob_score_ == balanced_accuracy_score(y, labels)


def test_rows_that_every_member_has_seen_are_told_of():
    with pytest.warns(UserWarning, match="rows were seen by every member"):
        model = EnsembleClassifier(n_estimators=2, oob_score=True, random_state=0).fit(X, y)
    silent = np.isnan(model.oob_decision_function_).all(axis=1)
    assert 0.1 < silent.mean() < 0.7


def test_weights_count():
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    weight = np.where(labels == 1, 20.0, 1.0)
    model = EnsembleClassifier(n_estimators=60, oob_score=True, random_state=0).fit(noise, labels, weight)
    predicted = model.oob_decision_function_.argmax(axis=1)
    assert model.oob_score_ == pytest.approx(np.average(predicted == labels, weights=weight), abs=0.02)
    assert model.oob_score_ > np.mean(predicted == labels) + 0.1


@pytest.mark.filterwarnings("ignore:.* rows were seen by every member:UserWarning")
def test_noise_is_foretold_as_noise_for_a_base_that_takes_no_weights():
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(600, 3)), rng.integers(0, 2, 600)
    model = EnsembleClassifier(
        KNeighborsClassifier(3),
        50,
        draw=Bootstrap(),
        reweight=AdaBoost(),
        chain_length=10,
        oob_score=True,
        random_state=0,
    ).fit(noise, labels)
    assert model.oob_score_ == pytest.approx(0.5, abs=3 * np.sqrt(0.25 / 600))


def test_a_later_fit_without_it_forgets_the_score():
    model = EnsembleClassifier(n_estimators=30, oob_score=True, random_state=0).fit(X, y)
    model.set_params(oob_score=False).fit(X, y)
    assert not hasattr(model, "oob_score_")
    assert not hasattr(model, "oob_decision_function_")


def test_rows_without_weight_are_not_judged():
    weight = np.r_[np.zeros(40), np.ones(110)]
    wrong = y.copy()
    wrong[:40] = 2
    model = EnsembleClassifier(n_estimators=40, oob_score=True, random_state=0).fit(X, wrong, weight)
    assert model.oob_score_ > 0.85


def test_without_rows_left_out_it_is_refused():
    for params in (
        {"draw": Wagging()},
        {"draw": Bootstrap(1.0, replacement=False)},
        {"estimator": KNeighborsClassifier(), "subspace": RandomSubspace(2)},
    ):
        with pytest.raises(ValueError, match=r"oob_score needs members that leave rows out.*draw=Bootstrap"):
            EnsembleClassifier(oob_score=True, **params).fit(X, y)


def test_without_any_prediction_the_score_is_unknown():
    with pytest.warns(UserWarning, match="1 of 1 rows were seen by every member"):
        model = EnsembleClassifier(n_estimators=2, oob_score=True, random_state=0).fit(X[:1], y[:1])
    assert np.isnan(model.oob_score_)
