"""
Multiboosting against bagging, by size
======================================

Bagging draws rows, boosting turns to the rows that earlier trees got wrong, and multiboosting does both: sub-committees
of boosted trees, each started from random weights. How many trees does each need?
"""

# %%
# Waveform: three classes, 21 noisy numbers. The three ensembles grow the same trees, C4.5, from the same rows.

from covey import Bootstrap, C45Classifier, EnsembleClassifier, method
from covey.datasets import make_waveform
from covey.plots import draw_staged_error, staged_error

X, y = make_waveform(300, random_state=0)
X_new, y_new = make_waveform(3000, random_state=1)

models = {
    "bagging": EnsembleClassifier(C45Classifier(), 100, draw=Bootstrap(), random_state=0),
    "boosting": method("boost", n_estimators=100, random_state=0),
    "multiboosting": method("mb", n_estimators=100, random_state=0),
}
votes = {}
for name, model in models.items():
    model.fit(X, y)
    votes[name] = (model.member_predictions(X_new), y_new, model.estimator_weights_)

# %%
# One fit has all sizes in it: the votes of its first 1, 2, ... members.

staged = staged_error(votes)
draw_staged_error(staged)

# %%
# The same in words, which is also the figure's alternative text.

print(staged.description)
