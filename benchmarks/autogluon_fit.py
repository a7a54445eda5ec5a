"""Fits AutoGluon on a CSV file, or asks a fitted one; run by ``peers.AutoGluon`` in an environment of its own.

``autogluon_fit.py fit FOLDER NOMINAL TASK PRESETS SECONDS`` or ``autogluon_fit.py predict FOLDER NOMINAL``, where
NOMINAL are the columns of categories with commas between them. One thread, no neural networks.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
from autogluon.tabular import TabularPredictor

NETWORKS = ["NN_TORCH", "FASTAI"]


def read(folder: Path, step: str, nominal: list[str]) -> pd.DataFrame:
    """Return the table of a step; only an empty field is a missing value."""
    kinds = dict.fromkeys(nominal, "category")
    return pd.read_csv(folder / f"{step}.csv", dtype=kinds, keep_default_na=False, na_values=[""])


def main(step: str, place: str, nominal: str, task: str = "", presets: str = "", seconds: str = "0") -> None:
    """Carry out a step."""
    folder = Path(place)
    table = read(folder, step, [name for name in nominal.split(",") if name])
    if step == "fit":
        kind = "regression" if task == "regression" else "binary" if table["target"].nunique() == 2 else "multiclass"
        predictor = TabularPredictor("target", problem_type=kind, path=str(folder / "model"), verbosity=0)
        predictor.fit(
            table, presets=presets, time_limit=float(seconds), excluded_model_types=NETWORKS, num_cpus=1, num_gpus=0
        )
        return
    predictor = TabularPredictor.load(str(folder / "model"))
    regression = predictor.problem_type == "regression"
    answer = predictor.predict(table).to_frame() if regression else predictor.predict_proba(table)
    answer.to_csv(folder / "answer.csv", index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
