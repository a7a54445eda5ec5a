"""
Accuracy against time
=====================

A method that nothing beats in both accuracy and time is on the Pareto front; the others cost more than they give.
"""

# %%
# Single models and ensembles of covey beside a random forest, on handwritten digits. Every method is fitted once before
# its time is taken, lest the compilation of kernels count.

import time

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

from covey import method
from covey.datasets import load
from covey.plots import accuracy_time, draw_accuracy_time

X, y = load("digits").to_xy()
X, y = X[:1000], y[:1000]
models = {id: method(id, random_state=0) for id in ("c4.5", "alpha-rsc")}
models |= {
    id: method(id, n_estimators=30, random_state=0)
    for id in ("wag", "sasc", "mb", "alpha-rse", "mfs1")
}
models["random forest"] = RandomForestClassifier(30, random_state=0)

scores, seconds = {}, {}
for name, model in models.items():
    model.fit(X[::10], y[::10])
    folds = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        began = time.process_time()
        model.fit(X.iloc[train], y.iloc[train])
        folds.append((model.score(X.iloc[test], y.iloc[test]), time.process_time() - began))
    scores[name], seconds[name] = np.mean(folds, axis=0)

points = accuracy_time(
    scores, seconds, list(models), metric="accuracy", larger_is_better=True
)
draw_accuracy_time(points)
