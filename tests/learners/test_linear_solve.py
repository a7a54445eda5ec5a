from __future__ import annotations

import numpy as np
import pytest

from covey.learners.linear_solve import Factor, thin_svd


def test_a_factor_solves_and_knows_its_pivots_and_condition():
    matrix = np.array([[4.0, 2.0], [2.0, 5.0]])
    factor = Factor(matrix)
    np.testing.assert_allclose(factor.solve(np.array([8.0, 12.0])), [1.0, 2.0])
    assert factor.least_pivot == pytest.approx(0.8)  # 5 - 2 * 2 / 4 is 4 of 5
    assert factor.reciprocal_condition == pytest.approx(1 / np.linalg.cond(matrix, 1))


@pytest.mark.parametrize("matrix", [[[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [0.0, -1.0]]])
def test_a_matrix_without_a_factor_has_pivot_and_condition_0(matrix):
    factor = Factor(np.array(matrix))
    assert factor.least_pivot == factor.reciprocal_condition == 0.0


def test_singular_values_that_are_rounding_do_not_count():
    columns = np.random.default_rng(0).normal(size=(3, 40))
    columns[2] = columns[0] - columns[1]
    left, singular, right, rank = thin_svd(columns)
    assert rank == 2
    np.testing.assert_allclose(left * singular @ right, columns, atol=1e-12)


def test_more_columns_than_rows_and_none():
    assert thin_svd(np.random.default_rng(0).normal(size=(500, 7)))[0].shape == (500, 7)
    assert thin_svd(np.empty((0, 4)))[3] == 0
