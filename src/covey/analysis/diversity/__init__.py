"""Diversity of the members of an ensemble, from what each of them predicts."""

from __future__ import annotations

from covey.analysis.diversity.measure import Diversity, measure_diversity
from covey.analysis.diversity.oracle import (
    coincident_failure_diversity,
    difficulty,
    entropy_measure,
    generalized_diversity,
    interrater_kappa,
    kohavi_wolpert_variance,
)
from covey.analysis.diversity.pairs import KappaError, Pairs, kappa_error_points, pairwise
from covey.analysis.diversity.votes import (
    Margins,
    ensemble_error,
    individual_error,
    margins,
    vote_entropy,
    weighted_variance,
)

__all__ = [
    "Diversity",
    "KappaError",
    "Margins",
    "Pairs",
    "coincident_failure_diversity",
    "difficulty",
    "ensemble_error",
    "entropy_measure",
    "generalized_diversity",
    "individual_error",
    "interrater_kappa",
    "kappa_error_points",
    "kohavi_wolpert_variance",
    "margins",
    "measure_diversity",
    "pairwise",
    "vote_entropy",
    "weighted_variance",
]
