import numpy as np
import pytest

from covey._arguments import check_choice, check_count, check_number
from covey.datasets.generators.arguments import check_table


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
        check_table(X, 2)
