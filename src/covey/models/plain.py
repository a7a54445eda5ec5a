"""Parameters of estimators: plain values, arrays, seeds and other estimators, and nothing that could be called."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from covey.models.fields import MOST_WHOLE, Array, Field, Items, Labels, Number, RefusedError, Sizes, Whole, require

MOST_LEVELS = 16
_WORDS = Items(Whole(0, MOST_WHOLE - 1))
_NUMBER = Number()
# What arrays among parameters are read by; their classes look at them themselves.
_ANY = Array(float)


class Plain(Field):
    """None, a number, text, a collection of such, an array, a seed, or an estimator that can be saved.

    What JSON has no form for goes into a dict with one key that tells its kind.
    """

    def _write(self, value: Any, writer: Any, sizes: Sizes) -> Any:
        return _write(value, writer, MOST_LEVELS)

    def _read(self, node: Any, reader: Any, sizes: Sizes) -> Any:
        return _read(node, reader, MOST_LEVELS)


PLAIN = Plain()


def _write(value: Any, writer: Any, levels: int) -> Any:
    require(levels, f"is nested more than {MOST_LEVELS} deep")
    if isinstance(value, np.generic):
        value = value.item()
    match value:
        case None | bool() | str():
            return value
        case int():
            require(abs(value) < MOST_WHOLE, "is a number of too many digits")
            return value
        case float():
            return value if isfinite(value) else {"float": repr(value)}
        case list():
            return [_write(item, writer, levels - 1) for item in value]
        case tuple() if type(value) is tuple:
            return {"tuple": [_write(item, writer, levels - 1) for item in value]}
        case set() | frozenset():
            kind = "set" if isinstance(value, set) else "frozenset"
            return {kind: [_write(item, writer, levels - 1) for item in sorted(value, key=repr)]}
        case dict() if type(value) is dict:
            return {"dict": [[_write(item, writer, levels - 1) for item in pair] for pair in value.items()]}
        case np.ndarray() if value.dtype.kind in "biuf":
            return {"array": writer.add_array(value, shared=True)}
        case np.ndarray() if value.ndim == 1:
            return {"labels": Labels(nan=True).write(value, writer, {})}
        case np.random.SeedSequence() | np.random.Generator() | np.random.RandomState():
            return {"seed": _write_seed(value)}
    if hasattr(value, "get_params") and not isinstance(value, type):
        return {"model": writer.model(value)}
    raise RefusedError(f"is a {type(value).__name__}, which is no plain value")


def _read(node: Any, reader: Any, levels: int) -> Any:
    require(levels, f"is nested more than {MOST_LEVELS} deep")
    if node is None or isinstance(node, bool | str | int | float):
        require(not isinstance(node, float) or isfinite(node), "is no number")
        require(not isinstance(node, int) or abs(node) < MOST_WHOLE, "is a number of too many digits")
        return node
    if isinstance(node, list):
        return [_read(item, reader, levels - 1) for item in node]
    require(isinstance(node, dict) and len(node) == 1, "is no plain value")
    ((kind, inner),) = node.items()
    collections: dict[str, Callable[..., Any]] = {"tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}
    if kind in collections:
        require(isinstance(inner, list), f"is no {kind}")
        items = [_read(item, reader, levels - 1) for item in inner]
        if kind == "dict":
            require(all(isinstance(item, list) and len(item) == 2 for item in items), "is no dict")
        try:
            return collections[kind](items)
        except TypeError as error:
            raise RefusedError(f"is no {kind}") from error
    match kind:
        case "float":
            return Number(nan=True, infinite=True).read(inner, reader, {})
        case "array":
            return reader.array(inner, _ANY)[0]
        case "labels":
            return Labels(nan=True).read(inner, reader, {})
        case "seed":
            return _read_seed(inner)
        case "model":
            return reader.model(inner)
    raise RefusedError("is no plain value")


def _write_seed(seed: Any) -> dict[str, Any]:
    if isinstance(seed, np.random.SeedSequence):
        entropy: Any = seed.entropy
        whole = entropy is None or isinstance(entropy, int)
        return {
            "sequence": {
                "entropy": entropy if whole else [int(word) for word in entropy],
                "spawn_key": list(seed.spawn_key),
                "pool_size": seed.pool_size,
                "n_children_spawned": seed.n_children_spawned,
            }
        }
    if isinstance(seed, np.random.RandomState):
        legacy: Any = seed.get_state(legacy=False)
        require(legacy["bit_generator"] == "MT19937", "is no plain seed")
        words = [*legacy["state"]["key"].tolist(), legacy["state"]["pos"], legacy["has_gauss"]]
        return {"mt19937": words, "gauss": legacy["gauss"]}
    state: Any = seed.bit_generator.state
    require(state["bit_generator"] == "PCG64", "is no plain seed")
    return {"pcg64": [*state["state"].values(), state["has_uint32"], state["uinteger"]]}


def _read_seed(node: Any) -> Any:
    require(isinstance(node, dict), "is no seed")
    match node:
        case {"sequence": dict(sequence)} if len(node) == 1:
            return _read_sequence(sequence)
        case {"pcg64": words} if len(node) == 1:
            position, increment, has_uint32, uinteger = _words(words, 4)
            require(increment % 2 == 1 and has_uint32 <= 1 and uinteger < 2**32, "is no seed")
            generator: Any = np.random.PCG64(0)
            generator.state = {
                "bit_generator": "PCG64",
                "state": {"state": position, "inc": increment},
                "has_uint32": has_uint32,
                "uinteger": uinteger,
            }
            return np.random.Generator(generator)
        case {"mt19937": words, "gauss": gauss} if len(node) == 2:
            *key, place, has_gauss = _words(words, 626)
            require(max(key) < 2**32 and place <= 624 and has_gauss <= 1, "is no seed")
            seed = np.random.RandomState(0)
            seed.set_state(("MT19937", np.array(key, dtype=np.uint32), place, has_gauss, _NUMBER.read(gauss, None, {})))
            return seed
    raise RefusedError("is no seed")


def _read_sequence(state: dict[str, Any]) -> np.random.SeedSequence:
    require(state.keys() == {"entropy", "spawn_key", "pool_size", "n_children_spawned"}, "is no seed")
    entropy, spawn_key = state["entropy"], _words(state["spawn_key"])
    if isinstance(entropy, list):
        entropy = _words(entropy)
    else:
        require(isinstance(entropy, int) and 0 <= entropy < 2**4096, "is no seed")
    pool_size = Whole(4, 64).read(state["pool_size"], None, {})
    spawned = Whole(0, 2**31).read(state["n_children_spawned"], None, {})
    return np.random.SeedSequence(entropy, spawn_key=spawn_key, pool_size=pool_size, n_children_spawned=spawned)


def _words(node: Any, count: int | None = None) -> list[int]:
    words: list[int] = _WORDS.read(node, None, {})
    require(len(words) <= 1024 and count in (None, len(words)), "is no seed")
    return words
