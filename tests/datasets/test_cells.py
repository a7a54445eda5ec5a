import numpy as np
import pytest

from covey.datasets import cells
from covey.datasets.cells import read_rows
from covey.datasets.errors import DataFormatError
from covey.datasets.header import ARFF, read_header

DECLARED = "@attribute n numeric\n@attribute c {red,green,blue}\n@attribute s string\n@data\n"


def frame(rows, declared=DECLARED, max_bytes=10**6):
    lines = (declared + rows).split("\n")
    return read_rows(lines, read_header(lines, ARFF, "t.arff"), ARFF, "t.arff", max_bytes)


def test_types_categories_and_missing_values():
    found = frame("1.5,green,zebra\n% between\n\n?,?,?\n-2e3,red,ant\nnan,red,ant")
    assert list(found.columns) == ["n", "c", "s"]
    np.testing.assert_array_equal(found["n"], [1.5, np.nan, -2000.0, np.nan])
    assert found["n"].dtype == "float64"
    assert list(found["c"].cat.categories) == ["red", "green", "blue"]
    assert list(found["c"].cat.codes) == [1, -1, 0, 0]
    assert list(found["s"].cat.categories) == ["ant", "zebra"]
    assert list(found["s"].cat.codes) == [1, -1, 0, 0]


def test_sparse_rows_leave_out_zero_and_the_first_declared_value():
    declared = "@attribute a numeric\n@attribute c {red,green}\n@data\n"
    found = frame("{0 1, 1 green}\n{}\n{1 ?}\n2,red", declared)
    assert list(found["a"]) == [1, 0, 0, 2]
    assert list(found["c"].cat.codes) == [1, 0, -1, 0]


@pytest.mark.parametrize("block", [1, 3, 4, 1000])
def test_blocks_of_any_size_give_the_same_frame(monkeypatch, block):
    rows = "\n".join(f"{i},{['red', 'blue'][i % 2]},w{i % 3}" for i in range(10))
    whole = frame(rows)
    monkeypatch.setattr(cells, "_BLOCK_CELLS", block)
    assert frame(rows).equals(whole)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1,red", "the row has 2 values, but 3 attributes are declared"),
        ("1,red,x,y", "the row has 4 values, but 3 attributes are declared"),
        ("1,red,x,{5}", r"the row carries the weight \{5\}"),
        ("1,pink,x", "the value 'pink' is not declared for the attribute 'c'; declared are 'red', 'green', 'blue'"),
        ("one,red,x", "'one' is no number, but the attribute 'n' is numeric"),
        ("1_000,red,x", "'1_000' is no number"),
        ("\u0661,red,x", "is no number"),
        ("inf,red,x", "infinite or too large"),
        ("1e999,red,x", "infinite or too large"),
        ("1,,x", "value 2 is empty"),
        ("{3 1}", "the sparse row names attribute 3, but the last of 3 is 2"),
        ("{0 1}", "a sparse row may not leave out 's', which declares no values"),
        ("'1,red,x", "never closed"),
    ],
)
@pytest.mark.parametrize("block", [1, 10**6])
def test_bad_rows_are_named_by_line(monkeypatch, row, problem, block):
    monkeypatch.setattr(cells, "_BLOCK_CELLS", block)
    with pytest.raises(DataFormatError, match=problem) as caught:
        frame(f"1,red,x\n% comment\n{row}\n2,red,x")
    assert caught.value.line == 7


def test_no_rows():
    with pytest.raises(DataFormatError, match="line 4: there are no rows after @data"):
        frame("\n% only a comment\n")


def test_sparse_rows_may_not_fill_more_than_allowed():
    declared = "".join(f"@attribute a{i} numeric\n" for i in range(100)) + "@data\n"
    with pytest.raises(DataFormatError, match="50 sparse rows of 100 attributes need more than max_bytes=39999"):
        frame("\n".join(["{}"] * 50), declared, max_bytes=39_999)
    assert frame("\n".join(["{}"] * 50), declared, max_bytes=40_000).shape == (50, 100)
