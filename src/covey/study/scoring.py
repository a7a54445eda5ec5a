"""Scores from what was predicted: at the time of a fit, or later from predictions that were kept."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer

Arrays = Mapping[str, NDArray[Any]]


class _Replay(BaseEstimator):
    """A model that says again what was kept of another."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = arrays
        if "classes" in arrays:
            self.classes_ = arrays["classes"]

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> NDArray[Any]:
        return self.arrays["predictions"]


class _ReplayClassifier(ClassifierMixin, _Replay):
    def predict_proba(self, X: Any) -> NDArray[Any]:
        if "probabilities" not in self.arrays:
            raise ValueError("the method gives no probabilities")
        return self.arrays["probabilities"]


class _ReplayRegressor(RegressorMixin, _Replay):
    pass


def score_predictions(metrics: Iterable[str], arrays: Arrays) -> tuple[dict[str, float], list[str]]:
    """Return the score by each metric, and why some could not be found, which are NaN.

    Parameters
    ----------
    metrics : iterable of str
        Names of scikit-learn's scorers, or "error": the share of wrong labels, or the mean squared error.
    arrays : mapping of str to ndarray
        Of one fit: "y" and "predictions"; of a classifier "classes", and "probabilities" where it gives some.
    """
    y = arrays["y"]
    model = _ReplayClassifier(arrays) if "classes" in arrays else _ReplayRegressor(arrays)
    scores, troubles = {}, []
    for metric in metrics:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of classes that a small test part lacks
                found = _error(arrays) if metric == "error" else get_scorer(metric)(model, y[:, None], y)
            scores[metric] = float(found)
        except ValueError as trouble:
            scores[metric] = float("nan")
            troubles.append(f"{metric}: {trouble}")
    return scores, troubles


def _error(arrays: Arrays) -> float:
    if "classes" in arrays:
        return float(np.mean(arrays["predictions"] != arrays["y"]))
    return float(np.mean((arrays["predictions"] - arrays["y"]) ** 2))
