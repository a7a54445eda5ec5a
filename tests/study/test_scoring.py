"""Scores of predictions that were kept are those of the models that made them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LinearRegression
from sklearn.metrics import get_scorer
from sklearn.naive_bayes import GaussianNB

from covey.study.scoring import score_predictions


def kept_of(model, X, y):
    arrays = {"y": y, "predictions": model.predict(X)}
    if hasattr(model, "classes_"):
        arrays |= {"classes": model.classes_, "probabilities": model.predict_proba(X)}
    return arrays


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("text", [False, True])
def test_scores_of_a_classifier(load, text):
    X, y = load(return_X_y=True)
    y = np.array(["ash", "birch", "cedar"])[y] if text else y
    model = GaussianNB().fit(X[::2], y[::2])
    metrics = ["accuracy", "balanced_accuracy", "neg_log_loss", "f1_macro", "roc_auc_ovr"]
    scores, troubles = score_predictions([*metrics, "error"], kept_of(model, X[1::2], y[1::2]))
    assert not troubles
    for metric in metrics:
        assert scores[metric] == pytest.approx(get_scorer(metric)(model, X[1::2], y[1::2]))
    assert scores["error"] == pytest.approx(1 - scores["accuracy"])


def test_scores_of_a_regressor():
    X, y = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(X, y)
    scores, troubles = score_predictions(["r2", "neg_mean_absolute_error", "error"], kept_of(model, X, y))
    assert not troubles
    assert scores["r2"] == pytest.approx(model.score(X, y))
    assert scores["error"] == pytest.approx(np.mean((model.predict(X) - y) ** 2))


def test_a_score_that_cannot_be_is_nan_and_says_why():
    arrays = {"y": np.array([0, 0]), "predictions": np.array([0, 1]), "classes": np.array([0, 1])}
    scores, troubles = score_predictions(["accuracy", "neg_log_loss"], arrays)
    assert scores["accuracy"] == 0.5
    assert np.isnan(scores["neg_log_loss"])
    assert troubles == ["neg_log_loss: the method gives no probabilities"]
