from .binary import (
    first_agreement as first_agreement,
    inclusion_share as inclusion_share,
)
from .curves import (
    BiasCurve as BiasCurve,
    BiasCurves as BiasCurves,
    bias_curves as bias_curves,
)
from .embedded import (
    BiasedPair as BiasedPair,
    EmbeddedSpace as EmbeddedSpace,
    embedded_space as embedded_space,
    nested_spaces as nested_spaces,
    round_points as round_points,
)
from .point import (
    Concavity as Concavity,
    IsoAccuracy as IsoAccuracy,
    RocPoint as RocPoint,
    iso_accuracy as iso_accuracy,
    roc_point as roc_point,
)
from .prediction import (
    Prediction as Prediction,
    PredictionCheck as PredictionCheck,
    predict_gain as predict_gain,
)
