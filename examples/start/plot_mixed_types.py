"""
Categories, numbers and gaps
============================

Frames go in as they are: text and categories stay categories, and a missing value is a value that is missing. Learners
of covey need no encoding and no imputation.
"""

# %%
# A made-up table of 400 visits: two numbers, a town, an answer. A tenth of all entries is then removed.

import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_score

from covey import (
    C45Classifier,
    FeatureSubsetNeighborsClassifier,
    MultiBoostClassifier,
    SphereCoverClassifier,
)
from covey.plots import draw_score_boxes, score_boxes

rng = np.random.default_rng(0)
n_rows = 400
frame = pd.DataFrame(
    {
        "age": rng.integers(18, 90, n_rows).astype(float),
        "dose": rng.gamma(2, 2, n_rows).round(1),
        "town": rng.choice(["Ely", "York", "Bath", "Leeds"], n_rows),
        "smoker": rng.choice(["yes", "no"], n_rows),
    }
)
risk = (
    0.05 * (frame["age"] - 50)
    + 1.5 * (frame["smoker"] == "yes")
    + (frame["town"] == "Bath")
    - 0.3 * frame["dose"]
)
y = np.where(risk + rng.logistic(scale=0.5, size=n_rows) > 0, "ill", "well")
frame = frame.mask(rng.random(frame.shape) < 0.1)
frame.head()

# %%
# A tree over such rows splits towns into branches and sends rows with gaps down all of them, in parts.

C45Classifier(min_cases=8).fit(frame, y).plot(max_depth=3)

# %%
# Four families on the same frame.

models = {
    "C4.5": C45Classifier(),
    "multiboosted C4.5": MultiBoostClassifier(n_estimators=50, random_state=0),
    "sphere cover": SphereCoverClassifier("auto", random_state=0),
    "neighbours over columns": FeatureSubsetNeighborsClassifier(50, random_state=0),
}
scores = {
    name: 100 * cross_val_score(model, frame, y, cv=10) for name, model in models.items()
}
draw_score_boxes(
    score_boxes(scores, metric="accuracy in %, ten folds", larger_is_better=True)
)
