"""From an experiment of a paper to a study that can be carried out here and now."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import fields, replace
from importlib.resources import as_file, files
from math import ceil
from typing import TYPE_CHECKING, Any, cast

from covey._text import normalise, quoted
from covey.datasets import available
from covey.reproduce.paper import by_table
from covey.reproduce.published import known_datasets
from covey.study.files import read_study
from covey.study.protocols import CycledFolds, Protocol
from covey.study.spec import MethodSpec, Study

if TYPE_CHECKING:
    from covey.datasets import DatasetInfo
    from covey.reproduce.paper import Experiment, Quick, Shares

# What to do about datasets that are not there.
REMEDY = "Put a file of each (ARFF, CSV or Parquet) into a folder, and name the folder in COVEY_DATA"


def study_of(
    paper: str, experiment: Experiment, *, quick: bool, repeats: Shares = 1.0
) -> tuple[Study | None, dict[str, str]]:
    """Return an experiment's study, None if no dataset is there, and how to get each dataset that is not there.

    `repeats` is the share of the published repeats that a study has which is not quick.
    """
    study, share = published_study(paper, experiment), share_of(experiment, repeats)
    if quick:
        study = _smaller(study, experiment.quick)
    elif share < 1:
        study = replace(study, protocol=_shortened(study.protocol, n_repeats=_some(study.protocol.n_repeats, share)))
    known = available()
    there = tuple(data for data in study.datasets if is_there(data.source, known))
    missing = {data.name: how_to_get(data.source) for data in study.datasets if data not in there}
    return (replace(study, datasets=there) if there else None), missing


def share_of(experiment: Experiment, repeats: Shares) -> float:
    """Return the share of the repeats that an experiment has: the largest of those that name it or a table of it."""
    shares = by_table(repeats)
    return max((shares[name] for name in (experiment.id, *experiment.serves) if name in shares), default=shares[""])


def published_study(paper: str, experiment: Experiment) -> Study:
    """Return the study of an experiment as the paper has it."""
    resource = files(f"covey.reproduce.{paper}") / "studies" / f"{experiment.file or experiment.id}.toml"
    with as_file(resource) as path:
        study = read_study(path)
    name = f"{paper}: {experiment.id}"
    return replace(study, name=name, methods=_chosen(study.methods, experiment.methods), file="")


def is_there(source: str, known: Iterable[DatasetInfo]) -> bool:
    """Whether a dataset is among those that can be loaded without the network."""
    place, _, name = source.rpartition(":")
    return any(normalise(name) == normalise(info.name) and place in ("", info.source) for info in known)


def how_to_get(source: str) -> str:
    """Say which file a dataset that is not there is sought in, and what OpenML calls it if it has it."""
    name = source.rpartition(":")[2]
    known = known_datasets()
    openml = [there for there in known.loc[known["dataset"].str.rpartition(":")[2] == name, "openml"] if there]
    return f"{name}.arff" + (f", on OpenML {openml[0]}" if openml else "")


def _smaller(study: Study, quick: Quick) -> Study:
    datasets = tuple(data for data in study.datasets if data.name not in quick.without)
    unknown = set(quick.without) - {data.name for data in study.datasets}
    if unknown:
        raise ValueError(f"without={quoted(sorted(unknown))} are no datasets of {study.name!r}.")
    methods = tuple(
        method.adjusted({**quick.params, **quick.of.get(method.name, {})})
        for method in _chosen(study.methods, quick.methods)
    )
    shorter = _shortened(study.protocol, n_repeats=quick.n_repeats, n_folds=quick.n_folds)
    return replace(study, datasets=datasets, methods=methods, protocol=shorter)


def _some(n_repeats: int, share: float) -> int:
    """Return a share of repeats, rounded up."""
    return max(1, ceil(share * n_repeats - 1e-9))


def _chosen(methods: tuple[MethodSpec, ...], names: Collection[str]) -> tuple[MethodSpec, ...]:
    unknown = set(names) - {method.name for method in methods}
    if unknown:
        raise ValueError(f"methods={quoted(sorted(unknown))} are not in the study.")
    return tuple(method for method in methods if method.name in names) if names else methods


def _shortened(protocol: Protocol, *, n_repeats: int, n_folds: int | None = None) -> Protocol:
    """Return a protocol with fewer repeats and folds; one that has none to choose is left as it is."""
    key = "n_cycles" if isinstance(protocol, CycledFolds) else "n_repeats"
    parts: dict[str, Any] = {one.name: getattr(protocol, one.name) for one in fields(cast("Any", protocol))}
    if key in parts:
        parts[key] = min(n_repeats, protocol.n_repeats)
    if n_folds is not None:
        parts["n_folds"] = min(n_folds, parts["n_folds"])
    return type(protocol)(**parts)
