"""
Gaussian process and support vectors for numbers
================================================

Both fit a smooth function. The Gaussian process finds its own length scales and noise and says how sure it is; the
support vector machine ignores errors within a tube around it.
"""

# %%
# One column first, so that the functions can be seen: 60 noisy points of a wave with a gap.

import numpy as np
from matplotlib import pyplot as plt

from covey import GaussianProcessRegressor, SVMRegressor
from covey.datasets import load

rng = np.random.default_rng(0)
x = np.sort(np.concatenate([rng.uniform(0, 4, 40), rng.uniform(6, 8, 20)]))
y = np.sin(1.5 * x) + 0.2 * x + 0.2 * rng.normal(size=len(x))
process = GaussianProcessRegressor(random_state=0).fit(x[:, None], y)
machine = SVMRegressor().fit(x[:, None], y)

grid = np.linspace(-0.5, 8.5, 300)
mean, deviation = process.predict(grid[:, None], return_std=True)
_, ax = plt.subplots(figsize=(7, 3.6), layout="constrained")
ax.fill_between(
    grid,
    mean - 1.64 * deviation,
    mean + 1.64 * deviation,
    color="#0072B2",
    alpha=0.15,
    linewidth=0,
)
ax.plot(grid, mean, color="#0072B2", label="Gaussian process, 90% of new points within")
ax.plot(
    grid,
    machine.predict(grid[:, None]),
    color="#D55E00",
    linestyle="--",
    label="support vector machine",
)
ax.plot(x, y, "o", color="#222222", markersize=3.5)
ax.set(xlabel="x", ylabel="response")
ax.legend(frameon=False, loc="upper left")
ax.spines[["top", "right"]].set_visible(False)

# %%
# Where there are no points, the band widens. On ten columns of diabetes:

X, y = load("diabetes").to_xy()
for model in (GaussianProcessRegressor(random_state=0), SVMRegressor()):
    print(
        f"{type(model).__name__}: R² {model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]):.3f} on rows left out"
    )

# %%
# A short length scale means that the response bends along that column; what is straight is left to the linear part.

process = GaussianProcessRegressor(random_state=0).fit(X, y)
order = np.argsort(process.length_scale_)[:3]
print(
    "shortest length scales:",
    ", ".join(str(process.length_scale_names_[column]) for column in order),
)
