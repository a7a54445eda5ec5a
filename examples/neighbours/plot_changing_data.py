"""
Learn and forget
================

Neighbours are their data, so that new cases can be added and old ones removed without training anew. When what is to be
learnt changes over time, forgetting helps.
"""

# %%
# Ten batches arrive; after the fifth the two classes change places. One model keeps all cases, the other forgets all
# but the last two batches. Each batch is predicted before it is learnt.

import numpy as np

from covey import FeatureSubsetNeighborsClassifier
from covey.plots import draw_parameter_curves, parameter_curves

rng = np.random.default_rng(0)
batch_size, n_batches = 60, 10


def batch(number):
    """Return rows of six columns, of which two matter."""
    X = rng.normal(size=(batch_size, 6))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    return X, 1 - y if number > 5 else y


X, y = batch(0)
keeps, forgets = (
    FeatureSubsetNeighborsClassifier(30, subset_size=3, random_state=0).fit(X, y)
    for _ in range(2)
)
scores = {"keeps all": [], "forgets": []}
for number in range(1, n_batches + 1):
    X, y = batch(number)
    for name, model in (("keeps all", keeps), ("forgets", forgets)):
        scores[name].append(model.score(X, y))
        model.partial_fit(X, y)
    if forgets.n_cases_ > 2 * batch_size:
        forgets.forget(range(batch_size))  # the oldest

curves = parameter_curves(
    range(1, n_batches + 1),
    scores,
    parameter="batch",
    metric="accuracy on the next batch",
    larger_is_better=True,
)
draw_parameter_curves(curves, title="Two classes that change places after batch 5")

# %%
# How many cases each of them searches:

print(f"keeps all: {keeps.n_cases_}, forgets: {forgets.n_cases_}")
