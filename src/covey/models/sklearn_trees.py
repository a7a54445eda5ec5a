"""Declarations of scikit-learn's decision trees and forests: nodes that a compiled loop can follow without looking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree._tree import Tree

from covey.models.declaration import SklearnDeclaration
from covey.models.fields import (
    Array,
    Field,
    Items,
    Labels,
    Maybe,
    Model,
    Number,
    OrNone,
    Record,
    Sizes,
    Whole,
    bind,
    require,
)

LEAF = -1
MOST_TREES = 2**31
# The attributes of a tree's nodes as they are in a file, by the names that scikit-learn gives them.
_NODE_FIELDS = {
    "left_child": Array(np.int64, "nodes", low=LEAF),
    "right_child": Array(np.int64, "nodes", low=LEAF),
    "feature": Array(np.int64, "nodes"),
    "threshold": Array(np.float64, "nodes", infinite=True),
    "impurity": Array(np.float64, "nodes", nan=True, infinite=True),
    "n_node_samples": Array(np.int64, "nodes", low=0),
    "weighted_n_node_samples": Array(np.float64, "nodes", low=0.0),
    "missing_go_to_left": Array(np.uint8, "nodes", high=1),
}
_CLASSES: Mapping[str, Field] = {"classes_": Labels("classes", distinct=True), "n_classes_": Whole(1, size="classes")}


class TreeField(Field):
    """A compiled tree, made anew of arrays that have been checked."""

    _state = Record({**_NODE_FIELDS, "value": Array(np.float64, "nodes", 1, "classes")})

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        state = value.__getstate__()
        require(value.n_outputs == 1 and value.n_features == sizes["features"], "has several outputs")
        inner: Sizes = {}
        columns = columns_of(state["nodes"], _NODE_FIELDS)
        written = self._state.write({**columns, "value": state["values"]}, writer, inner)
        bind(sizes, "classes", inner["classes"])
        return written

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        inner: Sizes = {}
        columns = self._state.read(node, reader, inner)
        bind(sizes, "classes", inner["classes"])
        depth = _checked_depth(columns, sizes["features"])
        tree = Tree(sizes["features"], np.array([inner["classes"]], dtype=np.intp), 1)
        nodes = nodes_of(columns, tree.__getstate__()["nodes"].dtype, _NODE_FIELDS)
        values = columns["value"].copy()
        tree.__setstate__({"max_depth": depth, "node_count": len(nodes), "nodes": nodes, "values": values})
        return tree


def columns_of(nodes: NDArray[Any], fields: Mapping[str, Field]) -> dict[str, NDArray[Any]]:
    """Return the columns of an array of nodes, which has to be of the kind that is declared."""
    require(set(nodes.dtype.names or ()) == set(fields), "has nodes of a kind that is not known")
    return {name: np.ascontiguousarray(nodes[name]) for name in fields}


def nodes_of(columns: Mapping[str, NDArray[Any]], dtype: Any, fields: Mapping[str, Field]) -> NDArray[Any]:
    """Return an array of nodes, as this version of scikit-learn has them."""
    require(set(dtype.names or ()) == set(fields), "cannot be made by this version of scikit-learn")
    nodes = np.zeros(len(columns[next(iter(fields))]), dtype=dtype)
    for name in fields:
        nodes[name] = columns[name]
    return nodes


def _checked_depth(columns: Mapping[str, NDArray[Any]], n_features: int) -> int:
    """Return the depth of a tree; refuse one whose nodes do not make up a tree over the columns there are."""
    left, right, feature = (columns[name] for name in ("left_child", "right_child", "feature"))
    n_nodes = len(left)
    inner = np.flatnonzero(left != LEAF)
    require(n_nodes > 0 and (right[left == LEAF] == LEAF).all(), "is no tree")
    children = np.concatenate([left[inner], right[inner]])
    require((children > np.concatenate([inner, inner])).all(), "has nodes that lead back")
    require(np.array_equal(np.sort(children), np.arange(1, n_nodes)), "has nodes that lead outside it")
    require(((feature[inner] >= 0) & (feature[inner] < n_features)).all(), "tests columns that there are not")
    return depth_of(left, right)


def depth_of(left: NDArray[Any], right: NDArray[Any]) -> int:
    """Return the depth of a tree that has been checked, level by level."""
    depth, level = -1, np.zeros(1, dtype=np.intp)
    while len(level):
        depth += 1
        level = level[left[level] != LEAF]
        level = np.concatenate([left[level], right[level]])
    return depth


class TreeDeclaration(SklearnDeclaration):
    """A decision tree with one output."""

    def _declared(self, name: str) -> Mapping[str, Field]:
        classes = _CLASSES if self.classifies else {}
        return {"n_outputs_": Whole(1, 1), **classes, "max_features_": Whole(1), "tree_": TreeField()}

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new tree its nodes, whose shares of the classes have to add up."""
        if not self.classifies:
            bind(sizes, "classes", 1)
        value = state["tree_"].value[:, 0]
        if self.classifies:
            require((value >= 0).all() and np.allclose(value.sum(axis=1), 1.0), "has shares that do not add up to 1")
        return super().restore(model, state, sizes)


class ForestDeclaration(SklearnDeclaration):
    """A forest with one output."""

    def _declared(self, name: str) -> Mapping[str, Field]:
        votes = Maybe(Array(np.float64, None, "classes", nan=True))
        labels: Mapping[str, Field] = {**_CLASSES, "oob_decision_function_": votes}
        numbers: Mapping[str, Field] = {"oob_prediction_": Maybe(Array(np.float64, None, nan=True))}
        return {
            "n_outputs_": Whole(1, 1),
            **(labels if self.classifies else numbers),
            "oob_score_": Maybe(Number(nan=True)),
            "_n_samples": Maybe(Whole(0)),
            "_n_samples_bootstrap": Maybe(OrNone(Whole(0))),
            "_sample_weight": Maybe(OrNone(Array(np.float64, None))),
            "estimator_": Model(),
            "estimators_": Items(Model(), "members"),
        }

    def check_params(self, model: Any) -> None:
        """Refuse more trees than there can be: predictions share out as many among threads."""
        require(model.n_estimators < MOST_TREES, "has too many n_estimators")

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new forest its trees, which have to be of its kind and to know its columns and classes."""
        kind = type(model.estimator)
        require(type(state["estimator_"]) is kind, "is not grown of trees of its kind")
        require(sizes["members"] > 0, "has no trees")
        for tree in state["estimators_"]:
            require(type(tree) is kind and hasattr(tree, "tree_"), "has members that are no trees of its kind")
            require(tree.n_features_in_ == sizes["features"], "has trees over other columns")
            require(not self.classifies or tree.n_classes_ == sizes["classes"], "has trees over other classes")
        return super().restore(model, state, sizes)
