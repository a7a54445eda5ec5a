"""Results made up so that they are the paper's own figures."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from covey.reproduce.mfs.tables import CHOICES, METHODS, STAND_INS, published_noise
from covey.reproduce.paper import Found
from covey.reproduce.published import published_wide
from reproduce.made_up import Made

CASES = 1000
ALONE = {"satimage": "satimage", "vowel": "vowel", "waveform-21": "waveform"}
SHARED = {
    "neighbours": ("nn", "knn", "mfs1", "mfs2"),
    "selection": ("fss", "bss"),
    "trees": ("c5.0", "c5.0-boosted"),
}


def made_of(values, chosen=None, seconds=None):
    """Return errors in per cent with one decimal: of each fit the first cases are wrong."""

    def fits(dataset, method):
        if (dataset, method) not in values:
            raise KeyError(dataset)
        said = (np.arange(CASES) < round(values[dataset, method] * CASES / 100)).astype(int)
        votes = np.repeat(said[:, None], 12, axis=1).astype(np.uint8)
        parts = {"y": np.zeros(CASES, int), "predictions": said, "classes": np.array([0, 1])}
        yield parts | {"votes": votes, "weights": np.ones(12)}

    figures = {
        key: {"error": [value / 100], "predict seconds": [(seconds or {}).get(key[1], 1.0)]}
        for key, value in values.items()
    }
    picks = {key: {CHOICES[key[1]]: np.array([number])} for key, number in (chosen or {}).items()}
    return Made(figures, fits, picks)


@lru_cache
def printed(datasets: tuple[str, ...] | None = None, mfs1_seconds: float = 0.1) -> Found:
    """Return tables 2, 5 and 7 as if they had been found here."""
    errors, sizes, noise = published_wide("mfs", 2), published_wide("mfs", 7), published_noise()
    values, chosen = {}, {}
    for data in (data for data in errors.index if datasets is None or data in datasets):
        for method in METHODS:
            id = ALONE.get(data) or next(id for id, of in SHARED.items() if method in of)
            values.setdefault(id, {})[data, STAND_INS.get(method, method)] = errors.loc[data, method]
            if method in CHOICES:
                chosen.setdefault(id, {})[data, method] = sizes.loc[data, method]
    seconds = {"nn": 0.02, "mfs1": mfs1_seconds}
    results = {id: made_of(some, chosen.get(id), seconds) for id, some in values.items()}
    there = [data for data in noise.index if datasets is None or data in datasets]
    if there:
        results["irrelevant"] = made_of(noise_of(there))
    return Found(results, quick=False)


def noise_of(datasets=None):
    """Return the errors of table 5 with irrelevant attributes."""
    noise = published_noise()
    labels = [label for label in noise if not label.endswith(" 0")]
    return {(data, label): noise.loc[data, label] for data in datasets or noise.index for label in labels}
