"""
How many rows are enough?
=========================

The same study at several sizes of the training set gives learning curves: which method is best with few rows, and which
still gains from more.
"""

# %%
# Five splits of digits for each size; all other rows test. Three families that learn in different ways.

import tempfile
from pathlib import Path

import pandas as pd

from covey.plots import draw_parameter_curves, parameter_curves
from covey.study import DataSpec, MethodSpec, Resamples, Study, run_study

methods = (
    MethodSpec("trees (sasc)", "covey:sasc", {"n_estimators": 30}),
    MethodSpec("neighbours (mfs1)", "covey:mfs1", {"n_estimators": 30, "subset_size": 0.3}),
    MethodSpec("logistic", "covey.LogisticClassifier", {"ridge": 0.01}),
)
sizes = [50, 100, 200, 400, 800]
means, deviations = {}, {}
with tempfile.TemporaryDirectory() as folder:
    for size in sizes:
        study = Study(
            f"{size} rows",
            datasets=(DataSpec("digits", "digits"),),
            methods=methods,
            protocol=Resamples(n_repeats=5, train_size=size),
            metrics=("accuracy",),
            seed=1,
        )
        scores = (
            run_study(study, Path(folder, "curve.store"))
            .frame()
            .groupby("method")["accuracy"]
        )
        means[size], deviations[size] = scores.mean(), scores.std()

names = [method.name for method in methods]
scores, spread = (pd.DataFrame(part).T[names] for part in (means, deviations))
curves = parameter_curves(
    sizes,
    scores,
    spread=spread,
    parameter="training rows",
    metric="accuracy",
    larger_is_better=True,
)
draw_parameter_curves(
    curves, title="Accuracy by training rows, with its standard deviation"
)
