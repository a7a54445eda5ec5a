"""The document of a model file: estimators written as JSON and pools of arrays, and made of these again, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.models.declaration import Declaration, declaration_for, declaration_of, id_of
from covey.models.fields import Field, RefusedError, Sizes, inside, refusing, require
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


MOST_LEVELS = 24
# More threads than any machine of today has cores.
MOST_JOBS = 4096
_APART = "does not fit together"


class Reader:
    """Makes objects of a document and its pools of arrays.

    What a file may make a reader do is limited by the file's own size: an array that may stand in one place only is
    given out once, one that may stand in several is looked at once for each kind of place.
    """

    def __init__(
        self, pools: Mapping[str, NDArray[Any]], shared: list[Any], foreign: Callable[[int], Any], budget: int
    ) -> None:
        self.pools = pools  # the arrays of each type
        self.foreign = foreign  # returns an estimator that declares nothing, by its number
        self._shared = shared  # objects that stand in several places, as JSON
        self._parts: dict[tuple[int, type], tuple[Any, Sizes]] = {}
        self._arrays: dict[tuple[Any, ...], NDArray[Any]] = {}
        self._looked_at: set[tuple[Any, ...]] = set()
        self._budget = budget  # bytes that may still be made of what is in the file
        self._level = 0

    def spend(self, n_bytes: int) -> None:
        """Count bytes that an object takes beyond those in the file, or that are looked at."""
        self._budget -= n_bytes
        require(self._budget >= 0, "would take far more memory or time than the size of its file allows")

    def array(self, node: Any, field: Field) -> tuple[NDArray[Any], bool]:
        """Return the array that stands somewhere, and whether a field of this kind looks at it for the first time."""
        require(isinstance(node, list) and len(node) >= 2, "is no array")
        name, start, *shape = node
        require(isinstance(name, str) and name in self.pools, "stands in no pool of arrays")
        require(all(type(size) is int and size >= 0 for size in (start, *shape)) and len(shape) <= 8, "has no shape")
        key = (name, start, *shape)
        if key not in self._arrays:
            pool, size = self.pools[name], 1
            for length in shape:
                size *= length
            require(start + size <= len(pool), "stands beyond the end of its pool of arrays")
            self._arrays[key] = pool[start : start + size].reshape(shape)
        array = self._arrays[key]
        is_new = (*key, id(field)) not in self._looked_at or not getattr(field, "shared", True)
        if is_new:
            self._looked_at.add((*key, id(field)))
            self.spend(array.nbytes)
        return array, is_new

    def part(self, node: Any, kind: type, *, shared: bool) -> tuple[Any, Sizes]:
        """Return an object that is no estimator, and its sizes."""
        if not shared:
            return self._part(node, kind)
        require(isinstance(node, dict) and node.keys() == {"shared"}, "is no shared object")
        place = node["shared"]
        require(type(place) is int and 0 <= place < len(self._shared), "is no shared object")
        if (place, kind) not in self._parts:
            self._parts[place, kind] = self._part(self._shared[place], kind)
        return self._parts[place, kind]

    def _part(self, node: Any, kind: type) -> tuple[Any, Sizes]:
        declaration = declaration_of(kind)
        sizes: Sizes = {}
        with self._deeper():
            state = declaration.state.read(node, self, sizes)
            with refusing(_APART):
                return declaration.make(state), sizes

    def model(self, node: Any) -> Any:
        """Return an estimator or strategy."""
        require(isinstance(node, dict), "is no model")
        if node.keys() == {"foreign"}:
            return self.foreign(node["foreign"])
        require(node.keys() == {"class", "params", "state"}, "is no model")
        with self._deeper():
            declaration = declaration_for(node["class"])
            model = self._unfitted(declaration, node["params"])
            if node["state"] is None:
                return model
            sizes: Sizes = {}
            state = declaration.state.read(node["state"], self, sizes)
            with refusing(_APART):
                return declaration.restore(model, state, sizes)

    def _unfitted(self, declaration: Declaration, node: Any) -> Any:
        """Return a new estimator; its parameters are held to what its class declares of them."""
        kind: Any = declaration.kind
        named = set(kind._get_param_names())
        require(isinstance(node, dict) and node.keys() <= named, "has parameters that its class does not have")
        params = {}
        for name, value in node.items():
            with inside(name):
                params[name] = PLAIN.read(value, self, {})
        jobs = params.get("n_jobs")
        require(jobs is None or (type(jobs) is int and 0 < abs(jobs) <= MOST_JOBS), "asks for none or too many n_jobs")
        with refusing("has a parameter that it cannot have"):
            model = kind(**params)
            if hasattr(kind, "_parameter_constraints"):
                model._validate_params()
            declaration.check_params(model)
        return model

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        require(self._level < MOST_LEVELS, f"is nested more than {MOST_LEVELS} deep")
        self._level += 1
        try:
            yield
        finally:
            self._level -= 1


def read_pool(stream: Any, name: str, size: int) -> NDArray[Any]:
    """Return the array of a pool of `size` bytes, header and all, which must be a vector of the type `name`."""
    version = np.lib.format.read_magic(stream)
    require(version == (1, 0), "has another format than .npy 1.0")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
    require(dtype == np.dtype(name) and len(shape) == 1 and not fortran, "is no pool of arrays")
    require(shape[0] * dtype.itemsize == size - stream.tell(), "is shorter or longer than it says")
    pool: NDArray[Any] = np.empty(shape, dtype=dtype)
    view = pool.view(np.uint8).data
    done = 0
    while done < len(view):
        count = stream.readinto(view[done:])
        require(count, "ends too early")
        done += count
    require(name != "bool" or not pool.nbytes or pool.view(np.uint8).max() <= 1, "holds what is neither true nor false")
    require(not stream.read(1), "goes on after its end")  # which has its checksum looked at, too
    return pool
