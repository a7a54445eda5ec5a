"""What a study compares: datasets, methods, a protocol and metrics.

All of it is small, plain and checked when it is made, without importing what methods name and without reading data.
Messages begin with what is wrong, by its key in a study file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal
from unicodedata import category

from covey._arguments import check_choice, check_count
from covey._text import quoted
from covey.registry import methods as published, parameter_places
from covey.study.making import KNOWN_PACKAGES, make_estimator
from covey.study.metrics import check_metrics
from covey.study.preparation import (
    Selection,
    check_flag,
    check_generated,
    draw_generated,
    prepare,
    read_selection,
    remembered,
)
from covey.study.protocols import FreshSamples, Protocol
from covey.study.recipes import PIPELINE, PUBLISHED, check_path, import_paths, plain_params, shown

if TYPE_CHECKING:
    from covey.datasets import Dataset

Task = Literal["classification", "regression"]
TASKS = ("classification", "regression")


@dataclass(frozen=True)
class DataSpec:
    """A dataset by its name and where it comes from.

    Parameters
    ----------
    name : str
        What tables call it.
    source : str
        What `covey.datasets.load` is given: a name, or the path of a file.
    target : str, optional
        The column to predict, by default what the source says.
    drop : tuple of str
        Columns to leave out.
    task : {"classification", "regression"}, optional
        What the target is to be taken for, by default what its type says.
    held : Dataset, optional
        The data themselves, where they are in memory; the source then only says where they came from.
    rows : int, optional
        Only the first so many rows.
    complete : bool, default=False
        Whether to leave out rows with missing values of attributes.
    against : str, optional
        A class that is set against all others, which become one.
    log_target : bool, default=False
        Whether the numbers to predict are replaced by their natural logarithms; predictions and errors are of these.
    ordinal : bool, default=False
        Whether categories become their numbers, from 0 in declared order.
    nominal : bool, default=False
        Whether numbers become categories, one for each value.
    select : Selection or mapping, optional
        Attributes to keep, the best by a score, such as ``{"by": "chi_squared", "k": 50}``. They are chosen on all
        cases, those for test included, so accuracies come out too high (see `Selection`). The honest way is a pipeline
        that begins with `covey.analysis.filters.SelectAttributes`.
    n_samples, seed : int, optional
        Of an artificial dataset (``source="generator:ringnorm"``): its size, by default its paper's, and its seed, 0.

    Notes
    -----
    All this is done to the data before they are divided, in the order of the parameters, and makes them other data: a
    store has their cells apart.
    """

    name: str
    source: str
    target: str | None = None
    drop: tuple[str, ...] = ()
    task: Task | None = None
    held: Dataset | None = field(default=None, compare=False, repr=False)
    rows: int | None = None
    complete: bool = False
    against: str | None = None
    log_target: bool = False
    ordinal: bool = False
    nominal: bool = False
    select: Selection | None = None
    n_samples: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        check_text("name", self.name)
        check_text("source", self.source)
        if self.target is not None:
            check_text("target", self.target)
        if self.task is not None:
            check_choice("task", self.task, TASKS)
        object.__setattr__(self, "drop", _check_columns("drop", self.drop))
        if self.target in self.drop:
            raise ValueError(f"drop={list(self.drop)!r} names the target {self.target!r}; keep it, or predict another.")
        self._check_preparation()

    def _check_preparation(self) -> None:
        if self.rows is not None:
            check_count("rows", self.rows, 1)
        if self.against is not None:
            check_text("against", self.against)
        for key in ("complete", "log_target", "ordinal", "nominal"):
            check_flag(key, getattr(self, key))
        if self.ordinal and self.nominal:
            raise ValueError("ordinal=True and nominal=True undo each other; give one of them.")
        object.__setattr__(self, "select", read_selection(self.select))
        check_generated(self.source, self.n_samples, self.seed)

    def load(self) -> Dataset:
        """Read the data, unless they are held, and prepare them.

        Raises
        ------
        ValueError
            The target is of another kind than the task needs, or the data cannot be prepared as wished.
        """
        if self.held is not None:
            found = self.held
        elif self.select is not None:
            found = remembered((self.source, self.target, self.drop, self.task, self.n_samples, self.seed), self._read)
        else:
            found = self._read()
        try:
            return replace(prepare(found, self), name=self.name)
        except ValueError as error:
            raise ValueError(f"dataset {self.name!r}: {error}") from error

    def _read(self) -> Dataset:
        found = self._take()
        if self.task is not None and found.task != self.task:
            # Only where types are not declared is it a guess that whole numbers are no classes.
            if found.task == "regression" and found.provenance.format not in ("csv", "parquet"):
                raise ValueError(self._unfit("numbers"))
            found = self._take(task=self.task)
            if found.classes and found.target.cat.categories.dtype.kind == "f":
                raise ValueError(self._unfit("numbers that are not whole"))
        return found

    def _take(self, **further: Any) -> Dataset:
        choice = {"target": self.target, "drop": self.drop, **further}
        if self.n_samples is None and self.seed is None:
            from covey.datasets import load

            return load(self.source, **choice)
        return draw_generated(self.source, self.n_samples, self.seed, **choice)

    def _unfit(self, holds: str) -> str:
        return f"dataset {self.name!r}: the target holds {holds}, no classes; choose another target, or a regression."


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
    """

    name: str
    path: str
    params: Mapping[str, Any] = field(default_factory=dict, hash=False)
    task: Task = "classification"

    def __post_init__(self) -> None:
        check_text("name", self.name)
        if not isinstance(self.path, str):
            raise TypeError(f"path={shown(self.path)} must be text, such as 'covey:mbsasc' or 'sklearn.svm.SVC'.")
        check_path(self.path)
        object.__setattr__(self, "params", plain_params(self.path, self.params))

    def make(self) -> Any:
        """Import what is named and return a new estimator."""
        return make_estimator(self.path, dict(self.params), task=self.task)

    def adjusted(self, params: Mapping[str, Any]) -> MethodSpec:
        """Return the method with those of some parameters set that it has, such as ``{"n_estimators": 20}``."""
        model = self.make()
        published = self.path.startswith(PUBLISHED)
        known = parameter_places(model) if published else model.get_params(deep=False)
        given = {name: value for name, value in params.items() if name in known and self.path != PIPELINE}
        return replace(self, params={**self.params, **given})

    def check_trust(self, trust: Collection[str] = (), where: str = "") -> None:
        """Refuse a method that would import a package which is neither known nor trusted; nothing is imported."""
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
        if method.path.startswith(PUBLISHED):
            id = method.path.removeprefix(PUBLISHED)
            able = next(entry.tasks for entry in published() if entry.id == id)
            if self.task not in able:
                raise ValueError(f"{where}id={id!r} is for {' or '.join(able)}, but the study is for {self.task}.")


def check_text(key: str, value: object) -> None:
    """Raise unless the value is text that can be printed in a table."""
    if not isinstance(value, str):
        raise TypeError(f"{key}={shown(value)} must be text; write it between quotes.")
    if not value.strip():
        raise ValueError(f"{key}={value!r} is empty; write something.")
    if any(category(letter) == "Cc" for letter in value):
        raise ValueError(f"{key}={shown(value)} has a line break or another control character; leave it out.")
    if any(category(letter) == "Cs" for letter in value):  # from the name of a file in another encoding
        raise ValueError(f"{key}={value!r} has bytes that are no UTF-8; rename it.")


def _check_columns(key: str, columns: object) -> tuple[str, ...]:
    if isinstance(columns, str) or not isinstance(columns, Sequence):
        raise TypeError(f"{key}={shown(columns)} must be an array of column names; write {key} = ['name'].")
    for place, column in enumerate(columns):
        check_text(f"{key}[{place}]", column)
    return tuple(columns)


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
