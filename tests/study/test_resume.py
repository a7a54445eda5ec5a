"""Runs that stopped go on, and folders know what they hold."""

from __future__ import annotations

import copyreg
import pickle

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from covey import C45Classifier
from covey.datasets import ringnorm_task, twonorm_task
from covey.study import (
    BootstrapSamples,
    CycledFolds,
    FitFailedError,
    FreshSamples,
    Store,
    repeat_predictions,
    run_fit,
)
from study.observed import IRIS, SAMPLES, Observed, Unreadable, make_fail, mixed_frame, n_fits


def kept_fits(folder):
    """The numbers of the fits that a folder has."""
    with Store.open(folder / "fits.store", write=False) as store:
        return {outcome.labels["fit"] for outcome in store.read(store.keys())}


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
    kept = kept_fits(shelf)
    assert 4 not in kept
    assert set(range(4)) <= kept
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


def test_the_cause_of_a_failure_is_not_lost(tmp_path, monkeypatch):
    # Where Dask was imported before, errors are pickled with their causes, whether those can be or not.
    monkeypatch.delitem(copyreg.dispatch_table, FitFailedError, raising=False)
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
    "change",
    [
        {"estimator": DecisionTreeClassifier(max_depth=3)},
        {"estimator": GaussianNB()},
        {"protocol": BootstrapSamples(3, 30)},
        {"protocol": CycledFolds(1)},
        {"random_state": 1},
        {"X": IRIS[0] + 1},
        {"y": IRIS[1][::-1]},
    ],
)
def test_fits_that_depend_on_something_else_are_kept_apart(tmp_path, change):
    call = {
        "estimator": DecisionTreeClassifier(max_depth=2, random_state=0),
        "protocol": BootstrapSamples(3, 40),
        "X": IRIS[0],
        "y": IRIS[1],
        "random_state": 0,
    }
    repeat_predictions(**call, folder=tmp_path)
    changed = {**call, **change}
    expected, found = (repeat_predictions(**changed, folder=folder) for folder in (None, tmp_path))
    np.testing.assert_array_equal(found.predictions, expected.predictions)


def test_another_mask_is_other_data(tmp_path):
    X, y = IRIS
    for mask in (X < 0, X > 3):
        masked = np.ma.array(X, mask=mask)
        expected, found = (
            repeat_predictions(C45Classifier(), SAMPLES, masked, y, random_state=0, folder=folder)
            for folder in (None, tmp_path)
        )
        np.testing.assert_array_equal(found.predictions, expected.predictions)


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
    assert len(kept_fits(tmp_path)) == 2
    other = FreshSamples(ringnorm_task(), 2, 20, 30)
    found, expected = (repeat_predictions(GaussianNB(), other, random_state=0, folder=one) for one in (tmp_path, None))
    np.testing.assert_array_equal(found.predictions, expected.predictions)


def test_a_folder_needs_a_seed(tmp_path):
    with pytest.raises(ValueError, match="folder needs a random_state"):
        repeat_predictions(GaussianNB(), SAMPLES, *IRIS, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()
