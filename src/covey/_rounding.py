"""Numbers as text, rounded as people round them.

Python rounds the binary value of a float, and ties to the even digit: 3.125 becomes 3.12, and 2.675, a little less in
binary, 2.67. Papers print 3.13 and 2.68. Here a number is first taken as the shortest decimal that reads back as the
same float, which is what a person would say it is, and that decimal is rounded half away from zero.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

# The largest float has 309 digits before the point, and a format at most 99 after it.
_EXACT = Context(prec=450, rounding=ROUND_HALF_UP)
_FORMAT = re.compile(r"(?P<sign>\+?)(?P<comma>,?)(?:\.(?P<digits>\d{1,2}))?(?P<kind>[feg%])|\+?,?d|p")
_LEAST_P = 1e-4


def is_number(value: Any) -> bool:
    """Whether a value is a real number; True and False are none."""
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def check_format(spec: Any, what: str) -> None:
    """Refuse what is no format of a number."""
    if not isinstance(spec, str):
        raise TypeError(f"{what}={spec!r} must be text such as '.3f'.")
    if _FORMAT.fullmatch(spec) is None:
        raise ValueError(
            f"{what}={spec!r} is no format of a number; give one such as '.2f', '.3g', '.1e', ',d', '+.2f', "
            "'%' for percent with one decimal, or 'p' for p-values. Widths and alignment come from the table."
        )


def as_decimal(value: Any) -> Decimal:
    """Return the shortest decimal that reads back as the same number."""
    if isinstance(value, Integral):
        return Decimal(int(value))
    if isinstance(value, np.floating | Decimal):  # a short float, too, has shortest digits of its own
        return Decimal(str(value))
    return Decimal(repr(float(value)))


def round_half_up(value: Any, decimals: int) -> Decimal:
    """Return a finite number rounded to some decimals, ties away from zero, and never as negative zero.

    Examples
    --------
    >>> print(round_half_up(3.125, 2), round_half_up(2.675, 2), round_half_up(-0.5, 0), round_half_up(-0.001, 2))
    3.13 2.68 -1 0.00
    """
    rounded = as_decimal(value).quantize(Decimal(1).scaleb(-decimals, _EXACT), context=_EXACT)
    return rounded or abs(rounded)


def write_number(value: Any, spec: str | None) -> str:
    """Return a number, which may be infinite but not NaN, as plain text, by a format that `check_format` accepts.

    That is one of Python's, save for the rounding; "p", four decimals, or "<0.0001" below that; "%", percent with one
    decimal; or None for the shortest text that reads back as the same number.
    """
    if not isinstance(value, Integral) and not as_decimal(value).is_finite():
        return "∞" if value > 0 else "-∞"
    if spec is None:
        return str(int(value)) if isinstance(value, Integral) else str(value)
    if spec == "p":
        return "<0.0001" if 0 <= value < _LEAST_P else f"{round_half_up(value, 4):f}"
    if spec.endswith("d"):
        return format(round_half_up(value, 0), f"{spec[:-1]}f")
    format_parts = _FORMAT.fullmatch(spec)
    assert format_parts is not None
    flags, kind = format_parts["sign"] + format_parts["comma"], format_parts["kind"]
    if kind in "eg":
        return _significant(value, spec, kind, int(format_parts["digits"] or 6))
    if kind == "%":
        percent = as_decimal(value).scaleb(2, _EXACT)
        return format(round_half_up(percent, int(format_parts["digits"] or 1)), f"{flags}f") + "%"
    return format(round_half_up(value, int(format_parts["digits"] or 6)), f"{flags}f")


def _significant(value: Any, spec: str, kind: str, digits: int) -> str:
    """Round to significant digits, half away from zero; the float nearest to the outcome is then written exactly so."""
    number = as_decimal(value)
    if number:
        number = round_half_up(number, (digits if kind == "e" else max(digits, 1) - 1) - number.adjusted())
    nearest = float(number or abs(number))
    return format(nearest if isfinite(nearest) else float(value), spec)  # the largest floats may round up to none
