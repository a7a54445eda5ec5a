"""
How many columns a linear model should see
==========================================

The fewer columns a member sees, the more members differ, and the less each knows. By default the number is chosen on
rows that members did not see, and the curve is kept.
"""

# %%
# For numbers: diabetes. For classes: simulated data of ten columns, of which three decide. The dashed line is the size
# that was chosen, and the axis says why.

from matplotlib import pyplot as plt

from covey import RandomSubspaceClassifier, RandomSubspaceRegressor
from covey.datasets import load, make_simulated_logistic
from covey.plots import plot_size_curve

X, y = load("diabetes").to_xy()
regressor = RandomSubspaceRegressor(random_state=0).fit(X, y)
X, y = make_simulated_logistic(1500, random_state=0)
classifier = RandomSubspaceClassifier(n_estimators=100, random_state=0).fit(X, y)

figure, axes = plt.subplots(1, 2, figsize=(10.5, 3.8), layout="constrained")
plot_size_curve(regressor, ax=axes[0], title="diabetes, linear models")
plot_size_curve(classifier, ax=axes[1], title="simulated classes, logistic models")

# %%
# The choice is an attribute, and so are the errors behind it.

print("chosen:", regressor.subspace_size_, "and", classifier.subspace_size_)
curve = classifier.size_curve_
print(
    "errors by size:",
    ", ".join(
        f"{size}: {error:.3f}"
        for size, error in zip(curve.sizes, curve.errors, strict=True)
    ),
)
