"""
Rotation forests: borders at an angle
=====================================

A tree cuts along one column at a time, so a slanted border becomes a staircase. A rotation forest turns the axes before
it grows each tree: columns are grouped at random, and each group is replaced by its principal components.
"""

# %%
# Two classes on either side of a slanted line, with noise around it.

import numpy as np
from matplotlib import pyplot as plt
from sklearn.inspection import DecisionBoundaryDisplay

from covey import RotationForestClassifier, WaggingClassifier
from covey.plots import draw_staged_error, staged_error

rng = np.random.default_rng(3)
X = rng.uniform(-1, 1, size=(1200, 2))
y = (X[:, 1] - 0.8 * X[:, 0] + 0.1 * rng.normal(size=len(X)) > 0).astype(int)
train, test = slice(0, 200), slice(200, None)

models = {
    "wagged trees": WaggingClassifier(n_estimators=50, random_state=0).fit(
        X[train], y[train]
    ),
    "rotation forest": RotationForestClassifier(n_estimators=50, random_state=0).fit(
        X[train], y[train]
    ),
}

# %%
# The regions that each gives to the classes, with the training rows.

figure, axes = plt.subplots(
    1, 2, figsize=(9, 4), sharex=True, sharey=True, layout="constrained"
)
for ax, (name, model) in zip(axes, models.items(), strict=True):
    DecisionBoundaryDisplay.from_estimator(
        model,
        X[train],
        ax=ax,
        response_method="predict",
        plot_method="pcolormesh",
        cmap="coolwarm",
        alpha=0.35,
        eps=0.1,
    )
    ax.scatter(
        *X[train].T, c=y[train], cmap="coolwarm", s=22, edgecolors="white", linewidths=0.5
    )
    ax.set_title(
        f"{name}: accuracy {model.score(X[test], y[test]):.3f} on new rows", size="medium"
    )

# %%
# The error by the number of members: already the first rotated tree errs less than fifty wagged ones.

votes = {
    name: (model.member_predictions(X[test]), y[test]) for name, model in models.items()
}
draw_staged_error(staged_error(votes))
