from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from sklearn.tree import DecisionTreeClassifier

from covey import BorderResampling, EnsembleClassifier
from covey.strategies import AdaBoost, Lesson

cases = st.lists(st.tuples(st.sampled_from([0.0, 0.1, 1.0, 2.5, 40.0]), st.booleans()), min_size=2, max_size=30)


def split(rows):
    return np.array([weight for weight, _ in rows]), np.array([wrong for _, wrong in rows])


def error_of(weight, wrong):
    return weight[wrong].sum() / weight.sum()


def test_a_step_worked_by_hand():
    # Weights 1, 1, 2, 4 with the third row wrong: error 2/8, so it is divided by 0.5 and the others by 1.5.
    weight = np.array([1.0, 1.0, 2.0, 4.0])
    step = AdaBoost().step(weight, np.array([False, False, True, False]))
    assert weight.tolist() == [1.0, 1.0, 2.0, 4.0]
    assert step.vote == pytest.approx(np.log(3))
    np.testing.assert_allclose(step.weight, [2 / 3, 2 / 3, 4, 8 / 3])


@given(cases)
@settings(derandomize=True, deadline=None)
def test_the_wrong_rows_hold_half_of_the_same_total(rows):
    weight, wrong = split(rows)
    assume(weight.any() and 0 < error_of(weight, wrong) < 0.5)
    step = AdaBoost(floor=0.0).step(weight, wrong)
    assert step.weight.sum() == pytest.approx(weight.sum())
    assert step.weight[wrong].sum() == pytest.approx(weight.sum() / 2)
    assert (step.weight[weight == 0] == 0).all()
    assert step.vote > 0


@given(cases, st.floats(1e-3, 1e3))
@settings(derandomize=True, deadline=None)
def test_the_vote_does_not_depend_on_the_scale_of_the_weights(rows, scale):
    weight, wrong = split(rows)
    assume(weight.any() and 0 < error_of(weight, wrong) < 0.49)
    one, other = AdaBoost().step(weight, wrong), AdaBoost().step(weight * scale, wrong)
    assert one.vote == pytest.approx(other.vote)
    np.testing.assert_allclose(one.weight * scale, other.weight)


@pytest.mark.parametrize("wrong", [[True, False], [True, True]])
def test_an_error_of_one_half_or_more_drops_the_member(wrong):
    assert AdaBoost().step(np.ones(2), np.array(wrong)) is None


def test_no_error_starts_afresh_with_a_large_vote():
    step = AdaBoost().step(np.array([1.0, 0.0]), np.array([False, True]))  # the mistake has no weight
    assert step.weight is None
    assert step.vote == pytest.approx(np.log(1e10))
    assert AdaBoost(perfect=0.01).step(np.ones(3), np.zeros(3, dtype=bool)).vote == pytest.approx(np.log(100))
    nearly = AdaBoost(floor=0.0).step(np.array([1e-13, 1.0, 1.0, 1.0]), np.array([True, False, False, False]))
    assert nearly.vote == pytest.approx(np.log(1e10))  # no member outvotes a perfect one


def test_no_weight_comes_down_below_the_floor():
    # The mean weight of the rows that have any is 1; the row of weight 0 is not one of them.
    weight, wrong = np.array([0.0, 1e-9, 1.0, 1.999999999]), np.array([False, False, True, False])
    step = AdaBoost(floor=0.01).step(weight, wrong)
    assert step.weight[0] == 0
    assert step.weight[1] == pytest.approx(0.01)
    assert step.weight[2:] == pytest.approx([1.5, 1.5])
    assert AdaBoost().step(weight, wrong).weight[1] == pytest.approx(1e-8)


@settings(derandomize=True, deadline=None)
@given(st.integers(0, 10**6))
def test_the_same_mistakes_again_are_no_better_than_chance(seed):
    rng = np.random.default_rng(seed)
    weight, wrong = rng.exponential(size=57), rng.random(57) < 0.3
    assume(wrong.any() and weight[wrong].sum() < 0.4 * weight.sum())
    step = AdaBoost(floor=0.0).step(weight, wrong)
    assert AdaBoost().step(step.weight, wrong) is None


@pytest.mark.parametrize("wrong", [[False] * 4, [True] * 4], ids=["without error", "no better than chance"])
def test_without_restart_a_chain_ends_at_a_perfect_or_useless_member(wrong):
    assert AdaBoost(restart=False).step(np.ones(4), np.array(wrong)).ends
    going_on = AdaBoost(restart=False).step(np.ones(4), np.array([True, False, False, False]))
    assert not going_on.ends


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
