import numpy as np
import pandas as pd
import pytest

from covey._arguments import check_choice, check_count, check_number
from covey.datasets import ClassificationTask
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


def test_arrays_are_presented_as_they_are():
    X, y = np.zeros((2, 2)), np.arange(2)
    sample = present(X, y, as_frame=False)
    assert sample[0] is X
    assert sample[1] is y


def test_frames_have_names_and_categories():
    X, y = present(np.array([[0.5, 1.0], [1.5, 0.0]]), np.arange(2), as_frame=True, names=["a", "b"], categorical=["b"])
    assert X["a"].tolist() == [0.5, 1.5]
    assert X["b"].dtype == pd.CategoricalDtype([0, 1])
    assert X["b"].tolist() == [1, 0]
    assert y.name == "class"


def test_names_count_from_one():
    assert numbered_names(3) == ["x1", "x2", "x3"]


@pytest.mark.parametrize("value", [3, np.int64(5)])
def test_counts_in_range_pass(value):
    check_count("n_samples", value, 3)


@pytest.mark.parametrize(("value", "error"), [(2, ValueError), (3.0, TypeError), (True, TypeError), ("3", TypeError)])
def test_other_counts_are_refused(value, error):
    with pytest.raises(error, match=rf"n_samples={value!r} .*give a whole number of at least 3"):
        check_count("n_samples", value, 3)


@pytest.mark.parametrize("value", [0, 0.5, 1, np.float32(0.25)])
def test_numbers_in_range_pass(value):
    check_number("noise", value, 0, 1)


@pytest.mark.parametrize(
    ("value", "error"),
    [(-0.1, ValueError), (1.5, ValueError), (float("nan"), ValueError), ("0.5", TypeError), (None, TypeError)],
)
def test_other_numbers_are_refused(value, error):
    with pytest.raises(error, match=rf"noise={value!r} .*give a finite number between 0 and 1"):
        check_number("noise", value, 0, 1)


def test_an_unbounded_number_must_still_be_finite():
    check_number("intercept", -1e9)
    with pytest.raises(ValueError, match="intercept=inf is out of range"):
        check_number("intercept", float("inf"))


def test_unknown_choice_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"design='oblique' is unknown; choose one of 'a', 'b'\."):
        check_choice("design", "oblique", ("a", "b"))


@pytest.mark.parametrize("X", [[1.0, 2.0], [[1.0], [2.0]]])
def test_tables_of_another_shape_are_refused(X):
    with pytest.raises(ValueError, match="the task generates 2 features"):
        check_columns(X, 2)


SHAPES = {
    "twonorm": (300, 20),
    "threenorm": (300, 20),
    "ringnorm": (300, 20),
    "ringnorm-near": (300, 20),
    "waveform-21": (5000, 21),
    "waveform-40": (5000, 40),
    "led-24": (200, 24),
    "layered-cake": (300, 2),
    "sim-regression": (300, 10),
    "sim-regression-collinear": (300, 10),
    "sim-logistic": (300, 10),
    "sim-logistic-collinear": (300, 10),
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
