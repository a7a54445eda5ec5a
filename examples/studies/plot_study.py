"""
A study with an estimator of one's own
======================================

Datasets, methods, a protocol, a seed: a study is all of that, and its fits are kept in one file as they finish. Killed,
it goes on where it stopped; run again with one more method, only that one is fitted.
"""

# %%
# Two published systems by their ids, and an estimator that lives in this script.

import tempfile
from dataclasses import replace
from pathlib import Path

from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PowerTransformer

from covey.plots import draw_score_boxes, score_boxes
from covey.study import CycledFolds, DataSpec, MethodSpec, Study, run_study

study = Study(
    "spheres, trees and mine",
    datasets=tuple(DataSpec(name, name) for name in ("wine", "iris", "breast_cancer")),
    methods=(
        MethodSpec(
            "spheres", "covey:alpha-rse", {"n_estimators": 15, "min_sphere_size": 2}
        ),
        MethodSpec("trees", "covey:mb", {"n_estimators": 20}),
    ),
    protocol=CycledFolds(n_cycles=2, n_folds=5),
    metrics=("accuracy", "neg_log_loss"),
    seed=1,
)
mine = MethodSpec("mine", held=make_pipeline(PowerTransformer(), GaussianNB()))

with tempfile.TemporaryDirectory() as folder:
    store = Path(folder, "study.store")
    first = run_study(study, store)
    print(f"first run: {len(first.frame())} fits")
    results = run_study(replace(study, methods=(*study.methods, mine)), store)
    cells = results.frame()
    scores = results.scores("accuracy")
print(f"second run: {len(cells)} fits, of which {len(first.frame())} were there")

# %%
# A row per dataset and a column per method, as the tests of ``covey.analysis`` want it.

scores.round(3)

# %%
# Every fit is a row, so that any figure can be made of it.

one = cells[cells["dataset"] == "wine"].pivot(
    index="fit", columns="method", values="accuracy"
)
draw_score_boxes(
    score_boxes(100 * one, metric="accuracy on wine in %, ten fits", larger_is_better=True)
)
