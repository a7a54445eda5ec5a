"""The papers' artificial data: one ``make_*`` function per generator, returning ``(X, y)``.

Behind each generator is a task that knows its true distribution: it draws samples and, for classification, gives the
posterior class probabilities, the Bayes-optimal rule and the Bayes error.
"""

from __future__ import annotations

from covey.datasets.generators.gaussians import (
    GaussianMixtureTask,
    make_ringnorm,
    make_threenorm,
    make_twonorm,
    ringnorm_task,
    threenorm_task,
    twonorm_task,
)
from covey.datasets.generators.irrelevant import IrrelevantFeatures, add_irrelevant
from covey.datasets.generators.layered_cake import LayeredCakeTask, make_layered_cake
from covey.datasets.generators.led import LedTask, make_led
from covey.datasets.generators.registry import GENERATORS
from covey.datasets.generators.simulated import (
    LinearModel,
    SimulatedLogisticTask,
    SimulatedRegressionTask,
    make_simulated_logistic,
    make_simulated_regression,
    simulated_logistic_task,
    simulated_regression_task,
)
from covey.datasets.generators.task import ClassificationTask
from covey.datasets.generators.waveform import WaveformTask, make_waveform

__all__ = [
    "GENERATORS",
    "ClassificationTask",
    "GaussianMixtureTask",
    "IrrelevantFeatures",
    "LayeredCakeTask",
    "LedTask",
    "LinearModel",
    "SimulatedLogisticTask",
    "SimulatedRegressionTask",
    "WaveformTask",
    "add_irrelevant",
    "make_layered_cake",
    "make_led",
    "make_ringnorm",
    "make_simulated_logistic",
    "make_simulated_regression",
    "make_threenorm",
    "make_twonorm",
    "make_waveform",
    "ringnorm_task",
    "simulated_logistic_task",
    "simulated_regression_task",
    "threenorm_task",
    "twonorm_task",
]
