"""The choice of a subspace size from a curve of errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from covey.ensemble.size_choice import MANY_CLASSES, MOST_SIZES, SIZES_OF_MANY_CLASSES, candidate_sizes, choose_size

RULE = 99


def losses_of(errors, n_cases=400, noise=0.0, common=1.0, seed=0):
    """Losses whose means are about the errors: cases differ by a common part, and sizes on each case by noise."""
    rng = np.random.default_rng(seed)
    easy = common * rng.standard_normal(n_cases)
    return np.asarray(errors)[:, None] + (easy - easy.mean()) + noise * rng.standard_normal((len(errors), n_cases))


def chosen(errors, sizes=None, **options):
    curve = choose_size(range(1, len(errors) + 1) if sizes is None else sizes, losses_of(errors, **options), RULE)
    return curve.chosen, curve.reason


# What the curves of the thesis's figures look like


def test_simulated_regression_falls_and_rises_again():
    assert chosen([21, 19, 17.5, 16.5, 16, 16.2, 16.5, 16.8, 17, 17.3], noise=1) == (5, "minimum")


def test_boston_falls_all_the_way_with_a_bend():
    errors = 0.55 + 1.2 / np.arange(1, 14)
    # The fall is 1.108: a twentieth of it is left from the size on whose error is at most 0.698.
    assert chosen(errors, noise=0.02) == (9, "elbow")


def test_spam_and_ionosphere_stop_falling():
    sizes = [1, 2, 3, 5, 8, 11, 15, 20, 26, 34]
    assert chosen([0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.1, 0.1, 0.1, 0.1], sizes, noise=0.01) == (11, "elbow")


def test_prostate_is_noise():
    rng = np.random.default_rng(1)
    hard = rng.random(16)
    found = [choose_size(range(1, 21), (hard > 0.69) ^ (rng.random((20, 16)) < 0.1), RULE).reason for _ in range(200)]
    assert found.count("rule") >= 180


def test_an_even_fall_has_no_elbow():
    assert chosen(np.linspace(10, 1, 10)) == (RULE, "rule")


def test_errors_that_only_rise_have_their_minimum_at_the_smallest_size():
    assert chosen(np.linspace(1, 2, 5), noise=0.1) == (1, "minimum")


def test_the_largest_size_is_no_minimum():
    # An arc that is bent upwards falls fastest at its end.
    assert chosen(10 - np.arange(8.0) ** 2 / 10, noise=0.01) == (RULE, "rule")


# The notions


def test_worked_by_hand():
    losses = [[4, 6, 5, 5], [1, 2, 1, 0], [3, 4, 5, 4]]
    curve = choose_size([2, 5, 7], losses, 3)
    assert curve.sizes.tolist() == [2, 5, 7]
    assert curve.errors.tolist() == [5, 1, 4]
    np.testing.assert_allclose(curve.standard_errors, np.sqrt([2 / 3, 2 / 3, 2 / 3]) / 2)
    # Differences (3, 4, 4, 5) and (2, 2, 4, 4): t is 9.8 and 5.2, where 3.18 is needed for the best of two.
    assert stats.t.isf(0.025, 3) == pytest.approx(3.18, abs=0.01)
    assert (curve.chosen, curve.reason) == (5, "minimum")
    # With (2, 0, 6, 4) t is 2.3: no longer clear. The bend is: (2.4, 1.6, 5.2, 4.4) beneath the line, t is 4.0.
    hidden = choose_size([2, 5, 7], [*losses[:2], [3, 2, 7, 4]], 3)
    assert (hidden.chosen, hidden.reason) == (5, "elbow")


@pytest.mark.parametrize("seed", range(10))
def test_a_minimum_is_clear_as_the_paired_t_test_says(seed):
    rng = np.random.default_rng(seed)
    losses = rng.random((2, 12)) + np.array([[0.0], [rng.uniform(0, 0.6)]])
    found = choose_size([1, 2], losses, RULE)
    expected = stats.ttest_rel(losses[1], losses[0], alternative="greater").pvalue < 0.05
    assert (found.reason == "minimum") == expected


def test_pairs_count_not_cases():
    """Cases that differ much hide nothing, as sizes are compared case by case."""
    errors = [3, 1, 2]
    assert chosen(errors, noise=0.1, common=1000, n_cases=20) == (2, "minimum")
    assert chosen(errors, noise=1000, common=0, n_cases=20)[1] == "rule"


def test_the_best_of_many_must_be_better():
    """One size that is better by what chance makes of the best of many is no minimum."""
    rng = np.random.default_rng(0)
    reasons = [choose_size(range(1, 21), rng.standard_normal((20, 100)), RULE).reason for _ in range(300)]
    assert reasons.count("minimum") <= 15
    assert reasons.count("elbow") <= 25


# Curves that say nothing


@pytest.mark.parametrize("n_sizes", [1, 2, 7])
@pytest.mark.parametrize("value", [0.0, 1.0, 1e30])
def test_flat_curves_follow_the_rule(n_sizes, value):
    curve = choose_size(range(1, n_sizes + 1), np.full((n_sizes, 30), value), RULE)
    assert (curve.chosen, curve.reason) == (RULE, "rule")
    assert curve.errors.tolist() == pytest.approx([value] * n_sizes)


def test_one_case_follows_the_rule():
    curve = choose_size([1, 2, 3], [[3.0], [1.0], [2.0]], RULE)
    assert (curve.chosen, curve.reason) == (RULE, "rule")
    assert np.isnan(curve.standard_errors).all()


def test_of_equal_minima_the_smallest_size_is_chosen():
    losses = losses_of([3, 1, 2, 3])
    losses = losses[[0, 1, 2, 1, 3]]
    assert choose_size([1, 2, 3, 4, 5], losses, RULE).chosen == 2


def test_labels_right_or_wrong_may_be_booleans():
    wrong = np.zeros((3, 40), dtype=bool)
    wrong[0, :30] = wrong[1, :4] = wrong[2, :15] = True
    curve = choose_size([1, 2, 3], wrong, RULE)
    assert (curve.chosen, curve.reason) == (2, "minimum")
    assert curve.errors.tolist() == [0.75, 0.1, 0.375]


# What holds of all curves


@st.composite
def curves(draw):
    n_sizes, n_cases = draw(st.integers(1, 8)), draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    drift = draw(st.sampled_from([0.0, 0.5, 5.0])) * rng.standard_normal((n_sizes, 1))
    losses = rng.standard_normal((n_sizes, n_cases)) ** 2 + np.sort(np.abs(drift), axis=0)[::-1]
    if draw(st.booleans()):
        losses = (losses > 1).astype(float)
    sizes = np.cumsum(rng.integers(1, 9, n_sizes))
    return sizes, losses


@given(curves())
def test_the_choice_is_a_size_tried_or_the_rule(case):
    sizes, losses = case
    curve = choose_size(sizes, losses, RULE)
    assert curve.chosen == RULE if curve.reason == "rule" else curve.chosen in sizes[:-1]
    np.testing.assert_allclose(curve.errors, losses.mean(axis=1))


@given(curves(), st.sampled_from([0.125, 3.0, 1000.0]), st.sampled_from([-2.0, 0.0, 64.0]))
def test_scale_level_and_order_of_cases_do_not_matter(case, factor, shift):
    sizes, losses = case
    before = choose_size(sizes, losses, RULE)
    order = np.random.default_rng(0).permutation(losses.shape[1])
    after = choose_size(3 * sizes, factor * losses[:, order] + shift, 3 * RULE)  # of sizes only the ratios matter
    assert (3 * before.chosen, before.reason) == (after.chosen, after.reason)


@given(
    st.integers(1, 100_000),
    st.sampled_from([(0, MOST_SIZES), (MANY_CLASSES, MOST_SIZES), (MANY_CLASSES + 1, SIZES_OF_MANY_CLASSES)]),
)
def test_candidates_go_from_one_to_all(n_columns, classes_and_most):
    n_classes, most = classes_and_most
    sizes = candidate_sizes(n_columns, n_classes)
    assert sizes[0] == 1
    assert sizes[-1] == n_columns
    assert len(sizes) == min(n_columns, most)
    steps = np.diff(sizes)
    assert (steps > 0).all()
    # Denser at small sizes; rounding may take one from a step.
    assert (np.diff(steps) >= -1).all()
    assert candidate_sizes(500)[-5:] == [143, 196, 268, 366, 500]
