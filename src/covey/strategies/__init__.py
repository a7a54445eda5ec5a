"""Strategies: small objects that say how the members of an ensemble come to differ and how their votes are counted.

A strategy holds parameters only and does the same thing again when it is given the same random generator, so it can be
cloned, searched over (``subspace__size``) and used from several threads at once.
"""

from __future__ import annotations

from covey.strategies.combine import Combine, MajorityVote, MeanProbability, MeanValue, WeightedVote
from covey.strategies.draw import Bootstrap, Draw, Everything, Wagging
from covey.strategies.evolving import EvolvingSubspace
from covey.strategies.ledger import Ledger, Round
from covey.strategies.reweight import AdaBoost, BorderResampling, Lesson, Reweight, Step
from covey.strategies.rotation import Rotation
from covey.strategies.subspace import RandomSubspace, Subspace, WeightedSubspace

__all__ = [
    "AdaBoost",
    "Bootstrap",
    "BorderResampling",
    "Combine",
    "Draw",
    "Everything",
    "EvolvingSubspace",
    "Ledger",
    "Lesson",
    "MajorityVote",
    "MeanProbability",
    "MeanValue",
    "RandomSubspace",
    "Reweight",
    "Rotation",
    "Round",
    "Step",
    "Subspace",
    "Wagging",
    "WeightedSubspace",
    "WeightedVote",
]
