"""New rows are read as the rows of the training were."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.datasets import load, read_new_rows
from covey.datasets.leaving_out import leave_out
from covey.models import describe_training

N = 80
RNG = np.random.default_rng(3)
WORDS = ["slow", "fast", "late", "kind", "rude", "broken", "happy", "never", "again", "box", "came"]
DAYS = pd.Timestamp("2019-01-01") + pd.to_timedelta(RNG.integers(0, 900, N), unit="D")
TABLE = pd.DataFrame(
    {
        "id": range(N),
        "joined": DAYS.strftime("%d/%m/%Y"),
        "seen": (DAYS + pd.to_timedelta(RNG.integers(0, 1440, N), unit="m")).strftime("%Y-%m-%d %H:%M"),
        "age": ["unknown", *RNG.integers(18, 80, N - 1).astype(str)],
        "comment": [" ".join(RNG.choice(WORDS, 6)) for _ in range(N - 1)] + [None],
        "zip": [f"0{number}" for number in RNG.integers(10, 19, N)],
        "size": RNG.normal(size=N).round(3),
        "score": ["gone", *RNG.integers(0, 9, N - 1).astype(str)],
        "y": ["u", "v"] * (N // 2),
    }
)


def train(path, **options):
    """Return what was trained on and what a model's file says about it."""
    data, _ = leave_out(load(path, target="y", text=["comment"], missing=["gone"], **options))
    return data.frame, describe_training(data)


def write(folder, table, kind):
    path = folder / f"t{'-'.join(kind)}.{kind[0]}"
    if kind[0] == "xlsx":
        table.assign(joined=pd.to_datetime(table["joined"], dayfirst=True)).to_excel(path)
    elif kind[0] == "parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, **{"csv": {}, "tsv": {"sep": "\t", "decimal": ","}}[kind[0]], encoding=kind[1])
    return path


KINDS = [("csv", "utf-8"), ("csv", "utf-16"), ("tsv", "utf-8"), ("xlsx", ""), ("parquet", "")]


@pytest.mark.parametrize("kind", KINDS, ids=" ".join)
@pytest.mark.parametrize("trained", [KINDS[0], KINDS[2], KINDS[3]], ids=" ".join)
def test_the_rows_of_the_training_are_what_they_were(tmp_path, trained, kind):
    frame, about = train(write(tmp_path, TABLE, trained))
    assert {"joined: year", "joined: days", "seen: hour", "age", "zip", "size", "score"} < set(frame.columns)
    assert any(name.startswith("comment: n-gram") for name in frame.columns)
    path = write(tmp_path, TABLE.drop(columns="y").iloc[:, ::-1], kind)
    pd.testing.assert_frame_equal(read_new_rows(path, about).frame, frame)


def test_a_single_row(tmp_path):
    frame, about = train(write(tmp_path, TABLE, KINDS[2]))
    assert next(column for column in about["columns"] if column["name"] == "size")["decimal"] == ","
    for place in (0, 5, N - 1):
        # In a row by itself, 1,234 may be meant as 1234, and a word is all that a column has.
        one = read_new_rows(write(tmp_path, TABLE.iloc[[place]], KINDS[2]), about).frame
        pd.testing.assert_frame_equal(one, frame.iloc[[place]].reset_index(drop=True))


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        (
            "joined",
            "soon",
            "'joined' holds 'soon' in row 1 of the data, but the model was trained on dates there, like 31/12",
        ),
        ("joined", "12/31/2020", "holds '12/31/2020'.* like 31/12/2020"),
        ("age", "old", "the column 'age' holds 'old' in row 1 of the data, but the model was trained on numbers there"),
        ("age", "2020-01-01", "the column 'age' holds dates, but the model was trained on numbers there"),
    ],
)
def test_rows_that_do_not_fit(tmp_path, column, value, problem):
    about = train(write(tmp_path, TABLE, KINDS[0]))[1]
    path = write(tmp_path, TABLE.head(1).assign(**{column: value}), ("csv", "utf-8"))
    with pytest.raises(ValueError, match=problem):
        read_new_rows(path, about)


def test_a_column_that_a_part_is_made_of_is_missing(tmp_path):
    about = train(write(tmp_path, TABLE, KINDS[0]))[1]
    path = write(tmp_path, TABLE.drop(columns=["joined", "comment"]), ("csv", "utf-8"))
    with pytest.raises(ValueError, match="lacks 2 of the 7 columns that the model was trained on: 'joined', 'comment'"):
        read_new_rows(path, about)


@pytest.mark.parametrize(
    "forged",
    [
        {"part": "__class__"},
        {"part": "n-gram 9999"},
        {"part": ["year"]},
        {"format": "%Y" * 1000},
        {"format": {}},
        {"from": 3},
        {"from": None},
        {"decimal": ";"},
        {"kind": "category", "categories": []},
    ],
)
def test_forged_parts_are_refused(tmp_path, forged):
    path = write(tmp_path, TABLE, KINDS[0])
    about = train(path)[1]
    column = next(column for column in about["columns"] if column["name"] == "joined: year")
    column |= forged
    with pytest.raises(ValueError, match="about its column 'joined: year' is damaged or forged"):
        read_new_rows(path, about)


@pytest.mark.parametrize(
    "about",
    [{"missing": "x"}, {"missing": [1]}, {"columns": [{"name": "a", "kind": "number"}] * 2}],
)
def test_forged_descriptions_are_refused(tmp_path, about):
    path = write(tmp_path, TABLE, KINDS[0])
    with pytest.raises(ValueError, match="is damaged or forged"):
        read_new_rows(path, train(path)[1] | about)


def test_files_of_earlier_versions_are_read(tmp_path):
    path = write(tmp_path, TABLE, KINDS[0])
    old = {"columns": [{"name": "size", "kind": "number"}, {"name": "zip", "kind": "category", "categories": ["010"]}]}
    rows = read_new_rows(path, old)
    assert list(rows.frame.columns) == ["size", "zip"]
    np.testing.assert_array_equal(rows.frame["size"], TABLE["size"])
