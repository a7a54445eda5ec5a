import csv
import io

import pytest
from hypothesis import given, strategies as st

from covey.datasets import read_table
from covey.datasets.delimited import Layout, _exact_floats, _rows, count_rows, quick_count, read_delimited
from covey.datasets.errors import DataFormatError
from covey.datasets.reading import Contents, read_contents


def read(text, **options):
    return read_delimited(read_contents(io.StringIO(text)), Layout(**options))


@pytest.mark.parametrize(("version", "exact"), [("2.1.4", True), ("3.0.0rc1", True), ("3.1.0", False), ("4.0", False)])
def test_pandas_is_asked_for_exact_numbers_where_it_needs_to_be(version, exact):
    assert bool(_exact_floats(version)) is exact


def test_layouts():
    contents = Contents("t.txt", b"  A1  1,5  1\n\nA2  2,5  2 \n", "")
    layout = Layout(" ", ("code", "size", "label"), frozenset({"label"}), ",")
    frame = read_delimited(contents, layout)
    assert frame["size"].tolist() == [1.5, 2.5]
    assert frame["label"].tolist() == ["1", "2"]
    with pytest.raises(DataFormatError, match=r"t.txt, line 1: the row has 3 values, but there are 2 columns"):
        read_delimited(contents, Layout(" ", ("a", "b")))


@pytest.mark.parametrize("mark", ["", "?", "n/a", "N/A", "na", "NA", "null", "Null", "nan", "NaN", "#n/a", " NULL "])
@pytest.mark.parametrize("other", ["1.5", "word"])
def test_missing_marks(mark, other):
    assert read(f"a,b\n{mark},1\n{other},2\n")["a"].isna().tolist() == [True, False]


@pytest.mark.parametrize("word", ["Na", "Nan", "None", "-", ".", "none"])
def test_words_that_are_not_missing_values(word):
    assert read(f"a,b\n{word},1\nbrick,2\n")["a"].tolist() == [word, "brick"]


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
    frame = read(end.join(["a,b,c", *rows, ""]), keep_codes=True)
    if is_code:
        assert frame["b"].dropna().tolist() == [cell for cell in cells if cell]
    else:
        assert frame["b"].tolist() == [float(cell) for cell in cells]
    assert frame["c"].dtype == "int64"


def test_codes_in_the_first_and_the_last_column():
    frame = read("a,b,c\n01,1, 07\n02,2,08", keep_codes=True)
    assert frame["a"].tolist() == ["01", "02"]
    assert frame["c"].tolist() == ["07", "08"]
    assert read("a,b\n01,1\n")["a"].tolist() == [1]


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
    bad = next(((line, len(row)) for line, row in enumerate(rows, start=1) if len(row) != width), None)
    assert quick_count(text.getvalue().encode(), ",", 0, width) == ((0, bad) if bad else (len(rows), None))


@pytest.mark.parametrize("text", ['"a\nb",c', 'a"b,c"', 'a, "b,c"', '"a"b,c', '"a,b', "a,b\r1,2"])
def test_what_only_a_scan_can_count(text):
    assert quick_count(text.encode(), ",", 0, 2) is None
    assert quick_count(b"a b", " ", 0, 2) is None


def test_an_empty_value_in_a_file_of_one_column_is_a_row():
    assert read('a\n1\n""\n\n   \n3\n')["a"].isna().tolist() == [False, True, False]


def test_whole_numbers_too_large_for_integers_among_decimals_are_numbers():
    frame = read_table(io.BytesIO(b"a,b\n100000000000000000000,2\n0.5,1\n"))
    assert frame["a"].tolist() == [1e20, 0.5]
