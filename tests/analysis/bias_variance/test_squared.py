"""Bias and variance of numbers, and the ambiguity of an ensemble."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from covey.analysis.bias_variance import ambiguity, squared_loss

NUMBERS = st.floats(-100, 100)


def matrices(least=2):
    shape = st.tuples(st.integers(least, 6), st.integers(1, 6))
    return shape.flatmap(
        lambda size: st.tuples(
            arrays(np.float64, size, elements=NUMBERS),
            arrays(np.float64, size[1], elements=NUMBERS),
            arrays(np.float64, size[1], elements=NUMBERS),
        )
    )


@given(matrices())
@settings(deadline=None, max_examples=80)
def test_squared_loss_is_what_loops_find(given_runs):
    predictions, y, optimal = given_runs
    found = squared_loss(predictions, y, optimal=optimal)
    sums = dict.fromkeys(("error", "noise", "bias", "variance"), 0.0)
    for case in range(len(y)):
        main = sum(predictions[:, case]) / len(predictions)
        sums["noise"] += (y[case] - optimal[case]) ** 2
        sums["bias"] += (main - optimal[case]) ** 2
        sums["variance"] += sum((p - main) ** 2 for p in predictions[:, case]) / len(predictions)
        sums["error"] += sum((p - y[case]) ** 2 for p in predictions[:, case]) / len(predictions)
    for term, total in sums.items():
        assert getattr(found, term) == pytest.approx(total / len(y), abs=1e-8), term
    assert found.error == pytest.approx(found.noise + found.cross + found.bias + found.variance, abs=1e-8)


@pytest.mark.parametrize("offset", [0.0, 1e7, 1.7e9, -1e12])
def test_large_numbers_that_differ_by_little(offset):
    """Prices and times of day: rounding must neither fail the check nor drown the terms."""
    rng = np.random.default_rng(0)
    y = np.round(rng.normal(size=50), 3)
    runs = y + np.round(rng.normal(size=(20, 50)), 3)
    expected, found = squared_loss(runs, y), squared_loss(runs + offset, y + offset)
    assert found.values() == pytest.approx(expected.values(), rel=1e-2)
    expected, found = ambiguity(runs.T, y), ambiguity(runs.T + offset, y + offset)
    assert found.ambiguity == pytest.approx(expected.ambiguity, rel=1e-2)


def test_perfect_members_have_no_error_of_rounding():
    y = np.array([1e9 / 3, 0.1, 1e-9])
    found = ambiguity(np.repeat(y[:, None], 7, axis=1), y, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    assert found.ensemble_error == found.member_error == found.ambiguity == 0


@given(matrices(least=1), st.data())
@settings(deadline=None, max_examples=80)
def test_ambiguity_is_members_error_less_the_ensembles(given_runs, data):
    members, y, _ = given_runs
    weights = data.draw(arrays(np.float64, len(members), elements=st.floats(0.1, 5)))
    found = ambiguity(members.T, y, weights)
    shares = weights / weights.sum()
    mean = shares @ members
    assert found.ensemble_error == pytest.approx(np.mean((mean - y) ** 2), abs=1e-8)
    assert found.member_error == pytest.approx(shares @ ((members - y) ** 2).mean(axis=1), abs=1e-8)
    assert found.ambiguity == pytest.approx(found.member_error - found.ensemble_error, abs=1e-8)
    assert found.ambiguity >= 0


@pytest.mark.parametrize(
    ("predictions", "y", "options", "message"),
    [
        ([[1.0, 2.0]], [1.0, 2.0], {}, "single repeat"),
        ([["a", "b"], ["a", "b"]], [1.0, 2.0], {}, "predictions must be numbers.*domingos"),
        ([[1.0, np.nan], [1, 2]], [1.0, 2.0], {}, r"predictions has nan at position \(0, 1\)"),
        ([[1.0, 2.0], [1, 2]], [1.0], {}, "y has 1 values, but predictions has 2 cases"),
        ([[1.0, 2.0], [1, 2]], [1.0, 2.0], {"optimal": [1.0]}, "optimal has 1 values"),
        ([1.0, 2.0], [1.0, 2.0], {}, "must have 2 dimensions"),
        (np.ma.array(np.ones((2, 2)), mask=[[0, 0], [0, 1]]), [1.0, 2.0], {}, r"nan at position \(1, 1\)"),
        (pd.DataFrame({"a": [1, pd.NA], "b": [1, 2]}, dtype="Float64"), [1.0, 2.0], {}, r"nan at position \(1, 0\)"),
    ],
)
def test_bad_input(predictions, y, options, message):
    with pytest.raises(ValueError, match=message):
        squared_loss(predictions, y, **options)


def test_the_text_has_the_terms():
    assert str(ambiguity([[1.0, 3.0], [2.0, 6.0]], [2.0, 2.0])).endswith(
        "ensemble error 2 = member error 4.5 - ambiguity 2.5"
    )
    frame = ambiguity([[1.0, 3.0], [2.0, 6.0]], [2.0, 2.0]).table().to_frame()
    assert frame.value.tolist() == [2.0, 4.5, 2.5]
