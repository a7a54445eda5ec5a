"""Two coordinators on one store: the second is refused, by a message that names the first, which goes on unharmed.

That a lock ends with its process is tested in tests/study/test_store_faults.py.
"""

from __future__ import annotations

import pytest

from covey.study import Results, read_study, run_study
from covey.study.store import StoreError
from faults.driving import Coordinator, assert_same, needs_proc
from waiting import PATIENCE, wait_until

TOML = """
name = "a study"
seed = 0
datasets = ["iris"]
[protocol]
kind = "cross-validation"
n_folds = 3
n_repeats = 1
[[method]]
estimator = "sklearn.naive_bayes.GaussianNB"
[[method]]
name = "waits"
estimator = "faults.methods.Told"
params = {{ does = "wait", flag = "{flag}" }}
"""


@pytest.fixture
def waiting(room):
    """A study that waits in the middle for as long as a file is there."""
    flag, file = room.folder / "flag", room.folder / "study.toml"
    flag.touch()
    file.write_text(TOML.format(flag=flag))
    return flag, file, room.out / "s.store"


@needs_proc
def test_the_second_is_refused_and_the_first_goes_on(room, waiting):
    flag, file, store = waiting
    study = read_study(file, trust=["faults"])
    with Coordinator(room, file, store) as first:
        first.wait_for(2)  # one cell is kept, and both workers come to wait
        assert first.process.poll() is None, first.errors
        for _ in range(3):
            with pytest.raises(StoreError, match=rf"s\.store is being written by process {first.pid} on .*; wait"):
                run_study(study, store)
        assert first.process.poll() is None
        frame = Results.in_store(store).frame()
        assert {"done", "missing"} == set(frame.status)
        flag.unlink()
        assert first.finish() == 0, first.errors
    assert len(first.cells) == 6
    seen = []
    results = run_study(study, store, progress=seen.append)
    assert seen == []
    assert_same(results, run_study(study, room.folder / "whole.store"))


@pytest.mark.slow
@needs_proc
def test_the_command_line_refuses_at_once_and_others_may_look_on(room, waiting):
    flag, file, store = waiting
    command = ["covey.cli", "study", "run", file, "--store", store, "--trust", "faults", "--workers", "2"]
    with room.start(*command) as first:
        try:
            wait_until(lambda: len(room.fits()) >= 2)
            second = room.run(*command)
            assert second.returncode == 1
            assert f"is being written by process {first.pid} on" in second.stderr
            assert "Traceback" not in second.stderr
            status = room.covey("study", "status", file, "--store", store, "--trust", "faults")
            assert status.returncode == 0, status.stderr
            assert "of 6 fits done" in status.stdout
            results = room.covey("study", "results", file, "--store", store, "--trust", "faults")
            assert results.returncode == 0, results.stderr
            assert first.poll() is None
            flag.unlink()
            _, errors = first.communicate(timeout=PATIENCE)
            assert first.returncode == 0, errors
        finally:
            first.kill()
    assert set(Results.in_store(store).frame().status) == {"done"}
    assert len(room.fits()) == 3
    room.assert_untouched()
