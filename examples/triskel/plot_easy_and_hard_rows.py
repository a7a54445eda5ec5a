"""
Easy rows first
===============

In each round of Triskel one classifier names the positive class only when it is sure, and one the negative. Rows on
which both agree are decided; the others go on to the next round, and in the end to an arbiter.
"""

# %%
# Three rounds over linear SVMs, asked about new rows of two classes that overlap.

import numpy as np
import pandas as pd

from covey import TriskelClassifier
from covey.analysis import nested_spaces, round_points
from covey.datasets import make_threenorm
from covey.plots import plot_roc_spaces

X, y = make_threenorm(600, random_state=0)
X_new, y_new = make_threenorm(2000, random_state=1)
model = TriskelClassifier(n_rounds=3, bias=0.7, random_state=0).fit(X, y)

# %%
# Who decides how many rows, and how well?

final, left = model.predict(X_new), np.ones(len(y_new), dtype=bool)
rows = []
for number, (plus, minus) in enumerate(model.round_predictions(X_new), start=1):
    decided = left & (plus == minus)
    rows.append((f"round {number}", decided.sum(), (plus == y_new)[decided].mean()))
    left &= ~decided
rows.append(("arbiter", left.sum(), (final == y_new)[left].mean()))
pd.DataFrame(rows, columns=["decided by", "rows", "accuracy"]).set_index(
    "decided by"
).round(3)

# %%
# Each round is a smaller ROC space within the last one: what it leaves open is what later rounds can still win.

pairs = model.round_predictions(X_new)[:2]
plot_roc_spaces(nested_spaces(round_points(y_new, pairs), strict=False))
