"""Whether a target of whole numbers is classes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.datasets import from_frame
from covey.datasets.target import are_class_codes

RNG = np.random.default_rng(1)
ZIPF = 1 / np.arange(1, 31)
TRIANGLE = np.array([1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1])


def draw(values, weights, n=4000):
    return RNG.choice(values, n, p=np.asarray(weights) / np.sum(weights))


def are_codes(values):
    return are_class_codes(*np.unique(np.asarray(values, dtype="float64"), return_counts=True))


@pytest.mark.parametrize(
    "values",
    [
        np.repeat(np.arange(1, 31), 40),
        RNG.integers(0, 26, 5000),
        draw(np.arange(1, 31), RNG.dirichlet(np.full(30, 5.0))),
        draw(np.arange(30), RNG.permutation(ZIPF)),
    ],
    ids=["even", "drawn evenly", "uneven", "very uneven"],
)
def test_codes_of_classes(values):
    assert are_codes(values)


@pytest.mark.parametrize(
    "values",
    [
        np.clip(RNG.normal(6, 2, 2000).round(), 1, 12),
        draw(np.arange(1, 13), TRIANGLE),
        RNG.integers(18, 81, 5000),
        RNG.poisson(8, 4000),
        RNG.geometric(0.1, 4000),
        np.clip(RNG.geometric(0.1, 4000), 1, 12),
        draw(np.arange(30), ZIPF),
        RNG.integers(1, 31, 200),
        RNG.integers(0, 101, 5000),
        np.repeat(np.arange(10, 310, 10), 40),
    ],
    ids=["rooms", "triangle", "ages", "counts", "decay", "capped", "sorted", "few rows", "percentages", "tens"],
)
def test_counts_and_measures(values):
    assert not are_codes(values)


def test_what_is_guessed_is_noted():
    frame = pd.DataFrame({"x": RNG.normal(size=1200), "y": np.repeat(np.arange(1, 31), 40)})
    data = from_frame(frame, "y")
    assert len(data.classes) == 30
    assert data.provenance.notes == (
        "the target 'y' holds 30 distinct whole numbers that count up from 1, each often, taken for classes; "
        "task='regression' takes them for numbers",
    )
    assert from_frame(frame, "y", task="regression").task == "regression"
