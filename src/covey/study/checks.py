"""Checks of a study before it runs: whether its estimators can be made and its data are there."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sklearn.base import is_classifier, is_regressor

from covey._text import did_you_mean
from covey.study.data import DataSpec
from covey.study.metrics import needs_probabilities
from covey.study.recipes import form_of, make_estimator, shown
from covey.study.spec import Study


class StudyError(ValueError):
    """Something is wrong with a study.

    Parameters
    ----------
    where : str
        The file, or the study's name.
    problems : sequence of str
        What is wrong: each with its key, its value and how to mend it. Tables of an array count from 0.

    Attributes
    ----------
    where, problems
        As given.
    """

    def __init__(self, where: str, problems: Sequence[str]) -> None:
        super().__init__(where, tuple(problems))
        self.where = where
        self.problems = tuple(problems)

    def __str__(self) -> str:
        if len(self.problems) == 1:
            return f"{self.where}: {self.problems[0]}"
        return "\n".join(
            [f"{self.where} has {len(self.problems)} errors:", *(f"- {problem}" for problem in self.problems)]
        )


class Problems(list[str]):
    """What is wrong, gathered so that it can be said at once."""

    @contextmanager
    def noting(self, prefix: str = "") -> Iterator[None]:
        """Note what is refused inside, and go on."""
        try:
            yield
        except (TypeError, ValueError) as error:
            self.append(f"{prefix}{error}")


def check_study(study: Study, *, data: bool = True) -> None:
    """Make every estimator of a study and look whether its data are there, without reading them.

    Parameters
    ----------
    study : Study
    data : bool, default=True
        Whether to look for the datasets too. Those of OpenML are not looked for.

    Raises
    ------
    StudyError
        With every method that cannot be made, cannot do the study's task or lacks what a metric needs, and every
        dataset that is not there.
    """
    problems = Problems()
    for place, method in enumerate(study.methods):
        with problems.noting(in_method(method.name)):
            where = f"method[{place}]."
            if method.held is not None:
                _check_estimator(method.held, study, f"{where}held={shown(method.held)}")
                continue
            estimator = make_estimator(method.path, dict(method.params), where, study.task)
            _check_estimator(estimator, study, f"{where}{form_of(method.path)}")
    for spec in study.datasets if data else ():
        with problems.noting(f"dataset {spec.name!r}: "):
            _check_source(spec)
    if problems:
        raise StudyError(study.file or f"study {study.name!r}", problems)


def in_method(name: object) -> str:
    """Begin a message about a method, whose number alone is easily miscounted."""
    return f"in method {name!r}, " if isinstance(name, str) else ""


def is_file_name(source: str, folder: Path = Path()) -> bool:
    """Whether a source is a file, relative to a folder, rather than the name of a dataset."""
    from covey.datasets.catalogue import SOURCES
    from covey.datasets.files import SUFFIXES, split_suffix

    if source.partition(":")[0].lower() in SOURCES:
        return False
    has_separator = any(mark in source for mark in (os.sep, os.altsep) if mark)
    if has_separator or split_suffix(source, SUFFIXES) is not None:
        return True
    # "my.data" is a way to write the name my_data, too.
    return Path(source).suffix != "" and (folder / source).is_file()


def _check_estimator(estimator: Any, study: Study, given: str) -> None:
    if not hasattr(estimator, "fit") or not hasattr(estimator, "predict"):
        raise ValueError(f"{given} does not predict; give a classifier or a regressor.")
    try:
        able = is_classifier(estimator) if study.task == "classification" else is_regressor(estimator)
    except AttributeError as error:
        raise ValueError(f"{given} does not say what it is; derive its class from BaseEstimator first.") from error
    if not able:
        wanted = "classifier" if study.task == "classification" else "regressor"
        raise ValueError(f"{given} is no {wanted}, but the study is for {study.task}; give one, or set task.")
    for metric in study.metrics:
        if needs_probabilities(metric) and not hasattr(estimator, "predict_proba"):
            raise ValueError(
                f"{given} gives no probabilities as configured, which the metric {metric!r} needs; configure it to, or "
                "leave out one of the two."
            )


def _check_source(spec: DataSpec) -> None:
    """Refuse a file that is not there, and a name that no source has."""
    from covey._text import normalise
    from covey.datasets import available

    if is_file_name(spec.source):
        if not Path(spec.source).is_file():
            raise ValueError(f"there is no file {spec.source!r}; correct the source.")
        return
    source, _, name = spec.source.rpartition(":")
    if source.lower() == "openml":
        return
    known = [info.name for info in available(source.lower() or None)]
    if normalise(name) not in map(normalise, known):
        raise ValueError(
            f"source={spec.source!r} is no dataset that is there{did_you_mean(name, known)} "
            "covey.datasets.available() lists those that are; COVEY_DATA names folders with more."
        )
