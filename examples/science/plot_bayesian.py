"""
Is it better, or practically the same?
======================================

A test that finds no difference does not show that there is none. A Bayesian comparison has three answers: the first is
better, the second is, or they differ by less than matters: the region of practical equivalence (rope).
"""

# %%
# On one dataset: two methods by ten times five folds, the same for both. Training sets overlap, which the correlated
# t-test allows for. Less than one percentage point shall not matter.

from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from covey import method
from covey.analysis import bayesian_correlated_t, bayesian_signed_rank
from covey.datasets import make_waveform
from covey.reproduce import published_table

X, y = make_waveform(300, random_state=0)
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=10, random_state=0)
first = cross_val_score(method("mbsasc", n_estimators=30, random_state=0), X, y, cv=folds)
second = cross_val_score(RandomForestClassifier(30, random_state=0), X, y, cv=folds)
posterior = bayesian_correlated_t(
    first, second, n_train=240, n_test=60, larger_is_better=True, rope=0.01
)
posterior.plot(names=("MB-SASC", "random forest"))

# %%
# Over many datasets: the signed-rank test, here of accuracies in per cent that a paper printed for two ensembles. Each
# point is a sample of what can be believed, and has the colour of the corner that it speaks for.

printed = published_table("rsc", 4).query("metric == 'accuracy-pct' and dataset != 'all'")
accuracy = printed.pivot(index="dataset", columns="method", values="mean")
pair = ("rotation-forest", "alpha-rsse")
many = bayesian_signed_rank(
    accuracy[pair[0]], accuracy[pair[1]], larger_is_better=True, rope=0.5
)
many.plot(names=pair)

# %%
# As a table:

many.table().to_frame().round(3)
