import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from covey.table.source import open_source


def columns(source):
    return {j: read().values.tolist() for j, read in source.others.items()}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int8", "uint8", "int64", "uint64", "bool"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_numbers(dtype, order):
    X = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype, order=order)
    source = open_source(X)
    assert source.matrix.dtype == np.float64
    assert source.matrix.flags.c_contiguous
    assert source.names is None
    assert not source.others
    np.testing.assert_array_equal(source.matrix, X)


def test_an_array_that_fits_is_not_copied(numbers):
    numbers.flags.writeable = False
    source = open_source(numbers)
    assert source.matrix is numbers
    assert not source.owned


@pytest.mark.parametrize("names", [None, ["a", "b", "c"]])
def test_a_frame_around_an_array_that_fits_is_not_copied(numbers, names):
    source = open_source(pd.DataFrame(numbers, columns=names, copy=False))
    assert np.shares_memory(source.matrix, numbers)
    assert source.matrix.flags.c_contiguous
    assert not source.owned


def test_what_is_masked_is_missing():
    masked = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], mask=[[True, False], [False, False]])
    read = columns(open_source(masked))
    np.testing.assert_array_equal(read[0], [np.nan, 3])
    assert read[1] == [2, 4]


def test_rows_of_text_and_numbers_keep_their_types():
    read = columns(open_source([[1, "a", True], [2.5, None, False]]))
    assert read[0] == [1, 2.5]
    assert read[1][0] == "a"
    assert np.isnan(read[1][1])
    assert read[2] == [1, 0]


@pytest.mark.parametrize("dtype", ["U3", "S3", object, np.dtypes.StringDType()], ids=str)
def test_arrays_of_text(dtype):
    assert columns(open_source(np.array([["a", "b"], ["c", "d"]]).astype(dtype))) == {0: ["a", "c"], 1: ["b", "d"]}


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.zeros(3), ValueError, "Expected 2D array, got 1D array"),
        (np.zeros((2, 2, 2)), ValueError, "Found array with dim 3"),
        (np.zeros((0, 2)), ValueError, r"0 sample\(s\)"),
        (np.zeros((2, 0)), ValueError, r"0 feature\(s\)"),
        (np.zeros((0, 2), dtype=object), ValueError, r"0 sample\(s\)"),
        ([], ValueError, "Expected 2D array"),
        ([[1, "a"], [2]], ValueError, "inhomogeneous"),
        (None, ValueError, "Expected 2D array"),
        (3, ValueError, "Expected 2D array"),
        ("abc", ValueError, "Expected 2D array"),
        (pd.Series([1, 2]), ValueError, "Expected a 2-dimensional container"),
        (pl.Series([1, 2]), ValueError, "Expected 2D array"),
        (pd.DataFrame({"a": []}), ValueError, r"0 sample\(s\)"),
        (pd.DataFrame(index=[0, 1]), ValueError, r"0 feature\(s\)"),
        (pl.DataFrame(), ValueError, r"0 sample\(s\)"),
        (np.array([[1j]]), ValueError, "Complex data not supported"),
        (sparse.csr_array(np.eye(2)), TypeError, "Sparse data was passed for X, but dense data is required"),
        (sparse.coo_matrix(np.eye(2)), TypeError, "Sparse data was passed for X"),
        (np.zeros((2, 1), dtype="datetime64[D]"), TypeError, r"X is of type datetime64\[D\]"),
        (np.zeros((2, 1), dtype="timedelta64[s]"), TypeError, r"X is of type timedelta64\[s\]"),
        (np.zeros((2, 1), dtype=[("a", float)]), TypeError, "turn dates and records into numbers or text"),
        (pl.DataFrame({"a": [1]}).lazy(), TypeError, r"lazy frame; collect\(\) it first"),
        (pd.DataFrame({"when": pd.to_datetime(["2020-01-01"])}), TypeError, "column 'when' is of type Datetime"),
        (pd.DataFrame({"when": pd.to_timedelta([1])}), TypeError, "column 'when' is of type Duration"),
        (pl.DataFrame({"when": [datetime.date(2020, 1, 1)]}), TypeError, "column 'when' is of type Date"),
        (pl.DataFrame({"when": [datetime.time(1)]}), TypeError, "column 'when' is of type Time"),
        (pa.table({"when": [datetime.datetime(2020, 1, 1)]}), TypeError, "column 'when' is of type Datetime"),
        (pl.DataFrame({"a": [[1]]}), TypeError, "column 'a' is of type List"),
        (pl.DataFrame({"a": [{"b": 1}]}), TypeError, "column 'a' is of type Struct"),
        (pl.DataFrame({"a": [b"x"]}), TypeError, "column 'a' is of type Binary"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "columns of the same name; rename them"),
        (pd.DataFrame([[1, 2]], columns=["1", 1]), ValueError, "columns of the same name, read as text; rename them"),
    ],
)
def test_what_is_no_table_of_rows_is_refused(X, error, message):
    with pytest.raises(error, match=message):
        open_source(X)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
def test_plain_columns_are_read_together_and_others_singly(make):
    source = open_source(make({"n": [1, 2], "text": ["a", "b"], "flag": [True, False], "x": [0.5, 1.5]}))
    assert source.names == ("n", "text", "flag", "x")
    assert list(source.others) == [1]
    assert source.owned
    np.testing.assert_array_equal(source.matrix[:, [0, 2, 3]], [[1, 1, 0.5], [2, 0, 1.5]])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("flags", [[True, False], [True, None]], ids=["complete", "with gaps"])
def test_one_boolean_among_thousands_of_numbers_does_not_make_them_singles(make, flags):
    data = {f"x{j}": np.arange(2.0) for j in range(3000)}
    source = open_source(make(data | {"flag": flags}))
    assert set(source.others) <= {3000}


def test_int_names_are_read_as_text():
    assert open_source(pd.DataFrame([[1, 2]], columns=[10, 20])).names == ("10", "20")
