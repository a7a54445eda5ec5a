"""The members of a combination: those that are tried by default on a table of its size, and those that are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor

from covey import registry
from covey._text import did_you_mean, quoted
from covey.registry import Recipe
from covey.table.schema import MOST_SPREAD

Named = tuple[str, Any]


@dataclass(frozen=True)
class Candidate:
    """A member that is tried by default, on tables that do not take it too long."""

    name: str
    recipe: Recipe
    most_rows: float = np.inf
    most_classes: float = np.inf
    most_columns: float = np.inf  # after categories have become columns
    most_numbers: float = np.inf  # rows times columns
    most_categories: float = np.inf  # of a column

    def suits(self, n_rows: int, n_categories: NDArray[np.intp], n_classes: int) -> bool:
        """Whether a table with so many categories in each column, 0 in a numeric one, is small enough for it."""
        n_columns = int(np.clip(n_categories, 1, MOST_SPREAD).sum())
        within = n_rows <= self.most_rows and n_columns <= self.most_columns and n_classes <= self.most_classes
        return within and n_rows * n_columns <= self.most_numbers and n_categories.max() <= self.most_categories


def _recipe(path: str, **params: Any) -> Recipe:
    return Recipe(path, params)


def scaled(estimator: Any) -> Any:
    """Return a pipeline for a learner that needs numbers of one scale without missing values."""
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    imputer = SimpleImputer(strategy="median", keep_empty_features=True)
    return Pipeline([("imputer", imputer), ("scaler", StandardScaler()), ("model", estimator)])


def _scaled(path: str, **params: Any) -> Recipe:
    return _recipe("covey.combination.members.scaled", estimator=_recipe(path, **params))


def _published(id: str) -> Recipe:
    return next(entry.recipe for entry in registry.methods() if entry.id == id)


_FOREST, _LINEAR = "sklearn.ensemble.", "sklearn.linear_model."
_BOOSTING = {"learning_rate": 0.05, "min_samples_leaf": 5, "max_leaf_nodes": 15, "l2_regularization": 1.0}
# Forests that see a column of 0 and 1 for each category draw mostly constant ones: 50,000 rows with two columns of
# hundreds took 116 s, ten times as long as codes. Other trees take categories as they are.
_FEW = 300
# Boosting, and forests of numbers, look at all columns for each of thousands of splits: 60 x 5,000 took them 90 s.
_WIDE = 2_000

# The cheapest first: a budget is spent in this order. What was measured: docs/decisions/combination.md.
CLASSIFIERS = (
    Candidate("logistic regression", _scaled(f"{_LINEAR}LogisticRegression", max_iter=300)),
    Candidate("support vectors", _recipe("covey.SVMClassifier"), most_rows=12_000, most_classes=30),
    Candidate("gaussian process", _recipe("covey.GaussianProcessClassifier"), most_rows=30_000),
    Candidate("extra trees", _recipe(f"{_FOREST}ExtraTreesClassifier", n_estimators=150), most_categories=_FEW),
    Candidate(
        "gradient boosting",
        _recipe(f"{_FOREST}HistGradientBoostingClassifier"),
        most_classes=30,
        most_columns=_WIDE,
        most_categories=255,
    ),
    Candidate("multiboosted trees", _published("mbsasc"), most_columns=10_000),
    Candidate(
        "neighbours",
        _recipe("covey.FeatureSubsetNeighborsClassifier", n_estimators=50),
        most_rows=20_000,
        most_columns=2_000,
    ),
    Candidate(
        "sphere covers",
        _recipe("covey.SubspaceSphereEnsembleClassifier", n_estimators=50),
        most_rows=4_000,
        most_columns=500,
    ),
    Candidate(
        "rotation forest",
        _recipe("covey.RotationForestClassifier", n_estimators=50),
        most_columns=500,
        most_numbers=250_000,
    ),
)
REGRESSORS = (
    Candidate("ridge regression", _scaled(f"{_LINEAR}RidgeCV", alphas=tuple(10.0**e for e in range(-3, 4)))),
    Candidate("gaussian process", _recipe("covey.GaussianProcessRegressor"), most_rows=30_000),
    Candidate("support vectors", _recipe("covey.SVMRegressor"), most_rows=12_000),
    Candidate(
        "extra trees",
        _recipe(f"{_FOREST}ExtraTreesRegressor", n_estimators=150),
        most_columns=_WIDE,
        most_categories=_FEW,
    ),
    Candidate(
        "gradient boosting",
        _recipe(f"{_FOREST}HistGradientBoostingRegressor", max_iter=300, **_BOOSTING),
        most_columns=_WIDE,
        most_categories=255,
    ),
    Candidate("rassel", _recipe("covey.RandomSubspaceRegressor", n_estimators=50, weighting="relevance")),
    Candidate(
        "neighbours",
        _recipe("covey.FeatureSubsetNeighborsRegressor", n_estimators=50),
        most_rows=20_000,
        most_columns=2_000,
    ),
    Candidate(
        "rotation forest",
        _recipe("covey.RotationForestRegressor", n_estimators=50),
        most_columns=500,
        most_numbers=150_000,
    ),
)


def read_members(
    members: Any, task: str, n_categories: NDArray[np.intp], y: NDArray[Any], n_classes: int
) -> list[Named]:
    """Return the members to try, by name: a constant for a target of one value, the default ones, or those given."""
    if len(np.unique(y)) == 1:
        kind = "DummyClassifier" if n_classes else "DummyRegressor"
        return [("constant", _recipe(f"sklearn.dummy.{kind}").make())]
    if isinstance(members, str):
        candidates = CLASSIFIERS if n_classes else REGRESSORS
        return [(c.name, c.recipe.make()) for c in candidates if c.suits(len(y), n_categories, n_classes)]
    if not members:
        raise ValueError("members is empty; give estimators or method ids, or 'auto'.")
    return _distinct([_read(member, place, task) for place, member in enumerate(members)])


def _read(member: Any, place: int, task: str) -> Named:
    """Return the name and the estimator of what is given: an estimator, with or without a name, or a method's id."""
    where, name = f"members[{place}]", ""
    if isinstance(member, tuple) and len(member) == 2 and isinstance(member[0], str):
        name, member = member
    if isinstance(member, str):
        return name or member, _by_id(member, where, task)
    if isinstance(member, type):
        raise TypeError(f"{where} is the class {member.__name__}; give an instance: {member.__name__}().")
    if not (hasattr(member, "fit") and hasattr(member, "predict") and hasattr(member, "get_params")):
        raise TypeError(f"{where}={member!r:.60} is no estimator; give a scikit-learn estimator or a method's id.")
    wanted, right = ("classifier", is_classifier) if task == "classification" else ("regressor", is_regressor)
    if not right(member):
        raise TypeError(f"{where}={member!r:.60} is no {wanted}; give one.")
    if task == "classification" and not hasattr(member, "predict_proba"):
        raise TypeError(f"{where}={member!r:.60} has no predict_proba; give a classifier that has probabilities.")
    return name or _name_of(member), member


def _by_id(id: str, where: str, task: str) -> Any:
    candidates = CLASSIFIERS if task == "classification" else REGRESSORS
    named = {candidate.name: candidate.recipe for candidate in candidates}
    if id in named:
        return named[id].make()
    ids = [entry.id for entry in registry.methods() if task in entry.tasks]
    if id not in ids:
        known = [*named, *ids]
        near, names = did_you_mean(id, known), quoted(dict.fromkeys(known), len(known))
        raise ValueError(f"{where}={id!r} is no method for {task}{near} Known are {names}.")
    return registry.method(id, task=task)


def _name_of(estimator: Any) -> str:
    last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
    return type(last).__name__


def _distinct(named: Sequence[Named]) -> list[Named]:
    """Return members with distinct names: those of one name are numbered."""
    names = [name for name, _ in named]
    numbers: dict[str, int] = {}
    distinct = []
    for name, estimator in named:
        numbers[name] = numbers.get(name, 0) + 1
        distinct.append((f"{name} {numbers[name]}" if names.count(name) > 1 else name, estimator))
    return distinct
