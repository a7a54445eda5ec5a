from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from covey.datasets.choice import Choice
from covey.datasets.errors import DataFormatError
from covey.datasets.missing import without_marks
from covey.datasets.tidy import tidy_frame


def tidy(values, **options):
    return tidy_frame(pd.DataFrame({"x": pd.Series(values, **options)}), "t.csv").frame["x"]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([1, 2, 3]),
        pd.Series([1, None, 3], dtype="Int64"),
        pd.Series([1, None, 3.5], dtype="Float64"),
        pd.Series([1.0, np.nan, 3.0], dtype="float32"),
        pd.Series([Decimal("1.5"), None], dtype=object),
        pd.Series([None, None], dtype=object),
        pd.Series([True, False, True]),
        pd.Series([True, None], dtype="boolean"),
        pd.Series([True, None, False], dtype=object),
    ],
)
def test_numbers_become_float64(values):
    column = tidy_frame(values.to_frame("x"), "t.csv").frame["x"]
    assert column.dtype == "float64"
    assert list(column.isna()) == list(values.isna())
    assert column.dropna().tolist() == [float(value) for value in values.dropna()]


@pytest.mark.parametrize(
    ("values", "categories"),
    [
        (pd.Series(["b", None, "a"]), ["a", "b"]),
        (pd.Series(["10", "x", "9"]), ["10", "9", "x"]),
    ],
)
def test_text_becomes_sorted_categories(values, categories):
    column = tidy_frame(values.to_frame("x"), "t.csv").frame["x"]
    assert list(column.cat.categories) == categories
    assert list(column.isna()) == list(values.isna())
    assert list(column.dropna()) == [str(value) for value in values.dropna()]


@pytest.mark.parametrize("dtype", ["bool", "boolean", object])
def test_booleans_are_classes_in_the_target(dtype):
    frame = pd.DataFrame({"x": pd.Series([True, False], dtype=dtype)})
    assert list(tidy_frame(frame, "t.parquet", Choice("x")).frame["x"]) == ["True", "False"]


def test_columns_to_be_categories():
    frame = pd.DataFrame({"n": [10, 9], "d": pd.to_datetime(["2020-01-01", None]), "c": pd.Categorical([2, 1])})
    tidied = tidy_frame(frame, "t.parquet", Choice(categorical=["n", "d", "c"])).frame
    assert list(tidied["n"].cat.categories) == ["10", "9"]
    assert tidied["d"].isna().tolist() == [False, True]
    assert list(tidied["c"].cat.categories) == [1, 2]


def test_categories_keep_their_order():
    column = tidy(["b", "a"], dtype=pd.CategoricalDtype(["b", "c", "a"]))
    assert list(column.cat.categories) == ["b", "c", "a"]
    assert list(tidy([3, 1], dtype=pd.CategoricalDtype([3, 2, 1])).cat.categories) == [3, 2, 1]
    assert list(tidy([True, False], dtype="category").cat.categories) == ["False", "True"]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([1 + 2j], "the column 'x' is of type complex128"),
        ([[1], [2]], r"the column 'x' holds 'list' objects, .* drop=\['x'\] leaves it out"),
        (pd.to_timedelta([1, 2], unit="D"), r"the column 'x' is of type timedelta.* drop=\['x'\] leaves it out"),
        ([1.0, np.inf], "the column 'x' is infinite in row 2 of the data; write a finite number, or leave the cell"),
        (np.array([], dtype=float), "there are no rows"),
    ],
)
def test_other_things_are_refused(values, problem):
    with pytest.raises(DataFormatError, match=f"t.csv: {problem}"):
        tidy(values)


def column(cells, delimiter=",", is_target=False):
    frame = pd.DataFrame({"x": pd.Series(cells, dtype=object)})
    tidied = tidy_frame(frame, "t.csv", Choice("x" if is_target else None), delimiter=delimiter)
    return tidied.frame["x"], list(tidied.notes)


def test_booleans_in_any_case():
    values, _ = column(["true", "FALSE", None, "True", "tRUE"])
    np.testing.assert_array_equal(values, [1, 0, np.nan, 1, 1])
    values, _ = column(["true", "FALSE", None, "True"], is_target=True)
    assert list(values.cat.categories) == ["False", "True"]
    assert values.cat.codes.tolist() == [1, 0, -1, 1]
    assert column(["true", "false"], delimiter=None)[0].dtype == "category"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimal_commas(delimiter):
    values, notes = column(["1,5", "-2", None, "3,25e2", ",5", "1234,567"], delimiter)
    np.testing.assert_array_equal(values, [1.5, -2, np.nan, 325, 0.5, 1234.567])
    assert notes == ["the column 'x' was read with decimal commas; categorical=['x'] keeps it as it is"]
    assert column(["1,200", "0,300"], delimiter)[0].tolist() == [1.2, 0.3]
    assert column(["1,200", "2,300"], ";")[0].tolist() == [1.2, 2.3]


@pytest.mark.parametrize(
    ("cells", "delimiter", "note"),
    [
        (["1,200", "2,300"], "\t", "it looks numeric"),  # thousands, perhaps
        (["1.2.3", "1.10.0"], ",", ""),
        (["01", "02"], ",", "start with zeros or have more than 15 digits"),
        (["01", "02"], None, ""),
        (["1", "2", "3", "4", "many"], ",", "though 80% of it are numbers, because of values such as 'many'"),
        (["1", "2", "3", "many"], ",", ""),
        (["1", "2", "3+"] * 20, ",", ""),
    ],
)
def test_text_that_is_like_numbers_stays_text_and_is_noted(cells, delimiter, note):
    values, notes = column(cells, delimiter)
    assert values.dtype == "category"
    assert bool(notes) == bool(note)
    assert note in " ".join(notes)


@pytest.mark.parametrize("cells", [["$12", "7.50"], ["2%", "3"], ["€5", "$5"]])
def test_numbers_in_other_dress_are_noted(cells):
    values, notes = column(cells)
    assert list(values) == cells
    assert "kept as text, but it looks numeric, with 2 distinct values such as" in notes[0]


def test_columns_mostly_of_numbers_or_dates_are_refused():
    with pytest.raises(
        DataFormatError, match=r"but for 2 values 'abc', first in row 52 .*missing=\['abc'\].* categorical=\['x'\]"
    ):
        column([None, *map(str, range(50)), "abc", "abc"])
    with pytest.raises(DataFormatError, match="'x' holds dates like 2020-12-31 but for 1 value 'soon', first in row 1"):
        column(["soon", *["2020-01-02"] * 4])
    assert column(["soon", *["2020-01-02"] * 3])[0].dtype == "category"


@pytest.mark.parametrize("delimiter", [",", ";", None])
@pytest.mark.parametrize("word", ["unknown", "N/A", "None", "-", "?", " Missing ", "n.a.", "NULL"])
def test_words_for_missing_numbers(word, delimiter):
    values, notes = column(["1", "2.5", word, None, word], delimiter)
    np.testing.assert_array_equal(values, [1, 2.5, np.nan, np.nan, np.nan])
    assert notes == [f"the column 'x' has {word!r} 2 times, taken for missing; categorical=['x'] keeps it as it is"]
    assert list(column(["red", word], delimiter)[0].cat.categories) == sorted(["red", word])


def test_words_among_numbers_of_a_frame():
    assert column([1, "unknown", 2.5, True], None)[0].cat.categories.tolist() == ["1", "2.5", "True", "unknown"]
    np.testing.assert_array_equal(column([1, "unknown", 2.5], None)[0], [1, np.nan, 2.5])
    # What is declared to be text is text, and so is the target.
    assert column(["1", "2"], None)[0].dtype == "category"
    assert list(column(["1", "2", "none"], None, is_target=True)[0]) == ["1", "2", "none"]


def test_all_that_is_wrong_is_said_at_once():
    frame = pd.DataFrame({"a": [*map(str, range(40)), "x1"], "b": [np.inf, *range(40)], "c": [[1]] * 41, "d": 1.0})
    with pytest.raises(DataFormatError) as caught:
        tidy_frame(frame, "t.csv")
    lines = str(caught.value).split("\n")
    assert lines[0] == "t.csv: 3 things are wrong:"
    assert [line[:16] for line in lines[1:]] == ["- the column 'a'", "- the column 'b'", "- the column 'c'"]


def test_values_that_are_to_be_missing():
    frame = pd.DataFrame({"n": [1, -999], "t": ["a", " x "], "c": pd.Categorical([3, 4]), "b": [True, False]})
    cleared = without_marks(frame, ["-999", "x", "4"])
    assert cleared.isna().to_numpy().tolist() == [[False] * 4, [True, True, True, False]]
