"""The data that a comparison is given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from covey.comparison.data import read_data, without_names
from covey.datasets import load

FRAME = pd.DataFrame({"id": range(8), "age": [1.0, 2, 3, 4, 5, 6, 7, None], "won": ["yes", "no"] * 4})


def read(data, target=None, drop=(), task=None):
    return read_data(data, target, drop, task)


def test_names_files_and_datasets(tmp_path):
    FRAME.to_csv(tmp_path / "games.csv", index=False)
    iris, games, wine = (*read("iris"), *read(tmp_path / "games.csv", "won"), *read(load("wine")))
    assert [one.name for one in (iris, games, wine)] == ["iris", "games", "wine"]
    assert games.n_rows == 8
    assert games.n_missing == 1


@pytest.mark.parametrize("frame", [FRAME, pl.from_pandas(FRAME)], ids=["pandas", "polars"])
def test_frames(frame):
    (found,) = read(frame, "won", drop=["id"])
    assert found.classes == ("no", "yes")
    assert list(found.frame.columns) == ["age"]


def test_pairs():
    X, y = np.arange(12.0).reshape(6, 2), np.array(list("ababab"))
    (found,) = read((X, y))
    assert list(found.frame.columns) == ["column 0", "column 1"]
    assert found.target.name == "target"
    (named,) = read((pd.DataFrame(X, columns=["p", "y"]), pd.Series(y, name="y")))
    assert named.target.name == "y to predict"
    assert list(named.frame.columns) == ["p", "y"]


def test_the_task_can_be_said():
    X, y = np.arange(12.0).reshape(6, 2), np.array([0, 1] * 3)
    assert read((X, y))[0].task == "classification"
    assert read((X, y), task="regression")[0].task == "regression"


def test_a_dataset_can_be_told_otherwise():
    (found,) = read(load("wine"), drop=["alcohol"], target="magnesium", task="regression")
    assert found.target.name == "magnesium"
    assert found.task == "regression"
    assert "alcohol" not in found.frame
    assert "target" in found.frame


def test_the_same_name_twice_is_numbered():
    assert [one.name for one in read(["iris", "iris", "wine"])] == ["iris (1)", "iris (2)", "wine"]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ([], {}, "data is empty"),
        (FRAME, {}, "name the column of the DataFrame to predict"),
        ("iris", {"drop": "alcohol"}, r"write drop=\['alcohol'\]"),
        ((np.ones((3, 2)), np.ones(4)), {}, "give one y for each row"),
        ((np.ones((3, 2)),), {}, r"give a pair \(X, y\)"),
        (FRAME, {"target": "lost"}, "lost"),
        (3, {"target": "y"}, "give a pandas or polars DataFrame"),
    ],
)
def test_bad_data_is_refused(data, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        read(data, **options)


def test_text_that_differs_in_every_row_is_left_out():
    n = 30
    frame = pd.DataFrame(
        {
            "name": [f"P{i}" for i in range(n)],
            "number": range(n),
            "town": ["a", "b"] * 15,
            "size": np.sqrt(np.arange(n) + 0.5),
        }
    ).assign(won=["yes", "no", "no"] * 10)
    found, notes = without_names(read(frame, "won")[0])
    assert list(found.frame.columns) == ["number", "town", "size"]
    assert "'name' is left out: it differs in every row" in notes[0]
    assert "'number' counts the rows" in notes[1]
    assert len(notes) == 2


def test_few_rows_and_columns_that_are_all_names_are_left_alone():
    assert without_names(read(FRAME.assign(name=list("abcdefgh")), "won")[0])[1] == ()
    frame = pd.DataFrame({"name": [f"P{i}" for i in range(30)], "won": ["yes", "no", "no"] * 10})
    found, notes = without_names(read(frame, "won")[0])
    assert list(found.frame.columns) == ["name"]
    assert notes == ()
