from .discretize import MDLDiscretizer as MDLDiscretizer, mdl_cut_points as mdl_cut_points
from .relief import relieff as relieff
from .select import (
    SelectAttributes as SelectAttributes,
    chi_squared as chi_squared,
    information_gain as information_gain,
)
