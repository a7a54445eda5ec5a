"""Fields of arrays: numbers of one type and shape, labels, and names of columns."""

from __future__ import annotations

from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.models.field import LARGEST, Dimension, Field, Sizes, bind, require


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
