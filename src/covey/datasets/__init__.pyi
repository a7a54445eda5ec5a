from .arff import ArffFile as ArffFile, read_arff as read_arff
from .catalogue import available as available, load as load
from .dataset import Dataset as Dataset, DatasetInfo as DatasetInfo, Provenance as Provenance
from .errors import (
    DataFormatError as DataFormatError,
    DatasetDownloadError as DatasetDownloadError,
    DatasetNotFoundError as DatasetNotFoundError,
)
from .generators import (
    ClassificationTask as ClassificationTask,
    GaussianMixtureTask as GaussianMixtureTask,
    IrrelevantFeatures as IrrelevantFeatures,
    LayeredCakeTask as LayeredCakeTask,
    LedTask as LedTask,
    LinearModel as LinearModel,
    SimulatedLogisticTask as SimulatedLogisticTask,
    SimulatedRegressionTask as SimulatedRegressionTask,
    WaveformTask as WaveformTask,
    add_irrelevant as add_irrelevant,
    make_layered_cake as make_layered_cake,
    make_led as make_led,
    make_ringnorm as make_ringnorm,
    make_simulated_logistic as make_simulated_logistic,
    make_simulated_regression as make_simulated_regression,
    make_threenorm as make_threenorm,
    make_twonorm as make_twonorm,
    make_waveform as make_waveform,
    ringnorm_task as ringnorm_task,
    simulated_logistic_task as simulated_logistic_task,
    simulated_regression_task as simulated_regression_task,
    threenorm_task as threenorm_task,
    twonorm_task as twonorm_task,
)
from .header import Attribute as Attribute
from .keel import read_keel as read_keel
from .memory import from_frame as from_frame
from .tables import read_table as read_table
