"""
Weights that evolve
===================

ERASSEL draws the columns of each linear model by weights, and learns these weights: a column gains when models that saw
it do well on rows that they did not see. The weights tell which columns matter.
"""

# %%
# Diabetes with 40 columns of coin tosses beside its ten own.

from covey import RandomSubspaceRegressor
from covey.datasets import add_irrelevant, load
from covey.plots import plot_feature_weights, plot_weight_path

X, y = load("diabetes").to_xy()
X = add_irrelevant(X, 40, random_state=0)
options = {"n_estimators": 400, "subspace_size": "sqrt", "random_state": 0}
evolving = RandomSubspaceRegressor(
    weighting="evolving", credit="conditional", **options
).fit(X, y)
plot_weight_path(evolving, top=5)

# %%
# RASSEL weighs columns once, by their correlation with the response. Both put the columns that matter in front;
# evolving weights tell them apart from columns that say the same.

relevance = RandomSubspaceRegressor(weighting="relevance", **options).fit(X, y)
plot_feature_weights({"ERASSEL": evolving, "RASSEL": relevance}, top=12)
