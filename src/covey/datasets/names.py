"""Dataset names: which spellings mean the same, and which known names come close."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


def normalise(name: str) -> str:
    """Reduce a name to what counts: lower case, with ``-``, ``.`` and blanks the same as ``_``."""
    return re.sub(r"[-.\s]", "_", name.strip().lower())


def close_matches(name: str, known: Iterable[str]) -> list[str]:
    """Return up to five known names that resemble `name`, best first."""
    spelling = {normalise(other): other for other in known}
    wanted = normalise(name)
    near = difflib.get_close_matches(wanted, spelling, n=5, cutoff=0.6)
    near += [other for other in sorted(spelling) if wanted in other and other not in near]
    return [spelling[other] for other in near[:5]]
