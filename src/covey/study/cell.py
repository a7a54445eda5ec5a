"""A cell of a study: one fit of one method on one dataset, what it depends on, and what comes of it."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import ensemble

from covey.analysis.labels import member_labels
from covey.datasets import Dataset
from covey.ensemble.fit import seed_model
from covey.study.holding import held
from covey.study.outcome import CHOSEN, Outcome
from covey.study.plans import FitPlan
from covey.study.protocols import Protocol
from covey.study.readying import readied
from covey.study.repeats import read_predictions
from covey.study.scoring import score_predictions
from covey.study.shelf import digest
from covey.study.spec import DataSpec, MethodSpec

# What a key stands for; a change of how cells are carried out makes another.
FORMAT = 2

# What a fitted model may have chosen though no parameter is called so.
_OUTCOMES = ("n_selected_features",)

# What a model may have learnt of its columns; kept where it is no more than so many numbers.
_LEARNT = ("feature_weights", "feature_weights_path")
_MOST_LEARNT = 10_000

# Votes that take more room are not kept: those of 200 models for 16,000 numbers take 13 MB, in each fit of a study.
_MOST_BYTES = 8 * 2**20

# scikit-learn's ensembles whose members count alike.
_EQUAL_VOTES = tuple(
    getattr(ensemble, f"{name}{kind}")
    for name in ("Bagging", "ExtraTrees", "RandomForest")
    for kind in ("Classifier", "Regressor")
)


@dataclass(frozen=True)
class Cell:
    """What a worker needs to carry out a cell: small, and the same in any process.

    Parameters
    ----------
    key : str
        A hash of everything that the outcome depends on.
    labels : mapping
        How tables call it: dataset, method, repeat, fit.
    data, content : DataSpec, str
        Where the data come from, and the hash that they must have.
    method : MethodSpec
    protocol : Protocol
    number : int
        Which of the protocol's fits.
    seed : int
    metrics : tuple of str
    regression : bool
    """

    key: str
    labels: Mapping[str, Any]
    data: DataSpec
    content: str
    method: MethodSpec
    protocol: Protocol
    number: int
    seed: int
    metrics: tuple[str, ...]
    regression: bool


def content_of(loaded: Dataset) -> str:
    """Return a hash of a dataset's attributes and target, wherever they were read from."""
    parts = {"X": digest(loaded.frame), "y": digest(loaded.target.to_frame())}
    return sha256(_canonical(parts).encode()).hexdigest()


def check_content(loaded: Dataset, content: str) -> None:
    """Refuse data that are not those of the study's beginning, as when their file was written to since."""
    if content_of(loaded) != content:
        raise ValueError(f"dataset {loaded.name!r} has changed since the study began; run it again.")


def key_of(content: str, method: Mapping[str, Any], protocol: Mapping[str, Any], number: int, seed: int) -> str:
    """Return the key of a cell: the same for the same data, method, parameters, split and seed, in any study.

    Parameters
    ----------
    content : str
        The hash of the data.
    method, protocol : mapping
        What `describe` makes of them.
    number : int
        Which of the protocol's fits.
    seed : int
        Of the study.
    """
    what = {"format": FORMAT, "data": content, "method": method, "protocol": protocol, "fit": number, "seed": seed}
    return sha256(_canonical(what).encode()).hexdigest()


def plan_for(loaded: Dataset, protocol: Protocol, seed: int, regression: bool) -> FitPlan:
    """Return the fits of a protocol on a dataset."""
    target = loaded.target if regression else np.asarray(loaded.target)
    return protocol.plan(loaded.frame, target, regression=regression, random_state=seed)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=2)
def _plan(data: DataSpec, content: str, protocol: Protocol, seed: int, regression: bool) -> FitPlan:
    """Return the fits on a dataset, which a worker reads once for all cells that it carries out on it."""
    loaded = held(content)
    if loaded is not None:
        return plan_for(loaded, protocol, seed, regression)
    loaded = data.load()
    check_content(loaded, content)
    return plan_for(loaded, protocol, seed, regression)


@contextmanager
def forgetting_plans() -> Iterator[None]:
    """Let go of data that cells carried out in this process have read."""
    try:
        yield
    finally:
        _plan.cache_clear()


def run_cell(cell: Cell) -> Outcome:
    """Carry out a cell: train, predict, score, and keep what members say."""
    plan = _plan(cell.data, cell.content, cell.protocol, cell.seed, cell.regression)
    fit = plan[cell.number]
    model = readied(cell.method.make(), plan.data[0])  # the test part may have gaps that the training part lacks
    seed_model(model, np.random.default_rng(fit.seed))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        began = time.perf_counter()
        model.fit(fit.X, fit.y)
        trained = time.perf_counter()
        said = model.predict(fit.X_test)
        told = time.perf_counter()
        arrays = {"y": plan.y[fit.test], "cases": fit.test}
        arrays["predictions"] = read_predictions(said, plan, len(fit.test))
        arrays |= _further(model, fit.X_test) | _chosen(model) | _learnt(model)
    scores, troubles = score_predictions(cell.metrics, arrays)
    warned = list(dict.fromkeys(str(one.message) for one in caught))
    seconds = {"fit": trained - began, "predict": told - trained}
    return Outcome.done(cell.key, cell.labels, scores, seconds, (*warned, *troubles), arrays)


def _further(model: Any, X: Any) -> dict[str, NDArray[Any]]:
    """Return the classes, probabilities, and the votes of members with their weights, as far as there are some."""
    found: dict[str, NDArray[Any]] = {}
    if hasattr(model, "classes_"):
        found["classes"] = np.array(np.asarray(model.classes_).tolist())
        if hasattr(model, "predict_proba"):
            found["probabilities"] = np.asarray(model.predict_proba(X), dtype=np.float32)
    return found | _votes(model, X)


def _chosen(model: Any) -> dict[str, NDArray[Any]]:
    """Return the numbers that a model chose for its parameters on fitting, such as ``subset_size_``."""
    last = _last(model)
    found = {}
    for name in (*last.get_params(deep=False), *_OUTCOMES):
        value = getattr(last, f"{name}_", None)
        if isinstance(value, Real | np.number) and not isinstance(value, bool | np.bool_):
            found[f"{CHOSEN}{name}"] = np.array(value)
    return found


def _learnt(model: Any) -> dict[str, NDArray[Any]]:
    """Return the weights of columns that a model has found, and how they came about, as far as they are small."""
    last = _last(model)
    values = {name: getattr(last, f"{name}_", None) for name in _LEARNT}
    return {
        name: np.array(value, dtype=np.float64)
        for name, value in values.items()
        if isinstance(value, np.ndarray) and value.size <= _MOST_LEARNT
    }


def _last(model: Any) -> Any:
    """Return the last step of a pipeline, or the model itself."""
    return model.steps[-1][1] if hasattr(model, "steps") else model


def _votes(model: Any, X: Any) -> dict[str, NDArray[Any]]:
    """Return what each member says, as codes of the classes or as numbers, and the members' weights.

    There is nothing to return where it is too much to be kept.
    """
    if hasattr(model, "steps"):
        return _votes(model.steps[-1][1], model[:-1].transform(X) if len(model.steps) > 1 else X)
    if hasattr(model, "member_predictions"):
        said, weights = np.asarray(model.member_predictions(X)), np.asarray(model.estimator_weights_)
    elif isinstance(model, _EQUAL_VOTES):
        said = member_labels(model, X)
        said = np.searchsorted(model.classes_, said) if hasattr(model, "classes_") else said
        weights = np.ones(said.shape[1])
    else:
        return {}
    small = np.min_scalar_type(len(model.classes_)) if hasattr(model, "classes_") else np.float32
    kept = said.astype(small)
    return {"votes": kept, "weights": weights} if kept.nbytes <= _MOST_BYTES else {}
