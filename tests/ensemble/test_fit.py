from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from covey.ensemble.fit import TrainingData, fit_member, resample, takes_weights
from covey.ensemble.inputs import Inputs
from covey.seeds import seed_model
from covey.table import as_table

X = np.arange(12.0).reshape(6, 2)
y = np.array([0, 0, 1, 1, 2, 2])


def fit(estimator, weight, columns=None):
    data = TrainingData(Inputs(as_table(X)), y, np.ones(6), n_classes=3, weighs=takes_weights(estimator))
    return fit_member(estimator, data, np.asarray(weight, dtype=float), columns, np.random.default_rng(0))


@settings(derandomize=True, deadline=None)
@given(counts=st.lists(st.integers(0, 3), min_size=1, max_size=9).filter(any))
def test_whole_weights_repeat_rows_exactly(counts):
    rows = resample(np.array(counts, dtype=float), np.random.default_rng(0))
    np.testing.assert_array_equal(np.bincount(rows, minlength=len(counts)), counts)


def test_real_weights_draw_rows_in_proportion():
    weight = np.array([0.5, 0.0, 1.5, 2.0])
    rng = np.random.default_rng(1)
    rows = np.concatenate([resample(weight, rng) for _ in range(4000)])
    assert len(rows) == 3 * 4000  # as many as have weight
    share = np.bincount(rows, minlength=4) / len(rows)
    np.testing.assert_allclose(share, weight / 4, atol=4 * np.sqrt(0.25 / len(rows)))
    assert share[1] == 0


def test_large_whole_weights_are_drawn_instead_of_repeated():
    assert len(resample(np.array([1e6, 2e6]), np.random.default_rng(0))) == 2


def test_weights_reach_a_model_that_takes_them():
    tree = fit(DecisionTreeClassifier(), [1, 2, 0, 3, 1.5, 0]).model
    assert tree.tree_.n_node_samples[0] == 4
    assert tree.tree_.weighted_n_node_samples[0] == 7.5


def test_weights_reach_a_model_that_takes_none_as_repeats():
    neighbours = fit(KNeighborsClassifier(1), [1, 2, 0, 3, 1, 0]).model
    assert neighbours._fit_X.shape == (7, 2)


def test_rows_left_out_are_remembered():
    left_out = fit(DecisionTreeClassifier(), [1, 2, 0, 3, 1, 0]).left_out
    assert np.unpackbits(left_out, count=6).tolist() == [0, 0, 1, 0, 0, 1]
    assert fit(DecisionTreeClassifier(), np.ones(6)).left_out is None


def test_one_class_is_learnt_by_a_constant():
    member = fit(LogisticRegression(), [0, 0, 1, 1, 0, 0])
    assert isinstance(member.model, DummyClassifier)
    assert member.model.predict(X[:2]).tolist() == [1, 1]


def test_every_random_state_gets_its_own_seed():
    model = make_pipeline(StandardScaler(), DecisionTreeClassifier())
    model.steps.append(("other", DecisionTreeClassifier()))
    seed_model(model, np.random.default_rng(3))
    seeds = [model.get_params()[f"{name}__random_state"] for name in ("decisiontreeclassifier", "other")]
    assert None not in seeds
    assert len(set(seeds)) == 2


@pytest.mark.parametrize("weight", [[1, 1, 1, 1, 1, 1], [1, 0, 2, 1, 1, 3]])
def test_metadata_follows_its_rows(weight):
    seen = {}

    class Recorder(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None, tags=None):
            seen["rows"] = X[:, 0].tolist()
            seen["tags"] = tags
            return super().fit(X, y, sample_weight)

    tags = X[:, 0] * 10
    data = TrainingData(Inputs(as_table(X)), y, np.ones(6), 3, params={"tags": tags})
    fit_member(Recorder(), data, np.array(weight, dtype=float), None, np.random.default_rng(0))
    assert seen["tags"].tolist() == [10 * row for row in seen["rows"]]
