"""
ROC curves with intervals
=========================

A ROC curve from a hundred test rows is itself a guess. Drawing the rows again many times shows how far the curve and
its area may be off.
"""

# %%
# Three families on rows that they have not seen.

from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from covey import C45Classifier, SubspaceSphereEnsembleClassifier
from covey.datasets import make_threenorm
from covey.plots import draw_method_curves, method_curves

X, y = make_threenorm(500, random_state=0)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, train_size=300, stratify=y, random_state=0
)
models = {
    "sphere covers": SubspaceSphereEnsembleClassifier(50, random_state=0),
    "logistic regression": LogisticRegression(),
    "one tree": C45Classifier(),
}
probabilities = {
    name: model.fit(X_train, y_train).predict_proba(X_test)
    for name, model in models.items()
}
curves = method_curves(y_test, probabilities, positive=1)
draw_method_curves(curves)

# %%
# The figure in words. Intervals that overlap need not mean that two methods are the same: both were tested on the same
# rows.

print(curves.description)
