"""Single values of a saved object: what a field is, and fields of numbers and text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite, isnan
from numbers import Integral, Real
from typing import Any

import numpy as np

Sizes = dict[str, int]
Dimension = str | int | None

# Sums and products of numbers up to it, as predictions make them, stay finite.
LARGEST = 1e150
# Whole numbers stay below it, so that they can be made floats.
MOST_WHOLE = 2**128


class RefusedError(ValueError):
    """A value that its declaration does not allow; it knows where in the model it stands."""

    def __init__(self, problem: str, path: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = path

    def __str__(self) -> str:
        return f"{self.path} {self.problem}" if self.path else self.problem


def require(holds: Any, problem: str) -> None:
    """Raise RefusedError unless something holds of a loaded object."""
    if not holds:
        raise RefusedError(problem)


@contextmanager
def refusing(problem: str) -> Iterator[None]:
    """Refuse what code that makes an object of a file cannot use, whatever it says of it."""
    try:
        yield
    except RefusedError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise RefusedError(f"{problem}: {error}") from error


@contextmanager
def inside(name: str) -> Iterator[None]:
    """Tell of a refusal where it happened: in the attribute or item of that name."""
    try:
        yield
    except RefusedError as error:
        joint = "" if not error.path or error.path.startswith("[") else "."
        raise RefusedError(error.problem, f"{name}{joint}{error.path}") from error.__cause__


def bind(sizes: Sizes, dimension: Dimension, value: int) -> None:
    """Hold a length to its declared dimension: a number, the name of a size, or None for any length."""
    if dimension is None:
        return
    expected = sizes.setdefault(dimension, value) if isinstance(dimension, str) else dimension
    if value != expected:
        name = f" {dimension}" if isinstance(dimension, str) else ""
        raise RefusedError(f"has length {value}, but there are {expected}{name}")


class Field(ABC):
    """What an attribute may be."""

    # Whether the attribute may be absent.
    optional = False

    @abstractmethod
    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return a value as JSON holds it; arrays go into the file's pools."""

    @abstractmethod
    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return the value of what JSON holds."""


class Flag(Field):
    """True or False."""

    def write(self, value: Any, writer: Any, sizes: Sizes) -> bool:
        """Return Python's bool."""
        require(isinstance(value, bool | np.bool_), "is neither True nor False")
        return bool(value)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> bool:
        """Return what is there."""
        return self.write(node, None, sizes)


class Whole(Field):
    """An integer in a range; it may be the size of that name."""

    def __init__(self, low: int = 0, high: int = 2**63 - 1, *, size: str | None = None) -> None:
        self.low = low
        self.high = high
        self.size = size

    def write(self, value: Any, writer: Any, sizes: Sizes) -> int:
        """Return Python's int."""
        require(isinstance(value, Integral) and not isinstance(value, bool), "is no integer")
        number = int(value)
        require(self.low <= number <= self.high, f"is {number}, which is not from {self.low} to {self.high}")
        bind(sizes, self.size, number)
        return number

    def read(self, node: Any, reader: Any, sizes: Sizes) -> int:
        """Return what is there."""
        return self.write(node, None, sizes)


class Number(Field):
    """A number in a range; whole ones stay whole."""

    def __init__(
        self, low: float = -LARGEST, high: float = LARGEST, *, nan: bool = False, infinite: bool = False
    ) -> None:
        self.low = low
        self.high = high
        self.nan = nan
        self.infinite = infinite

    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return a number, or its name where JSON has none."""
        number = self._check(value)
        return number if isfinite(number) else repr(float(number))

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return the number."""
        return self._check(float(node) if node in ("nan", "inf", "-inf") else node)

    def _check(self, value: Any) -> int | float:
        require(isinstance(value, Real) and not isinstance(value, bool), "is no number")
        number = int(value) if isinstance(value, Integral) else float(value)
        require(isinstance(number, float) or abs(number) < MOST_WHOLE, "is a number of too many digits")
        if isnan(number):
            require(self.nan, "is NaN")
        elif abs(number) == float("inf"):
            require(self.infinite, "is infinite")
        else:
            require(self.low <= number <= self.high, f"is {number:g}, which is not from {self.low:g} to {self.high:g}")
        return number


class Text(Field):
    """A string, any or one of some."""

    def __init__(self, *options: str) -> None:
        self.options = options

    def write(self, value: Any, writer: Any, sizes: Sizes) -> str:
        """Return Python's str."""
        require(isinstance(value, str), "is no text")
        require(not self.options or value in self.options, f"is none of {', '.join(self.options)}")
        return str(value)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> str:
        """Return what is there."""
        return self.write(node, None, sizes)


class Nothing(Field):
    """None."""

    def write(self, value: Any, writer: Any, sizes: Sizes) -> None:
        """Refuse anything else."""
        require(value is None, "is not None")

    def read(self, node: Any, reader: Any, sizes: Sizes) -> None:
        """Refuse anything else."""
        require(node is None, "is not None")
