"""
Diversity against error: wagging, attribute selection, boosting
===============================================================

An ensemble is better than its members if they err on different rows. A kappa-error diagram has a point for each pair of
members: how much the two agree beyond chance (kappa), and how often they err on the average.
"""

# %%
# Wagging trains each tree with random weights of the rows. Stochastic attribute selection hides columns from every
# split at random, here on top of wagging. Boosting makes each tree look at what the ones before it got wrong.

from covey import method
from covey.analysis import measure_diversity
from covey.datasets import make_waveform
from covey.plots import draw_kappa_error, kappa_error_diagram

X, y = make_waveform(300, random_state=0)
X_new, y_new = make_waveform(1000, random_state=1)
names = {"wag": "wagging", "wagsasc": "and attribute selection", "boost": "boosting"}
votes = {}
for id, name in names.items():
    model = method(id, n_estimators=50, random_state=0).fit(X, y)
    votes[name] = (model.member_predictions(X_new), y_new, model.estimator_weights_)

draw_kappa_error(kappa_error_diagram({name: vote[:2] for name, vote in votes.items()}))

# %%
# Further left is more diverse, further down more accurate. Boosting pays for its diversity with members that err more;
# what counts is the error of the vote.

for name, vote in votes.items():
    found = measure_diversity(*vote)
    print(
        f"{name}: members err on {found.individual_error:.1%}, their vote on {found.ensemble_error:.1%}"
    )
