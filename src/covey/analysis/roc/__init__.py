"""ROC analysis of ensembles of biased classifiers: why and where Triskel helps."""

from __future__ import annotations

from covey.analysis.roc.agreement import first_agreement, inclusion_share
from covey.analysis.roc.biased_pair import BiasedPair
from covey.analysis.roc.concavity import Concavity
from covey.analysis.roc.curve import BiasCurve
from covey.analysis.roc.curves import BiasCurves
from covey.analysis.roc.embedded import EmbeddedSpace, embedded_space, nested_spaces, round_points
from covey.analysis.roc.from_predictions import bias_curves
from covey.analysis.roc.iso_accuracy import IsoAccuracy, iso_accuracy
from covey.analysis.roc.point import RocPoint, roc_point
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
