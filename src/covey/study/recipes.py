"""Estimators by name: a published system's id, or the import path of a class, with plain parameters.

A recipe is a path and parameters of the types that JSON knows. The path is ``"covey:mbsasc"`` for a published system,
an import path such as ``"sklearn.svm.SVC"``, or ``"pipeline"``, whose only parameter is ``steps``. A recipe among the
parameters is ``{"estimator": path, "params": {...}}``; ``{"id": ...}`` and ``{"pipeline": [...]}`` are short for some.

Importing runs code: recipes are checked and compared without it, and only `make_estimator` imports. What is imported
must be a class with ``get_params``, under its public name: an estimator, or a strategy of covey. Messages begin with
the key that is wrong, as it is written in a study file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from types import ModuleType
from typing import Any

from covey import registry
from covey._text import did_you_mean, quoted
from covey.registry import PUBLISHED

PIPELINE = "pipeline"
BOOSTERS = ("lightgbm", "xgboost", "catboost")
KNOWN_PACKAGES = ("covey", "sklearn", *BOOSTERS)

Params = dict[str, Any]

# Deeper than the parameters of any sane estimator are nested.
_MOST_NESTED = 40
_FORMS = ("estimator", "id", "pipeline")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def read_recipe(table: Mapping[str, Any], where: str = "", more: Iterable[str] = ()) -> tuple[str, Params]:
    """Return the path and the parameters that a table tells of; `where` leads to its keys, `more` are further keys."""
    refuse_unknown(table, (*more, *_FORMS, "params"), where)
    forms = [form for form in _FORMS if form in table]
    if len(forms) != 1:
        what = f"has {' and '.join(forms)}" if forms else "has no estimator"
        raise ValueError(f"{where.rstrip('.')} {what}; give one of {quoted(_FORMS)}.")
    value, params = table[forms[0]], table.get("params", {})
    if forms[0] == "pipeline":
        if "params" in table:
            raise ValueError(f"{where}params={shown(params)} belongs to no step; give each step params of its own.")
        return PIPELINE, plain_params(PIPELINE, {"steps": value}, where)
    if not isinstance(value, str):
        example = "'mbsasc'" if forms[0] == "id" else "'sklearn.naive_bayes.GaussianNB'"
        raise TypeError(f"{where}{forms[0]}={shown(value)} must be text, such as {example}.")
    path = f"{PUBLISHED}{value}" if forms[0] == "id" else value
    check_path(path, where)
    return path, plain_params(path, params, where)


def check_path(path: str, where: str = "") -> None:
    """Refuse an unknown id, or what cannot be an import path of a public class; nothing is imported."""
    known = [entry.id for entry in registry.methods()]
    if path.startswith(PUBLISHED):
        id = path.removeprefix(PUBLISHED)
        if id not in known:
            near, all_ids = did_you_mean(id, known), quoted(known, len(known))
            raise ValueError(f"{where}id={id!r} is no published system{near} They are {all_ids}.")
        return
    names, key = path.split("."), f"{where}estimator={shown(path)}"
    if path == PIPELINE:
        return
    if path in known:
        raise ValueError(f"{key} is the id of a published system; write id = {path!r}.")
    if len(names) < 2 or not all(name.isidentifier() for name in names):
        raise ValueError(f"{key} is no import path; give one such as 'sklearn.naive_bayes.GaussianNB'.")
    private = [name for name in names if name.startswith("_")]
    if private:
        raise ValueError(f"{key} has a private part, {private[0]!r}; give the public name of a class.")


def plain_params(path: str, params: Any, where: str = "") -> Params:
    """Return parameters in one spelling, refusing values that are not plain and names that a study keeps for itself."""
    if path == PIPELINE:
        steps = params.get("steps") if isinstance(params, Mapping) and len(params) == 1 else params
        if not isinstance(steps, list | tuple) or not steps:
            raise TypeError(f"{where}pipeline={shown(steps)} must be an array of tables; give one or more steps.")
        return {"steps": [_plain_step(step, f"{where}pipeline[{place}]") for place, step in enumerate(steps)]}
    if not isinstance(params, Mapping) or not all(isinstance(name, str) for name in params):
        raise TypeError(f"{where}params={shown(params)} must be a table; write params = {{ name = value }}.")
    for name, value in params.items():
        _refuse_parameter(path, name, f"{dotted(where, 'params', name)}={shown(value)}")
    return {name: _plain(value, dotted(where, "params", name)) for name, value in params.items()}


def import_paths(path: str, params: Params, where: str = "") -> Iterator[tuple[str, str]]:
    """Yield the import paths of a plain recipe and all inside it, each after its key."""
    if path == PIPELINE:
        for place, step in enumerate(params["steps"]):
            yield from import_paths(step["estimator"], step["params"], f"{where}pipeline[{place}].")
        return
    if not path.startswith(PUBLISHED):
        yield f"{where}estimator", path
    for name, value in params.items():
        yield from _paths_inside(value, dotted(where, "params", name))


def default_name(path: str, params: Params) -> str:
    """Return what to call a recipe that was given no name: its id, its class, or those of its steps."""
    if path == PIPELINE:
        return " + ".join(default_name(step["estimator"], step["params"]) for step in params["steps"])
    return path.removeprefix(PUBLISHED) if path.startswith(PUBLISHED) else path.rpartition(".")[2]


def form_of(path: str) -> str:
    """Return the key that a path stands under in a study file, with its value."""
    if path == PIPELINE:
        return "pipeline"
    id = path.removeprefix(PUBLISHED)
    return f"id={id!r}" if path.startswith(PUBLISHED) else f"estimator={path!r}"


def is_recipe(value: Any) -> bool:
    """Whether a value among parameters is a recipe, and not a table of something else."""
    if not isinstance(value, Mapping):
        return False
    return "estimator" in value or isinstance(value.get("id"), str) or isinstance(value.get("pipeline"), list | tuple)


def dotted(where: str, *names: str) -> str:
    """Return a key as in a study file; a name that needs quotes has them."""
    return where + ".".join(
        name if _BARE_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in names
    )


def shown(value: Any) -> str:
    """Write a value for a message, cut where it is long."""
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} nested too deeply"
    return text if len(text) <= 80 else f"{text[:77]}..."


def refuse_unknown(table: Mapping[str, Any], known: Iterable[str], where: str = "") -> None:
    """Refuse a table with a key that means nothing there."""
    keys = list(known)
    for name in table:
        if name not in keys:
            near = did_you_mean(str(name), keys)
            raise ValueError(f"{dotted(where, str(name))} is an unknown key{near} Known are {quoted(keys)}.")


def make_estimator(path: str, params: Params, where: str = "", task: str = "classification") -> Any:
    """Return a new estimator, configured as a plain recipe says.

    A ValueError says that there is no such class, it is no estimator, its package is not installed, or a parameter is
    unknown to it or has a value that it refuses.
    """
    if path == PIPELINE:
        return _make_pipeline(params["steps"], where, task)
    given = {name: _fill(value, dotted(where, "params", name), task) for name, value in params.items()}
    make: Callable[..., Any]
    if path.startswith(PUBLISHED):
        make = partial(registry.method, path.removeprefix(PUBLISHED), task=task)
    else:
        make = find_class(path, f"{where}{form_of(path)}")
        given = _fit_signature(make, given, where)
    try:
        estimator = make(**given)
        _validate(estimator)
    except Exception as error:  # a class of another package may refuse in any way
        key = next((name for name in given if _blames(str(error), name)), None)
        what = f"{where}{form_of(path)}" if key is None else f"{dotted(where, 'params', key)}={shown(params[key])}"
        raise ValueError(f"{what} is refused: {error}") from error
    return estimator


def find_class(path: str, given: str) -> type:
    """Import the module that a path names, which `check_path` has checked, and return the class in it."""
    *names, last = path.split(".")
    module = _import(names[0], given)
    for name in names[1:]:
        module = _import(name, given, module)
    kind = getattr(module, last, None)
    if kind is None:
        raise ValueError(f"{given}: {_lacks(module, last)}")
    if not isinstance(kind, type) or not callable(getattr(kind, "get_params", None)):
        what = "a class without get_params" if isinstance(kind, type) else f"a {type(kind).__name__}"
        raise ValueError(f"{given} is {what}; give the class of an estimator or a strategy.")
    home = kind.__module__.partition(".")[0]
    if home not in (*KNOWN_PACKAGES, names[0]):
        raise ValueError(f"{given} is a class of the package {home}; name it by its own path.")
    return kind


def _import(name: str, given: str, around: ModuleType | None = None) -> ModuleType:
    """Return a package, or a module inside another."""
    full = name if around is None else f"{around.__name__}.{name}"
    try:
        return import_module(full)
    except ModuleNotFoundError as error:
        if error.name == full and around is not None:
            raise ValueError(f"{given}: {_lacks(around, name, 'module ')}") from error
        lacks = error.name or name
        raise ValueError(f"{given} needs the package {lacks}, which is not installed: pip install {lacks}.") from error
    except Exception as error:  # a module may fail in any way, as one whose shared library is not there
        raise ValueError(f"{given} cannot be imported: {type(error).__name__}: {error}") from error


def _lacks(module: ModuleType, name: str, kind: str = "") -> str:
    public = [other for other in dir(module) if not other.startswith("_") and other != name]
    return f"{module.__name__} has no {kind}{name!r}{did_you_mean(name, public)}"


def _make_pipeline(steps: list[Params], where: str, task: str) -> Any:
    from sklearn.pipeline import make_pipeline

    made = []
    for place, step in enumerate(steps):
        inner = f"{where}pipeline[{place}]."
        made.append(make_estimator(step["estimator"], step["params"], inner, task))
        if place < len(steps) - 1 and not hasattr(made[-1], "transform"):
            given = f"{inner}{form_of(step['estimator'])}"
            raise ValueError(f"{given} has no transform, which all steps but the last need; put another in its place.")
    return make_pipeline(*made)


def _fill(value: Any, key: str, task: str, inside_list: bool = False) -> Any:
    """Return a parameter with its recipes made; lists and tables are copies, which an estimator may change."""
    if is_recipe(value):
        return make_estimator(value["estimator"], value["params"], f"{key}.", task)
    if isinstance(value, Mapping):
        return {name: _fill(item, dotted(f"{key}.", name), task) for name, item in value.items()}
    if isinstance(value, list):
        filled = [_fill(item, f"{key}[{place}]", task, True) for place, item in enumerate(value)]
        # A step with its name: scikit-learn expects lists of pairs.
        return tuple(filled) if inside_list and any(map(is_recipe, value)) else filled
    return value


def _fit_signature(kind: Callable[..., Any], given: Params, where: str) -> Params:
    """Return parameters as a class takes them, refusing those that it does not know.

    Where the default is a tuple, which TOML does not have, so is the value.
    """
    taken = signature(kind.__init__).parameters
    named = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    known = [
        name for name, parameter in taken.items() if parameter.kind in named and name not in ("self", "random_state")
    ]
    open_ended = any(parameter.kind is Parameter.VAR_KEYWORD for parameter in taken.values())
    for name, value in given.items():
        if name not in known and not open_ended:
            raise ValueError(
                f"{dotted(where, 'params', name)}={shown(value)} is unknown to {kind.__name__}"
                f"{did_you_mean(name, known)} Its parameters are {quoted(known, len(known)) or 'none'}."
            )
    defaults = {name: parameter.default for name, parameter in taken.items()}
    return {
        name: tuple(value) if isinstance(value, list) and isinstance(defaults.get(name), tuple) else value
        for name, value in given.items()
    }


def _blames(message: str, name: str) -> bool:
    """Whether the registry's or scikit-learn's message is about a parameter."""
    return f"no parameter {name!r}" in message or f"The {name!r} parameter" in message


def _validate(estimator: Any) -> None:
    """Let an estimator and those inside it check their parameters, as they would on fitting."""
    for part in (estimator, *estimator.get_params(deep=True).values()):
        if hasattr(part, "_parameter_constraints") and not isinstance(part, type):
            part._validate_params()


def _plain_step(step: Any, key: str) -> Params:
    _refuse_depth(key)
    if not isinstance(step, Mapping):
        raise TypeError(f"{key}={shown(step)} must be a table, such as {{ estimator = 'sklearn.svm.SVC' }}.")
    path, params = read_recipe(step, f"{key}.")
    return {"estimator": path, "params": params}


def _plain(value: Any, key: str) -> Any:
    _refuse_depth(key)
    if is_recipe(value):
        return _plain_step(value, key)
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: _plain(item, dotted(f"{key}.", name)) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item, f"{key}[{place}]") for place, item in enumerate(value)]
    if value is None or type(value) in (str, bool, int, float):
        return value
    raise TypeError(
        f"{key}={shown(value)} is a {type(value).__name__}; give text, a number, true or false, an array, or a "
        "table whose keys are text."
    )


def _refuse_depth(key: str) -> None:
    if key.count(".") + key.count("[") > _MOST_NESTED:
        raise ValueError(f"{key[:60]}... is nested too deeply; write simpler parameters.")


def _paths_inside(value: Any, key: str) -> Iterator[tuple[str, str]]:
    if is_recipe(value):
        yield from import_paths(value["estimator"], value["params"], f"{key}.")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _paths_inside(item, dotted(f"{key}.", name))
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _paths_inside(item, f"{key}[{place}]")


def _refuse_parameter(path: str, name: str, given: str) -> None:
    last = name.split("__")[-1]
    if last == "random_state" or (last in ("seed", "random_seed") and path.split(".")[0] in BOOSTERS):
        raise ValueError(f"{given} would be set anew for every fit; leave it out, and set the seed of the study.")
    if last == "memory":
        raise ValueError(f"{given} would keep pickles on disk, and reading those can run code; leave it out.")
