"""Measures of each two members: by hand, by plain loops, and as scikit-learn has them."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from analysis.diversity.ballots import PREDICTIONS, TRUTH, ballots
from covey.analysis.diversity import kappa_error_points, pairs as differences, pairwise
from covey.analysis.diversity.pairs import PAIR_MEASURES, differing_cases

QUICK = settings(deadline=None, max_examples=60)


def test_pairs_worked_by_hand():
    # Right are the members about cases 1 2 3; 1 2 4; 1 3.
    pairs = pairwise(PREDICTIONS, TRUTH)
    np.testing.assert_allclose(pairs.errors, [0.4, 0.4, 0.6])
    np.testing.assert_allclose(pairs.mean_error, [[0.4, 0.4, 0.5], [0.4, 0.4, 0.5], [0.5, 0.5, 0.6]])
    np.testing.assert_allclose(pairs.agreement, [[1, 0.4, 0.6], [0.4, 1, 0.2], [0.6, 0.2, 1]])
    # Of a, b and c they name 4 1 0; 2 1 2; 2 3 0.
    beyond = [(10 - 9) / (25 - 9), (15 - 11) / (25 - 11), (5 - 7) / (25 - 7)]
    np.testing.assert_allclose([pairs.kappa[0, 1], pairs.kappa[0, 2], pairs.kappa[1, 2]], beyond)
    np.testing.assert_allclose(pairs.both_right, [[0.6, 0.4, 0.4], [0.4, 0.6, 0.2], [0.4, 0.2, 0.4]])
    np.testing.assert_allclose(pairs.disagreement, [[0, 0.4, 0.2], [0.4, 0, 0.6], [0.2, 0.6, 0]])
    np.testing.assert_allclose(pairs.double_fault, [[0.4, 0.2, 0.4], [0.2, 0.4, 0.2], [0.4, 0.2, 0.6]])
    np.testing.assert_allclose(pairs.q_statistic, [[1, 1 / 3, 1], [1 / 3, 1, -1 / 3], [1, -1 / 3, 1]])
    np.testing.assert_allclose(pairs.correlation, [[1, 1 / 6, 2 / 3], [1 / 6, 1, -1 / 6], [2 / 3, -1 / 6, 1]])
    assert pairs.mean("disagreement") == pytest.approx(0.4)
    assert pairs.mean("kappa") == pytest.approx(sum(beyond) / 3)


def twin(one, other, y):
    """What the formulas give for two members, by plain loops and whole numbers; 0/0 as documented."""
    n = len(y)
    cases = list(zip(one, other, y, strict=True))
    same = sum(p == q for p, q, _ in cases)
    expected = sum(one.count(label) * other.count(label) for label in {*one, *other})
    a = sum(p == t and q == t for p, q, t in cases)
    b = sum(p == t and q != t for p, q, t in cases)
    c = sum(p != t and q == t for p, q, t in cases)
    d = n - a - b - c
    return {
        "agreement": same / n,
        "kappa": 1 if expected == n * n else float(Fraction(n * same - expected, n * n - expected)),
        "q_statistic": (a * d - b * c) / (a * d + b * c) if a * d + b * c else 0,
        "correlation": (a * d - b * c) / sqrt(below) if (below := (a + b) * (c + d) * (a + c) * (b + d)) else 0,
        "disagreement": (b + c) / n,
        "double_fault": d / n,
        "both_right": a / n,
        "mean_error": ((c + d) / n + (b + d) / n) / 2,
    }


@QUICK
@given(ballots())
def test_every_measure_is_that_of_plain_loops(drawn):
    predictions, y, _ = drawn
    members = list(zip(*predictions, strict=True))
    pairs = pairwise(predictions, y)
    expected = {at: twin(members[at[0]], members[at[1]], y) for at in np.ndindex(len(members), len(members))}
    for name in PAIR_MEASURES:
        matrix = getattr(pairs, name)
        for at, values in expected.items():
            assert matrix[at] == pytest.approx(values[name], abs=1e-12)
        others = [expected[pair][name] for pair in combinations(range(len(members)), 2)]
        assert pairs.mean(name) == pytest.approx(np.mean(others), abs=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3, 26, 300])
def test_kappa_and_correlation_are_those_of_scikit_learn(n_classes):
    random = np.random.default_rng(n_classes)
    y = random.integers(n_classes, size=1000)
    said = np.where(
        random.random((1000, 5)) < [0.9, 0.7, 0.5, 0.3, 0.0], y[:, None], random.integers(n_classes, size=(1000, 5))
    )
    pairs = pairwise(said, y)
    right = said == y[:, None]
    for one, other in combinations(range(5), 2):
        assert pairs.kappa[one, other] == pytest.approx(cohen_kappa_score(said[:, one], said[:, other]), abs=1e-12)
        phi = matthews_corrcoef(right[:, one], right[:, other])
        assert pairs.correlation[one, other] == pytest.approx(phi, abs=1e-12)


def test_what_is_undefined_has_the_value_documented():
    """The first two members name one class for all cases; the third is always right, the last always wrong."""
    y = [0, 1, 0, 1]
    pairs = pairwise([[0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 1, 0]], y)
    assert pairs.kappa[0, 1] == 1
    assert pairs.kappa[0, 2] == 0
    assert pairs.kappa[2, 3] == -1
    assert pairs.q_statistic[2, 2] == pairs.q_statistic[2, 3] == pairs.q_statistic[0, 2] == 0
    assert pairs.q_statistic[0, 1] == 1
    assert pairs.correlation[2, 3] == pairs.correlation[0, 2] == 0 == matthews_corrcoef([1, 1, 1, 1], [1, 0, 1, 0])
    assert all(np.isfinite(getattr(pairs, name)).all() for name in PAIR_MEASURES)


def test_text_and_table_tell_the_same():
    pairs = pairwise(PREDICTIONS, TRUTH)
    frame = pairs.table().frame
    assert list(frame.index) == list(PAIR_MEASURES.values())
    np.testing.assert_allclose(frame.loc["disagreement"], [0.4, 0.2, 0.6])
    assert str(pairs).startswith("3 pairs of 3 members on 5 cases")
    for name, row in frame.iterrows():
        assert f"{name} {row['mean']:.3f}" in str(pairs)


def test_a_point_for_each_pair():
    points = kappa_error_points(PREDICTIONS, TRUTH)
    assert len(points) == 3
    assert list(zip(points.first, points.second, strict=True)) == list(combinations(range(3), 2))
    np.testing.assert_allclose(points.kappa, [1 / 16, 4 / 14, -2 / 18])
    np.testing.assert_allclose(points.error, [0.4, 0.5, 0.5])


def test_kappa_error_text_and_table_tell_the_same():
    points = kappa_error_points(PREDICTIONS, TRUTH)
    frame = points.table().frame
    np.testing.assert_array_equal(frame["kappa"], points.kappa)
    np.testing.assert_array_equal(frame[["first", "second"]], [[0, 1], [0, 2], [1, 2]])
    assert str(points).startswith("3 pairs of members")
    assert f"error {frame['error'].mean():.3f} (0.400 to 0.500)" in str(points)


@pytest.mark.parametrize("n_cases", [1, 7, 8, 63, 64, 65, 200, 1000])
@pytest.mark.parametrize(("n_classes", "kind"), [(1, "u1"), (2, "u1"), (3, "u1"), (26, "u1"), (256, "u1"), (700, "u2")])
@pytest.mark.parametrize("block", [64, 128, differences.BLOCK])
def test_counts_are_those_of_comparing_labels(n_cases, n_classes, kind, block, monkeypatch):
    monkeypatch.setattr(differences, "BLOCK", block)
    random = np.random.default_rng(n_cases)
    codes = random.integers(n_classes, size=(6, n_cases)).astype(kind)
    codes[1] = np.where(random.random(n_cases) < 0.9, codes[0], codes[1])  # two that mostly agree, and two that do
    codes[5] = codes[4]
    expected = (codes[:, None] != codes).sum(axis=2)
    found = differing_cases(codes)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, expected)


def test_truth_values_are_codes_too():
    right = np.random.default_rng(0).random((5, 300)) < 0.7
    np.testing.assert_array_equal(differing_cases(right), (right[:, None] != right).sum(axis=2))


def test_classes_far_apart_and_codes_that_are_no_contiguous_array():
    codes = np.array([[0, 70_000, 3, 9], [65_536, 70_000, 2, 9], [0, 4_464, 3, 9]], dtype=np.uint32)
    expected = [[0, 2, 1], [2, 0, 3], [1, 3, 0]]
    np.testing.assert_array_equal(differing_cases(codes), expected)
    np.testing.assert_array_equal(differing_cases(np.asfortranarray(codes)), expected)
    np.testing.assert_array_equal(differing_cases(np.asfortranarray(codes % 2 == 1)), [[0, 1, 0], [1, 0, 1], [0, 1, 0]])
