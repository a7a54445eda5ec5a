"""Ensembles: members grown in independent chains, and their votes."""

from __future__ import annotations

from covey.ensemble.chain import Chain, grow_chain
from covey.ensemble.classifier import BaseEnsembleClassifier, EnsembleClassifier
from covey.ensemble.member import Member, Plan, chain_lengths
from covey.ensemble.regressor import BaseEnsembleRegressor, EnsembleRegressor

__all__ = [
    "BaseEnsembleClassifier",
    "BaseEnsembleRegressor",
    "Chain",
    "EnsembleClassifier",
    "EnsembleRegressor",
    "Member",
    "Plan",
    "chain_lengths",
    "grow_chain",
]
