from __future__ import annotations

import pickle
import sys
from pathlib import Path
from uuid import uuid4

import numpy as np
import pandas as pd
import polars as pl
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.cluster import KMeans
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from covey import C45Classifier, RotationForestRegressor, SphereCoverClassifier
from covey.datasets import ringnorm_task, simulated_regression_task, threenorm_task, twonorm_task
from covey.study import (
    BootstrapSamples,
    CycledFolds,
    FitFailedError,
    FreshSamples,
    Repeats,
    Resamples,
    Shelf,
    repeat_predictions,
    run_fit,
)
from covey.table import as_table

IRIS = load_iris(return_X_y=True)
SAMPLES = BootstrapSamples(n_repeats=8, sample_size=40)

# Worker processes cannot import the tests, so they are sent their classes whole.
try:
    from joblib.externals import cloudpickle
except ImportError:  # joblib 1.6 no longer brings its own
    import cloudpickle
cloudpickle.register_pickle_by_value(sys.modules[__name__])


class Observed(ClassifierMixin, BaseEstimator):
    """A random tree that leaves a mark in a folder for each fit, and fails while the folder tells it to.

    It is told by the sum of the training rows, which only one fit has.
    """

    def __init__(self, folder: str, random_state=None):
        self.folder = folder
        self.random_state = random_state

    def fit(self, X, y):
        folder = Path(self.folder)
        (folder / f"{uuid4().hex}.fit").touch()
        if (folder / f"{X.sum()!r}.fails").exists():
            raise Unreadable("it was told to fail", "twice")
        self.tree_ = DecisionTreeClassifier(splitter="random", random_state=self.random_state).fit(X, y)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X):
        return self.tree_.predict(X)


class Unreadable(Exception):
    """An exception that pickle can write but not read."""

    def __init__(self, first, second):
        super().__init__(first)


def make_fail(folder: Path, protocol, number: int) -> Path:
    plan = protocol.plan(*IRIS, random_state=0)
    flag = folder / f"{plan[number].X.sum()!r}.fails"
    flag.touch()
    return flag


def n_fits(folder: Path) -> int:
    return len(list(folder.glob("*.fit")))


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


@pytest.mark.parametrize("protocol", [SAMPLES, CycledFolds(3)], ids=["samples", "folds"])
def test_any_number_of_jobs_and_any_backend_give_the_same_predictions(protocol):
    model = DecisionTreeClassifier(max_features=1)
    one, two = (repeat_predictions(model, protocol, *IRIS, random_state=0, n_jobs=n) for n in (1, 2))
    with parallel_config(backend="threading", n_jobs=3):
        three = repeat_predictions(model, protocol, *IRIS, random_state=0)
    np.testing.assert_array_equal(one.predictions, two.predictions)
    np.testing.assert_array_equal(one.predictions, three.predictions)
    assert one.predictions.dtype == two.predictions.dtype


def test_fresh_samples_are_the_same_in_other_processes():
    protocol = FreshSamples(twonorm_task(), 4, 30, 100)
    one, two = (repeat_predictions(SphereCoverClassifier(), protocol, random_state=0, n_jobs=n) for n in (1, 2))
    np.testing.assert_array_equal(one.predictions, two.predictions)
    np.testing.assert_array_equal(one.X, two.X)
    assert one.cases is None


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


def test_another_seed_gives_other_predictions():
    one, other = (repeat_predictions(C45Classifier(), SAMPLES, *IRIS, random_state=seed) for seed in (0, 1))
    assert one.cases.tolist() != other.cases.tolist()


def mixed_frame(n=90):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "kind": pd.Categorical(rng.choice(["p", "q", "r"], n)),
            "town": rng.choice(["X", "Y"], n),
        }
    )
    y = np.where((frame["size"] > 0) ^ (frame["kind"] == "p"), "good", "wretched")
    frame.loc[::7, "size"] = np.nan
    frame.loc[::11, "kind"] = None
    return frame, pd.Series(y, dtype="category")


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


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_run_goes_on_where_it_failed_and_ends_with_the_same_predictions(tmp_path, n_jobs):
    marks, shelf = tmp_path / "marks", tmp_path / "shelf"
    marks.mkdir()
    model = Observed(str(marks))
    whole = repeat_predictions(model, SAMPLES, *IRIS, random_state=0)
    assert n_fits(marks) == 8

    flag = make_fail(marks, SAMPLES, 4)
    with pytest.raises(
        FitFailedError, match=r"Repeat 4 \(fit 4 of 8.* Observed failed: Unreadable: it was told"
    ) as caught:
        repeat_predictions(model, SAMPLES, *IRIS, random_state=0, n_jobs=n_jobs, folder=shelf)
    assert (caught.value.repeat, caught.value.number) == (4, 4)
    kept = sorted(path.name for path in shelf.glob("*.npz"))
    assert "fit-00004.npz" not in kept
    assert [f"fit-0000{number}.npz" for number in range(4)] == kept[:4]
    if n_jobs == 1:
        assert len(kept) == 4

    flag.unlink()
    before = n_fits(marks)
    runs = repeat_predictions(model, SAMPLES, *IRIS, random_state=0, n_jobs=n_jobs, folder=shelf)
    assert n_fits(marks) - before == 8 - len(kept)
    assert runs.predictions.tobytes() == whole.predictions.tobytes()
    assert runs.predictions.dtype == whole.predictions.dtype

    again = repeat_predictions(model, SAMPLES, *IRIS, random_state=0, folder=shelf)
    assert n_fits(marks) - before == 8 - len(kept)
    assert again.predictions.tobytes() == whole.predictions.tobytes()
    np.testing.assert_array_equal(again.seconds, runs.seconds)


def test_after_a_failure_no_further_fits_are_begun(tmp_path):
    protocol = BootstrapSamples(n_repeats=100, sample_size=40)
    make_fail(tmp_path, protocol, 0)
    with pytest.raises(FitFailedError, match="Repeat 0"), parallel_config(backend="threading"):
        repeat_predictions(Observed(str(tmp_path)), protocol, *IRIS, random_state=0, n_jobs=2)
    assert n_fits(tmp_path) < 50


def test_the_cause_of_a_failure_is_not_lost(tmp_path):
    make_fail(tmp_path, SAMPLES, 2)
    plan = SAMPLES.plan(*IRIS, random_state=0)
    with pytest.raises(FitFailedError) as caught:
        run_fit(Observed(str(tmp_path)), plan, 2)
    assert isinstance(caught.value.__cause__, Unreadable)
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (str(sent), sent.number, sent.repeat) == (str(caught.value), 2, 2)
    assert "in fit\n" in sent.__notes__[0]
    assert "Unreadable: it was told to fail" in sent.__notes__[0]


@pytest.mark.parametrize(
    ("few", "many"),
    [(BootstrapSamples(3, 40), BootstrapSamples(5, 40)), (CycledFolds(2, 3), CycledFolds(3, 3))],
    ids=["samples", "cycles"],
)
def test_a_folder_takes_more_repeats_and_gives_fewer(tmp_path, few, many):
    marks, folder = tmp_path / "marks", tmp_path / "shelf"
    marks.mkdir()
    model = Observed(str(marks))
    first = repeat_predictions(model, few, *IRIS, random_state=0, folder=folder)
    more = repeat_predictions(model, many, *IRIS, random_state=0, folder=folder)
    assert n_fits(marks) == many.n_fits
    np.testing.assert_array_equal(more.predictions[: few.n_repeats], first.predictions)
    again = repeat_predictions(model, few, *IRIS, random_state=0, folder=folder)
    assert n_fits(marks) == many.n_fits
    np.testing.assert_array_equal(again.predictions, first.predictions)


def test_another_mask_is_other_data(tmp_path):
    X, y = IRIS
    whole, gappy = np.ma.array(X, mask=False), np.ma.array(X, mask=False)
    gappy.mask[:, 2:] = True
    repeat_predictions(C45Classifier(), SAMPLES, whole, y, random_state=0, folder=tmp_path)
    with pytest.raises(ValueError, match="data"):
        repeat_predictions(C45Classifier(), SAMPLES, gappy, y, random_state=0, folder=tmp_path)


def test_damaged_files_are_computed_again(tmp_path):
    marks, folder = tmp_path / "marks", tmp_path / "shelf"
    marks.mkdir()
    model = Observed(str(marks))
    whole = repeat_predictions(model, SAMPLES, *IRIS, random_state=0, folder=folder)
    (folder / "fit-00001.npz").write_bytes((folder / "fit-00001.npz").read_bytes()[:-9])
    (folder / "fit-00002.npz").unlink()
    shelf = Shelf(folder, np.load(folder / "fit-00000.npz")["shelf"][0].item())
    shelf.write(3, {"predictions": np.zeros(49, dtype=int), "seconds": np.array(0.0)})
    shelf.write(5, {"predictions": np.full(50, "setosa"), "seconds": np.array(0.0)})
    shelf.write(6, {"predictions": np.zeros(50, dtype=int)})
    runs = repeat_predictions(model, SAMPLES, *IRIS, random_state=0, folder=folder)
    assert n_fits(marks) == 8 + 5
    np.testing.assert_array_equal(runs.predictions, whole.predictions)


def test_text_and_numbers_come_back_from_disk_as_they_went(tmp_path):
    frame, y = mixed_frame()
    first, again = (
        repeat_predictions(C45Classifier(), CycledFolds(2), frame, y, random_state=0, folder=tmp_path / "text")
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.predictions, again.predictions)
    assert first.predictions.dtype == again.predictions.dtype
    X, y = load_diabetes(return_X_y=True)
    first, again = (
        repeat_predictions(LinearRegression(), CycledFolds(1), X, y, random_state=0, folder=tmp_path / "numbers")
        for _ in range(2)
    )
    assert first.predictions.tobytes() == again.predictions.tobytes()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"estimator": DecisionTreeClassifier(max_depth=3)}, "estimator.max_depth is 2 there and 3 here"),
        ({"estimator": GaussianNB()}, "estimator.class is .*DecisionTreeClassifier.* there and .*GaussianNB"),
        ({"protocol": BootstrapSamples(3, 30)}, "protocol.sample_size is 40 there and 30 here"),
        ({"protocol": CycledFolds(1)}, "protocol.class is .*BootstrapSamples"),
        ({"random_state": 1}, "random_state.entropy is 0 there and 1 here"),
        ({"X": IRIS[0] + 1}, "data.X.sha256 differs"),
        ({"y": IRIS[1][::-1]}, "data.y.sha256 differs"),
    ],
)
def test_a_folder_of_another_design_is_refused_by_what_differs(tmp_path, change, told):
    call = {
        "estimator": DecisionTreeClassifier(max_depth=2, random_state=0),
        "protocol": BootstrapSamples(3, 40),
        "X": IRIS[0],
        "y": IRIS[1],
        "random_state": 0,
        "folder": tmp_path,
    }
    repeat_predictions(**call)
    with pytest.raises(ValueError, match=told):
        repeat_predictions(**{**call, **change})


def test_the_estimators_own_random_state_does_not_count(tmp_path):
    protocol = BootstrapSamples(2, 40)
    for random_state in (None, 3, np.random.RandomState(0)):
        model = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=random_state))
        repeat_predictions(model, protocol, *IRIS, random_state=0, folder=tmp_path)


def test_a_task_is_known_by_what_it_generates(tmp_path):
    protocol = FreshSamples(twonorm_task(), 2, 20, 30)
    first = repeat_predictions(GaussianNB(), protocol, random_state=0, folder=tmp_path)
    again = repeat_predictions(GaussianNB(), FreshSamples(twonorm_task(), 2, 20, 30), random_state=0, folder=tmp_path)
    np.testing.assert_array_equal(first.predictions, again.predictions)
    with pytest.raises(ValueError, match=r"protocol\.task"):
        repeat_predictions(GaussianNB(), FreshSamples(ringnorm_task(), 2, 20, 30), random_state=0, folder=tmp_path)


def test_a_folder_needs_a_seed(tmp_path):
    with pytest.raises(ValueError, match="folder needs a random_state"):
        repeat_predictions(GaussianNB(), SAMPLES, *IRIS, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_progress_is_told_if_asked_for(capsys, tmp_path):
    protocol = BootstrapSamples(3, 40)
    repeat_predictions(GaussianNB(), protocol, *IRIS, random_state=0, folder=tmp_path)
    assert capsys.readouterr().out == ""
    (tmp_path / "fit-00001.npz").unlink()
    repeat_predictions(GaussianNB(), protocol, *IRIS, random_state=0, folder=tmp_path, verbose=1)
    before, after = capsys.readouterr().out.splitlines()
    assert before == "[GaussianNB] 2 of 3 fits were done before"
    assert after.startswith("[GaussianNB] 3 of 3 fits, ")
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


def test_no_jobs_at_all_are_refused():
    with pytest.raises(ValueError, match="n_jobs"):
        repeat_predictions(GaussianNB(), SAMPLES, *IRIS, n_jobs=0)


def test_results_cannot_be_changed_by_accident():
    runs = repeat_predictions(GaussianNB(), CycledFolds(1), *IRIS)
    assert isinstance(runs, Repeats)
    with pytest.raises(AttributeError):
        runs.y = None


def test_a_protocol_that_leaves_cases_out_is_refused():
    with pytest.raises(ValueError, match="predicts other cases in every repeat"):
        repeat_predictions(GaussianNB(), Resamples(2), *IRIS, random_state=0)
