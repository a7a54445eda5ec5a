from __future__ import annotations

import numpy as np
import pytest

from covey.analysis.diversity import pairs as differences
from covey.analysis.diversity.pairs import differing_cases


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
