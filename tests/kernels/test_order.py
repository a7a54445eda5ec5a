"""The order of rows by a column, beside NumPy's."""

import numpy as np
import pytest

from covey.kernels.order import order_rows


@pytest.mark.parametrize("n_rows", [0, 1, 2, 100, 5000])
@pytest.mark.parametrize("largest", [1, 2**11, 2**12, 2**40, 2**63 - 1])
def test_rows_are_sorted_and_equals_stay_in_order(n_rows, largest):
    image = np.random.default_rng(n_rows).integers(-largest, largest, n_rows)
    order = np.arange(n_rows, dtype=np.int32)
    expected = np.argsort(image.view(np.uint64), kind="stable")
    order_rows(image, order, np.empty_like(image), np.empty_like(order))
    np.testing.assert_array_equal(order, expected)
