"""Compiling of kernels, once for an installation: told when it takes long, and no part of the time of a fit."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from covey._progress import Progress

COMPILING = "compiling {}kernels, once for this installation"
PATIENCE = 1.0
# The modules of kernels by what they are of, in the order in which a first fit needs them.
FAMILIES = {
    "tree": ("order", "grow", "prune", "descend"),
    "sphere": ("spheres", "trial"),
    "neighbour": ("subset_search", "leaf_search", "leaves", "search", "subset_program", "equals"),
    "support vector": ("smo", "pairs", "dual"),
    "rotation": ("samples",),
}


def family_of(module: str) -> str | None:
    """Return what a module of kernels is of, None if it is no such module."""
    package, _, name = module.rpartition(".")
    families = (family for family, modules in FAMILIES.items() if name in modules)
    return next(families, None) if package == __package__ else None


def _tell_on_terminal(line: str) -> None:
    """Print a line for people who wait: at a terminal, or where they asked to be told of progress."""
    if Progress.wanted or sys.stderr.isatty():
        print(f"covey: {line}", file=sys.stderr, flush=True)


@cache
def _listener() -> Any:
    """Return what numba tells of every function that it compiles, which it does in one thread at a time."""
    from numba.core import event

    timing: Any = event  # numba has no types

    class Listener(timing.TimingListener):
        tell: Callable[[str], object] | None = staticmethod(_tell_on_terminal)
        for_people = True
        outermost = ""
        began = waited = 0.0

        def on_start(self, function: Any) -> None:
            if self._depth == 0:
                self.outermost, self.began = function.data["dispatcher"].py_func.__module__, time.perf_counter()
            super().on_start(function)
            self.tell_after(time.perf_counter() - self.began, self.outermost)

        def tell_after(self, seconds: float, module: str) -> None:
            if self.tell is not None and seconds >= PATIENCE:
                tell, self.tell, family = self.tell, None, family_of(module)
                tell(COMPILING.format(f"the {family} " if family else ""))

    listener: Any = Listener()
    timing.register("numba:compile", listener)
    return listener


def compiled_seconds() -> float:
    """Return for how long this process has compiled, or waited for another to do so, since this was first asked."""
    listener = _listener()
    return float(listener.waited + (listener.duration if listener.done else 0.0))


def working_time() -> float:
    """Return the seconds of a clock that stands still while kernels are compiled."""
    return time.perf_counter() - compiled_seconds()


@contextmanager
def waiting_for(module: str) -> Iterator[Callable[[], None]]:
    """Count time as spent on compiling; what is given is called again and again while another process compiles."""
    began, listener = time.perf_counter(), _listener()
    try:
        yield lambda: listener.tell_after(time.perf_counter() - began, module)
    finally:
        listener.waited += time.perf_counter() - began


def watch_compiling() -> None:
    """Have people told when compiling takes long, unless something else is told."""
    _listener()


def tell_compiling(tell: Callable[[str], object]) -> None:
    """Have a function called with a line when compiling next takes long, once."""
    listener = _listener()
    listener.tell, listener.for_people = tell, False


def tells_people() -> bool:
    """Return whether nobody but people are told: in a study, other workers compile at the same time."""
    return bool(_listener().for_people)
