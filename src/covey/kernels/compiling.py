"""Compiling of kernels, once for an installation: told when it begins, and no part of the time of a fit."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

COMPILING = "compiling kernels, once for this installation"


@cache
def _listener() -> Any:
    """Return what numba tells of every function that it compiles, which it does in one thread at a time."""
    from numba.core import event

    timing: Any = event  # numba has no types

    class Listener(timing.TimingListener):
        tell: Callable[[str], object] | None = None

        def on_start(self, function: Any) -> None:
            super().on_start(function)
            if self.tell is not None:
                self.tell(COMPILING)
                self.tell = None

    listener: Any = Listener()
    timing.register("numba:compile", listener)
    return listener


def compiled_seconds() -> float:
    """Return for how long this process has compiled since this was first asked."""
    listener = _listener()
    return float(listener.duration) if listener.done else 0.0


def tell_compiling(tell: Callable[[str], object]) -> None:
    """Have a function called with a line when compiling next begins, once."""
    _listener().tell = tell
