"""Names as ids and as names of files, whatever is in them."""

from __future__ import annotations

import re
import unicodedata
from itertools import count

LONGEST = 48


def slug(name: str, otherwise: str = "part") -> str:
    """Return a name in small letters, digits and hyphens: safe as an id, in an address and as the name of a file.

    Parameters
    ----------
    name : str
        Any text.
    otherwise : str
        What a name without a letter or digit of the Latin alphabet becomes.

    Examples
    --------
    >>> print(slug("Große Straße / 2.csv"), slug("../../etc/passwd"), slug("数据", "dataset"))
    grosse-strasse-2-csv etc-passwd dataset
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:LONGEST].rstrip("-") or otherwise


class Names:
    """Slugs that differ, by a number where names do not."""

    def __init__(self, *taken: str) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def new(self, name: str, otherwise: str = "part") -> str:
        """Return a slug that was not returned before."""
        base = slug(name, otherwise)
        numbers = count(self._next.get(base, 1))
        found, number = next(
            (text, number)
            for number in numbers
            if (text := base if number == 1 else f"{base}-{number}") not in self._taken
        )
        self._taken.add(found)
        self._next[base] = number + 1
        return found
