from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from covey.kernels.compile import Floats, kernel


def an_array(values: Floats) -> NDArray[np.float64]:
    return values


def a_number_and_an_array(values: Floats) -> tuple[int, Floats]:
    return 1, values


@pytest.mark.parametrize("function", [an_array, a_number_and_an_array])
def test_kernels_that_return_arrays_are_refused(function):
    with pytest.raises(TypeError, match=r"A kernel may not return .*; give it arrays to fill in"):
        kernel(function)
