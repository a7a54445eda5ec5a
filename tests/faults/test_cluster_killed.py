"""A Dask worker, or the scheduler, is killed while a study runs there: what is finished stays, the rest goes on.

What the cluster does with single tasks is tested in tests/study/test_cluster.py.
"""

from __future__ import annotations

import os
import signal

import pytest

pytest.importorskip("distributed")

from covey.study import Results, run_study
from covey.study.cluster import ClusterLostError
from faults.driving import NAIVE, assert_same, kill_in_flight, needs_proc, place_of, places, study_of, told
from faults.methods import LOG
from study.cluster_watch import Cluster

pytestmark = [needs_proc, pytest.mark.usefixtures("patient_with_clusters")]


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    monkeypatch.setenv(LOG, str(tmp_path / "fits"))
    (tmp_path / "dask").mkdir()
    with Cluster(tmp_path / "dask") as made:
        made.add_worker()
        made.add_worker()
        yield made


def test_a_study_outlives_a_worker_of_the_cluster(tmp_path, cluster):
    """The cell that it was at is tried again elsewhere, and nothing fails."""
    flag = tmp_path / "flag"
    flag.touch()
    study = study_of([NAIVE, told("wait", flag)], ["iris", "wine"])
    thread = kill_in_flight(flag, then=flag.unlink)
    results = run_study(study, tmp_path / "s.store", cluster=cluster.address)
    thread.join()
    assert set(results.frame().status) == {"done"}
    assert_same(results, run_study(study, tmp_path / "whole.store"))


@pytest.mark.slow
def test_what_is_finished_outlives_the_scheduler(tmp_path, cluster):
    study, store = study_of(datasets=["iris", "wine"], n_repeats=4), tmp_path / "s.store"
    seen = []

    def progress(one):
        seen.append(one.latest)
        if len(seen) == 10:
            os.kill(cluster.scheduler.pid, signal.SIGKILL)

    with pytest.raises(ClusterLostError, match=r"What is finished is kept; start a cluster and run again"):
        run_study(study, store, cluster=cluster.address, progress=progress)
    before = places(Results.of(study, store))
    assert len(before) == len(seen) >= 10
    assert len(before) < 48
    again = []
    results = run_study(study, store, progress=again.append)
    assert len(again) == 48 - len(before)
    assert not before & {place_of(one.latest.labels) for one in again}
    assert_same(results, run_study(study, tmp_path / "whole.store"))


@pytest.mark.slow
def test_a_study_goes_on_from_one_cluster_to_the_next(tmp_path, cluster):
    """The whole cluster dies, another is started, and the same command goes on there."""
    study, store = study_of(datasets=["iris", "wine"], n_repeats=4), tmp_path / "s.store"

    def progress(one):
        if one.done == 5:
            os.kill(cluster.scheduler.pid, signal.SIGKILL)

    with pytest.raises(ClusterLostError):
        run_study(study, store, cluster=cluster.address, progress=progress)
    n_kept = len(places(Results.of(study, store)))
    (tmp_path / "another").mkdir()
    again = []
    with Cluster(tmp_path / "another") as other:
        other.add_worker()
        results = run_study(study, store, cluster=other.address, progress=again.append)
    assert len(again) == 48 - n_kept
    assert_same(results, run_study(study, tmp_path / "whole.store"))
