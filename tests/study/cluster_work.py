"""What Dask workers do in tests of the cluster; in a module of its own, which they can import."""

from __future__ import annotations

import os

from covey.study.cell import cached_dataset
from study import pool_work

N_PACKED = 0


class Noted:
    """A shared object that counts how often it is packed."""

    def __init__(self, value, ballast=b""):
        self.value, self.ballast = value, ballast

    def __getstate__(self):
        global N_PACKED
        N_PACKED += 1
        return self.__dict__


def use(task):
    """Return what the shared object holds, and who has it; the task names it and what to do before."""
    name, *action = task
    done = act(action) if action else None
    shared = cached_dataset(name)
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
    return cached_dataset("a") is not None


def sign_in_and_die(folder):
    pool_work.sign_in(folder)
    pool_work.die()


def sign_in_and_rest(folder, seconds):
    pool_work.sign_in(folder)
    pool_work.rest(seconds)
