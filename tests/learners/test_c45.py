"""C4.5 on data whose tree is known, and the laws that every tree keeps."""

from math import log2

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from covey import C45Classifier, RandomTreeClassifier
from covey.table import as_table
from learners.examples import GOLF, NOMINAL_GOLF, PLAY, assert_same_tree, learner, mixed

# The textbook


def test_the_golf_tree():
    model = C45Classifier().fit(GOLF, PLAY)
    assert model.export_text().splitlines() == [
        "outlook = overcast: yes (4)",
        "outlook = rainy",
        "|   windy = no: yes (3)",
        "|   windy = yes: no (2)",
        "outlook = sunny",
        "|   humidity <= 75: yes (2)",
        "|   humidity > 75: no (3)",
    ]
    assert (model.get_n_leaves(), model.tree_.size, model.get_depth()) == (5, 8, 2)
    assert model.score(GOLF, PLAY) == 1.0


def test_the_golf_tree_of_categories():
    model = C45Classifier().fit(NOMINAL_GOLF, PLAY)
    assert model.export_text().splitlines()[4:] == [
        "outlook = sunny",
        "|   humidity = high: no (3)",
        "|   humidity = normal: yes (2)",
    ]
    assert (model.get_n_leaves(), model.tree_.size) == (5, 8)


def disorder(*counts):
    return -sum(n * log2(n / sum(counts)) for n in counts if n)


@pytest.mark.parametrize(
    ("column", "gain", "ratio"),
    [("outlook", 0.247, 0.156), ("temperature", 0.029, 0.019), ("humidity", 0.152, 0.152), ("windy", 0.048, 0.049)],
)
def test_gain_and_ratio_of_the_textbook(column, gain, ratio):
    """A tree of one column alone: its weights give the gain that Quinlan's book has."""
    model = C45Classifier(pruning=False, collapse=False).fit(NOMINAL_GOLF[[column]], PLAY)
    weight = model.tree_.weight
    below = weight[model.tree_.children(0)]
    found = (disorder(*weight[0]) - sum(disorder(*counts) for counts in below)) / 14
    assert found == pytest.approx(gain, abs=5e-4)
    assert found / (disorder(*below.sum(axis=1)) / 14) == pytest.approx(ratio, abs=6e-4)


def test_fractions_by_hand():
    """Outlook unknown: 5/14 sunny, 4/14 overcast, 5/14 rainy; humidity 70 and wind decide the rest."""
    model = C45Classifier().fit(GOLF, PLAY)
    row = pd.DataFrame({"outlook": [None], "temperature": [70.0], "humidity": [70.0], "windy": ["yes"]})
    assert model.predict_proba(row.astype({"outlook": object}))[0].tolist() == pytest.approx([5 / 14, 9 / 14])
    row["humidity"] = np.nan
    assert model.predict_proba(row)[0].tolist() == pytest.approx([(5 + 3) / 14, (4 + 2) / 14])
    assert model.predict(row).tolist() == ["no"]


def test_importances_by_hand():
    model = C45Classifier().fit(NOMINAL_GOLF, PLAY)
    whole, sunny, rainy = disorder(5, 9), disorder(3, 2), disorder(2, 3)
    expected = np.array([whole - sunny - rainy, 0, sunny, rainy]) / whole
    np.testing.assert_allclose(model.feature_importances_, expected)
    assert model.feature_importances_.sum() == pytest.approx(1.0)


def test_training_with_a_fraction_by_hand():
    """One case of unknown value goes to both sides: 4/7 with the zeros, 3/7 with the ones."""
    X = np.array([[0.0]] * 4 + [[1.0]] * 3 + [[np.nan]])
    model = C45Classifier(pruning=False).fit(X, [0] * 4 + [1] * 3 + [1])
    np.testing.assert_allclose(model.tree_.weight, [[4, 4], [4, 4 / 7], [0, 3 + 3 / 7]])


def test_the_first_of_equal_columns_is_tested():
    X = np.repeat(np.arange(8.0)[:, None], 3, axis=1)
    assert C45Classifier().fit(X, np.arange(8) // 4).tree_.attribute[0] == 0


@pytest.mark.parametrize(
    ("low", "high", "elsewhere", "weight", "expected"),
    [
        (1, 9, (4, 6), 1.0, 4),  # the largest up to the middle, 5
        (1, 9, (4, 6), 0.0, 1),  # 4 is no value where its rows have no weight
        (1e308, 1.7e308, (1.6e308, 1.6e308), 1.0, 1e308),  # sums of two values overflow
    ],
)
def test_a_threshold_is_a_value_of_the_training_data(low, high, elsewhere, weight, expected):
    """The cut lies between low and high at its node, and may be a value of rows elsewhere."""
    X = np.array([[0, low]] * 6 + [[0, high]] * 6 + [[1, value] for value in elsewhere for _ in range(6)])
    model = C45Classifier().fit(X, [0] * 6 + [1] * 6 + [2] * 12, np.repeat([1.0, 1.0, weight, 1.0], 6))
    assert model.tree_.attribute.tolist()[:2] == [0, 1]
    assert model.tree_.threshold[1] == expected


# Weights


@pytest.mark.parametrize("missing", [0.0, 0.15])
@pytest.mark.parametrize("seed", range(3))
def test_whole_weights_are_repetitions(variant, seed, missing):
    X, y = mixed(seed, missing=missing)
    count = np.random.default_rng(seed).integers(1, 4, len(y))
    repeated = learner(**variant).fit(np.repeat(X, count, axis=0), np.repeat(y, count))
    assert_same_tree(learner(**variant).fit(X, y, count), repeated, exactly=not missing)


@pytest.mark.parametrize("factor", [1e-12, 1 / 3, 7.0, 1e9])
@pytest.mark.parametrize("kind", ["whole", "real"])
def test_a_factor_of_all_weights_changes_nothing(variant, factor, kind):
    X, y = mixed(5, missing=0.1)
    rng = np.random.default_rng(5)
    weight = rng.integers(1, 5, len(y)) if kind == "whole" else rng.exponential(size=len(y))
    one, other = (learner(**variant).fit(X, y, scale * weight) for scale in (1.0, factor))
    assert_same_tree(one, other, exactly=kind == "whole")


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_rows_without_weight_count_as_absent(variant, missing):
    X, y = mixed(6, missing=missing)
    X[:, 2] %= 3  # all categories remain
    weight = np.random.default_rng(6).integers(0, 3, len(y)).astype(float)
    kept = weight > 0
    assert_same_tree(learner(**variant).fit(X, y, weight), learner(**variant).fit(X[kept], y[kept], weight[kept]))


def test_groups_do_not_depend_on_the_order_of_rows_and_hold_enough_cases():
    """Categories with the same share of a class are told apart by their codes, when weighed as when divided."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n_rows = rng.integers(8, 25)
        X, y = rng.integers(0, 6, (n_rows, 1)).astype(float), rng.integers(0, 3, n_rows)
        order = rng.permutation(n_rows)
        model = C45Classifier(
            nominal_splits="binary", categorical_features=[0], pruning=False, collapse=False, min_cases=3
        )
        assert_same_tree(model.fit(X, y), clone(model).fit(X[order], y[order]))
        assert model.tree_.weight[1:].sum(axis=1).min(initial=3) >= 3


def test_tiny_weights_beside_ordinary_ones():
    X, y = np.arange(10.0)[:, None], np.arange(10) // 5
    weight = np.where(np.arange(10) == 9, 1e-8, 1.0)
    model = C45Classifier().fit(X, y, weight)
    assert model.tree_.threshold[0] == 4.0
    assert model.score(X, y) == 1.0


@pytest.mark.parametrize("smallest", [1e-320, 1e-300, 1e-30])
def test_weights_of_any_ratio(smallest):
    X, y = np.arange(10.0)[:, None], np.arange(10) // 5
    weight = np.where(np.arange(10) == 0, smallest, 1e200)
    assert C45Classifier().fit(X, y, weight).predict([[1.0], [9.0]]).tolist() == [0, 1]


# Awkward data


def test_a_declared_category_that_no_case_had_stops_at_the_test():
    outlook = pd.Categorical(GOLF["outlook"], categories=["foggy", "overcast", "rainy", "sunny"])
    frame = GOLF.assign(outlook=outlook)
    model = C45Classifier().fit(frame, PLAY)
    assert (model.get_n_leaves(), model.tree_.size) == (6, 9)
    foggy = frame.iloc[:1].assign(outlook=pd.Categorical(["foggy"], categories=outlook.categories))
    assert model.predict_proba(foggy)[0].tolist() == pytest.approx([5 / 14, 9 / 14])
    assert model.apply(foggy).tolist() == [0]


def test_grouped_categories():
    X = np.repeat(np.arange(4.0), 6)[:, None]
    y = np.repeat([0, 1, 0, 1], 6)
    model = C45Classifier(nominal_splits="binary", categorical_features=[0]).fit(X, y)
    assert model.export_text().splitlines() == ["x0 in {1, 3}: 1 (12)", "x0 in {0, 2}: 0 (12)"]
    assert model.score(X, y) == 1.0


def test_a_column_without_any_value_changes_nothing():
    X, y = mixed(8)
    with_empty = np.column_stack([X[:, :2], np.full(len(y), np.nan), X[:, 2]])
    plain = C45Classifier(categorical_features=[2]).fit(X, y)
    for categorical in ([3], [2, 3]):
        model = C45Classifier(categorical_features=categorical).fit(with_empty, y)
        np.testing.assert_array_equal(model.tree_.weight, plain.tree_.weight)
        np.testing.assert_array_equal(model.tree_.threshold, plain.tree_.threshold)


@pytest.mark.parametrize("categorical", [None, [0, 1]])
def test_no_values_at_all_leave_a_leaf(categorical):
    X, y = np.full((10, 2), np.nan), np.arange(10) % 5 // 2
    model = C45Classifier(categorical_features=categorical).fit(X, y)
    assert model.get_n_leaves() == 1
    assert model.predict_proba(X[:1])[0].tolist() == pytest.approx([0.4, 0.4, 0.2])


def test_thousands_of_categories():
    X = (np.arange(20_000) % 5_000).astype(float)[:, None]
    y = (X[:, 0] % 2).astype(int)
    model = C45Classifier(categorical_features=[0]).fit(X, y)
    assert model.tree_.n_nodes == 5_001
    assert model.score(X, y) == 1.0


def test_an_identifier_is_not_tested():
    X, y = mixed(9)
    frame = pd.DataFrame(X, columns=list("abc")).assign(name=[f"row {i}" for i in range(len(y))])
    assert 3 not in C45Classifier().fit(frame, y).tree_.attribute


def test_nothing_to_tell_rows_apart_leaves_a_leaf():
    model = C45Classifier(pruning=False, collapse=False, min_cases=1).fit(np.ones((9, 3)), np.arange(9) % 3 % 2)
    assert model.get_n_leaves() == 1
    assert model.predict_proba(np.ones((1, 3)))[0].tolist() == pytest.approx([2 / 3, 1 / 3])


@pytest.mark.parametrize("unit", [1e-300, 1e-5, 1.0, 1e300])
def test_the_unit_of_a_column_does_not_matter(unit):
    X, y = np.arange(1.0, 21.0)[:, None], np.arange(20) // 10
    model = C45Classifier().fit(unit * X, y)
    assert model.tree_.threshold[0] == unit * X[9, 0]
    assert model.score(unit * X, y) == 1.0


@pytest.mark.parametrize("low", [0.0, 1.0, -1e300, 1e300])
def test_neighbouring_numbers_are_told_apart(low):
    values = np.array([low, np.nextafter(low, np.inf)])
    model = C45Classifier().fit(np.repeat(values, 5)[:, None], np.repeat([0, 1], 5))
    assert model.predict(values[:, None]).tolist() == [0, 1]


@pytest.mark.slow
def test_a_chain_of_thousands_of_tests():
    n_rows = 20_000
    X, y = np.arange(float(n_rows))[:, None], np.arange(n_rows) % 2
    # With weight 25 each row may be cut off alone, and the outermost always is.
    model = C45Classifier(min_cases=1, threshold_charge=False, pruning=False, collapse=False)
    model._fit_member(as_table(X), y, np.full(n_rows, 25.0))
    assert model.get_depth() == n_rows - 1
    assert model.get_n_leaves() == n_rows
    np.testing.assert_array_equal(model.predict(X[::97]), y[::97])
    assert model.predict_proba([[np.nan]]).tolist() == [pytest.approx([0.5, 0.5])]
    assert len(model.export_text(max_depth=3).splitlines()) == 6


# The stochastic variant


def test_a_node_without_an_available_test_takes_the_best_of_all():
    X, y = mixed(10, missing=0.1)
    plain = learner().fit(X, y)
    for probability in (1e-12, 1.0):
        assert_same_tree(learner(attribute_probability=probability, random_state=0).fit(X, y), plain)


def test_a_random_tree_tells_all_rows_apart():
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.random.default_rng(1).integers(0, 3, 60)
    assert RandomTreeClassifier(random_state=1).fit(X, y).score(X, y) == 1.0


def test_no_cut_between_values_within_a_hundred_thousandth():
    X = np.array([[0.1], [0.1], [0.100004], [0.100004], [0.2], [0.2]])
    tree = C45Classifier(pruning=False, collapse=False).fit(X, [0, 0, 1, 1, 1, 1]).tree_
    assert tree.threshold[0] == 0.100004


def test_a_column_of_small_numbers_is_cut_anywhere():
    X = np.array([[1e-7], [1e-7], [2e-7], [2e-7]])
    tree = C45Classifier().fit(X, [0, 0, 1, 1]).tree_
    assert tree.threshold[0] == 1e-7


def test_a_table_is_data_like_any_other():
    X, y = mixed(14)
    labels = np.array(["no", "perhaps", "yes"])[y]
    model = learner().fit(as_table(X, [2]), labels)
    assert_same_tree(model, learner().fit(X, y))
    np.testing.assert_array_equal(model.predict(X), learner().fit(X, labels).predict(X))


def test_weights_for_a_table_are_checked():
    X, y = mixed(14)
    with pytest.raises(ValueError, match="Negative values in data passed to sample_weight"):
        learner().fit(as_table(X, [2]), y, np.full(len(y), -1.0))
