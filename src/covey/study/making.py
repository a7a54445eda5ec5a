"""Making the estimators that recipes tell of: the one place where the code that a study names is imported.

What is imported must be a class with ``get_params``, under its public name: an estimator, or a strategy of covey.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from inspect import Parameter, signature
from types import ModuleType
from typing import Any

from covey import registry
from covey._text import did_you_mean, quoted
from covey.study.recipes import BOOSTERS, PIPELINE, PUBLISHED, Params, dotted, form_of, is_recipe, shown

KNOWN_PACKAGES = ("covey", "sklearn", *BOOSTERS)


def make_estimator(path: str, params: Params, where: str = "", task: str = "classification") -> Any:
    """Return a new estimator, configured as a plain recipe says (see `covey.study.recipes`).

    Parameters
    ----------
    path, params : str, dict
        The recipe.
    where : str
        What leads to its keys, such as "method[2].".
    task : {"classification", "regression"}
        What a published system is to predict.

    Raises
    ------
    ValueError
        There is no such class, it is no estimator, its package is not installed, or a parameter is unknown to it or
        has a value that it refuses.
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
    """Import the module that a path names and return the class in it.

    Parameters
    ----------
    path : str
        Checked before (see `covey.study.recipes.check_path`): whatever it names is imported.
    given : str
        Key and value, for messages.
    """
    *names, last = path.split(".")
    module = _import(names[0], given)
    for name in names[1:]:
        module = _import(name, given, module)
    found = getattr(module, last, None)
    if found is None:
        raise ValueError(f"{given}: {_lacks(module, last)}")
    if not isinstance(found, type) or not callable(getattr(found, "get_params", None)):
        what = "a class without get_params" if isinstance(found, type) else f"a {type(found).__name__}"
        raise ValueError(f"{given} is {what}; give the class of an estimator or a strategy.")
    home = found.__module__.partition(".")[0]
    if home not in (*KNOWN_PACKAGES, names[0]):
        raise ValueError(f"{given} is a class of the package {home}; name it by its own path.")
    return found


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
    known = [name for name, one in taken.items() if one.kind in named and name not in ("self", "random_state")]
    open_ended = any(one.kind is Parameter.VAR_KEYWORD for one in taken.values())
    for name, value in given.items():
        if name not in known and not open_ended:
            raise ValueError(
                f"{dotted(where, 'params', name)}={shown(value)} is unknown to {kind.__name__}"
                f"{did_you_mean(name, known)} Its parameters are {quoted(known, len(known)) or 'none'}."
            )
    defaults = {name: one.default for name, one in taken.items()}
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
