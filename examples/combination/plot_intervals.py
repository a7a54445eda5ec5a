"""
Intervals that hold what they promise
=====================================

``CoveyRegressor`` knows how far off it was on rows that were left out of the training. Nine of ten of these errors give
a conformal interval: about 90% of new values lie within, whatever the members are.
"""

# %%
# Diabetes: 300 rows train, 142 test.

import numpy as np

from covey import CoveyRegressor
from covey.datasets import load
from covey.plots import draw_residuals, residuals

X, y = load("diabetes").to_xy()
order = np.random.default_rng(0).permutation(len(X))
train, test = order[:300], order[300:]
members = ["ridge regression", "rassel", "extra trees"]
model = CoveyRegressor(members, random_state=0).fit(X.iloc[train], y.iloc[train])

said = model.explain(X.iloc[test]).xs("covey", level="member")
truth = y.iloc[test].to_numpy()
inside = (said["low"] <= truth) & (truth <= said["high"])
print(f"{inside.mean():.0%} of {len(test)} new values lie within their intervals")

# %%
# Truth less prediction, with the interval around it: points outside are the share that was allowed.

ax = draw_residuals(residuals(truth, said["prediction"]))
half = (said["high"] - said["low"]).iloc[0] / 2
ax.axhspan(-half, half, color="#56B4E9", alpha=0.15, zorder=0)

# %%
# The interval is the same for all rows, as wide as the errors were:

print(
    f"prediction ± {half:.0f}, where the standard deviation of the target is {np.std(truth):.0f}"
)
