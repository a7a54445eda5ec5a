from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from common.roster import ROSTER, VARIANTS, Entry


def _marked(entry: Entry) -> object:
    return pytest.param(entry, marks=[pytest.mark.slow] if entry.name in VARIANTS else [])


@pytest.fixture(params=list(map(_marked, ROSTER)), ids=str)
def entry(request: pytest.FixtureRequest) -> Entry:
    return request.param


@pytest.fixture
def data(entry: Entry) -> tuple[np.ndarray, np.ndarray]:
    """Numbers without gaps, with three classes or a numeric response."""
    return numbers(entry)


def numbers(entry: Entry, n_samples: int = 120) -> tuple[np.ndarray, np.ndarray]:
    X, y = make_classification(n_samples, n_features=5, n_informative=4, n_redundant=0, n_classes=3, random_state=3)
    return X, (y if entry.is_classifier else X[:, 0] + 2 * y)


@pytest.fixture
def mixed(entry: Entry) -> tuple[pd.DataFrame, np.ndarray]:
    """A frame with numbers, categories, text and booleans, and no gaps."""
    X, y = numbers(entry)
    frame = pd.DataFrame(
        {
            "length": X[:, 0],
            "count": np.arange(len(X)) % 7,
            "colour": pd.Categorical.from_codes(np.digitize(X[:, 1], [-1, 1]), ["red", "green", "blue"]),
            "place": np.where(X[:, 2] > 0, "here", "there"),
            "open": X[:, 3] > 0,
        }
    )
    return frame, y
