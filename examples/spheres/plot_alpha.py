"""
The least size of a sphere
==========================

alpha is the number of cases below which a sphere is dropped. Large values remove spheres around noise and make the
cover smaller; too large ones remove the truth as well.
"""

# %%
# Accuracy of one cover and of 25 that vote, for alpha from 1 to 15, on data of which a tenth of the labels is wrong.

import numpy as np
from sklearn.model_selection import cross_val_score

from covey import SphereCoverClassifier, SphereEnsembleClassifier
from covey.datasets import load
from covey.plots import draw_parameter_curves, parameter_curves

X, y = load("breast_cancer").to_xy()
rng = np.random.default_rng(0)
wrong = rng.random(len(y)) < 0.1
noisy = np.where(wrong, np.where(y == "benign", "malignant", "benign"), y)

sizes = [1, 2, 3, 4, 6, 8, 10, 12, 15]
models = {
    "one cover": lambda size: SphereCoverClassifier(size, random_state=0),
    "25 covers": lambda size: SphereEnsembleClassifier(
        25, min_sphere_size=size, random_state=0
    ),
}
scores, spread = {}, {}
for name, make in models.items():
    folds = [cross_val_score(make(size), X, noisy, cv=5) for size in sizes]
    scores[name] = [fold.mean() for fold in folds]
    spread[name] = [fold.std() / np.sqrt(5) for fold in folds]

curves = parameter_curves(
    sizes,
    scores,
    spread=spread,
    parameter="alpha",
    metric="accuracy",
    larger_is_better=True,
)
draw_parameter_curves(curves, title="Accuracy against alpha, with its standard error")

# %%
# Without a least size, every wrong label has a sphere of its own. "auto" chooses alpha by cross-validation within the
# training rows.

model = SphereEnsembleClassifier(25, min_sphere_size="auto", random_state=0).fit(X, noisy)
print("chosen for 25 covers:", model.min_sphere_size_)
