"""
How many columns should a neighbour see?
========================================

Each member of MFS finds the nearest case along a random choice of columns, and the members vote. The number of columns
is chosen by leave-one-out accuracy, with the very members that make predictions later.
"""

# %%
# 20 columns, of which eight matter. The curve of sizes comes with the fitted model.

from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

from covey import FeatureSubsetNeighborsClassifier, MixedNeighborsClassifier
from covey.plots import draw_parameter_curves, parameter_curves

X, y = make_classification(
    700, 20, n_informative=6, n_redundant=2, class_sep=0.9, random_state=0
)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)
model = FeatureSubsetNeighborsClassifier(random_state=0).fit(X_train, y_train)

curve = model.size_curve_
draw_parameter_curves(
    parameter_curves(
        list(curve),
        list(curve.values()),
        parameter="columns that a member sees",
        metric="leave-one-out accuracy",
        larger_is_better=True,
    )
)

# %%
# On new rows, beside one nearest neighbour that sees all columns, and the best number of neighbours:

rivals = {
    f"100 members of {model.subset_size_} columns": model,
    "nearest neighbour": MixedNeighborsClassifier().fit(X_train, y_train),
    "k nearest, k chosen": MixedNeighborsClassifier("auto").fit(X_train, y_train),
}
for name, rival in rivals.items():
    print(f"{name}: accuracy {rival.score(X_test, y_test):.3f}")
