"""Estimators made ready for frames with categories and gaps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import TransformedTargetRegressor, make_column_transformer
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import CategoricalNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

import covey
from covey import methods
from covey.seeds import seed_model
from covey.study.fits import knows_categories, takes_missing, with_preprocessing
from covey.table import CodedClasses, Indicators, LogTarget

RNG = np.random.default_rng(0)
NUMBERS = pd.DataFrame({"a": RNG.normal(size=60), "b": RNG.normal(size=60)})
GAPS = NUMBERS.where(RNG.random(NUMBERS.shape) > 0.2)
CATEGORIES = NUMBERS.assign(c=pd.Categorical(["x", "y", "z"] * 20))
BOTH = GAPS.assign(c=pd.Categorical(["x", None, "z"] * 20))
Y = np.where(NUMBERS.a + (CATEGORIES.c == "x") > 0.3, "yes", "no")


def steps(model, X):
    made = with_preprocessing(model, X)
    return [] if made is model else [type(step).__name__ for _, step in made.steps[:-1]]


def test_plain_numbers_need_nothing():
    assert steps(KNeighborsClassifier(), NUMBERS) == []


def test_a_learner_that_knows_neither_gets_columns_and_medians():
    assert steps(KNeighborsClassifier(), BOTH) == ["Indicators", "SimpleImputer"]
    assert steps(RandomForestClassifier(), BOTH) == ["Indicators"]


@pytest.mark.parametrize("id", [entry.id for entry in methods()])
def test_the_published_systems_see_categories_and_gaps_as_they_are(id):
    """Regression: one column per category would be another tree, and another distance."""
    assert steps(covey.method(id), BOTH) == []


@pytest.mark.parametrize("name", ["EnsembleClassifier", "EnsembleRegressor", "RotationForestRegressor"])
def test_covey_ensembles_take_frames_as_they_are(name):
    assert steps(getattr(covey, name)(), CATEGORIES) == []


def test_histogram_boosting_knows_both():
    assert steps(HistGradientBoostingClassifier(), BOTH) == []
    assert steps(HistGradientBoostingClassifier(categorical_features=None), BOTH) == ["Indicators"]


def test_histogram_boosting_has_room_for_as_many_categories_as_bins():
    names = pd.Categorical([f"name {number % 300}" for number in range(600)])
    X = pd.DataFrame({"a": RNG.normal(size=600), "name": names})
    assert steps(HistGradientBoostingClassifier(), X) == ["Indicators"]
    with_preprocessing(HistGradientBoostingClassifier(max_iter=2), X).fit(X, X.a > 0)


def test_a_pipeline_knows_what_its_first_steps_know():
    fills = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    late = make_pipeline(StandardScaler(), SimpleImputer(), LogisticRegression())
    never = make_pipeline(StandardScaler(), LogisticRegression())
    assert [takes_missing(one) for one in (fills, late, never)] == [True, True, False]
    assert steps(never, BOTH) == ["Indicators", "SimpleImputer"]
    assert steps(fills, BOTH) == ["Indicators"]
    assert steps(make_pipeline(Indicators(), LogisticRegression()), CATEGORIES) == []


def test_codes_are_no_categories():
    """Regression: naive Bayes for codes was handed text."""
    assert steps(CategoricalNB(), BOTH) == ["Indicators", "SimpleImputer"]
    X = CATEGORIES[["c"]]
    assert with_preprocessing(CategoricalNB(), X).fit(X, Y).score(X, Y) > 0.5


def test_medians_are_of_numbers_only():
    cover = covey.SphereCoverClassifier(metric="manhattan", random_state=0)
    assert steps(cover, CATEGORIES) == []
    assert steps(cover, BOTH) == ["Indicators", "SimpleImputer"]
    with_preprocessing(cover, BOTH).fit(BOTH, Y)


def test_boosting_packages():
    lightgbm = pytest.importorskip("lightgbm")
    assert knows_categories(lightgbm.LGBMClassifier())


@pytest.mark.filterwarnings("ignore:Missing values in column .* a rotation needs every value:UserWarning")
@pytest.mark.parametrize("X", [NUMBERS, GAPS, CATEGORIES, BOTH], ids=["numbers", "gaps", "categories", "both"])
@pytest.mark.parametrize(
    "model",
    [
        KNeighborsClassifier(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        HistGradientBoostingClassifier(),
        RandomForestClassifier(10),
        covey.method("mbsasc", n_estimators=5),
        covey.method("alpha-rsse", n_estimators=5),
        covey.method("rotation-forest", n_estimators=3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_all_can_be_trained(model, X):
    made = with_preprocessing(clone(model), X)
    seed_model(made, np.random.default_rng(0))
    assert made.fit(X, Y).score(X, Y) > 0.55


def chosen(**more):
    parts = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["c"]), (SimpleImputer(), ["a"]), **more)
    return make_pipeline(parts, LogisticRegression())


@pytest.mark.parametrize(
    "model",
    [
        chosen(),
        GridSearchCV(chosen(), {"logisticregression__C": [0.1, 1]}, cv=2),
        CalibratedClassifierCV(chosen(), cv=2),
        VotingClassifier([("a", chosen()), ("b", chosen(remainder="drop"))]),
        make_pipeline("passthrough", FunctionTransformer(lambda frame: frame[["a"]].fillna(0)), LogisticRegression()),
    ],
)
def test_what_chooses_columns_by_name_gets_the_frame(model):
    """Regression: columns of numbers in its place have no names."""
    made = with_preprocessing(model, BOTH, missing=True)
    assert made is model
    assert clone(made).fit(BOTH, Y).score(BOTH, Y) > 0.5


def test_a_classifier_of_xgboost_gets_codes_for_its_classes():
    class XGBClassifier(KNeighborsClassifier):
        __module__ = "xgboost.sklearn"

    for model in (XGBClassifier(), make_pipeline(StandardScaler(), XGBClassifier())):
        assert isinstance(with_preprocessing(model, NUMBERS), CodedClasses)
    assert isinstance(with_preprocessing(XGBClassifier(), BOTH)[-1], CodedClasses)
    assert not isinstance(with_preprocessing(KNeighborsClassifier(), NUMBERS), CodedClasses)


def test_names_that_lightgbm_refuses_are_kept_from_it():
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"day: year": rng.normal(size=60), "[x]": rng.normal(size=60)})
    frame["town"] = pd.Categorical(rng.choice(["Ely", "York"], 60))
    y = np.where(frame["day: year"] > 0, "p", "q")
    model = with_preprocessing(lightgbm.LGBMClassifier(verbose=-1), frame)
    assert np.mean(model.fit(frame, y).predict(frame) == y) > 0.9
    plain = frame.rename(columns={"day: year": "year", "[x]": "x"})
    assert isinstance(with_preprocessing(lightgbm.LGBMClassifier(), plain), lightgbm.LGBMClassifier)


def test_one_that_transforms_the_target_knows_what_its_regressor_knows():
    boosting, ridge = HistGradientBoostingRegressor(), make_pipeline(StandardScaler(), Ridge())
    for outer in (LogTarget, TransformedTargetRegressor):
        assert [takes_missing(outer(inner)) for inner in (boosting, ridge)] == [True, False]
        assert [knows_categories(outer(inner), 3) for inner in (boosting, ridge)] == [True, False]
    assert not takes_missing(TransformedTargetRegressor())
