"""Small fitted models, at least one of every class that can be saved, with rows to ask them about."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from zipfile import ZipFile

import numpy as np
import pandas as pd
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge, RidgeCV
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier, ExtraTreeRegressor

import covey
from covey.analysis.filters import MDLDiscretizer, SelectAttributes
from covey.table import CodedClasses, Indicators, LogTarget

N_ROWS = 30
# A few rows that the models have seen, and some that they have not.
N_ASKED = 6


@dataclass(frozen=True)
class Specimen:
    """A fitted model and rows to ask it about."""

    model: Any
    rows: Any


def _data() -> dict[str, Any]:
    rng = np.random.default_rng(7)
    numbers = np.round(rng.normal(size=(N_ROWS + N_ASKED, 3)), 2)
    codes = (numbers[:, 0] > -0.4).astype(int) + (numbers[:, 1] + numbers[:, 0] > 0.6)
    gappy = numbers.copy()
    gappy[rng.random(gappy.shape) < 0.15] = np.nan
    named = pd.DataFrame(numbers, columns=["a", "b", "c"])
    frame = pd.DataFrame(gappy, columns=["a", "b", "c"])
    frame["e"] = pd.Categorical(rng.choice(["p", "q", "r"], len(frame)), categories=["unused", "p", "q", "r"])
    mixed = frame.assign(size=pd.Categorical(rng.choice([7, 3], len(frame)), categories=[7, 3]))
    mixed["f"] = rng.choice(["ä", "v", None], len(frame))
    return {
        "numbers": numbers,
        "gappy": gappy,
        "named": named,
        "frame": frame,
        "mixed": mixed,
        "counts": np.abs(np.round(3 * numbers)),
        "codes": (numbers > 0.3).astype(int),
        "three": np.array(["no", "yes", "perhaps"])[codes],
        "digits": codes,
        "two": codes == 1,
        "values": numbers @ [1.0, -2.0, 0.5] + 0.1 * codes,
        "prices": np.exp(numbers @ [1.0, -2.0, 0.5]),
    }


def _ensembles() -> Iterator[tuple[str, Any, str, str]]:
    seeded: dict[str, Any] = {"random_state": 0}
    grown = {"n_estimators": 3, **seeded}

    def of(base: Any, **options: Any) -> Any:
        return covey.EnsembleClassifier(base, **grown, **options)

    tree = DecisionTreeClassifier(max_depth=2)
    strategies = {
        "bootstrap": {"draw": covey.Bootstrap(), "oob_score": True, "warm_start": True},
        "everything": {"draw": covey.Everything(), "subspace": covey.RandomSubspace(2)},
        "wagging": {"draw": covey.Wagging(), "combine": covey.MeanProbability()},
        "adaboost": {"reweight": covey.AdaBoost(), "combine": covey.WeightedVote(), "warm_start": True},
        "rotation": {"subspace": covey.Rotation(2), "combine": covey.MajorityVote()},
        "evolving": {"subspace": covey.EvolvingSubspace(2), "warm_start": True},
        "weighted": {"subspace": covey.WeightedSubspace([1.0, 2.0, 0.5], 2)},
    }
    for name, options in strategies.items():
        yield f"ensemble-{name}", of(tree, **options), "numbers", "three"
    spheres = covey.SphereCoverClassifier()
    yield "ensemble-border", of(spheres, reweight=covey.BorderResampling()), "gappy", "three"
    yield "ensemble-default", of(None), "named", "two"
    yield "ensemble-logistic", of(covey.LogisticClassifier()), "mixed", "digits"
    yield "ensemble-neighbors", of(covey.MixedNeighborsClassifier(), subspace=covey.RandomSubspace(2)), "mixed", "three"
    yield "ensemble-boosting", of(HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=5)), "frame", "three"
    steps = make_pipeline(SimpleImputer(), StandardScaler(), LogisticRegression())
    yield "ensemble-pipeline", of(steps), "gappy", "three"
    forests = of(covey.RotationForestClassifier(n_estimators=2), draw=covey.Bootstrap())
    yield "ensemble-forest", forests, "gappy", "three"
    yield "ensemble-nested", of(of(tree)), "named", "three"
    regressor = covey.EnsembleRegressor(**grown, oob_score=True, combine=covey.MeanValue())
    yield "ensemble-values", regressor, "named", "values"
    c45 = covey.C45Classifier()
    for kind in ("Boosting", "MultiBoost", "RandomCommittee", "RotationForest", "StochasticCommittee", "Wagging"):
        yield f"{kind}Classifier", getattr(covey, f"{kind}Classifier")(**grown), "mixed", "three"
    yield "BoostingClassifier-c45", covey.BoostingClassifier(c45, **grown, warm_start=True), "mixed", "two"
    boosted = covey.BoostingClassifier(n_estimators=2)
    yield "RotationForestClassifier-boosted", covey.RotationForestClassifier(boosted, **grown), "frame", "three"
    yield "RotationForestRegressor", covey.RotationForestRegressor(**grown), "frame", "values"
    for kind in ("", "Border", "Subspace"):
        spheres = getattr(covey, f"{kind}SphereEnsembleClassifier")(**grown, cv=2)
        yield f"{kind}SphereEnsemble", spheres, "frame", "three"
    for weighting in ("uniform", "evolving", "relevance"):
        subspaces = covey.RandomSubspaceClassifier(**grown, weighting=weighting)
        yield f"RandomSubspaceClassifier-{weighting}", subspaces, "frame", "three"
    yield "RandomSubspaceRegressor", covey.RandomSubspaceRegressor(**grown, weighting="evolving"), "frame", "values"
    for resample in ("fit", "query"):
        model = covey.FeatureSubsetNeighborsClassifier(**grown, resample=resample)
        yield f"FeatureSubsetNeighborsClassifier-{resample}", model, "mixed", "three"
    yield "FeatureSubsetNeighborsRegressor", covey.FeatureSubsetNeighborsRegressor(**grown), "mixed", "values"
    yield "OneVsOneClassifier", covey.OneVsOneClassifier(**seeded), "mixed", "three"
    yield "OneVsOneClassifier-c45", covey.OneVsOneClassifier(c45, **seeded), "mixed", "three"
    rounds = {"n_rounds": 2, **seeded}
    yield "TriskelClassifier", covey.TriskelClassifier(**rounds), "mixed", "three"
    yield "TriskelClassifier-two", covey.TriskelClassifier(c45, **rounds), "mixed", "two"
    yield "TriskelClassifier-m", covey.TriskelClassifier(c45, multiclass="triskel-m", **rounds), "mixed", "three"
    chosen = covey.TriskelClassifier(tree, biasing="threshold", **rounds)
    yield "TriskelClassifier-threshold", chosen, "named", "three"


def _combinations() -> Iterator[tuple[str, Any, str, str]]:
    bayes = make_pipeline(SimpleImputer(), GaussianNB())
    members = [("tree", covey.C45Classifier()), ("bayes", bayes), ("near", covey.MixedNeighborsClassifier())]
    for name, rows, target in (("", "mixed", "three"), ("-two", "gappy", "two")):
        yield f"CoveyClassifier{name}", covey.CoveyClassifier(members, cv=3, random_state=0), rows, target
    numbers = [("line", covey.LeastSquaresRegressor()), ("machine", covey.SVMRegressor())]
    yield "CoveyRegressor", covey.CoveyRegressor(numbers, cv=3, random_state=0), "mixed", "values"


def _learners() -> Iterator[tuple[str, Any, str, str]]:
    seed = np.random.SeedSequence(5).spawn(2)[1]
    for name, model in {
        "C45Classifier": covey.C45Classifier(),
        "RandomTreeClassifier": covey.RandomTreeClassifier(random_state=np.random.default_rng(1)),
        "SphereCoverClassifier": covey.SphereCoverClassifier("auto", cv=2, random_state=np.random.RandomState(1)),
        "SphereCoverClassifier-seed": covey.SphereCoverClassifier(2, random_state=seed),
        "MixedNeighborsClassifier": covey.MixedNeighborsClassifier("auto", max_neighbors=4),
        "SelectedNeighborsClassifier": covey.SelectedNeighborsClassifier(),
        "LinearSVMClassifier": covey.LinearSVMClassifier(),
        "LogisticClassifier": covey.LogisticClassifier(),
        "SVMClassifier": covey.SVMClassifier(),
        "GaussianProcessClassifier": covey.GaussianProcessClassifier(random_state=0),
        "MDLDiscretizer": MDLDiscretizer(),
        "SelectAttributes": SelectAttributes(k=2),
        "Indicators": Indicators(),
        "CodedClasses": CodedClasses(covey.C45Classifier()),
    }.items():
        yield name, model, "mixed", "three"
    metric = {"metric": "manhattan", "scale": False, "random_state": 0}
    yield "SphereCoverClassifier-metric", covey.SphereCoverClassifier(**metric), "numbers", "digits"
    yield "MixedNeighborsClassifier-plain", covey.MixedNeighborsClassifier(2, scale=False), "gappy", "two"
    yield "LogisticClassifier-two", covey.LogisticClassifier(ridge=0.1), "gappy", "two"
    yield "GaussianProcessClassifier-two", covey.GaussianProcessClassifier(temperature=3.0), "gappy", "two"
    yield "GaussianProcessRegressor", covey.GaussianProcessRegressor(random_state=0), "mixed", "values"
    given = covey.GaussianProcessRegressor(
        length_scale=np.array([1.0, 2.0, 3.0]), linear=0, max_rows=20, random_state=0
    )
    yield "GaussianProcessRegressor-given", given, "numbers", "values"
    yield "LogTarget", LogTarget(covey.LeastSquaresRegressor()), "mixed", "prices"
    yield "LeastSquaresRegressor", covey.LeastSquaresRegressor(), "mixed", "values"
    yield "SVMClassifier-two", covey.SVMClassifier(kernel="linear", gamma="auto"), "gappy", "two"
    yield "SVMRegressor", covey.SVMRegressor(gamma=0.5), "mixed", "values"


def _foreigners() -> Iterator[tuple[str, Any, str, str]]:
    boosting: dict[str, Any] = {"max_iter": 2, "min_samples_leaf": 4, "random_state": 0}
    for name, model, rows, target in (
        ("text", HistGradientBoostingClassifier(**boosting, categorical_features=["e", "f"]), "mixed", "three"),
        ("dtype", HistGradientBoostingClassifier(**boosting), "frame", "two"),
        ("numbers", HistGradientBoostingClassifier(**boosting, categorical_features=[0]), "counts", "digits"),
        ("stopped", HistGradientBoostingClassifier(**boosting, early_stopping=True), "gappy", "digits"),
        ("values", HistGradientBoostingRegressor(**boosting), "frame", "values"),
        ("gamma", HistGradientBoostingRegressor(**boosting, loss="poisson"), "named", "digits"),
    ):
        yield f"histogram-{name}", model, rows, target
    forest = {"n_estimators": 2, "max_depth": 3, "random_state": 0}
    for name, model in {
        "logistic": LogisticRegression(),
        "neighbors": KNeighborsClassifier(2),
        "neighbors-brute": KNeighborsClassifier(2, algorithm="brute"),
        "neighbors-ball": KNeighborsClassifier(2, algorithm="ball_tree", metric="manhattan", weights="distance"),
        "gaussian": GaussianNB(),
        "bernoulli": BernoulliNB(),
        "dummy": DummyClassifier(),
        "dummy-frequent": DummyClassifier(strategy="most_frequent"),
        "forest": RandomForestClassifier(**forest, oob_score=True),
        "extra-trees": ExtraTreesClassifier(**forest),
        "tree": DecisionTreeClassifier(random_state=0),
        "tree-leaves": DecisionTreeClassifier(max_leaf_nodes=4, random_state=0),
        "extra-tree": ExtraTreeClassifier(max_depth=3, random_state=0),
    }.items():
        yield name, model, "named", "three"
    yield "logistic-two", LogisticRegression(), "numbers", "two"
    yield "tree-gaps", DecisionTreeClassifier(max_depth=3, random_state=0), "gappy", "two"
    yield "multinomial", MultinomialNB(), "counts", "three"
    yield "complement", ComplementNB(), "counts", "digits"
    yield "categorical", CategoricalNB(), "codes", "three"
    for name, model in {
        "dummy-values": DummyRegressor(),
        "forest-values": RandomForestRegressor(**forest, criterion="absolute_error"),
        "extra-trees-values": ExtraTreesRegressor(**forest),
        "neighbors-values": KNeighborsRegressor(2),
        "ridge": Ridge(),
        "ridge-cv": RidgeCV(),
        "tree-values": DecisionTreeRegressor(max_depth=3, random_state=0),
        "extra-tree-values": ExtraTreeRegressor(max_depth=3, random_state=0),
        "scaler": StandardScaler(),
        "imputer": SimpleImputer(),
    }.items():
        yield name, model, "named", "values"
    yield "imputer-median", SimpleImputer(strategy="median"), "gappy", "values"
    numeric = make_pipeline(Indicators(), SimpleImputer(strategy="median"), StandardScaler(), KNeighborsClassifier(3))
    yield "pipeline-neighbors", numeric, "mixed", "three"
    yield "pipeline-forest", make_pipeline(Indicators(), RandomForestClassifier(**forest)), "mixed", "two"


@cache
def _recipes() -> dict[str, Callable[[], Specimen]]:
    data = _data()

    def recipe(model: Any, rows: str, target: str) -> Callable[[], Specimen]:
        @cache
        def make() -> Specimen:
            X = data[rows]
            known = X.iloc[:N_ROWS] if isinstance(X, pd.DataFrame) else X[:N_ROWS]
            asked = X.iloc[-2 * N_ASKED :] if isinstance(X, pd.DataFrame) else X[-2 * N_ASKED :]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return Specimen(model.fit(known, data[target][:N_ROWS]), asked)

        return make

    made = [*_ensembles(), *_combinations(), *_learners(), *_foreigners()]
    recipes = {name: recipe(model, rows, target) for name, model, rows, target in made}
    assert len(recipes) == len(made)
    return recipes


def names() -> list[str]:
    """Return the names of all specimens."""
    return list(_recipes())


def specimen(name: str) -> Specimen:
    """Return a specimen, fitted once in a process."""
    return _recipes()[name]()


def answers(model: Any, rows: Any) -> dict[str, Any]:
    """Return all that a model says of rows."""
    methods = [name for name in ("predict", "predict_proba", "transform") if hasattr(model, name)]
    return {name: getattr(model, name)(rows) for name in methods}


def document_of(path: Any) -> dict[str, Any]:
    """Return the document of a model file."""
    with ZipFile(path) as file:
        document: dict[str, Any] = json.loads(file.read("model.json"))
    return document


def classes_in(node: Any) -> set[str]:
    """Return the classes that a document names, the outermost and all within."""
    if isinstance(node, list):
        return set().union(*map(classes_in, node))
    if not isinstance(node, dict):
        return set()
    own = {node["class"]} if node.keys() == {"class", "params", "state"} else set()
    return own.union(*map(classes_in, node.values()))
