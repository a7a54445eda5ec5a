"""Errors of votes by ensemble size, worked by hand and counted case by case."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey import BoostingClassifier
from covey.analysis import staged as module
from covey.analysis.diversity import ensemble_error
from covey.analysis.staged import StagedErrors, staged_errors
from covey.datasets import load


def brute(predictions, y, weights):
    """The expected error at each size, from a count of each case's votes."""
    errors = []
    for size in range(1, len(weights) + 1):
        wrong = 0.0
        for said, true in zip(predictions, y, strict=True):
            votes = dict.fromkeys({*predictions.ravel().tolist(), *y.tolist()}, 0.0)
            for label, weight in zip(said[:size].tolist(), weights[:size], strict=True):
                votes[label] += weight
            best = [label for label, count in votes.items() if count >= max(votes.values()) - 1e-9]
            wrong += 1 - (true in best) / len(best)
        errors.append(wrong / len(y))
    return errors


def test_worked_by_hand():
    # Case by case: right; a tie that the third member decides; wrong; a tie of three classes at the end.
    predictions = [["a", "a", "a"], ["a", "b", "b"], ["c", "c", "a"], ["a", "b", "c"]]
    found = staged_errors(predictions, ["a", "b", "b", "c"])
    np.testing.assert_allclose(found.errors, [3 / 4, (0 + 1 / 2 + 1 + 1) / 4, (0 + 0 + 1 + 2 / 3) / 4])
    np.testing.assert_allclose(found.member_errors, [3 / 4, 2 / 4, 1 / 4])
    assert (found.n_members, found.n_cases, found.n_classes) == (3, 4, 3)
    assert found.final == found.errors[-1]
    assert found.mean_member_error == 0.5
    assert found.best_size == 3


def test_weights_decide():
    found = staged_errors([["a", "b", "b"]], ["a"], weights=[3, 1, 1])
    assert found.errors.tolist() == [0, 0, 0]
    assert staged_errors([["a", "b", "b"]], ["a"], weights=[2, 1, 1]).errors.tolist() == [0, 0, 0.5]


def test_before_anybody_votes_all_classes_are_tied():
    found = staged_errors([["a", "b", "c"]], ["a"], weights=[0, 0, 1])
    np.testing.assert_allclose(found.errors, [2 / 3, 2 / 3, 1])


def test_votes_that_add_up_to_the_same_are_a_tie():
    weights = [0.1, 0.2, 0.3]  # 0.1 + 0.2 > 0.3 in floating point
    assert staged_errors([["a", "a", "b"]], ["a"], weights).final == 0.5
    assert staged_errors([["a", "a", "b"]], ["a"], np.array(weights) * 1e307).final == 0.5


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(1, 7), st.integers(1, 4))
def test_against_a_count_of_each_case(seed, n_cases, n_members, n_classes):
    rng = np.random.default_rng(seed)
    predictions, y = rng.integers(0, n_classes, (n_cases, n_members)), rng.integers(0, n_classes, n_cases)
    weights = rng.choice([0.1, 0.2, 0.3, 1.0, 2.0], n_members)
    found = staged_errors(predictions, y, weights, classes=range(n_classes))
    np.testing.assert_allclose(found.errors, brute(predictions, y, weights), atol=1e-12)
    assert found.final == pytest.approx(ensemble_error(predictions, y, weights, classes=range(n_classes)))
    # Neither the names and the order of classes nor the order of cases matter.
    names, order = np.array(["z", "k", "m", "b"]), rng.permutation(n_cases)
    renamed = staged_errors(names[predictions][order], names[y][order], weights)
    np.testing.assert_allclose(renamed.errors, found.errors, atol=1e-12)
    np.testing.assert_allclose(renamed.member_errors, found.member_errors)


def test_many_cases_are_counted_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    predictions, y = rng.integers(0, 3, (50, 9)), rng.integers(0, 3, 50)
    whole = staged_errors(predictions, y)
    monkeypatch.setattr(module, "MOST_COUNTS", 20)
    np.testing.assert_allclose(staged_errors(predictions, y).errors, whole.errors)


def test_an_ensemble_with_codes():
    data = load("wine")
    model = BoostingClassifier(n_estimators=15, random_state=0).fit(data.frame[::2], data.target[::2])
    rows, true = data.frame[1::2], data.target[1::2]
    weights, codes = model.estimator_weights_, model.member_predictions(rows, codes=True)
    found = staged_errors(codes, true, weights, classes=model.classes_)
    staged = [np.mean(predicted != true.to_numpy()) for predicted in model.staged_predict(rows)]
    # The model decides ties by its seed, which on these rows are few.
    np.testing.assert_allclose(found.errors, staged, atol=2 / len(rows))
    np.testing.assert_allclose(found.errors, staged_errors(model.classes_[codes], true, weights).errors)


def test_in_words_and_as_a_table():
    found = StagedErrors(np.array([0.5, 0.125, 0.25]), np.array([0.5, 0.25, 0.75]), 8, 2)
    assert str(found) == (
        "Error 0.2500 by the vote of 3 members on 8 cases; least 0.1250 with the first 2; mean error of a member 0.5000"
    )
    assert str(StagedErrors(np.array([0.0]), np.array([0.0]), 1, 1)) == (
        "Error 0.0000 by the vote of 1 member on 1 case; mean error of a member 0.0000"
    )
    frame = found.table().to_frame()
    assert frame.index.tolist() == [1, 2, 3]
    assert frame["error of the vote"].tolist() == [0.5, 0.125, 0.25]
    assert frame["error of the member"].tolist() == [0.5, 0.25, 0.75]
