"""Numbers and names in sentences."""

from __future__ import annotations

import re
from unicodedata import category

# Kinds of characters in Unicode: those that control a terminal, break a line or are half of a character, ...
CONTROLS = ("Cc", "Cs", "Zl", "Zp")
# ... and those that cannot be seen and change the order of others.
UNSEEN = (*CONTROLS, "Cf")
# Words of some languages are written with joiners.
_JOINERS = "\u200c\u200d"
# No characters at all, which files of XML and HTML may not hold.
_NONE = "\ufffe\uffff"
_UNUSUAL = re.compile("[^ -~]")


def counted(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: "1 value", "2 values"; the plural may be given."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"


def spelt_out(text: str, keep: str = "", kinds: tuple[str, ...] = UNSEEN) -> str:
    r"""Return text with what cannot be seen as escapes: ``\x1b``, ``\n``, ``\u202e``.

    Names and labels come from files, and could so take over a terminal, forge a line or show themselves as others.

    Parameters
    ----------
    text : str
    keep : str
        Characters that stay, such as line breaks between lines that were put together on purpose.
    kinds : tuple of str
        Which to write as escapes: `UNSEEN` or, where text must stay what it was in its language, `CONTROLS`.
    """
    if text.isprintable():
        return text

    def written(match: re.Match[str]) -> str:
        letter = match[0]
        hidden = letter in _NONE or (category(letter) in kinds and letter not in _JOINERS)
        return ascii(letter)[1:-1] if hidden and letter not in keep else letter

    return _UNUSUAL.sub(written, text)
