import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from covey.datasets import LayeredCakeTask, make_layered_cake


def lowest_linear_error(X, y, n_directions=90):
    """Try every threshold in many directions, and both sides as class 1."""
    lowest = 1.0
    for angle in np.linspace(0, np.pi, n_directions, endpoint=False):
        order = np.argsort(X @ [np.cos(angle), np.sin(angle)])
        ones_below = np.concatenate([[0], np.cumsum(y[order])])
        wrong = ones_below + (y.size - y.sum()) - (np.arange(y.size + 1) - ones_below)
        share = wrong / y.size
        lowest = min(lowest, share.min(), 1 - share.max())
    return lowest


@pytest.mark.parametrize("gap", [0.0, 0.2])
@pytest.mark.parametrize("angle", [0.0, 30.0, 90.0, -135.0])
def test_three_linear_separators_with_a_majority_vote_have_no_error(angle, gap):
    X, y = make_layered_cake(2000, gap=gap, angle=angle, random_state=0)
    across = X @ [-np.sin(np.radians(angle)), np.cos(np.radians(angle))]
    votes = np.stack([across > 0.5, across > -0.5, across < 0])
    np.testing.assert_array_equal(votes.sum(axis=0) >= 2, y == 1)
    positive, negative, _ = votes
    # The outer two are biased: what they call by their own class is of that class, but they miss some of it.
    assert (y[positive] == 1).all()
    assert (y[~negative] == 0).all()
    assert 0 < np.mean(positive[y == 1]) < 1
    assert 0 < np.mean(~negative[y == 0]) < 1


def test_the_reversed_middle_cut_is_right_where_the_outer_cuts_disagree(assert_share):
    X, y = make_layered_cake(5000, random_state=1)
    middle = X[:, 1] > 0
    hard = np.abs(X[:, 1]) < 0.5
    assert_share(middle != y, 0.4)
    np.testing.assert_array_equal(middle[~hard], y[~hard] == 1)
    np.testing.assert_array_equal(~middle[hard], y[hard] == 1)


def test_no_linear_separator_gets_below_half_the_inner_share():
    X, y = make_layered_cake(5000, random_state=2)
    # The lower of the two outer cuts' errors, each 0.2 in expectation.
    assert lowest_linear_error(X, y) == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("seed", range(3))
def test_reversing_a_linear_svm_on_the_inner_layers_helps_and_boosting_it_does_not(seed):
    X, y = make_layered_cake(random_state=seed)
    base = SVC(kernel="linear", C=100)
    predicted = base.fit(X, y).predict(X)
    alone = np.mean(predicted != y)
    assert alone == pytest.approx(0.4, abs=0.1)
    boosted = AdaBoostClassifier(base, n_estimators=20, random_state=0).fit(X, y)
    assert np.mean(boosted.predict(X) != y) > alone - 0.03
    hard = np.abs(X[:, 1]) < 0.5
    assert np.mean(np.where(hard, 1 - predicted, predicted) != y) < 0.05


def test_shares_of_the_layers(assert_share):
    X, y = make_layered_cake(20_000, inner_share=0.3, gap=0.5, random_state=3)
    layer = np.floor(2 * X[:, 1]).astype(int) + 2
    np.testing.assert_array_equal(layer % 2, y)
    for number, share in enumerate([0.35, 0.15, 0.15, 0.35]):
        assert_share(layer == number, share)
    # Half of each layer, a quarter on either side, is empty.
    within = np.mod(X[:, 1], 0.5)
    assert within.min() >= 0.125
    assert within.max() <= 0.375
    assert np.abs(X).max() <= 1


def test_noise_is_the_bayes_error(assert_share):
    task = LayeredCakeTask(noise=0.1, angle=20.0)
    X, y = make_layered_cake(20_000, noise=0.1, angle=20.0, random_state=4)
    assert_share(task.predict(X) != y, 0.1)
    assert task.bayes_error(1000) == pytest.approx(0.1)
    assert LayeredCakeTask().bayes_error(1000) == 0.0
    outside = [[0.0, -9.0], [0.0, 9.0], [5.0, 0.25]]  # belongs to the nearest layer
    assert LayeredCakeTask().predict(outside).tolist() == [0, 1, 0]


def test_a_shallow_tree_separates_a_level_cake_but_not_a_turned_one():
    def error(angle):
        X, y = make_layered_cake(angle=angle, random_state=0)
        return np.mean(DecisionTreeClassifier(max_leaf_nodes=4, random_state=0).fit(X, y).predict(X) != y)

    assert error(0.0) == 0.0
    assert error(45.0) > 0.1
