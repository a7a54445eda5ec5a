"""
A cake in layers: three lines instead of fifty
==============================================

Four layers of two classes in turn. No line separates them, and boosting lines goes in circles: each new one mends what
the last one broke. Triskel trains two lines that are biased towards one class each, and an arbiter for the rest.
"""

# %%
# One line, fifty boosted lines, and Triskel.

from covey import BoostingClassifier, LinearSVMClassifier, TriskelClassifier
from covey.datasets import make_layered_cake
from covey.plots import plot_separators

X, y = make_layered_cake(random_state=0, as_frame=True)
triskel = TriskelClassifier(
    n_rounds=1, covering="separate", biasing="oversample", bias="auto", random_state=0
)
models = {
    "one line": LinearSVMClassifier(),
    "fifty boosted lines": BoostingClassifier(LinearSVMClassifier(), 50, random_state=0),
    "Triskel": triskel,
}
for name, model in models.items():
    print(f"{name}: accuracy {model.fit(X, y).score(X, y):.2f}")

# %%
# The first line names one class only when it is sure, the second the other. Where they agree, they decide; between them
# the arbiter does.

plot_separators(triskel, X, y)
