import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.datasets import DataFormatError, arff, read_arff, read_keel

# Everything but line feeds, which a line cannot hold unescaped, and surrogates, which UTF-8 cannot write.
TEXT = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00"), max_size=6)
NASTY = st.sampled_from(["?", "", "%", "a,b", "it's", '"', "\\", "{x}", " a ", "@data", "a\tb", "a\nb", "\x85", "nan"])
NUMBERS = st.floats(allow_infinity=False, allow_nan=True)


def quote(text, mark):
    escaped = text.replace("\\", "\\\\").replace(mark, "\\" + mark).replace("\n", "\\n").replace("\r", "\\r")
    return mark + escaped + mark


def plain(text):
    """Tell whether a value can stand without quotes."""
    return bool(text) and text.isalnum() and text.isascii()


def write_arff(frame, mark="'", always_quote=True):
    def value(cell):
        if cell is None or (isinstance(cell, float) and np.isnan(cell)):
            return "?"
        if isinstance(cell, float):
            return repr(cell)
        return cell if plain(cell) and not always_quote else quote(cell, mark)

    lines = ["% made for a test", f"@relation {quote('a relation', mark)}"]
    for name in frame.columns:
        dtype = frame[name].dtype
        if isinstance(dtype, pd.CategoricalDtype):
            kind = "{" + ", ".join(quote(category, mark) for category in dtype.categories) + "}"
        else:
            kind = "numeric"
        lines.append(f"@attribute {quote(name, mark)} {kind}")
    lines.append("@data")
    lines += [",".join(value(cell) for cell in row) for row in frame.astype(object).itertuples(index=False, name=None)]
    return "\n".join(lines) + "\n"


@st.composite
def frames(draw):
    n_rows = draw(st.integers(1, 5))
    names = draw(st.lists(TEXT | NASTY, min_size=1, max_size=4, unique=True))
    columns = []
    for _ in names:
        if draw(st.booleans()):
            columns.append(pd.Series(draw(st.lists(NUMBERS, min_size=n_rows, max_size=n_rows)), dtype="float64"))
        else:
            categories = draw(st.lists(TEXT | NASTY, min_size=1, max_size=4, unique=True))
            codes = draw(st.lists(st.integers(-1, len(categories) - 1), min_size=n_rows, max_size=n_rows))
            columns.append(pd.Series(pd.Categorical.from_codes(codes, categories=categories)))
    frame = pd.concat(columns, axis=1)
    frame.columns = names
    return frame


@given(frames(), st.sampled_from("'\""), st.booleans(), st.booleans())
@settings(deadline=None)
def test_what_is_written_is_read_again(frame, mark, always_quote, pack):
    data = write_arff(frame, mark, always_quote).encode()
    read = read_arff(io.BytesIO(gzip.compress(data) if pack else data)).frame
    assert list(read.columns) == list(frame.columns)
    for index in range(frame.shape[1]):
        wanted, got = frame.iloc[:, index], read.iloc[:, index]
        if isinstance(wanted.dtype, pd.CategoricalDtype):
            assert list(got.cat.categories) == list(wanted.cat.categories)
            assert list(got.cat.codes) == list(wanted.cat.codes)
        else:
            np.testing.assert_array_equal(got.to_numpy(), wanted.to_numpy())


def test_a_whole_file(tmp_path):
    path = tmp_path / "play.arff"
    path.write_text("@relation play\n" + DECLARED + "1.5,green,zebra\n% between\n\n?,?,?\n-2e3,red,ant\nnan,red,ant")
    read = read_arff(path)
    assert read.relation == "play"
    kinds = [(attribute.name, attribute.kind) for attribute in read.attributes]
    assert kinds == [("n", "numeric"), ("c", "nominal"), ("s", "string")]
    assert list(read.frame.columns) == ["n", "c", "s"]
    np.testing.assert_array_equal(read.frame["n"], [1.5, np.nan, -2000.0, np.nan])
    assert read.frame["n"].dtype == "float64"
    assert list(read.frame["c"].cat.categories) == ["red", "green", "blue"]
    assert list(read.frame["s"].cat.categories) == ["ant", "zebra"]
    assert list(read.frame["c"].cat.codes) == list(read.frame["s"].cat.codes) == [1, -1, 0, 0]
    assert read.outputs == ()
    assert len(read.sha256) == 64
    assert "'c'" in repr(read)
    assert "zebra" not in repr(read)
    with pytest.raises(DataFormatError, match="<open file>, line 4: there are no rows after @data"):
        read_rows("\n% only a comment\n")


@given(st.binary(min_size=1, max_size=200))
def test_rubbish_is_refused(data):
    with pytest.raises(DataFormatError):
        read_arff(io.BytesIO(data))


def test_many_columns():
    names = "".join(f"@attribute g{i} real\n" for i in range(5000))
    row = ",".join(str(i) for i in range(5000))
    read = read_arff(io.StringIO(f"{names}@attribute class {{a,b}}\n@data\n{row},a\n{row},b\n"))
    assert read.frame.shape == (2, 5001)
    assert read.frame.iloc[1, 4999] == 4999


def test_dropped_attributes_are_not_looked_at():
    declared = "@attribute d date\n@attribute a real\n@attribute b relational\n@attribute i real\n@end b\n@data\n"
    text = declared + "1999,1,'1\\n2'\n{0 2000, 1 2}\n{1 3}\n?,4,?\n"
    read = read_arff(io.StringIO(text), drop=["d", "b"])
    assert list(read.frame.columns) == ["a"]
    assert read.frame["a"].tolist() == [1, 2, 3, 4]
    assert [attribute.kind for attribute in read.attributes] == ["dropped", "numeric", "dropped"]
    with pytest.raises(ValueError, match=r"drop=\['c'\]: <open file> has no column 'c'; its columns are 'a'"):
        read_arff(io.StringIO("@attribute a real\n@data\n1\n"), drop=["c"])
    with pytest.raises(TypeError, match=r"write drop=\['a'\]"):
        read_arff(io.StringIO("@attribute a real\n@data\n1\n"), drop="a")


DECLARED = "@attribute n numeric\n@attribute c {red,green,blue}\n@attribute s string\n@data\n"


def read_rows(rows, declared=DECLARED, **options):
    return read_arff(io.StringIO(declared + rows), **options).frame


def test_sparse_rows_leave_out_zero_and_the_first_declared_value():
    declared = "@attribute a numeric\n@attribute c {red,green}\n@data\n"
    frame = read_rows("{0 1, 1 green}\n{}\n{1 ?}\n2,red", declared)
    assert list(frame["a"]) == [1, 0, 0, 2]
    assert list(frame["c"].cat.codes) == [1, 0, -1, 0]


@pytest.mark.parametrize("block", [1, 3, 4, 1000])
def test_blocks_of_any_size_give_the_same_read_rows(monkeypatch, block):
    rows = "\n".join(f"{i},{['red', 'blue'][i % 2]},w{i % 3}" for i in range(10))
    whole = read_rows(rows)
    monkeypatch.setattr(arff, "_BLOCK_VALUES", block)
    assert read_rows(rows).equals(whole)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1,red", "the row has 2 values, but 3 attributes are declared; write [?] for each"),
        ("1,red,x,y", "the row has 4 values, but 3 attributes are declared; quote values"),
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
    monkeypatch.setattr(arff, "_BLOCK_VALUES", block)
    with pytest.raises(DataFormatError, match=problem) as caught:
        read_rows(f"1,red,x\n% comment\n{row}\n2,red,x")
    assert caught.value.line == 7


def test_sparse_rows_may_not_fill_more_than_allowed():
    declared = "".join(f"@attribute a{i} numeric\n" for i in range(100)) + "@data\n"
    with pytest.raises(DataFormatError, match="50 sparse rows of 100 attributes need more than max_bytes=39999"):
        read_rows("\n".join(["{}"] * 50), declared, max_bytes=39_999)
    assert read_rows("\n".join(["{}"] * 50), declared, max_bytes=40_000).shape == (50, 100)


KEEL = """@relation heart
@attribute Age real [29.0, 77.0]
@attribute Vessels integer[0,3]
@attribute Kind {round, flat}
@inputs Age, Vessels, Kind
@outputs Kind
@data
63.0, <null>, round
?, 3,flat
"""


def test_ranges_missing_values_and_outputs():
    read = read_keel(io.StringIO(KEEL))
    assert read.relation == "heart"
    assert read.outputs == ("Kind",)
    assert read.frame.isna().to_numpy().tolist() == [[False, True, False], [True, False, False]]
    assert read.frame["Vessels"].iloc[1] == 3.0
    assert list(read.frame["Kind"]) == ["round", "flat"]


def test_latin_1_values():
    read = read_arff(io.BytesIO("@attribute c {grün,rot}\n@data\ngrün\n".encode("latin-1")))
    assert list(read.frame["c"]) == ["grün"]
