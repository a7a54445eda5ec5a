from __future__ import annotations

from math import log2

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, strategies as st
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from covey import C45Classifier, load_model, save_model
from covey.analysis.filters import MDLDiscretizer, mdl_cut_points
from covey.table import as_table

FRAME = pd.DataFrame(
    {
        "size": [1.0, 2.0, 3.0, np.nan, 7.0, 8.0, 9.0, 9.5],
        "town": ["Ely", "York", None, "Ely", "York", "Ely", "York", "Ely"],
        "noise": [1, 2, 1, 2, 1, 2, 1, 2],
    },
    index=list("abcdefgh"),
)
CLASSES = ["a"] * 4 + ["b"] * 4


def entropy(cases):
    """The entropy of (class, weight) pairs in bits, and the number of classes."""
    total, by_class = sum(weight for _, weight in cases), {}
    for label, weight in cases:
        by_class[label] = by_class.get(label, 0) + weight
    return -sum(weight / total * log2(weight / total) for weight in by_class.values()), len(by_class)


def twin(rows, charge):
    """The cut points of sorted (value, class, weight) rows, by the published formula and nothing else."""
    cases = [(label, weight) for _, label, weight in rows]
    places = [i for i in range(1, len(rows)) if rows[i - 1][0] < rows[i][0]]
    if not places:
        return []
    total = sum(weight for _, weight in cases)
    sides = [(entropy(cases[:i]), entropy(cases[i:]), sum(weight for _, weight in cases[:i])) for i in places]
    after = [(left[0] * below + right[0] * (total - below)) / total for left, right, below in sides]
    best = next(i for i in range(len(places)) if after[i] <= min(after) + 1e-10)
    (before, k), (left, k_left), (right, k_right) = entropy(cases), sides[best][0], sides[best][1]
    n_cuts = max(total - 1, 1) if charge == "rows" else len(places)
    cost = log2(n_cuts) + log2(3**k - 2) - (k * before - k_left * left - k_right * right)
    if before - after[best] <= max(cost / total, 1e-12):
        return []
    at = places[best]
    return [*twin(rows[:at], charge), (rows[at - 1][0] + rows[at][0]) / 2, *twin(rows[at:], charge)]


ROWS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 2), st.sampled_from([0.5, 1.0, 1.0, 2.0, 3.25, 9.0])),
    min_size=1,
    max_size=40,
)


@given(ROWS, st.sampled_from(["rows", "values"]))
def test_cuts_are_those_of_the_published_formula(rows, charge):
    values, codes, weight = map(np.array, zip(*rows, strict=True))
    assert mdl_cut_points(values, codes, weight, charge=charge).tolist() == twin(sorted(rows), charge)


@given(ROWS, st.randoms(use_true_random=False))
def test_order_of_the_rows_does_not_matter_and_weights_count_rows(rows, random):
    repeated = [(value, label) for value, label, weight in rows for _ in range(int(weight))]
    random.shuffle(repeated)
    if repeated:
        values, codes, weight = map(np.array, zip(*rows, strict=True))
        once = mdl_cut_points(values, codes, np.floor(weight))
        np.testing.assert_array_equal(once, mdl_cut_points(*map(np.array, zip(*repeated, strict=True))))


@given(ROWS)
def test_a_monotone_change_leaves_the_intervals(rows):
    values, codes, _ = map(np.array, zip(*rows, strict=True))
    before, after = mdl_cut_points(values, codes), mdl_cut_points(values**3.0, codes)
    np.testing.assert_array_equal(np.searchsorted(before, values), np.searchsorted(after, values**3.0))


@pytest.mark.parametrize(
    ("values", "codes", "expected"),
    [
        ([1, 2, 3, 4], [0, 0, 1, 1], [2.5]),  # gain 1 bit, cost (log2 3 + log2 7 - 2) / 4 = 0.60
        ([1, 2], [0, 1], [1.5]),  # gain 1 bit, cost (log2 7 - 2) / 2 = 0.40
        ([1, 2, 3], [0, 1, 0], []),  # gain 0.25 bits, cost 1.32
        ([1, 1, 1, 1], [0, 0, 1, 1], []),
        ([1, 2, 3, 4], [0, 0, 0, 0], []),
        ([4, 1, np.nan, 3, 2, np.nan], [1, 0, 0, 1, 0, 1], [2.5]),
        ([np.nan, np.nan], [0, 1], []),
        ([1.0, 1.0 + 2**-52], [0, 1], [1.0]),  # no number lies between
        ([1.5e308, 1.7e308], [0, 1], [1.6e308]),
        (list(range(1, 37)), [0] * 12 + [1] * 12 + [0] * 12, [12.5, 24.5]),  # as good as each other
    ],
)
def test_cuts_of_small_columns(values, codes, expected):
    assert mdl_cut_points(values, codes) == pytest.approx(expected, rel=1e-15)


def test_thousands_of_classes_do_not_overflow():
    assert len(mdl_cut_points(np.arange(2000), np.arange(2000) // 2)) <= 1999


def test_cuts_are_wekas():
    """Of Weka 3.6.14, supervised Discretize, without and with its better encoding (-E)."""
    X, y = load_wine(return_X_y=True)
    rows, values = MDLDiscretizer().fit(X, y).cut_points_, MDLDiscretizer(charge="values").fit(X, y).cut_points_
    assert [len(points) for points in rows] == [2, 2, 1, 1, 1, 2, 3, 1, 1, 2, 3, 2, 3]
    assert rows[0] == pytest.approx([12.185, 12.78])
    assert rows[6] == pytest.approx([0.975, 1.575, 2.31])
    assert rows[12].tolist() == [468.0, 755.0, 987.5]
    assert rows[4].tolist() == [88.5]
    assert values[4].tolist() == [88.5, 133.0]
    X, y = load_iris(return_X_y=True)
    assert MDLDiscretizer(charge="values").fit(X, y).cut_points_[2] == pytest.approx([2.45, 4.75, 5.15])


def test_columns_are_cut_alike_alone_together_and_in_any_order(monkeypatch):
    X, y = load_wine(return_X_y=True)
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    together = MDLDiscretizer().fit(X, y).cut_points_
    reverse = MDLDiscretizer().fit(X[:, ::-1], y).cut_points_[::-1]
    monkeypatch.setattr("covey.analysis.filters.discretize.CELLS", 500)
    in_parts = MDLDiscretizer().fit(X, y).cut_points_
    for j, points in enumerate(together):
        for other in (mdl_cut_points(X[:, j], y), reverse[j], in_parts[j]):
            np.testing.assert_array_equal(points, other)


def test_an_array_becomes_interval_codes_with_gaps_kept():
    X = np.array([[1.0, 5.0], [2.0, 5.0], [2.5, 5.0], [3.0, 5.0], [4.0, np.nan], [np.nan, 5.0]])
    model = MDLDiscretizer().fit(X, [0, 0, 0, 1, 1, 1])
    assert [points.tolist() for points in model.cut_points_] == [[2.75], []]
    found = model.transform([[-1.0, 9.0], [2.75, np.nan], [2.76, 0.0], [np.nan, 1.0]])
    np.testing.assert_array_equal(found, [[0, 0], [0, np.nan], [1, 0], [np.nan, 0]])


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_a_frame_stays_one_with_its_categories(library):
    frame = FRAME if library is pd.DataFrame else pl.from_pandas(FRAME)
    found = MDLDiscretizer().fit_transform(frame, CLASSES)
    assert isinstance(found, library)
    assert list(found.columns) == ["size", "town", "noise"]
    np.testing.assert_array_equal(found["size"], [0, 0, 0, np.nan, 1, 1, 1, 1])
    np.testing.assert_array_equal(found["noise"], np.zeros(8))
    assert found["town"].to_list() == frame["town"].to_list()
    if library is pd.DataFrame:
        assert found.index.tolist() == FRAME.index.tolist()
        assert found["town"].dtype == FRAME["town"].dtype


def test_output_and_names_are_as_set():
    model = MDLDiscretizer(categorical_features=[1]).set_output(transform="pandas")
    found = model.fit_transform(np.column_stack([FRAME["size"], FRAME["noise"]]), CLASSES)
    assert found.columns.tolist() == model.get_feature_names_out().tolist() == ["x0", "x1"]
    assert found["x1"].tolist() == [0, 1] * 4  # codes of categories
    assert model.cut_points_[1] is None


def test_a_table_stays_one():
    table = as_table(FRAME)
    found = MDLDiscretizer().fit(table, CLASSES).transform(table)
    assert found.schema is table.schema
    np.testing.assert_array_equal(found.matrix[:, 0], [0, 0, 0, np.nan, 1, 1, 1, 1])


def test_in_a_pipeline_and_on_disk(tmp_path):
    model = make_pipeline(MDLDiscretizer(), C45Classifier()).fit(FRAME, CLASSES)
    assert model.predict(FRAME.drop(index="d")).tolist() == ["a"] * 3 + ["b"] * 4
    loaded = load_model(save_model(model, tmp_path / "model.covey"))
    assert loaded.predict(FRAME).tolist() == model.predict(FRAME).tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: MDLDiscretizer().fit([[1.0], [2.0]], ["a", "a"]), "y has one class only, 'a'.*two or more"),
        (lambda: MDLDiscretizer().fit([[1.0], [2.0]]), "y is None"),
        (lambda: MDLDiscretizer(charge="cuts").fit([[1.0], [2.0]], [0, 1]), "'charge' parameter"),
        (lambda: mdl_cut_points([1.0, 2.0], [0, 1], charge="cuts"), "charge='cuts' is unknown; choose one of 'rows'"),
        (lambda: mdl_cut_points([1.0, np.inf], [0, 1]), "infinity in column 'values'"),
        (lambda: mdl_cut_points([1.0, 2.0], [0, 1], [1.0, -1.0]), "Negative values"),
        (lambda: mdl_cut_points([1.0, 2.0], [0]), "inconsistent numbers of samples"),
        (lambda: mdl_cut_points([], []), "values is empty"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_it_must_be_fitted_and_given_the_same_columns():
    with pytest.raises(NotFittedError):
        MDLDiscretizer().transform(FRAME)
    with pytest.raises(ValueError, match="feature names"):
        MDLDiscretizer().fit(FRAME, CLASSES).transform(FRAME[["town", "size", "noise"]])
