"""The layout of a study: its cells, the facts of its data, and where each cell gets them from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from covey.datasets import Dataset
from covey.ensemble.fit import random_parameters
from covey.study.cell import Cell, check_content, content_of, key_of, plan_for
from covey.study.record import DataRecord
from covey.study.shelf import describe
from covey.study.spec import DataSpec, MethodSpec, Study


@dataclass(frozen=True)
class Layout:
    """What is to be carried out.

    Parameters
    ----------
    cells : tuple of Cell
        Those on large datasets first, for they take longest.
    datasets : tuple of DataRecord
        In the order of the study.
    """

    cells: tuple[Cell, ...]
    datasets: tuple[DataRecord, ...]

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
    made = {method.name: _described(method) for method in study.methods}
    _refuse_same("methods", {name: json.dumps(one, sort_keys=True) for name, one in made.items()})
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
    _refuse_same("datasets", {one.name: one.content for one in records})
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


class Holdings(Mapping[str, Dataset]):
    """The data of a study by their hashes, read when they are asked for.

    Parameters
    ----------
    study : Study
    datasets : tuple of DataRecord
        Its data, in the same order.
    in_memory : bool, default=False
        Whether to have those only that the study holds in memory, which no worker could read.
    """

    def __init__(self, study: Study, datasets: tuple[DataRecord, ...], *, in_memory: bool = False) -> None:
        pairs = zip(study.datasets, datasets, strict=True)
        self._specs = {one.content: spec for spec, one in pairs if spec.held is not None or not in_memory}

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


def _cells_on(study: Study, data: DataSpec, loaded: Dataset, content: str, made: Mapping[str, Any]) -> Iterator[Cell]:
    regression = study.task == "regression"
    protocol = describe(study.protocol.lasting(), "protocol")
    plan = plan_for(loaded, study.protocol, study.seed, regression)
    small = replace(data, held=None)
    for number in range(len(plan)):
        repeat = plan.place(number)[0]
        for method in study.methods:
            labels = {"dataset": data.name, "method": method.name, "repeat": repeat, "fit": number}
            key = key_of(content, made[method.name], protocol, number, study.seed)
            settings = (study.protocol, number, study.seed, study.metrics, regression)
            yield Cell(key, labels, small, content, method, *settings)


def _described(method: MethodSpec) -> Any:
    """Return what a method's outcome depends on: its class and parameters, but for the seeds that every fit sets."""
    model = method.make()
    model.set_params(**dict.fromkeys(random_parameters(model), "one per fit"))
    return describe(model, f"method {method.name}")
