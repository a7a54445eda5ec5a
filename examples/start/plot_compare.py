"""
Which method for my data?
=========================

``compare`` cross-validates methods on a table, ranks them, and says how sure the ranking is. Without a list it tries
covey's ensembles and what people use today; here it gets four names and an estimator of one's own.
"""

# %%
# A file's name, a frame, or X and y will do, and ``budget="10m"`` is the time that it may take.

from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from covey import compare

methods = [
    "mbsasc",
    "alpha-rsse",
    "c4.5",
    "baseline",
    ("my SVM", make_pipeline(StandardScaler(), SVC())),
]
comparison = compare(
    "wine", methods=methods, n_estimators=20, n_repeats=2, n_workers=1, verbose=0
)
ranking = comparison.ranking()
ranking.plot()

# %%
# In words. A method ties with the best if it is shown to be within a small distance of it, and is behind if it is shown
# not to be; otherwise it is too close to call.

for sentence in ranking.summary():
    print(sentence)

# %%
# The same as objects: every other metric is there, too, and so are predictions and times of every fit.

print("best:", comparison.best, "| ties:", ranking.ties, "| behind:", ranking.behind)
by_loss = comparison.ranking(metric="neg_log_loss")
print("best by log loss:", by_loss.best)
