from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import C45Classifier, RotationForestRegressor
from covey.datasets import ringnorm_task, simulated_regression_task, threenorm_task, twonorm_task
from covey.study import (
    BootstrapSamples,
    CycledFolds,
    FitFailedError,
    FreshSamples,
    Resamples,
    repeat_predictions,
    run_fit,
)
from covey.table import as_table
from study.observed import IRIS, SAMPLES, cloudpickle, mixed_frame

# Worker processes cannot import the tests, so they are sent their classes whole.
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class BayesRule(ClassifierMixin, BaseEstimator):
    def __init__(self, task):
        self.task = task

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.task.predict(X)


@pytest.mark.parametrize(
    ("task", "published"), [(twonorm_task(), 0.023), (threenorm_task(), 0.105), (ringnorm_task(), 0.013)]
)
def test_the_best_rule_has_the_published_error_and_no_variance(task, published):
    n = 40_000
    runs = repeat_predictions(BayesRule(task), FreshSamples(task, 3, 20, n), random_state=1)
    assert (runs.predictions == runs.predictions[0]).all()
    np.testing.assert_array_equal(runs.predictions[0], task.predict(runs.X))
    assert np.ptp(runs.errors) == 0
    # The published errors are rounded to a tenth of a per cent.
    assert abs(runs.errors[0] - published) < 4 * np.sqrt(published * (1 - published) / n) + 0.0005


def test_predictions_are_those_of_clones_trained_by_the_plan():
    X, y = IRIS
    model = GaussianNB()
    runs = repeat_predictions(model, CycledFolds(2), X, y, random_state=4)
    plan = CycledFolds(2).plan(X, y, random_state=4)
    expected = np.full((2, 150), -1)
    for fit in plan:
        expected[fit.repeat, fit.test] = GaussianNB().fit(fit.X, fit.y).predict(fit.X_test)
    np.testing.assert_array_equal(runs.predictions, expected)
    np.testing.assert_array_equal(runs.y, y)
    np.testing.assert_array_equal(runs.cases, np.arange(150))
    np.testing.assert_allclose(runs.errors, (expected != y).mean(axis=1))
    assert runs.seconds.shape == (6,)
    assert (runs.seconds > 0).all()
    assert not hasattr(model, "classes_")


def test_cases_say_where_the_test_part_is_in_the_data():
    X, y = IRIS
    runs = repeat_predictions(GaussianNB(), SAMPLES, X, y, random_state=0)
    assert runs.predictions.shape == (8, 50)
    np.testing.assert_array_equal(runs.y, y[runs.cases])
    np.testing.assert_array_equal(runs.X, X[runs.cases])


@pytest.mark.parametrize(
    ("protocol", "data"),
    [(SAMPLES, IRIS), (CycledFolds(3), IRIS), (FreshSamples(twonorm_task(), 4, 30, 100), ())],
    ids=["samples", "folds", "fresh"],
)
def test_any_number_of_jobs_and_any_backend_give_the_same_predictions(protocol, data):
    model = DecisionTreeClassifier(max_features=1)
    one, two = (repeat_predictions(model, protocol, *data, random_state=0, n_jobs=n) for n in (1, 2))
    with parallel_config(backend="threading", n_jobs=3):
        three = repeat_predictions(model, protocol, *data, random_state=0)
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.predictions, two.predictions)
    np.testing.assert_array_equal(one.predictions, three.predictions)
    assert one.predictions.dtype == two.predictions.dtype


def noise(X, y, **params):
    return repeat_predictions(
        DecisionTreeClassifier(splitter="random", max_features=1, **params), CycledFolds(4), X, y, random_state=0
    )


def test_the_learners_own_randomness_varies_from_repeat_to_repeat_whatever_its_random_state():
    X = np.tile(np.arange(30.0), (20, 1)).T
    y = np.arange(30) % 2
    free, fixed = noise(X, y), noise(X, y, random_state=7)
    np.testing.assert_array_equal(free.predictions, fixed.predictions)
    plan = CycledFolds(4).plan(X, y, random_state=0)
    assert len({run_fit(Seeded(), plan, number).predictions[0] for number in range(len(plan))}) == len(plan)


class Seeded(RegressorMixin, BaseEstimator):
    """Predicts the seed it was given."""

    def __init__(self, random_state=3):
        self.random_state = random_state

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.random_state)


@pytest.mark.parametrize("kind", ["pandas", "polars", "table", "list"])
def test_mixed_data_with_gaps_and_text_labels(kind):
    frame, y = mixed_frame()
    expected = repeat_predictions(C45Classifier(), CycledFolds(2), frame, y, random_state=0)
    assert expected.predictions.dtype.kind == "U"
    assert set(expected.predictions.ravel().tolist()) == {"good", "wretched"}
    assert expected.errors.mean() < 0.3
    X = {"pandas": frame, "polars": pl.from_pandas(frame), "table": as_table(frame), "list": frame.to_numpy().tolist()}
    runs = repeat_predictions(C45Classifier(), CycledFolds(2), X[kind], y.tolist(), random_state=0)
    np.testing.assert_array_equal(runs.predictions, expected.predictions)


@pytest.mark.parametrize("y", [IRIS[1] == 1, IRIS[1].astype(float), IRIS[1] - 1], ids=["bool", "float", "negative"])
def test_labels_keep_their_type(y):
    runs = repeat_predictions(KNeighborsClassifier(), SAMPLES, IRIS[0], y, random_state=0)
    assert runs.predictions.dtype == runs.y.dtype == y.dtype


@pytest.mark.parametrize(
    "model", [LinearRegression(), DecisionTreeRegressor(), RotationForestRegressor(n_estimators=2)]
)
def test_regressors_predict_numbers(model):
    X, y = load_diabetes(return_X_y=True)
    runs = repeat_predictions(model, BootstrapSamples(3, 50), X[:150], y[:150].astype(int), random_state=0)
    assert runs.predictions.dtype == runs.y.dtype == np.float64
    assert runs.predictions.shape == (3, 50)
    np.testing.assert_allclose(runs.errors, ((runs.predictions - runs.y) ** 2).mean(axis=1))
    assert "mean squared error" in str(runs)


def test_the_error_of_a_regression_on_fresh_samples_is_little_more_than_the_noise():
    task = simulated_regression_task(random_state=0, noise_sd=2.0)
    runs = repeat_predictions(LinearRegression(), FreshSamples(task, 20, 300, 3000), random_state=0)
    # With p features the expected squared error is sd² (1 + (p + 1) / (n - p - 2)), here 4 * 1.038.
    assert runs.errors.mean() == pytest.approx(4.15, rel=4 * np.sqrt(2 / 3000))
    variance = runs.predictions.var(axis=0).mean()
    assert variance == pytest.approx(4 * 11 / 288, rel=0.3)


def test_a_learner_that_changes_what_it_is_given_spoils_nothing():
    X, y = load_diabetes(return_X_y=True)
    spoiler = make_pipeline(StandardScaler(copy=False), LinearRegression(copy_X=False))
    kind = make_pipeline(StandardScaler(), LinearRegression())
    one, other = (repeat_predictions(model, BootstrapSamples(4), X, y, random_state=0) for model in (spoiler, kind))
    np.testing.assert_allclose(one.predictions, other.predictions)


def test_results_are_told_in_a_line():
    text = str(repeat_predictions(GaussianNB(), CycledFolds(2), *IRIS, random_state=0))
    assert text.startswith("2 repeats x 150 cases by CycledFolds(n_cycles=2, n_folds=3, stratified=False): error 0.0")
    assert "6 fits in " in text


def test_progress_is_told_if_asked_for(capsys, tmp_path):
    protocol = BootstrapSamples(3, 40)
    repeat_predictions(GaussianNB(), protocol, *IRIS, random_state=0, folder=tmp_path)
    assert capsys.readouterr().out == ""
    repeat_predictions(GaussianNB(), BootstrapSamples(4, 40), *IRIS, random_state=0, folder=tmp_path, verbose=1)
    before, after = capsys.readouterr().out.splitlines()
    assert before == "[GaussianNB] 3 of 4 fits were done before"
    assert after.startswith("[GaussianNB] 4 of 4 fits, ")
    repeat_predictions(GaussianNB(), protocol, *IRIS, verbose=2)
    assert len(capsys.readouterr().out.splitlines()) == 3


class Says(ClassifierMixin, BaseEstimator):
    def __init__(self, what):
        self.what = what

    def fit(self, X, y):
        return self

    def predict(self, X):
        return self.what(len(X))


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda n: np.zeros(n - 1), "predict gave 49 values for 50 cases"),
        (lambda n: np.full(n, "0"), "predict gave values of type <U1, but y holds int64"),
        (lambda n: np.full(n, np.nan), "predict gave NaN or infinity"),
        (lambda n: np.zeros((n, 2)), "1d array"),
        (lambda n: [None] * n, "predict gave values of type object"),
    ],
)
def test_predictions_that_are_none_are_a_failure(what, message):
    with pytest.raises(FitFailedError, match=f"Repeat 0 .*{message}"):
        repeat_predictions(Says(what), SAMPLES, *IRIS, random_state=0)


@pytest.mark.parametrize("what", [lambda n: ["a"] * n, lambda n: np.array(["a"] * n, dtype=object)])
def test_text_comes_as_text_however_it_is_held(what):
    runs = repeat_predictions(Says(what), SAMPLES, IRIS[0], IRIS[1].astype(str), random_state=0)
    assert runs.predictions.dtype == "<U1"
    assert (runs.errors == 1).all()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((GaussianNB, SAMPLES), TypeError, r"give an instance: GaussianNB\(\)"),
        ((StandardScaler(), SAMPLES), TypeError, "no scikit-learn estimator with fit and predict"),
        ((KMeans(), SAMPLES), TypeError, "neither a classifier nor a regressor"),
        ((GaussianNB(), 10), TypeError, "protocol=10 is none"),
        ((GaussianNB(), BootstrapSamples), TypeError, "protocol=.* is none"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        repeat_predictions(*arguments, *IRIS)


def test_a_protocol_that_leaves_cases_out_is_refused():
    with pytest.raises(ValueError, match="predicts other cases in every repeat"):
        repeat_predictions(GaussianNB(), Resamples(2), *IRIS, random_state=0)
