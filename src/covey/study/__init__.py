"""Studies: learners trained many times by a protocol, on many datasets, and what they predict."""

from __future__ import annotations

from covey.study.cell import Cell, run_cell
from covey.study.checks import StudyError, check_study
from covey.study.data import DataSpec
from covey.study.files import read_study
from covey.study.layout import cells_of
from covey.study.outcome import Outcome
from covey.study.plans import Fit, FitPlan, Protocol
from covey.study.progress import Progress
from covey.study.protocols import BootstrapSamples, CycledFolds, DisjointSamples, FreshSamples
from covey.study.record import DataRecord, MethodRecord, StudyRecord
from covey.study.repeats import FitFailedError, Repeats, Run, repeat_predictions, run_fit
from covey.study.results import Results
from covey.study.run import run_study
from covey.study.spec import MethodSpec, Study
from covey.study.splits import FixedSplit, Resamples
from covey.study.store import Store

__all__ = [
    "BootstrapSamples",
    "Cell",
    "CycledFolds",
    "DataRecord",
    "DataSpec",
    "DisjointSamples",
    "Fit",
    "FitFailedError",
    "FitPlan",
    "FixedSplit",
    "FreshSamples",
    "MethodRecord",
    "MethodSpec",
    "Outcome",
    "Progress",
    "Protocol",
    "Repeats",
    "Resamples",
    "Results",
    "Run",
    "Store",
    "Study",
    "StudyError",
    "StudyRecord",
    "cells_of",
    "check_study",
    "read_study",
    "repeat_predictions",
    "run_cell",
    "run_fit",
    "run_study",
]
