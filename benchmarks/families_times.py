"""Processor time of the methods of the study of families, which other work on the machine changes little."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from measure import cpu_time
from sklearn.model_selection import StratifiedKFold
from threadpoolctl import threadpool_limits

from covey._text import counted
from covey.datasets import Dataset
from covey.seeds import seed_model
from covey.study import MethodSpec
from covey.study.fits import with_preprocessing

N_DATASETS, FILE = 5, "families-times.csv"


def typical(datasets: Sequence[Dataset], count: int = N_DATASETS) -> list[Dataset]:
    """Return so many datasets, evenly spread in the order of rows times columns."""
    ordered = sorted(datasets, key=lambda data: (data.n_rows * data.n_features, data.name))
    places = np.linspace(0, len(ordered), count, endpoint=False) + len(ordered) / count / 2
    return [ordered[int(place)] for place in places]


def training_seconds(method: MethodSpec, data: Dataset) -> float:
    """Return the CPU seconds that one thread needs to train a method on the first half of a dataset."""
    X, y = data.to_xy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes with a single row
        train, _ = next(StratifiedKFold(2, shuffle=True, random_state=0).split(X, y))
    X, y = X.iloc[train], np.asarray(y)[train]
    model = with_preprocessing(method.adjusted({"n_jobs": 1}).make(), X)  # LightGBM heeds no other limit
    seed_model(model, np.random.default_rng(0))
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cpu_time(lambda: model.fit(X, y))


def write_times(methods: Sequence[MethodSpec], datasets: Sequence[Dataset], folder: Path) -> None:
    """Measure what is lacking, and write a row for each dataset and a column for each method."""
    file, chosen = folder / FILE, typical(datasets)
    table = pd.read_csv(file, index_col="dataset") if file.exists() else pd.DataFrame()
    for method in methods:
        if method.name in table:
            continue
        training_seconds(method, chosen[0])  # compiles, or reads what is compiled
        times = {data.name: training_seconds(method, data) for data in chosen}
        table[method.name] = pd.Series(times)
        table.rename_axis("dataset").to_csv(file, float_format="%.4g")
        print(f"{method.name}: {table[method.name].median():.3g} s, {counted(len(times), 'dataset')}", flush=True)


def read_times(folder: Path) -> pd.Series | None:
    """Return the median CPU seconds of each method, None if they were not measured."""
    file = folder / FILE
    return pd.read_csv(file, index_col="dataset").median() if file.exists() else None
