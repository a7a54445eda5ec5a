"""
Many methods on many datasets
=============================

Scores of any library's models, a row per dataset and a column per method. Friedman's test asks whether the mean ranks
could be luck, Nemenyi's which of them are too close to tell apart.
"""

# %%
# Here the accuracies that Younsi and Bagnall printed for five ensembles on sixteen datasets, which come with covey.

from covey.analysis import friedman, win_draw_loss
from covey.reproduce import published_table

printed = published_table("rsc", 4).query("metric == 'accuracy-pct' and dataset != 'all'")
accuracy = printed.pivot(index="dataset", columns="method", values="mean")
comparison = friedman(accuracy, larger_is_better=True).nemenyi(alpha=0.05)
comparison.plot()

# %%
# Text, table and figure come from one object.

print(comparison)

# %%
# Wins, draws and losses of each two, with sign tests: a row against a column.

records = win_draw_loss(accuracy, larger_is_better=True)
records.plot()
