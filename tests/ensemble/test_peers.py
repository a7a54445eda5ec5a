"""The same ensembles in scikit-learn: no difference in accuracy beyond chance."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, BaggingRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from covey import AdaBoost, Bootstrap, EnsembleClassifier, EnsembleRegressor, MeanProbability, RandomSubspace

T = 25


def some_digits():
    X, y = load_digits(return_X_y=True)
    return X[:600], y[:600]


DATA = {
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "digits": some_digits,
}

TREE = DecisionTreeClassifier()
SHALLOW = DecisionTreeClassifier(max_depth=4)
SCALED = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))

PAIRS = {
    "bagged trees": (EnsembleClassifier(TREE, T, draw=Bootstrap()), BaggingClassifier(TREE, T)),
    "bagged subspaces": (
        EnsembleClassifier(TREE, T, draw=Bootstrap(), subspace=RandomSubspace(0.5), combine=MeanProbability()),
        BaggingClassifier(TREE, T, max_features=0.5),
    ),
    "bagged logistic pipelines": (
        EnsembleClassifier(SCALED, 8, combine=MeanProbability()),
        BaggingClassifier(SCALED, 8),
    ),
    "boosted trees": (
        EnsembleClassifier(SHALLOW, T, reweight=AdaBoost()),
        AdaBoostClassifier(SHALLOW, n_estimators=T),
    ),
}


def differences(ours, theirs, X, y, folds):
    """Ours less theirs on each fold, and the corrected standard error of their mean (Nadeau and Bengio)."""
    scores = [cross_val_score(model.set_params(random_state=1), X, y, cv=folds) for model in (ours, theirs)]
    found = scores[0] - scores[1]
    n = folds.get_n_splits()
    test_share = 1 / (n // folds.n_repeats)
    return found, np.sqrt((1 / n + test_share / (1 - test_share)) * found.var(ddof=1))


@pytest.mark.parametrize(
    ("data", "n_repeats"), [("wine", 2), *(pytest.param(data, 6, marks=pytest.mark.slow) for data in DATA)]
)
@pytest.mark.parametrize("pair", PAIRS)
def test_classifiers(pair, data, n_repeats):
    folds = RepeatedStratifiedKFold(n_splits=4, n_repeats=n_repeats, random_state=0)
    found, error = differences(*PAIRS[pair], *DATA[data](), folds)
    assert abs(found.mean()) < 2.4 * error + 0.005  # the 95 % point of t with 7 degrees of freedom


def test_regressors():
    X, y = load_diabetes(return_X_y=True)
    folds = RepeatedKFold(n_splits=4, n_repeats=2, random_state=0)
    found, error = differences(EnsembleRegressor(n_estimators=T), BaggingRegressor(n_estimators=T), X, y, folds)
    assert abs(found.mean()) < 2.4 * error + 0.01
