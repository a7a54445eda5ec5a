"""The program as it runs at a terminal: in a process of its own, on a pseudo-terminal, and stopped by Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from covey.study import Store
from covey.study.store import StoreError
from waiting import PATIENCE, wait_until

COMMAND = [sys.executable, "-m", "covey.cli"]


def environment(**more):
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    return {**kept, "TERM": "xterm-256color", **more}


def run_on_a_terminal(command, cwd, columns):
    """Run a command on a pseudo-terminal and return what it wrote there."""
    pty = pytest.importorskip("pty")
    main, other = pty.openpty()
    size = {"COLUMNS": str(columns), "LINES": "24"}
    process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, cwd=cwd, env=environment(**size))
    os.close(other)
    written = b""
    while True:
        try:
            more = os.read(main, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not more:
            break
        written += more
    os.close(main)
    return process.wait(PATIENCE), written.decode()


@pytest.mark.parametrize("columns", [80, 120])
def test_a_study_on_a_terminal(study, tmp_path, columns):
    study.write_text(study.read_text().replace("n_repeats = 2", "n_repeats = 20"))
    code, written = run_on_a_terminal([*COMMAND, "study", "run", str(study), "-w", "1"], tmp_path, columns)
    assert code == 3
    assert "\x1b[?25h" in written  # the cursor is back
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written)
    assert "a [red]study[/red]: mean accuracy" in shown
    assert "40 fits failed:" in shown
    last = shown[shown.index("a [red]study[/red]: mean accuracy") :]
    assert max(len(line.rstrip()) for line in last.splitlines()) <= columns


def test_json_stands_alone_whatever_methods_print(tmp_path):
    (tmp_path / "noisy.py").write_text(
        "from sklearn.dummy import DummyClassifier\n"
        "class Noisy(DummyClassifier):\n"
        "    def fit(self, X, y, sample_weight=None):\n"
        "        print('noise')\n"
        "        return super().fit(X, y)\n"
    )
    options = ["-m", "noisy.Noisy", "--trust", "noisy", "--folds", "2", "--repeats", "1", "-w", "1", "--json"]
    ran = subprocess.run(
        [*COMMAND, "compare", "iris", *options],
        cwd=tmp_path,
        env=environment(PYTHONPATH=os.pathsep.join([*sys.path, str(tmp_path)])),
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(ran.stdout)["rankings"][0]["best"] == "Noisy"
    assert ran.stderr.count("noise") >= 2  # once a fold, and more often to explain it


@pytest.mark.slow
def test_ctrl_c_stops_cleanly(study, tmp_path):
    study.write_text(study.read_text().replace("n_repeats = 2", "n_repeats = 1000"))
    store = tmp_path / "study.store"
    process = subprocess.Popen(
        [*COMMAND, "study", "run", str(study), "--workers", "2"],
        cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        wait_for_cells(store, 20)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 130
    assert out == ""
    assert err.endswith("Stopped. What is finished is kept; the same command goes on from there.\n")
    assert "Traceback" not in err
    with Store.open(store, write=True) as kept:  # the lock is free again
        assert len(kept) >= 20


def wait_for_cells(store, count):
    def are_there():
        with suppress(FileNotFoundError, StoreError), Store.open(store, write=False) as kept:
            return len(kept) >= count
        return False

    wait_until(are_there)


def test_a_pipe_that_is_closed_early_is_no_error():
    found = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m covey.cli datasets --source sklearn | true"],
        capture_output=True, text=True, env=environment(), check=False,
    )  # fmt: skip
    assert "Traceback" not in found.stderr
