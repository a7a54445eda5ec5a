import csv
import gzip
import io
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from covey.datasets import DataFormatError, read_table
from covey.datasets.delimited import Layout, _exact_floats, _rows, count_rows, quick_count, read_delimited
from covey.datasets.reading import Contents, read_contents


def table(text, **options):
    return read_table(io.StringIO(text), **options)


def test_types_and_missing_values():
    frame = table("n, c,b\n1.5,red,True\n?,NA,\n   \n\n-2e3, blue ,False\n,? ,NaN\n\n")
    assert list(frame.columns) == ["n", "c", "b"]
    np.testing.assert_array_equal(frame["n"], [1.5, np.nan, -2000.0, np.nan])
    assert list(frame["c"].cat.categories) == ["blue", "red"]
    assert frame["c"].isna().tolist() == [False, True, False, True]
    np.testing.assert_array_equal(frame["b"], [1, np.nan, 0, np.nan])


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_and_line_ends(delimiter):
    text = f"\r\na{delimiter}b\r\n1{delimiter}x\r\n\r\n2{delimiter}y\r\n".encode()
    frame = read_table(io.BytesIO(text))
    assert list(frame["a"]) == [1, 2]
    assert list(frame["b"]) == ["x", "y"]


def test_quoted_values_and_exact_numbers():
    frame = table('"a,1","b\nc"\n"x, ""y""\nz",1\nw,2\n')
    assert list(frame.columns) == ["a,1", "b\nc"]
    assert list(frame["a,1"]) == ['x, "y"\nz', "w"]
    assert list(table('"a,b,c";d\n1;2\n').columns) == ["a,b,c", "d"]
    assert table("a,b\n0.1,1\n2.675,2\n1e-320,3\n")["a"].tolist() == [0.1, 2.675, 1e-320]


def test_gzip_and_latin_1(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress("größe,b\n1,für\n".encode("latin-1")))
    frame = read_table(path)
    assert list(frame.columns) == ["größe", "b"]
    assert list(frame["b"]) == ["für"]


@given(
    st.lists(
        st.tuples(
            st.text(alphabet=st.sampled_from("ab,;'\"\n\t ?é")), st.floats(allow_nan=False, allow_infinity=False)
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(",;\t"),
)
def test_what_is_written_is_read_again(rows, delimiter):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerows([("word", "number"), *((f"<{word}>", repr(number)) for word, number in rows)])
    frame = table(text.getvalue())
    assert list(frame["word"]) == [f"<{word}>" for word, _ in rows]
    assert list(frame["number"]) == [number for _, number in rows]


@pytest.mark.parametrize(
    ("text", "problem", "line"),
    [
        ("a,b\n1,2\n3\n", "the row has 1 value, but there are 2 columns", 3),
        ("a,b\n1,2,3\n3,4\n", "the row has 3 values, but there are 2 columns", 2),
        ('a,b\n"x,1\n', "is a quote left open?", 2),
        ("a,b\n\n", "there are no rows of data", None),
        ('a,b\n1,2\n""\n', "the row has 1 value, but there are 2 columns", 3),
        ("a,b\ninf,1\n", "the column 'a' is infinite in row 1", None),
        ("1,2,1\n3,4,5\n", "occurs twice; names must differ; is this a row of data?", 1),
        ("\n# made by hand\na,b\n1,2\n", "the first line, '# made by hand', is a comment; remove it", None),
        ("#made by hand\na,b\n1,2\n", "the row has 2 values, but there is 1 column, as in line 3; remove comments", 2),
        ("a b\n1,2\n", "there is 1 column; the first line, 'a b', was taken for one name", 2),
        (
            "% old\n@relation r\n@attribute a real\n",
            "this is an ARFF or KEEL file; read it with read_arff",
            None,
        ),
        ("@RELATION r\n@attribute a real\n", "this is an ARFF or KEEL file", None),
    ],
)
def test_malformed_csv(text, problem, line):
    with pytest.raises(DataFormatError, match=problem.replace("?", r"\?")) as caught:
        table(text)
    assert caught.value.line == line


def test_columns_to_drop_are_not_looked_at():
    frame = table("when,b\n2020-01-01,1\n2020-01-02,2\n", drop=["when"])
    assert list(frame.columns) == ["b"]
    with pytest.raises(ValueError, match=r"drop=\['c'\]: <open file> has no column 'c'; its columns are 'a', 'b'"):
        table("a,b\n1,2\n", drop=["c"])


def test_a_line_that_names_the_delimiter():
    frame = table("sep=:\na:b\n1:x\n2:y\n")
    assert list(frame.columns) == ["a", "b"]
    with pytest.raises(DataFormatError, match="line 3: the row has 3 values"):
        table('"sep=;"\r\na;b\r\n1;2;3\r\n')


def test_columns_to_be_categories_keep_their_text():
    frame = table("a,b,c,d\n1.50,01,True,2020-01-01\n2,?, 1 ,x\n", categorical=["a", "b", "c", "d"])
    assert list(frame["a"]) == ["1.50", "2"]
    assert list(frame["b"].cat.categories) == ["01"]
    assert list(frame["c"]) == ["True", "1"]
    with pytest.raises(
        ValueError, match=r"categorical=\['z'\]: <open file> has no column 'z'; its columns are 'a', 'b'"
    ):
        table("a,b\n1,2\n", categorical=["z"])
    with pytest.raises(TypeError, match=r"write categorical=\['a'\]"):
        table("a,b\n1,2\n", categorical="a")


def write_parquet(path, frame, **options):
    pytest.importorskip("pyarrow")
    frame.to_parquet(path, **options)
    return path


def test_parquet(tmp_path):
    frame = pd.DataFrame(
        {
            "n": [1, 2, 3],
            "f": [0.5, np.nan, 1.5],
            "t": ["b", None, "a"],
            "c": pd.Categorical(["y", "x", "y"], categories=["y", "z", "x"]),
            "b": [True, False, True],
        },
        index=[5, 6, 9],
    )
    read = read_table(write_parquet(tmp_path / "t.parquet", frame))
    assert list(read.columns) == list(frame.columns)
    assert read["n"].dtype == read["f"].dtype == "float64"
    assert list(read["t"].cat.categories) == ["a", "b"]
    assert list(read["c"].cat.categories) == ["y", "z", "x"]
    assert read["b"].tolist() == [1.0, 0.0, 1.0]
    assert read.isna().sum().sum() == 2


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (pd.to_timedelta(["1 days"]), "the column 'x' is of type (timedelta|duration)"),
        ([[1, 2]], "the column 'x' is of type list"),
        ([{"a": 1}], "the column 'x' is of type struct"),
        ([b"ab"], "the column 'x' is of type binary"),
    ],
)
def test_parquet_columns_that_are_refused(tmp_path, column, problem):
    path = write_parquet(tmp_path / "t.parquet", pd.DataFrame({"x": column, "y": [1]}))
    with pytest.raises(DataFormatError, match=problem):
        read_table(path)
    assert list(read_table(path, drop=["x"]).columns) == ["y"]


def test_damaged_parquet_and_none_that_could_be_read(tmp_path, monkeypatch):
    path = write_parquet(tmp_path / "t.parquet", pd.DataFrame({"x": [1.0]}))
    whole = path.read_bytes()
    for content, problem in ((whole[:-20], "cut short or corrupt"), (b"a,b\n1,2\n", "this is no Parquet file")):
        path.write_bytes(content)
        with pytest.raises(DataFormatError, match=problem):
            read_table(path)
    path.write_bytes(whole)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install covey\[data\]"):
        read_table(path)


def test_a_parquet_table_may_not_fill_more_than_allowed(tmp_path):
    path = write_parquet(tmp_path / "t.parquet", pd.DataFrame({"x": np.zeros(100_000)}))
    assert path.stat().st_size < 100_000
    with pytest.raises(DataFormatError, match="100000 rows and 1 column takes more than max_bytes=100000"):
        read_table(path, max_bytes=100_000)


def read_text(text, **options):
    return read_delimited(read_contents(io.StringIO(text)), Layout(**options)).frame


@pytest.mark.parametrize(("version", "exact"), [("2.1.4", True), ("3.0.0rc1", True), ("3.1.0", False), ("4.0", False)])
def test_pandas_is_asked_for_exact_numbers_where_it_needs_to_be(version, exact):
    assert bool(_exact_floats(version)) is exact


def test_layouts():
    contents = Contents("t.txt", b"  A1  1,5  1\n\nA2  2,5  2 \n", "")
    layout = Layout(" ", ("code", "size", "label"), frozenset({"label"}), ",")
    frame = read_delimited(contents, layout).frame
    assert frame["size"].tolist() == [1.5, 2.5]
    assert frame["label"].tolist() == ["1", "2"]
    with pytest.raises(DataFormatError, match=r"t.txt, line 1: the row has 3 values, but there are 2 columns"):
        read_delimited(contents, Layout(" ", ("a", "b")))


@pytest.mark.parametrize("mark", ["", "?", "n/a", "N/A", "na", "NA", "null", "Null", "nan", "NaN", "#n/a", " NULL "])
@pytest.mark.parametrize("other", ["1.5", "word"])
def test_missing_marks(mark, other):
    assert read_text(f"a,b\n{mark},1\n{other},2\n")["a"].isna().tolist() == [True, False]


@pytest.mark.parametrize("word", ["Na", "Nan", "None", "-", ".", "none"])
def test_words_that_are_not_missing_values(word):
    assert read_text(f"a,b\n{word},1\nbrick,2\n")["a"].tolist() == [word, "brick"]


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize(
    ("cells", "is_code"),
    [
        (["01", "2"], True),
        (["00123", ""], True),
        (["00"], True),
        (["0", "1"], False),
        (["0.5", "00.5"], False),
        (["01", "2.5"], False),
        (["-01", "1"], False),
        (["1234567890123456"], True),
        (["123456789012345"], False),
        (["1e20"], False),
        (["12345678901234567890123", "1"], True),
        (["1234567890123456.5"], False),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_codes_are_kept_as_text(cells, is_code, quote, end):
    rows = [f"x{index},{quote}{cell}{quote},2" for index, cell in enumerate(cells)]
    frame = read_text(end.join(["a,b,c", *rows, ""]), keep_codes=True)
    if is_code:
        assert frame["b"].dropna().tolist() == [cell for cell in cells if cell]
    else:
        assert frame["b"].tolist() == [float(cell) for cell in cells]
    assert frame["c"].dtype == "int64"


def test_codes_in_the_first_and_the_last_column():
    frame = read_text("a,b,c\n01,1, 07\n02,2,08", keep_codes=True)
    assert frame["a"].tolist() == ["01", "02"]
    assert frame["c"].tolist() == ["07", "08"]
    assert read_text("a,b\n01,1\n")["a"].tolist() == [1]


@given(st.text(alphabet=st.sampled_from('a,0\n \t"'), min_size=1), st.integers(2, 4))
def test_counting_without_splitting_counts_what_a_scan_counts(text, width):
    contents = Contents("t.csv", text.encode(), "")
    quick = quick_count(contents.data, ",", 0, width)
    assert quick is None or quick == count_rows(_rows(contents, ","), width)


QUOTED = st.lists(st.sampled_from(["", "a", ",", '"', 'b",c', '""', " x"]), min_size=2, max_size=3)


@given(st.lists(QUOTED, min_size=1), st.integers(2, 3))
def test_rows_of_quoted_values_are_counted_without_splitting(rows, width):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    bad = [(line, len(row)) for line, row in enumerate(rows, start=1) if len(row) != width]
    assert quick_count(text.getvalue().encode(), ",", 0, width) == (len(rows) - len(bad), bad)


@pytest.mark.parametrize("text", ['"a\nb",c', 'a"b,c"', 'a, "b,c"', '"a"b,c', '"a,b', "a,b\r1,2"])
def test_what_only_a_scan_can_count(text):
    assert quick_count(text.encode(), ",", 0, 2) is None
    assert quick_count(b"a b", " ", 0, 2) is None


def test_an_empty_value_in_a_file_of_one_column_is_a_row():
    assert read_text('a\n1\n""\n\n   \n3\n')["a"].isna().tolist() == [False, True, False]


def test_whole_numbers_too_large_for_integers_among_decimals_are_numbers():
    frame = read_table(io.BytesIO(b"a,b\n100000000000000000000,2\n0.5,1\n"))
    assert frame["a"].tolist() == [1e20, 0.5]
