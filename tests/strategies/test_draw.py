import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from covey.strategies import Bootstrap, Everything, Wagging
from covey.strategies.draw import RULES, resolve_size

weights = arrays(np.float64, st.integers(1, 20), elements=st.sampled_from([0.0, 0.25, 1.0, 3.0, 1e-6])).filter(np.any)
DRAWS = [Everything(), Bootstrap(), Bootstrap(0.5, replacement=False), Wagging(), Wagging(None)]


@pytest.mark.parametrize("draw", DRAWS, ids=str)
@given(weight=weights, seed=st.integers(0, 99))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_rows_without_weight_stay_without(draw, weight, seed):
    before = weight.copy()
    drawn = draw.draw(weight, np.random.default_rng(seed))
    assert drawn.shape == weight.shape
    assert (drawn[weight == 0] == 0).all()
    assert drawn.sum() > 0
    np.testing.assert_array_equal(weight, before)


@pytest.mark.parametrize("draw", DRAWS, ids=str)
def test_is_random_says_whether_two_draws_differ(draw):
    weight = np.ones(30)
    differ = (draw.draw(weight, np.random.default_rng(1)) != draw.draw(weight, np.random.default_rng(2))).any()
    assert differ == draw.is_random


@pytest.mark.parametrize("draw", [*DRAWS, Bootstrap(1.0, False), Bootstrap(50, False), Bootstrap(49, False)], ids=str)
def test_leaves_out_says_whether_rows_lose_their_weight(draw):
    drawn = draw.draw(np.ones(50), np.random.default_rng(1))
    assert (drawn == 0).any() == draw.leaves_out(50)


@pytest.mark.parametrize(("size", "expected"), [(1.0, 10), (0.5, 5), (3, 3), (25, 25), (2.0, 20), ("sqrt", 3)])
def test_bootstrap_counts_add_up_to_the_size(size, expected, rng):
    drawn = Bootstrap(size).draw(np.r_[0.0, np.linspace(1, 2, 10)], rng)  # a share is one of the rows with weight
    assert drawn.sum() == expected
    assert (drawn == np.round(drawn)).all()


@given(weights, st.integers(0, 99))
@settings(derandomize=True, deadline=None)
def test_without_replacement_rows_are_distinct(weight, seed):
    count = np.count_nonzero(weight)
    drawn = Bootstrap(1.0, replacement=False).draw(weight, np.random.default_rng(seed))
    np.testing.assert_array_equal(drawn, weight > 0)
    fewer = Bootstrap(0.5, replacement=False).draw(weight, np.random.default_rng(seed))
    assert set(fewer) <= {0.0, 1.0}
    assert fewer.sum() == max(1, round(count / 2))


def test_bootstrap_draws_in_proportion_to_the_weights(rng):
    weight = np.array([1.0, 2, 0, 5, 12])
    repeats, size = 2000, 10
    counts = sum(Bootstrap(size).draw(weight, rng) for _ in range(repeats))
    share = weight / weight.sum()
    error = np.sqrt(repeats * size * share * (1 - share))
    assert (np.abs(counts - repeats * size * share) <= 4 * error).all()


def test_bootstrap_variance_is_that_of_a_multinomial(rng):
    draws = np.array([Bootstrap().draw(np.ones(20), rng) for _ in range(4000)])
    assert draws.var() == pytest.approx(0.95, abs=0.03)


def test_check_refuses_more_distinct_rows_than_there_are():
    with pytest.raises(ValueError, match=r"Bootstrap size=11 asks for 11 rows, but there are 10; ask for at most 10"):
        Bootstrap(11, replacement=False).check(10)
    Bootstrap(11).check(10)
    Bootstrap(10, replacement=False).check(10)
    Everything().check(1)


def test_wagging_follows_equation_1_up_to_standardisation():
    # w = -log(k / 1000) times a constant c: with the draw's own k, c must be the same for all rows.
    drawn = Wagging().draw(np.ones(200), np.random.default_rng(4))
    published = -np.log(np.random.default_rng(4).integers(1, 1000, size=200) / 1000)
    np.testing.assert_allclose(drawn / published, 200 / published.sum())


def test_wagging_draws_every_step_from_1_to_999_and_no_other(rng):
    size = 60_000
    drawn = Wagging().draw(np.ones(size), rng)
    values = np.unique(drawn)
    steps = -np.log(np.arange(999, 0, -1) / 1000)
    assert len(values) == 999
    np.testing.assert_allclose(values / values[0], steps / steps[0])


@pytest.mark.parametrize("resolution", [1000, None, 3])
@given(weight=weights, seed=st.integers(0, 99))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_wagging_keeps_the_sum_of_the_weights(resolution, weight, seed):
    drawn = Wagging(resolution).draw(weight, np.random.default_rng(seed))
    assert drawn.sum() == pytest.approx(weight.sum())
    assert (drawn[weight > 0] > 0).all()


@pytest.mark.parametrize("resolution", [1000, None])
def test_wagging_has_the_mean_and_variance_of_an_exponential(resolution, rng):
    size = 40_000
    drawn = Wagging(resolution).draw(np.full(size, 2.0), rng)
    assert drawn.mean() == pytest.approx(2.0)
    # The variance of a sample variance of exponentials is (mu4 - sigma^4) / n = 8 sigma^4 / n.
    assert drawn.var() == pytest.approx(4.0, abs=4 * 4 * math.sqrt(8 / size) + 4 * 0.008)


def test_wagging_multiplies_the_case_weights(rng):
    weight = np.repeat([1.0, 3.0], 20_000)
    drawn = Wagging().draw(weight, rng)
    assert drawn[weight == 3].mean() / drawn[weight == 1].mean() == pytest.approx(3.0, rel=0.05)


@pytest.mark.parametrize("resolution", [2, 0, -5, 10.5, "many", True])
def test_wagging_refuses_a_resolution_without_choice(resolution):
    with pytest.raises(ValueError, match=r"Wagging resolution=.* must be an integer from 3 up, or None"):
        Wagging(resolution).check(10)
    for proper in (3, np.int64(1000), None):
        Wagging(proper).check(10)


@pytest.mark.parametrize(
    ("size", "total", "expected"),
    [
        (3, 10, 3),
        (np.int64(3), 10, 3),
        (1, 10, 1),
        (1.0, 10, 10),
        (0.25, 10, 2),
        (0.35, 10, 4),
        (np.float32(0.5), 10, 5),
        (Fraction(1, 2), 10, 5),
        (0.001, 10, 1),
        ("sqrt", 10, 3),
        ("sqrt", 1, 1),
        ("log2", 8, 4),
        ("log2", 1, 1),
        ("third", 10, 3),
        ("third", 1, 1),
    ],
)
def test_counts_shares_and_rules(size, total, expected):
    count = resolve_size(size, total, name="size", of="columns")
    assert count == expected
    assert type(count) is int


@pytest.mark.parametrize("rule", sorted(RULES))
@given(st.integers(1, 10_000))
@settings(derandomize=True, deadline=None)
def test_a_rule_never_asks_for_more_than_there_are(rule, total):
    assert 1 <= resolve_size(rule, total, name="size", of="columns") <= total


@given(st.floats(1e-9, 1.0), st.integers(1, 1000))
@settings(derandomize=True, deadline=None)
def test_a_share_is_rounded_and_at_least_one(share, total):
    count = resolve_size(share, total, name="size", of="columns")
    assert 1 <= count <= total
    assert abs(count - share * total) <= 0.5 or count == 1


@pytest.mark.parametrize(
    "size", [0, -2, 0.0, -0.5, math.nan, math.inf, True, np.True_, None, "half", "1", [1], 1j], ids=repr
)
def test_what_is_no_size_is_refused_by_name(size):
    with pytest.raises(ValueError, match=r"my size=.* must be a positive count, a positive share or one of"):
        resolve_size(size, 10, name="my size", of="columns")


@pytest.mark.parametrize("size", [11, 1.2])
def test_more_than_there_are(size):
    with pytest.raises(
        ValueError, match=rf"my size={size} asks for 1[12] columns, but there are 10; ask for at most 10"
    ):
        resolve_size(size, 10, name="my size", of="columns")
    assert resolve_size(size, 10, name="my size", of="columns", limit=False) in (11, 12)
