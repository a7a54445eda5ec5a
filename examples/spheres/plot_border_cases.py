"""
Border cases, and spheres that grow past outliers
=================================================

Every sphere ends at a case of another class: a border case. If that case is an outlier, the sphere is too small. beta
lets spheres hold so many cases of other classes; an ensemble can instead draw border cases anew after each member.
"""

# %%
# Two clouds, with a few cases whose label is wrong. On the left no sphere may hold a stranger, on the right two.

import numpy as np
from matplotlib import pyplot as plt

from covey import (
    BorderSphereEnsembleClassifier,
    SphereCoverClassifier,
    SphereEnsembleClassifier,
)
from covey.plots import cover_map, draw_cover

rng = np.random.default_rng(5)
y = np.repeat([0, 1], 60)
X = rng.normal(size=(120, 2)) + 2.6 * y[:, None]
noisy = np.where(rng.random(len(y)) < 0.07, 1 - y, y)

figure, axes = plt.subplots(1, 2, figsize=(10, 5.4), layout="constrained")
for ax, beta in zip(axes, (0, 2), strict=True):
    cover = cover_map(X, noisy, SphereCoverClassifier(2, max_enemies=beta, random_state=0))
    draw_cover(cover, ax)

# %%
# alpha-beta-RSE needs no beta: after each member the border cases are replaced by a random choice among them, the cases
# that no sphere held and those that were decided wrongly. Compared with plain covers on new cases of the true classes:

truth = np.repeat([0, 1], 2000)
X_new = rng.normal(size=(4000, 2)) + 2.6 * truth[:, None]
for make in (SphereEnsembleClassifier, BorderSphereEnsembleClassifier):
    model = make(50, min_sphere_size=2, random_state=0).fit(X, noisy)
    print(f"{make.__name__}: accuracy {model.score(X_new, truth):.3f}")
