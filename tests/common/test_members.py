"""What all ensembles tell of their members, and how they take parameters of a base estimator that is not given."""

from __future__ import annotations

import numpy as np
import pytest


def test_member_predictions_are_labels_and_codes_by_option(entry, data):
    X, y = data
    if not hasattr(entry.new().fit(X, y), "member_predictions"):
        pytest.skip("no members that are asked one by one")
    if not entry.is_classifier:
        assert entry.new().fit(X, y).member_predictions(X).dtype == np.float64
        return
    labels = np.array(["c", "a", "b"])[y]
    model = entry.new().fit(X, labels)
    said, codes = model.member_predictions(X), model.member_predictions(X, codes=True)
    assert codes.dtype == np.int8
    np.testing.assert_array_equal(said, np.array(["a", "b", "c"])[codes])
    assert said.shape == (len(X), len(model.estimator_weights_))
    # Whatever is predicted, some member, or pair of classes, says so.
    assert (said == model.predict(X)[:, None]).any(axis=1).all()
