"""Progress of a comparison in lines, for Python."""

from __future__ import annotations

import sys
import time

from covey._text import clock_time
from covey.study.progress import Progress

# Seconds between lines, at least and, as time goes on, at most.
_LEAST_APART, _MOST_APART = 2.0, 30.0


class Lines:
    """Prints how far a comparison is, now and then; every ranking on a part of the rows, and what comes after fits."""

    def __init__(self) -> None:
        self._began = self._next = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        """Print how far it is, if the last line was a while ago or there are news."""
        now = time.monotonic()
        if progress.news or now >= self._next:
            self._next = now + min(max((now - self._began) / 3, _LEAST_APART), _MOST_APART)
            self.doing(str(progress))

    def doing(self, text: str) -> None:
        """Print what is done."""
        print(f"[{clock_time(time.monotonic() - self._began)}] {text}", flush=True)


def is_interactive() -> bool:
    """Whether somebody sits in front of this process: an interactive Python, IPython or a notebook."""
    return hasattr(sys, "ps1") or "ipykernel" in sys.modules
