"""Declarations of scikit-learn's linear models, naive Bayes, neighbours, constants and preprocessing."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from covey.models.declaration import Declaration, SklearnDeclaration
from covey.models.fields import Array, Field, Flag, Items, Labels, Maybe, Number, OrNone, Sizes, Text, Whole, require

# Metrics without parameters of their own, and the powers of Minkowski's.
_METRICS = {"braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "euclidean", "hamming"}
_METRICS |= {"infinity", "l1", "l2", "manhattan", "minkowski", "nan_euclidean", "p", "sqeuclidean"}
_POWERS = (0.1, 16)
_LABELS: Mapping[str, Field] = {"classes_": Labels("classes", distinct=True)}
# Squares of distances divided by variances, and sums of such, stay finite within these.
_SMALL, _LARGE = 1e-90, 1e90
# A column that is all but certain; a probability of 1 would leave minus infinity for the other case.
_CERTAIN = -1e-15

_COUNTS: Mapping[str, Field] = {
    **_LABELS,
    "class_count_": Array(np.float64, "classes", low=0.0, high=_LARGE),
    "class_log_prior_": Array(np.float64, "classes", low=-_LARGE, high=0.0),
    "feature_count_": Array(np.float64, "classes", "features", low=0.0, high=_LARGE),
}
_FIELDS: Mapping[str, Mapping[str, Field]] = {
    "DummyClassifier": {
        **_LABELS,
        "n_classes_": Whole(1, size="classes"),
        "n_outputs_": Whole(1, 1),
        "sparse_output_": Flag(),
        "class_prior_": Array(np.float64, "classes", low=0.0, high=1.0),
        "_strategy": Text("prior", "most_frequent", "stratified", "uniform"),
    },
    "DummyRegressor": {"n_outputs_": Whole(1, 1), "constant_": Array(np.float64, 1, 1)},
    "LogisticRegression": {
        **_LABELS,
        "coef_": Array(np.float64, "outputs", "features"),
        "intercept_": Array(np.float64, "outputs"),
        "n_iter_": Array(np.int32, None, low=0),
    },
    "Ridge": {
        "coef_": Array(np.float64, "features"),
        "intercept_": Number(),
        "n_iter_": OrNone(Array(np.int32, None, low=0)),
        "solver_": Maybe(Text()),
    },
    "RidgeCV": {
        "coef_": Array(np.float64, "features"),
        "intercept_": Number(),
        "alpha_": Number(0.0),
        "best_score_": Maybe(Number(nan=True)),
    },
    "SimpleImputer": {"statistics_": Array(np.float64, "features", nan=True)},
    "StandardScaler": {
        "mean_": OrNone(Array(np.float64, "features")),
        "var_": OrNone(Array(np.float64, "features", low=0.0)),
        "scale_": OrNone(Array(np.float64, "features", low=1e-150)),
        "rows_seen": Array(np.float64, None, low=0.0),
    },
    "GaussianNB": {
        **_LABELS,
        "class_count_": Array(np.float64, "classes", low=0.0, high=_LARGE),
        "class_prior_": Array(np.float64, "classes", low=0.0, high=1.0),
        "theta_": Array(np.float64, "classes", "features", low=-_LARGE, high=_LARGE),
        "var_": Array(np.float64, "classes", "features", low=_SMALL, high=_LARGE),
        "epsilon_": Number(0.0, _LARGE),
    },
    "BernoulliNB": {
        **_COUNTS,
        "feature_log_prob_": Array(np.float64, "classes", "features", low=-_LARGE, high=_CERTAIN),
    },
    "MultinomialNB": {
        **_COUNTS,
        "feature_log_prob_": Array(np.float64, "classes", "features", low=-_LARGE, high=0.0),
    },
    "ComplementNB": {
        **_COUNTS,
        "feature_all_": Array(np.float64, "features", low=0.0, high=_LARGE),
        "feature_log_prob_": Array(np.float64, "classes", "features", low=-_LARGE, high=_LARGE),
    },
    "CategoricalNB": {
        **_LABELS,
        "class_count_": _COUNTS["class_count_"],
        "class_log_prior_": _COUNTS["class_log_prior_"],
        "category_count_": Items(Array(np.float64, "classes", None, low=0.0, high=_LARGE), "features"),
        "n_categories_": Array(np.int64, "features", low=1),
        "feature_log_prob_": Items(Array(np.float64, "classes", None, low=-_LARGE, high=0.0), "features"),
    },
}


class SimpleDeclaration(SklearnDeclaration):
    """An estimator whose attributes are all there is to it."""

    def _declared(self, name: str) -> Mapping[str, Field]:
        return _FIELDS[name]


class DummyDeclaration(SimpleDeclaration):
    """An estimator that looks at no column."""

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new estimator its shares of the classes, which have to add up, or its constant."""
        if self.classifies:
            require(np.isclose(state["class_prior_"].sum(), 1.0), "has shares that do not add up to 1")
            require(model.strategy == state["_strategy"], "follows another strategy than it says")
            require(not state["sparse_output_"], "has sparse classes")
        return super().restore(model, state, sizes)


class LinearDeclaration(SimpleDeclaration):
    """A linear model."""

    derived = frozenset({"_store_cv_results"})  # of RidgeCV, by scikit-learn 1.6

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new model its coefficients, of as many outputs as it has classes."""
        if "outputs" in sizes:
            n_classes = sizes["classes"]
            require(n_classes >= 2 and sizes["outputs"] == (1 if n_classes == 2 else n_classes), "has other classes")
        return super().restore(model, state, sizes)


class ScalerDeclaration(SimpleDeclaration):
    """A scaler, which counts the rows it has seen once or by column."""

    derived = frozenset({"n_samples_seen_"})

    def hidden(self, thing: Any) -> dict[str, Any]:
        """Return the rows seen as an array."""
        return {"rows_seen": np.atleast_1d(np.asarray(thing.n_samples_seen_, dtype=np.float64))}

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new scaler its means and scales."""
        seen = state.pop("rows_seen")
        require(len(seen) in (1, sizes["features"]), "has seen other columns")
        model.n_samples_seen_ = seen if len(seen) > 1 else seen[0]
        require(not model.with_mean or state["mean_"] is not None, "has no means")
        require(not model.with_std or state["scale_"] is not None, "has no scales")
        return super().restore(model, state, sizes)


class ImputerDeclaration(SimpleDeclaration):
    """An imputer of numbers, made anew on a row of zeros and given its statistics."""

    derived = frozenset({"_fit_dtype", "_fill_dtype", "indicator_"})

    def hidden(self, thing: Any) -> dict[str, Any]:
        """Refuse an imputer of anything but numbers."""
        require(thing.indicator_ is None and thing._fit_dtype == np.float64, "imputes no numbers")
        return {}

    def check_params(self, model: Any) -> None:
        """Refuse to impute anything but numbers."""
        numbers = model.missing_values is None or isinstance(model.missing_values, float | int)
        require(numbers and not model.add_indicator, "imputes no numbers")

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Let scikit-learn make what belongs to a table of numbers."""
        model.fit(np.zeros((1, sizes["features"])))
        return super().restore(model, state, sizes)


class NeighborsDeclaration(SklearnDeclaration):
    """Nearest neighbours, whose state is their training data: a loaded model is fitted to them."""

    derived = frozenset(
        {"effective_metric_", "effective_metric_params_", "_fit_method", "_tree", "n_samples_fit_", "outputs_2d_"}
    )

    def _declared(self, name: str) -> Mapping[str, Field]:
        codes: Mapping[str, Field] = {**_LABELS, "_y": Array(np.int64, "rows", low=0, below="classes")}
        target = codes if self.classifies else {"_y": Array(np.float64, "rows")}
        return {"_fit_X": Array(np.float64, "rows", "features"), **target}

    def hidden(self, thing: Any) -> dict[str, Any]:
        """Refuse several outputs."""
        require(not getattr(thing, "outputs_2d_", False), "has several outputs")
        return {}

    def check_params(self, model: Any) -> None:
        """Refuse metrics with parameters of their own, or without rows to compare."""
        plain = isinstance(model.metric, str) and model.metric in _METRICS and not model.metric_params
        require(plain, "has a metric that a file cannot hold")
        require(type(model.n_neighbors) is int, "has n_neighbors that are no integer")
        require(_POWERS[0] <= model.p <= _POWERS[1], f"has p={model.p}, which is not from {_POWERS[0]} to {_POWERS[1]}")

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Fit a new model to the rows."""
        rows, target = state["_fit_X"], state["_y"]
        require(sizes["rows"] >= max(1, model.n_neighbors), "has fewer rows than neighbours")
        reach = 2 * float(np.abs(rows).max())
        require(isfinite(sizes["features"] * reach ** max(2, model.p)), "has rows whose distances are not finite")
        if self.classifies:
            target = state["classes_"][target]
        import pandas as pd

        names = state.get("feature_names_in_")
        model.fit(rows if names is None else pd.DataFrame(rows, columns=names), target)
        if self.classifies:
            require(np.array_equal(model.classes_, state["classes_"]), "has classes without rows, or out of order")
        return model


class PipelineDeclaration(Declaration):
    """A pipeline, which has no state but its steps."""

    def check_params(self, model: Any) -> None:
        """Refuse steps that are no estimators, and a cache, which a later fit would load whatever it finds from."""
        require(model.memory is None, "has a cache")
        rows = all(isinstance(step, tuple | list) and len(step) == 2 for step in model.steps)
        require(rows and len(model.steps) and all(isinstance(name, str) for name, _ in model.steps), "has no steps")
        model.steps = [(name, step) for name, step in model.steps]
        model._validate_steps()
        steps = [step for _, step in model.steps if hasattr(step, "n_features_in_")]
        for step, following in pairwise(steps):
            if hasattr(step, "get_feature_names_out"):
                width = len(step.get_feature_names_out())
                require(width == following.n_features_in_, "has steps that do not follow each other")


class BayesDeclaration(SimpleDeclaration):
    """A naive Bayes classifier."""

    def restore(self, model: Any, state: dict[str, Any], sizes: Sizes) -> Any:
        """Give a new classifier its counts and probabilities, which have to add up."""
        prior = state["class_prior_"] if "class_prior_" in state else np.exp(state["class_log_prior_"])
        require(prior.any() and prior.max() <= 1.0, "has no class that is possible")
        if "category_count_" in state:
            widths = [array.shape[1] for array in state["feature_log_prob_"]]
            require(widths == [array.shape[1] for array in state["category_count_"]], "has counts of other categories")
            require(widths == state["n_categories_"].tolist(), "has counts of other categories")
        return super().restore(model, state, sizes)
