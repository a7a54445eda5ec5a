"""Data whose trees are known, and ways to compare trees."""

import numpy as np
import pandas as pd
import pytest

from covey import C45Classifier

# Quinlan's golf data, as Weka spells it.
GOLF = pd.DataFrame(
    [row.split() for row in (
        "sunny 85 85 no no", "sunny 80 90 yes no", "overcast 83 86 no yes", "rainy 70 96 no yes", "rainy 68 80 no yes",
        "rainy 65 70 yes no", "overcast 64 65 yes yes", "sunny 72 95 no no", "sunny 69 70 no yes", "rainy 75 80 no yes",
        "sunny 75 70 yes yes", "overcast 72 90 yes yes", "overcast 81 75 no yes", "rainy 71 91 yes no",
    )],
    columns=["outlook", "temperature", "humidity", "windy", "play"],
).astype({"temperature": float, "humidity": float})  # fmt: skip
PLAY = GOLF.pop("play").to_numpy()
NOMINAL_GOLF = GOLF.assign(
    temperature=np.select([GOLF["temperature"] >= 80, GOLF["temperature"] >= 70], ["hot", "mild"], "cool"),
    humidity=np.where(GOLF["humidity"] > 80, "high", "normal"),
)


def arrays_of(model):
    return model.tree_.__getstate__()


def assert_same_tree(one, other, exactly=True):
    for name, array in arrays_of(one).items():
        if exactly or name != "weight":
            np.testing.assert_array_equal(arrays_of(other)[name], array, err_msg=name)
        else:
            np.testing.assert_allclose(arrays_of(other)[name], array, rtol=1e-9, atol=1e-12)


def mixed(seed, n_rows=120, missing=0.0):
    """Numbers with ties, categories, and labels that depend on both."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.integers(0, 15, n_rows), rng.normal(size=n_rows).round(1), rng.integers(0, 4, n_rows)]
    ).astype(float)
    y = (X[:, 0] > 7).astype(int) + (X[:, 2] == 1) + (rng.random(n_rows) < 0.15)
    X[rng.random(X.shape) < missing] = np.nan
    return X, np.minimum(y, 2)


def members(ensemble, X, y):
    """Fit an ensemble and give its members with their columns and weights."""
    weights, kind = [], type(ensemble.estimator)
    fit = kind._fit_member

    def watch(self, table, target, weight):
        weights.append(weight.copy())
        return fit(self, table, target, weight)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "_fit_member", watch)
        ensemble.fit(X, y)
    return zip(ensemble.estimators_, ensemble.estimators_features_, weights, strict=True)


def learner(**options):
    return C45Classifier(categorical_features=[2], **options)


VARIANTS = {
    "default": {},
    "unpruned": {"pruning": False, "collapse": False, "min_cases": 1},
    "binary": {"nominal_splits": "binary"},
    "stochastic": {"attribute_probability": 0.5, "random_state": 4},
}
