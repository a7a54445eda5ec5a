"""
How many columns should a sphere see?
=====================================

Sphere covers over random columns differ more the fewer columns they see, and know less. Domingos' decomposition shows
what each number of columns costs.
"""

# %%
# 25 samples of 60 wines each; every sample trains an ensemble of 15 covers, which all predict the same unseen rows.

from covey import SubspaceSphereEnsembleClassifier
from covey.analysis import domingos
from covey.datasets import load
from covey.plots import bias_variance_curves, draw_bias_variance_curves
from covey.study import BootstrapSamples, repeat_predictions

X, y = load("wine").to_xy()
widths = [1, 2, 3, 5, 8, 13]
losses = []
for width in widths:
    model = SubspaceSphereEnsembleClassifier(15, min_sphere_size=1, subspace_size=width)
    runs = repeat_predictions(
        model, BootstrapSamples(25, sample_size=60), X, y, random_state=0
    )
    losses.append(domingos(runs.predictions, runs.y))

draw_bias_variance_curves(bias_variance_curves(widths, losses))

# %%
# What the estimator itself would choose, by cross-validation:

model = SubspaceSphereEnsembleClassifier(15, min_sphere_size=1, random_state=0).fit(X, y)
print("columns that each cover sees:", model.subspace_size_)
