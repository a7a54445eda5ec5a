"""Parts that claims of this paper share."""

from __future__ import annotations

from covey._words import counted
from covey.analysis.tables.rounding import write_number
from covey.reproduce.paper import Verdict

# Below so many datasets, how many of them and which ranks are left to chance.
FEW_DATASETS = 6


def verdict(holds: bool, found: str) -> Verdict:
    """Return that a claim held or failed."""
    return Verdict("held" if bool(holds) else "failed", f"{found}.")


def untested(why: str) -> Verdict:
    """Return that a claim cannot be tested."""
    return Verdict("not testable", f"{why}.")


def too_few(there: int) -> Verdict:
    """Return that there are not enough datasets."""
    return untested(f"{counted(there, 'dataset')} on which all methods of the claim were carried out, which is too few")


def two(value: float) -> str:
    """Write a number with two decimals."""
    return write_number(float(value), ".2f")
