"""Studies: learners trained many times by a protocol, and what they predict."""

from __future__ import annotations

from covey.study.plans import Fit, FitPlan
from covey.study.protocols import BootstrapSamples, CycledFolds, FreshSamples, Protocol
from covey.study.repeats import FitFailedError, Repeats, Run, repeat_predictions, run_fit
from covey.study.shelf import Shelf

__all__ = [
    "BootstrapSamples",
    "CycledFolds",
    "Fit",
    "FitFailedError",
    "FitPlan",
    "FreshSamples",
    "Protocol",
    "Repeats",
    "Run",
    "Shelf",
    "repeat_predictions",
    "run_fit",
]
