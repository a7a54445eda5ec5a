"""What becomes of a claim: the forms that verdicts of all papers share."""

from __future__ import annotations

from covey._text import counted
from covey.reproduce.paper import Verdict


def verdict(holds: bool, found: str) -> Verdict:
    """Return that a claim held or failed."""
    return Verdict("held" if bool(holds) else "failed", f"{found}.")


def untested(why: str) -> Verdict:
    """Return that a claim cannot be tested."""
    return Verdict("not testable", f"{why}.")


def too_few(there: int) -> Verdict:
    """Return that there are not enough datasets."""
    return untested(f"{counted(there, 'dataset')} on which all methods of the claim were carried out, which is too few")
