"""Ensembles whose members disagree usefully.

Public names are resolved when they are first used (PEP 562), so that importing covey costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from covey import datasets
    from covey.ensemble import (
        BoostingClassifier,
        BorderSphereEnsembleClassifier,
        EnsembleClassifier,
        EnsembleRegressor,
        MultiBoostClassifier,
        RandomCommitteeClassifier,
        RotationForestClassifier,
        RotationForestRegressor,
        SphereEnsembleClassifier,
        StochasticCommitteeClassifier,
        SubspaceSphereEnsembleClassifier,
        WaggingClassifier,
    )
    from covey.learners import C45Classifier, RandomTreeClassifier, SphereCoverClassifier
    from covey.persistence import load_model, save_model
    from covey.registry import method, methods
    from covey.strategies import (
        AdaBoost,
        Bootstrap,
        BorderResampling,
        Everything,
        MajorityVote,
        MeanProbability,
        MeanValue,
        RandomSubspace,
        Rotation,
        Wagging,
        WeightedSubspace,
        WeightedVote,
    )

__version__ = "0.1.0.dev0"

_ENSEMBLES = (
    "BoostingClassifier",
    "BorderSphereEnsembleClassifier",
    "EnsembleClassifier",
    "EnsembleRegressor",
    "MultiBoostClassifier",
    "RandomCommitteeClassifier",
    "RotationForestClassifier",
    "RotationForestRegressor",
    "SphereEnsembleClassifier",
    "StochasticCommitteeClassifier",
    "SubspaceSphereEnsembleClassifier",
    "WaggingClassifier",
)

_STRATEGIES = (
    "AdaBoost",
    "BorderResampling",
    "Bootstrap",
    "Everything",
    "MajorityVote",
    "MeanProbability",
    "MeanValue",
    "RandomSubspace",
    "Rotation",
    "Wagging",
    "WeightedSubspace",
    "WeightedVote",
)

_HOMES = {
    **dict.fromkeys(_ENSEMBLES, "covey.ensemble"),
    **dict.fromkeys(("C45Classifier", "RandomTreeClassifier", "SphereCoverClassifier"), "covey.learners"),
    **dict.fromkeys(("load_model", "save_model"), "covey.persistence"),
    **dict.fromkeys(("method", "methods"), "covey.registry"),
    **dict.fromkeys(_STRATEGIES, "covey.strategies"),
}

__all__ = [
    "AdaBoost",
    "BoostingClassifier",
    "Bootstrap",
    "BorderResampling",
    "BorderSphereEnsembleClassifier",
    "C45Classifier",
    "EnsembleClassifier",
    "EnsembleRegressor",
    "Everything",
    "MajorityVote",
    "MeanProbability",
    "MeanValue",
    "MultiBoostClassifier",
    "RandomCommitteeClassifier",
    "RandomSubspace",
    "RandomTreeClassifier",
    "Rotation",
    "RotationForestClassifier",
    "RotationForestRegressor",
    "SphereCoverClassifier",
    "SphereEnsembleClassifier",
    "StochasticCommitteeClassifier",
    "SubspaceSphereEnsembleClassifier",
    "Wagging",
    "WaggingClassifier",
    "WeightedSubspace",
    "WeightedVote",
    "datasets",
    "load_model",
    "method",
    "methods",
    "save_model",
]


def __getattr__(name: str) -> Any:
    if name == "datasets":
        return import_module("covey.datasets")
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'covey' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
