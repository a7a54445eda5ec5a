from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.table.source import (
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
    ("value", "error", "kind"),
    [
        *((value, TypeError, f"value of type {type(value).__name__}") for value in ({}, [1], 1j, object(), (1, 2))),
        (10**400, ValueError, "number too large for float64"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_cells_are_refused_with_column_and_type(value, error, kind):
    for others in ((), ("text",), (1.5,)):
        with pytest.raises(error, match=f"column 'age' holds a {kind}"):
            read(value, *others)


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


@pytest.mark.parametrize(
    ("cells", "known", "column"),
    [
        (st.floats(allow_nan=True, allow_infinity=False), [-1.5, 0.0, 2.0, 1e300], partial(np.array, dtype=float)),
        (st.sampled_from(["a", "b", "c", "z", ""]), ["a", "b", "", "q"], lambda cells: objects(*cells)),
    ],
    ids=["numbers", "text"],
)
@given(data=st.data())
@settings(derandomize=True, deadline=None)
def test_a_value_has_the_position_of_its_category(cells, known, column, data):
    values, known = data.draw(st.lists(cells, max_size=8)), data.draw(st.permutations(known))
    codes = encode_categories(Column(column(values)), np.array(known), "age")
    np.testing.assert_array_equal(codes, [known.index(value) if value in known else np.nan for value in values])


@pytest.mark.parametrize(
    ("values", "known"),
    [
        (objects("1", "2.50", np.nan, "9"), np.array([2.5, 1.0])),
        (np.array([1.0, 2.5, np.nan, 7.0]), np.array(["2.5", "1"])),
    ],
    ids=["text", "numbers"],
)
def test_values_are_looked_up_in_the_form_of_the_categories(values, known):
    np.testing.assert_array_equal(encode_categories(Column(values), known, "age"), [1, 0, np.nan, np.nan])


@pytest.mark.parametrize("values", [np.array([1.0, np.nan]), objects("a", np.nan)], ids=["numbers", "text"])
@pytest.mark.parametrize("known", [np.array([]), np.array([], dtype=str)], ids=["of numbers", "of text"])
def test_without_categories_all_is_missing(values, known):
    assert np.isnan(encode_categories(Column(values), known, "age")).all()


@pytest.mark.parametrize("known", [np.array(["1", "1"]), np.array([2.0**53, 2**53 + 1])], ids=["text", "numbers"])
def test_categories_that_cannot_be_told_apart_are_refused(known):
    with pytest.raises(ValueError, match="column 'age' has categories that cannot be told apart"):
        encode_categories(Column(np.array([1.0])), known, "age")
