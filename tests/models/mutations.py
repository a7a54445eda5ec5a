"""Forged model files: one thing of a sound file changed, whatever a field or a byte can be changed to.

The number of a forgery tells all about it: which file it comes from and what is changed.
"""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from covey.models.archive import write_archive
from covey.models.declaration import known
from covey.models.document import DTYPES

Rng = np.random.Generator
NUMBERS = (0, 1, -1, 2, 5, 255, 2**31 - 1, -(2**31), 2**31, 2**63 - 1, 2**63, -(2**63), 2**70, 10**400)
NUMBERS += (0.5, -0.5, 1.5, 1e-320, -0.0, 1e16, 1e150, -1e150, 1e308, -1e308, float("nan"), float("inf"), -float("inf"))
OTHERS: tuple[Any, ...] = (None, True, False, "", "auto", "nan", "inf", "a" * 70, [], {}, [[]], [0], {"a": 0}, [None])
OTHERS += ({"tuple": []}, {"float": "nan"}, {"dict": []}, {"shared": 0}, {"foreign": 0}, {"text": []})
FLOATS = (0.0, -1.0, 1.0, 0.5, 2.0, 1e-320, 1e-150, 1e100, -1e100, 1e150, -1e150, 1e308, -1e308)
FLOATS += (float("nan"), float("inf"), -float("inf"))


class NothingToChange(LookupError):
    """A file holds nothing of the kind that a change is for."""


@dataclass
class Draft:
    """A model file taken apart."""

    document: dict[str, Any]
    pools: dict[str, Any]

    def copy(self) -> Draft:
        return Draft(copy.deepcopy(self.document), {name: pool.copy() for name, pool in self.pools.items()})

    def write(self, path: Path) -> None:
        write_archive(path, json.dumps(self.document), {name: [pool] for name, pool in self.pools.items()}, {})

    def array(self, node: list[Any]) -> Any:
        """Return what a node of the document refers to; changes of it are changes of the draft."""
        name, start, *shape = node
        size = int(np.prod(shape))
        return self.pools[name][start : start + size].reshape(shape)

    def add(self, array: Any) -> list[Any]:
        """Put an array at the end of its pool; return where it stands."""
        name = array.dtype.name
        pool = self.pools.get(name, np.empty(0, array.dtype))
        self.pools[name] = np.concatenate([pool, array.reshape(-1)])
        return [name, len(pool), *array.shape]


@dataclass(frozen=True)
class Place:
    """Where something stands in a document."""

    path: tuple[Any, ...]
    holder: Any

    @property
    def key(self) -> Any:
        return self.path[-1]

    @property
    def node(self) -> Any:
        return self.holder[self.key]

    @property
    def pattern(self) -> tuple[Any, ...]:
        """The path without numbers: items of a list are of one kind."""
        return tuple("*" if isinstance(step, int) else step for step in self.path)

    def put(self, node: Any) -> None:
        self.holder[self.key] = node


def open_draft(path: Path) -> Draft:
    """Take a model file apart."""
    with ZipFile(path) as file:
        pools = {
            name.split("/")[1].removesuffix(".npy"): np.load(io.BytesIO(file.read(name)))
            for name in file.namelist()
            if name.startswith("arrays/")
        }
        return Draft(json.loads(file.read("model.json")), pools)


def is_array(node: Any) -> bool:
    """Whether a node refers to an array."""
    return isinstance(node, list) and len(node) > 1 and node[0] in DTYPES and all(type(one) is int for one in node[1:])


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[Place]:
    """Give every place in a document, arrays as one."""
    if is_array(node):
        return
    keys: Any = range(len(node)) if isinstance(node, list) else node if isinstance(node, dict) else ()
    for key in keys:
        yield Place((*path, key), node)
        yield from places(node[key], (*path, key))


def pick(rng: Rng, options: Any) -> Any:
    """Return one of some things."""
    return options[int(rng.integers(len(options)))]


def pick_place(rng: Rng, draft: Draft, fits: Callable[[Any], bool] = lambda node: True) -> Place:
    """Return a place, each kind of place as likely as another."""
    held = {"model": draft.document["model"], "shared": draft.document["shared"]}
    kinds: dict[Any, list[Place]] = {}
    for one in places(held):
        if len(one.path) > 1 and fits(one.node):
            kinds.setdefault(one.pattern, []).append(one)
    if not kinds:
        raise NothingToChange
    return pick(rng, pick(rng, list(kinds.values())))


# Changes: each tells what it did.


def change_values(rng: Rng, draft: Draft) -> str:
    """Put other numbers into an array: all of them, one, or in another order."""
    place = pick_place(rng, draft, lambda node: is_array(node) and 0 not in node[2:])
    array = draft.array(place.node).reshape(-1)
    value, how = _value(rng, array.dtype), pick(rng, ["all", "one", "some", "random", "order", "larger", "nearby"])
    match how:
        case "all":
            array[:] = value
        case "one":
            array[rng.integers(len(array))] = value
        case "some":
            array[rng.random(len(array)) < 0.5] = value
        case "random":
            array.view(np.uint8)[:] = rng.integers(0, 2 if array.dtype == bool else 256, array.nbytes)
        case "order":
            rng.shuffle(array)
        case _ if array.dtype == bool:
            array[:] = ~array
        case "larger":
            with np.errstate(all="ignore"):
                array *= array.dtype.type(10)
        case "nearby":
            array += rng.integers(-1 if array.dtype.kind != "u" else 0, 2, len(array)).astype(array.dtype)
    return f"{how} values {value} at {place.path}"


def _value(rng: Rng, dtype: Any) -> Any:
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return dtype.type(pick(rng, FLOATS))
    if dtype.kind == "b":
        return dtype.type(pick(rng, [False, True]))
    limits = np.iinfo(dtype)
    return dtype.type(pick(rng, [0, 1, 2, 7, limits.max, limits.max - 1, limits.min, max(-1, limits.min)]))


def change_reference(rng: Rng, draft: Draft) -> str:
    """Let a reference to an array point elsewhere, or give the array another shape."""
    place = pick_place(rng, draft, is_array)
    name, start, *shape = before = list(place.node)
    how = pick(rng, ["start", "pool", "length", "dimension", "turned", "flat", "retyped", "longer"])
    match how:
        case "start":
            start = pick(rng, [0, start + 1, max(0, start - 1), -1, 2**40, 2**70, str(start), None])
        case "pool":
            name = pick(rng, [*draft.pools, *DTYPES, "object", "float16", 3])
        case "length":
            axis = int(rng.integers(len(shape))) if shape else 0
            shape[axis : axis + 1] = [pick(rng, [0, 1, shape[axis] + 1, shape[axis] - 1, -1, 2**33, 2**70])]
        case "dimension":
            shape = pick(rng, [[1, *shape], [*shape, 1], shape[1:], [0, *shape], [*shape, 0], [2**32] * 2, [1] * 70])
        case "turned":
            shape = shape[::-1]
        case "flat":
            shape = [int(np.prod(shape))]
        case "retyped":
            array = draft.array(place.node)
            with np.errstate(all="ignore"):
                name, start, *shape = draft.add(array.astype(pick(rng, DTYPES)))
        case "longer":
            array = draft.array(place.node)
            if array.ndim == 0 or array.size == 0:
                raise NothingToChange
            axis = int(rng.integers(array.ndim))
            taken = np.arange(array.shape[axis] + 1) % array.shape[axis]
            name, start, *shape = draft.add(np.take(array, taken, axis=axis))
    place.put([name, start, *shape])
    return f"{how}: {before} became {place.node} at {place.path}"


def change_size(rng: Rng, draft: Draft) -> str:
    """Give all arrays and lists of an object that have one length another, and numbers that equal it."""
    place = pick_place(rng, draft, lambda node: isinstance(node, dict) and any(map(is_array, node.values())))
    arrays = [node for node in place.node.values() if is_array(node)]
    sizes = sorted({length for node in arrays for length in node[2:]})
    if not sizes:
        raise NothingToChange
    old = pick(rng, sizes)
    new = pick(rng, [0, 1, max(0, old - 1), old + 1])
    for key, node in place.node.items():
        if is_array(node):
            array = draft.array(node)
            for axis, length in enumerate(array.shape):
                if length == old and (old or not new):
                    array = np.take(array, np.arange(new) % max(1, old), axis=axis)
            place.node[key] = draft.add(array)
        elif node == old and type(node) is int:
            place.node[key] = new
        elif isinstance(node, list) and len(node) == old and node:
            place.node[key] = [node[item % old] for item in range(new)]
        elif isinstance(node, dict) and isinstance(node.get("text"), list) and len(node["text"]) == old and old:
            node["text"] = [node["text"][item % old] for item in range(new)]
    return f"size {old} became {new} at {place.path}"


def swap(rng: Rng, draft: Draft) -> str:
    """Let two nodes of the same kind change places."""
    kind = pick(rng, [is_array, lambda node: isinstance(node, int | float), lambda node: isinstance(node, dict)])
    first, second = pick_place(rng, draft, kind), pick_place(rng, draft, kind)
    shorter = min(len(first.path), len(second.path))
    if first.path[:shorter] == second.path[:shorter]:
        raise NothingToChange
    one, other = first.node, second.node
    first.put(other)
    second.put(one)
    return f"{first.path} and {second.path} swapped"


def transplant(rng: Rng, draft: Draft) -> str:
    """Put a copy of a node somewhere else."""
    source, target = pick_place(rng, draft), pick_place(rng, draft)
    target.put(copy.deepcopy(source.node))
    return f"{source.path} copied to {target.path}"


def change_node(rng: Rng, draft: Draft) -> str:
    """Put another number, or something that is none, in the place of a node."""
    place = pick_place(rng, draft)
    before = place.node
    is_number = isinstance(before, int | float) and not isinstance(before, bool)
    near = (before + 1, before - 1, 2 * before, before + 0.5, -before) if is_number else ()
    chosen = [*NUMBERS, *near, *OTHERS] if is_number else OTHERS if rng.random() < 0.7 else NUMBERS
    place.put(copy.deepcopy(pick(rng, chosen)))
    return f"{before!r:.60} became {place.node!r:.60} at {place.path}"


def change_keys(rng: Rng, draft: Draft) -> str:
    """Delete, add or rename a key, or change what two keys stand for."""
    place = pick_place(rng, draft, lambda node: isinstance(node, dict) and len(node) > 0)
    table, how = place.node, pick(rng, ["delete", "add", "rename", "exchange"])
    one, other = pick(rng, list(table)), pick(rng, list(table))
    match how:
        case "delete":
            del table[one]
        case "add":
            table[pick(rng, ["__class__", "fit", "predict", "extra", "", "classes_", "n_jobs"])] = table[one]
        case "rename":
            table[pick(rng, [f"{one}_", "__dict__", "predict"])] = table.pop(one)
        case "exchange":
            table[one], table[other] = table[other], table[one]
    return f"{how} {one} ({other}) at {place.path}"


def change_list(rng: Rng, draft: Draft) -> str:
    """Repeat, remove or reorder the items of a list."""
    place = pick_place(rng, draft, lambda node: isinstance(node, list) and not is_array(node) and len(node) > 0)
    items, how = place.node, pick(rng, ["repeat", "remove", "clear", "reverse", "same"])
    where = int(rng.integers(len(items)))
    match how:
        case "repeat":
            items.insert(where, copy.deepcopy(items[where]))
        case "remove":
            del items[where]
        case "clear":
            items.clear()
        case "reverse":
            items.reverse()
        case "same":
            items[:] = [items[where]] * len(items)
    return f"{how} {where} at {place.path}"


def change_class(rng: Rng, draft: Draft) -> str:
    """Give a model another class, with its parameters or without."""
    node, where = draft.document["model"], "model"
    if rng.random() < 0.7:
        place = pick_place(rng, draft, lambda node: isinstance(node, dict) and "class" in node)
        node, where = place.node, place.path
    node["class"] = pick(rng, [*known(), "Schema", "sklearn.SVC", "", None, 7, "builtins.eval"])
    if rng.random() < 0.5:
        node["params"] = {}
    return f"class {node['class']} at {where}"


CHANGES = (
    *(change_values,) * 4,
    *(change_reference,) * 2,
    *(change_size,) * 2,
    swap,
    transplant,
    *(change_node,) * 3,
    change_keys,
    change_list,
    change_class,
)


def change_bytes(rng: Rng, content: bytes) -> tuple[str, bytes]:
    """Change some bytes of a file, wherever they are."""
    changed, where = bytearray(content), int(rng.integers(len(content)))
    if rng.random() < 0.5:  # the directory is a small part of a file, but all depends on it
        where = len(content) - 1 - int(rng.integers(min(len(content), 400)))
    how = pick(rng, ["flip", "set", "zero", "cut", "cut front", "double", "noise"])
    match how:
        case "flip":
            changed[where] ^= 1 << int(rng.integers(8))
        case "set":
            changed[where] = pick(rng, [0, 1, 0x7F, 0x80, 0xFF])
        case "zero":
            changed[where : where + 8] = bytes(len(changed[where : where + 8]))
        case "cut":
            del changed[where:]
        case "cut front":
            del changed[: max(1, where)]
        case "double":
            changed[where:where] = changed[where : where + 32]
        case "noise":
            changed[where : where + 4] = rng.bytes(len(changed[where : where + 4]))
    return f"{how} byte {where} of {len(content)}", bytes(changed)


def forge(drafts: dict[str, Draft], folder: Path, seed: int, number: int, target: Path) -> tuple[str, str]:
    """Write the forgery of a number; return the name of the file it comes from, and what was changed."""
    rng = np.random.default_rng((seed, number))
    name = list(drafts)[number % len(drafts)]
    if rng.random() < 0.1:
        what, content = change_bytes(rng, (folder / f"{name}.covey").read_bytes())
        target.write_bytes(content)
        return name, what
    draft, what = drafts[name].copy(), None
    while what is None:
        with suppress(NothingToChange):
            what = pick(rng, CHANGES)(rng, draft)
    if rng.random() < 0.15:
        with suppress(LookupError, OverflowError, TypeError, ValueError):  # of what is broken already
            what = f"{what}; {pick(rng, CHANGES)(rng, draft)}"
    draft.write(target)
    return name, what
