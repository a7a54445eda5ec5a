"""
Explain a prediction
====================

What does each member of a combination say of a row, how much does its word weigh, and how sure are all of them
together?
"""

# %%
# A combination of five families, and the row that it is least sure of among new ones.

from matplotlib import pyplot as plt
from sklearn.model_selection import train_test_split

from covey import CoveyClassifier
from covey.datasets import load

X, y = load("breast_cancer").to_xy()
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
members = ["logistic regression", "knn", "alpha-rsse", "mfs1", "mb"]
model = CoveyClassifier(members, random_state=0).fit(X_train, y_train)
sure = model.predict_proba(X_test).max(axis=1)
row = X_test.iloc[[sure.argmin()]]

explained = model.explain(row).droplevel("row")
explained.round(3)

# %%
# Members as bars, from the one that weighs most. The dashed line is the verdict of all.

whole, each = explained.iloc[0], explained.iloc[1:][::-1]
_, ax = plt.subplots(figsize=(6.5, 3), layout="constrained")
names = [f"{name} (weight {weight:.2f})" for name, weight in each["weight"].items()]
ax.barh(names, each["probability"], color="#56B4E9")
ax.axvline(whole["probability"], color="#222222", linestyle="--", linewidth=1)
ax.set(xlim=(0, 1), xlabel=f"probability of {whole['prediction']!r} (dashed: all together)")
ax.spines[["top", "right"]].set_visible(False)

# %%
# What it really was:

print(y_test[row.index].item())
