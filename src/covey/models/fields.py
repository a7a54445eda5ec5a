"""Fields: what a declared attribute of a saved object may be.

A class that can be saved declares its fitted state once, as a table of names and fields (``_state``). A field writes a
value into a model file, reads it back and checks it, with the same rules both ways: type, shape, range, and how the
sizes of an object's arrays relate. Sizes have names: all arrays of an object that name the same one have to agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import isfinite, isnan
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


class Array(Field):
    """An array of one type and shape, with its numbers in a range.

    Parameters
    ----------
    dtype : type
        The very type that compiled code is given.
    *shape : str, int or None
        Its dimensions: the name of a size, a number, or None for any.
    low, high : float
        The range of its numbers.
    below : str, optional
        The name of a size that all numbers stay below: they are positions in something of that size.
    nan, infinite : bool
        Whether numbers may be NaN, or infinite.
    shared : bool
        Whether the same array may stand in several places, as one that all members of an ensemble refer to does.
    """

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
        self.below = below
        self.nan = nan
        self.infinite = infinite
        self.shared = shared

    def write(self, value: Any, writer: Any, sizes: Sizes) -> list[Any]:
        """Put the array into the pool of its type and return where it stands."""
        require(isinstance(value, np.ndarray), "is no array")
        self._check(value, sizes)
        place: list[Any] = writer.add_array(value, shared=self.shared)
        return place

    def read(self, node: Any, reader: Any, sizes: Sizes) -> NDArray[Any]:
        """Return the array that stands there."""
        array: NDArray[Any]
        array, is_new = reader.array(node, self)
        self._check(array, sizes, values=is_new)
        return array

    def _check(self, array: NDArray[Any], sizes: Sizes, *, values: bool = True) -> None:
        require(array.dtype == self.dtype, f"holds {array.dtype}, not {self.dtype}")
        require(array.ndim == len(self.shape), f"has {array.ndim} dimensions, not {len(self.shape)}")
        for length, dimension in zip(array.shape, self.shape, strict=True):
            bind(sizes, dimension, length)
        if values and array.size:
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
    """A vector of class labels or categories: numbers, booleans or text.

    Parameters
    ----------
    size : str, int or None
        Its length.
    nan : bool
        Whether a missing value may be among them.
    distinct : bool
        Whether none may be there twice.
    """

    def __init__(self, size: Dimension = None, *, nan: bool = False, distinct: bool = False) -> None:
        self.size = size
        self.nan = nan
        self.distinct = distinct

    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return text as it is, and where an array of numbers stands."""
        require(isinstance(value, np.ndarray) and value.ndim == 1, "is no vector of labels")
        bind(sizes, self.size, len(value))
        if value.dtype.kind in "biuf":
            require(self.nan or not (value.dtype.kind == "f" and np.isnan(value).any()), "holds NaN")
            return writer.add_array(value, shared=True)
        texts = value.tolist()
        missing = [text for text in texts if isinstance(text, float) and isnan(text)]
        require(
            value.dtype.kind in "UO" and all(isinstance(text, str) for text in texts if text not in missing),
            "holds labels that are neither numbers nor text",
        )
        require(not missing or self.nan, "holds NaN")
        return {"text" if value.dtype.kind == "U" else "objects": [t if isinstance(t, str) else None for t in texts]}

    def read(self, node: Any, reader: Any, sizes: Sizes) -> NDArray[Any]:
        """Return the labels."""
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
            require(self.nan or not (labels.dtype.kind == "f" and np.isnan(labels).any()), "holds NaN")
        bind(sizes, self.size, len(labels))
        require(not self.distinct or len(set(labels.tolist())) == len(labels), "holds a label twice")
        return labels


class Names(Field):
    """Names of columns, as an array of Python's strings, all different, or as a tuple of them."""

    def __init__(self, size: Dimension, kind: type = np.ndarray) -> None:
        self.size = size
        self.kind = kind

    def write(self, value: Any, writer: Any, sizes: Sizes) -> list[str]:
        """Return a list of them."""
        require(isinstance(value, self.kind), "are no names")
        return self._check(list(value), sizes)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return the names."""
        require(isinstance(node, list), "are no names")
        names = self._check(node, sizes)
        return tuple(names) if self.kind is tuple else np.array([*names, None], dtype=object)[:-1]

    def _check(self, names: list[Any], sizes: Sizes) -> list[str]:
        require(all(isinstance(name, str) for name in names), "are no names")
        require(self.kind is tuple or len(set(names)) == len(names), "holds a name twice")
        bind(sizes, self.size, len(names))
        return [str(name) for name in names]


class OrNone(Field):
    """None, or what another field allows."""

    def __init__(self, field: Field) -> None:
        self.field = field

    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return None for None."""
        return None if value is None else self.field.write(value, writer, sizes)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return None for None."""
        return None if node is None else self.field.read(node, reader, sizes)


class Nothing(Field):
    """None."""

    def write(self, value: Any, writer: Any, sizes: Sizes) -> None:
        """Refuse anything else."""
        require(value is None, "is not None")

    def read(self, node: Any, reader: Any, sizes: Sizes) -> None:
        """Refuse anything else."""
        require(node is None, "is not None")


class Maybe(Field):
    """What another field allows, of an attribute that may be absent."""

    optional = True

    def __init__(self, field: Field) -> None:
        self.field = field

    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return what the field makes of it."""
        return self.field.write(value, writer, sizes)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return what the field makes of it."""
        return self.field.read(node, reader, sizes)


class Items(Field):
    """A list or tuple of what another field allows.

    Parameters
    ----------
    field : Field
    size : str, int or None
        Its length.
    kind : {list, tuple}
    """

    def __init__(self, field: Field, size: Dimension = None, kind: type = list) -> None:
        self.field = field
        self.size = size
        self.kind = kind

    def write(self, value: Any, writer: Any, sizes: Sizes) -> list[Any]:
        """Return a list."""
        require(isinstance(value, self.kind), f"is no {self.kind.__name__}")
        return self._each(value, self.field.write, writer, sizes)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return the items."""
        require(isinstance(node, list), "is no list")
        return self.kind(self._each(node, self.field.read, reader, sizes))

    def _each(self, items: Sequence[Any], function: Callable[..., Any], file: Any, sizes: Sizes) -> list[Any]:
        bind(sizes, self.size, len(items))
        made = []
        for place, item in enumerate(items):
            with inside(f"[{place}]"):
                made.append(function(item, file, sizes))
        return made


class Row(Field):
    """A tuple whose items each have a field of their own."""

    def __init__(self, *fields: Field) -> None:
        self.fields = fields

    def write(self, value: Any, writer: Any, sizes: Sizes) -> list[Any]:
        """Return a list."""
        require(isinstance(value, tuple) and len(value) == len(self.fields), f"is no tuple of {len(self.fields)}")
        return [field.write(one, writer, sizes) for field, one in zip(self.fields, value, strict=True)]

    def read(self, node: Any, reader: Any, sizes: Sizes) -> tuple[Any, ...]:
        """Return the tuple."""
        require(isinstance(node, list) and len(node) == len(self.fields), f"is no list of {len(self.fields)}")
        return tuple(field.read(one, reader, sizes) for field, one in zip(self.fields, node, strict=True))


class Table(Field):
    """A dict of numbers to numbers, such as scores by size."""

    def __init__(self, key: Field, value: Field) -> None:
        self.pairs = Items(Row(key, value))

    def write(self, value: Any, writer: Any, sizes: Sizes) -> list[Any]:
        """Return a list of pairs."""
        require(isinstance(value, dict), "is no dict")
        return self.pairs.write(list(value.items()), writer, sizes)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> dict[Any, Any]:
        """Return the dict."""
        return dict(self.pairs.read(node, reader, sizes))


class Part(Field):
    """An object of one class that declares its state.

    Parameters
    ----------
    kind : type or callable
        The class, or a function that returns it where it is not known yet.
    shares : sequence of str
        The sizes that the object has in common with the one that holds it.
    shared : bool
        Whether the same object may stand in several places.
    """

    def __init__(self, kind: Any, shares: Sequence[str] = (), *, shared: bool = False) -> None:
        self.kind = kind
        self.shares = shares
        self.shared = shared

    def _class(self) -> type:
        return self.kind if isinstance(self.kind, type) else self.kind()

    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return the object's state."""
        require(type(value) is self._class(), f"is no {self._class().__name__}")
        node, inner = writer.part(value, self._class(), shared=self.shared)
        self._join(sizes, inner)
        return node

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return the object."""
        part, inner = reader.part(node, self._class(), shared=self.shared)
        self._join(sizes, inner)
        return part

    def _join(self, sizes: Sizes, inner: Mapping[str, int]) -> None:
        for name in self.shares:
            if name in inner:
                bind(sizes, name, inner[name])


class Model(Field):
    """An estimator or strategy, of any class that can be saved or of some.

    Parameters
    ----------
    *kinds : type
        What it must be one of; by default anything.
    """

    def __init__(self, *kinds: type) -> None:
        self.kinds = kinds

    def write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        """Return its class, parameters and state."""
        self._check(value)
        return writer.model(value)

    def read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        """Return the estimator."""
        model = reader.model(node)
        self._check(model)
        return model

    def _check(self, model: Any) -> None:
        require(not self.kinds or isinstance(model, self.kinds), f"is a {type(model).__name__}, which it cannot be")
