"""Timing for the benchmarks: CPU seconds, the least of several runs taken in turn, and lines that print them."""

from __future__ import annotations

import re
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def cpu_time(work: Callable[[], Any]) -> float:
    """Return the CPU seconds that some work takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def least_times(works: Sequence[Callable[[], Any]], repeats: int) -> list[float]:
    """Return the least CPU seconds of each work; they take turns, so that a busy spell strikes all alike.

    Parameters
    ----------
    works : sequence of callables
        What to measure.
    repeats : int
        How often.

    Returns
    -------
    list of float
        One entry per work.
    """
    rounds = [[cpu_time(work) for work in works] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def peak_memory_gb() -> float:
    """Return the most memory that this process has held.

    Linux is asked for it by another way, because there what ``getrusage`` tells is no less than the parent had held.
    """
    status = Path("/proc/self/status")
    own = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    if own:
        return int(own[1]) * 1024 / 1e9
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


def verdict(is_met: bool) -> str:
    """Say whether a target is met."""
    return "met" if is_met else "NOT MET"


def heading() -> str:
    """Return the heading of lines of `comparison`."""
    return f"{'':38}{'covey':>9}{'peer':>9}{'ratio':>8}{'target':>8}  {'':9}{'accuracies':16}peer"


def comparison(
    work: str,
    ours: float,
    theirs: float,
    target: float | None,
    peer: str,
    accuracies: tuple[float, float] | None = None,
) -> str:
    """Return a line that sets two times side by side.

    Parameters
    ----------
    work : str
        What was timed.
    ours, theirs : float
        Seconds.
    target : float or None
        How many times as long the peer should take, less than 1 where covey may take longer; None where nothing is
        asked.
    peer : str
        With what it was compared.
    accuracies : tuple of float, optional
        Ours and the peer's.
    """
    ratio = theirs / ours
    wanted, outcome = ("-", "") if target is None else (f"{target:.2g}x", verdict(ratio >= target))
    shown = f"{ratio:.2f}x" if ratio < 10 else f"{ratio:.1f}x"
    scores = f"{accuracies[0]:.3f} / {accuracies[1]:.3f}" if accuracies else ""
    return f"{work:38}{ours:9.3f}{theirs:9.3f}{shown:>8}{wanted:>8}  {outcome:9}{scores:16}{peer}"
