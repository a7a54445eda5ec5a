"""Checks of arguments: every error names the argument, its value and the remedy."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite
from numbers import Integral, Real


def check_count(name: str, value: object, minimum: int) -> None:
    """Raise unless the value is an integer of at least the minimum."""
    remedy = f"give a whole number of at least {minimum}."
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise TypeError(f"{name}={value!r} must be an integer; {remedy}")
    if int(value) < minimum:
        raise ValueError(f"{name}={value!r} is too small; {remedy}")


def check_number(name: str, value: object, low: float = -inf, high: float = inf) -> None:
    """Raise unless the value is a finite real number in the closed interval from low to high."""
    remedy = f"give a finite number between {low:g} and {high:g}."
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}={value!r} must be a real number; {remedy}")
    if not isfinite(value) or not low <= float(value) <= high:
        raise ValueError(f"{name}={value!r} is out of range; {remedy}")


def check_choice(name: str, value: object, choices: Sequence[str]) -> None:
    """Raise unless the value is one of the choices."""
    if value not in choices:
        raise ValueError(f"{name}={value!r} is unknown; choose one of {', '.join(map(repr, choices))}.")
