"""How many: a number, a share of what there is, or a rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

RULES: dict[str, Callable[[int], float]] = {
    "sqrt": math.sqrt,
    "log2": lambda total: math.log2(total) + 1,
    "third": lambda total: total / 3,
}

Size = int | float | str


def resolve_size(size: Size, total: int, *, name: str, of: str, limit: bool = True) -> int:
    """Turn a size into a count of at least 1.

    Parameters
    ----------
    size : int, float or str
        A count, a share of the total (rounded), or one of "sqrt", "log2" (plus one) and "third".
    total : int
        What there is.
    name, of : str
        The parameter and the things counted, for the error message.
    limit : bool
        Whether asking for more than there are is an error.
    """
    if isinstance(size, str) and size in RULES:
        return max(1, round(RULES[size](total)))
    number: Any = size
    if isinstance(number, bool) or not isinstance(number, Real) or not math.isfinite(number) or number <= 0:
        raise ValueError(f"{name}={size!r} must be a positive count, a positive share or one of {sorted(RULES)}.")
    count = int(number) if isinstance(number, Integral) else max(1, round(float(number) * total))
    if limit and count > total:
        raise ValueError(f"{name}={size!r} asks for {count} {of}, but there are {total}; ask for at most {total}.")
    return count
