from .gaussian_process import (
    GaussianProcessClassifier as GaussianProcessClassifier,
    GaussianProcessRegressor as GaussianProcessRegressor,
)
from .least_squares import LeastSquaresRegressor as LeastSquaresRegressor
from .linear_svm import LinearSVMClassifier as LinearSVMClassifier
from .logistic import LogisticClassifier as LogisticClassifier
from .neighbors import (
    MixedNeighborsClassifier as MixedNeighborsClassifier,
    SelectedNeighborsClassifier as SelectedNeighborsClassifier,
)
from .sphere_cover import SphereCoverClassifier as SphereCoverClassifier
from .svm import SVMClassifier as SVMClassifier
from .svm_regressor import SVMRegressor as SVMRegressor
from .tree import Tree as Tree
from .trees import C45Classifier as C45Classifier, RandomTreeClassifier as RandomTreeClassifier
