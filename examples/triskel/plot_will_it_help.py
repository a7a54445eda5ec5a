"""
Will Triskel help?
==================

Train classifiers of growing bias towards either class, and put them into ROC space. Where their curve bends below its
convex hull, a pair of biased classifiers and an arbiter can do better than one without bias.
"""

# %%
# Four layers of two classes in turn, which no line separates.

from covey import LinearSVMClassifier, TriskelClassifier
from covey.analysis import bias_curves, predict_gain
from covey.datasets import make_layered_cake
from covey.plots import plot_bias_curves

X, y = make_layered_cake(400, random_state=0)
base = LinearSVMClassifier().fit(X, y)
plus, minus = {}, {}
for strength in (0.1, 0.3, 0.5, 0.65, 0.8, 0.9):
    pair = TriskelClassifier(
        n_rounds=1, biasing="oversample", bias=strength, random_state=0
    ).fit(X, y)
    plus[strength], minus[strength] = pair.round_predictions(X)[0]

curves = bias_curves(y, base.predict(X), plus, minus)
plot_bias_curves(curves)

# %%
# The prediction in words, then the test of it.

prediction = predict_gain(curves)
print(prediction)
model = TriskelClassifier(
    n_rounds=1, covering="separate", biasing="oversample", bias="auto", random_state=0
)
print(prediction.check(model.fit(X, y).score(X, y)))
