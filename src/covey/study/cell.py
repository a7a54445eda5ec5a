"""A cell of a study: one fit of one method on one dataset, what it depends on, and what comes of it."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import ensemble

from covey.analysis.labels import member_labels
from covey.datasets import Dataset
from covey.study.data import DataSpec
from covey.study.fingerprint import digest, hash_of
from covey.study.fits import fit_and_predict, with_preprocessing
from covey.study.outcome import CHOSEN, Outcome, PackedArrays
from covey.study.plans import FitPlan, Protocol
from covey.study.scoring import score_predictions
from covey.study.spec import MethodSpec

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


@dataclass(frozen=True, slots=True)
class Cell:
    """What a worker needs to carry out a cell: small, and the same in any process."""

    key: str  #: a hash of everything that the outcome depends on
    labels: Mapping[str, Any]  #: how tables call it: dataset, method, repeat, fit
    data: DataSpec  #: where the data come from
    content: str  #: the hash that the data must have
    method: MethodSpec
    protocol: Protocol
    number: int  #: which of the protocol's fits
    seed: int
    metrics: tuple[str, ...]
    regression: bool


def content_of(loaded: Dataset) -> str:
    """Return a hash of a dataset's attributes and target, wherever they were read from."""
    return hash_of({"X": digest(loaded.frame), "y": digest(loaded.target.to_frame())})


def check_content(loaded: Dataset, content: str) -> None:
    """Refuse data that are not those of the study's beginning, as when their file was written to since."""
    if content_of(loaded) != content:
        raise ValueError(f"dataset {loaded.name!r} has changed since the study began; run it again.")


def key_of(content: str, method: Mapping[str, Any], protocol: Mapping[str, Any], number: int, seed: Any) -> str:
    """Return the key of a cell: the same for the same data, method, parameters, split and seed, in any study.

    `describe` makes method and protocol; the number is that of one of the protocol's fits.
    """
    return hash_of(
        {"format": FORMAT, "data": content, "method": method, "protocol": protocol, "fit": number, "seed": seed}
    )


def plan_for(loaded: Dataset, protocol: Protocol, seed: int, regression: bool) -> FitPlan:
    """Return the fits of a protocol on a dataset."""
    target = loaded.target if regression else np.asarray(loaded.target)
    return protocol.plan(loaded.frame, target, regression=regression, random_state=seed)


@lru_cache(maxsize=2)
def _plan(data: DataSpec, content: str, protocol: Protocol, seed: int, regression: bool) -> FitPlan:
    """Return the fits on a dataset, which a worker reads once for all cells that it carries out on it."""
    loaded = cached_dataset(content)
    if loaded is None:
        loaded = data.load()
        check_content(loaded, content)
    return plan_for(loaded, protocol, seed, regression)


# Data that this process has in memory by their hashes, so that cells need not read them from files.
_cached: list[Mapping[str, Any]] = []


def cache_datasets(datasets: Mapping[str, Any]) -> None:
    """Keep datasets, or pickles of some, by their hashes for as long as the process lives."""
    _cached.append(datasets)


@contextmanager
def cached_datasets(datasets: Mapping[str, Any]) -> Iterator[None]:
    """Keep datasets, or pickles of some, by their hashes inside a ``with`` statement."""
    _cached.append(datasets)
    try:
        yield
    finally:
        _cached[:] = [kept for kept in _cached if kept is not datasets]


def cached_dataset(content: str) -> Any:
    """Return the dataset with a hash, if this process has it in memory."""
    value = next((datasets[content] for datasets in _cached if content in datasets), None)
    return pickle.loads(value) if isinstance(value, bytes) else value


def forget_plans() -> None:
    """Let go of data that cells carried out in this process have read."""
    _plan.cache_clear()


def run_cell(cell: Cell) -> Outcome:
    """Carry out a cell: train, predict, score, and keep what members say."""
    plan = _plan(cell.data, cell.content, cell.protocol, cell.seed, cell.regression)
    fit = plan[cell.number]
    # The test part may have missing values though the training part has none.
    model = with_preprocessing(cell.method.make(), plan.data[0])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        predictions, seconds = fit_and_predict(model, fit, plan)
        arrays = {"y": plan.y[fit.test], "cases": fit.test, "predictions": predictions}
        arrays |= _further(model, fit.X_test) | _chosen(model) | _learnt(model)
    scores, troubles = score_predictions(cell.metrics, arrays)
    warned = list(dict.fromkeys(str(warning.message) for warning in caught))
    return Outcome.done(cell.key, cell.labels, scores, seconds, (*warned, *troubles), PackedArrays(arrays))


def _further(model: Any, X: Any) -> dict[str, NDArray[Any]]:
    """Return the classes, probabilities, and the votes of members with their weights, as far as there are some."""
    arrays: dict[str, NDArray[Any]] = {}
    if hasattr(model, "classes_"):
        arrays["classes"] = np.array(np.asarray(model.classes_).tolist())
        if hasattr(model, "predict_proba"):
            arrays["probabilities"] = np.asarray(model.predict_proba(X), dtype=np.float32)
    return arrays | _votes(model, X)


def _chosen(model: Any) -> dict[str, NDArray[Any]]:
    """Return the numbers that a model chose for its parameters on fitting, such as ``subset_size_``."""
    last = _last(model)
    values = {name: getattr(last, f"{name}_", None) for name in (*last.get_params(deep=False), *_OUTCOMES)}
    return {
        f"{CHOSEN}{name}": np.array(value)
        for name, value in values.items()
        if isinstance(value, Real | np.number) and not isinstance(value, bool | np.bool_)
    }


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
        as_codes = {"codes": True} if hasattr(model, "classes_") else {}
        votes, weights = np.asarray(model.member_predictions(X, **as_codes)), np.asarray(model.estimator_weights_)
    elif isinstance(model, _EQUAL_VOTES):
        votes = member_labels(model, X)
        votes = np.searchsorted(model.classes_, votes) if hasattr(model, "classes_") else votes
        weights = np.ones(votes.shape[1])
    else:
        return {}
    small = np.min_scalar_type(len(model.classes_)) if hasattr(model, "classes_") else np.float32
    kept = votes.astype(small)
    return {"votes": kept, "weights": weights} if kept.nbytes <= _MOST_BYTES else {}
