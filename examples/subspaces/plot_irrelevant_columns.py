"""
More and more columns that say nothing
======================================

Columns of coin tosses are added to ten real ones. Models over random columns draw ever more of the useless ones, unless
the draw is weighted.
"""

# %%
# A third of the diabetes data trains, the rest tests. Each model has 200 members; of 10 columns a member sees 3, of 70
# it sees 8. "Conditional" credit asks what a column adds to the others in a member.

from sklearn.linear_model import LinearRegression

from covey import RandomSubspaceRegressor
from covey.datasets import add_irrelevant, load
from covey.plots import draw_parameter_curves, parameter_curves

X, y = load("diabetes").to_xy()
models = {
    "drawn alike (RSSL)": {"weighting": "uniform"},
    "by correlation (RASSEL)": {"weighting": "relevance"},
    "evolving (ERASSEL)": {"weighting": "evolving"},
    "evolving, conditional": {"weighting": "evolving", "credit": "conditional"},
}
counts = [0, 10, 20, 40, 60]
scores = {name: [] for name in ("least squares", *models)}
for count in counts:
    wide = add_irrelevant(X, count, random_state=0)
    train, test = wide[::3], wide.drop(wide.index[::3])
    y_train, y_test = y[train.index], y[test.index]
    scores["least squares"].append(
        LinearRegression().fit(train, y_train).score(test, y_test)
    )
    for name, options in models.items():
        model = RandomSubspaceRegressor(**options, subspace_size="sqrt", random_state=0)
        scores[name].append(model.fit(train, y_train).score(test, y_test))

curves = parameter_curves(
    counts,
    scores,
    parameter="irrelevant columns added to 10",
    metric="R² on 294 new rows",
    larger_is_better=True,
)
draw_parameter_curves(curves, title="What irrelevant columns cost")
