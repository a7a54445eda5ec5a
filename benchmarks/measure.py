"""Timing for the benchmarks: CPU seconds, the least of several runs taken in turn, and lines that print them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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
        How many times as long the peer should take; None where nothing is asked.
    peer : str
        With what it was compared.
    accuracies : tuple of float, optional
        Ours and the peer's.
    """
    ratio = theirs / ours
    asked = f"{target:7.0f}x  {verdict(ratio >= target):9}" if target is not None else f"{'-':>8}  {'':9}"
    scores = f"{accuracies[0]:.3f} / {accuracies[1]:.3f}" if accuracies else ""
    return f"{work:38}{ours:9.3f}{theirs:9.3f}{ratio:7.1f}x{asked}{scores:16}{peer}"
