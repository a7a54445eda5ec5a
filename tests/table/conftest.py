import numpy as np
import pytest


@pytest.fixture
def numbers():
    """A float64, C-contiguous matrix with a gap."""
    X = np.random.default_rng(3).normal(size=(6, 3))
    X[2, 1] = np.nan
    return X
