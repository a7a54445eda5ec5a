from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from covey.datasets.choice import Choice
from covey.datasets.errors import DataFormatError
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


def test_booleans_written_as_text_stay_text_where_text_is_declared():
    assert list(tidy(["true", "false"])) == ["true", "false"]


def test_categories_keep_their_order():
    column = tidy(["b", "a"], dtype=pd.CategoricalDtype(["b", "c", "a"]))
    assert list(column.cat.categories) == ["b", "c", "a"]
    assert list(tidy([3, 1], dtype=pd.CategoricalDtype([3, 2, 1])).cat.categories) == [3, 2, 1]
    assert list(tidy([True, False], dtype="category").cat.categories) == ["False", "True"]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"])),
        pd.Series(pd.to_timedelta([1, 2], unit="D")),
        pd.Series(pd.period_range("2020-01", periods=2, freq="M")),
        pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"])).astype("category"),
        pd.Series([date(2020, 1, 1), None], dtype=object),
        pd.Series(["2020-01-01", None, "2021-12-31 10:30:00"]),
        pd.Series(["2020/1/1", "2021/1/31"]),
        pd.Series(["01.02.2020", "31.12.99"]),
        pd.Series(["01.02.2020"] * 4 + ["unknown"]),
    ],
)
def test_dates_are_refused(values):
    with pytest.raises(DataFormatError, match=r"the column 'x' .* turn it into a number .* drop=\['x'\]"):
        tidy_frame(values.to_frame("x"), "t.csv")


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ([1 + 2j], "is of type complex128"),
        ([[1], [2]], "holds values of type 'list'"),
        (["a", 1], "holds values of type 'int', 'str'"),
        ([1.0, np.inf], "is infinite in row 2 of the data; write a finite number, or leave the cell empty"),
        ([str(i) for i in range(50)] + ["n.a."], "is numeric but for 1 value such as 'n.a.' in row 51"),
    ],
)
def test_other_things_are_refused(values, problem):
    with pytest.raises(DataFormatError, match=f"t.csv: the column 'x' {problem}"):
        tidy(values)


def test_a_few_numeric_codes_beside_words_stay_text():
    assert tidy(["1", "2", "3+"] * 20).dtype == "category"


def test_no_rows():
    with pytest.raises(DataFormatError, match="there are no rows"):
        tidy([], dtype="float64")


def test_names_must_differ():
    with pytest.raises(DataFormatError, match="the column name 'a' occurs twice"):
        tidy_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]), "t.csv")
