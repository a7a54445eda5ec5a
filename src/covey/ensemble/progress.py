"""Progress of a long fit, told in lines."""

from __future__ import annotations

import time


class Progress:
    """Prints how many members are done, at most once a second, and once at the end.

    Parameters
    ----------
    name : str
        What is being fitted.
    total : int
        How many members there will be.
    verbose : int
        0 prints nothing, 1 at most once a second, 2 or more every time.
    """

    def __init__(self, name: str, total: int, verbose: int) -> None:
        self.name = name
        self.total = total
        self.verbose = verbose
        self.done = 0
        self.began = self.told = time.perf_counter()

    def advance(self, count: int = 1) -> None:
        """Count members as done."""
        self.done += count
        now = time.perf_counter()
        if self.verbose and (self.verbose > 1 or self.done >= self.total or now - self.told >= 1.0):
            self.told = now
            print(f"[{self.name}] {self.done} of {self.total} members, {now - self.began:.1f} s", flush=True)
