"""Writing a model: its JSON document, the pools of its arrays, and what other packages have to write."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.models.declaration import declaration_for, declaration_of, id_of
from covey.models.fields import RefusedError, Sizes, inside, require
from covey.models.plain import PLAIN

# The types of arrays that a file holds, one pool for each.
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
# What scikit-learn sets parameters to that it will drop, or that take another's place: other versions know none such.
DEPRECATED = "deprecated"


class Writer:
    """Collects what a file is to hold."""

    def __init__(self) -> None:
        self.pools: dict[str, list[NDArray[Any]]] = {}  # the arrays of each type, one after the other
        self.shared: list[Any] = []  # objects that stand in several places, as JSON
        self.foreign: list[Any] = []  # estimators that declare nothing, which others have to write
        self._lengths: dict[str, int] = {}
        self._places: dict[int, tuple[Any, list[Any]]] = {}
        self._parts: dict[int, tuple[Any, int, Sizes]] = {}

    def add_array(self, array: NDArray[Any], *, shared: bool) -> list[Any]:
        """Put an array at the end of its pool; return the pool's name, the start and the shape."""
        if shared and id(array) in self._places:
            return self._places[id(array)][1]
        name = array.dtype.newbyteorder("=").name
        require(name in DTYPES, f"holds {array.dtype}, which a file has no pool for")
        flat = np.ascontiguousarray(array, dtype=name).reshape(-1)
        start = self._lengths.get(name, 0)
        self.pools.setdefault(name, []).append(flat)
        self._lengths[name] = start + len(flat)
        place = [name, start, *array.shape]
        if shared:
            self._places[id(array)] = (array, place)
        return place

    def part(self, thing: Any, kind: type, *, shared: bool) -> tuple[Any, Sizes]:
        """Return an object that is no estimator as JSON, and its sizes."""
        if shared and id(thing) in self._parts:
            _, place, sizes = self._parts[id(thing)]
            return {"shared": place}, sizes
        declaration, sizes = declaration_of(kind), {}
        values = declaration.values(thing, {})
        assert values is not None  # only an estimator may have no state
        node = declaration.state.write(values, self, sizes)
        if not shared:
            return node, sizes
        self.shared.append(node)
        self._parts[id(thing)] = (thing, len(self.shared) - 1, sizes)
        return {"shared": len(self.shared) - 1}, sizes

    def model(self, model: Any) -> Any:
        """Return an estimator as JSON: what it declares, or where to find it among those that declare nothing."""
        kind: Any = type(model)
        name = id_of(kind)
        if name is not None:
            before = self._mark()
            try:
                return self._declared(model, name)
            except RefusedError:
                self._go_back(before)
        self.foreign.append(model)
        return {"foreign": len(self.foreign) - 1}

    def _declared(self, model: Any, name: str) -> dict[str, Any]:
        declaration = declaration_for(name)
        params = model.get_params(deep=False)
        written = {}
        for key, value in params.items():
            if isinstance(value, str) and value == DEPRECATED:
                continue
            with inside(key):
                written[key] = PLAIN.write(value, self, {})
        values = declaration.values(model, params)
        state = None if values is None else declaration.state.write(values, self, {})
        return {"class": name, "params": written, "state": state}

    def _mark(self) -> tuple[Any, ...]:
        counts = {name: len(arrays) for name, arrays in self.pools.items()}
        return counts, dict(self._lengths), dict(self._places), dict(self._parts), len(self.shared), len(self.foreign)

    def _go_back(self, mark: tuple[Any, ...]) -> None:
        """Forget what was written of a model that turned out to hold something undeclared."""
        counts, self._lengths, self._places, self._parts, n_shared, n_foreign = mark
        self.pools = {name: arrays[: counts[name]] for name, arrays in self.pools.items() if name in counts}
        del self.shared[n_shared:], self.foreign[n_foreign:]
