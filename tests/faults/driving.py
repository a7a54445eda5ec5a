"""What the tests of faults share: studies, processes that are watched, and comparisons of all that a store holds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Thread
from uuid import uuid4

import pandas as pd
import pytest

from covey.study import CycledFolds, DataSpec, MethodSpec, Store, Study
from faults.methods import LOG
from waiting import PATIENCE, wait_until

LINUX = Path("/proc/self/environ").exists()
needs_proc = pytest.mark.skipif(not LINUX, reason="needs Linux's /proc")

# In the environment of every process that a test starts, and so of all that those start.
MARK = "COVEY_FAULTS_RUN"

NAIVE = MethodSpec("naive", "sklearn.naive_bayes.GaussianNB", {})
NOTED = MethodSpec("noted", "faults.methods.Noted", {})
TIMES = ["fit seconds", "predict seconds"]


def told(does, flag, name=None):
    """A method that misbehaves while a file is there."""
    return MethodSpec(name or does, "faults.methods.Told", {"does": does, "flag": str(flag)})


def study_of(methods=(NAIVE, NOTED), datasets=("iris",), n_repeats=1, name="a study", **options):
    data = tuple(one if isinstance(one, DataSpec) else DataSpec(one, one) for one in datasets)
    settings = {"protocol": CycledFolds(n_repeats, 3), "metrics": ("accuracy",), "seed": 0} | options
    return Study(name, data, tuple(methods), **settings)


def everything(results):
    """All that a store holds of a study but times: a frame of rows, and the bytes of every array by cell."""
    frame = results.frame().drop(columns=TIMES, errors="ignore")
    arrays = {}
    with Store.open(results.store, write=False) as kept:
        found = kept.finished(results.keys)
        for key, labels in results.keys.items():
            if key in found:
                content = kept.arrays(key)
                arrays[place_of(labels)] = {
                    name: (one.dtype.str, one.shape, one.tobytes()) for name, one in content.items()
                }
    return frame, arrays


def assert_same(results, expected):
    """Scores, warnings and predictions are those of another run, bit by bit."""
    (frame, arrays), (whole, known) = everything(results), everything(expected)
    pd.testing.assert_frame_equal(frame, whole, check_exact=True)
    assert arrays == known


def place_of(labels):
    return labels["dataset"], labels["method"], labels["fit"]


def places(results, status="done"):
    """The cells that have a status."""
    frame = results.frame()
    frame = frame[frame.status == status]
    return set(zip(frame.dataset, frame.method, frame.fit, strict=True))


def digest(path):
    return sha256(Path(path).read_bytes()).hexdigest()


def contents(folder):
    """Every file below a folder, with its bytes."""
    return {str(path.relative_to(folder)): path.is_file() and digest(path) for path in Path(folder).rglob("*")}


class Room:
    """A place of its own for processes: working directory, home and directory for temporary files, all empty.

    Attributes
    ----------
    out : Path
        The one directory to write to.
    log : Path
        Where fits are noted.
    """

    def __init__(self, folder):
        self.folder = folder
        self.out, self.log = folder / "out", folder / "fits"
        self.mark = uuid4().hex
        self.elsewhere = [folder / name for name in ("cwd", "home", "tmp")]
        for path in (self.out, *self.elsewhere):
            path.mkdir()
        cwd, home, tmp = map(str, self.elsewhere)
        self.cwd = cwd
        path = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
        drop = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "MPLCONFIGDIR", "COLUMNS", "PYTHONWARNINGS")
        self.environment = {name: value for name, value in os.environ.items() if name not in drop} | {
            "HOME": home,
            "TMPDIR": tmp,
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONIOENCODING": "utf-8",
            MARK: self.mark,
            LOG: str(self.log),
        }

    def fits(self):
        """The fits that were begun, in order."""
        return self.log.read_text().split() if self.log.exists() else []

    def processes(self):
        """The processes that were started here, by whomever, and live."""
        return processes_of(self.mark)

    def start(self, *arguments, **options):
        """Start a module of Python."""
        command = [sys.executable, "-m", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, "text": True}
        return subprocess.Popen(command, env=self.environment, cwd=self.cwd, **pipes | options)

    def run(self, *arguments):
        """Run a module of Python to its end."""
        with self.start(*arguments) as running:
            try:
                output, errors = running.communicate(timeout=PATIENCE)
            finally:
                running.kill()
        return subprocess.CompletedProcess(arguments, running.returncode, output, errors)

    def covey(self, *arguments):
        """Run the command line to its end."""
        return self.run("covey.cli", *arguments)

    def assert_untouched(self):
        """Nothing was written where nothing is to be."""
        assert {path.name: sorted(contents(path)) for path in self.elsewhere} == {"cwd": [], "home": [], "tmp": []}

    def clear(self):
        """End whatever is left."""
        for process in self.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def processes_of(mark):
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"{MARK}={mark}".encode() in path.read_bytes():
                found.append(int(path.parent.name))
    return found


class Coordinator:
    """A coordinator in a process of its own, whose words are read as they come."""

    def __init__(self, room, file, store, **options):
        self.process = room.start("faults.coordinator", file, store, json.dumps({"n_workers": 2} | options))
        self.lines = []
        self.errors = ""
        self.readers = [Thread(target=self._read, daemon=True), Thread(target=self._read_errors, daemon=True)]
        for reader in self.readers:
            reader.start()

    def _read(self):
        for line in self.process.stdout:
            if line.endswith("\n"):
                self.lines.append(line)

    def _read_errors(self):
        self.errors = self.process.stderr.read()

    @property
    def pid(self):
        return self.process.pid

    @property
    def cells(self):
        """Dataset, method, fit, status and memory of each cell that it has said is kept."""
        found = [json.loads(line) for line in list(self.lines) if line.startswith("[")]
        return [cell for cell in found if cell[0] != "ended"]

    def wait_for(self, n_lines):
        """Wait until it has said so much, or has ended."""
        wait_until(lambda: len(self.lines) >= n_lines or self.process.poll() is not None)

    def finish(self):
        """Wait for its end, and return the status."""
        try:
            self.process.wait(PATIENCE)
        finally:
            self.kill()
        return self.process.returncode

    def kill(self, number=signal.SIGKILL):
        """End it, and take its last words."""
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.kill()
        for reader in self.readers:
            reader.join(PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()


def kill_in_flight(flag, number=signal.SIGKILL, then=lambda: None, times=1):
    """Kill, from a thread, the processes that misbehave first, and do something then; `join` waits for both."""

    def kill():
        file = Path(f"{flag}.pid")
        for n_killed in range(times):
            wait_until(lambda: file.exists() and file.read_text().count("\n") > n_killed)  # noqa: B023
            os.kill(int(file.read_text().split()[n_killed]), number)
        then()

    thread = Thread(target=kill, daemon=True)
    thread.start()
    return thread
