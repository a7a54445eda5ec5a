"""The tree kernels against a twin that is written to be read."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey import C45Classifier
from covey.learners import Tree
from covey.learners.base import case_counts
from covey.table import Table
from covey.table.schema import Schema
from kernels.twin import Data, Options, assert_same, c45, nested, shares

OPTIONS = {
    "default": Options(),
    "unpruned": Options(pruning=False),
    "neither pruned nor collapsed": Options(pruning=False, collapse=False),
    "without raising": Options(subtree_raising=False),
    "without collapsing": Options(collapse=False),
    "without charge": Options(threshold_charge=False),
    "binary": Options(binary=True),
    "binary unpruned": Options(binary=True, pruning=False, collapse=False, min_cases=3.0),
    "one case": Options(min_cases=1.0, confidence=0.5),
    "half a case": Options(min_cases=0.5, pruning=False),
    "five cases": Options(min_cases=5.0, confidence=0.1),
}

WEIGHTS = {
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(1, 4, n).astype(float),
    "real": lambda rng, n: rng.exponential(size=n),
    "some zero": lambda rng, n: rng.integers(0, 3, n).astype(float),
}

# Which columns have how many categories; 0 is a column of numbers.
KINDS = {
    "numbers": (0, 0, 0),
    "ties": (0, 0, 0),
    "categories": (2, 3, 5),
    "mixed": (0, 4, 0, 3),
    "many categories": (0, 40, 3),
}


def make_table(seed, kind, weights, n_rows, n_classes, missing, noise):
    """A table whose labels follow its columns to some degree; the first rows have every class, with weight."""
    rng = np.random.default_rng(seed)
    columns = [
        rng.integers(0, size, n_rows).astype(float)
        if size
        else rng.integers(0, 6, n_rows).astype(float)
        if kind == "ties"
        else rng.integers(-40, 40, n_rows) / 8
        for size in KINDS[kind]
    ]
    X = np.column_stack(columns)
    score = X[:, 0] + (X[:, 1] > np.median(X[:, 1])) * 2 + noise * rng.normal(size=n_rows)
    y = np.digitize(score, np.quantile(score, np.arange(1, n_classes) / n_classes))
    y[:n_classes] = np.arange(n_classes)
    X[rng.random(X.shape) < missing] = np.nan
    weight = WEIGHTS[weights](rng, n_rows)
    weight[:n_classes] = np.maximum(weight[:n_classes], 1.0)
    return Data(X, y, weight, KINDS[kind], n_classes)


def schema_of(data):
    names = tuple(f"x{j}" for j in range(len(data.categories)))
    return Schema(names, tuple(np.arange(float(size)) if size else None for size in data.categories), named=False)


def kernel_tree(data, options):
    model = C45Classifier(
        min_cases=options.min_cases,
        confidence=options.confidence,
        pruning=options.pruning,
        subtree_raising=options.subtree_raising,
        collapse=options.collapse,
        threshold_charge=options.threshold_charge,
        nominal_splits="binary" if options.binary else "multiway",
    )
    return model._fit_member(Table(data.X, schema_of(data)), data.y, data.weight).tree_  # weights as they are


tables = st.builds(
    make_table,
    seed=st.integers(0, 2**32 - 1),
    kind=st.sampled_from(sorted(KINDS)),
    weights=st.sampled_from(sorted(WEIGHTS)),
    n_rows=st.integers(6, 60),
    n_classes=st.integers(2, 4),
    missing=st.sampled_from([0.0, 0.0, 0.1, 0.4]),
    noise=st.sampled_from([0.0, 1.0, 5.0]),
)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@given(data=tables)
@settings(derandomize=True, deadline=None, max_examples=40)
def test_the_kernels_grow_the_tree_of_the_twin(options, data):
    tree = kernel_tree(data, options)
    tree._check_state()
    expected = c45(data, options)
    assert_same(nested(tree, data.categories, options.binary), expected)
    found = tree.predict_shares(data.X)
    np.testing.assert_allclose(found, [shares(expected, row) for row in data.X], atol=1e-9)


def without_weight(tree, share, seed):
    """A tree of which a share of the nodes weighs nothing; the root weighs nothing if all do."""
    weight = tree.weight.copy()
    weight[np.random.default_rng(seed).random(len(weight)) < share] = 0.0
    return Tree(**{**tree.__getstate__(), "weight": weight})


@pytest.mark.parametrize("share", [0.3, 0.7, 1.0])
@given(data=tables, seed=st.integers(0, 2**32 - 1))
@settings(derandomize=True, deadline=None, max_examples=40)
def test_branches_without_weight_draw_no_part_of_a_row(share, data, seed):
    tree = without_weight(kernel_tree(data, Options(pruning=False)), share, seed)
    tree._check_state()
    rows = np.vstack([data.X, np.full(data.X.shape[1], np.nan)])
    root = nested(tree, data.categories, binary=False)
    found = tree.predict_shares(rows)
    np.testing.assert_allclose(found, [shares(root, row) for row in rows], atol=1e-9)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    chosen = found[np.arange(len(rows)), tree.predict_codes(rows)]
    np.testing.assert_allclose(chosen, found.max(axis=1))
    passed = tree.paths_of(rows).toarray().astype(bool)
    assert passed[np.arange(len(rows)), tree.leaves_of(rows)].all()
    went_on = passed[:, 1:] & passed[:, tree.parent[1:]] & np.isnan(rows[:, tree.attribute[tree.parent[1:]]])
    assert not went_on[:, tree.weight[1:].sum(axis=1) == 0].any()


@given(data=tables)
@settings(derandomize=True, deadline=None, max_examples=60)
def test_empty_branches_are_counted_for_every_category_of_a_test(data):
    tree = kernel_tree(data, Options())
    nominal = tree.n_codes > 0
    sizes = np.array(data.categories)[tree.attribute[nominal]]
    np.testing.assert_array_equal(tree.n_branches[nominal], sizes)
    np.testing.assert_array_equal(tree.n_children[nominal], tree.n_codes[nominal])
    np.testing.assert_array_equal(tree.n_branches[~nominal], tree.n_children[~nominal])


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_larger_tables_too(options, kind):
    for seed, weights in enumerate(WEIGHTS):
        data = make_table(seed, kind, weights, 250, 3, 0.1 * (seed % 2), 1.0)
        found = nested(kernel_tree(data, options), data.categories, options.binary)
        assert_same(found, c45(data, options))


def test_the_twin_is_scaled_as_users_weights_are():
    data = make_table(0, "mixed", "whole", 40, 2, 0.1, 1.0)
    counts = case_counts(7.3 * data.weight)
    np.testing.assert_array_equal(counts, data.weight)
