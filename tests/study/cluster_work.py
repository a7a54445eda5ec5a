"""What Dask workers do in tests of the cluster; in a module of its own, which they can import."""

from __future__ import annotations

import os
from pathlib import Path
from uuid import uuid4

from covey.study.holding import held
from study import pool_work

N_PACKED = 0


class Noted:
    """A shared object that counts how often it is packed, and leaves a file for every time that it is unpacked."""

    def __init__(self, folder, value, ballast=b""):
        self.folder, self.value, self.ballast = folder, value, ballast

    def __getstate__(self):
        global N_PACKED
        N_PACKED += 1
        return self.__dict__

    def __setstate__(self, state):
        self.__dict__.update(state)
        Path(self.folder, f"{os.getpid()}.{self.value}.{uuid4().hex}").touch()


class Unreadable:
    """Pickles well, and cannot be read again."""

    def __reduce__(self):
        return int, ("sour",)


def use(task):
    """Return what the shared object holds, and who has it; the task names it and what to do before."""
    name, *action = task
    done = act(action) if action else None
    shared = held(name)
    return shared.value, os.getpid(), done


def hang_once(folder):
    """Hang the first time that this is called with an empty folder, and leave the number of the process there."""
    if os.listdir(folder):
        return "again"
    pool_work.hang(folder)
    return "never"


def act(task):
    """Call the function of this module that a task names, or else that of the pool's tests."""
    return globals()[task[0]](*task[1:]) if task[0] in globals() else pool_work.act(task)


def is_held(task):
    return held(task) is not None


def sign_in_and_die(folder):
    pool_work.sign_in(folder)
    pool_work.die()
