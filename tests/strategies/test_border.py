from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from covey import BorderResampling, EnsembleClassifier, SphereCoverClassifier
from covey.strategies import Lesson


def lesson(border, uncovered, given, seed=0):
    rows = {"border_indices_": np.array(border, dtype=int), "uncovered_indices_": np.array(uncovered, dtype=int)}
    model = SimpleNamespace(**rows)
    return Lesson(model, np.asarray(given, dtype=float), np.random.default_rng(seed))


def steps(weight, wrong, border, uncovered, given=None, repeats=2000):
    given = np.ones(len(weight)) if given is None else given
    weight, wrong = np.asarray(weight, dtype=float), np.asarray(wrong, dtype=bool)
    return np.array(
        [
            BorderResampling().step(weight, wrong, lesson(border, uncovered, given, seed)).weight
            for seed in range(repeats)
        ]
    )


def test_all_copies_of_border_cases_go_and_as_many_come():
    weight = [3, 1, 1, 2, 1]
    found = steps(weight, [0, 0, 0, 0, 1], border=[0, 3], uncovered=[2])
    assert (found.sum(axis=1) == sum(weight)).all()
    assert (found[:, 1] == 1).all()  # neither hard nor on the border
    assert (found[:, [2, 4]] >= 1).all()  # only border cases are taken out
    assert (found == found.round()).all()


def test_hard_cases_are_drawn_alike_however_often_they_are_hard():
    # Row 0 on the border in two copies, row 1 uncovered and wrong, row 2 wrong.
    found = steps([2, 1, 1, 1], [0, 1, 1, 0], border=[0], uncovered=[1])
    drawn = found - [0, 1, 1, 1]
    np.testing.assert_allclose(drawn.mean(axis=0) / 2, [1 / 3, 1 / 3, 1 / 3, 0.0], atol=0.03)


def test_a_case_taken_out_before_comes_back_when_it_is_wrong():
    found = steps([0, 1, 1, 1], [1, 0, 0, 0], border=[1], uncovered=[])
    assert 0.4 < (found[:, 0] == 1).mean() < 0.6


def test_real_weights_keep_their_sum():
    found = steps(
        [0.5, 0.25, 1.3, 0.7], [1, 0, 0, 1], border=[0, 2], uncovered=[1], given=[0.5, 0.25, 1.3, 0.7], repeats=50
    )
    np.testing.assert_allclose(found.sum(axis=1), 2.75)


def test_with_no_border_the_chain_starts_afresh_from_all_cases():
    step = BorderResampling().step(np.array([1.0, 0.0]), np.array([False, True]), lesson([], [], [1, 1]))
    assert step.weight.tolist() == [1.0, 1.0]
    assert step.vote == 1.0


def test_it_needs_a_sphere_cover():
    X, y = np.random.default_rng(0).random((20, 2)), np.arange(20) % 2
    with pytest.raises(ValueError, match=r"BorderResampling needs a SphereCoverClassifier.*DecisionTreeClassifier"):
        EnsembleClassifier(DecisionTreeClassifier(), 3, reweight=BorderResampling()).fit(X, y)
    with pytest.raises(ValueError, match="lesson"):
        BorderResampling().step(np.ones(2), np.zeros(2, dtype=bool))


def test_it_goes_with_subspaces_and_draws():
    X, y = np.random.default_rng(0).random((60, 4)), np.arange(60) % 3
    model = EnsembleClassifier(SphereCoverClassifier(), 6, reweight=BorderResampling(), random_state=0).fit(X, y)
    assert (model.estimator_weights_ == 1).all()
    assert len({tuple(member.center_indices_) for member in model.estimators_}) == 6
