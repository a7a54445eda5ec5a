"""
A class that is rare
====================

If 3 rows of 100 are ill, saying "well" to everyone is 97% accurate. Average precision asks instead: of those that a
method is most worried about, how many are ill?
"""

# %%
# 2,000 rows, 3% of them of the rare class; half of them train.

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, average_precision_score
from sklearn.model_selection import train_test_split

from covey import MultiBoostClassifier, RotationForestClassifier
from covey.plots import draw_method_curves, method_curves

X, y = make_classification(
    2000, 10, n_informative=5, weights=[0.97], flip_y=0.01, class_sep=0.8, random_state=2
)
y = np.where(y == 1, "ill", "well")
X_train, X_test, y_train, y_test = train_test_split(
    X, y, test_size=0.5, stratify=y, random_state=0
)

models = {
    "multiboosting": MultiBoostClassifier(random_state=0),
    "rotation forest": RotationForestClassifier(random_state=0),
    "logistic regression": LogisticRegression(),
}
probabilities = {
    name: model.fit(X_train, y_train).predict_proba(X_test)
    for name, model in models.items()
}

# %%
# Accuracy hardly differs; average precision does.

for name, shares in probabilities.items():
    accuracy = accuracy_score(y_test, models[name].predict(X_test))
    precision = average_precision_score(y_test == "ill", shares[:, 0])
    print(f"{name}: accuracy {accuracy:.3f}, average precision {precision:.3f}")

# %%
# Precision against recall, with 95% intervals from the test rows: there are only thirty or so that are ill.

draw_method_curves(
    method_curves(y_test, probabilities, positive="ill", kind="precision-recall")
)
