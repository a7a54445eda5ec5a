"""Amounts: numbers with units, and with marks between thousands."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from covey.datasets import load
from covey.datasets.amounts import decimal_mark, number_of
from covey.datasets.new_rows import read_new_rows
from covey.models import describe_training


@pytest.mark.parametrize(
    ("texts", "delimiter", "mark", "numbers"),
    [
        (["$56,925", "$7.50", "-$3", "$-4"], ",", ".", [56925, 7.5, -3, -4]),
        (["1.234,50 €", "12 €", "€5"], ";", ",", [1234.5, 12, 5]),
        (["12,3 %", "4%"], ",", ",", [12.3, 4]),
        (["1 234.5 USD", "12\u00a0345 USD"], None, ".", [1234.5, 12345]),
        (["CHF 1'234.50"], ",", ".", [1234.5]),
        (["1,200", "900"], ",", ".", [1200, 900]),
        (["1,200 €", "1,300 €"], ";", ",", [1.2, 1.3]),
        (["1,5", "2,5"], ",", ",", [1.5, 2.5]),
        (["1,234,567"], None, ".", [1234567]),
    ],
)
def test_amounts(texts, delimiter, mark, numbers):
    assert decimal_mark(texts, delimiter) == mark
    assert [number_of(text, mark) for text in texts] == numbers


@pytest.mark.parametrize(
    ("texts", "delimiter"),
    [
        (["1,200", "2,300"], "\t"),  # thousands, perhaps
        (["$5", "€5"], ","),
        (["5", "5 %"], ","),
        (["1.2.3"], ","),
        (["555 123 456", "555 987 654"], ","),  # of telephones
        (["1,23", "1.23"], ","),
        (["about 5 €"], ","),
        (["$5 €"], ","),
        (["+$+5"], ","),
        (["12,34,567"], ","),
    ],
)
def test_what_is_no_amount_or_cannot_be_told(texts, delimiter):
    assert decimal_mark(texts, delimiter) is None


@given(st.floats(-1e9, 1e9).map(lambda value: round(value, 2)), st.sampled_from(["$", "€", ""]))
def test_what_is_written_is_read_again(value, unit):
    assert number_of(f"{unit}{value:,.2f}" if value >= 0 else f"-{unit}{-value:,.2f}", ".") == value
    german = f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
    assert number_of(f"{german} {unit}", ",") == value
    assert np.isnan(number_of("1.23", ","))


def test_a_model_reads_new_amounts_as_those_of_its_training(tmp_path):
    path, new = tmp_path / "sales.csv", tmp_path / "new.csv"
    path.write_text("price;share;y\n" + "1.234,50 €;12,3 %;5,00 €\n2.000 €;unknown;7,25 €\n30 €;4 %;1.000,00 €\n")
    data = load(path, target="y")
    assert data.task == "regression"
    assert data.target.tolist() == [5, 7.25, 1000]
    assert data.frame["price"].tolist() == [1234.5, 2000, 30]
    np.testing.assert_array_equal(data.frame["share"], [12.3, np.nan, 4])
    assert (
        "the column 'price' holds amounts such as '1.234,50 €', read as 1234.5; categorical=['price'] keeps it as it is"
        in (data.provenance.notes)
    )
    about = describe_training(data)
    new.write_text("price;share\n1.234 €;5 %\n77;6\n")  # by themselves these might be 1.234
    rows = read_new_rows(new, about).frame
    assert rows["price"].tolist() == [1234, 77]
    assert rows["share"].tolist() == [5, 6]
    pd.DataFrame({"price": [1.5, 2.5], "share": [1.0, None]}).to_parquet(tmp_path / "new.parquet")
    assert read_new_rows(tmp_path / "new.parquet", about).frame["price"].tolist() == [1.5, 2.5]
    new.write_text("price;share\n12.5;5 %\n")
    with pytest.raises(
        ValueError, match=r"'price' holds '12\.5' in row 1 of the data, but the model was trained on num"
    ):
        read_new_rows(new, about)
    assert load(path, target="y", categorical=["price"]).frame["price"].dtype == "category"
