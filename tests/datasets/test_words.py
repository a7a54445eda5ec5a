import numpy as np
import pandas as pd
import pytest

from covey.datasets.errors import DataFormatError
from covey.datasets.words import Words, read_words


def column(cells, delimiter=",", is_target=False):
    return read_words(Words.of(pd.Series(cells, dtype=object), "x"), "t.csv", delimiter, is_target)


def test_categories_are_sorted_and_missing_values_stay():
    found, notes = column(["b", None, "a", "b"])
    assert list(found.cat.categories) == ["a", "b"]
    assert found.cat.codes.tolist() == [1, -1, 0, 1]
    assert notes == []


def test_booleans_in_any_case():
    found, _ = column(["true", "FALSE", None, "True", "tRUE"])
    np.testing.assert_array_equal(found, [1, 0, np.nan, 1, 1])
    found, _ = column(["true", "FALSE", None, "True"], is_target=True)
    assert list(found.cat.categories) == ["False", "True"]
    assert found.cat.codes.tolist() == [1, 0, -1, 1]
    assert column(["true", "false"], delimiter=None)[0].dtype == "category"


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimal_commas(delimiter):
    found, notes = column(["1,5", "-2", None, "3,25e2", ",5", "1234,567"], delimiter)
    np.testing.assert_array_equal(found, [1.5, -2, np.nan, 325, 0.5, 1234.567])
    assert notes == ["the column 'x' was read with decimal commas"]


def test_thousands_are_told_from_decimals_where_they_can_be():
    assert column(["1,200", "2,300"], ";")[0].tolist() == [1.2, 2.3]
    assert column(["1,200", "0,300"], "\t")[0].tolist() == [1.2, 0.3]
    assert column(["1,200", "2,300"], "\t")[0].dtype == "category"
    assert column(["1,5", "2,5"], ",")[0].dtype == "category"


@pytest.mark.parametrize("cells", [["1,200", "900"], ["$12", "$7.50"], ["2%", "3 %"], ["1,234,567"], ["€5", "5 €"]])
def test_numbers_in_other_dress_are_noted(cells):
    found, notes = column(cells)
    assert list(found) == cells
    assert f"kept as text, but it looks numeric, with {len(cells)} distinct value" in notes[0]
    assert repr(cells[0]) in notes[0]


def test_version_numbers_do_not_look_numeric():
    assert column(["1.2.3", "1.10.0"])[1] == []


def test_codes_are_noted():
    assert "start with zeros or have more than 15 digits" in column(["01", "02"])[1][0]
    assert column(["01", "02"], delimiter=None)[1] == []


def test_mostly_numbers_are_noted():
    found, notes = column(["1", "2", "3", "4", "many"])
    assert found.dtype == "category"
    assert "though 80% of it are numbers, because of values such as 'many'" in notes[0]
    assert column(["1", "2", "3", "many"])[1] == []


def test_damaged_numbers_are_refused_with_the_row():
    cells = [None, *map(str, range(50)), "n.a.", "n.a."]
    with pytest.raises(DataFormatError, match=r"but for 2 values such as 'n.a.' in row 52 .* categorical=\['x'\]"):
        column(cells)


def test_mostly_dates_are_refused():
    with pytest.raises(DataFormatError, match=r"'x' holds dates such as '2020-01-02', .* drop=\['x'\]"):
        column(["soon", *["2020-01-02"] * 4])
    assert column(["soon", *["2020-01-02"] * 3])[0].dtype == "category"
