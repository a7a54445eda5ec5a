"""Columns of no use, and names that files lack or have twice."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from covey.datasets import from_frame, load, read_table
from covey.datasets.leaving_out import leave_out, rare_classes
from covey.datasets.names import settle_names
from covey.datasets.tables import RawTable

N = 60
RNG = np.random.default_rng(0)
FEW_WORDS = ["the", "box", "came", "late", "and", "nobody", "at", "the", "shop", "was", "kind", "about", "it"]
COMMENTS = [" ".join(RNG.permutation(FEW_WORDS)) if place % 3 else None for place in range(N)]
TABLE = pd.DataFrame({"x": RNG.normal(size=N), "y": ["a", "b"] * (N // 2)})


def left(columns, keep=(), **options):
    """Return the columns that are left of a table, and the notes."""
    data, notes = leave_out(from_frame(TABLE.assign(**columns), "y", keep=keep, **options), keep)
    return [name for name in data.frame.columns if name != "x"], notes


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([None] * N, "no value in any row"),
        ([3] * N, "the same value in every row"),
        (["x"] * N, "the same value in every row"),
        (["2020-01-01"] * N, "the same value in every row"),
        ([f"+43 {number}" for number in RNG.permutation(N)], "like names, different in most rows"),
        ([f"P{number % 40}" for number in range(N)], "like names"),
        (COMMENTS, "like names"),
        (range(5, 5 + N), "a number for each row, counting up"),
        (range(N, 0, -1), "a number for each row, counting up"),
    ],
)
def test_columns_of_no_use_are_left_out_unless_they_are_to_be_kept(values, reason):
    names, (note,) = left({"c": values})
    assert names == []
    assert note.startswith(f"left out: 'c' ({reason}")
    assert "keep=['c'] keeps it" in note
    assert left({"c": values}, ["c"])[0]


@pytest.mark.parametrize(
    "values",
    [
        [*["yes"] * 20, *[None] * 40],  # that a value is missing may say something
        RNG.permutation(N),
        [f"P{number % 20}" for number in range(N)],
        RNG.normal(size=N),
    ],
)
def test_columns_of_some_use_are_kept(values):
    assert left({"c": values}) == (["c"], ())


@pytest.mark.parametrize("name", ["id", "customer_id", "CustomerId", "Order No", "ID"])
def test_ids_in_any_order(name):
    names, (note,) = left({name: RNG.permutation(1000)[:N]})
    assert names == []
    assert "an id, by its name, and different in every row" in note
    assert left({"valid": RNG.permutation(1000)[:N], "grid": RNG.permutation(1000)[:N]})[0] == ["valid", "grid"]


def test_free_text_is_left_out_or_becomes_ngrams():
    texts = [" ".join(RNG.choice(FEW_WORDS, 6)) for _ in range(N)]
    names, (note,) = left({"comment": texts})
    assert names == []
    assert note == "left out: 'comment' (free text); keep=['comment'] keeps it, text=['comment'] learns from the words"
    names, notes = left({"comment": texts}, text=["comment"])
    assert {name.rpartition(" ")[0] for name in names} == {"comment: n-gram"}
    assert 20 < len(names) <= 128
    assert notes == ()


def test_many_categories_are_noted():
    frame = pd.DataFrame({"town": [f"T{number % 150}" for number in range(600)], "y": ["a", "b"] * 300})
    (note,) = leave_out(from_frame(frame, "y"))[1]
    assert "the column 'town' has 150 categories" in note
    assert "drop=['town']" in note


def test_several_columns_for_one_reason_make_one_note():
    assert left({"a": [1] * N, "b": [2] * N})[1] == (
        "left out: 'a', 'b' (the same value in every row); keep=['a', 'b'] keeps them",
    )


def test_classes_with_fewer_rows_than_folds():
    data = from_frame(TABLE.assign(y=[*["a"] * 40, *["b"] * 19, "c"]), "y")
    assert rare_classes(data, 5) == (
        "the class c (1 row) has fewer rows than there are folds (5), so some folds test or train without it",
    )
    assert rare_classes(data, 20)[0].endswith("without them: b (19 rows) and c (1 row)")
    many = from_frame(TABLE.assign(y=[f"class {number % 15}" for number in range(60)]), "y")
    assert rare_classes(many, 5)[0].endswith("class 6 (4 rows) and 3 more")
    assert rare_classes(load("diabetes"), 5) == rare_classes(load("iris"), 5) == ()


def test_names_that_differ():
    assert settle_names(["x", "x", "", "x.2", " x "]) == ("x", "x.3", "column 3", "x.2", "x.4")


def test_names_that_a_file_lacks_or_has_twice(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,,a,y\n1,p,5,u\n2,q,6,v\n")
    data = load(path)
    assert list(data.frame.columns) == ["a", "column 2", "a.2"]
    assert data.provenance.notes[0].startswith("a column has no name, and the place for one: 'column 2'")
    assert data.provenance.notes[1] == "the column name 'a' occurs 2 times; the later ones are called 'a.2'"


@pytest.mark.parametrize("rows", [slice(None), slice(10, 50), RNG.permutation(N)[:30]], ids=["all", "part", "shuffled"])
def test_a_saved_index_is_left_out(tmp_path, rows):
    part = TABLE.iloc[rows]
    part.to_csv(tmp_path / "t.csv")
    data = load(tmp_path / "t.csv")
    assert list(data.frame.columns) == ["x"]
    assert data.provenance.notes == (
        f"the first column, without a name, numbers the {len(part)} rows, so it is left out; keep=['column 1'] keeps "
        "it",
    )
    assert load(tmp_path / "t.csv", keep=["column 1"]).frame["column 1"].tolist() == part.index.tolist()
    assert list(from_frame(pd.read_csv(tmp_path / "t.csv"), "y").frame.columns) == ["x"]


def test_a_first_column_without_a_name_that_is_no_index():
    assert list(read_table(io.StringIO(",b\n1,2\n1,3\n")).columns) == ["column 1", "b"]
    assert list(read_table(io.StringIO('""\n1\n2\n')).columns) == ["column 1"]
    assert RawTable.of(TABLE.iloc[:, :1], "t").frame.columns.tolist() == ["x"]


def test_all_that_is_wrong_with_a_file_is_said_at_once():
    rows = [f"{number},2020-01-{number % 28 + 1:02}" for number in range(60)]
    rows[3], rows[5], rows[8], rows[20], rows[30] = "1,2,3", "oops,2020-01-01", "7", "1,soon", "4,5,6"
    with pytest.raises(ValueError, match="4 things are wrong") as caught:
        read_table(io.StringIO("\n".join(["a,d", *rows])))
    assert str(caught.value).split("\n")[1:] == [
        "- line 5: the row has 3 values, but there are 2 columns, as in line 32; quote values that contain the "
        "delimiter",
        "- line 10: the row has 1 value, but there are 2 columns; write an empty field for each value that is missing",
        "- the column 'a' is numeric but for 1 value 'oops', first in row 6 of the data; missing=['oops'] takes that "
        "for missing, categorical=['a'] reads it as text",
        "- the column 'd' holds dates like 2020-12-31 but for 1 value 'soon', first in row 21 of the data; "
        "missing=['soon'] takes that for missing, categorical=['d'] reads it as text",
    ]


def test_what_is_named_as_missing():
    text = "a,b,c\n1,x,01/02/2020\n-999,gone,gone\n2,y,31/12/2020\n"
    frame = read_table(io.StringIO(text), missing=["-999", "gone"])
    assert frame["a"].isna().tolist() == frame["b"].isna().tolist() == frame["c: days"].isna().tolist()
    assert frame["a"].isna().tolist() == [False, True, False]


def test_missing_values_beside_whole_numbers_too_large_for_integers():
    frame = read_table(io.BytesIO(b"a,b\n100000000000000000000,2\n?,1\n,3\n0.5,5\n7,NA\n"))
    np.testing.assert_array_equal(frame["a"], [1e20, np.nan, np.nan, 0.5, 7])
    codes = read_table(io.BytesIO(b"a,b\n100000000000000000000,2\n?,1\n,3\n5,5\n"))["a"]
    assert codes.isna().tolist() == [False, True, True, False]
    assert list(codes.cat.categories) == ["100000000000000000000", "5"]


def test_rows_with_one_value_more_than_there_are_names(tmp_path):
    rows = [f"{number}.5 u" for number in range(1, 5)]
    (tmp_path / "r.txt").write_text("x y\n" + "".join(f'"{place}" {row}\n' for place, row in enumerate(rows, start=1)))
    data = load(tmp_path / "r.txt", target="y")
    assert data.frame["x"].tolist() == [1.5, 2.5, 3.5, 4.5]
    assert "the first column, without a name, numbers the 4 rows" in data.provenance.notes[0]
    assert list(read_table(io.StringIO("a,b\n1,2,\n3,4,\n")).columns) == ["a", "b", "column 3"]
    # Decimal commas without quotes must not pass for names of rows.
    with pytest.raises(ValueError, match="line 2: the row has 3 values, but there are 2 columns, as in line 3"):
        read_table(io.StringIO("a,b\n7,1,5\n8,2,5\n"))
