"""
Margins: how narrow a vote was
==============================

The margin of a row is the share of votes for its class less the largest share of another: below zero the vote is wrong,
and near zero a few members could have turned it.
"""

# %%
# Ringnorm: two overlapping Gaussian clouds in 20 dimensions, one within the other.

from covey import method
from covey.analysis import margins
from covey.datasets import make_ringnorm, ringnorm_task
from covey.plots import draw_margins, margin_distribution

X, y = make_ringnorm(300, random_state=0)
X_new, y_new = make_ringnorm(2000, random_state=1)

votes = {}
for id in ("wag", "boost", "mbsasc"):
    model = method(id, n_estimators=60, random_state=0).fit(X, y)
    votes[id] = (model.member_predictions(X_new), y_new, model.estimator_weights_)

draw_margins(margin_distribution(votes))

# %%
# Where a curve crosses zero is the error of the vote. No classifier can err less than this:

print(f"Bayes error: {ringnorm_task().bayes_error():.3f}")
for id, vote in votes.items():
    found = margins(*vote)
    print(f"{id}: error {found.negative:.3f}, mean margin {found.mean:.2f}")
