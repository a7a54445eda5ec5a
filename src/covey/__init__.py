"""Ensembles whose members disagree usefully.

Public names are resolved when they are first used (PEP 562), so that importing covey costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey import analysis, datasets, plots, report, reproduce, study
    from covey.comparison import Comparison, compare
    from covey.ensemble import (
        BoostingClassifier,
        BorderSphereEnsembleClassifier,
        EnsembleClassifier,
        EnsembleRegressor,
        FeatureSubsetNeighborsClassifier,
        MultiBoostClassifier,
        OneVsOneClassifier,
        RandomCommitteeClassifier,
        RandomSubspaceClassifier,
        RandomSubspaceRegressor,
        RotationForestClassifier,
        RotationForestRegressor,
        SphereEnsembleClassifier,
        StochasticCommitteeClassifier,
        SubspaceSphereEnsembleClassifier,
        TriskelClassifier,
        WaggingClassifier,
    )
    from covey.learners import (
        C45Classifier,
        LeastSquaresRegressor,
        LinearSVMClassifier,
        LogisticClassifier,
        MixedNeighborsClassifier,
        RandomTreeClassifier,
        SelectedNeighborsClassifier,
        SphereCoverClassifier,
    )
    from covey.models import can_save, load_model, read_about, save_model
    from covey.registry import method, methods
    from covey.strategies import (
        AdaBoost,
        Bootstrap,
        BorderResampling,
        Everything,
        EvolvingSubspace,
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
    "FeatureSubsetNeighborsClassifier",
    "MultiBoostClassifier",
    "OneVsOneClassifier",
    "RandomCommitteeClassifier",
    "RandomSubspaceClassifier",
    "RandomSubspaceRegressor",
    "RotationForestClassifier",
    "RotationForestRegressor",
    "SphereEnsembleClassifier",
    "StochasticCommitteeClassifier",
    "SubspaceSphereEnsembleClassifier",
    "TriskelClassifier",
    "WaggingClassifier",
)

_LEARNERS = (
    "C45Classifier",
    "LeastSquaresRegressor",
    "LinearSVMClassifier",
    "LogisticClassifier",
    "MixedNeighborsClassifier",
    "RandomTreeClassifier",
    "SelectedNeighborsClassifier",
    "SphereCoverClassifier",
)

_STRATEGIES = (
    "AdaBoost",
    "BorderResampling",
    "Bootstrap",
    "Everything",
    "EvolvingSubspace",
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
    **dict.fromkeys(_ENSEMBLES, "ensemble"),
    **dict.fromkeys(_LEARNERS, "learners"),
    **dict.fromkeys(("can_save", "load_model", "read_about", "save_model"), "models"),
    **dict.fromkeys(("method", "methods"), "registry"),
    **dict.fromkeys(_STRATEGIES, "strategies"),
    **dict.fromkeys(("Comparison", "compare"), "comparison"),
    **dict.fromkeys(("analysis", "datasets", "plots", "report", "reproduce", "study"), ""),
}

__all__ = [
    "AdaBoost",
    "BoostingClassifier",
    "Bootstrap",
    "BorderResampling",
    "BorderSphereEnsembleClassifier",
    "C45Classifier",
    "Comparison",
    "EnsembleClassifier",
    "EnsembleRegressor",
    "Everything",
    "EvolvingSubspace",
    "FeatureSubsetNeighborsClassifier",
    "LeastSquaresRegressor",
    "LinearSVMClassifier",
    "LogisticClassifier",
    "MajorityVote",
    "MeanProbability",
    "MeanValue",
    "MixedNeighborsClassifier",
    "MultiBoostClassifier",
    "OneVsOneClassifier",
    "RandomCommitteeClassifier",
    "RandomSubspace",
    "RandomSubspaceClassifier",
    "RandomSubspaceRegressor",
    "RandomTreeClassifier",
    "Rotation",
    "RotationForestClassifier",
    "RotationForestRegressor",
    "SelectedNeighborsClassifier",
    "SphereCoverClassifier",
    "SphereEnsembleClassifier",
    "StochasticCommitteeClassifier",
    "SubspaceSphereEnsembleClassifier",
    "TriskelClassifier",
    "Wagging",
    "WaggingClassifier",
    "WeightedSubspace",
    "WeightedVote",
    "analysis",
    "can_save",
    "compare",
    "datasets",
    "load_model",
    "method",
    "methods",
    "plots",
    "read_about",
    "report",
    "reproduce",
    "save_model",
    "study",
]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
