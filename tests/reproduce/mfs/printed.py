"""Results made up so that they are the paper's own figures."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
import pandas as pd

from covey.reproduce.mfs.noise_views import published_noise
from covey.reproduce.mfs.reading import CHOICES, METHODS, ours_of, published_wide
from covey.reproduce.paper import Found

CASES = 1000
ALONE = {"satimage": "satimage", "vowel": "vowel", "waveform-21": "waveform"}
SHARED = {
    "neighbours": ("nn", "knn", "mfs1", "mfs2"),
    "selection": ("fss", "bss"),
    "trees": ("c5.0", "c5.0-boosted"),
}


class Made:
    """What `covey.study.Results` has, of made-up errors in per cent with one decimal.

    Parameters
    ----------
    values : mapping of (dataset, method) to float
        By the names that methods have in studies.
    chosen : mapping of (dataset, method) to float
    seconds : mapping of method to float
        What predicting takes.
    """

    def __init__(self, values, chosen=None, seconds=None):
        self.values, self.numbers, self.seconds = dict(values), chosen or {}, seconds or {}
        names = [list(dict.fromkeys(key[place] for key in self.values)) for place in (0, 1)]
        self.record = SimpleNamespace(
            datasets=tuple(SimpleNamespace(name=name, source=name) for name in names[0]),
            methods=tuple(SimpleNamespace(name=name, params={}) for name in names[1]),
            protocol_text="made up",
        )

    def frame(self):
        return pd.DataFrame(
            [
                {
                    "dataset": data,
                    "method": method,
                    "fit": 0,
                    "status": "done",
                    "error": value / 100,
                    "predict seconds": self.seconds.get(method, 1.0),
                }
                for (data, method), value in self.values.items()
            ]
        )

    def fits(self, dataset, method):
        """Yield one fit whose first cases are wrong."""
        if (dataset, method) not in self.values:
            raise KeyError(dataset)
        y = np.zeros(CASES, dtype=int)
        said = (np.arange(CASES) < round(self.values[dataset, method] * CASES / 100)).astype(int)
        votes = np.repeat(said[:, None], 12, axis=1).astype(np.uint8)
        yield {"y": y, "predictions": said, "classes": np.array([0, 1]), "votes": votes, "weights": np.ones(12)}

    def chosen(self, dataset, method):
        number = self.numbers.get((dataset, method))
        return {} if number is None else {CHOICES[method]: np.array([number])}


@lru_cache
def printed(datasets: tuple[str, ...] | None = None) -> Found:
    """Return tables 2, 5 and 7 as if they had been found here."""
    errors, sizes = published_wide(2), published_wide(7)
    values, chosen = {}, {}
    for data in errors.index:
        if datasets is not None and data not in datasets:
            continue
        for method in METHODS:
            id = ALONE.get(data) or next(id for id, of in SHARED.items() if method in of)
            values.setdefault(id, {})[data, ours_of(method)] = errors.loc[data, method]
            if method in CHOICES:
                chosen.setdefault(id, {})[data, method] = sizes.loc[data, method]
    seconds = {"nn": 0.02, "mfs1": 0.1}
    results = {id: Made(some, chosen.get(id), seconds) for id, some in values.items()}
    noise = published_noise()
    labels = [label for label in noise if not label.endswith(" 0")]
    there = [data for data in noise.index if datasets is None or data in datasets]
    if there:
        results["irrelevant"] = Made({(data, label): noise.loc[data, label] for data in there for label in labels})
    return Found(results, quick=False)
