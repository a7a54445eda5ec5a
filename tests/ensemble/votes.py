"""Votes counted one member at a time, to compare with."""

from __future__ import annotations

import numpy as np


def brute_force_shares(model, X):
    """The weighted vote, from the members one by one."""
    shares = np.zeros((len(X), len(model.classes_)))
    codes = model.member_predictions(X, codes=True)
    for member, weight in enumerate(model.estimator_weights_):
        shares[np.arange(len(X)), codes[:, member]] += weight
    return shares / model.estimator_weights_.sum()
