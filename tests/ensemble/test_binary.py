from __future__ import annotations

import numpy as np

from covey.ensemble.fit import TrainingData
from covey.ensemble.inputs import Inputs
from covey.ensemble.one_vs_one import Pairing, one_vs_one, one_vs_rest
from covey.table import as_table

DATA = TrainingData(
    Inputs(as_table(np.zeros((5, 1)))), np.array([0, 1, 2, 1, 0]), np.array([1.0, 2.0, 3.0, 0.0, 5.0]), 3
)


def test_a_pair_leaves_other_classes_without_weight():
    pair = Pairing(0, 2).binary(DATA)
    assert pair.weight.tolist() == [1.0, 0.0, 3.0, 0.0, 5.0]
    assert pair.y[pair.weight > 0].tolist() == [0, 1, 0]
    assert pair.n_classes == 2


def test_one_class_against_all_others():
    pair = Pairing(-1, 1).binary(DATA)
    np.testing.assert_array_equal(pair.weight, DATA.weight)
    assert pair.y.tolist() == [0, 1, 0, 1, 0]


def test_every_pair_and_every_class():
    assert [(one.negative, one.positive) for one in one_vs_one(3)] == [(0, 1), (0, 2), (1, 2)]
    assert one_vs_one(1) == [Pairing(0, 0)]
    assert [one.positive for one in one_vs_rest(3)] == [0, 1, 2]
    assert Pairing(0, 2).name(np.array([0, 1, 1])).tolist() == [0, 2, 2]
