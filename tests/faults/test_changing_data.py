"""A data file that changes or vanishes while a study runs: rows that say so, never results of other data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.study import DataSpec, Results, run_study
from covey.study.layout import StudyData, lay_out
from faults.driving import NAIVE, NOTED, assert_same, places, study_of
from study.cluster_watch import Cluster
from waiting import PATIENCE


def write_data(path, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(60, 3)), columns=["a", "b", "c"])
    frame["y"] = np.where(frame.a + frame.b > 0, "yes", "no")
    frame.to_csv(path, index=False)


@pytest.fixture
def files(tmp_path):
    """Two data files, of which the larger comes first."""
    large, small = tmp_path / "large.csv", tmp_path / "small.csv"
    write_data(large)
    write_data(small, 1)
    small.write_text("".join(small.read_text().splitlines(keepends=True)[:46]))
    return large, small


def study_on(files):
    return study_of([NAIVE, NOTED], [DataSpec(path.stem, str(path), "y") for path in files])


def changed(path):
    """Other values in a file of the same size."""
    write_data(path, 2)


def vanished(path):
    path.unlink()


def cut_off(path):
    path.write_bytes(path.read_bytes()[:500])


def garbled(path):
    path.write_bytes(b"\x00\xff\xfe" * 300)


def emptied(path):
    path.write_bytes(b"")


@pytest.mark.parametrize(
    "happen", [changed, vanished, *(pytest.param(one, marks=pytest.mark.slow) for one in (cut_off, garbled, emptied))]
)
def test_cells_that_would_see_other_data_fail_and_say_so(tmp_path, files, happen):
    _, small = files
    kept = small.read_bytes()
    study, store = study_on(files), tmp_path / "s.store"
    whole = run_study(study, tmp_path / "whole.store")

    def progress(one):
        if one.done == 1:  # of the larger data, before anyone has read the smaller for its cells
            happen(small)

    frame = run_study_apart(study, store, progress).frame().set_index("dataset")
    assert set(frame.loc["large", "status"]) == {"done"}
    assert set(frame.loc["small", "status"]) == {"failed"}
    said = "dataset 'small' has changed since the study began" if happen is changed else r"small\.csv"
    assert frame.loc["small", "failure"].str.contains(said).all(), frame.loc["small", "failure"].tolist()

    small.write_bytes(kept)
    results = run_study(study, store, retry_failed=True)
    assert_same(results, whole)


def run_study_apart(study, store, progress):
    """On a worker that has not read the data yet, as this process may have."""
    return run_study(study, store, n_workers=1, timeout=PATIENCE, progress=progress)


def test_a_run_on_data_that_have_changed_before_it_is_a_run_on_other_data(tmp_path, files):
    study, store = study_on(files), tmp_path / "s.store"
    first = run_study(study, store)
    changed(files[1])
    seen = []
    second = run_study(study, store, progress=seen.append)
    assert {one.latest.labels["dataset"] for one in seen} == {"small"}
    assert first.frame().set_index("dataset").loc["small"].status.tolist() == ["done"] * 6
    assert places(Results.in_store(store)) == places(second)


def test_data_that_are_read_again_to_be_sent_elsewhere_are_the_same_or_refused(files):
    study = study_on(files)
    data = StudyData(study, lay_out(study).datasets)
    large, small = data
    changed(files[1])
    assert data[large].n_rows == 60
    with pytest.raises(ValueError, match="dataset 'small' has changed since the study began; run it again"):
        data[small]


@pytest.mark.slow
@pytest.mark.usefixtures("patient_with_clusters")
def test_a_cluster_is_not_sent_data_that_have_changed(tmp_path, files):
    pytest.importorskip("distributed")
    _, small = files
    study, store = study_on(files), tmp_path / "s.store"
    whole = run_study(study, tmp_path / "whole.store")
    kept = small.read_bytes()

    def progress(one):
        if one.done == 1:
            changed(small)

    (tmp_path / "dask").mkdir()
    with Cluster(tmp_path / "dask") as cluster:
        cluster.add_worker()
        with pytest.raises(Exception, match="dataset 'small' has changed since the study began"):
            run_study(study, store, cluster=cluster.address, progress=progress)
    frame = Results.in_store(store).frame().set_index("dataset")
    assert set(frame.loc["large", "status"]) == {"done"}
    assert "done" not in set(frame.loc["small", "status"])
    small.write_bytes(kept)
    assert_same(run_study(study, store, retry_failed=True), whole)
