from __future__ import annotations

import pytest
from numba import types

from covey.kernels.compile import WITHOUT_COMPILER, kernel, several


@pytest.mark.skipif(WITHOUT_COMPILER, reason="there are no types")
@pytest.mark.parametrize("result", [types.float64[::1], several(types.int64, types.float64[::1])])
def test_kernels_that_return_arrays_are_refused(result):
    with pytest.raises(TypeError, match=r"A kernel may not return .*; give it arrays to fill in"):
        kernel(result(types.int64))
