__version__: str
from . import (
    analysis as analysis,
    datasets as datasets,
    plots as plots,
    report as report,
    reproduce as reproduce,
    study as study,
)
from .combination import CoveyClassifier as CoveyClassifier, CoveyRegressor as CoveyRegressor
from .comparison import Comparison as Comparison, compare as compare
from .ensemble import (
    BoostingClassifier as BoostingClassifier,
    BorderSphereEnsembleClassifier as BorderSphereEnsembleClassifier,
    EnsembleClassifier as EnsembleClassifier,
    EnsembleRegressor as EnsembleRegressor,
    FeatureSubsetNeighborsClassifier as FeatureSubsetNeighborsClassifier,
    FeatureSubsetNeighborsRegressor as FeatureSubsetNeighborsRegressor,
    MultiBoostClassifier as MultiBoostClassifier,
    OneVsOneClassifier as OneVsOneClassifier,
    RandomCommitteeClassifier as RandomCommitteeClassifier,
    RandomSubspaceClassifier as RandomSubspaceClassifier,
    RandomSubspaceRegressor as RandomSubspaceRegressor,
    RotationForestClassifier as RotationForestClassifier,
    RotationForestRegressor as RotationForestRegressor,
    SphereEnsembleClassifier as SphereEnsembleClassifier,
    StochasticCommitteeClassifier as StochasticCommitteeClassifier,
    SubspaceSphereEnsembleClassifier as SubspaceSphereEnsembleClassifier,
    TriskelClassifier as TriskelClassifier,
    WaggingClassifier as WaggingClassifier,
)
from .learners import (
    C45Classifier as C45Classifier,
    GaussianProcessClassifier as GaussianProcessClassifier,
    GaussianProcessRegressor as GaussianProcessRegressor,
    LeastSquaresRegressor as LeastSquaresRegressor,
    LinearSVMClassifier as LinearSVMClassifier,
    LogisticClassifier as LogisticClassifier,
    MixedNeighborsClassifier as MixedNeighborsClassifier,
    RandomTreeClassifier as RandomTreeClassifier,
    SelectedNeighborsClassifier as SelectedNeighborsClassifier,
    SphereCoverClassifier as SphereCoverClassifier,
    SVMClassifier as SVMClassifier,
    SVMRegressor as SVMRegressor,
)
from .models import can_save as can_save, load_model as load_model, read_about as read_about, save_model as save_model
from .registry import method as method, methods as methods
from .strategies import (
    AdaBoost as AdaBoost,
    Bootstrap as Bootstrap,
    BorderResampling as BorderResampling,
    Everything as Everything,
    EvolvingSubspace as EvolvingSubspace,
    MajorityVote as MajorityVote,
    MeanProbability as MeanProbability,
    MeanValue as MeanValue,
    RandomSubspace as RandomSubspace,
    Rotation as Rotation,
    Wagging as Wagging,
    WeightedSubspace as WeightedSubspace,
    WeightedVote as WeightedVote,
)
