"""Estimators that a study holds in memory: what they are called, what a record tells of them, how workers get them."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

from sklearn.base import clone, is_classifier, is_regressor

from covey.seeds import random_parameters
from covey.study.data import Task
from covey.study.fingerprint import describe
from covey.study.recipes import PIPELINE, Params, shown


def check_estimator(estimator: Any, given: str = "estimator") -> Task:
    """Return what an estimator is for, refusing what cannot be trained and cloned."""
    if isinstance(estimator, type):
        raise TypeError(f"{given} is the class {estimator.__name__}; give an instance: {estimator.__name__}().")
    if not all(hasattr(estimator, name) for name in ("fit", "predict", "get_params")):
        raise TypeError(f"{given}={shown(estimator)} is no scikit-learn estimator with fit and predict; give one.")
    try:
        if is_regressor(estimator):
            return "regression"
        if is_classifier(estimator):
            return "classification"
    except AttributeError as error:  # of a class that has no tags
        raise TypeError(
            f"{given}={shown(estimator)} does not say what it is; derive its class from BaseEstimator first."
        ) from error
    raise TypeError(
        f"{given}={shown(estimator)} is neither a classifier nor a regressor; derive its class from ClassifierMixin "
        "or RegressorMixin of scikit-learn."
    )


def describe_unseeded(model: Any, where: str) -> Any:
    """Return what the outcome of a model depends on: its class and parameters, but for the seeds that every fit sets.

    The model's random states are changed.
    """
    model.set_params(**dict.fromkeys(random_parameters(model), "one per fit"))
    return describe(model, where)


def own_copy(estimator: Any, given: str) -> Any:
    """Return an unfitted copy of an estimator, refusing one that cannot be copied or found again by a later run."""
    check_estimator(estimator, given)
    try:
        copy = clone(estimator)
    except RuntimeError as error:
        raise TypeError(f"{given} cannot be copied: {error}") from error
    describe_unseeded(clone(copy), given)
    return copy


def recipe_of(estimator: Any) -> tuple[str, Params]:
    """Return the path and the parameters of an estimator as the record of a study tells them.

    Parameters at their defaults and random states are left out, and modules that are private.
    """
    if hasattr(estimator, "steps"):
        steps = [_told(step) for _, step in estimator.steps if hasattr(step, "get_params")]
        return PIPELINE, {"steps": steps}
    kind = type(estimator)
    modules = [name for name in kind.__module__.split(".") if name == "__main__" or not name.startswith("_")]
    defaults = {name: one.default for name, one in signature(kind.__init__).parameters.items()}
    params = {
        name: _told(value)
        for name, value in estimator.get_params(deep=False).items()
        if name != "random_state" and not _is_default(value, defaults.get(name))
    }
    return ".".join([*modules, kind.__qualname__]), params


def _is_default(value: Any, default: Any) -> bool:
    """Whether a parameter is what its class has by default, so that a record need not tell it."""
    plain = isinstance(value, bool | int | float | str) and type(value) is type(default)
    return value is default or (plain and bool(value == default))


def _told(value: Any) -> Any:
    """Return a parameter for a record: an estimator as a recipe, all else in types that JSON knows."""
    if hasattr(value, "get_params") and not isinstance(value, type):
        path, params = recipe_of(value)
        return {"estimator": path, "params": params}
    if isinstance(value, list | tuple):
        return [_told(item) for item in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _told(item) for key, item in value.items()}
    return describe(value)


def packed(estimator: Any) -> bytes:
    """Return an estimator for another process, with what it needs of the script or the notebook that is run."""
    import cloudpickle

    content: bytes = cloudpickle.dumps(estimator)
    return content
