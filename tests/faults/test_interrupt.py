"""Ctrl-C: the command line ends with 130, leaves no process behind and a whole store, and goes on when asked to."""

from __future__ import annotations

import signal

import pytest

from covey.study import Results, read_study, run_study
from faults.driving import assert_same, needs_proc, places
from waiting import PATIENCE, wait_until

TOML = """
name = "a study"
seed = 0
datasets = ["iris", "wine"]
[protocol]
kind = "cross-validation"
n_folds = 5
n_repeats = 1
[[method]]
estimator = "sklearn.naive_bayes.GaussianNB"
[[method]]
name = "waits"
estimator = "faults.methods.Told"
params = {{ does = "wait", flag = "{flag}" }}
"""


@needs_proc
@pytest.mark.parametrize(
    "where",
    [
        pytest.param(["--workers", "2"], id="processes"),
        pytest.param(["--workers", "1"], id="one", marks=pytest.mark.slow),
        pytest.param(["--dask", "local", "--workers", "2"], id="dask", marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(room, where):
    file, store = room.folder / "study.toml", room.out / "s.store"
    flag = room.folder / "flag"
    flag.touch()
    file.write_text(TOML.format(flag=flag))
    study = read_study(file, trust=["faults"])
    waiting, n_workers = room.folder / "flag.pid", int(where[-1])
    command = ["covey.cli", "study", "run", file, "--store", store, "--trust", "faults", *where]
    with room.start(*command) as running:
        try:
            wait_until(lambda: waiting.exists() and len(waiting.read_text().split()) == n_workers)
            wait_until(lambda: places(Results.of(study, store)))
            running.send_signal(signal.SIGINT)
            _, errors = running.communicate(timeout=PATIENCE)
        finally:
            running.kill()
    assert running.returncode == 130, errors
    assert "What is finished is kept; the same command goes on from there" in errors
    assert "Traceback" not in errors
    wait_until(lambda: not room.processes())
    kept = places(Results.of(study, store))
    assert 1 <= len(kept) < 20
    flag.unlink()
    seen = []
    results = run_study(study, store, progress=seen.append)
    assert len(seen) == 20 - len(kept)
    assert_same(results, run_study(study, room.folder / "whole.store"))
    room.assert_untouched()
