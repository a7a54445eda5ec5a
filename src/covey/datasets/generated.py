"""Artificial datasets of the papers, drawn with a fixed seed: the same table every time.

For another size or seed call the generator itself, such as `covey.datasets.make_twonorm`, or name them in a study.
"""

from __future__ import annotations

from functools import partial

import pandas as pd

from covey._text import normalise
from covey.datasets.dataset import DatasetInfo, LoadedTable, Provenance
from covey.datasets.generators.classification import make_layered_cake, make_led, make_waveform
from covey.datasets.generators.gaussians import make_ringnorm, make_threenorm, make_twonorm
from covey.datasets.generators.simulated import make_simulated_logistic, make_simulated_regression
from covey.datasets.generators.task import Sample
from covey.datasets.target import Task

SOURCE = "generator"
SEED = 0

# By the names that studies know, each with the size its paper used. All take n_samples, random_state and as_frame.
GENERATORS: dict[str, partial[Sample]] = {
    "twonorm": partial(make_twonorm, n_samples=300),
    "threenorm": partial(make_threenorm, n_samples=300),
    "ringnorm": partial(make_ringnorm, n_samples=300),
    "ringnorm-near": partial(make_ringnorm, n_samples=300, distance=1.0),
    "waveform-21": partial(make_waveform, n_samples=5000),
    "waveform-40": partial(make_waveform, n_samples=5000, n_noise_features=19),
    "led-24": partial(make_led, n_samples=200),
    "layered-cake": partial(make_layered_cake, n_samples=300),
    "sim-regression": partial(make_simulated_regression, n_samples=300),
    "sim-regression-collinear": partial(make_simulated_regression, n_samples=300, design="collinear"),
    "sim-logistic": partial(make_simulated_logistic, n_samples=300),
    "sim-logistic-collinear": partial(make_simulated_logistic, n_samples=300, design="collinear"),
}
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
