"""
Probabilities that can be trusted
=================================

Of the rows that a model is 80% sure of, about 80% should be right. A combination is calibrated on rows that its members
have not seen; single models often are too sure of themselves.
"""

# %%
# All probabilities are of rows that were left out: the combination keeps its own, the others are cross-validated.

from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

from covey import CoveyClassifier, method
from covey.datasets import make_threenorm
from covey.plots import draw_reliability, reliability

X, y = make_threenorm(600, random_state=0)
members = ["logistic regression", "knn", "mb", "alpha-rsse"]
model = CoveyClassifier(members, random_state=0).fit(X, y)
probabilities = {
    "combination": model.oof_predictions_,
    "naive Bayes": cross_val_predict(GaussianNB(), X, y, cv=5, method="predict_proba"),
    "C4.5": cross_val_predict(method("c4.5"), X, y, cv=5, method="predict_proba"),
}
diagram = reliability(y, probabilities)
draw_reliability(diagram)

# %%
# Below the diagonal a model is surer than it is right. The expected calibration error is the mean distance from it:

for name, bins in diagram.methods.items():
    print(f"{name}: {bins.error:.3f}")
