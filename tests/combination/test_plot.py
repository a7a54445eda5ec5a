"""Figures of combinations, and the disagreement that they show."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import CoveyClassifier, CoveyRegressor
from covey.analysis import expected_calibration_error
from covey.plots import draw_reliability, member_weights, reliability

mpl.use("Agg")

CLASSIFIERS = [
    ("bayes", GaussianNB()),
    ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ("near", KNeighborsClassifier()),
    ("none", DummyClassifier()),
]
REGRESSORS = [
    ("line", Ridge()),
    ("tree", DecisionTreeRegressor(max_depth=4, random_state=0)),
    ("near", KNeighborsRegressor()),
    ("none", DummyRegressor()),
]
CV = KFold(4, shuffle=True, random_state=0)


@pytest.fixture(autouse=True)
def no_figure_left_open():
    yield
    plt.close("all")


def test_disagreement_with_members_left_out_after_the_first_fold():
    X, y = load_breast_cancer(return_X_y=True)
    model = CoveyClassifier(CLASSIFIERS, cv=CV, random_state=0).fit(X, y)
    assert set(model.weights_) == {"bayes", "tree", "near"}
    first, told = next(iter(CV.split(X))), {}
    for name, member in CLASSIFIERS:
        told[name] = member.fit(X[first[0]], y[first[0]]).predict(X[first[1]])
    others = [(told["none"] != told[name]).mean() for name in model.weights_]
    assert model.member_scores_.loc["none", "disagreement"] == pytest.approx(np.mean(others))


def test_disagreement_of_errors_of_a_member_left_out():
    X, y = load_diabetes(return_X_y=True)
    model = CoveyRegressor(REGRESSORS, cv=CV, random_state=0).fit(X, y)
    scores = model.member_scores_
    gone = [name for name in scores.index if scores.loc[name, "left out"]]
    assert "none" in gone
    assert scores["disagreement"].between(0, 2).all()


def test_a_member_that_remains_alone_is_compared_with_those_left_out():
    X, y = load_breast_cancer(return_X_y=True)
    model = CoveyClassifier([GaussianNB(), ("none", DummyClassifier())], random_state=0).fit(X, y)
    apart = model.member_scores_["disagreement"]
    assert apart["GaussianNB"] == apart["none"] > 0.1


@pytest.mark.parametrize(
    ("model", "data"),
    [(CoveyClassifier(CLASSIFIERS, cv=CV), load_breast_cancer), (CoveyRegressor(REGRESSORS, cv=CV), load_diabetes)],
    ids=["classes", "numbers"],
)
def test_combinations_draw_their_members(model, data):
    X, y = data(return_X_y=True)
    ax = model.fit(X, y).plot()
    scores = model.member_scores_
    assert member_weights(model).losses.tolist() == scores.iloc[:, 2].tolist()
    for drawn in ax.lines:
        name = drawn.get_label()[1:]
        assert drawn.get_xdata()[0] == scores.iloc[:, 2][name]
        assert drawn.get_ydata()[0] == scores["disagreement"][name]
    assert len(ax.lines) == 4
    assert model.plot(plt.subplots()[1], title="mine").get_title() == "mine"


def test_the_reliability_of_out_of_fold_predictions():
    X, y = load_breast_cancer(return_X_y=True)
    names = np.array(["malignant", "benign"])[y]
    model = CoveyClassifier(CLASSIFIERS, random_state=0).fit(X, names)
    diagram = reliability(names, model.oof_predictions_)
    assert diagram.methods["predictions"].error == expected_calibration_error(names, model.oof_predictions_) < 0.05
    assert draw_reliability(diagram).get_title().startswith("Accuracy against confidence")


def test_one_that_is_not_fitted_has_no_figure():
    with pytest.raises(ValueError, match="is not fitted; call its fit first"):
        CoveyClassifier().plot()
