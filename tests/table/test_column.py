from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.table.column import (
    Column,
    category_list,
    column_from_objects,
    encode_categories,
    observed_categories,
)

numbers = st.one_of(st.booleans(), st.integers(-(2**70), 2**70), st.floats(-1e6, 1e6), st.just(Decimal("1.50")))
cells = st.one_of(numbers, st.text("ab1. ", max_size=3), st.none())


def objects(*values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def read(*values):
    return column_from_objects(objects(*values), "age")


@pytest.mark.parametrize(
    "values",
    [
        (1, 2.5, None),
        (True, np.int8(2), np.nan),
        (Decimal("1.5"), pd.NA),
        (Fraction(1, 2), pd.NaT),
        (np.True_,),
        (None,),
    ],
    ids=repr,
)
def test_numbers_stay_numbers(values):
    column = read(*values)
    expected = [np.nan if pd.isna(value) else float(value) for value in values]
    assert column.values.dtype == np.float64
    np.testing.assert_array_equal(column.values, expected)
    assert not column.is_categorical


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (("a", None, "b"), ["a", None, "b"]),
        ((np.str_("a"), pd.NA), ["a", None]),
        ((1, "a"), ["1", "a"]),
        ((1.0, True, "1", 2.5), ["1", "1", "1", "2.5"]),
        ((b"ab", "c"), ["ab", "c"]),
    ],
    ids=repr,
)
def test_text_among_the_values_makes_them_text(values, expected):
    column = read(*values)
    assert column.is_text
    assert column.is_categorical
    assert [None if value != value else value for value in column.values] == expected


@pytest.mark.parametrize(
    ("value", "kind"), [({}, "dict"), ([1], "list"), (1j, "complex"), (object(), "object"), ((1, 2), "tuple")]
)
def test_other_cells_are_refused_with_column_and_type(value, kind):
    for others in ((), ("text",), (1.5,)):
        with pytest.raises(TypeError, match=f"column 'age' holds a value of type {kind}"):
            read(value, *others)


def test_numbers_beyond_float64_are_refused():
    for others in ((), ("text",)):
        with pytest.raises(ValueError, match="column 'age' holds a number too large for float64"):
            read(10**400, *others)


@given(st.lists(cells, min_size=1, max_size=8))
@settings(derandomize=True, deadline=None)
def test_a_cell_has_the_same_code_alone_and_among_others(values):
    column = read(*values)
    categories = observed_categories(column)
    together = encode_categories(column, categories, "age")
    alone = [encode_categories(read(value), categories, "age")[0] for value in values]
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(np.isnan(together), [value is None for value in values])


@given(st.lists(cells, min_size=1, max_size=8))
@settings(derandomize=True, deadline=None)
def test_categories_that_occur_are_sorted_and_distinct(values):
    categories = observed_categories(read(*values))
    assert categories.dtype.kind in "fU"
    assert categories.tolist() == sorted(set(categories.tolist()))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (np.array([3, 1]), [3.0, 1.0]),
        (np.array([True, False]), [1.0, 0.0]),
        (objects(True, 2), [1.0, 2.0]),
        (objects("b", "a"), ["b", "a"]),
        (objects(1, "a", 2.0), ["1", "a", "2"]),
        (objects(), []),
        (objects(pd.Interval(0, 1)), ["(0, 1]"]),
    ],
    ids=repr,
)
def test_category_lists_are_float64_or_unicode(labels, expected):
    categories = category_list(labels, "age")
    assert categories.tolist() == expected
    assert categories.dtype.kind in "fU"


@given(st.lists(st.floats(allow_nan=True, allow_infinity=False), max_size=8), st.permutations([-1.5, 0.0, 2.0, 1e300]))
@settings(derandomize=True, deadline=None)
def test_numbers_have_the_position_of_their_category(values, known):
    codes = encode_categories(Column(np.array(values, dtype=float)), np.array(known), "age")
    np.testing.assert_array_equal(codes, [known.index(value) if value in known else np.nan for value in values])


@given(st.lists(st.sampled_from(["a", "b", "c", "z", ""]), max_size=8), st.permutations(["a", "b", "", "q"]))
@settings(derandomize=True, deadline=None)
def test_text_has_the_position_of_its_category(values, known):
    codes = encode_categories(Column(objects(*values)), np.array(known), "age")
    np.testing.assert_array_equal(codes, [known.index(value) if value in known else np.nan for value in values])


def test_numbers_are_looked_up_among_text_as_text():
    codes = encode_categories(Column(np.array([1.0, 2.5, np.nan, 7.0])), np.array(["2.5", "1"]), "age")
    np.testing.assert_array_equal(codes, [1, 0, np.nan, np.nan])


def test_text_is_looked_up_among_numbers_as_numbers():
    known = np.array([2.5, 1.0])
    codes = encode_categories(Column(objects("1", "2.50", np.nan, "9")), known, "age")
    np.testing.assert_array_equal(codes, [1, 0, np.nan, np.nan])


@pytest.mark.parametrize("values", [np.array([1.0, np.nan]), objects("a", np.nan)], ids=["numbers", "text"])
@pytest.mark.parametrize("known", [np.array([]), np.array([], dtype=str)], ids=["of numbers", "of text"])
def test_without_categories_all_is_missing(values, known):
    assert np.isnan(encode_categories(Column(values), known, "age")).all()


@pytest.mark.parametrize("known", [np.array(["1", "1"]), np.array([2.0**53, 2**53 + 1])], ids=["text", "numbers"])
def test_categories_that_cannot_be_told_apart_are_refused(known):
    with pytest.raises(ValueError, match="column 'age' has categories that cannot be told apart"):
        encode_categories(Column(np.array([1.0])), known, "age")
