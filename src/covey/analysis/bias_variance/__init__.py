"""Bias and variance: where the errors of a learner come from, seen in models of different training samples."""

from __future__ import annotations

from covey.analysis.bias_variance.decomposition import Ambiguity, Decomposition, SquaredLoss, ambiguity, squared_loss
from covey.analysis.bias_variance.zero_one import (
    Domingos,
    KohaviWolpert,
    KongDietterich,
    domingos,
    kohavi_wolpert,
    kong_dietterich,
)

__all__ = [
    "Ambiguity",
    "Decomposition",
    "Domingos",
    "KohaviWolpert",
    "KongDietterich",
    "SquaredLoss",
    "ambiguity",
    "domingos",
    "kohavi_wolpert",
    "kong_dietterich",
    "squared_loss",
]
