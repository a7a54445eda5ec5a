"""The layout of a study: its cells and their order, the facts of its data, and where each cell gets them from."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from covey.datasets import Dataset
from covey.study.cell import Cell, check_content, content_of, key_of, plan_for
from covey.study.data import DataSpec
from covey.study.fingerprint import describe
from covey.study.held import describe_unseeded
from covey.study.outcome import Outcome
from covey.study.record import DataRecord
from covey.study.spec import Study

# A fit of so many seconds at most is quick.
_QUICK = 1.0


@dataclass(frozen=True)
class Layout:
    """What is to be carried out."""

    cells: tuple[Cell, ...]  # those on large datasets first, for they take longest
    datasets: tuple[DataRecord, ...]  # in the order of the study

    @property
    def keys(self) -> dict[str, Mapping[str, Any]]:
        """The labels of each cell, by its key."""
        return {cell.key: cell.labels for cell in self.cells}


def lay_out(study: Study) -> Layout:
    """Return the layout of a study.

    All data are read and all methods made on the way, so that what is wrong with them is said before anything runs.

    Raises
    ------
    ValueError
        Two methods, or the values of two datasets, are the same, so that there would be nothing to compare.
    """
    made = {method.name: describe_unseeded(method.make(), f"method {method.name}") for method in study.methods}
    _refuse_same("methods", {name: json.dumps(method, sort_keys=True) for name, method in made.items()})
    sized: list[tuple[int, list[Cell]]] = []
    records = []
    for data in study.datasets:
        loaded = data.load()
        if loaded.task != study.task:
            raise ValueError(
                f"dataset {data.name!r} is for {loaded.task}, but the study for {study.task}; leave it out."
            )
        record = DataRecord.of(data, loaded, content_of(loaded))
        records.append(record)
        sized.append((loaded.n_rows * loaded.n_features, list(_cells_on(study, data, loaded, record.content, made))))
    _refuse_same("datasets", {record.name: record.content for record in records})
    sized.sort(key=lambda one: -one[0])
    return Layout(tuple(cell for _, cells in sized for cell in cells), tuple(records))


def _refuse_same(kind: str, contents: Mapping[str, str]) -> None:
    """Refuse two methods or two datasets of one study that are the same but for their names."""
    names: dict[str, str] = {}
    for name, content in contents.items():
        if content in names:
            raise ValueError(f"{kind} {names[content]!r} and {name!r} are the same but for their names; leave one out.")
        names[content] = name


def cells_of(study: Study) -> list[Cell]:
    """Return the cells of a study, those on large datasets first; see `lay_out`."""
    return list(lay_out(study).cells)


class StudyData(Mapping[str, Dataset]):
    """The data of a study by their hashes, read when they are asked for.

    With `in_memory` they are those only that the study holds in memory, which no worker could read.
    """

    def __init__(self, study: Study, datasets: tuple[DataRecord, ...], *, in_memory: bool = False) -> None:
        pairs = zip(study.datasets, datasets, strict=True)
        self._specs = {record.content: spec for spec, record in pairs if spec.held is not None or not in_memory}

    def __getitem__(self, content: str) -> Dataset:
        spec = self._specs[content]
        loaded = spec.load()
        if spec.held is None:
            check_content(loaded, content)
        return loaded

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)


class Ordered(Iterator[Cell]):
    """Cells dataset by dataset, on each the methods first that take longest, or the quick ones first.

    Datasets come in the order of the cells, which is by size: a worker reads each once. On each, every method is tried
    once, and what is left goes by the time that this took. A method whose first cell is still under way when others
    are through is taken for the slowest. Quick ones first, one repeat comes after the other, methods are tried from the
    last to the first, for lists of methods end with the simple ones, and a method that took no more than a second is
    finished before others are tried: whenever the time is over, some are finished.
    """

    def __init__(self, cells: Iterable[Cell], *, quick_first: bool = False) -> None:
        self._quick_first = quick_first
        self._waiting: dict[tuple[int, str], dict[str, deque[Cell]]] = {}
        order = (lambda cell: cell.labels["repeat"]) if quick_first else (lambda cell: 0)
        for cell in sorted(cells, key=order):
            methods = self._waiting.setdefault((order(cell), cell.labels["dataset"]), {})
            methods.setdefault(cell.labels["method"], deque()).append(cell)
        self._seconds: dict[tuple[str, str], float] = {}
        self._tried: set[tuple[str, str]] = set()

    def observe(self, outcome: Outcome) -> None:
        """Note how long a cell took."""
        place = outcome.labels["dataset"], outcome.labels["method"]
        self._seconds[place] = max(self._seconds.get(place, 0.0), sum(outcome.seconds.values()))

    def __next__(self) -> Cell:
        while self._waiting:
            (repeat, dataset), methods = next(iter(self._waiting.items()))
            if methods:
                names = reversed(methods) if self._quick_first else iter(methods)
                chosen = max(names, key=lambda method: self._urgency(dataset, method))
                self._tried.add((dataset, chosen))
                cell = methods[chosen].popleft()
                if not methods[chosen]:
                    del methods[chosen]
                return cell
            del self._waiting[repeat, dataset]
        raise StopIteration

    def _urgency(self, dataset: str, method: str) -> tuple[bool, bool, float]:
        place = dataset, method
        seconds = self._seconds.get(place, inf)
        is_quick = self._quick_first and seconds <= _QUICK
        return is_quick, place not in self._tried, -seconds if self._quick_first else seconds


def _cells_on(study: Study, data: DataSpec, loaded: Dataset, content: str, made: Mapping[str, Any]) -> Iterator[Cell]:
    regression = study.task == "regression"
    protocol = describe(study.protocol.lasting(), "protocol")
    plan = plan_for(loaded, study.protocol, study.seed, regression)
    plan.place(0)  # tells what is wrong with the data; the rows of the other fits are found where they are needed
    small = replace(data, held=None)
    for number in range(len(plan)):
        repeat = study.protocol.repeat_of(number)
        for method in study.methods:
            labels = {"dataset": data.name, "method": method.name, "repeat": repeat, "fit": number}
            key = key_of(content, made[method.name], protocol, number, study.seed)
            settings = (study.protocol, number, study.seed, study.metrics, regression)
            yield Cell(key, labels, small, content, method, *settings)
