"""The specification of a study: datasets, methods, a protocol and metrics.

All of it is small, plain and checked when it is made, without importing what methods name and without reading data.
Messages begin with what is wrong, by its key in a study file.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from covey._arguments import check_choice, check_count
from covey._text import quoted
from covey.registry import PUBLISHED, methods as published, parameter_places
from covey.study.data import TASKS, DataSpec, Task, check_text
from covey.study.metrics import check_metrics
from covey.study.plans import Protocol
from covey.study.protocols import FreshSamples
from covey.study.recipes import (
    KNOWN_PACKAGES,
    PIPELINE,
    check_path,
    import_paths,
    make_estimator,
    plain_params,
    shown,
)

__all__ = ["TASKS", "DataSpec", "MethodSpec", "Study", "Task", "check_text"]


@dataclass(frozen=True)
class MethodSpec:
    """A method by its name and how its estimator is made.

    Parameters
    ----------
    name : str
        What tables call it.
    path : str
        ``"covey:mbsasc"`` for a published system by its id, an import path such as
        ``"sklearn.ensemble.RandomForestClassifier"``, or ``"pipeline"``.
    params : mapping of str to value
        Plain values; for one that is an estimator or a strategy, ``{"estimator": path, "params": {...}}``. A pipeline
        has one, ``steps``: a list of such tables. Random states are no parameters: every fit is seeded by the study.
    task : {"classification", "regression"}, default="classification"
        What a published system that can do both is to predict; in a study it is the study's.
    held : estimator, optional
        The estimator itself, where it is in memory: ``MethodSpec("mine", held=SVC(C=2))``. A copy of it is kept; path
        and parameters then only tell what it is, and are found from it. It cannot stand in a study file.
    """

    name: str
    path: str = ""
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)
    task: Task = "classification"
    held: Any = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        check_text("name", self.name)
        if self.held is not None:
            self._hold()
            return
        if not isinstance(self.path, str):
            raise TypeError(f"path={shown(self.path)} must be text, such as 'covey:mbsasc' or 'sklearn.svm.SVC'.")
        check_path(self.path)
        object.__setattr__(self, "params", plain_params(self.path, self.params))

    def _hold(self) -> None:
        from covey.study.held import own_copy, recipe_of

        copy = own_copy(self.held, f"the estimator of method {self.name!r}")
        path, params = recipe_of(copy)
        for name, value in (("held", copy), ("path", path), ("params", params)):
            object.__setattr__(self, name, value)

    def __getstate__(self) -> dict[str, Any]:
        from covey.study.held import packed

        return vars(self) if self.held is None else {**vars(self), "held": packed(self.held)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Only workers of this run are sent such bytes; what is read from disk holds none.
        held = None if state["held"] is None else pickle.loads(state["held"])
        vars(self).update({**state, "held": held})

    def make(self) -> Any:
        """Return a new estimator: a copy of the one that is held, or one made of what is named, which is imported."""
        if self.held is not None:
            from sklearn.base import clone

            return clone(self.held)
        return make_estimator(self.path, dict(self.params), task=self.task)

    def adjusted(self, params: Mapping[str, Any]) -> MethodSpec:
        """Return the method with those of some parameters set that it has, such as ``{"n_estimators": 20}``."""
        model = self.make()
        if self.held is not None:
            own = model.get_params(deep=False)
            return replace(self, held=model.set_params(**{name: params[name] for name in params if name in own}))
        published = self.path.startswith(PUBLISHED)
        known = parameter_places(model) if published else model.get_params(deep=False)
        given = {name: value for name, value in params.items() if name in known and self.path != PIPELINE}
        return replace(self, params={**self.params, **given})

    def check_trust(self, trust: Collection[str] = (), where: str = "") -> None:
        """Refuse a method that would import a package which is neither known nor trusted; nothing is imported."""
        if self.held is not None:  # its package has been imported
            return
        for key, path in import_paths(self.path, dict(self.params), where):
            package = path.partition(".")[0]
            if package not in (*KNOWN_PACKAGES, *trust):
                raise ValueError(
                    f"{key}={shown(path)} is outside of {quoted(KNOWN_PACKAGES)}, and importing a package runs its "
                    f"code; if you know where the study comes from, name {package!r} in trust."
                )


@dataclass(frozen=True)
class Study:
    """Methods to be compared on datasets by a protocol.

    Parameters
    ----------
    name : str
    datasets : tuple of DataSpec
    methods : tuple of MethodSpec
    protocol : Protocol
        How each method is trained and tested on each dataset; not `FreshSamples`, which makes its own data.
    metrics : tuple of str
        Names of scikit-learn's scorers for the task, or "error": the share of wrong labels, or the mean squared error.
        Of two classes, the one that counts in precision and the like follows in brackets: "recall[ill]".
    seed : int
        From which everything random follows.
    task : {"classification", "regression"}, default="classification"
    file : str
        Where it was read from, for messages; "" if it was made in Python. Studies are equal whatever their files.
    """

    name: str
    datasets: tuple[DataSpec, ...]
    methods: tuple[MethodSpec, ...]
    protocol: Protocol
    metrics: tuple[str, ...]
    seed: int
    task: Task = "classification"
    file: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        check_text("name", self.name)
        check_count("seed", self.seed, 0)
        check_choice("task", self.task, TASKS)
        for argument, kind in (("datasets", DataSpec), ("methods", MethodSpec)):
            object.__setattr__(self, argument, _check_parts(argument, getattr(self, argument), kind))
        object.__setattr__(self, "metrics", check_metrics(self.metrics, self.task))
        self._check_protocol()
        for place, method in enumerate(self.methods):
            self._check_task(method, f"method[{place}].")
        object.__setattr__(self, "methods", tuple(replace(method, task=self.task) for method in self.methods))
        for data in self.datasets:
            if data.task not in (None, self.task):
                raise ValueError(f"dataset {data.name!r} is for {data.task}, but the study is for {self.task}.")

    def _check_protocol(self) -> None:
        if not isinstance(self.protocol, Protocol):
            raise TypeError(f"protocol={shown(self.protocol)} is none; give one such as CycledFolds() or Resamples().")
        if isinstance(self.protocol, FreshSamples):
            raise ValueError("protocol=FreshSamples makes its own data; give one that divides datasets.")
        if self.task == "regression" and getattr(self.protocol, "stratified", False):
            raise ValueError("protocol.stratified=True needs classes, which a regression has none of; leave it out.")

    def _check_task(self, method: MethodSpec, where: str) -> None:
        if method.held is not None:
            from covey.study.held import check_estimator

            able = check_estimator(method.held)
            if able != self.task:
                raise ValueError(f"method {method.name!r} is for {able}, but the study is for {self.task}.")
        elif method.path.startswith(PUBLISHED):
            id = method.path.removeprefix(PUBLISHED)
            tasks = next(entry.tasks for entry in published() if entry.id == id)
            if self.task not in tasks:
                raise ValueError(f"{where}id={id!r} is for {' or '.join(tasks)}, but the study is for {self.task}.")


def _check_parts(argument: str, parts: object, kind: type) -> tuple[Any, ...]:
    """Return the datasets or the methods of a study, which must have names of their own."""
    if not isinstance(parts, Sequence) or not all(isinstance(part, kind) for part in parts):
        raise TypeError(f"{argument}={shown(parts)} must be a sequence of {kind.__name__}.")
    if not parts:
        raise ValueError(f"{argument} is empty; give one or more.")
    places: dict[str, int] = {}
    for place, part in enumerate(parts):
        first = places.setdefault(part.name, place)
        if first != place:
            given = f"method[{place}].name={part.name!r} is the name of method[{first}]"
            given = given if kind is MethodSpec else f"dataset {part.name!r} is the name of another"
            raise ValueError(f"{given} too; give one of them a name of its own.")
    return tuple(parts)
