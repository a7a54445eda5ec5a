from .classifier import CoveyClassifier as CoveyClassifier
from .regressor import CoveyRegressor as CoveyRegressor
