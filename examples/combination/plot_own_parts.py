"""
An ensemble from parts of one's own
===================================

An ensemble is a set of chains: what opens a chain, which columns a member sees, what follows from its mistakes, and how
votes are combined. Each is a small object, and a new one is a class with one method.
"""

# %%
# A draw of our own: blocks of rows that follow each other, as for data that were recorded over time. It returns the
# weights that a member is trained with.

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from covey import (
    AdaBoost,
    Bootstrap,
    EnsembleClassifier,
    MeanProbability,
    RandomSubspace,
    Wagging,
)
from covey.datasets import make_waveform
from covey.plots import draw_staged_error, staged_error
from covey.strategies import Draw


class Blocks(Draw):
    """Blocks of rows, drawn with replacement."""

    def __init__(self, length: int = 20) -> None:
        self.length = length

    def draw(self, weight, rng):
        """Return how often each row was drawn, times its weight."""
        n_blocks = -(-len(weight) // self.length)
        counts = np.bincount(rng.integers(n_blocks, size=n_blocks), minlength=n_blocks)
        return weight * np.repeat(counts, self.length)[: len(weight)]


# %%
# The same base estimator, put together in four ways.

X, y = make_waveform(300, random_state=0)
X_new, y_new = make_waveform(2000, random_state=1)
base = DecisionTreeClassifier(max_depth=4)
models = {
    "bagging": EnsembleClassifier(base, 60, draw=Bootstrap(), random_state=0),
    "blocks": EnsembleClassifier(base, 60, draw=Blocks(30), random_state=0),
    "random columns": EnsembleClassifier(
        base,
        60,
        draw=Bootstrap(0.5),
        subspace=RandomSubspace("sqrt"),
        combine=MeanProbability(),
        random_state=0,
    ),
    "multiboosting": EnsembleClassifier(
        base, 60, draw=Wagging(), reweight=AdaBoost(), chain_length=6, random_state=0
    ),
}
votes = {}
for name, model in models.items():
    model.fit(X, y)
    votes[name] = (model.member_predictions(X_new), y_new, model.estimator_weights_)

draw_staged_error(staged_error(votes))
