"""The record of a study: its datasets, methods, protocol, software and machine, as its store has them for a report."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import counted
from covey.analysis.ranking.metrics import split_metric
from covey.study.plans import Protocol
from covey.study.protocols import BootstrapSamples, CycledFolds, DisjointSamples
from covey.study.recipes import BOOSTERS
from covey.study.splits import FixedSplit, Resamples
from covey.study.workers import usable_cores

if TYPE_CHECKING:
    from covey.datasets import Dataset
    from covey.study.data import DataSpec
    from covey.study.spec import MethodSpec, Study

# The protocols with their keys, and what those are called in Python.
PROTOCOLS: dict[str, tuple[Callable[..., Protocol], dict[str, str]]] = {
    "cross-validation": (CycledFolds, {"n_folds": "n_folds", "n_repeats": "n_cycles", "stratified": "stratified"}),
    "resamples": (Resamples, {name: name for name in ("n_repeats", "train_size", "stratified")}),
    "fixed-split": (FixedSplit, {name: name for name in ("n_train", "test")}),
    "bootstrap": (BootstrapSamples, {name: name for name in ("n_repeats", "sample_size", "test_size")}),
    "disjoint-samples": (DisjointSamples, {name: name for name in ("n_repeats", "train_size", "test_size")}),
}

_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "numba")


@dataclass(frozen=True)
class DataRecord:
    """A dataset of a study."""

    name: str  #: what tables call it
    source: str  #: where it came from
    target: str  #: the column that was predicted
    task: str  #: "classification" or "regression"
    n_rows: int
    n_features: int  #: columns without the target
    n_categorical: int  #: columns with categories
    n_missing: int  #: missing values
    classes: Mapping[str, int]  #: how many rows each class has, none in a regression
    content: str  #: a hash of all values
    notes: tuple[str, ...] = ()  #: what was done to the data on reading, and what was noticed

    @classmethod
    def of(cls, spec: DataSpec, loaded: Dataset, content: str) -> DataRecord:
        """Return the record of a dataset that was read."""
        counts = loaded.target.value_counts(sort=False)
        classes = {str(label): int(counts[label]) for label in loaded.classes}
        n_categorical = int((loaded.frame.dtypes == "category").sum())
        size = (loaded.n_rows, loaded.n_features, n_categorical, loaded.n_missing)
        notes = loaded.provenance.notes
        if spec.drop:
            notes += (f"left out: {', '.join(spec.drop)}",)
        return cls(spec.name, spec.source, str(loaded.target.name), loaded.task, *size, classes, content, notes)


@dataclass(frozen=True)
class MethodRecord:
    """A method of a study; see `covey.study.MethodSpec`."""

    name: str
    path: str
    params: Mapping[str, Any]

    @classmethod
    def of(cls, spec: MethodSpec) -> MethodRecord:
        """Return the record of a method."""
        return cls(spec.name, spec.path, dict(spec.params))


@dataclass(frozen=True)
class StudyRecord:
    """A study as it was carried out."""

    name: str  #: this and the next three as of `covey.study.Study`
    task: str
    seed: int
    metrics: tuple[str, ...]
    protocol: Mapping[str, Any]  #: as in a study file: ``{"kind": "cross-validation", "n_repeats": 10, ...}``
    datasets: tuple[DataRecord, ...]
    methods: tuple[MethodRecord, ...]
    software: Mapping[str, str]  #: versions of packages
    machine: Mapping[str, str]  #: what it ran on
    started: str  #: when it was last run, in UTC
    workers: str  #: where cells ran, such as "2 processes"
    #: runs before the last one that carried out cells with other software or on another machine: started, software,
    #: machine and workers of each, the oldest first
    earlier: tuple[Mapping[str, Any], ...] = ()
    #: what must be known before the ranking is believed, a sentence or two each, the gravest first
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, study: Study, datasets: tuple[DataRecord, ...], workers: str = "") -> StudyRecord:
        """Return the record of a study that is carried out here and now."""
        return cls(
            name=study.name,
            task=study.task,
            seed=study.seed,
            metrics=study.metrics,
            protocol=describe_protocol(study.protocol),
            datasets=datasets,
            methods=tuple(MethodRecord.of(method) for method in study.methods),
            software=software(study),
            machine=machine(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            workers=workers,
        )

    def after(self, known: StudyRecord | None, *, ran: bool) -> StudyRecord:
        """Return the record of a study that was carried out before, in part or in whole.

        Parameters
        ----------
        known : StudyRecord, optional
            Of the run before.
        ran : bool
            Whether cells are carried out now. If not, where and with what they were stays on record.
        """
        if known is None:
            return self
        before = {name: getattr(known, name) for name in ("started", "software", "machine", "workers")}
        if not ran:
            return replace(self, **before, earlier=known.earlier, remarks=known.remarks)
        same = (known.software, known.machine) == (self.software, self.machine)
        earlier = known.earlier if same else (*known.earlier, before)
        return replace(self, earlier=earlier, remarks=known.remarks)

    def to_json(self) -> str:
        """Return the record as text."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> StudyRecord:
        """Return the record that a text holds."""
        content = json.loads(text)
        content["datasets"] = tuple(
            DataRecord(**data | {"notes": tuple(data.get("notes", ()))}) for data in content["datasets"]
        )
        content["methods"] = tuple(MethodRecord(**method) for method in content["methods"])
        for name in ("metrics", "earlier", "remarks"):
            content[name] = tuple(content.get(name, ()))
        return cls(**content)

    def metric(self, name: str | None = None) -> str:
        """Return a metric of the study, by default the first, which ranks; "f1" is the study's "f1[ill]" too."""
        of_class = [metric for metric in self.metrics if split_metric(metric)[0] == name]
        if len(of_class) == 1:
            return of_class[0]
        if name is not None and name not in self.metrics:
            raise ValueError(f"metric={name!r} is none of the study's, which are {', '.join(self.metrics)}.")
        return self.metrics[0] if name is None else name

    @property
    def protocol_text(self) -> str:
        """The protocol in words."""
        return protocol_text(self.protocol)


def describe_protocol(protocol: Protocol) -> dict[str, Any]:
    """Return a protocol as a study file has it."""
    for kind, (make, names) in PROTOCOLS.items():
        if type(protocol) is make:
            given = {key: getattr(protocol, name) for key, name in names.items()}
            return {"kind": kind} | {key: _plain(value) for key, value in given.items() if value is not None}
    return {"kind": type(protocol).__name__, "n_repeats": protocol.n_repeats}


def protocol_text(protocol: Mapping[str, Any]) -> str:
    """Say a protocol in words."""
    kind, n_repeats = protocol["kind"], protocol.get("n_repeats", 1)
    stratified = ", stratified by class" if protocol.get("stratified") else ""
    if kind == "cross-validation":
        times = f"{n_repeats} x " if n_repeats > 1 else ""
        return f"{times}{protocol['n_folds']}-fold cross-validation{stratified}"
    if kind == "resamples":
        return f"{counted(n_repeats, 'random split')} with {_part(protocol['train_size'])} for training{stratified}"
    if kind == "bootstrap":
        held_out = _part(protocol["test_size"])
        samples = counted(n_repeats, "bootstrap sample")
        return f"{samples} of {counted(protocol['sample_size'], 'case')} each, {held_out} held out for testing"
    if kind == "disjoint-samples":
        samples = counted(n_repeats, "training set")
        cases = counted(protocol["train_size"], "case")
        return f"{samples} of {cases} each that share none, {counted(protocol['test_size'], 'case')} for testing"
    if kind == "fixed-split":
        if "n_train" in protocol:
            return f"one split, the first {counted(protocol['n_train'], 'case')} for training"
        return f"one split, {counted(len(protocol['test']), 'named case')} for testing"
    return f"{kind}, {counted(n_repeats, 'repeat')}"


def software(study: Study) -> dict[str, str]:
    """Return the versions of Python and of the packages that a study rests on."""
    used = [package for package in BOOSTERS if any(method.path.startswith(f"{package}.") for method in study.methods)]
    return versions((*_PACKAGES, *used))


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python, covey and other packages."""
    from covey import __version__

    known = {"python": platform.python_version(), "covey": __version__}
    for package in packages:
        try:
            known[package] = version(package)
        except PackageNotFoundError:
            known[package] = "not installed"
    return known


def machine() -> dict[str, str]:
    """Return what this process runs on."""
    facts = {"system": platform.platform(terse=True), "cores": str(usable_cores()), "processor": _processor()}
    try:
        bytes_ = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        facts["memory"] = f"{bytes_ / 2**30:.0f} GB"
    except (AttributeError, OSError, ValueError):
        pass
    return facts


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _part(size: float) -> str:
    """Say how much of the data a share or a number of cases is."""
    if isinstance(size, int):
        return counted(size, "case")
    words = {1 / 3: "a third", 2 / 3: "two thirds", 0.5: "half"}
    return next((word for share, word in words.items() if abs(share - size) < 1e-9), f"{100 * size:g} %")


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    return list(value) if isinstance(value, tuple) else value
