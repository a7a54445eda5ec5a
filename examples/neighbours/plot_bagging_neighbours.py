"""
Bagging does nothing for neighbours, columns do
===============================================

The nearest neighbour hardly changes when rows are drawn at random: two of three rows stay. Members that see different
columns disagree much more, and that is what a vote needs.
"""

# %%
# 50 members of each kind on 300 rows of waveform, asked about 1,000 others.

from covey import (
    Bootstrap,
    EnsembleClassifier,
    FeatureSubsetNeighborsClassifier,
    MixedNeighborsClassifier,
)
from covey.analysis import measure_diversity
from covey.datasets import make_waveform
from covey.plots import draw_kappa_error, kappa_error_diagram

X, y = make_waveform(300, random_state=0)
X_new, y_new = make_waveform(1000, random_state=1)
models = {
    "bagged neighbours": EnsembleClassifier(
        MixedNeighborsClassifier(), 50, draw=Bootstrap(), random_state=0
    ),
    "neighbours over columns": FeatureSubsetNeighborsClassifier(
        50, subset_size=10, random_state=0
    ),
}
votes = {}
for name, model in models.items():
    votes[name] = (model.fit(X, y).member_predictions(X_new), y_new)

draw_kappa_error(kappa_error_diagram(votes))

# %%
# Members that see 10 of 21 columns are worse one by one, and better together.

single = MixedNeighborsClassifier().fit(X, y)
print(f"one neighbour: error {1 - single.score(X_new, y_new):.3f}")
for name, (labels, truth) in votes.items():
    found = measure_diversity(labels, truth)
    print(f"{name}: members {found.individual_error:.3f}, vote {found.ensemble_error:.3f}")
