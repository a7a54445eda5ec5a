from .decomposition import (
    Ambiguity as Ambiguity,
    Decomposition as Decomposition,
    SquaredLoss as SquaredLoss,
    ambiguity as ambiguity,
    squared_loss as squared_loss,
)
from .zero_one import (
    Domingos as Domingos,
    KohaviWolpert as KohaviWolpert,
    KongDietterich as KongDietterich,
    domingos as domingos,
    kohavi_wolpert as kohavi_wolpert,
    kong_dietterich as kong_dietterich,
)
