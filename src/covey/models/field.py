"""Fields of single values and arrays: what a saved number, text or array may be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite, isnan
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

Sizes = dict[str, int]
# The name of a size, a number, or None for any length.
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
    """Hold a length to its declared dimension."""
    if dimension is None:
        return
    expected = sizes.setdefault(dimension, value) if isinstance(dimension, str) else dimension
    if value != expected:
        name = f" {dimension}" if isinstance(dimension, str) else ""
        raise RefusedError(f"has length {value}, but there are {expected}{name}")


class Field:
    """What an attribute may be; a field that JSON can hold as it is needs to define `_check` alone."""

    # Whether the attribute may be absent.
    optional = False

    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return a value as JSON holds it; arrays go into the file's pools."""
        return self._write(value, writer, sizes)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return the value of what JSON holds."""
        return self._read(node, reader, sizes)

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        return self._check(value, sizes)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        return self._check(node, sizes)

    def _check(self, value: Any, sizes: Sizes) -> Any:
        raise NotImplementedError


class Nothing(Field):
    """None."""

    def _check(self, value: Any, sizes: Sizes) -> None:
        require(value is None, "is not None")


class Flag(Field):
    """True or False."""

    def _check(self, value: Any, sizes: Sizes) -> bool:
        require(isinstance(value, bool | np.bool_), "is neither True nor False")
        return bool(value)


class Whole(Field):
    """An integer in a range; it may be the size of that name."""

    def __init__(self, low: int = 0, high: int = 2**63 - 1, *, size: str | None = None) -> None:
        self.low = low
        self.high = high
        self.size = size

    def _check(self, value: Any, sizes: Sizes) -> int:
        require(isinstance(value, Integral) and not isinstance(value, bool), "is no integer")
        number = int(value)
        require(self.low <= number <= self.high, f"is {number}, which is not from {self.low} to {self.high}")
        bind(sizes, self.size, number)
        return number


class Number(Field):
    """A number in a range; whole ones stay whole, and what JSON has no number for is written by its name."""

    def __init__(
        self, low: float = -LARGEST, high: float = LARGEST, *, nan: bool = False, infinite: bool = False
    ) -> None:
        self.low = low
        self.high = high
        self.nan = nan
        self.infinite = infinite

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        number = self._check(value, sizes)
        return number if isfinite(number) else repr(float(number))

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        return self._check(float(node) if node in ("nan", "inf", "-inf") else node, sizes)

    def _check(self, value: Any, sizes: Sizes) -> int | float:
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

    def _check(self, value: Any, sizes: Sizes) -> str:
        require(isinstance(value, str), "is no text")
        require(not self.options or value in self.options, f"is none of {', '.join(self.options)}")
        return str(value)


class Array(Field):
    """An array of one type, the very one that compiled code is given, and shape, with its numbers in a range."""

    def __init__(
        self,
        dtype: type,
        *shape: Dimension,
        low: float | None = None,
        high: float | None = None,
        below: str | None = None,
        nan: bool = False,
        infinite: bool = False,
        shared: bool = False,
    ) -> None:
        self.dtype = np.dtype(dtype)
        self.shape = shape
        inexact = self.dtype.kind == "f"
        self.low = -LARGEST if low is None and inexact else low
        self.high = LARGEST if high is None and inexact else high
        self.below = below  # the name of a size that all numbers stay below, as positions in something of that size
        self.nan = nan
        self.infinite = infinite
        self.shared = shared  # whether the same array may stand in several places, such as members of an ensemble

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        require(isinstance(value, np.ndarray), "is no array")
        self._check_array(value, sizes, is_new=True)
        return writer.add_array(value, shared=self.shared)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        array, is_new = reader.array(node, self)
        self._check_array(array, sizes, is_new=is_new)
        return array

    def _check_array(self, array: NDArray[Any], sizes: Sizes, *, is_new: bool) -> None:
        require(array.dtype == self.dtype, f"holds {array.dtype}, not {self.dtype}")
        require(array.ndim == len(self.shape), f"has {array.ndim} dimensions, not {len(self.shape)}")
        for length, dimension in zip(array.shape, self.shape, strict=True):
            bind(sizes, dimension, length)
        if is_new and array.size:
            self._check_values(array)
        if self.below is not None and array.size:
            require(int(array.max()) < sizes[self.below], f"points beyond the {sizes[self.below]} {self.below}")

    def _check_values(self, array: NDArray[Any]) -> None:
        if self.dtype.kind == "f" and not np.isfinite(array).all():
            require(self.nan or not np.isnan(array).any(), "holds NaN")
            require(self.infinite or not np.isinf(array).any(), "holds infinite numbers")
            array = array[np.isfinite(array)]
            if not array.size:
                return
        if self.low is not None:
            require(array.min() >= self.low, f"holds {array.min():g}, which is less than {self.low:g}")
        if self.high is not None:
            require(array.max() <= self.high, f"holds {array.max():g}, which is more than {self.high:g}")


class Labels(Field):
    """A vector of class labels or categories: numbers, booleans or text, and a missing value if NaN is allowed."""

    def __init__(self, size: Dimension = None, *, nan: bool = False, distinct: bool = False) -> None:
        self.size = size
        self.nan = nan
        self.distinct = distinct

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        require(isinstance(value, np.ndarray) and value.ndim == 1, "is no vector of labels")
        bind(sizes, self.size, len(value))
        if value.dtype.kind in "biuf":
            self._check_numbers(value)
            return writer.add_array(value, shared=True)
        texts = value.tolist()
        missing = [text for text in texts if isinstance(text, float) and isnan(text)]
        require(
            value.dtype.kind in "UO" and all(isinstance(text, str) for text in texts if text not in missing),
            "holds labels that are neither numbers nor text",
        )
        require(not missing or self.nan, "holds NaN")
        return {"text" if value.dtype.kind == "U" else "objects": [t if isinstance(t, str) else None for t in texts]}

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        if isinstance(node, dict) and len(node) == 1 and next(iter(node)) in ("text", "objects"):
            ((kind, texts),) = node.items()
            require(
                isinstance(texts, list) and all(isinstance(t, str) or (t is None and self.nan) for t in texts),
                "holds labels that are no text",
            )
            labels: NDArray[Any] = np.empty(len(texts), dtype=object)
            labels[:] = [np.nan if text is None else text for text in texts]
            if kind == "text":
                require(None not in texts, "holds labels that are no text")
                reader.spend(4 * len(texts) * max(map(len, texts), default=0))
                labels = labels.astype(str) if texts else np.empty(0, dtype="U1")
        else:
            labels, _ = reader.array(node, self)
            require(labels.ndim == 1, "is no vector of labels")
            self._check_numbers(labels)
        bind(sizes, self.size, len(labels))
        require(not self.distinct or len(set(labels.tolist())) == len(labels), "holds a label twice")
        return labels

    def _check_numbers(self, numbers: NDArray[Any]) -> None:
        require(self.nan or not (numbers.dtype.kind == "f" and np.isnan(numbers).any()), "holds NaN")


class Names(Field):
    """Names of columns, as an array of Python's strings, all different, or as a tuple of them."""

    def __init__(self, size: Dimension, kind: type = np.ndarray) -> None:
        self.size = size
        self.kind = kind

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        require(isinstance(value, self.kind), "are no names")
        return self._check(list(value), sizes)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        require(isinstance(node, list), "are no names")
        names = self._check(node, sizes)
        return tuple(names) if self.kind is tuple else np.array([*names, None], dtype=object)[:-1]

    def _check(self, value: list[Any], sizes: Sizes) -> list[str]:
        require(all(isinstance(name, str) for name in value), "are no names")
        require(self.kind is tuple or len(set(value)) == len(value), "holds a name twice")
        bind(sizes, self.size, len(value))
        return [str(name) for name in value]
