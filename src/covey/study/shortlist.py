"""The shortlist of methods to compare on a table, covey's ensembles and what people use today; others by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from itertools import count
from typing import TYPE_CHECKING, Any

from covey._arguments import check_count
from covey._text import did_you_mean, normalise, quoted
from covey.registry import methods as published
from covey.study.held import check_estimator, recipe_of
from covey.study.recipes import PIPELINE, default_name
from covey.study.spec import MethodSpec, Task

if TYPE_CHECKING:
    from covey.datasets import Dataset

BASELINE = "baseline"
# The method whose fits have a budget.
COMBINATION = "covey:covey"
# How many times the budget of its fits it has when it is the best and fitted on all rows.
REFIT = 3.0
_LOGARITHMS = "covey.table.LogTarget"
NOT_INSTALLED = "is not installed"

# One or several: names, import paths, MethodSpec objects, estimators, pairs of a name and one of these, or a mapping.
MethodsLike = Any

# Elsewhere "max_iter" is how long a solver may take.
_ROUNDS = {"HistGradientBoostingClassifier": "max_iter", "HistGradientBoostingRegressor": "max_iter"}
# CatBoost tells only the parameters that were set, and refuses two names of one.
_CATBOOST = "catboost."
_ITERATIONS = ("iterations", "num_boost_round", "n_estimators", "num_trees")
_CATBOOST_WEIGHTS = ("auto_class_weights", "class_weights")


@dataclass(frozen=True)
class Candidate:
    """A method of the shortlist."""

    method: MethodSpec
    most_rows: int | None = None  # of the largest table that it is tried on
    package: str = ""  # what must be installed

    def why_not(self, n_rows: int) -> str | None:
        """Say why the method is not tried on so many rows, or None."""
        if self.package and find_spec(self.package) is None:
            return f"{self.package} {NOT_INSTALLED}"
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
# Sphere covers and feature subsets compare rows with rows; rotations grow C4.5 on every column of every member. Up to
# so many rows they take less than 20 times as long as scikit-learn's forest: docs/decisions/scale.md.
# scikit-learn's neighbours are sought without a tree, whose class a model file could not be loaded with unless it were
# trusted.
_CLASSIFIERS = (
    Candidate(_method("covey", "covey:covey")),
    Candidate(_method("gaussian process", "covey.GaussianProcessClassifier")),
    Candidate(_method("mbsasc", "covey:mbsasc")),
    Candidate(_method("wagsasc", "covey:wagsasc")),
    Candidate(_method("rotation-forest", "covey:rotation-forest"), 200_000),
    Candidate(_method("alpha-rsse", "covey:alpha-rsse"), 100_000),
    Candidate(_method("alphabeta-rse", "covey:alphabeta-rse"), 100_000),
    Candidate(_method("mfs1", "covey:mfs1"), 200_000),
    Candidate(_method("triskel-w4", "covey:triskel-w4"), 200_000),
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
    Candidate(_method("gaussian process", "covey.GaussianProcessRegressor")),
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
    Candidate(_method("rotation forest", "covey.RotationForestRegressor", n_estimators=100), 200_000),
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
    notes: tuple[str, ...] = ()  # on methods that were named twice


def shortlist(task: Task, *, n_rows: int = 0) -> Chosen:
    """Return the methods that are compared by default on tables of up to some rows."""
    left_out = {candidate.method.name: candidate.why_not(n_rows) for candidate in CANDIDATES[task]}
    methods = tuple(candidate.method for candidate in CANDIDATES[task] if left_out[candidate.method.name] is None)
    return Chosen(methods, {name: why for name, why in left_out.items() if why is not None})


def choose_methods(
    methods: MethodsLike | None,
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
    if n_estimators is None:
        return chosen
    check_count("n_estimators", n_estimators, 1)
    return replace(chosen, methods=tuple(with_members(method, n_estimators) for method in chosen.methods))


def named_methods(names: MethodsLike, task: Task, trust: Collection[str] = ()) -> Chosen:
    """Return methods by name (of the shortlist, ids of published systems, or import paths), and estimators.

    Capitals do not count, and a dash is the same as a blank: "random-forest" is the random forest of the shortlist,
    which is what the published system of that id is too. What is there twice counts once, with a note.
    An estimator is called by its class, unless it comes as a pair with a name or under a name in a mapping.
    """
    chosen: list[MethodSpec] = []
    called: list[str] = []
    notes = []
    for name, given in _named(names):
        spec = _spec_of(given, task)
        spec.check_trust(trust, f"method {spec.name!r}: ")
        if name is not None:
            spec = replace(spec, name=name)
        word = given if isinstance(given, str) else spec.name
        if spec in chosen:
            first = called[chosen.index(spec)]
            same = f"{first!r} was named twice, and is" if first == word else f"{first!r} and {word!r} are one method,"
            notes.append(f"{same} compared once.")
            continue
        if spec.held is not None and name is None and not isinstance(given, MethodSpec):
            taken = {other.name for other in chosen}
            numbered = (f"{spec.name} ({number})" for number in count(2))
            spec = spec if spec.name not in taken else replace(spec, name=next(n for n in numbered if n not in taken))
        chosen.append(spec)
        called.append(word)
    return Chosen(tuple(chosen), notes=tuple(notes))


def _named(names: MethodsLike) -> Iterator[tuple[str | None, Any]]:
    """Yield what was given as methods, each after the name that was given for it, if any."""
    if isinstance(names, Mapping):
        yield from names.items()
        return
    if isinstance(names, str | MethodSpec | type) or hasattr(names, "fit") or not isinstance(names, Iterable):
        names = [names]
    for given in names:
        if not isinstance(given, tuple):
            yield None, given
        elif len(given) == 2 and isinstance(given[0], str):
            yield given
        else:
            raise TypeError(f"methods has {given!r:.60}; give a pair of a name and an estimator.")


def _spec_of(given: Any, task: Task) -> MethodSpec:
    """Return a method by its name, its id, its import path or its estimator."""
    if isinstance(given, MethodSpec):
        return given
    if hasattr(given, "fit"):
        check_estimator(given, "one of methods")
        return MethodSpec(default_name(*recipe_of(given)), held=given, task=task)
    if not isinstance(given, str):
        raise TypeError(f"methods has {given!r:.60}; give names, import paths, estimators or MethodSpec objects.")
    listed = {candidate.method.name: candidate.method for candidate in CANDIDATES[task]}
    ids = [entry.id for entry in published() if task in entry.tasks]
    spelt = {normalise(name): name for name in (*ids, *listed)}
    if (name := spelt.get(normalise(given), "")) in listed:
        return listed[name]
    if name in ids:
        return MethodSpec(name, f"covey:{name}", task=task)
    _refuse_of_other_task(given, task)
    if "." in given:
        return MethodSpec(given.rpartition(".")[2], given)
    known = [*listed, *ids]
    raise ValueError(
        f"methods: {given!r} is no method for {task}{did_you_mean(given, known)} Known are "
        f"{quoted(dict.fromkeys(known), len(known))}, and import paths such as sklearn.svm.SVC."
    )


def _refuse_of_other_task(given: str, task: Task) -> None:
    """Refuse a method that is known, but not for the task."""
    other, needs, holds = (
        ("classification", "classes", "numbers") if task == "regression" else ("regression", "numbers", "classes")
    )
    known = [entry.id for entry in published() if other in entry.tasks]
    known += [candidate.method.name for candidate in CANDIDATES[other]]
    if normalise(given) in map(normalise, known):
        raise ValueError(
            f"methods={given!r} is for {needs}, but the target holds {holds}; 'covey methods --task {task}' lists "
            f"those for {holds}."
        )


def with_members(method: MethodSpec, n_estimators: int) -> MethodSpec:
    """Return a method with as many members, or rounds of boosting, whatever it calls them; others are left as they are.

    Of a pipeline, the last step counts.
    """

    def sized(step: MethodSpec) -> MethodSpec:
        if step.path.startswith(_CATBOOST):
            return _with_one_of(step, _ITERATIONS, n_estimators)
        return step.adjusted({_ROUNDS.get(step.path.rpartition(".")[2], "n_estimators"): n_estimators})

    return _on_last_step(method, sized)


def with_class_weight(chosen: Chosen, class_weight: object) -> tuple[Chosen, tuple[str, ...]]:
    """Return methods that weigh classes alike, where they can, and the names of those without such a parameter.

    A baseline, which learns nothing, does not count.
    """
    if class_weight != "balanced":
        raise ValueError(f"class_weight={class_weight!r} must be 'balanced' or None.")

    without = []

    def balanced(step: MethodSpec) -> MethodSpec:
        if step.path.startswith(_CATBOOST):
            return _with_one_of(step, _CATBOOST_WEIGHTS, "Balanced")
        weighted = step.adjusted({"class_weight": "balanced"})
        if "class_weight" not in weighted.params and not step.path.startswith("sklearn.dummy."):
            without.append(step.name)
        return weighted

    methods = tuple(_on_last_step(method, balanced) for method in chosen.methods)
    return replace(chosen, methods=methods), tuple(without)


def suited(chosen: Chosen, metric: str, log_target: bool, loaded: Sequence[Dataset]) -> Chosen:
    """Return methods as a target and the metric that ranks ask for them.

    Parameters
    ----------
    chosen : Chosen
    metric : str
        By absolute errors the baseline predicts the median, which no other constant beats.
    log_target : bool
        Whether methods are to be trained on logarithms of the target, and to predict on its own scale; those that
        learn nothing stay as they are. Refused are classes, and numbers that have no logarithm.
    loaded : sequence of Dataset
    """
    methods = chosen.methods
    if metric in ("neg_mean_absolute_error", "neg_median_absolute_error"):
        usual = next(candidate.method for candidate in _REGRESSORS if candidate.method.name == BASELINE)
        median = replace(usual, params={"strategy": "median"}, task="regression")
        methods = tuple(median if _is_same(method, usual) else method for method in methods)
    if log_target:
        for data in loaded:
            _check_logarithms(data)
        methods = tuple(map(_logged, methods))
    return replace(chosen, methods=methods)


def _is_same(method: MethodSpec, other: MethodSpec) -> bool:
    return (method.name, method.path, method.params) == (other.name, other.path, other.params)


def _check_logarithms(data: Dataset) -> None:
    if data.task != "regression":
        raise ValueError(f"log_target=True needs numbers, but the target of {data.name!r} holds classes; leave it out.")
    if not (data.target > 0).all():
        raise ValueError(
            f"log_target=True needs numbers above 0, but the target of {data.name!r} has {data.target.min():g}; leave "
            "it out, or choose another target."
        )


def _logged(method: MethodSpec) -> MethodSpec:
    if method.path.startswith("sklearn.dummy."):
        return method
    if method.held is not None:
        from covey.table import LogTarget

        return replace(method, held=LogTarget(method.held))
    inner = {"estimator": method.path, "params": dict(method.params)}
    return replace(method, path=_LOGARITHMS, params={"regressor": inner})


def combination_of(method: MethodSpec) -> Mapping[str, Any] | None:
    """Return the parameters of a combination, of one that learns logarithms too; None of another method."""
    path, params = method.path, method.params
    if path == _LOGARITHMS and isinstance(params.get("regressor"), Mapping):
        path, params = params["regressor"]["estimator"], params["regressor"]["params"]
    return params if path == COMBINATION else None


def with_budget(method: MethodSpec, seconds: float) -> MethodSpec:
    """Return a combination each of whose fits has so many seconds."""
    params: dict[str, Any] = {**(combination_of(method) or {}), "budget": seconds}
    if method.path != COMBINATION:
        params = {"regressor": {"estimator": COMBINATION, "params": params}}
    return replace(method, params=params)


def _on_last_step(method: MethodSpec, change: Callable[[MethodSpec], MethodSpec]) -> MethodSpec:
    """Return a method that is changed, of a pipeline the last step."""
    if method.path != PIPELINE:
        return change(method)
    if method.held is not None:
        model = method.make()
        name, last = model.steps[-1]
        changed = change(MethodSpec(method.name, held=last, task=method.task))
        return replace(method, held=model.set_params(**{name: changed.held}))
    *first, last = method.params["steps"]
    changed = change(MethodSpec(method.name, last["estimator"], last["params"], method.task))
    return replace(method, params={"steps": [*first, {**last, "params": dict(changed.params)}]})


def _with_one_of(method: MethodSpec, names: Sequence[str], value: Any) -> MethodSpec:
    """Return a method with a parameter of several names under the first of them; CatBoost refuses two."""
    known = method.params if method.held is None else method.held.get_params(deep=False)
    params = {**{name: known[name] for name in known if name not in names}, names[0]: value}
    return replace(method, params=params) if method.held is None else replace(method, held=type(method.held)(**params))
