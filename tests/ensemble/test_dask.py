"""Ensembles that are grown on a Dask cluster."""

from __future__ import annotations

from sys import getsizeof

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification

from covey import method
from covey.ensemble.fit import TrainingData
from covey.ensemble.inputs import Inputs
from covey.study.local_cluster import local_cluster
from covey.table import Table, as_table
from waiting import PATIENCE

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(2) as address, distributed.Client(address, timeout=PATIENCE) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
        yield client


@pytest.fixture
def sent(monkeypatch):
    """The tables of the full height that were made ready to be sent, in order."""
    tables = []
    plainly = Table.__reduce_ex__

    def reduce(table, protocol):
        tables.append(table)
        return plainly(table, protocol)

    monkeypatch.setattr(Table, "__reduce_ex__", reduce)
    return tables


MODELS = {
    "bagging": {"n_estimators": 12},
    "multiboost": {"n_estimators": 12},
    "rotation-forest": {"n_estimators": 6},
    "alpha-rse": {"n_estimators": 6, "min_sphere_size": 2},
    "triskel-1": {"biasing": "oversample"},
    "triskel-m1": {},
}


@pytest.mark.parametrize("name", MODELS)
def test_the_table_is_sent_once_and_the_model_is_the_same(cluster, sent, name):
    X, y = load_iris(return_X_y=True)
    model = method(name, random_state=0, n_jobs=2, **MODELS[name])
    here = clone(model).fit(X, y)
    assert sent == []
    with parallel_config(backend="dask", wait_for_workers_timeout=PATIENCE):
        there = clone(model).fit(X, y)
        assert len(sent) == 1
        said = there.predict(X)
    assert len(sent) <= 2  # the rows to be predicted
    np.testing.assert_array_equal(said, here.predict(X))


def test_a_warm_start_goes_on_where_the_cluster_has_left_off(cluster):
    X, y = make_classification(200, random_state=0)
    model = method(
        "multiboost", n_estimators=8, chain_length=3, n_chains=None, random_state=0, n_jobs=2, warm_start=True
    )
    here, there = clone(model), clone(model)
    for n_estimators in (8, 14):
        here.set_params(n_estimators=n_estimators).fit(X, y)
        with parallel_config(backend="dask", wait_for_workers_timeout=PATIENCE):
            there.set_params(n_estimators=n_estimators).fit(X, y)
    np.testing.assert_array_equal(there.predict_proba(X), here.predict_proba(X))


def test_what_holds_a_table_is_as_large_as_the_table():
    X, y = make_classification(500, random_state=0)
    inputs = Inputs(as_table(X))
    data = TrainingData(inputs, y, np.ones(len(y)))
    assert getsizeof(inputs) >= X.nbytes
    assert getsizeof(data) >= X.nbytes + y.nbytes + 8 * len(y)
    few = inputs.table.take(np.array([0, 1]))
    assert getsizeof(few) >= getsizeof(inputs.table)  # whose columns they are
