"""Random numbers: one seed sequence per fit, one child per chain, one grandchild per step.

Children are found by their place and not by the order in which they are asked for, so the same ``random_state`` gives
the same numbers on any number of workers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

RandomState = int | None | np.random.RandomState | np.random.Generator | np.random.SeedSequence


def _fresh() -> np.random.SeedSequence:
    return np.random.SeedSequence()


def seed_sequence(random_state: RandomState) -> np.random.SeedSequence:
    """Turn a random state of scikit-learn into a seed sequence: None gives a fresh one, a generator moves on."""
    match random_state:
        case None:
            return _fresh()
        case np.random.SeedSequence():
            return random_state
        case np.random.RandomState():
            return np.random.SeedSequence(random_state.randint(0, 2**32, size=4, dtype=np.uint64).tolist())
        case np.random.Generator():
            return np.random.SeedSequence(random_state.integers(0, 2**32, size=4, dtype=np.uint64).tolist())
        case int() | np.integer() if not isinstance(random_state, bool) and random_state >= 0:
            return np.random.SeedSequence(int(random_state))
        case _:
            raise ValueError(
                f"random_state={random_state!r} cannot seed a generator; "
                "give a non-negative integer, None or a NumPy random generator."
            )


def generator(random_state: RandomState) -> np.random.Generator:
    """Return a generator for a random state; a Generator is returned as it is."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    return np.random.default_rng(seed_sequence(random_state))


def child(seed: np.random.SeedSequence, *place: int) -> np.random.SeedSequence:
    """Return the descendant of a seed at a place, such as (chain, step)."""
    return np.random.SeedSequence(entropy=seed.entropy, spawn_key=(*seed.spawn_key, *place))


def random_parameters(model: Any) -> list[str]:
    """Return the names of a model's ``random_state`` parameters, nested ones too."""
    return sorted(name for name in model.get_params(deep=True) if name.split("__")[-1] == "random_state")


def seed_model(model: Any, rng: np.random.Generator) -> None:
    """Give every ``random_state`` parameter of a model a seed of its own."""
    names = random_parameters(model)
    if names:
        seeds = rng.integers(0, 2**31 - 1, size=len(names)).tolist()
        model.set_params(**dict(zip(names, seeds, strict=True)))
