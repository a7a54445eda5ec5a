"""
Bias and variance of three learners
===================================

Train a learner on many samples of the same data, and its error falls into parts: what it gets wrong on the whole
(bias), and what changes from sample to sample (variance). Ensembles of trees mostly take from the second.
"""

# %%
# Training sets of 200 rows, drawn 30 times from a generator, and the same 500 new rows every time.

import pandas as pd
from sklearn.linear_model import LogisticRegression

from covey import C45Classifier, WaggingClassifier
from covey.analysis import kohavi_wolpert
from covey.datasets import threenorm_task
from covey.plots import bias_variance_curves, draw_bias_variance_curves
from covey.study import FreshSamples, repeat_predictions

trees = WaggingClassifier(n_estimators=20)
learners = {
    "C4.5": C45Classifier(),
    "20 wagged C4.5": trees,
    "linear": LogisticRegression(),
}


def decompose(learner, size):
    """Return the parts of a learner's error after training on so many rows."""
    samples = FreshSamples(threenorm_task(), n_repeats=30, train_size=size, test_size=500)
    runs = repeat_predictions(learner, samples, random_state=0)
    return kohavi_wolpert(runs.predictions, runs.y)


parts = {name: decompose(learner, 200) for name, learner in learners.items()}
table = {
    name: {"error": part.error, "bias": part.bias, "variance": part.variance}
    for name, part in parts.items()
}
pd.DataFrame(table).T.round(3)

# %%
# Wagging takes from both parts of the trees' error, most from the variance. The error of such an ensemble by the number
# of training rows:

sizes = [50, 100, 200, 400]
wagged = [decompose(trees, size) for size in sizes]
curves = bias_variance_curves(sizes, wagged, parameter="training rows")
draw_bias_variance_curves(curves, title="20 wagged C4.5 on threenorm")
