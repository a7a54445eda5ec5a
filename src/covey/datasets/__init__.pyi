from .arff import ArffFile as ArffFile, read_arff as read_arff, read_keel as read_keel
from .arff_text import Attribute as Attribute
from .catalogue import available as available, load as load
from .choice import Part as Part, Reading as Reading
from .dataset import Dataset as Dataset, DatasetInfo as DatasetInfo, Provenance as Provenance
from .errors import (
    DataFormatError as DataFormatError,
    DatasetDownloadError as DatasetDownloadError,
    DatasetNotFoundError as DatasetNotFoundError,
)
from .generators.classification import (
    LayeredCakeTask as LayeredCakeTask,
    LedTask as LedTask,
    WaveformTask as WaveformTask,
    make_layered_cake as make_layered_cake,
    make_led as make_led,
    make_waveform as make_waveform,
)
from .generators.gaussians import (
    GaussianMixtureTask as GaussianMixtureTask,
    make_ringnorm as make_ringnorm,
    make_threenorm as make_threenorm,
    make_twonorm as make_twonorm,
    ringnorm_task as ringnorm_task,
    threenorm_task as threenorm_task,
    twonorm_task as twonorm_task,
)
from .generators.irrelevant import IrrelevantFeatures as IrrelevantFeatures, add_irrelevant as add_irrelevant
from .generators.simulated import (
    LinearModel as LinearModel,
    SimulatedLogisticTask as SimulatedLogisticTask,
    SimulatedRegressionTask as SimulatedRegressionTask,
    make_simulated_logistic as make_simulated_logistic,
    make_simulated_regression as make_simulated_regression,
    simulated_logistic_task as simulated_logistic_task,
    simulated_regression_task as simulated_regression_task,
)
from .generators.task import ClassificationTask as ClassificationTask
from .new_rows import NewRows as NewRows, read_new_rows as read_new_rows
from .roles import from_frame as from_frame
from .tables import read_table as read_table
