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
    Shelf,
    repeat_predictions,
    run_fit,
)
from study.observed import IRIS, SAMPLES, Observed, Unreadable, make_fail, mixed_frame, n_fits


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
