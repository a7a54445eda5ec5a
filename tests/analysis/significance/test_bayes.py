"""Bayesian comparisons: by hand, by a plain twin, and as baycomp has them."""

from __future__ import annotations

import baycomp
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from covey.analysis.significance.bayes import (
    Posterior,
    _sample_shares,
    bayesian_correlated_t,
    bayesian_signed_rank,
)
from covey.analysis.significance.resampled import corrected_t_test

differences = st.lists(st.integers(-6, 6).map(lambda step: step / 4), min_size=2, max_size=12)


def chances(posterior: Posterior) -> tuple[float, float, float]:
    return posterior.first_better, posterior.equivalent, posterior.second_better


def paired(seed: int, n: int, shift: float = 0.01, spread: float = 0.03) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.uniform(0.6, 0.9, n)
    return first, first - rng.normal(shift, spread, n)


class TestSignedRank:
    @given(differences, st.sampled_from([0.0, 0.25, 0.3]), st.sampled_from([0.0, 0.5, 2.0]))
    @settings(deadline=None, max_examples=50)
    def test_shares_are_sums_over_all_pairs(self, steps, rope, strength):
        d = np.sort(steps)
        shares = _sample_shares(np.column_stack([d, 0 * d]), rope, strength, 7, np.random.default_rng(3))
        rng = np.random.default_rng(3)
        prior, weights = rng.standard_gamma(strength, 7), rng.standard_exponential((len(d), 7))
        for sample in range(7):
            w = np.concatenate(([prior[sample]], weights[:, sample]))
            w /= w.sum()
            z = np.concatenate(([0.0], d))
            above = sum(w[i] * w[j] for i in range(len(z)) for j in range(len(z)) if (z[i] + z[j]) / 2 > rope)
            below = sum(w[i] * w[j] for i in range(len(z)) for j in range(len(z)) if (z[i] + z[j]) / 2 < -rope)
            np.testing.assert_allclose(shares[sample], [above, 1 - above - below, below], atol=1e-12)

    def test_one_against_the_prior_by_hand(self):
        # d = 1, 1 and the prior's 0 with weight w: only the pair (0, 0) is a tie, so 1 - w^2 speaks for the first,
        # which is more than w^2 if w < 0.7071; w is Beta(1, 2), below that with probability 1 - (1 - 0.7071)^2.
        posterior = bayesian_signed_rank([1, 1], [0, 0], larger_is_better=True, prior_strength=1, n_samples=200_000)
        assert posterior.first_better == pytest.approx(1 - (1 - 0.5**0.5) ** 2, abs=0.003)
        assert posterior.second_better == 0

    @pytest.mark.parametrize("rope", [0.0, 0.01])
    @pytest.mark.parametrize(("n", "shift"), [(8, 0.015), (30, 0.005)])
    def test_as_baycomp_has_it(self, rope, n, shift):
        first, second = paired(n, n, shift)
        ours = bayesian_signed_rank(first, second, rope=rope, larger_is_better=True)
        theirs = baycomp.SignedRankTest.probs(first, second, rope, nsamples=20_000, random_state=1)
        if rope == 0:
            theirs = (theirs[0], 0, theirs[1])
        # Four standard errors of the difference between the two samples.
        np.testing.assert_allclose(chances(ours), theirs, atol=4 * 0.5 * (1 / 20_000 + 1 / 50_000) ** 0.5)

    def test_all_ties_are_equivalent(self):
        assert chances(bayesian_signed_rank([1, 2, 3], [1, 2, 3], larger_is_better=True)) == (0, 1, 0)
        rounding = bayesian_signed_rank([0.1 + 0.2, 0.5], [0.3, 0.5], larger_is_better=True)
        assert chances(rounding) == (0, 1, 0)

    def test_the_border_of_the_rope_belongs_to_it(self):
        # 0.81 - 0.8 and others like it are a little off 0.01 in binary.
        second = np.array([0.8, 0.7, 0.9, 0.33, 0.5])
        first = np.array([0.81, 0.71, 0.91, 0.34, 0.51])
        assert (first - second > 0.01).any()
        assert chances(bayesian_signed_rank(first, second, rope=0.01, larger_is_better=True)) == (0, 1, 0)
        assert bayesian_signed_rank(first, second, rope=0.00999, larger_is_better=True).first_better > 0.5

    def test_a_large_score_does_not_hide_small_differences(self):
        first, second = np.array([1e12, 3e-5, 3e-5, 3e-5]), np.array([1e12, 1e-5, 1e-5, 1e-5])  # wins and a tie
        assert bayesian_signed_rank(first, second, larger_is_better=True).first_better > 0.9

    @given(differences, st.sampled_from([0.0, 0.3]), st.randoms(use_true_random=False))
    @settings(deadline=None, max_examples=40)
    def test_order_direction_and_exchange(self, steps, rope, random):
        d = np.array(steps)
        given_ = bayesian_signed_rank(d, 0 * d, rope=rope, larger_is_better=True, n_samples=500)
        assert sum(chances(given_)) == pytest.approx(1)
        order = random.sample(range(len(d)), len(d))
        shuffled = bayesian_signed_rank(d[order], 0 * d, rope=rope, larger_is_better=True, n_samples=500)
        assert chances(shuffled) == chances(given_)
        negated = bayesian_signed_rank(-d, 0 * d, rope=rope, larger_is_better=False, n_samples=500)
        assert chances(negated) == chances(given_)
        if sorted(d) != sorted(-d):  # samples of what is its own mirror image are mirrored by chance only
            exchanged = bayesian_signed_rank(0 * d, d, rope=rope, larger_is_better=True, n_samples=500)
            assert chances(exchanged) == chances(given_)[::-1]

    def test_seeds(self):
        first, second = paired(6, 12)
        same = [bayesian_signed_rank(first, second, larger_is_better=True, random_state=5) for _ in range(2)]
        np.testing.assert_array_equal(same[0].shares, same[1].shares)
        other = bayesian_signed_rank(first, second, larger_is_better=True, random_state=np.random.default_rng(5))
        np.testing.assert_array_equal(other.shares, same[0].shares)
        different = bayesian_signed_rank(first, second, larger_is_better=True, random_state=6)
        assert not np.array_equal(different.shares, same[0].shares)

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"rope": -0.1}, r"rope=-0\.1 is out of range"),
            ({"prior_strength": -1}, "prior_strength=-1 is out of range"),
            ({"n_samples": 0}, "n_samples=0 is too small"),
            ({"random_state": "x"}, "random_state='x'"),
            ({"first": [1, np.nan, 2]}, "first has nan at position 1"),
            ({"first": np.ones((3, 5))}, "take means over runs first"),
        ],
    )
    def test_bad_input(self, changes, message):
        arguments = {"first": [1, 2, 3], "second": [1, 1, 1], "larger_is_better": True} | changes
        with pytest.raises(ValueError, match=message):
            bayesian_signed_rank(arguments.pop("first"), arguments.pop("second"), **arguments)


class TestCorrelatedT:
    @pytest.mark.parametrize("rope", [0.0, 0.01])
    @pytest.mark.parametrize("repeats", [1, 10])
    def test_as_baycomp_has_it(self, rope, repeats):
        first, second = paired(repeats, 10 * repeats, spread=0.05)
        ours = bayesian_correlated_t(first, second, n_train=9, n_test=1, rope=rope, larger_is_better=True)
        theirs = baycomp.CorrelatedTTest(first, second, rope, runs=repeats).probs()
        expected = theirs if rope else (theirs[0], 0, theirs[1])
        np.testing.assert_allclose(chances(ours), expected, atol=1e-12)
        by_fold = first.reshape(repeats, 10), second.reshape(repeats, 10)
        folds = bayesian_correlated_t(*by_fold, n_train=90, n_test=10, rope=rope, larger_is_better=True)
        np.testing.assert_allclose(chances(folds), chances(ours))

    def test_by_hand(self):
        # d = 1 ... 5 has mean 3 and variance 2.5; rho = 1/6, (1/5 + 1/5) * 2.5 = 1: Student of scale 1 around 3.
        posterior = bayesian_correlated_t([1, 2, 3, 4, 5], [0] * 5, n_train=5, n_test=1, rope=3, larger_is_better=True)
        assert posterior.correlation == pytest.approx(1 / 6)
        assert (posterior.mean_difference, posterior.degrees_of_freedom) == (3, 4)
        assert posterior.scale == pytest.approx(1)
        assert posterior.first_better == pytest.approx(0.5)
        assert posterior.second_better == pytest.approx(0.00194, abs=5e-6)  # P(t_4 < -6)

    @given(st.integers(0, 500), st.booleans())
    @settings(deadline=None, max_examples=30)
    def test_without_a_rope_it_is_the_corrected_t_test(self, seed, larger):
        first, second = paired(seed, 15)
        arguments = {"n_train": 80, "n_test": 20, "larger_is_better": larger}
        posterior = bayesian_correlated_t(first, second, **arguments)
        tail = corrected_t_test(first, second, **arguments).p_value / 2
        assert min(posterior.first_better, posterior.second_better) == pytest.approx(tail)
        assert sum(chances(posterior)) == pytest.approx(1)
        assert (posterior.first_better > 0.5) == ((posterior.mean_difference > 0) == larger)
        assert posterior.equivalent == pytest.approx(0, abs=1e-12)

    def test_exchange_and_direction(self):
        first, second = paired(9, 20)
        arguments = {"n_train": 9, "n_test": 1, "rope": 0.01}
        plain = bayesian_correlated_t(first, second, larger_is_better=True, **arguments)
        exchanged = bayesian_correlated_t(second, first, larger_is_better=True, **arguments)
        other = bayesian_correlated_t(first, second, larger_is_better=False, **arguments)
        np.testing.assert_allclose(chances(plain), chances(exchanged)[::-1])
        np.testing.assert_allclose(chances(plain), chances(other)[::-1])

    @pytest.mark.parametrize(
        ("difference", "rope", "expected"),
        [
            (0.0, 0.0, (0, 1, 0)),
            (0.0, 0.1, (0, 1, 0)),
            (0.01, 0.0, (1, 0, 0)),
            (0.01, 0.01, (0, 1, 0)),
            (-0.01, 0.005, (0, 0, 1)),
        ],
    )
    def test_no_variance(self, difference, rope, expected):
        second = np.array([0.8, 0.7, 0.9, 0.33])
        posterior = bayesian_correlated_t(
            second + difference, second, n_train=9, n_test=1, rope=rope, larger_is_better=True
        )
        assert posterior.scale == 0
        assert chances(posterior) == expected

    def test_a_step_by_hand(self):
        # Four equal differences of a step of 0.1: the variance of rounding is 0.01/12, and 1/4 + 1/9 = 13/36.
        second = np.array([0.8, 0.7, 0.9, 0.3])
        arguments = {"n_train": 9, "n_test": 1, "larger_is_better": True, "step": 0.1}
        posterior = bayesian_correlated_t(second + 0.1, second, **arguments)
        assert posterior.scale == pytest.approx(0.1 * np.sqrt(13 / 36 / 12))
        assert posterior.first_better == pytest.approx(stats.t.cdf(np.sqrt(12 * 36 / 13), 3))
        assert bayesian_correlated_t(second, second, **arguments).equivalent == 1
        wide = second + np.array([0.3, 0.0, 0.1, 0.2])  # which vary by more
        without = bayesian_correlated_t(wide, second, **arguments | {"step": 0.0})
        assert bayesian_correlated_t(wide, second, **arguments).scale == without.scale
        with pytest.raises(ValueError, match=r"step=-0\.1 is out of range"):
            bayesian_correlated_t(wide, second, **arguments | {"step": -0.1})


def test_text_and_table_say_the_same():
    first, second = paired(9, 20)
    for posterior in (
        bayesian_correlated_t(first, second, n_train=9, n_test=1, rope=0.01, larger_is_better=True),
        bayesian_signed_rank(first, second, rope=0.01, larger_is_better=True),
    ):
        row = posterior.table().to_frame().iloc[0]
        assert tuple(row) == chances(posterior)
        assert "20 pairs of scores (larger is better, differences up to 0.01 are equivalent)" in str(posterior)
        for cell in str(posterior.table()).splitlines()[4].split()[-3:]:
            assert cell in str(posterior)
            assert cell in posterior.table().to_latex()
    assert "smaller is better, only ties" in str(bayesian_signed_rank([1, 2], [2, 3], larger_is_better=False))
