"""What a fitted tree tells, and trees on disk."""

import numpy as np
import pytest

from covey import C45Classifier
from covey.learners import Tree
from learners.examples import GOLF, PLAY, arrays_of, learner, mixed


def test_paths_leaves_and_probabilities_agree(variant):
    X, y = mixed(12)
    model = learner(**variant).fit(X, y)
    leaves, paths, tree = model.apply(X), model.decision_path(X), model.tree_
    for row, leaf in enumerate(leaves):
        passed = paths[[row]].indices
        assert passed.max() == leaf
        assert len(passed) == tree.depth[leaf] + 1
        assert tree.is_leaf[leaf]
    weight = tree.weight[leaves]
    np.testing.assert_allclose(model.predict_proba(X), weight / weight.sum(axis=1, keepdims=True))
    np.testing.assert_array_equal(model.predict(X), model.classes_[weight.argmax(axis=1)])
    np.testing.assert_allclose(
        np.bincount(leaves, minlength=tree.n_nodes)[tree.is_leaf], tree.weight[tree.is_leaf].sum(axis=1)
    )


def test_missing_values_take_all_paths(variant):
    X, y = mixed(13, missing=0.2)
    model = learner(**variant).fit(X, y)
    paths = model.decision_path(np.full((1, 3), np.nan))
    assert paths.nnz == model.tree_.n_nodes
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.predict(X), model.classes_[proba.argmax(axis=1)])
    assert model.tree_.is_leaf[model.apply(X)].all()


def test_the_weights_of_leaves_add_up_to_those_of_the_root(variant):
    X, y = mixed(14, missing=0.2)
    tree = learner(**variant).fit(X, y).tree_
    np.testing.assert_allclose(tree.weight[tree.is_leaf].sum(axis=0), tree.weight[0])
    np.testing.assert_allclose(tree.weight[0], np.bincount(y))


def test_ways_to_look_at_a_tree():
    pytest.importorskip("matplotlib").use("agg")
    import matplotlib.pyplot as plt

    model = C45Classifier().fit(GOLF, PLAY)
    assert model.export_text(max_depth=1).splitlines()[1] == "outlook = rainy: ... (2 leaves)"
    assert model.export_text(show_weights=False).splitlines()[0] == "outlook = overcast: yes"
    assert '[label="outlook"]' in model.to_dot(max_depth=1)
    shown = [text.get_text() for text in model.plot().texts]
    plt.close("all")
    assert {"outlook", "humidity", "windy"} <= set(shown)


FORGERIES = {
    "child outside": ("first_child", 0, 10**6),
    "child before its parent": ("first_child", 0, 0),
    "child beyond what an int holds": ("first_child", 0, 2**31 - 1),
    "negative child": ("first_child", 0, -5),
    "more children than nodes": ("n_children", 0, 10**6),
    "three children of a number": ("n_children", 1, 3),
    "negative number of children": ("n_children", 0, -1),
    "a leaf that tests": ("attribute", -1, 0),
    "a test of nothing": ("attribute", 0, -1),
    "codes outside": ("first_code", 0, 10**6),
    "codes before": ("first_code", 0, -1),
    "too many codes": ("n_codes", 0, 2**31 - 1),
    "negative number of codes": ("n_codes", 0, -1),
    "code to elsewhere": ("code_child", 0, 10**6),
    "code back to the root": ("code_child", 0, 0),
    "code to a negative node": ("code_child", 0, -2),
    "negative weight": ("weight", (0, 0), -1.0),
    "weight that is no number": ("weight", (0, 0), np.nan),
    "weight without end": ("weight", (0, 0), np.inf),
    "weights whose sum is without end": ("weight", 0, 1e308),
}


def golf_state():
    """Node 0 tests a category, node 1 a number."""
    frame = GOLF.assign(outlook=GOLF["outlook"].map({"sunny": "a", "overcast": "b", "rainy": "c"}))
    return arrays_of(C45Classifier().fit(frame, PLAY))


@pytest.mark.parametrize(("name", "place", "value"), FORGERIES.values(), ids=FORGERIES)
def test_forged_trees_are_refused(name, place, value):
    state = {key: array.copy() for key, array in golf_state().items()}
    Tree(**state)._check_state()
    state[name][place] = value
    with pytest.raises(ValueError, match="damaged or forged"):
        Tree(**state)._check_state()
    with pytest.raises(ValueError, match="damaged or forged"):
        Tree.__new__(Tree).__setstate__(state)


@pytest.mark.parametrize("name", ["attribute", "threshold", "first_child", "n_codes", "code", "weight"])
def test_forged_trees_of_other_shapes_are_refused(name):
    state = golf_state()
    for array in (state[name][:-1], state[name].astype(np.float32), state[name][:0]):
        with pytest.raises(ValueError, match="damaged or forged"):
            Tree(**{**state, name: array})._check_state()


def test_thresholds_of_leaves_are_not_looked_at():
    rows = np.random.default_rng(0).normal(size=(50, 2))
    model = C45Classifier().fit(rows, rows[:, 0] * rows[:, 1] > 0)
    state = arrays_of(model)
    forged = Tree(**{**state, "threshold": np.where(state["attribute"] < 0, -np.inf, state["threshold"])})
    np.testing.assert_array_equal(forged.leaves_of(rows), model.apply(rows))
    np.testing.assert_array_equal(forged.predict_shares(rows), model.predict_proba(rows))


def test_a_tree_that_weighs_nothing_answers_without_knowledge():
    model = C45Classifier().fit(GOLF, PLAY)
    state = arrays_of(model)
    model.tree_ = Tree(**{**state, "weight": np.zeros_like(state["weight"])})
    missing = GOLF.iloc[:2].assign(outlook=None).astype(GOLF.dtypes)
    for rows in (GOLF, missing):
        np.testing.assert_array_equal(model.predict_proba(rows), np.full((len(rows), 2), 0.5))
        assert set(model.predict(rows)) == {model.classes_[0]}
    np.testing.assert_array_equal(model.apply(missing), [0, 0])
    np.testing.assert_array_equal(model.decision_path(missing).indices, [0, 0])


def test_a_row_ends_where_all_its_fractions_would_be_too_small():
    n_leaves = 1_000_001
    leaf = np.arange(n_leaves + 1) > 0
    tree = Tree(
        attribute=np.where(leaf, -1, 0).astype(np.int32),
        threshold=np.full(n_leaves + 1, np.nan),
        first_child=np.where(leaf, 0, 1).astype(np.int32),
        n_children=np.where(leaf, 0, n_leaves).astype(np.int32),
        n_branches=np.where(leaf, 0, n_leaves).astype(np.int32),
        first_code=np.zeros(n_leaves + 1, np.int32),
        n_codes=np.where(leaf, 0, n_leaves).astype(np.int32),
        code=np.arange(n_leaves, dtype=np.int32),
        code_child=np.arange(1, n_leaves + 1, dtype=np.int32),
        weight=np.where(leaf[:, None], [1.0, 0.0], [1.0, 3.0]),
    )
    tree._check_state()
    missing = np.array([[np.nan]])
    np.testing.assert_array_equal(tree.predict_shares(missing), [[0.25, 0.75]])
    assert (tree.leaves_of(missing), tree.predict_codes(missing)) == (0, 1)
    np.testing.assert_array_equal(tree.paths_of(missing).indices, [0])


def test_a_tree_that_tests_columns_beyond_the_rows_is_refused():
    X = np.arange(10.0)[:, None]
    model = C45Classifier().fit(X, np.arange(10) // 5)
    attribute = np.array([1_000, -1, -1], dtype=np.int32)
    model.tree_ = Tree(**{**arrays_of(model), "attribute": attribute})
    for method in (model.predict, model.predict_proba, model.apply, model.decision_path):
        with pytest.raises((ValueError, IndexError)):
            method(X)
