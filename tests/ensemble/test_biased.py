from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from covey.ensemble.biased import fit_biased, with_synthetic
from covey.ensemble.fit import TrainingData
from covey.ensemble.inputs import Inputs
from covey.table import as_table

RNG = np.random.default_rng(7)
NUMBERS = pd.DataFrame(RNG.normal(size=(60, 3)), columns=["a", "b", "c"])
MIXED = NUMBERS.assign(town=RNG.choice(["Ely", "York"], 60)).astype({"town": "category"})
NAMES = MIXED[["town"]].assign(size=RNG.choice(["s", "m", "l"], 60)).astype("category")
CODES = (NUMBERS["a"] + RNG.normal(size=60) > 0).to_numpy().astype(np.intp)


def data(frame, *, weighs=True):
    return TrainingData(Inputs(as_table(frame)), CODES, np.ones(60), 2, weighs)


@pytest.mark.parametrize("frame", [NUMBERS, MIXED, NAMES], ids=["numbers", "mixed", "nominal"])
@pytest.mark.parametrize("against", [0, 1])
def test_synthetic_cases_are_of_the_other_class_and_as_many_as_oversampling_draws(frame, against):
    own = int((against != CODES).sum())
    made = with_synthetic(data(frame), against, 0.5, np.random.default_rng(0))
    assert (made.y == 1 - against).sum() == 2 * own
    assert (made.y == against).sum() == 60 - own
    assert set(made.weight) == {1.0}
    assert made.inputs.table.schema == as_table(frame).schema


def test_a_threshold_is_as_fair_to_one_class_as_to_the_other():
    def said(codes, against):
        some = TrainingData(Inputs(as_table(NUMBERS)), codes, np.ones(60), 2)
        tree = DecisionTreeClassifier(max_depth=2, random_state=0)
        return fit_biased("threshold", tree, some, against, 0.3, np.random.default_rng(0)).codes(some.inputs)

    np.testing.assert_array_equal(said(CODES, 1), 1 - said(1 - CODES, 0))


@pytest.mark.parametrize("biasing", ["weight", "oversample"])
def test_rows_drawn_by_weight_keep_a_case_of_each_class(biasing):
    found = fit_biased(
        biasing, KNeighborsClassifier(1), data(NUMBERS, weighs=False), 1, 0.9999, np.random.default_rng(0)
    )
    assert found.spared
    assert set(found.codes(data(NUMBERS).inputs)) == {0, 1}


def test_probabilities_serve_where_there_are_no_decision_values():
    found = fit_biased("threshold", GaussianNB(), data(NUMBERS), 1, 0.5, np.random.default_rng(0))
    plain = fit_biased("threshold", GaussianNB(), data(NUMBERS), 1, 0.0, np.random.default_rng(0))
    inputs = data(NUMBERS).inputs
    assert found.codes(inputs).sum() == pytest.approx(plain.codes(inputs).sum() / 2, abs=1)
