"""The shortlist of methods to compare on a table, covey's ensembles and what people use today; others by name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from covey._arguments import check_count
from covey._text import did_you_mean, normalise, quoted
from covey.registry import methods as published
from covey.study.recipes import PIPELINE, import_paths
from covey.study.spec import MethodSpec, Task

if TYPE_CHECKING:
    from covey.datasets import Dataset

BASELINE = "baseline"

# Elsewhere "max_iter" is how long a solver may take.
_ROUNDS = {"HistGradientBoostingClassifier": "max_iter", "HistGradientBoostingRegressor": "max_iter"}
# CatBoost tells only the parameters that were set, and refuses two names of one.
_CATBOOST = "catboost."
_ITERATIONS = ("iterations", "num_boost_round", "n_estimators", "num_trees")


@dataclass(frozen=True)
class Candidate:
    """A method of the shortlist."""

    method: MethodSpec
    most_rows: int | None = None  # of the largest table that it is tried on
    package: str = ""  # what must be installed

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
    """Return a learner that needs numbers of one scale without missing values."""
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
    Candidate(_method("covey", "covey:covey")),
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
    Candidate(MethodSpec("covey", "covey:covey", task="regression")),
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
    """The methods that are compared, and those of the shortlist that are not tried, with why."""

    methods: tuple[MethodSpec, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


def shortlist(task: Task, *, n_rows: int = 0) -> Chosen:
    """Return the methods that are compared by default on tables of up to some rows."""
    left_out = {candidate.method.name: candidate.why_not(n_rows) for candidate in CANDIDATES[task]}
    methods = tuple(candidate.method for candidate in CANDIDATES[task] if left_out[candidate.method.name] is None)
    return Chosen(methods, {name: why for name, why in left_out.items() if why is not None})


def choose_methods(
    methods: Sequence[str | MethodSpec] | None,
    task: Task,
    loaded: Sequence[Dataset],
    trust: Collection[str],
    n_estimators: int | None,
) -> Chosen:
    """Return the methods to compare on some data: those that are named, or the shortlist."""
    if methods is None:
        chosen = shortlist(task, n_rows=max(data.n_rows for data in loaded))
    else:
        chosen = named_methods(methods, task, trust)
    if task == "classification":
        chosen = without_unfit(chosen, {data.name: data.classes for data in loaded})
    if n_estimators is None:
        return chosen
    check_count("n_estimators", n_estimators, 1)
    return replace(chosen, methods=tuple(with_members(method, n_estimators) for method in chosen.methods))


def named_methods(names: Sequence[str | MethodSpec], task: Task, trust: Collection[str] = ()) -> Chosen:
    """Return methods by name: of the shortlist, ids of published systems, or import paths.

    Capitals do not count, and a dash is the same as a blank: "random-forest" is the random forest of the shortlist,
    which is what the published system of that id is too. What is there twice counts once.
    """
    if isinstance(names, str | MethodSpec):
        names = [names]
    listed = {candidate.method.name: candidate.method for candidate in CANDIDATES[task]}
    ids = [entry.id for entry in published() if task in entry.tasks]
    spelt = {normalise(name): name for name in (*ids, *listed)}
    chosen: list[MethodSpec] = []
    for given in names:
        if isinstance(given, MethodSpec):
            spec = given
        elif not isinstance(given, str):
            raise TypeError(f"methods has {given!r:.60}; give names, import paths or MethodSpec objects.")
        elif (name := spelt.get(normalise(given), "")) in listed:
            spec = listed[name]
        elif name in ids:
            spec = MethodSpec(name, f"covey:{name}", task=task)
        elif "." in given:
            spec = MethodSpec(given.rpartition(".")[2], given)
        else:
            known = [*listed, *ids]
            raise ValueError(
                f"methods: {given!r} is no method for {task}{did_you_mean(given, known)} Known are "
                f"{quoted(dict.fromkeys(known), len(known))}, and import paths such as sklearn.svm.SVC."
            )
        spec.check_trust(trust, f"method {spec.name!r}: ")
        if spec not in chosen:
            chosen.append(spec)
    return Chosen(tuple(chosen))


def without_unfit(chosen: Chosen, classes: Mapping[str, Sequence[Any]]) -> Chosen:
    """Leave out XGBoost's classifiers where they would refuse a dataset's classes on every fold: they want 0, 1, ..."""
    unfit = [name for name, some in classes.items() if tuple(some) != tuple(range(len(some)))]
    if not unfit:
        return chosen
    why = f"xgboost takes only the classes 0, 1, 2 and so on, and {unfit[0]!r} has others; number them to try it"
    refused = {method.name: why for method in chosen.methods if _is_xgboost(method)}
    kept = tuple(method for method in chosen.methods if method.name not in refused)
    if not kept:
        raise ValueError(f"methods: {', '.join(refused)}: {why}.")
    return Chosen(kept, {**chosen.left_out, **refused})


def _is_xgboost(method: MethodSpec) -> bool:
    paths = [path for _, path in import_paths(method.path, dict(method.params))]
    return any(path.startswith("xgboost.") and path.endswith("Classifier") for path in paths)


def with_members(method: MethodSpec, n_estimators: int) -> MethodSpec:
    """Return a method with as many members, or rounds of boosting, whatever it calls them; others are left as they are.

    Of a pipeline, the last step counts.
    """
    if method.path == PIPELINE:
        *first, last = method.params["steps"]
        sized = with_members(MethodSpec(method.name, last["estimator"], last["params"], method.task), n_estimators)
        return replace(method, params={"steps": [*first, {**last, "params": dict(sized.params)}]})
    if method.path.startswith(_CATBOOST):
        others = {name: value for name, value in method.params.items() if name not in _ITERATIONS}
        return replace(method, params={**others, _ITERATIONS[0]: n_estimators})
    name = _ROUNDS.get(method.path.rpartition(".")[2], "n_estimators")
    return method.adjusted({name: n_estimators})
