"""What the workers of test_pool do; in a module of its own, which they can import without anything heavy."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

MEGABYTE = 1_000_000
LETTERS: list[str] = []
KEPT: list[bytes] = []


def act(task):
    """Call the function of this module that a task names, with the rest of the task as arguments."""
    name, *arguments = task
    return globals()[name](*arguments)


def identity(value):
    return value


def process_id(task=None):
    return os.getpid()


def resize(task, size):
    return task[:1] * size


def rest(seconds):
    time.sleep(seconds)


def mark(folder, value, seconds=0.0):
    """Leave a file for every time that a task is carried out."""
    time.sleep(seconds)
    Path(folder, f"{value}.{uuid4().hex}").touch()
    return value


def mark_and_name(folder, value):
    mark(folder, value)
    return os.getpid()


def touch(path):
    Path(path).touch()


def wait_for(path):
    while not Path(path).exists():
        time.sleep(0.01)
    return "waited"


def wait_for_marks(folder, number):
    while len(os.listdir(folder)) < number:
        time.sleep(0.01)
    return "waited"


def sign_in(folder):
    Path(folder, str(os.getpid())).touch()


def hang(folder=None):
    if folder is not None:
        sign_in(folder)
    time.sleep(10_000)


def hang_with_lock(folder=None):
    """Never let another thread of Python run."""
    if folder is not None:
        sign_in(folder)
    re.match(r"(a+)+$", "a" * 60 + "b")


def interrupt_self():
    os.kill(os.getpid(), signal.SIGINT)
    return "still here"


def interrupt_parent():
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(10_000)


def note_and_wait(file, go):
    """Add this process to a file, wait, and return how many have been added."""
    with open(file, "a") as noted:
        noted.write(f"{os.getpid()}\n")
    wait_for(go)
    return len(Path(file).read_text().split())


def kill_noted(file, go, number):
    """Kill the first process of a file, and let the next one go on."""
    while not (Path(file).exists() and Path(file).read_text().endswith("\n")):
        time.sleep(0.01)
    os.kill(int(Path(file).read_text().split()[0]), number)
    while len(Path(file).read_text().split()) < 2:
        time.sleep(0.01)
    Path(go).touch()
    return "killed"


def mark_and_hang(folder):
    mark(folder, 0)
    time.sleep(1000)


def raise_value_error(text):
    raise ValueError(text)


class UnspeakableError(Exception):
    def __init__(self, first, second):
        super().__init__(first)

    def __str__(self):
        raise RuntimeError("no words")


def raise_unspeakable():
    raise UnspeakableError(1, 2)


def leave():
    sys.exit(3)


class Sour:
    """Pickles well, and cannot be read again."""

    def __reduce__(self):
        return int, ("sour",)


def sour():
    return Sour()


def unpicklable():
    return lambda: None


def die(number=signal.SIGKILL):
    os.kill(os.getpid(), number)
    time.sleep(10_000)


def segfault():
    ctypes.string_at(0)


def leave_at_once(status):
    os._exit(status)


def fork_and_leave(folder, status):
    """Leave a child behind that holds on to all that is open."""
    child = os.fork()
    if not child:
        time.sleep(10_000)
    Path(folder, str(child)).touch()
    os._exit(status)


def start_and_hang(folder):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(10_000)"])
    Path(folder, str(child.pid)).touch()
    time.sleep(10_000)


def eat(megabytes):
    """Take memory bit by bit, then wait to be found out."""
    eaten = []
    while len(eaten) < megabytes:
        eaten.append(b"x" * MEGABYTE)
        time.sleep(0.001)
    time.sleep(10_000)


def ask_too_much():
    return bytearray(1 << 60)


def keep(megabytes):
    KEPT.append(b"x" * (megabytes * MEGABYTE))
    return os.getpid()


def need(megabytes):
    """Take memory, and wait to be found out where an earlier task has left some."""
    needed = b"x" * (megabytes * MEGABYTE)
    if KEPT:
        time.sleep(10_000)
    return os.getpid(), len(needed)


def learn_letters(*letters):
    LETTERS.extend(letters)


def letters():
    return os.getpid(), "".join(LETTERS)


def threads():
    import joblib
    import numpy as np
    from threadpoolctl import threadpool_info

    np.ones((2, 2)) @ np.ones((2, 2))
    return joblib.cpu_count(), [pool["num_threads"] for pool in threadpool_info()]


def numbers(size):
    import numpy as np

    return np.arange(size)


def loaded():
    return sorted(name for name in ("covey", "multiprocessing", "numpy") if name in sys.modules)


_tell = print


def listen(tell):
    """Keep a function to tell something by."""
    global _tell
    _tell = tell


def say(task):
    """Tell of a task."""
    _tell(f"doing {task}")
    return task
