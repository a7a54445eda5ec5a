"""Scores from what was predicted: at the time of a fit, or later from predictions that were kept."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer

from covey.analysis.ranking.metrics import ERROR, split_metric
from covey.study.metrics import needs_probabilities

Arrays = Mapping[str, NDArray[Any]]

# Of two classes either may count; scikit-learn has to be told one unless they are 0 and 1.
_SYMMETRIC = ("d2_brier_score", "neg_brier_score")


class _Replay(BaseEstimator):
    """A model that repeats the predictions that were kept of another."""

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
        shares = self.arrays["probabilities"]
        if shares.dtype == np.float64:
            return shares
        # In full precision, for what is so small as to be cut off depends on it; rows must add up in it, too.
        shares = shares.astype(np.float64)
        totals = shares.sum(axis=1, keepdims=True)
        return np.asarray(shares / np.where(totals > 0, totals, 1.0))


class _ReplayRegressor(RegressorMixin, _Replay):
    pass


def score_predictions(metrics: Iterable[str], arrays: Arrays) -> tuple[dict[str, float], list[str]]:
    """Return the score by each metric, and why some could not be found, which are NaN.

    "error" is the share of wrong labels, or the mean squared error; "f1[ill]" is F1 of the class "ill". The arrays of a
    fit are "y" and "predictions", and of a classifier "classes", and "probabilities" where it gives some.
    """
    arrays = widened(arrays)
    scores, troubles = {}, []
    for metric in metrics:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of classes that a small test part lacks
                scores[metric] = _score(metric, arrays)
        except ValueError as trouble:
            scores[metric] = float("nan")
            troubles.append(f"{metric}: {trouble}")
    return scores, troubles


def _score(metric: str, arrays: Arrays) -> float:
    if metric == ERROR:
        return _error(arrays)
    base, label = split_metric(metric)
    if label is None and base in _SYMMETRIC and len(arrays.get("classes", ())) == 2:
        label = str(arrays["classes"][-1])
    arrays = arrays if label is None else _against_other(label, arrays)
    model = _ReplayClassifier(arrays) if "classes" in arrays else _ReplayRegressor(arrays)
    return float(_scorer(base, arrays)(model, arrays["y"][:, None], arrays["y"]))


def _against_other(label: str, arrays: Arrays) -> dict[str, NDArray[Any]]:
    """Return the arrays of a fit with one of two classes as 1, which scikit-learn's scorers count, and the other as 0.

    So the class need not be known to them by its own type, nor where it stands in the order of classes.
    """
    classes = arrays.get("classes", np.empty(0))
    places = np.flatnonzero(classes.astype(str) == label)
    if len(classes) != 2 or len(places) != 1:
        raise ValueError(f"there are not two classes one of which is {label!r}")
    coded = {name: (arrays[name] == classes[places[0]]).astype(np.int64) for name in ("y", "predictions")}
    if "probabilities" in arrays:
        coded["probabilities"] = arrays["probabilities"][:, [1 - places[0], places[0]]]
    return {**coded, "classes": np.array([0, 1])}


def widened(arrays: Arrays) -> dict[str, NDArray[Any]]:
    """Return the arrays of a fit with classes that cover all labels of y, and votes and probabilities to match.

    A class that the training part lacked has no votes and probability 0. Members none of which has any weight count
    alike, as they do in their ensemble.
    """
    wide = dict(arrays)
    if "weights" in arrays and not arrays["weights"].any():
        wide["weights"] = np.ones_like(arrays["weights"])
    if "classes" not in arrays:
        return wide
    known = arrays["classes"]
    classes = np.union1d(known, arrays["y"])
    if len(classes) == len(known) and np.array_equal(classes, known):
        return wide
    places = np.searchsorted(classes, known)
    wide["classes"] = classes
    if "votes" in arrays:
        wide["votes"] = places.astype(np.min_scalar_type(len(classes)))[arrays["votes"]]
    if "probabilities" in arrays:
        shares = np.zeros((len(arrays["y"]), len(classes)), dtype=arrays["probabilities"].dtype)
        shares[:, places] = arrays["probabilities"]
        wide["probabilities"] = shares
    return wide


def _scorer(metric: str, arrays: Arrays) -> Any:
    """Return a scorer; one of probabilities is told which class each column stands for, where it can be."""
    scorer = get_scorer(metric)
    if needs_probabilities(metric) and "labels" in signature(scorer._score_func).parameters:
        scorer._kwargs = {**scorer._kwargs, "labels": arrays["classes"]}
    return scorer


def _error(arrays: Arrays) -> float:
    if "classes" in arrays:
        return float(np.mean(arrays["predictions"] != arrays["y"]))
    return float(np.mean((arrays["predictions"] - arrays["y"]) ** 2))
