import numpy as np
import pytest

import covey.datasets.generators as generators
from covey.datasets.generators import GENERATORS

SHAPES = {
    "twonorm": (300, 20),
    "threenorm": (300, 20),
    "ringnorm": (300, 20),
    "ringnorm-near": (300, 20),
    "waveform-21": (5000, 21),
    "waveform-40": (5000, 40),
    "led-24": (200, 24),
    "layered-cake": (300, 2),
    "sim-regression": (300, 10),
    "sim-regression-collinear": (300, 10),
    "sim-logistic": (300, 10),
    "sim-logistic-collinear": (300, 10),
}


def test_every_data_set_is_listed():
    assert set(GENERATORS) == set(SHAPES)


@pytest.mark.parametrize("name", SHAPES)
def test_default_shape(name):
    X, y = GENERATORS[name](random_state=0)
    assert X.shape == SHAPES[name]
    assert y.shape == SHAPES[name][:1]


@pytest.mark.parametrize("name", SHAPES)
def test_size_seed_and_form_can_be_chosen(name):
    X, y = GENERATORS[name](n_samples=7, random_state=1)
    frame, series = GENERATORS[name](n_samples=7, random_state=1, as_frame=True)
    assert X.shape[0] == 7
    np.testing.assert_array_equal(frame.to_numpy(dtype=float), X)
    np.testing.assert_array_equal(series.to_numpy(), y)


@pytest.mark.parametrize(
    "random_state", [np.random.RandomState(0), np.random.default_rng(0), np.random.SeedSequence(0)]
)
@pytest.mark.parametrize("name", SHAPES)
def test_every_kind_of_random_state_is_taken(name, random_state):
    assert len(GENERATORS[name](n_samples=3, random_state=random_state)[1]) == 3


def test_exports_exist():
    assert all(hasattr(generators, name) for name in generators.__all__)
