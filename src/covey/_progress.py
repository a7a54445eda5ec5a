"""Progress of a long fit, told in lines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Result = TypeVar("Result")


class Progress:
    """Prints how many members, or fits, are done, at most once a second, and once at the end.

    Parameters
    ----------
    name : str
        What is being fitted.
    total : int
        How many there will be.
    verbose : int
        0 prints nothing, 1 at most once a second, 2 or more every time.
    unit : str, default="members"
        What is counted.
    done : int, default=0
        How many were done before.
    """

    wanted = False  # whether anyone has asked to be told of progress

    def __init__(self, name: str, total: int, verbose: int, *, unit: str = "members", done: int = 0) -> None:
        self.name = name
        self.total = total
        self.verbose = verbose
        self.unit = unit
        self.done = done
        self.began = self.told = time.perf_counter()
        Progress.wanted = Progress.wanted or verbose > 0
        if verbose and done:
            print(f"[{name}] {done} of {total} {unit} were done before", flush=True)

    def advance(self, count: int = 1) -> None:
        """Count some more as done."""
        self.done += count
        now = time.perf_counter()
        if self.verbose and (self.verbose > 1 or self.done >= self.total or now - self.told >= 1.0):
            self.told = now
            print(f"[{self.name}] {self.done} of {self.total} {self.unit}, {now - self.began:.1f} s", flush=True)

    def end(self) -> None:
        """Tell that it ends here, if there were fewer than there might have been."""
        if self.verbose and self.done < self.total:
            passed = time.perf_counter() - self.began
            print(f"[{self.name}] ended with {self.done} of {self.total} {self.unit}, {passed:.1f} s", flush=True)


def told(results: Iterable[Result], report: Callable[[], None]) -> Iterator[Result]:
    """Give results as they come, and tell of each."""
    for result in results:
        report()
        yield result
