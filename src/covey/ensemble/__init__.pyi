from .chain import Chain as Chain, grow_chain as grow_chain
from .classifier import BaseEnsembleClassifier as BaseEnsembleClassifier, EnsembleClassifier as EnsembleClassifier
from .committee import (
    RandomCommitteeClassifier as RandomCommitteeClassifier,
    StochasticCommitteeClassifier as StochasticCommitteeClassifier,
)
from .feature_subset_regressor import FeatureSubsetNeighborsRegressor as FeatureSubsetNeighborsRegressor
from .feature_subsets import FeatureSubsetNeighborsClassifier as FeatureSubsetNeighborsClassifier
from .member import Member as Member, Plan as Plan, chain_lengths as chain_lengths
from .multistrategy import (
    BoostingClassifier as BoostingClassifier,
    MultiBoostClassifier as MultiBoostClassifier,
    WaggingClassifier as WaggingClassifier,
)
from .one_vs_one import OneVsOneClassifier as OneVsOneClassifier
from .random_subspace import (
    RandomSubspaceClassifier as RandomSubspaceClassifier,
    RandomSubspaceRegressor as RandomSubspaceRegressor,
)
from .regressor import BaseEnsembleRegressor as BaseEnsembleRegressor, EnsembleRegressor as EnsembleRegressor
from .rotation_forest import (
    RotationForestClassifier as RotationForestClassifier,
    RotationForestRegressor as RotationForestRegressor,
)
from .spheres import (
    BorderSphereEnsembleClassifier as BorderSphereEnsembleClassifier,
    SphereEnsembleClassifier as SphereEnsembleClassifier,
    SubspaceSphereEnsembleClassifier as SubspaceSphereEnsembleClassifier,
)
from .triskel import TriskelClassifier as TriskelClassifier
