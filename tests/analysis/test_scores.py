"""Scores are read with their names, and what is wrong with them is said by name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.analysis.scores import check_alpha, check_direction, read_scores


def test_a_frame_brings_its_names():
    frame = pd.DataFrame({"nn": [0.1, 0.2], "mfs": [0.3, 0.1]}, index=["wine", "sonar"])
    scores = read_scores(frame)
    assert scores.methods == ("nn", "mfs")
    assert scores.datasets == ("wine", "sonar")
    assert read_scores(scores) is scores


def test_arrays_and_mappings():
    assert read_scores([[1, 2], [3, 4]]).methods == ("1", "2")
    assert read_scores([[1, 2], [3, 4]], methods=["a", "b"], datasets=["x", "y"]).datasets == ("x", "y")
    scores = read_scores({"a": [1, 2, 3], "b": [3, 2, 1]})
    assert scores.methods == ("a", "b")
    np.testing.assert_array_equal(scores.values, [[1, 3], [2, 2], [3, 1]])


def test_series_are_matched_by_their_datasets():
    one = pd.Series([0.1, 0.2, 0.3], index=["x", "y", "z"])
    scores = read_scores({"a": one, "b": one.iloc[::-1]})
    assert scores.datasets == ("x", "y", "z")
    np.testing.assert_array_equal(scores.values[:, 0], scores.values[:, 1])
    with pytest.raises(ValueError, match="nan on dataset 'x' for method 'b'"):
        read_scores({"a": one, "b": one.drop("x")})


def test_names_of_a_frame_choose_and_new_names_rename():
    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4], "c": [5, 6]}, index=["x", "y"])
    scores = read_scores(frame, methods=["c", "a"], datasets=["y", "x"])
    assert (scores.methods, scores.datasets) == (("c", "a"), ("y", "x"))
    np.testing.assert_array_equal(scores.values, [[6, 2], [5, 1]])
    assert read_scores(frame, methods=["p", "q", "r"]).methods == ("p", "q", "r")
    assert read_scores(frame.rename(columns={"a": 0}), methods=[0, "b"]).methods == ("0", "b")


def test_nullable_frames_and_polars():
    import polars as pl

    frame = pd.DataFrame({"a": [1, 2], "b": [3, 4]}, dtype="Int64")
    np.testing.assert_array_equal(read_scores(frame).values, [[1, 3], [2, 4]])
    assert read_scores(pl.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})).methods == ("a", "b")


def test_reading_copies_so_that_a_result_cannot_change_later():
    values = np.ones((3, 2))
    scores = read_scores(values)
    values[0, 0] = 7
    assert scores.values[0, 0] == 1


def test_ranks_share_ties_and_follow_the_direction():
    scores = read_scores([[0.9, 0.8, 0.9], [0.1, 0.2, 0.3]])
    np.testing.assert_array_equal(scores.ranks(larger_is_better=True), [[1.5, 3, 1.5], [3, 2, 1]])
    np.testing.assert_array_equal(scores.ranks(larger_is_better=False), [[2.5, 1, 2.5], [1, 2, 3]])


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[1], [2]], {}, "scores has 1 method"),
        ([[1, 2]], {}, "scores has 1 dataset.*corrected_t_test"),
        ([1, 2], {}, "1 dimensions"),
        ([["a", "b"], ["c", "d"]], {}, "scores must be numbers"),
        ([[1, 2], [3, 4]], {"methods": ["a"]}, "methods has 1 names, but scores has 2"),
        ([[1, 2], [3, 4]], {"methods": ["a", "a"]}, "methods has 'a' twice"),
        (pd.DataFrame({"a": [1, 2], "b": [3, np.nan]}, index=["x", "y"]), {}, "nan on dataset 'y' for method 'b'"),
        ({"a": [1, 2, 3], "b": [1, 2]}, {}, "3 for 'a' and 2 for 'b'"),
        ({}, {}, "scores is empty"),
        (pd.DataFrame({"set": ["x", "y"], "a": [1, 2], "b": [3, 4]}), {}, "column 'set'.*pivot_table"),
        (pd.DataFrame(np.ones((2, 2)), index=["x", "x"]), {}, "datasets has 'x' twice; take the mean of its runs"),
        (pd.DataFrame(np.ones((2, 2)), index=pd.MultiIndex.from_tuples([("x", 1), ("x", 2)])), {}, "several levels"),
        (pd.DataFrame({"a": [1, 2], "b": [3, pd.NA]}, dtype="Float64"), {}, "nan on dataset '1' for method 'b'"),
        (np.ma.array(np.ones((2, 2)), mask=[[0, 0], [1, 0]]), {}, "nan on dataset '2' for method '1'"),
        ([[1, 2], [3]], {}, "scores must be numbers, as many in each row"),
        ([[1, np.inf], [np.nan, 4]], {}, r"inf on dataset '1' for method '2' \(and 1 more\)"),
    ],
)
def test_bad_scores(scores, options, message):
    with pytest.raises(ValueError, match=message):
        read_scores(scores, **options)


@pytest.mark.parametrize("direction", [None, 1, "yes"])
def test_the_direction_must_be_said(direction):
    with pytest.raises(TypeError, match="larger_is_better"):
        check_direction(direction)


@pytest.mark.parametrize("alpha", [0, 1, -0.1, 1e-310, "5%", None, float("nan")])
def test_bad_alpha(alpha):
    with pytest.raises(ValueError, match="alpha="):
        check_alpha(alpha)
