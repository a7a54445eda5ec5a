"""Which methods are worth comparing on a table: covey's ensembles, and what people use today."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from covey._text import did_you_mean, quoted
from covey.registry import methods as published
from covey.study.recipes import import_paths
from covey.study.spec import MethodSpec, Task

BASELINE = "baseline"


@dataclass(frozen=True)
class Candidate:
    """A method of the shortlist.

    Parameters
    ----------
    method : MethodSpec
    most_rows : int, optional
        The largest table that it is tried on.
    package : str
        What must be installed; "" if nothing more.
    """

    method: MethodSpec
    most_rows: int | None = None
    package: str = ""

    def why_not(self, n_rows: int) -> str | None:
        """Say why the method is not tried on so many rows, or None."""
        if self.package and find_spec(self.package) is None:
            return f"{self.package} is not installed"
        if self.most_rows is not None and n_rows > self.most_rows:
            return f"{n_rows} rows take it too long; it is tried on up to {self.most_rows}, or when asked for by name"
        return None


def _method(name: str, path: str, **params: Any) -> MethodSpec:
    return MethodSpec(name, path, params)


def _scaled(name: str, path: str, **params: Any) -> MethodSpec:
    """Return a learner that needs numbers of one scale without gaps."""
    steps = [
        {"estimator": "sklearn.impute.SimpleImputer", "params": {"strategy": "median"}},
        {"estimator": "sklearn.preprocessing.StandardScaler", "params": {}},
        {"estimator": path, "params": params},
    ]
    return MethodSpec(name, "pipeline", {"steps": steps})


def _part(path: str, **params: Any) -> dict[str, Any]:
    return {"estimator": path, "params": params}


_BAGS = _part("covey.Bootstrap")
_FOREST = "sklearn.ensemble"
# Sphere covers and feature subsets compare rows with rows; rotations grow C4.5 on every column of every member; a
# support vector machine takes time with the square of the rows.
# scikit-learn's neighbours are sought without a tree, whose class a model file could not be loaded with unless it were
# trusted.
_CLASSIFIERS = (
    Candidate(_method("mbsasc", "covey:mbsasc")),
    Candidate(_method("wagsasc", "covey:wagsasc")),
    Candidate(_method("rotation-forest", "covey:rotation-forest"), 20_000),
    Candidate(_method("alpha-rsse", "covey:alpha-rsse"), 10_000),
    Candidate(_method("alphabeta-rse", "covey:alphabeta-rse"), 10_000),
    Candidate(_method("mfs1", "covey:mfs1"), 10_000),
    Candidate(_method("triskel-w4", "covey:triskel-w4"), 20_000),
    Candidate(_method("random forest", f"{_FOREST}.RandomForestClassifier", n_estimators=100)),
    Candidate(_method("extra trees", f"{_FOREST}.ExtraTreesClassifier", n_estimators=100)),
    Candidate(_method("gradient boosting", f"{_FOREST}.HistGradientBoostingClassifier")),
    Candidate(_method("LightGBM", "lightgbm.LGBMClassifier", verbose=-1), package="lightgbm"),
    Candidate(_method("XGBoost", "xgboost.XGBClassifier", enable_categorical=True), package="xgboost"),
    Candidate(
        _method("CatBoost", "catboost.CatBoostClassifier", verbose=False, allow_writing_files=False), package="catboost"
    ),
    Candidate(_scaled("logistic regression", "sklearn.linear_model.LogisticRegression", max_iter=1000)),
    Candidate(_scaled("nearest neighbours", "sklearn.neighbors.KNeighborsClassifier", algorithm="brute")),
    Candidate(_method(BASELINE, "sklearn.dummy.DummyClassifier", strategy="prior")),
)
_REGRESSORS = (
    Candidate(_method("bagged trees", "covey.EnsembleRegressor", n_estimators=100, draw=_BAGS)),
    Candidate(
        _method(
            "random patches",
            "covey.EnsembleRegressor",
            n_estimators=100,
            draw=_BAGS,
            subspace=_part("covey.RandomSubspace", size=0.5),
        )
    ),
    Candidate(_method("rotation forest", "covey.RotationForestRegressor", n_estimators=100), 20_000),
    Candidate(MethodSpec("rassel", "covey:rassel", task="regression")),
    Candidate(_method("random forest", f"{_FOREST}.RandomForestRegressor", n_estimators=100)),
    Candidate(_method("extra trees", f"{_FOREST}.ExtraTreesRegressor", n_estimators=100)),
    Candidate(_method("gradient boosting", f"{_FOREST}.HistGradientBoostingRegressor")),
    Candidate(_method("LightGBM", "lightgbm.LGBMRegressor", verbose=-1), package="lightgbm"),
    Candidate(_method("XGBoost", "xgboost.XGBRegressor", enable_categorical=True), package="xgboost"),
    Candidate(
        _method("CatBoost", "catboost.CatBoostRegressor", verbose=False, allow_writing_files=False), package="catboost"
    ),
    Candidate(_scaled("ridge regression", "sklearn.linear_model.RidgeCV")),
    Candidate(_scaled("nearest neighbours", "sklearn.neighbors.KNeighborsRegressor", algorithm="brute")),
    Candidate(_method(BASELINE, "sklearn.dummy.DummyRegressor", strategy="mean")),
)
CANDIDATES: Mapping[str, tuple[Candidate, ...]] = {"classification": _CLASSIFIERS, "regression": _REGRESSORS}


@dataclass(frozen=True)
class Chosen:
    """What is compared, and what is not.

    Parameters
    ----------
    methods : tuple of MethodSpec
    left_out : mapping of str to str
        Methods of the shortlist that are not tried, and why.
    """

    methods: tuple[MethodSpec, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


def shortlist(task: Task, *, n_rows: int = 0) -> Chosen:
    """Return the methods that are compared by default.

    Parameters
    ----------
    task : {"classification", "regression"}
    n_rows : int
        Of the largest table.
    """
    left_out = {one.method.name: one.why_not(n_rows) for one in CANDIDATES[task]}
    methods = tuple(one.method for one in CANDIDATES[task] if left_out[one.method.name] is None)
    return Chosen(methods, {name: why for name, why in left_out.items() if why is not None})


def named_methods(given: Sequence[str | MethodSpec], task: Task, trust: Collection[str] = ()) -> Chosen:
    """Return methods by name: of the shortlist, ids of published systems, or import paths.

    Capitals do not count, and a dash is the same as a blank, unless both are names. What is there twice counts once.

    Parameters
    ----------
    given : sequence of str or MethodSpec
    task : {"classification", "regression"}
    trust : collection of str
        Packages that may be imported besides the known ones.
    """
    if isinstance(given, str | MethodSpec):
        given = [given]
    listed = {one.method.name: one.method for one in CANDIDATES[task]}
    ids = [entry.id for entry in published() if task in entry.tasks]
    spelt = {_spelling(name): name for name in (*ids, *listed)}
    chosen: list[MethodSpec] = []
    for one in given:
        if isinstance(one, MethodSpec):
            spec = one
        elif not isinstance(one, str):
            raise TypeError(f"methods has {one!r:.60}; give names, import paths or MethodSpec objects.")
        elif (name := one if one in ids else spelt.get(_spelling(one), "")) in listed:
            spec = listed[name]
        elif name in ids:
            spec = MethodSpec(name, f"covey:{name}", task=task)
        elif "." in one:
            spec = MethodSpec(one.rpartition(".")[2], one)
        else:
            raise ValueError(_unknown(one, task, [*listed, *ids]))
        spec.check_trust(trust, f"method {spec.name!r}: ")
        if spec not in chosen:
            chosen.append(spec)
    return Chosen(tuple(chosen))


def _spelling(name: str) -> str:
    return name.lower().replace("-", " ").replace("_", " ")


def without_unfit(chosen: Chosen, classes: Mapping[str, Sequence[Any]]) -> Chosen:
    """Leave out XGBoost's classifiers where they would refuse the classes on every fold: they want 0, 1, 2 and so on.

    Parameters
    ----------
    chosen : Chosen
    classes : mapping of str to sequence
        The classes of each dataset.

    Raises
    ------
    ValueError
        Nothing would be left.
    """
    unfit = [name for name, some in classes.items() if tuple(some) != tuple(range(len(some)))]
    if not unfit:
        return chosen
    why = f"xgboost takes only the classes 0, 1, 2 and so on, and {unfit[0]!r} has others; number them to try it"
    refused = {one.name: why for one in chosen.methods if _is_xgboost(one)}
    kept = tuple(one for one in chosen.methods if one.name not in refused)
    if not kept:
        raise ValueError(f"methods: {', '.join(refused)}: {why}.")
    return Chosen(kept, {**chosen.left_out, **refused})


def _is_xgboost(method: MethodSpec) -> bool:
    paths = [path for _, path in import_paths(method.path, dict(method.params))]
    return any(path.startswith("xgboost.") and path.endswith("Classifier") for path in paths)


def _unknown(name: str, task: Task, known: list[str]) -> str:
    names = quoted(dict.fromkeys(known), len(known))
    hint = did_you_mean(name, known)
    return (
        f"methods: {name!r} is no method for {task}{hint} Known are {names}, and import paths such as sklearn.svm.SVC."
    )
