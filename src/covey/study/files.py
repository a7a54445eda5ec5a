"""Study files: TOML that names datasets, methods, a protocol, metrics and a seed.

Reading one imports nothing that it names. Everything wrong with it is said at once, one line for each part.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from covey._arguments import check_choice, check_count
from covey._text import did_you_mean, quoted
from covey.study.checks import Problems, StudyError, in_method, is_file_name
from covey.study.data import PREPARATION, TASKS, DataSpec, Task, check_text
from covey.study.metrics import DEFAULT_METRICS, check_metrics
from covey.study.plans import Protocol
from covey.study.recipes import default_name, read_recipe, refuse_unknown, shown
from covey.study.record import PROTOCOLS
from covey.study.spec import MethodSpec, Study

Content = Mapping[str, Any]

_DATA_KEYS = ("name", "source", "target", "drop", *PREPARATION)
_KEYS = ("name", "seed", "task", "metrics", "datasets", "dataset", "protocol", "method")
_MISSING = {
    "name": "add name = 'what it compares' at the top",
    "seed": "add seed = 1, or another whole number, at the top",
    "protocol": "add [protocol] with kind = 'cross-validation'",
    "method": "add a [[method]] with an id or an estimator",
}


def read_study(path: str | os.PathLike[str], *, trust: Collection[str] = ()) -> Study:
    """Read a study from a TOML file.

    Parameters
    ----------
    path : path
        The file. Data files that it names are sought from its own folder.
    trust : collection of str
        Packages whose classes it may name besides those of covey, scikit-learn, LightGBM, XGBoost and CatBoost. Making
        an estimator imports its package, and importing runs code.

    Returns
    -------
    Study
        Nothing that it names has been imported or read yet: `check_study` tries that.

    Raises
    ------
    StudyError
        With everything that is wrong in the file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from pathlib import Path
    >>> from covey.study.files import read_study
    >>> text = '''
    ... name = "wine by two systems"
    ... seed = 1
    ... datasets = ["wine"]
    ... [protocol]
    ... kind = "cross-validation"
    ... n_folds = 10
    ... [[method]]
    ... id = "mbsasc"
    ... params = { n_estimators = 50 }
    ... [[method]]
    ... estimator = "sklearn.ensemble.RandomForestClassifier"
    ... '''
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "wine.toml"
    ...     _ = file.write_text(text)
    ...     study = read_study(file)
    >>> [method.name for method in study.methods]
    ['mbsasc', 'RandomForestClassifier']
    """
    trusted, file = _check_trust(trust), Path(path)
    content = _read_toml(file)
    problems = Problems()
    for name in content:
        with problems.noting():
            refuse_unknown({name: None}, _KEYS)
    problems += [f"{name} is missing; {remedy}." for name, remedy in _MISSING.items() if name not in content]
    task = content.get("task", TASKS[0])
    metrics: Any = content.get("metrics", DEFAULT_METRICS.get(str(task)))
    _check_values(content, task, metrics, problems)
    datasets = _read_datasets(content, task if task in TASKS else None, file.absolute().parent, problems)
    methods = _read_methods(content.get("method"), trusted, problems)
    protocol = None
    if "protocol" in content:
        with problems.noting("protocol"):
            protocol = _read_protocol(content["protocol"])
    if not problems:
        with problems.noting():
            assert protocol is not None
            parts = (tuple(datasets), tuple(methods), protocol, metrics, content["seed"], task)
            return Study(content["name"], *parts, file=str(file))
    raise StudyError(str(file), problems)


def _check_trust(trust: Collection[str]) -> tuple[str, ...]:
    if isinstance(trust, str):
        raise TypeError(f"trust={trust!r} must be a collection of packages; write trust=[{trust!r}].")
    for package in trust:
        if not isinstance(package, str) or not package.isidentifier():
            raise ValueError(f"trust: {package!r} is no package; give its top name, such as 'imblearn'.")
    return tuple(trust)


def _read_toml(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise FileNotFoundError(f"There is no study file {str(file)!r}; give the path of a TOML file.")
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise StudyError(str(file), [f"byte {error.start} is no UTF-8; save the file as UTF-8."]) from error
    except tomllib.TOMLDecodeError as error:
        raise StudyError(str(file), [f"it is no TOML: {error}; see toml.io."]) from error
    except RecursionError as error:
        raise StudyError(str(file), ["it is nested too deeply; write simpler parameters."]) from error


def _check_values(content: Content, task: object, metrics: object, problems: Problems) -> None:
    """Note what is wrong with the single values of a study."""
    if "name" in content:
        with problems.noting():
            check_text("name", content["name"])
    if "seed" in content:
        with problems.noting():
            check_count("seed", content["seed"], 0)
    with problems.noting():
        check_choice("task", task, TASKS)
        check_metrics(metrics, str(task))


def _read_datasets(content: Content, task: Task | None, folder: Path, problems: Problems) -> list[DataSpec]:
    """Return the datasets that are named and those that have a table."""
    datasets: list[DataSpec] = []
    names = content.get("datasets", [])
    if names == [] and "dataset" not in content:
        problems.append("datasets is missing; add datasets = ['wine'] at the top, or a [[dataset]] with a file.")
    if not isinstance(names, list):
        problems.append(f"datasets={shown(names)} must be an array of names; write datasets = ['wine'].")
        names = []
    for place, name in enumerate(names):
        with problems.noting():
            check_text(f"datasets[{place}]", name)
            datasets.append(_data_spec({"name": name, "source": name}, task, folder))
    with problems.noting():
        for place, table in enumerate(_tables("dataset", content.get("dataset", []))):
            where = f"dataset[{place}]."
            with problems.noting():
                refuse_unknown(table, _DATA_KEYS, where)
                for key in ("name", "source"):
                    if key not in table:
                        raise ValueError(f"{where}{key} is missing; a dataset needs a name and a source.")
                with problems.noting(where):
                    datasets.append(_data_spec(table, task, folder))
    return datasets


def _data_spec(table: Content, task: Task | None, folder: Path) -> DataSpec:
    spec = DataSpec(**table, task=task)
    resolved = str(folder / spec.source) if is_file_name(spec.source, folder) else spec.source
    return replace(spec, source=resolved)


def _read_methods(tables: Any, trusted: tuple[str, ...], problems: Problems) -> list[MethodSpec]:
    methods: list[MethodSpec] = []
    if tables is None:
        return methods
    with problems.noting():
        for place, table in enumerate(_tables("method", tables)):
            where = f"method[{place}]."
            with problems.noting(in_method(table.get("name"))):
                path, params = read_recipe(table, where, more=("name",))
                name = table.get("name", default_name(path, params))
                check_text(f"{where}name", name)
                method = MethodSpec(name, path, params)
                method.check_trust(trusted, where)
                methods.append(method)
    return methods


def _tables(key: str, value: Any) -> list[Content]:
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise TypeError(f"{key}={shown(value)} must be one table or more; write [[{key}]] above each.")
    return value


def _read_protocol(table: Any) -> Protocol:
    if not isinstance(table, dict):
        raise TypeError(f"={shown(table)} must be a table; write [protocol] with kind = 'cross-validation' below it.")
    if "kind" not in table:
        raise ValueError(f".kind is missing; give one of {quoted(PROTOCOLS)}.")
    kind = table["kind"]
    if not isinstance(kind, str) or kind not in PROTOCOLS:
        raise ValueError(
            f".kind={shown(kind)} is unknown{did_you_mean(str(kind), PROTOCOLS)} Known are {quoted(PROTOCOLS)}."
        )
    make, names = PROTOCOLS[kind]
    given = {key: value for key, value in table.items() if key != "kind"}
    try:
        refuse_unknown(given, names)
        if "n_repeats" in given:
            check_count("n_repeats", given["n_repeats"], 1)
        return make(**{names[key]: value for key, value in given.items()})
    except (TypeError, ValueError) as error:
        raise type(error)(f".{error}") from error
