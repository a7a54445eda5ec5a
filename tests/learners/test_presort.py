import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from covey import C45Classifier
from covey.learners import presort as module
from covey.learners.presort import presort
from covey.table import Table, as_table
from covey.table.schema import Schema

cells = st.sampled_from([-1e300, -2.5, -0.0, 0.0, 5e-324, 1.0, np.nextafter(1.0, 2.0), 3.0, 1e300, np.nan])
matrices = st.tuples(st.integers(1, 12), st.integers(1, 4)).flatmap(lambda shape: arrays(float, shape, elements=cells))


@given(matrices)
@settings(derandomize=True, deadline=None)
def test_ranks_and_order_are_those_of_numpy(matrix):
    data = presort(as_table(matrix))
    assert data.keys.shape == data.values.shape == matrix.T.shape
    np.testing.assert_array_equal(data.place, np.arange(matrix.shape[1]))
    for j, column in enumerate(matrix.T):
        missing = np.isnan(column)
        distinct, rank = np.unique(column[~missing], return_inverse=True)
        np.testing.assert_array_equal(data.distinct[data.offset[j] : data.offset[j + 1]], distinct)
        np.testing.assert_array_equal(data.values[j][~missing], rank)
        np.testing.assert_array_equal(data.values[j][missing], -1)
        np.testing.assert_array_equal(data.keys[j] & (2**31 - 1), np.argsort(column, kind="stable"))
        np.testing.assert_array_equal(data.keys[j] >> 32, [*np.sort(rank), *[2**31 - 1] * missing.sum()])


def test_values_close_to_the_next_smaller_one_are_marked():
    keys = presort(as_table(np.array([[0.5], [0.50001], [0.5 + 3e-6], [0.6], [np.nan]]))).keys[0]
    assert (keys >> 31 & 1).tolist() == [0, 1, 1, 0, 0]


@given(
    arrays(float, st.tuples(st.integers(1, 40), st.integers(1, 3)), elements=st.integers(0, 60).map(lambda k: k * 3e-6))
)
@settings(derandomize=True, deadline=None)
def test_ranks_that_differ_by_so_much_are_of_values_that_are_apart(matrix):
    data = presort(as_table(matrix))
    for j, apart in enumerate(data.apart.tolist()):
        values = data.distinct[data.offset[j] : data.offset[j + 1]]
        assert all(values[low] + 1e-5 < values[high] for high in range(len(values)) for low in range(high - apart + 1))
        near = [(low, high) for high in range(len(values)) for low in range(high) if values[low] + 1e-5 >= values[high]]
        assert apart <= 2 * max((high - low for low, high in near), default=0.5)


def test_nothing_is_close_in_a_column_of_small_numbers():
    keys = presort(as_table(np.array([[1e-6], [2e-6], [3e-6]]))).keys[0]
    assert (keys >> 31 & 1).tolist() == [0, 0, 0]


def test_categories_are_not_sorted():
    schema = Schema(("a", "b", "c"), (np.array(["p", "q", "r"]), None, np.array([], dtype=str)))
    table = Table(np.array([[2.0, 7.0, np.nan], [np.nan, 5.0, np.nan], [0.0, 6.0, np.nan]]), schema)
    data = presort(table)
    assert data.values.tolist() == [[2, -1, 0], [2, 0, 1], [-1, -1, -1]]
    assert data.n_values.tolist() == [3, 0, 1]
    assert data.place.tolist() == [-1, 0, -1]
    assert data.keys.shape == (1, 3)


@pytest.fixture
def sorted_tables(monkeypatch):
    """The tables that were sorted from scratch."""
    found, sort = [], module._sort

    def count(table):
        found.append(table)
        return sort(table)

    monkeypatch.setattr(module, "_sort", count)
    return found


def test_a_table_is_sorted_once(sorted_tables):
    X, y = np.random.default_rng(0).normal(size=(30, 4)), np.arange(30) % 2
    table = as_table(X)
    first = C45Classifier().fit(table, y)
    C45Classifier(pruning=False).fit(table, y, np.arange(30.0))
    assert sorted_tables == [table]
    assert presort(table) is presort(table)
    np.testing.assert_array_equal(first.predict(X), C45Classifier().fit(X, y).predict(X))


def test_a_table_of_some_columns_takes_over_the_order(sorted_tables):
    rng = np.random.default_rng(1)
    schema = Schema(tuple("abcd"), (None, np.array(["p", "q"]), None, None))
    X, y = np.column_stack([rng.normal(size=40), rng.integers(0, 2, 40), rng.integers(0, 5, 40), rng.random(40)]), None
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, 3, 40)
    table = Table(X, schema)
    columns = np.array([3, 1, 0, 3])
    part = table.take(columns)
    shared = C45Classifier(pruning=False).fit(part, y).tree_
    assert sorted_tables == [table]
    alone = C45Classifier(pruning=False).fit(Table(X[:, columns], schema.take(columns)), y).tree_
    assert len(sorted_tables) == 2
    for name, array in alone.__getstate__().items():
        np.testing.assert_array_equal(getattr(shared, name), array, err_msg=name)


@pytest.mark.parametrize("n_rows", [1, 2, 50])
def test_columns_sorted_together_are_as_those_sorted_one_by_one(monkeypatch, n_rows):
    rng = np.random.default_rng(0)
    matrix = np.hstack(
        [
            rng.normal(size=(n_rows, 5)),
            -0.0 * rng.normal(size=(n_rows, 1)),
            rng.integers(0, 3, (n_rows, 3)),  # ties, and two columns of categories
            rng.integers(0, 30, (n_rows, 3)) * 4e-6 + (rng.random((n_rows, 3)) < 0.1),  # values within 1e-5
        ]
    )
    matrix[rng.random(matrix.shape) < 0.2] = np.nan
    matrix[:, 2] = np.nan
    monkeypatch.setattr(module, "TOGETHER", 3 * n_rows)
    table = as_table(matrix, categorical_features=[7, 8])
    together = presort(table)
    monkeypatch.setattr(module, "FEW_ROWS", 0)
    for left, right in zip(together.arrays, presort(as_table(matrix, categorical_features=[7, 8])).arrays, strict=True):
        assert left.dtype == right.dtype
        assert left.shape == right.shape
        assert left.tobytes() == right.tobytes()
