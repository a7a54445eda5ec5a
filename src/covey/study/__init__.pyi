from .cell import Cell as Cell, run_cell as run_cell
from .checks import StudyError as StudyError, check_study as check_study
from .data import DataSpec as DataSpec
from .files import read_study as read_study
from .layout import cells_of as cells_of
from .outcome import Outcome as Outcome
from .plans import Fit as Fit, FitPlan as FitPlan, Protocol as Protocol
from .progress import Progress as Progress
from .protocols import (
    BootstrapSamples as BootstrapSamples,
    CycledFolds as CycledFolds,
    DisjointSamples as DisjointSamples,
    FreshSamples as FreshSamples,
)
from .record import DataRecord as DataRecord, MethodRecord as MethodRecord, StudyRecord as StudyRecord
from .repeats import (
    FitFailedError as FitFailedError,
    Repeats as Repeats,
    Run as Run,
    repeat_predictions as repeat_predictions,
    run_fit as run_fit,
)
from .results import Results as Results
from .run import run_study as run_study
from .spec import MethodSpec as MethodSpec, Study as Study
from .splits import FixedSplit as FixedSplit, Resamples as Resamples
from .store import Store as Store
