"""Estimators by name: a published system's id, or the import path of a class, with plain parameters.

A recipe is a path and parameters of the types that JSON knows. The path is ``"covey:mbsasc"`` for a published system,
an import path such as ``"sklearn.svm.SVC"``, or ``"pipeline"``, whose only parameter is ``steps``. A recipe among the
parameters is ``{"estimator": path, "params": {...}}``; ``{"id": ...}`` and ``{"pipeline": [...]}`` are short for some.

Importing runs code: recipes are checked and compared without it, and only `make_estimator` imports. Messages begin with
the key that is wrong, as it is written in a study file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from covey._text import did_you_mean, quoted
from covey.registry import methods

PUBLISHED = "covey:"
PIPELINE = "pipeline"
BOOSTERS = ("lightgbm", "xgboost", "catboost")

Params = dict[str, Any]

# Deeper than the parameters of any sane estimator are nested.
_MOST_NESTED = 40
_FORMS = ("estimator", "id", "pipeline")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def read_recipe(table: Mapping[str, Any], where: str = "", more: Iterable[str] = ()) -> tuple[str, Params]:
    """Return the path and the parameters that a table tells of.

    Parameters
    ----------
    table : mapping
        One of ``estimator``, ``id`` and ``pipeline``, and ``params`` with the first two.
    where : str
        What leads to its keys, such as "method[2].".
    more : iterable of str
        Further keys that it may have.
    """
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
    known = [entry.id for entry in methods()]
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
