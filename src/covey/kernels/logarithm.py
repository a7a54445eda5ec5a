"""x log2 x, the one function that entropies are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.polynomial import Chebyshev, Polynomial

from covey.kernels.compile import WITHOUT_COMPILER, inlined, loop

# log2(m) for a mantissa m in [1, 2) is log2 of the nearest of 128 points plus a short series in the relative distance.
_BITS = 7
_POINTS = 1.0 + (np.arange(2**_BITS) + 0.5) / 2**_BITS
_TABLE = np.column_stack([1.0 / _POINTS, np.log2(_POINTS)])
_SHIFT = np.int64(52 - _BITS)
_INDEX = np.int64(2**_BITS - 1)
_MANTISSA = np.int64(2**52 - 1)
_ONE = np.int64(1023 << 52)
# The bits of a float64 from 2 ** 52 on end in the number itself; less 2 ** 52 and the bias of an exponent, that is it.
_WHOLE, _WHOLE_BIAS = np.uint64(1075 << 52), 2.0**52 + 1023.0
_C1, _C2, _C3, _C4, _C5 = (math.log2(math.e) * (-1) ** (power + 1) / power for power in range(1, 6))
# log2(1.5 + u) for u in [-0.5, 0.5) by the polynomial that interpolates it at Chebyshev's points.
_S0, _S1, _S2, _S3, _S4, _S5, _S6, _S7, _S8, _S9 = (
    Chebyshev.interpolate(lambda u: np.log2(1.5 + u), 9, [-0.5, 0.5]).convert(kind=Polynomial).coef.tolist()
)


def _bits(typingctx: Any, value: Any) -> Any:
    """The bits of a float64 as an int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.IntType(64))

    return types.int64(types.float64), codegen


def _float(typingctx: Any, value: Any) -> Any:
    """The float64 whose bits an int64 has."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(args[0], ir.DoubleType())

    return types.float64(types.int64), codegen


_bits_of: Any = intrinsic(_bits)
_float_of: Any = intrinsic(_float)


def _by_library(x: float) -> float:
    return x * math.log2(x) if x > 1e-300 else 0.0


def _by_table(x: float) -> float:
    if x <= 1e-300:
        return 0.0
    bits = _bits_of(x)
    mantissa = _float_of((bits & _MANTISSA) | _ONE)
    index = (bits >> _SHIFT) & _INDEX
    r = mantissa * _TABLE[index, 0] - 1.0
    series = r * (_C1 + r * (_C2 + r * (_C3 + r * (_C4 + r * _C5))))
    return float(x * (np.float64((bits >> np.int64(52)) - np.int64(1023)) + (_TABLE[index, 1] + series)))


def _by_series(x: float) -> float:
    bits = np.uint64(_bits_of(x))
    power = _float_of(np.int64(bits >> np.uint64(52) | _WHOLE)) - _WHOLE_BIAS
    u = _float_of(np.int64(bits) & _MANTISSA | _ONE) - 1.5
    square = u * u
    low = (_S0 + _S1 * u) + square * (_S2 + _S3 * u)
    high = (_S4 + _S5 * u) + square * (_S6 + _S7 * u) + square * square * (_S8 + _S9 * u)
    return float(x * (power + (low + square * square * high)))


# Twice as fast as the C library's logarithm, and as exact as the sums it goes into.
xlog2x = loop(_by_library if WITHOUT_COMPILER else _by_table)
# Within 1e-8 of x, without a branch or a table, so that a loop over an array takes several numbers at a time; 0 at 0.
rough_xlog2x = inlined(_by_library if WITHOUT_COMPILER else _by_series)
