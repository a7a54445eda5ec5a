from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.exceptions import DataConversionWarning

from covey.table import check_numeric_target, check_weight, encode_classes

BOTH = pytest.mark.parametrize("read", [encode_classes, check_numeric_target])
labels = st.one_of(
    *(st.lists(one, min_size=1, max_size=9) for one in (st.integers(-5, 5), st.text(max_size=3), st.booleans()))
)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["b", "a", "b"], ["a", "b"]),
        (np.array(["b", "a", "b"], dtype=object), ["a", "b"]),
        (np.array(["b", "a", "b"], dtype=np.dtypes.StringDType()), ["a", "b"]),
        (pd.Series(["b", "a", "b"]), ["a", "b"]),
        (pd.Series(["b", "a", "b"], dtype="string"), ["a", "b"]),
        (pd.Series(["b", "a", "b"], dtype="category"), ["a", "b"]),
        (pd.Categorical(["b", "a", "b"], categories=["c", "b", "a"]), ["a", "b"]),
        (pl.Series(["b", "a", "b"]), ["a", "b"]),
        (pl.Series(["b", "a", "b"], dtype=pl.Categorical), ["a", "b"]),
        (pl.Series(["b", "a", "b"], dtype=pl.Enum(["c", "b", "a"])), ["a", "b"]),
        (pa.array(["b", "a", "b"]), ["a", "b"]),
        (pa.chunked_array([["b"], ["a", "b"]]).dictionary_encode(), ["a", "b"]),
        ([7, -1, 7], [-1, 7]),
        ([7.0, -1.0, 7.0], [-1.0, 7.0]),
        (np.array([7, 0, 7], dtype=np.uint8), [0, 7]),
        (pd.Series([7, -1, 7], dtype="Int64"), [-1, 7]),
        (pd.Series([7, -1, 7], dtype="category"), [-1, 7]),
        (pl.Series([7, -1, 7]), [-1, 7]),
        ([True, False, True], [False, True]),
        (pd.Series([True, False, True], dtype="boolean"), [False, True]),
        (np.array([True, False, True], dtype=object), [False, True]),
        (pl.Series([True, False, True]), [False, True]),
        (np.ma.masked_array([7, -1, 7], mask=False), [-1, 7]),
    ],
    ids=lambda value: f"{type(value).__module__.split('.')[0]}-{getattr(value, 'dtype', '')}",
)
def test_labels_of_every_kind(y, classes):
    sorted_classes, codes = encode_classes(y)
    assert sorted_classes.tolist() == classes
    assert [type(label) for label in sorted_classes.tolist()] == [type(label) for label in classes]
    assert codes.tolist() == [1, 0, 1]


@given(labels)
@settings(derandomize=True, deadline=None)
def test_codes_lead_back_to_the_labels(y):
    y = [label.replace("\0", "") if isinstance(label, str) else label for label in y]
    classes, codes = encode_classes(y)
    assert classes[codes].tolist() == y
    assert classes.tolist() == sorted(set(y))


@pytest.mark.parametrize(
    "y",
    [
        ["a", None],
        ["a", np.nan],
        [1, None],
        [1.0, np.nan],
        np.array(["a", pd.NA], dtype=object),
        pd.Series(["a", None]),
        pd.Series(["a", None], dtype="string"),
        pd.Series(["a", None], dtype="category"),
        pd.Series([1, None], dtype="Int64"),
        pd.Series([True, None], dtype="boolean"),
        pl.Series(["a", None]),
        pl.Series([1, None]),
        pl.Series([True, None]),
        pa.array(["a", None]),
        pa.array(["a", None]).dictionary_encode(),
        np.ma.masked_array([1, 2], mask=[False, True]),
    ],
    ids=lambda value: f"{type(value).__module__.split('.')[0]}-{getattr(value, 'dtype', '')}",
)
@BOTH
def test_missing_labels_are_named_with_their_row(read, y):
    with pytest.raises(ValueError, match="Input y contains NaN: row 1 has no value; drop them first"):
        read(y)


MIXED, REAL = "Input y mixes text and numbers as labels; make them all text", "Unknown label type: continuous"


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (pd.Series([(1, 2), (3, 4)]), "a label of type tuple; labels must be numbers, booleans or text"),
        (pd.Series([{}, {}]), "a label of type dict"),
        (np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"), r"datetime64\[D\] labels; labels must be"),
        *((y, MIXED) for y in ([1, "a"], ["a", 2.5], np.array(["a", 1], dtype=object), pd.Series([True, "a"]))),
        *((y, REAL) for y in ([0.5, 1.5], pd.Series([0.5, 1.5], dtype="Float64"), pl.Series([0.5, 2]))),
    ],
)
def test_other_labels_are_refused(y, message):
    with pytest.raises(ValueError, match=message):
        encode_classes(y)


@BOTH
@pytest.mark.parametrize("y", [np.array([[1], [0]]), pd.DataFrame({"y": [1, 0]})], ids=["array", "frame"])
def test_a_column_vector_warns_as_in_scikit_learn(read, y):
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d array was expected"):
        read(y)


@BOTH
@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed"),
        (np.ones((2, 2)), "y should be a 1d array"),
        (3, "y should be a 1d array"),
        ([1.0, *[np.nan] * 5], r"5 rows \(1, 2, 3, \.\.\.\) have no value"),
        ([1.0, 2.0, -np.inf], "Input y contains infinity: row 2 has an infinite value"),
    ],
)
def test_what_is_no_vector_of_values_is_refused(read, y, message):
    with pytest.raises(ValueError, match=message):
        read(y)


@pytest.mark.parametrize(
    "y",
    [
        [1.5, 2],
        (1.5, 2),
        np.array([1.5, 2], dtype=np.float32),
        np.array([1.5, 2], dtype=object),
        pd.Series([1.5, 2], dtype="Float64"),
        pl.Series([Decimal("1.5"), Decimal("2.0")]),
        pa.array([1.5, 2.0]),
    ],
    ids=lambda value: f"{type(value).__module__.split('.')[0]}-{getattr(value, 'dtype', '')}",
)
def test_numeric_targets(y):
    numbers = check_numeric_target(y)
    assert numbers.dtype == np.float64
    np.testing.assert_array_equal(numbers, [1.5, 2])


@pytest.mark.parametrize(
    "y",
    [
        ["a", "b"],
        np.array(["a", "b"]),
        np.array([1, "a"], dtype=object),
        np.array([10**400, 1], dtype=object),
        np.array([{}, 1], dtype=object),
        np.array(["2020-01-01"], dtype="datetime64[D]"),
    ],
    ids=repr,
)
def test_targets_that_are_no_numbers_are_refused(y):
    with pytest.raises(ValueError, match="Input y must be numbers for a regression"):
        check_numeric_target(y)


ROWS = np.zeros((3, 2))


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (None, [1, 1, 1]),
        (2, [2, 2, 2]),
        ([1, 0, 2], [1, 0, 2]),
        ([True, False, True], [1, 0, 1]),
        (np.array([1, 0, 2], dtype=np.float32), [1, 0, 2]),
        (pd.Series([1, 0, 2]), [1, 0, 2]),
        (pl.Series([1, 0, 2]), [1, 0, 2]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_weights_become_float64(weights, expected):
    checked = check_weight(weights, ROWS)
    assert checked.dtype == np.float64
    np.testing.assert_array_equal(checked, expected)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2], r"sample_weight.shape == \(2,\), expected \(3,\)"),
        (np.ones((3, 1)), "Sample weights must be 1D array or scalar"),
        ([1, -0.5, -2], r"Negative values in data passed to sample_weight: -0.5 at row 1; use 0 or more"),
        ([1, np.nan, 1], "Input sample_weight contains NaN"),
        ([1, np.inf, 1], "Input sample_weight contains infinity"),
        (pd.Series([1, None, 1], dtype="Int64"), "Input sample_weight contains NaN"),
        ([0, 0, 0], "(?i)sample.weight.*zero"),
        (0.0, "(?i)sample.weight.*zero"),
        ([1e308, 1e308, 1e308], "sample_weight adds up to inf, too much to reckon with; divide it by a constant"),
        (["a", "b", "c"], "could not convert string to float"),
    ],
    ids=str,
)
def test_unusable_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=message):
        check_weight(weights, ROWS)
