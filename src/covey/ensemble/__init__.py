"""Ensembles: members grown in independent chains, and their votes."""

from __future__ import annotations

from covey.ensemble.chain import Chain, grow_chain
from covey.ensemble.classifier import BaseEnsembleClassifier, EnsembleClassifier
from covey.ensemble.committee import RandomCommitteeClassifier, StochasticCommitteeClassifier
from covey.ensemble.feature_subsets import FeatureSubsetNeighborsClassifier
from covey.ensemble.member import Member, Plan, chain_lengths
from covey.ensemble.multistrategy import BoostingClassifier, MultiBoostClassifier, WaggingClassifier
from covey.ensemble.one_vs_one import OneVsOneClassifier
from covey.ensemble.random_subspace import RandomSubspaceClassifier, RandomSubspaceRegressor
from covey.ensemble.regressor import BaseEnsembleRegressor, EnsembleRegressor
from covey.ensemble.rotation_forest import RotationForestClassifier, RotationForestRegressor
from covey.ensemble.spheres import (
    BorderSphereEnsembleClassifier,
    SphereEnsembleClassifier,
    SubspaceSphereEnsembleClassifier,
)
from covey.ensemble.triskel import TriskelClassifier

__all__ = [
    "BaseEnsembleClassifier",
    "BaseEnsembleRegressor",
    "BoostingClassifier",
    "BorderSphereEnsembleClassifier",
    "Chain",
    "EnsembleClassifier",
    "EnsembleRegressor",
    "FeatureSubsetNeighborsClassifier",
    "Member",
    "MultiBoostClassifier",
    "OneVsOneClassifier",
    "Plan",
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
    "chain_lengths",
    "grow_chain",
]
