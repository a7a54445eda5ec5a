"""Members of ensembles speak in labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
)
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from covey import Bootstrap, EnsembleClassifier, EnsembleRegressor
from covey.analysis import ensemble_error, individual_error, member_labels

X, CODES = load_wine(return_X_y=True)
NAMES = {"text": np.array(["red", "white", "rose"]), "numbers": np.array([7, 3, 11])}
ENSEMBLES = [
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5, random_state=0),
    BaggingClassifier(n_estimators=5, random_state=0),
    BaggingClassifier(n_estimators=5, max_features=4, random_state=0),
    BaggingClassifier(RandomForestClassifier(3, random_state=0), 5, random_state=0),
    ExtraTreesClassifier(5, random_state=0),
    RandomForestClassifier(5, random_state=0),
    VotingClassifier([("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))]),
    EnsembleClassifier(n_estimators=5, draw=Bootstrap(), random_state=0),
]


@pytest.mark.parametrize("model", ENSEMBLES, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("framed", [False, True])
def test_members_of_classifiers_speak_in_labels(model, kind, framed):
    y = NAMES[kind][CODES]
    data = pd.DataFrame(X).rename(columns=str) if framed else X
    said = member_labels(model.fit(data, y), data)
    assert set(said.ravel().tolist()) <= set(y.tolist())
    assert individual_error(said, y) < 0.45
    assert said.shape == (len(y), len(model.estimators_))
    if not isinstance(model, AdaBoostClassifier):
        assert ensemble_error(said, y) <= np.mean(model.predict(data) != y) + 0.05


def test_members_that_lack_a_class_are_understood():
    """Bootstrap samples of few cases."""
    y = np.array([1, 2, 3])[CODES]
    model = BaggingClassifier(KNeighborsClassifier(1), 40, max_samples=4, random_state=0).fit(X, y)
    assert 2 in {len(member.classes_) for member in model.estimators_}
    said = member_labels(model, X)
    assert set(said.ravel().tolist()) == {1, 2, 3}
    assert ensemble_error(said, y) == pytest.approx(np.mean(model.predict(X) != y), abs=0.1)


@pytest.mark.parametrize(
    "model",
    [
        BaggingRegressor(LinearRegression(), 5, max_features=3, random_state=0),
        RandomForestRegressor(5, random_state=0),
        EnsembleRegressor(n_estimators=5, draw=Bootstrap(), random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_mean_of_regressors_members_is_the_ensembles(model):
    y = X[:, 0]
    model.fit(X[:, 1:], y)
    np.testing.assert_allclose(member_labels(model, X[:, 1:]).mean(axis=1), model.predict(X[:, 1:]))


def test_what_has_no_labels_is_refused():
    boosted = GradientBoostingClassifier(n_estimators=3).fit(X, CODES)
    with pytest.raises(TypeError, match="adds up numbers"):
        member_labels(boosted, X)
    with pytest.raises(TypeError, match="no fitted ensemble"):
        member_labels(GaussianNB().fit(X, CODES), X)
