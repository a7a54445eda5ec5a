"""Sorting of few numbers: as numpy sorts them, and nothing beyond them."""

from __future__ import annotations

import numpy as np
import pytest

from covey.kernels.sorting import sort_few


@pytest.mark.parametrize("n_numbers", [0, 1, 2, 3, 14, 200])
@pytest.mark.parametrize("kind", [np.float64, np.int64])
def test_numbers_are_sorted_and_those_after_them_left(n_numbers, kind):
    numbers = np.random.default_rng(0).integers(0, 50, size=n_numbers + 5).astype(kind)
    expected = np.concatenate([np.sort(numbers[:n_numbers]), numbers[n_numbers:]])
    sort = getattr(sort_few, "py_func", sort_few)  # numba compiles it as a part of kernels alone
    sort(numbers, n_numbers)
    assert numbers.tolist() == expected.tolist()
