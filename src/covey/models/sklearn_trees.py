"""Declarations of scikit-learn's trees, forests and histogram boosting: nodes that compiled loops follow unchecked."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble._hist_gradient_boosting.binning import _BinMapper
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree._tree import Tree

from covey.models.declaration import SklearnDeclaration
from covey.models.fields import (
    Array,
    Field,
    Flag,
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
    inside,
    require,
)
from covey.models.plain import PLAIN

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


_PREDICTOR_FIELDS: Mapping[str, Field] = {
    "value": Array(np.float64, "nodes"),
    "count": Array(np.uint32, "nodes"),
    "feature_idx": Array(np.int64, "nodes", low=0),
    "num_threshold": Array(np.float64, "nodes", nan=True, infinite=True, low=-np.inf, high=np.inf),
    "missing_go_to_left": Array(np.uint8, "nodes", high=1),
    "left": Array(np.uint32, "nodes"),
    "right": Array(np.uint32, "nodes"),
    "gain": Array(np.float64, "nodes", nan=True, infinite=True, low=-np.inf, high=np.inf),
    "depth": Array(np.uint32, "nodes"),
    "is_leaf": Array(np.uint8, "nodes", high=1),
    "bin_threshold": Array(np.uint8, "nodes"),
    "is_categorical": Array(np.uint8, "nodes", high=1),
    "bitset_idx": Array(np.uint32, "nodes"),
}
_BITSETS = ("binned_left_cat_bitsets", "raw_left_cat_bitsets")
MOST_CATEGORIES = 256
MOST_EXPONENT = 700.0


class PredictorField(Field):
    """A tree of histogram boosting."""

    _state = Record({**_PREDICTOR_FIELDS, **dict.fromkeys(_BITSETS, Array(np.uint32, "splits", 8))})

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        sets = {name: np.ascontiguousarray(getattr(value, name)) for name in _BITSETS}
        return self._state.write({**columns_of(value.nodes, _PREDICTOR_FIELDS), **sets}, writer, {})

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        columns = self._state.read(node, reader, {})
        nodes = nodes_of(columns, np.dtype(PREDICTOR_RECORD_DTYPE), _PREDICTOR_FIELDS)
        return TreePredictor(nodes, *(columns[name].copy() for name in _BITSETS))


def _check_predictor(tree: TreePredictor, categorical: NDArray[np.bool_]) -> None:
    """Refuse a tree that leads outside its nodes, columns or sets of categories."""
    nodes, n_nodes = tree.nodes, len(tree.nodes)
    require(n_nodes > 0, "is no tree")
    inner = np.flatnonzero(nodes["is_leaf"] == 0)
    children = np.concatenate([nodes["left"][inner], nodes["right"][inner]]).astype(np.int64)
    require((children > np.concatenate([inner, inner])).all(), "has nodes that lead back")
    require((children < n_nodes).all(), "has nodes that lead outside it")
    require((nodes["feature_idx"] < len(categorical)).all(), "tests columns that there are not")
    by_category = nodes[nodes["is_categorical"] != 0]
    sets = len(tree.raw_left_cat_bitsets)
    require((by_category["bitset_idx"] < sets).all(), "asks for categories that are not there")
    require(categorical[by_category["feature_idx"]].all(), "asks for categories of a column of numbers")


class BoostingDeclaration(SklearnDeclaration):
    """Histogram boosting. What reads its columns and what turns sums into predictions is made anew."""

    derived = frozenset(
        {"_n_features", "_preprocessor", "_is_categorical_remapped", "_label_encoder", "_loss", "_bin_mapper"}
        | {"_scorer", "_in_fit", "_fitted_with_sw"}
    )

    def _declared(self, name: str) -> Mapping[str, Field]:
        return {
            **({"classes_": Labels("classes", distinct=True)} if self.classifies else {}),
            "is_categorical_": OrNone(Array(np.bool_, "features")),
            "categories": Items(Labels(nan=True)),
            "n_trees_per_iteration_": Whole(1, size="trees"),
            "do_early_stopping_": Flag(),
            "_use_validation_data": Maybe(Flag()),
            "_random_seed": Whole(0, 2**64 - 1),
            "_feature_subsample_rng": Maybe(PLAIN),
            "bins": Items(Array(np.float64, None, infinite=True, high=np.inf), "features"),
            "n_bins_non_missing": Array(np.uint32, "features"),
            "_baseline_prediction": Array(np.float64, 1, "trees"),
            "_predictors": Items(Items(PredictorField(), "trees"), "iterations"),
            "train_score_": Array(np.float64, None, nan=True),
            "validation_score_": Array(np.float64, None, nan=True),
        }

    def hidden(self, thing: Any) -> dict[str, Any]:
        """Return the categories and bins that hidden parts hold."""
        encoder = None
        if thing._preprocessor is not None:
            encoder = thing._preprocessor.named_transformers_["encoder"]
            named = hasattr(thing, "feature_names_in_")
            numeric = all(labels.dtype.kind in "iuf" for labels in encoder.categories_)
            require(named or numeric, "has text without names")
        return {
            "categories": [] if encoder is None else [_without_none(labels) for labels in encoder.categories_],
            "bins": list(thing._bin_mapper.bin_thresholds_),
            "n_bins_non_missing": thing._bin_mapper.n_bins_non_missing_,
        }

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Let scikit-learn make again what reads columns and labels, then put in the trees."""
        categorical, categories = state.pop("is_categorical_"), state.pop("categories")
        bins, n_bins = state.pop("bins"), state.pop("n_bins_non_missing")
        require(sizes["iterations"] > 0, "has no trees")
        first = _first_rows(sizes["features"], state.get("feature_names_in_"), categorical, categories)
        model._preprocess_X(first, reset=True)
        kept = model.is_categorical_
        same = kept is None if categorical is None else kept is not None and np.array_equal(kept, categorical)
        require(same and model.n_features_in_ == sizes["features"], "has other categorical columns than it says")
        if self.classifies:
            require(sizes["classes"] >= 2, "has fewer than two classes")
            model._encode_y(state["classes_"])
            require(np.array_equal(model.classes_, state["classes_"]), "has classes out of order")
            bind(sizes, "trees", model.n_trees_per_iteration_)
        else:
            bind(sizes, "trees", 1)
            _check_sum(model, state)
        for name, value in state.items():
            setattr(model, name, value)
        model._loss = model._get_loss(sample_weight=None)
        model._n_features, model._scorer = sizes["features"], None
        model._bin_mapper = _bin_mapper(model, bins, n_bins)
        coded = model._bin_mapper.is_categorical_.astype(bool)
        for place, tree in enumerate(chain.from_iterable(model._predictors)):
            with inside(f"_predictors[{place}]"):
                _check_predictor(tree, coded)
        return model


def _without_none(categories: NDArray[Any]) -> NDArray[Any]:
    """Return categories with NaN for None, as pandas before 3 has it among text: both are missing to the trees."""
    if categories.dtype != object:
        return categories
    return np.array([np.nan if label is None else label for label in categories], dtype=object)


def _check_sum(model: Any, state: Mapping[str, Any]) -> None:
    """Refuse a sum whose exponential, which some losses predict, would be infinite."""
    if model.loss in ("gamma", "poisson"):
        trees = chain.from_iterable(state["_predictors"])
        most = state["_baseline_prediction"].max() + sum(tree.nodes["value"].max(initial=0.0) for tree in trees)
        require(most < MOST_EXPONENT, "predicts infinite numbers")


def _first_rows(
    n_features: int, names: NDArray[Any] | None, categorical: NDArray[Any] | None, categories: list[NDArray[Any]]
) -> Any:
    """Return rows that hold every category once, of the columns that a model was trained on."""
    places = [] if categorical is None else np.flatnonzero(categorical).tolist()
    require(len(places) == len(categories), "has other categorical columns than it says")
    lengths = [len(labels) for labels in categories]
    require(max(lengths, default=0) <= MOST_CATEGORIES, "has more categories than histogram boosting takes")
    require(min(lengths, default=1) > 0, "has a column without categories")
    n_rows = max([1, *lengths])
    if names is None:
        require(all(labels.dtype.kind in "iuf" for labels in categories), "has text without names")
        rows = np.zeros((n_rows, n_features))
        for place, known in zip(places, categories, strict=True):
            rows[:, place] = np.resize(known, n_rows)
        return rows
    import pandas as pd

    require(len(set(names)) == len(names), "has columns of the same name")
    frame = pd.DataFrame(np.zeros((n_rows, n_features)), columns=names)
    for place, known in zip(places, categories, strict=True):
        frame[names[place]] = pd.Categorical(np.resize(known, n_rows))
    return frame


def _bin_mapper(model: Any, bins: list[NDArray[Any]], n_bins: NDArray[Any]) -> _BinMapper:
    remapped = model._is_categorical_remapped
    coded = np.zeros(len(bins), dtype=np.uint8) if remapped is None else np.asarray(remapped, dtype=np.uint8)
    for place in np.flatnonzero(coded):
        known = bins[place]
        require(((known >= 0) & (known < MOST_CATEGORIES)).all(), "has codes of categories that are out of range")
    mapper = _BinMapper(n_bins=model.max_bins + 1, is_categorical=remapped, random_state=model._random_seed)
    mapper.is_categorical_ = coded
    mapper.missing_values_bin_idx_ = model.max_bins
    mapper.bin_thresholds_ = bins
    mapper.n_bins_non_missing_ = n_bins
    return mapper
