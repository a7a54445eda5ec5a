import numpy as np
import pytest


@pytest.fixture
def rng():
    return np.random.default_rng(20240607)


@pytest.fixture
def rows():
    """A matrix of 12 rows and 6 columns with a target of two classes."""
    X = np.random.default_rng(5).normal(size=(12, 6))
    return X, (X[:, 0] > 0).astype(int)
