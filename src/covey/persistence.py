"""Models on disk, without pickle: loading a file never runs code from it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from itertools import chain
from numbers import Integral
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone, is_classifier

from covey._files import drafted
from covey.learners.case_classifier import CaseClassifier
from covey.learners.cases import CaseBase
from covey.learners.space import Space
from covey.learners.sphere_cover import SphereCoverClassifier
from covey.learners.tree import Tree as CoveyTree
from covey.model_card import add_about, as_text

FORMAT = 1

# Parts of models that are no estimators. scikit-learn's trees are among them because `_is_sound` makes sure that a
# forged one cannot lead outside its own arrays, and the partial call because boosting over categories holds one of
# `check_array`: of other functions only NumPy's and SciPy's ufuncs can be in it.
_TREE = "sklearn.tree._tree.Tree"
_PARTS = frozenset(
    {
        "covey.ensemble.biased.Biased",
        "covey.ensemble.binary.Pairing",
        "covey.ensemble.growth.Growth",
        "covey.ensemble.member.Member",
        "covey.ensemble.size_choice.SizeCurve",
        "covey.ensemble.triskel_classes.ClassRounds",
        "covey.ensemble.triskel_rounds.Rounds",
        "covey.learners.cases.CaseBase",
        "covey.learners.space.Space",
        "covey.learners.tree.Tree",
        "covey.strategies.ledger.Round",
        "covey.strategies.view.Numbers",
        "covey.strategies.view.Rotated",
        "covey.table.schema.Schema",
        "functools.partial",
        "numpy.dtype",
        "sklearn.calibration._CalibratedClassifier",
        "sklearn.compose._column_transformer._RemainderColsList",
        "sklearn.ensemble._hist_gradient_boosting.predictor.TreePredictor",
        "sklearn.utils.validation.check_array",
        _TREE,
    }
)
# Modules of scikit-learn whose classes are all parts of models and do nothing when they are built.
_PART_MODULES = frozenset(
    {"sklearn._loss.loss", "sklearn.gaussian_process.kernels", "sklearn.neural_network._stochastic_optimizers"}
)
# Types of the boosting packages. No file of theirs runs code, but their compiled readers take its word for everything.
BOOSTERS = {
    "lightgbm": frozenset(
        {
            "collections.OrderedDict",
            "lightgbm.basic.Booster",
            "lightgbm.sklearn.LGBMClassifier",
            "lightgbm.sklearn.LGBMRegressor",
        }
    ),
    "xgboost": frozenset(
        {
            "builtins.bytearray",
            "xgboost.core.Booster",
            "xgboost.sklearn.XGBClassifier",
            "xgboost.sklearn.XGBRegressor",
        }
    ),
    "catboost": frozenset({"builtins.bytes", "catboost.core.CatBoostClassifier", "catboost.core.CatBoostRegressor"}),
}
# Models over such trees that no check can make safe.
_UNCHECKED = frozenset({"GradientBoostingClassifier", "GradientBoostingRegressor"})

Indices = NDArray[np.integer[Any]]


def save_model(model: Any, path: str | os.PathLike[str], about: Mapping[str, Any] | None = None) -> Path:
    """Write a fitted model to a file.

    Parameters
    ----------
    model : estimator
        Any estimator of covey or scikit-learn, or one of LightGBM, XGBoost or CatBoost.
    path : path
        The file; by custom it ends in ``.covey``. It appears at once when it is complete.
    about : mapping, optional
        What the file is to say about the model, plain values only; see `covey.model_card.describe_training`.
        `read_about` reads it without the model.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ValueError
        The model holds a function without a name of its own, such as a lambda, which no other process could find.
    """
    skops_io = _skops_io()
    target = Path(path)
    _refuse_nameless(model)
    text = None if about is None else as_text(about)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"There is no directory {target.parent} to save {target.name} in.")
    with drafted(target) as unfinished:
        skops_io.dump({"format": FORMAT, "model": model}, unfinished)
        if text is not None:
            add_about(unfinished, text)
    return target


def can_save(estimator: Any) -> str | None:
    """Try whether a model can be saved without pickle, before work goes into it.

    A copy is trained on a few random numbers, with few members, and written to memory.

    Parameters
    ----------
    estimator : estimator
        It need not be fitted and is left as it is.

    Returns
    -------
    str or None
        Why it cannot be saved; None if it can. The file of some models, such as LightGBM's, is loaded only with
        ``trusted``; `needed_trust` tells.
    """
    try:
        skops_io = _skops_io()
    except ImportError as error:
        return str(error)
    try:
        model = _fitted_on_little(estimator)
        _refuse_nameless(model)
        content = skops_io.dumps({"format": FORMAT, "model": model})
        skops_io.loads(content, trusted=skops_io.get_untrusted_types(data=content))
    except Exception as error:  # whatever goes wrong here would go wrong in the end
        return f"{type(estimator).__name__} cannot be written to a file without pickle: {error}"
    return None


def needed_trust(path: str | os.PathLike[str]) -> tuple[str, ...]:
    """Return what `load_model` has to be given as ``trusted`` to load a file, most often nothing."""
    source = Path(path)
    found = set(_types_in(source))
    asked = _shorten({name for name in found if not _is_known(name)})
    content = _skops_io().load(source, trusted=sorted(found)) if not asked else None
    unchecked = {type(part).__name__ for part, _ in _parts(content)} & _UNCHECKED
    return (*asked, _TREE) if unchecked else asked


def load_model(path: str | os.PathLike[str], *, trusted: Iterable[str] = ()) -> Any:
    """Read a model from a file written by `save_model`.

    Parameters
    ----------
    path : path
        The file.
    trusted : iterable of str
        Types of other packages that the model may hold, such as ``"imblearn.ensemble.EasyEnsembleClassifier"``;
        ``"lightgbm"``, ``"xgboost"`` and ``"catboost"`` stand for the types of their models. Estimators of covey and of
        scikit-learn need not be named, apart from those with compiled parts that cannot be checked.

    Returns
    -------
    estimator

    Raises
    ------
    ValueError
        The file is no model, is of another format, or holds a type that is not trusted.
    """
    source = Path(path)
    found = _types_in(source)
    named = set(chain.from_iterable(BOOSTERS.get(name, {name}) for name in trusted))
    strange = {name for name in found if name not in named and not _is_known(name)}
    if strange:
        raise ValueError(
            f"{source} holds types that are not trusted: {', '.join(sorted(strange))}. If you know where the file "
            f"comes from, give trusted={list(_shorten(strange))!r}."
        )
    try:
        content = _skops_io().load(source, trusted=found)
    except Exception as error:
        raise ValueError(f"{source} cannot be read; it is damaged or forged: {error}") from error
    if not isinstance(content, dict) or "model" not in content:
        raise ValueError(f"{source} is not a model written by covey.save_model.")
    if content.get("format") != FORMAT:
        raise ValueError(
            f"{source} has format {content.get('format')!r}, but this version of covey reads format {FORMAT}; "
            "save the model again with this version."
        )
    _check_parts(content["model"], named, source)
    return content["model"]


def _types_in(source: Path) -> list[str]:
    """Return the types in a file that skops does not trust by itself."""
    skops_io = _skops_io()
    if not source.exists():
        raise FileNotFoundError(f"There is no model file {source}.")
    try:
        return list(skops_io.get_untrusted_types(file=source))
    except (FileNotFoundError, IsADirectoryError, PermissionError):
        raise
    except Exception as error:  # a forged or damaged file can fail in any way
        raise ValueError(f"{source} is not a model written by covey.save_model: {error}") from error


def _shorten(types: set[str]) -> tuple[str, ...]:
    """Return what to name in trusted: a boosting package for all of its types."""
    packages = [package for package in BOOSTERS if any(name.startswith(f"{package}.") for name in types)]
    covered = set(chain.from_iterable(BOOSTERS[package] for package in packages))
    return (*packages, *sorted(types - covered))


def _refuse_nameless(model: Any) -> None:
    for part, _ in _parts(model):
        name = part.__qualname__ if isinstance(part, FunctionType) else type(part).__qualname__
        if "<" in name:
            raise ValueError(
                f"The model holds {name}, which cannot be found again from a file; define it at the top level of a "
                "module."
            )


def _fitted_on_little(estimator: Any) -> Any:
    """Return a copy fitted to a few random numbers; an unfitted one if these do not suit it."""
    X = np.random.default_rng(0).normal(size=(60, 4))
    y = X[:, 0] > 0 if is_classifier(estimator) else X[:, 0]
    model = clone(estimator)
    small = {name: 2 for name in model.get_params() if name.rpartition("__")[2] == "n_estimators"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return model.set_params(**small).fit(X, y)
        except (TypeError, ValueError, IndexError, KeyError):
            return clone(estimator)


def _check_parts(model: Any, named: set[str], source: Path) -> None:
    """Refuse a model with parts that may lead compiled code outside their arrays."""
    for part, n_features in _parts(model):
        try:
            sound = _is_sound(part, n_features)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            sound = False
        if not sound:
            raise ValueError(f"{source} holds {_unsound(part)}; the file is damaged or forged.")
    unchecked = {type(part).__name__ for part, _ in _parts(model)} & _UNCHECKED
    if unchecked and _TREE not in named:
        raise ValueError(
            f"{source} holds {', '.join(sorted(unchecked))}, whose compiled code takes the file's word for the size of "
            f"its arrays. If you know where the file comes from, give trusted=[{_TREE!r}]."
        )


def _unsound(part: Any) -> str:
    if isinstance(part, CaseBase | CaseClassifier):
        return "cases that do not fit together"
    of_spheres = isinstance(part, Space | SphereCoverClassifier)
    return "spheres that do not fit together" if of_spheres else "a decision tree whose nodes point outside it"


def _is_known(name: str) -> bool:
    """Whether a type is an estimator of covey or scikit-learn, or a part of one, under its own name.

    Building these from a file runs no code: neither the file's nor that of classes which their modules merely import.
    Compiled classes are left out, since a forged state could make them read memory that is not theirs.
    """
    if name in _PARTS:
        return True
    module, _, attribute = name.rpartition(".")
    if module.partition(".")[0] not in ("covey", "sklearn") or module.endswith("__main__"):
        return False
    try:
        kind = getattr(import_module(module), attribute, None)
    except ImportError:
        return False
    if not isinstance(kind, type) or kind.__module__ != module:
        return False
    return issubclass(kind, BaseEstimator) or module in _PART_MODULES


def _is_sound(part: Any, n_features: int) -> bool:
    """Whether compiled code, which does not look, stays within the arrays of a part of a model."""
    if isinstance(part, CoveyTree):
        return bool((part.attribute < n_features).all())
    if isinstance(part, Space | CaseBase):
        return part.is_sound(n_features)
    if isinstance(part, CaseClassifier) and hasattr(part, "_cases"):
        return part._is_sound()
    if isinstance(part, SphereCoverClassifier) and hasattr(part, "centers_"):
        n_spheres = len(part.radii_)
        return part.centers_.shape == (n_spheres, part.n_features_in_) and len(part.sphere_classes_) == n_spheres > 0
    match type(part).__name__:
        case "Tree":
            if part.node_count > part.capacity:
                return False
            inner = np.flatnonzero(part.children_left >= 0)
            return _is_tree(inner, part.children_left, part.children_right, part.feature, n_features)
        case "TreePredictor":
            left, right, feature = (part.nodes[name].astype(np.int64) for name in ("left", "right", "feature_idx"))
            return _is_tree(np.flatnonzero(part.nodes["is_leaf"] == 0), left, right, feature, n_features)
        case "HistGradientBoostingClassifier" | "HistGradientBoostingRegressor" if hasattr(part, "_predictors"):
            return _is_sound_boosting(part)
        case _:
            return True


def _is_tree(inner: Indices, left: Indices, right: Indices, feature: Indices, n_features: int) -> bool:
    """Whether all inner nodes lead on to later ones and ask for columns that there are."""
    children = np.stack([left[inner], right[inner]])
    within = (children > inner) & (children < len(left)) & (feature[inner] >= 0) & (feature[inner] < n_features)
    return bool(within.all())


def _is_sound_boosting(model: Any) -> bool:
    """Whether the sets of categories of a histogram boosting are within bounds, and asked for where there are any."""
    categorical = model._bin_mapper.is_categorical_.astype(bool)
    if categorical.shape != (model.n_features_in_,):
        return False
    for column in np.flatnonzero(categorical):
        known = np.asarray(model._bin_mapper.bin_thresholds_[column])
        if not ((known >= 0) & (known < 256)).all():
            return False
    for predictor in chain.from_iterable(model._predictors):
        nodes, sets = predictor.nodes[predictor.nodes["is_categorical"] != 0], predictor.raw_left_cat_bitsets
        if (
            sets.shape[1:] != (8,)
            or (nodes["bitset_idx"] >= len(sets)).any()
            or not categorical[nodes["feature_idx"]].all()
        ):
            return False
    return True


def _parts(value: Any) -> Iterator[tuple[Any, int]]:
    """Give a value and all that it is made of, with the number of features of the estimator that holds it."""
    todo: list[tuple[Any, int]] = [(value, 0)]
    seen: set[tuple[int, int]] = set()
    while todo:
        part, n_features = todo.pop()
        if (id(part), n_features) in seen:
            continue
        seen.add((id(part), n_features))
        yield part, n_features
        if isinstance(part, BaseEstimator):
            own = getattr(part, "n_features_in_", 0)  # without it scikit-learn does not count the columns it is given
            n_features = int(own) if isinstance(own, Integral) else 0
        inside: Iterable[Any] = ()
        if isinstance(part, dict):
            inside = part.values()
        elif isinstance(part, list | tuple | set | frozenset):
            inside = part
        elif isinstance(part, partial):
            inside = (part.func, part.args, part.keywords)
        elif isinstance(part, np.ndarray) and part.dtype == object:
            inside = part.ravel()
        elif hasattr(part, "__dict__") and not isinstance(part, type):
            inside = vars(part).values()
        todo += [(one, n_features) for one in inside]


def _skops_io() -> Any:
    try:
        return import_module("skops.io")
    except ImportError as error:
        raise ImportError("Saving and loading models needs skops: pip install 'covey[study]'.") from error
