"""Data of any kind, and the roles of their columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array, csr_matrix

from covey.datasets import from_frame, load
from covey.datasets.choice import Choice
from covey.datasets.leaving_out import leave_out
from covey.datasets.roles import check_target, notes_of_reading, read_data

FRAME = pd.DataFrame({"id": range(8), "age": [1.0, 2, 3, 4, 5, 6, 7, None], "won": ["yes", "no"] * 4})


def read(data, target=None, drop=(), task=None):
    return read_data(data, Choice(target, drop), task)


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
    frame = pd.DataFrame(X, index=range(5, 11))
    assert read((frame, y), "won")[0].target.name == "won"
    pd.testing.assert_frame_equal(frame, pd.DataFrame(X, index=range(5, 11)))
    with pytest.raises(ValueError, match="target='p' is a column of X too"):
        read((frame.set_axis(["p", "q"], axis=1), y), "p")


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ([], {}, "data is empty"),
        (FRAME, {}, "name the column of the DataFrame to predict"),
        ("iris", {"drop": "alcohol"}, r"write drop=\['alcohol'\]"),
        ((np.ones((3, 2)), np.ones(4)), {}, "give one y for each row"),
        ((np.ones((3, 2)),), {}, r"give a pair \(X, y\)"),
        ((np.ones(3), np.ones(3)), {}, r"X is of shape \(3,\); give rows and columns"),
        ((csr_matrix(np.eye(3)), np.ones(3)), {}, r"X is sparse.* give X.toarray\(\)"),
        ((csr_array(np.eye(3)), np.ones(3)), {}, r"X is sparse.* give X.toarray\(\)"),
        (FRAME, {"target": "lost"}, "lost"),
        (None, {}, "data is None; give a file"),
        (FRAME[["age"]], {"target": FRAME["won"]}, r"in a pair: compare\(\(X, y\)\)"),
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
    found, notes = leave_out(read(frame, "won")[0])
    assert list(found.frame.columns) == ["town", "size"]
    assert notes == (
        "left out: 'name' (like names, different in most rows); keep=['name'] keeps it",
        "left out: 'number' (a number for each row, counting up); keep=['number'] keeps it",
    )
    assert found.provenance.notes == notes
    assert list(leave_out(read(frame, "won")[0], ["name"])[0].frame.columns) == ["name", "town", "size"]


def test_few_rows_are_left_alone_and_columns_that_are_all_names_refused():
    assert leave_out(read(FRAME.assign(name=list("abcdefgh")), "won")[0])[1] == ()
    frame = pd.DataFrame({"name": [f"P{i}" for i in range(30)], "won": ["yes", "no", "no"] * 10})
    with pytest.raises(ValueError, match=r"no column of 'data' is left to learn from: .* keep=\['name'\]"):
        leave_out(read(frame, "won")[0])
    assert list(leave_out(read(frame, "won")[0], ["name"])[0].frame.columns) == ["name"]


def test_a_dataset_can_be_told_otherwise():
    (found,) = read(load("wine"), drop=["alcohol"], target="magnesium")
    assert (found.target.name, found.task) == ("magnesium", "regression")
    assert "alcohol" not in found.frame
    assert "target" in found.frame
    assert read(load("wine"), drop=["alcohol"])[0].task == "classification"
    whole = np.arange(12.0).reshape(6, 2), np.array([0, 1] * 3)
    assert read(whole)[0].task == "classification"
    (numbers,) = read(whole, task="regression")
    assert numbers.task == read(numbers, drop=["column 0"])[0].task == "regression"
    assert [one.name for one in read(["iris", "iris", "wine"])] == ["iris (1)", "iris (2)", "wine"]


def test_a_pair_with_a_polars_frame_keeps_its_columns():
    X = pl.from_pandas(FRAME[["id", "age"]]).with_columns(town=pl.Series(["Ely", "York"] * 4))
    (found,) = read((X, pl.Series("won", ["yes", "no"] * 4)), drop=["id"])
    assert list(found.frame.columns) == ["age", "town"]
    assert found.frame["town"].dtype == "category"
    assert found.target.name == "won"
    assert found.n_missing == 1


def test_several_data_get_what_they_have(tmp_path):
    FRAME.to_csv(tmp_path / "games.csv", index=False)
    wine, games = read(["wine", str(tmp_path / "games.csv")], "won", drop=["id", "alcohol"])
    assert (wine.target.name, games.target.name) == ("target", "won")
    assert "alcohol" not in wine.frame
    assert list(games.frame.columns) == ["age"]
    assert wine.provenance.notes[-1] == "left out as asked: 'alcohol'"
    other, _ = read([load("wine"), FRAME.assign(magnesium=1.5)], "magnesium", task="regression")
    assert other.target.name == "magnesium"


def test_several_data_without_the_column(tmp_path):
    FRAME.to_csv(tmp_path / "games.csv", index=False)
    FRAME.rename(columns={"won": "lost"}).to_csv(tmp_path / "other.csv", index=False)
    with pytest.raises(ValueError, match="'other' has no column 'won'"):
        read([tmp_path / "games.csv", tmp_path / "other.csv"], "won")
    with pytest.raises(ValueError, match="target='won': none of the data has a column 'won'"):
        read(["iris", "wine"], "won")
    with pytest.raises(ValueError, match="none of the data has a column 'name'"):
        read(["iris", "wine"], drop=["alcohol", "name"])


def test_what_was_done_in_reading_is_told():
    frame = pd.DataFrame({"id": range(30), "a": [1.5, 2.5] * 15, "y": [0, 1, None] * 10})
    (found,) = read(frame, "y", drop=["id"])
    notes = notes_of_reading(found)
    assert notes[0] == "data: 10 rows without a target (y) were dropped."
    assert "2 distinct whole numbers, taken for classes" in notes[1]
    assert notes[2] == "data: left out as asked: 'id'."
    assert notes_of_reading(load("wine")) == ()
    assert notes_of_reading(read("wine", drop=["alcohol"])[0]) == ("wine: left out as asked: 'alcohol'.",)


def test_targets_that_make_no_classes():
    def data(y, **options):
        return from_frame(pd.DataFrame({"a": np.arange(len(y)) / 2, "y": y}), "y", **options)

    with pytest.raises(ValueError, match=r"numbers that are not whole.*task='regression'"):
        check_target(data([0.5, 1.5, 2.0], task="classification"))
    with pytest.raises(ValueError, match="every row is a class of its own"):
        check_target(data(["a", "b", "c"]))
    with pytest.raises(ValueError, match="one class only, 'a'; choose another target"):
        check_target(data(["a", "a", None]))
    for fine in (data([0.5, 1.5, 2.0]), data(["a", "b", "a"]), data([1.0, 2.0, 1.0])):
        check_target(fine)


def test_a_target_of_very_many_labels_is_refused_with_the_remedy():
    prices = pd.DataFrame({"x": range(900), "price": [f"{i % 450},50 EUR" for i in range(900)]})
    with pytest.raises(ValueError, match=r"450 different labels in 900 rows.*write them plainly, such as 1234\.5"):
        check_target(from_frame(prices, "price"))
    check_target(from_frame(prices.assign(price=prices.price.str[:1]), "price"))
