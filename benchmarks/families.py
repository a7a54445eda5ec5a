"""Which family of ensembles wins on which data: all of covey's methods, new combinations of their parts, and peers.

Ten times two folds, stratified: every repeat predicts every row once, by a model trained on the other half, so that
bias and variance can be told apart. One thread per fit, every learner at its defaults. Run by ``make bench-families``;
stores, resuming and options are those of ``accuracy.py``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from accuracy import add_arguments, booster, carry_out, datasets_of, scaled, usable
from families_report import write_report
from families_times import write_times

from covey.datasets import Dataset
from covey.study import CycledFolds, MethodSpec
from covey.study.shortlist import CANDIDATES

MOST_ROWS, MOST_COLUMNS = 1600, 300
# Of the published systems, those of one family each; the first names are shown together in one diagram.
PUBLISHED = {
    "trees": ("c4.5",),
    "ensembles of trees": ("mbsasc", "wagsasc", "sasc", "boostsasc", "mb", "boost", "wag", "bagging"),
    "random trees": ("random-subspace", "random-committee"),
    "rotations": ("rotation-forest",),
    "spheres": ("alpha-rsse", "alphabeta-rse", "alpha-rse", "alpha-rsc"),
    "neighbours": ("mfs1", "mfs2", "knn"),
    "linear subspaces": ("rassel", "erassel", "rssl"),
    "linear machines": ("triskel-w4", "triskel-1", "smo", "adaboost-10"),
    "combination": ("covey",),
}
PEERS = {
    "random trees": ("random forest", "extra trees"),
    "gradient boosting": ("gradient boosting", "LightGBM"),
    "linear machines": ("logistic regression",),
}


def _part(path: str, **params: Any) -> dict[str, Any]:
    return {"estimator": f"covey.{path}", "params": params}


@dataclass(frozen=True)
class Combination:
    """A combination of parts that no paper tried, and the two systems that it is made of."""

    method: MethodSpec
    parents: tuple[str, str]


# Boosting learns from rows that members get wrong, and a cover by spheres of any size gets all of its own rows right.
_COVER = _part("SphereCoverClassifier", min_sphere_size=3)
_SAS = _part("C45Classifier", attribute_probability=0.33)
_WAGGED = {"draw": _part("Wagging"), "subspace": _part("RandomSubspace", size=0.5), "n_estimators": 100}
_FEW_SUBSETS = _part("FeatureSubsetNeighborsClassifier", n_estimators=10)
_FEW_BOOSTED = _part("BoostingClassifier", estimator=_SAS, n_estimators=10)
_ROTATED = "covey.RotationForestClassifier"
COMBINATIONS = (
    Combination(
        MethodSpec("boosted spheres", "covey.BoostingClassifier", {"estimator": _COVER}), ("alpha-rse", "boost")
    ),
    Combination(
        MethodSpec("wagged subspace spheres", "covey.EnsembleClassifier", {"estimator": _COVER, **_WAGGED}),
        ("alpha-rsse", "wag"),
    ),
    Combination(MethodSpec("rotated spheres", _ROTATED, {"estimator": _COVER}), ("alpha-rse", "rotation-forest")),
    Combination(
        MethodSpec("Triskel over C4.5SAS", "covey.TriskelClassifier", {"estimator": _SAS}), ("triskel-w4", "c4.5")
    ),
    Combination(
        MethodSpec("MFS over rotations", _ROTATED, {"estimator": _FEW_SUBSETS, "n_estimators": 10}),
        ("mfs1", "rotation-forest"),
    ),
    Combination(
        MethodSpec("boosted trees over rotations", _ROTATED, {"estimator": _FEW_BOOSTED, "n_estimators": 10}),
        ("boostsasc", "rotation-forest"),
    ),
)
NEW = "new combinations"


def families() -> dict[str, str]:
    """Return the family of each method."""
    named = {name: family for group in (PUBLISHED, PEERS) for family, names in group.items() for name in names}
    others = {"XGBoost": "gradient boosting", "SVM": "kernel machines", "gaussian process": "kernel machines"}
    return named | others | {one.method.name: NEW for one in COMBINATIONS}


def methods() -> Iterator[MethodSpec]:
    """Yield the methods, those that take long last."""
    short = {candidate.method.name: candidate.method for candidate in CANDIDATES["classification"]}
    yield from (short[name] for names in PEERS.values() for name in names)
    yield scaled("SVM", "sklearn.svm.SVC", probability=True)
    yield booster("XGBoost", "xgboost.XGBClassifier", enable_categorical=True)
    yield MethodSpec("gaussian process", "covey.GaussianProcessClassifier")
    yield from (MethodSpec(id, f"covey:{id}") for ids in PUBLISHED.values() for id in ids if id != "covey")
    yield from (one.method for one in COMBINATIONS)
    yield MethodSpec("covey", "covey:covey")


def datasets(names: list[str] | None) -> list[Dataset]:
    """Return the datasets of the study."""
    every = datasets_of("classification", names)
    return [data for data in every if data.n_rows <= MOST_ROWS and data.n_features <= MOST_COLUMNS]


def main() -> None:
    """Run what is lacking, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, repeats=10, out="build/families")
    parser.add_argument("--times", action="store_true", help="measure processor time on five datasets, fit no others")
    arguments = parser.parse_args()
    loaded = datasets(arguments.datasets)
    if arguments.times:
        write_times(usable(methods(), arguments.methods), loaded, arguments.out)
    elif not arguments.report:
        protocol = CycledFolds(arguments.repeats, 2, stratified=True)
        chosen = usable(methods(), arguments.methods)
        carry_out("families", "classification", loaded, chosen, protocol, arguments.out / "stores", arguments)
    pairs = {one.method.name: one.parents for one in COMBINATIONS}
    write_report(arguments.out, loaded, families(), pairs, Path("docs") if arguments.docs else None)


if __name__ == "__main__":
    main()
