"""The same seed gives the same model, whatever the number of jobs; and what a model promises to be blind to."""

from __future__ import annotations

import numpy as np
import pytest

from common.roster import opinions


def output(model, X):
    return model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)


def test_same_seed_same_model_for_any_number_of_jobs(entry, data):
    if "n_jobs" not in entry.params:
        pytest.skip("one job")
    X, y = data
    one = entry.new(n_jobs=1).fit(X, y)
    two = entry.new(n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(output(one, X), output(two, X))
    np.testing.assert_array_equal(one.predict(X), two.predict(X))


def test_another_seed_gives_another_model(entry, data):
    if not entry.seeded:
        pytest.skip("nothing is drawn")
    X, y = data
    one, other = entry.new().fit(X, y), entry.new().set_params(random_state=1).fit(X, y)
    elsewhere = np.random.default_rng(8).normal(size=(200, X.shape[1]))
    assert not np.array_equal(opinions(one, elsewhere), opinions(other, elsewhere))


def test_a_row_is_predicted_alike_again_and_alone_and_among_others(entry, data):
    X, y = data
    model = entry.new().fit(X, y)
    np.testing.assert_array_equal(output(model, X), output(model, X))
    if entry.by_itself:
        np.testing.assert_array_equal(model.predict(X)[7:9], model.predict(X[7:9]))


def test_row_order(entry, data):
    if not entry.row_order:
        pytest.skip("random rows: another order draws other rows")
    X, y = data
    order = np.random.default_rng(5).permutation(len(X))
    np.testing.assert_allclose(
        output(entry.new().fit(X, y), X), output(entry.new().fit(X[order], y[order]), X), rtol=1e-9
    )


def test_class_labels(entry, data):
    if not (entry.is_classifier and entry.class_labels):
        pytest.skip("no classes, or no promise")
    X, y = data
    other = np.array(["c", "a", "b"])  # their order is not that of the codes
    renamed = entry.new().fit(X, other[y])
    np.testing.assert_array_equal(other[entry.new().fit(X, y).predict(X)], renamed.predict(X))
