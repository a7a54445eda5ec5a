"""Labels of any kind become the same codes, and members of ensembles speak in labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.datasets import load_wine
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
)
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from covey import Bootstrap, EnsembleClassifier, EnsembleRegressor
from covey.analysis import ensemble_error, individual_error, member_labels
from covey.analysis.labels import read_labels, vote_shares
from covey.analysis.numbers import read_weights

NAMES = [
    np.array(["ham", "spam", "eggs"]),
    np.array([3, 7, -2]),
    np.array([0.0, 2.0, 1.0]),
    np.array(["ham", "spam", "eggs"], dtype=object),
]


@pytest.mark.parametrize("names", NAMES, ids=lambda names: str(names.dtype))
@pytest.mark.parametrize("cases", [0, 1])
def test_codes_are_positions_among_all_labels(names, cases):
    rng = np.random.default_rng(0)
    predictions, y = names[rng.integers(0, 3, (7, 5))], names[rng.integers(0, 3, (7, 5)[cases])]
    labels = read_labels(predictions, y, cases=cases)
    assert labels.codes.dtype == np.uint8
    by_voter = predictions.T if cases == 0 else predictions
    np.testing.assert_array_equal(labels.classes[labels.codes], by_voter)
    np.testing.assert_array_equal(labels.classes[labels.truth], y)
    np.testing.assert_array_equal(labels.correct, by_voter == y)
    assert labels.classes.tolist() == sorted(set(by_voter.ravel().tolist()) | set(y.tolist()))


def test_frames_and_lists_and_booleans_are_read():
    frame = pd.DataFrame({"first": ["a", "b"], "second": ["b", "b"]})
    np.testing.assert_array_equal(read_labels(frame, ["b", "c"]).codes, [[0, 1], [1, 1]])
    np.testing.assert_array_equal(read_labels([["a", "b"], ["b", "b"]]).codes, [[0, 1], [1, 1]])
    assert read_labels([[True, False], [True, True]], [False, True]).classes.tolist() == [False, True]


def test_a_label_that_only_a_later_voter_uses_or_only_y_has():
    labels = read_labels([["b", "b"], ["b", "a"], ["c", "b"]], ["z", "b"], cases=1)
    assert labels.classes.tolist() == ["a", "b", "c", "z"]
    assert labels.codes.tolist() == [[1, 1], [1, 0], [2, 1]]
    assert labels.truth.tolist() == [3, 1]


@given(
    st.lists(
        st.lists(st.text(alphabet="aAbß中 \U0001f600", max_size=5), min_size=1, max_size=5), min_size=1, max_size=4
    )
)
@settings(deadline=None, max_examples=150)
def test_any_text_is_found_again(rows):
    width = min(map(len, rows))
    matrix = np.array([row[:width] for row in rows])
    labels = read_labels(matrix, cases=1)
    np.testing.assert_array_equal(labels.classes[labels.codes], matrix)
    assert labels.classes.tolist() == sorted(set(matrix.ravel().tolist()))


def test_codes_of_given_classes():
    labels = read_labels([[0, 1], [1, 1]], ["no", "yes"], classes=np.array(["no", "yes"]))
    assert labels.codes.tolist() == [[0, 1], [1, 1]]
    assert labels.truth.tolist() == [0, 1]
    assert labels.correct.tolist() == [[True, True], [False, True]]


@pytest.mark.parametrize("kind", [float, object, np.int8])
def test_codes_of_any_kind_of_number(kind):
    """The trees of a random forest predict float codes."""
    labels = read_labels(np.array([[0, 1], [1, 1]]).astype(kind), ["no", "yes"], classes=["no", "yes"])
    assert labels.codes.tolist() == [[0, 1], [1, 1]]


def test_text_may_lack_some_of_the_given_classes():
    labels = read_labels([["b", "c"]], classes=["a", "b", "c"])
    assert labels.classes.tolist() == ["a", "b", "c"]
    assert labels.codes.tolist() == [[1], [2]]


def test_labels_that_merely_could_be_codes_are_labels():
    """A class that y lacks, and predictions that know all of y's."""
    assert read_labels([[0, 1], [1, 2]], [1, 2]).classes.tolist() == [0, 1, 2]
    assert read_labels([[0, 1], [1, 1]], [0, 2]).classes.tolist() == [0, 1, 2]


def test_a_sparse_matrix_is_refused():
    from scipy.sparse import csr_array

    with pytest.raises(TypeError, match=r"predictions\.toarray"):
        read_labels(csr_array(np.eye(2)))


def test_more_than_256_classes():
    predictions = np.arange(600).reshape(2, 300)
    labels = read_labels(predictions, cases=1)
    assert labels.codes.dtype == np.uint16
    np.testing.assert_array_equal(labels.codes, predictions)


@pytest.mark.parametrize("kind", [float, object, int, str])
def test_as_many_classes_as_cases(kind):
    """scikit-learn would warn of a regression target."""
    names = np.array([str(number) for number in range(300)]) if kind is str else np.arange(300).astype(kind)
    assert len(read_labels(names[:, None], names, cases=0).classes) == 300
    assert len(read_labels(np.arange(300)[:, None], names, classes=np.unique(names)).classes) == 300


@pytest.mark.parametrize(
    ("predictions", "y", "options", "message"),
    [
        ([[1, 2]], ["a", "b"], {"cases": 1}, "predictions holds numbers, but the other labels are text.*classes_"),
        ([["1", "2"]], [1, 2], {"cases": 1}, "predictions holds text"),
        ([["a", 1]], None, {}, "predictions mixes text and numbers"),
        ([["a", None]], None, {}, "no label for case 0 by member 1, both counted"),
        ([[1.0, np.nan]], [1, 2], {"cases": 1}, "no label for case 1 by repeat 0, both counted"),
        (np.ma.array([[1, 2]], mask=[[True, True]]), None, {}, r"case 0 by member 0 \(and 1 more\)"),
        ([[1, 2]], [1, np.nan], {"cases": 1}, "y contains NaN"),
        ([[1.5, 2.0]], None, {}, "predictions holds 1.5, which is no class label"),
        ([[0, 1]], None, {"classes": [0, None]}, "classes contains NaN"),
        ([1, 2], [1, 2], {}, r"predictions has shape \(2,\)"),
        (np.empty((0, 3)), [], {}, "no empty side"),
        ([[1, 2], [1, 2], [1, 1]], [1, 2], {}, "y has 2 labels, but predictions.*has 3 cases.*transpose"),
        ([[0, 2]], ["a", "b"], {"cases": 1, "classes": ["a", "b"]}, "whole numbers from 0 to 1"),
        ([["a", "z"]], ["a", "b"], {"cases": 1, "classes": ["a", "b"]}, "'z', which is not among classes"),
        ([[0.5, 1]], ["a", "b"], {"cases": 1, "classes": ["a", "b"]}, "leave classes out"),
        (
            [[0, 1, 2], [2, 1, 0]],
            [1, 2, 3],
            {"cases": 1},
            "look like class codes from 0 to 2, for y has 1, 2 and 3 and not 0",
        ),
        ([[1, 2], [1]], None, {}, "rows differ in length"),
        ([[0, 1]], ["a", "z"], {"cases": 1, "classes": ["a", "b"]}, "'z', which is not among classes"),
        ([[0, 1]], ["a", "b"], {"cases": 1, "classes": ["b", "a"]}, "classes must be sorted"),
    ],
)
def test_bad_labels(predictions, y, options, message):
    with pytest.raises(ValueError, match=message):
        read_labels(predictions, y, **options)


@given(st.integers(1, 6), st.integers(1, 8), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_vote_shares_add_up_the_weights(n_voters, n_cases, seed):
    rng = np.random.default_rng(seed)
    predictions, weights = rng.integers(0, 3, (n_cases, n_voters)), rng.integers(0, 4, n_voters)
    weights[0] += 1
    shares = vote_shares(read_labels(predictions, classes=[0, 1, 2]), weights)
    expected = [
        [sum(w for code, w in zip(row, weights, strict=True) if code == k) / weights.sum() for k in range(3)]
        for row in predictions
    ]
    np.testing.assert_allclose(shares, expected)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.0, 0.0], "zero throughout"),
        ([1.0, -1.0], "not negative"),
        ([1.0, np.nan], "finite"),
        ([1.0], r"shape \(1,\), but there are 2 members"),
    ],
)
def test_bad_vote_weights(weights, message):
    with pytest.raises(ValueError, match=message):
        read_weights(weights, 2, "weights", "member")


X, CODES = load_wine(return_X_y=True)


MEMBERS_NAMES = {"text": np.array(["red", "white", "rose"]), "numbers": np.array([7, 3, 11])}


ENSEMBLES = [
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5, random_state=0),
    BaggingClassifier(n_estimators=5, random_state=0),
    BaggingClassifier(n_estimators=5, max_features=4, random_state=0),
    BaggingClassifier(RandomForestClassifier(3, random_state=0), 5, random_state=0),
    ExtraTreesClassifier(5, random_state=0),
    RandomForestClassifier(5, random_state=0),
    VotingClassifier([("bayes", GaussianNB()), ("tree", DecisionTreeClassifier(random_state=0))]),
    EnsembleClassifier(n_estimators=5, draw=Bootstrap(), random_state=0),
]


@pytest.mark.parametrize("model", ENSEMBLES, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("kind", MEMBERS_NAMES)
@pytest.mark.parametrize("framed", [False, True])
def test_members_of_classifiers_speak_in_labels(model, kind, framed):
    y = MEMBERS_NAMES[kind][CODES]
    data = pd.DataFrame(X).rename(columns=str) if framed else X
    said = member_labels(model.fit(data, y), data)
    assert set(said.ravel().tolist()) <= set(y.tolist())
    assert individual_error(said, y) < 0.45
    assert said.shape == (len(y), len(model.estimators_))
    if not isinstance(model, AdaBoostClassifier):
        assert ensemble_error(said, y) <= np.mean(model.predict(data) != y) + 0.05


def test_members_that_lack_a_class_are_understood():
    """Bootstrap samples of few cases."""
    y = np.array([1, 2, 3])[CODES]
    model = BaggingClassifier(KNeighborsClassifier(1), 40, max_samples=4, random_state=0).fit(X, y)
    assert 2 in {len(member.classes_) for member in model.estimators_}
    said = member_labels(model, X)
    assert set(said.ravel().tolist()) == {1, 2, 3}
    assert ensemble_error(said, y) == pytest.approx(np.mean(model.predict(X) != y), abs=0.1)


@pytest.mark.parametrize(
    "model",
    [
        BaggingRegressor(LinearRegression(), 5, max_features=3, random_state=0),
        RandomForestRegressor(5, random_state=0),
        EnsembleRegressor(n_estimators=5, draw=Bootstrap(), random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_mean_of_regressors_members_is_the_ensembles(model):
    y = X[:, 0]
    model.fit(X[:, 1:], y)
    np.testing.assert_allclose(member_labels(model, X[:, 1:]).mean(axis=1), model.predict(X[:, 1:]))


def test_what_has_no_labels_is_refused():
    boosted = GradientBoostingClassifier(n_estimators=3).fit(X, CODES)
    with pytest.raises(TypeError, match="adds up numbers"):
        member_labels(boosted, X)
    with pytest.raises(TypeError, match="no fitted ensemble"):
        member_labels(GaussianNB().fit(X, CODES), X)
