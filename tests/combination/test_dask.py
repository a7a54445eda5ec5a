"""Members of a combination that are fitted on a Dask cluster."""

from __future__ import annotations

import os

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from covey import CoveyClassifier
from covey.study.local_cluster import local_cluster
from waiting import PATIENCE

distributed = pytest.importorskip("distributed")


def noting():
    """Return a classifier that notes the process it is fitted in; its class goes along, as workers lack this file."""

    class Noting(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            self.process_ = os.getpid()
            return super().fit(X, y, sample_weight)

    return Noting()


def test_members_are_fitted_by_the_workers_and_are_the_same():
    X, y = load_iris(return_X_y=True)
    members = [noting(), "c4.5", "nn", ("line", LogisticRegression(max_iter=500))]
    model = CoveyClassifier(members, cv=3, weighting="uniform", n_jobs=2, random_state=0)
    here = clone(model).fit(X, y)
    assert here.estimators_[0].process_ == os.getpid()
    with local_cluster(2) as address, distributed.Client(address, timeout=PATIENCE) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
        with parallel_config(backend="dask", wait_for_workers_timeout=PATIENCE):
            there = clone(model).fit(X, y)
        processes = set(client.run(os.getpid).values())
    assert len(processes) == 2
    assert there.estimators_[0].process_ in processes
    np.testing.assert_array_equal(there.predict_proba(X), here.predict_proba(X))
    np.testing.assert_array_equal(there.oof_predictions_, here.oof_predictions_)
