"""The kernels as plain Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kernels.test_leaf_search import closest_rows
from kernels.test_twin import OPTIONS, kernel_tree, make_table, without_weight

TABLES = [
    (1, "numbers", "real", 40, 3, 0.0, 1.0),
    (2, "categories", "ones", 50, 2, 0.1, 1.0),
    (3, "mixed", "whole", 60, 3, 0.2, 1.0),
    (4, "mixed", "some zero", 60, 2, 0.0, 5.0),
]
CHOSEN = ["default", "binary", "neither pruned nor collapsed"]

CODE = """
import json, sys, warnings
warnings.simplefilter("error")
import numba
from kernels.test_leaf_search import closest_rows
from kernels.test_twin import OPTIONS, kernel_tree, make_table
from kernels.test_without_compiler import CHOSEN, TABLES, covers, machines, stated, stochastic_tree
from kernels.test_without_compiler import trees_without_weight

assert numba.config.DISABLE_JIT
trees = [stated(kernel_tree(make_table(*table), OPTIONS[name])) for table in TABLES for name in CHOSEN]
trees += [stated(stochastic_tree(make_table(*table))) for table in TABLES]
trees += [stated(tree) for tree in trees_without_weight()]
print(json.dumps({"trees": trees, "covers": covers(), "machines": machines(), "leaves": closest_rows()}))
"""


def stochastic_tree(data):
    from covey import C45Classifier
    from covey.table import Table
    from kernels.test_twin import schema_of

    model = C45Classifier(attribute_probability=0.5, random_state=3)
    return model._fit_member(Table(data.X, schema_of(data)), data.y, data.weight).tree_  # weights as they are


def trees_without_weight():
    """Trees of which some or all nodes weigh nothing."""
    trees = [kernel_tree(make_table(*table), OPTIONS["unpruned"]) for table in TABLES]
    return [without_weight(tree, share, 0) for tree in trees for share in (0.5, 1.0)]


def stated(tree):
    """A tree as lists, with its predictions for rows that are missing."""
    shares = tree.predict_shares(np.full((1, 4), np.nan))
    state = {name: array.tolist() for name, array in tree.__getstate__().items()}
    return {**state, "shares": shares.tolist(), "leaf": tree.leaves_of(np.full((1, 4), np.nan)).tolist()}


@pytest.fixture(scope="module")
def without_compiler():
    tests = str(Path(__file__).parents[1])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([tests, *sys.path])}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def covers():
    """Sphere covers of small tables, with what decides some rows."""
    from covey import SphereCoverClassifier

    found = []
    for seed, n_columns, options in [
        (0, 3, {"min_sphere_size": 2}),
        (1, 4, {"cover": "greedy", "max_enemies": 1}),
        (2, 2, {"min_sphere_size": "auto", "cv": 2}),
        (3, 160, {}),
    ]:
        rng = np.random.default_rng(seed)
        X, y = rng.random((24, n_columns)), np.arange(24) % 3
        X[rng.random(X.shape) < (0.1 if seed == 0 else 0.0)] = np.nan
        with np.errstate(invalid="ignore"):  # the difference of two missing numbers
            model = SphereCoverClassifier(random_state=0, **options).fit(X, y)
            explained = model.explain(rng.random((10, n_columns)) * 1.5)
        lists = [model.center_indices_, model.radii_, model.sphere_sizes_, model.uncovered_indices_]
        found.append([array.tolist() for array in (*lists, explained["sphere"], explained["edge_distance"])])
    return found


def machines():
    """Support vector machines of few and of many cases."""
    from covey import LinearSVMClassifier, SVMClassifier, SVMRegressor

    found = []
    for n_cases in (24, 260):
        rng = np.random.default_rng(n_cases)
        X, y = rng.random((n_cases, 3)), np.arange(n_cases) % 2
        model = LinearSVMClassifier(tol=1e-2).fit(X + 0.3 * y[:, None], y)
        found.append([*model.coef_[0].tolist(), *model.intercept_.tolist()])
    # Which two multipliers are moved depends on rounding in single precision, so only the optimum is the same.
    found.append(SVMClassifier(tol=1e-9).fit(X[:40], y[:40]).pair_decision_function(X).ravel().tolist())
    found.append(SVMRegressor(C=1.0, tol=1e-9).fit(X[:40], X[:40, 0]).predict(X).tolist())
    return found


def test_machines_are_those_of_the_compiled_kernels(without_compiler):
    for compiled, plain in zip(machines(), without_compiler["machines"], strict=True):
        np.testing.assert_allclose(plain, compiled, rtol=1e-9, atol=1e-8)


def test_covers_are_those_of_the_compiled_kernels(without_compiler):
    for compiled, plain in zip(covers(), without_compiler["covers"], strict=True):
        for one, other in zip(compiled, plain, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-12)


def test_trees_are_those_of_the_compiled_kernels(without_compiler):
    compiled = [stated(kernel_tree(make_table(*table), OPTIONS[name])) for table in TABLES for name in CHOSEN]
    compiled += [stated(stochastic_tree(make_table(*table))) for table in TABLES]
    compiled += [stated(tree) for tree in trees_without_weight()]
    assert len(compiled) == len(without_compiler["trees"])
    for one, other in zip(compiled, without_compiler["trees"], strict=True):
        assert one.keys() == other.keys()
        for name, values in one.items():
            np.testing.assert_allclose(other[name], values, rtol=1e-12, err_msg=name)


def test_the_search_by_leaves_is_that_of_the_compiled_kernel(without_compiler):
    assert without_compiler["leaves"] == closest_rows()
