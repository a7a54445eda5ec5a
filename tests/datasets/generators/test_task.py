from functools import partial

import numpy as np
import pandas as pd
import pytest

from covey import datasets
from covey._arguments import check_choice, check_count, check_number
from covey.datasets import ClassificationTask, make_waveform, twonorm_task
from covey.datasets.generated import GENERATORS
from covey.datasets.generators.task import check_columns, numbered_names, present
from covey.seeds import generator


class Coin(ClassificationTask):
    """One uniform feature that is the probability of class 1; the Bayes error is 1/4."""

    def sample(self, n_samples, random_state=None):
        rng = generator(random_state)
        X = rng.random((n_samples, 1))
        return X, (rng.random(n_samples) < X[:, 0]).astype(np.int64)

    def class_probabilities(self, X):
        return np.column_stack([1 - np.asarray(X), X])


def test_the_most_probable_class_is_predicted_and_ties_go_to_the_lowest():
    assert Coin().predict([[0.2], [0.9], [0.5]]).tolist() == [0, 1, 0]


def test_bayes_error_is_the_mean_of_what_the_best_class_leaves():
    # 1 - max(x, 1 - x) is uniform in [0, 1/2].
    tolerance = 5 * 0.5 / np.sqrt(12 * 50_000)
    assert Coin().bayes_error(50_000) == pytest.approx(0.25, abs=tolerance)
    assert Coin().bayes_error(100, random_state=1) == Coin().bayes_error(100, random_state=1)


def test_frames_have_names_and_categories():
    X, y = np.array([[0.5, 1.0], [1.5, 0.0]]), np.arange(2)
    frame, series = present(X, y, as_frame=True, names=["a", "b"], categorical=["b"])
    assert frame["a"].tolist() == [0.5, 1.5]
    assert frame["b"].dtype == pd.CategoricalDtype([0, 1])
    assert frame["b"].tolist() == [1, 0]
    assert series.name == "class"
    unchanged = present(X, y, as_frame=False)
    assert unchanged[0] is X
    assert unchanged[1] is y
    assert make_waveform(4, n_noise_features=1, as_frame=True)[0].columns.tolist() == numbered_names(22)
    assert numbered_names(3) == ["x1", "x2", "x3"]


def test_arguments_in_range_pass():
    for value in (3, np.int64(5)):
        check_count("n_samples", value, 3)
    for value in (0, 0.5, 1, np.float32(0.25)):
        check_number("noise", value, 0, 1)
    check_number("intercept", -1e9)


COUNT, SHARE = "give a whole number of at least 3", "give a finite number between 0 and 1"


@pytest.mark.parametrize(
    ("check", "value", "error", "remedy"),
    [
        *((partial(check_count, minimum=3), value, TypeError, COUNT) for value in (3.0, True, "3")),
        (partial(check_count, minimum=3), 2, ValueError, COUNT),
        *((partial(check_number, low=0, high=1), value, ValueError, SHARE) for value in (-0.1, 1.5, float("nan"))),
        *((partial(check_number, low=0, high=1), value, TypeError, SHARE) for value in ("0.5", None)),
        (check_number, float("inf"), ValueError, "is out of range"),
        (partial(check_choice, choices=("a", "b")), "oblique", ValueError, r"is unknown; choose one of 'a', 'b'\."),
    ],
)
def test_other_arguments_are_refused(check, value, error, remedy):
    with pytest.raises(error, match=rf"name={value!r} .*{remedy}"):
        check("name", value)


@pytest.mark.parametrize(
    ("make", "arguments", "problem"),
    [
        ("waveform", {"n_noise_features": -1}, "n_noise_features=-1 is too small"),
        ("led", {"noise": 1.1}, r"noise=1\.1 is out of range; give a finite number between 0 and 1"),
        ("led", {"n_irrelevant": -1}, "n_irrelevant=-1 is too small"),
        ("threenorm", {"n_features": 7}, "n_features=7 is odd; give an even number"),
        ("twonorm", {"n_features": 0}, "n_features=0 is too small"),
        ("ringnorm", {"distance": -1.0}, "distance"),
        *(("layered_cake", {name: -0.1}, rf"{name}=-0\.1 is out") for name in ("inner_share", "gap", "noise")),
        ("layered_cake", {"angle": float("nan")}, "angle=nan is out of range"),
        ("simulated_regression", {"design": "oblique"}, "design='oblique' is unknown; choose one of 'orthogonal', "),
        ("simulated_regression", {"noise_sd": -1}, "noise_sd=-1 is out of range"),
        ("simulated_logistic", {"intercept": float("nan")}, "intercept=nan is out of range"),
    ],
)
def test_bad_arguments(make, arguments, problem):
    with pytest.raises(ValueError, match=problem):
        getattr(datasets, f"make_{make}")(10, **arguments)


@pytest.mark.parametrize("X", [[1.0, 2.0], [[1.0], [2.0]]])
def test_tables_of_another_shape_are_refused(X):
    for refuse in (lambda rows: check_columns(rows, 2), twonorm_task(2).predict):
        with pytest.raises(ValueError, match="the task generates 2 features"):
            refuse(X)


SHAPES = {
    **dict.fromkeys(["twonorm", "threenorm", "ringnorm", "ringnorm-near"], (300, 20)),
    **{"waveform-21": (5000, 21), "waveform-40": (5000, 40), "led-24": (200, 24), "layered-cake": (300, 2)},
    **dict.fromkeys(
        ["sim-regression", "sim-regression-collinear", "sim-logistic", "sim-logistic-collinear"], (300, 10)
    ),
}


def test_every_data_set_has_the_shape_of_its_paper():
    assert {name: make(random_state=0)[0].shape for name, make in GENERATORS.items()} == SHAPES


@pytest.mark.parametrize("name", SHAPES)
def test_size_seed_and_form_can_be_chosen(name):
    X, y = GENERATORS[name](n_samples=7, random_state=1)
    frame, series = GENERATORS[name](n_samples=7, random_state=1, as_frame=True)
    assert X.shape[0] == 7
    np.testing.assert_array_equal(frame.to_numpy(dtype=float), X)
    np.testing.assert_array_equal(series.to_numpy(), y)
    assert (series.name, y.dtype) == (("y", "float64") if "regression" in name else ("class", "int64"))
    assert not np.array_equal(X, GENERATORS[name](n_samples=7, random_state=2)[0])
    with pytest.raises(ValueError, match="n_samples=0 is too small"):
        GENERATORS[name](n_samples=0)


@pytest.mark.parametrize(
    "random_state", [np.random.RandomState(0), np.random.default_rng(0), np.random.SeedSequence(0)]
)
@pytest.mark.parametrize("name", SHAPES)
def test_every_kind_of_random_state_is_taken(name, random_state):
    assert len(GENERATORS[name](n_samples=3, random_state=random_state)[1]) == 3
