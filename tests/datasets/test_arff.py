import gzip
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from covey.datasets import DataFormatError, read_arff

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
    path.write_text(
        "@relation play\n@attribute wind {weak,strong,none}\n@attribute heat real\n@data\nstrong,?\nweak,21\n"
    )
    read = read_arff(path)
    assert read.relation == "play"
    assert [(attribute.name, attribute.kind) for attribute in read.attributes] == [
        ("wind", "nominal"),
        ("heat", "numeric"),
    ]
    assert read.frame.shape == (2, 2)
    assert list(read.frame["wind"].cat.categories) == ["weak", "strong", "none"]
    assert read.outputs == ()
    assert len(read.sha256) == 64
    assert "wind" in repr(read)
    assert "21" not in repr(read)


def test_latin_1_values():
    read = read_arff(io.BytesIO("@attribute c {grün,rot}\n@data\ngrün\n".encode("latin-1")))
    assert list(read.frame["c"]) == ["grün"]


def test_errors_name_the_file_and_the_line(tmp_path):
    path = tmp_path / "bad.arff"
    path.write_text("@attribute a real\n@data\n1\nx\n")
    with pytest.raises(DataFormatError, match=r"bad\.arff, line 4: 'x' is no number"):
        read_arff(path)


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


def test_max_bytes_is_kept():
    with pytest.raises(DataFormatError, match="max_bytes=10"):
        read_arff(io.StringIO("@attribute a real\n@data\n1\n"), max_bytes=10)


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
