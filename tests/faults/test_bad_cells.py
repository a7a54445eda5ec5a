"""Cells that raise, hang, or eat memory: rows that say why, no harm to others, and another try when asked for."""

from __future__ import annotations

import time

import pytest

from covey.study import FixedSplit, Store, pool, process, run_study
from faults.driving import NAIVE, NOTED, assert_same, needs_proc, study_of, told
from waiting import PATIENCE


@needs_proc
def test_cells_that_raise_hang_or_eat_are_rows_and_the_others_are_done(tmp_path, monkeypatch):
    flag, hang, store = tmp_path / "flag", tmp_path / "hang", tmp_path / "s.store"
    flag.touch()
    hang.touch()
    begun, n_ended, n_leaps = tmp_path / "hang.pid", 0, 0

    def clock():
        """Go on by more than the limit, again and again, while a cell hangs."""
        nonlocal n_leaps
        n_leaps += begun.exists() and len(begun.read_text().split()) > n_ended
        return time.monotonic() + 2 * PATIENCE * n_leaps

    def progress(one):
        nonlocal n_ended
        n_ended += one.latest.labels["method"] == "hang"

    for module in (pool, process):
        monkeypatch.setattr(module, "monotonic", clock)
    bad = [told("raise", flag), told("hang", hang), told("eat", flag)]
    study = study_of([NAIVE, *bad, NOTED], ["iris", "wine"], protocol=FixedSplit(n_train=100))
    results = run_study(study, store, n_workers=1, timeout=PATIENCE, memory=500_000_000, progress=progress)
    frame = results.frame().set_index("method")
    assert set(frame.loc[["naive", "noted"], "status"]) == {"done"}
    for method, reason in {
        "raise": "raised: ArithmeticError: it was told to <fail>",
        "hang": "timeout: took longer than timeout=600 seconds",
        "eat": "memory: needed .* MB of memory or more, but memory=500000000 allows 500 MB",
    }.items():
        assert set(frame.loc[method, "status"]) == {"failed"}
        assert frame.loc[method, "failure"].str.fullmatch(reason).all(), frame.loc[method, "failure"].tolist()
    with Store.open(store, write=False) as kept:
        tracebacks = {one.labels["method"]: one.traceback for one in kept.read(results.keys) if one.status == "failed"}
    assert "in misbehave" in tracebacks["raise"]
    assert tracebacks["raise"].rstrip().endswith("ArithmeticError: it was told to <fail>")
    assert tracebacks["hang"] == tracebacks["eat"] == ""

    seen = []
    run_study(study, store, progress=seen.append)
    assert seen == [], "what failed is not tried again unless that is asked for"
    flag.unlink()
    hang.unlink()
    results = run_study(study, store, retry_failed=True, progress=seen.append)
    assert len(seen) == 6
    assert (seen[-1].done, seen[-1].failed) == (10, 0)
    assert_same(results, run_study(study, tmp_path / "whole.store"))


def test_a_cell_that_fails_again_stays_a_row(tmp_path):
    flag, store = tmp_path / "flag", tmp_path / "s.store"
    flag.touch()
    study = study_of([NAIVE, told("raise", flag)])
    for _ in range(2):
        frame = run_study(study, store, retry_failed=True).frame()
        assert (frame.status == "failed").sum() == 3
        assert (frame.status == "done").sum() == 3


@pytest.mark.slow
@needs_proc
def test_the_command_line_tells_what_failed_and_how_to_go_on(room):
    flag, file, store = room.folder / "flag", room.folder / "study.toml", room.out / "s.store"
    flag.touch()
    file.write_text(
        'name = "a"\nseed = 0\ndatasets = ["iris"]\n[protocol]\nkind = "cross-validation"\nn_folds = 3\nn_repeats = 1\n'
        '[[method]]\nestimator = "sklearn.naive_bayes.GaussianNB"\n'
        '[[method]]\nname = "raise"\nestimator = "faults.methods.Told"\n'
        f"params = {{ does = 'raise', flag = '{flag}' }}\n"
    )
    command = ["study", "run", file, "--store", store, "--trust", "faults", "--workers", "2"]
    ended = room.covey(*command)
    assert "ArithmeticError: it was told to <fail>" in ended.stdout
    assert "--retry-failed tries them again" in ended.stdout
    flag.unlink()
    ended = room.covey(*command, "--retry-failed")
    assert ended.returncode == 0, ended.stderr
    assert "failed" not in ended.stdout
    room.assert_untouched()
