"""Excel files."""

from __future__ import annotations

import io
import sys
import zipfile

import numpy as np
import pandas as pd
import pytest

from covey.datasets import DataFormatError, load

pytest.importorskip("python_calamine")

FRAME = pd.DataFrame(
    {
        "age": [31, "unknown", 47, None],
        "town": ["Ely", "York", None, "Ely"],
        "seen": pd.to_datetime(["2020-01-01", "2021-05-03", None, "2022-02-02"]),
        "code": ["007", "008", "007", "009"],
        "y": ["u", "v", "u", "v"],
    }
)


@pytest.fixture
def book(tmp_path):
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as writer:
        FRAME.to_excel(writer, sheet_name="patients")
        FRAME.to_excel(writer, sheet_name="old", index=False)
    return path


def test_the_first_sheet_is_read(book):
    data = load(book)
    np.testing.assert_array_equal(data.frame["age"], [31, np.nan, 47, np.nan])
    assert list(data.frame["town"].cat.categories) == ["Ely", "York"]
    assert data.frame["seen: year"].tolist()[:2] == [2020, 2021]
    assert list(data.frame["code"]) == FRAME["code"].tolist()
    assert (data.provenance.format, data.task) == ("excel", "classification")
    assert data.provenance.notes[:2] == (
        "only the first sheet, 'patients', was read; others are 'old', to be saved as files of their own",
        "the first column, without a name, numbers the 4 rows, so it is left out; keep=['column 1'] keeps it",
    )
    assert load(book, missing=["Ely"]).frame["town"].isna().sum() == 3


def test_the_sheet_is_read_that_has_the_columns(tmp_path):
    path = tmp_path / "book.xlsx"
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame({"Read me": ["some words", "more"]}).to_excel(writer, sheet_name="about", index=False)
        FRAME.to_excel(writer, sheet_name="patients", index=False)
        FRAME.assign(code="001").to_excel(writer, sheet_name="old", index=False)
    data = load(path, target="y")
    assert list(data.frame["code"]) == FRAME["code"].tolist()
    assert data.provenance.notes[0].startswith("only the sheet, 'patients', was read; others are 'about', 'old', to be")
    with pytest.raises(ValueError, match="has no column 'z'; its columns are 'Read me'"):
        load(path, target="z")


def test_damaged_files_and_others(book, monkeypatch):
    whole = book.read_bytes()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("a.csv", "a,b\n1,2\n")
    with pytest.raises(DataFormatError, match="unpacks to more than max_bytes=7000 bytes"):
        load(book, max_bytes=7000)
    for data, problem in (
        (whole[:-40], "cut short or corrupt"),
        (archive.getvalue(), "a ZIP archive, not an Excel file"),
        (b"a,y\n1,2\n", "this is no Excel file"),
    ):
        book.write_bytes(data)
        with pytest.raises(DataFormatError, match=problem):
            load(book)
    book.write_bytes(whole)
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(ImportError, match=r"pip install covey\[excel\]"):
        load(book)


def test_a_sheet_without_rows(tmp_path):
    FRAME.head(0).to_excel(tmp_path / "empty.xlsx", index=False)
    with pytest.raises(DataFormatError, match="there are no rows of data in its sheet 'Sheet1'"):
        load(tmp_path / "empty.xlsx")
