"""
What a combination is made of
=============================

``CoveyClassifier`` fits unlike families, asks each about rows that it has not seen, and weighs them by that. Members
that add nothing to the others are left out.
"""

# %%
# Six members by their ids; without a list, a choice that suits the table is made.

from covey import CoveyClassifier
from covey.datasets import load

X, y = load("breast_cancer").to_xy()
members = ["c4.5", "knn", "logistic regression", "alpha-rsse", "mfs1", "mb"]
model = CoveyClassifier(members, random_state=0).fit(X, y)
model.plot()

# %%
# Good members are to the left, unlike ones at the top; the area of a point is its weight. The same as a table:

model.member_scores_.drop(columns="seconds").round(3)

# %%
# Which columns do all of them together need? Each is shuffled in rows that were left out, and the log loss grows.

shares = sorted(
    zip(X.columns, model.feature_importances_, strict=True), key=lambda pair: -pair[1]
)
for name, share in shares[:5]:
    print(f"{name}: {share:.3f}")
