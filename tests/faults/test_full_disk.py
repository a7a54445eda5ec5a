"""The disk is full in the middle of a study: that is said, what is finished stays, and the study goes on with room.

What the store itself does then is tested in tests/study/test_store_faults.py.
"""

from __future__ import annotations

import os
import subprocess

import pytest

from covey.study import MethodSpec, Results, run_study
from covey.study.store import StoreError
from faults.driving import Coordinator, assert_same, places, study_of

FOREST = MethodSpec("forest", "sklearn.ensemble.RandomForestClassifier", {"n_estimators": 30})


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "covey-faults", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(place, n_left):
    """Leave so many bytes on a file system."""
    found = os.statvfs(place)
    (place / "ballast").write_bytes(bytes(max(found.f_bavail * found.f_frsize - n_left, 0)))


def test_a_full_disk_is_said_and_the_study_goes_on_when_there_is_room(small_disk, tmp_path):
    study, store, seen = study_of([FOREST], ["breast_cancer"], n_repeats=2), small_disk / "s.store", []

    def progress(one):
        seen.append(one.latest.labels["fit"])
        if len(seen) == 3:
            fill(small_disk, 8_000)

    with pytest.raises(
        StoreError, match=r"s\.store: (database or disk is full; make room|disk I/O error; see whether)"
    ):
        run_study(study, store, progress=progress)
    assert 3 <= len(seen) < 6
    assert {fit for _, _, fit in places(Results.in_store(store))} == set(seen), "readers need no room"
    with pytest.raises(StoreError, match=r"disk is full|disk I/O"):  # still
        run_study(study, store)

    (small_disk / "ballast").unlink()
    again = []
    results = run_study(study, store, progress=again.append)
    assert len(again) == 6 - len(seen)
    assert_same(results, run_study(study, tmp_path / "whole.store"))


def test_no_room_for_a_store_at_all_is_said_and_leaves_nothing(small_disk):
    fill(small_disk, 0)
    with pytest.raises(StoreError, match=r"s\.store.*(disk is full|disk I/O|No space|cannot be made)"):
        run_study(study_of([FOREST], ["breast_cancer"]), small_disk / "s.store")
    assert not (small_disk / "s.store").exists()
    assert not list(small_disk.glob("*.part*"))


TOML = """
name = "a study"
seed = 0
datasets = ["breast_cancer"]
[protocol]
kind = "cross-validation"
n_folds = 3
n_repeats = 40
[[method]]
name = "forest"
estimator = "sklearn.ensemble.RandomForestClassifier"
params = { n_estimators = 20 }
"""


@pytest.mark.slow
def test_a_file_that_may_not_grow_stops_the_study_and_loses_nothing(room):
    """A quota, or a limit of the shell, for those who may not mount."""
    file, store = room.folder / "study.toml", room.out / "s.store"
    file.write_text(TOML)
    with Coordinator(room, file, store, n_workers=1, file_size=400_000) as coordinator:
        assert coordinator.finish() == 1
        assert "StoreError" in coordinator.errors
        assert "disk I/O error; see whether the disk or a quota is full" in coordinator.errors
    kept = places(Results.in_store(store))
    assert {tuple(cell[:3]) for cell in coordinator.cells} <= kept
    assert 5 < len(kept) < 120
    with Coordinator(room, file, store, n_workers=1) as coordinator:
        assert coordinator.finish() == 0, coordinator.errors
    assert len(coordinator.cells) == 120 - len(kept)
    assert set(Results.in_store(store).frame().status) == {"done"}
    room.assert_untouched()
