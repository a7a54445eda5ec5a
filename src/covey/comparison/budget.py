"""The time that a comparison may take."""

from __future__ import annotations

import re
from datetime import timedelta
from math import inf, isfinite
from time import monotonic

# What a comparison takes at most unless it is told otherwise: five minutes.
DEFAULT = 300.0
_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_UNITS |= {"sec": 1.0, "min": 60.0}
_TIME = re.compile(rf"([0-9]+(?:\.[0-9]+)?)\s*({'|'.join(sorted(_UNITS, key=len, reverse=True))})", re.IGNORECASE)
# A share of the time, and so many seconds at most, are kept for what comes after the fits: checks, figures, the report.
_LAST_SHARE, _LAST_SECONDS = 0.2, 60.0


def read_budget(budget: object) -> float | None:
    """Return seconds: of a number, a timedelta, or text such as "10m"; None where there is no limit ("none")."""
    if budget is None:
        return DEFAULT
    if isinstance(budget, timedelta):
        budget = budget.total_seconds()
    if isinstance(budget, str):
        if budget.strip().lower() == "none":
            return None
        parts = _TIME.fullmatch(budget.strip())
        seconds = float(parts[1]) * _UNITS[parts[2].lower()] if parts else 0.0
    else:
        seconds = float(budget) if isinstance(budget, int | float) and not isinstance(budget, bool) else 0.0
        if seconds == inf:
            return None
    if not isfinite(seconds) or seconds <= 0:
        raise ValueError(f"budget={budget!r} is no time; give seconds, text such as '10m' or '2h', or 'none'.")
    return seconds


class Clock:
    """How much of the time is left, from the moment that it is made."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.began = monotonic()

    def left(self) -> float:
        """Return how many seconds are left."""
        return inf if self.seconds is None else self.seconds - (monotonic() - self.began)

    @property
    def fits_until(self) -> float | None:
        """When the last fit must end, on the clock of `time.monotonic`; None if there is no limit."""
        if self.seconds is None:
            return None
        return self.began + self.seconds - min(_LAST_SHARE * self.seconds, _LAST_SECONDS)

    def left_for_fits(self) -> float:
        """Return how many seconds are left for fits."""
        until = self.fits_until
        return inf if until is None else until - monotonic()
