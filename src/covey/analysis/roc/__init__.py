"""ROC analysis of ensembles of biased classifiers: why and where Triskel helps."""

from __future__ import annotations

from covey.analysis.roc.binary import first_agreement, inclusion_share
from covey.analysis.roc.concavity import Concavity
from covey.analysis.roc.curves import BiasCurve, BiasCurves, bias_curves
from covey.analysis.roc.embedded import BiasedPair, EmbeddedSpace, embedded_space, nested_spaces, round_points
from covey.analysis.roc.point import IsoAccuracy, RocPoint, iso_accuracy, roc_point
from covey.analysis.roc.prediction import Prediction, PredictionCheck, predict_gain

__all__ = [
    "BiasCurve",
    "BiasCurves",
    "BiasedPair",
    "Concavity",
    "EmbeddedSpace",
    "IsoAccuracy",
    "Prediction",
    "PredictionCheck",
    "RocPoint",
    "bias_curves",
    "embedded_space",
    "first_agreement",
    "inclusion_share",
    "iso_accuracy",
    "nested_spaces",
    "predict_gain",
    "roc_point",
    "round_points",
]
