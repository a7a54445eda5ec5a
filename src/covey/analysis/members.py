"""Predictions of the members of a fitted ensemble, covey's or scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def member_labels(model: Any, X: Any) -> NDArray[Any]:
    """Return the label, or the number, that each member of a fitted ensemble gives each case: a column per member.

    The members of many ensembles predict positions among the ensemble's classes, and see some of the columns only. Here
    they get their columns, and what they say is turned into labels, as all measures of diversity take them.

    Parameters
    ----------
    model : fitted ensemble
        One of covey's, or one with ``estimators_`` that vote or are averaged: scikit-learn's bagging, forests,
        AdaBoost, voting.
    X : array-like or frame of shape (n_cases, n_features)
        The cases.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from covey.analysis import measure_diversity, member_labels
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RandomForestClassifier(10, random_state=0).fit(X[::2], y[::2])
    >>> round(measure_diversity(member_labels(forest, X[1::2]), y[1::2]).kappa, 2)
    0.89
    """
    classes = getattr(model, "classes_", None)
    if hasattr(model, "member_predictions"):
        codes = np.asarray(model.member_predictions(X))
        return codes if classes is None else np.asarray(classes[codes])
    members = _members(model)
    columns = getattr(model, "estimators_features_", [None] * len(members))
    predicted = np.stack([_predict(member, X, some) for member, some in zip(members, columns, strict=True)], axis=1)
    # One member alone may lack a class; all together show whether they speak in labels or in positions.
    if classes is None or all(np.isin(member.classes_, classes).all() for member in members):
        return predicted
    return np.asarray(classes[predicted.astype(np.intp)])


def _members(model: Any) -> list[Any]:
    fitted = getattr(model, "estimators_", None)
    if fitted is None:
        raise TypeError(f"model={model!r:.60} is no fitted ensemble; give one that has estimators_ after its fit.")
    # Members that are ensembles themselves would be taken apart by NumPy.
    members = fitted.ravel().tolist() if isinstance(fitted, np.ndarray) else list(fitted)
    if hasattr(model, "classes_") and not all(hasattr(member, "classes_") for member in members):
        raise TypeError(
            f"model={model!r:.60} adds up numbers, so its members have no labels; for its stages see staged_predict."
        )
    return members


def _predict(member: Any, X: Any, columns: Any) -> NDArray[Any]:
    rows = X if hasattr(member, "feature_names_in_") else np.asarray(X)
    return np.asarray(member.predict(rows if columns is None else rows[:, columns]))
