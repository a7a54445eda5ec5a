"""Artificial datasets of the papers, drawn with a fixed seed: the same table every time.

For another size or seed call the generator itself, such as `covey.datasets.make_twonorm`, or name them in a study.
"""

from __future__ import annotations

import pandas as pd

from covey._text import normalise
from covey.datasets.dataset import DatasetInfo, LoadedTable, Provenance, Task
from covey.datasets.generators.registry import GENERATORS

SOURCE = "generator"
SEED = 0

_IDS = {normalise(name): name for name in GENERATORS}


def _task(name: str) -> Task:
    return "regression" if "regression" in name else "classification"


def list_generated() -> dict[str, DatasetInfo]:
    """Return the generators, by normalised name, with the sizes that the papers used."""
    return {
        key: DatasetInfo(name, SOURCE, None, _task(name), int(GENERATORS[name].keywords["n_samples"]))
        for key, name in _IDS.items()
    }


def load_generated(name: str, *, n_samples: int | None = None, seed: int | None = None) -> LoadedTable:
    """Draw one of the artificial datasets, by default with as many rows as its paper had and the seed `SEED`."""
    known = _IDS[normalise(name)]
    chosen = SEED if seed is None else seed
    size = {} if n_samples is None else {"n_samples": n_samples}
    X, y = GENERATORS[known](random_state=chosen, as_frame=True, **size)
    if _task(known) == "classification":
        y = y.astype("category")
    frame: pd.DataFrame = X.assign(**{str(y.name): y})
    provenance = Provenance(SOURCE, f"covey.datasets.generators, {known}", "generated", notes=(f"seed {chosen}",))
    return LoadedTable(known, frame, provenance, str(y.name), _task(known), licence="BSD-3-Clause")
