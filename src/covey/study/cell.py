"""A cell of a study: one fit of one method on one dataset, what it depends on, and what comes of it."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.utils import get_tags

from covey.datasets import Dataset
from covey.ensemble.fit import random_parameters, seed_model
from covey.study.outcome import Outcome
from covey.study.plans import FitPlan
from covey.study.protocols import Protocol
from covey.study.repeats import read_predictions
from covey.study.scoring import score_predictions
from covey.study.shelf import describe, digest
from covey.study.spec import DataSpec, MethodSpec, Study
from covey.table import Indicators

# What a key stands for; a change of how cells are carried out makes another.
FORMAT = 1


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


def cells_of(study: Study) -> list[Cell]:
    """Return the cells of a study, those on large datasets first, for they take longest.

    All data are read and all methods made on the way, so that what is wrong with them is said before anything runs.
    """
    regression = study.task == "regression"
    made = {method.name: _described(method) for method in study.methods}
    protocol = describe(study.protocol.lasting(), "protocol")
    sized: list[tuple[int, Cell]] = []
    for data in study.datasets:
        loaded = data.load()
        if loaded.task != study.task:
            raise ValueError(
                f"dataset {data.name!r} is for {loaded.task}, but the study for {study.task}; leave it out."
            )
        content = content_of(loaded)
        plan = _plan_for(loaded, study.protocol, study.seed, regression)
        for number in range(len(plan)):
            repeat = plan.place(number)[0]
            for method in study.methods:
                labels = {"dataset": data.name, "method": method.name, "repeat": repeat, "fit": number}
                key = key_of(content, made[method.name], protocol, number, study.seed)
                about = (
                    key,
                    labels,
                    data,
                    content,
                    method,
                    study.protocol,
                    number,
                    study.seed,
                    study.metrics,
                    regression,
                )
                sized.append((loaded.n_rows * loaded.n_features, Cell(*about)))
    return [cell for _, cell in sorted(sized, key=lambda one: -one[0])]


def _described(method: MethodSpec) -> Any:
    """Return what a method's outcome depends on: its class and parameters, but for the seeds that every fit sets."""
    model = method.make()
    model.set_params(**dict.fromkeys(random_parameters(model), "one per fit"))
    return describe(model, f"method {method.name}")


def _plan_for(loaded: Dataset, protocol: Protocol, seed: int, regression: bool) -> FitPlan:
    target = loaded.target if regression else np.asarray(loaded.target)
    return protocol.plan(loaded.frame, target, regression=regression, random_state=seed)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=2)
def _plan(data: DataSpec, content: str, protocol: Protocol, seed: int, regression: bool) -> FitPlan:
    """Return the fits on a dataset, which a worker reads once for all cells that it carries out on it."""
    loaded = data.load()
    if content_of(loaded) != content:
        raise ValueError(f"dataset {data.name!r} has changed since the study began; run it again.")
    return _plan_for(loaded, protocol, seed, regression)


def run_cell(cell: Cell) -> Outcome:
    """Carry out a cell: train, predict, score, and keep what members say."""
    plan = _plan(cell.data, cell.content, cell.protocol, cell.seed, cell.regression)
    fit = plan[cell.number]
    model = readied(cell.method.make(), fit.X)
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
        arrays |= _further(model, fit.X_test)
    scores, troubles = score_predictions(cell.metrics, arrays)
    warned = list(dict.fromkeys(str(one.message) for one in caught))
    seconds = {"fit": trained - began, "predict": told - trained}
    return Outcome.done(cell.key, cell.labels, scores, seconds, (*warned, *troubles), arrays)


def readied(estimator: Any, X: Any) -> Any:
    """Return an estimator that takes a frame: one that knows neither categories nor gaps gets numbers instead."""
    tags = get_tags(estimator).input_tags
    categories = bool((X.dtypes == "category").any())
    gaps = bool(X.isna().to_numpy().any())
    steps: list[Any] = []
    if categories and not tags.categorical:
        steps.append(Indicators())
    if gaps and not tags.allow_nan:
        steps.append(SimpleImputer(strategy="median"))
    return make_pipeline(*steps, estimator) if steps else estimator


def _further(model: Any, X: Any) -> dict[str, NDArray[Any]]:
    """Return the classes, probabilities, and the votes of members with their weights, as far as there are some."""
    found: dict[str, NDArray[Any]] = {}
    if hasattr(model, "classes_"):
        found["classes"] = np.array(np.asarray(model.classes_).tolist())
        if hasattr(model, "predict_proba"):
            found["probabilities"] = np.asarray(model.predict_proba(X), dtype=np.float32)
    if hasattr(model, "member_predictions"):
        votes = np.asarray(model.member_predictions(X))
        small = np.min_scalar_type(len(found["classes"])) if "classes" in found else np.float32
        found["votes"], found["weights"] = votes.astype(small), np.asarray(model.estimator_weights_)
    return found
