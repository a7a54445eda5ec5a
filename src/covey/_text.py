"""Text for people: names, counts, p-values and durations in sentences, and characters that can be seen."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
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
    Characters to keep are such as line breaks between lines that were put together on purpose. Where text must stay
    what it was in its language, `CONTROLS` alone are written as escapes.
    """
    if text.isprintable():
        return text

    def written(match: re.Match[str]) -> str:
        letter = match[0]
        hidden = letter in _NONE or (category(letter) in kinds and letter not in _JOINERS)
        return ascii(letter)[1:-1] if hidden and letter not in keep else letter

    return _UNUSUAL.sub(written, text)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Write names: "a", "a and b", "a, b and c", or the first of many and how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def quoted(values: Iterable[object], most: int = 12) -> str:
    """Write names or values in quotes, for a message: "'a', 'b', ... (3 more)"."""
    texts = [repr(str(value)) for value in values]
    more = f", ... ({len(texts) - most} more)" if len(texts) > most else ""
    return ", ".join(texts[:most]) + more


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


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """End a clause about an unknown name with the two that come closest: "; did you mean 'a' or 'b'?", or with "."."""
    near = close_matches(name, known)[:2]
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else "."


def one_line(value: object) -> str:
    """Return a name or label as one line that can be seen: blanks alone in quotes, whole numbers without a point."""
    if isinstance(value, Real) and not isinstance(value, Integral) and float(value).is_integer():
        return str(int(float(value)))
    text = spelt_out(str(value))
    return text if text.strip() else f'"{text}"'


def clip(text: str, longest: int | None) -> str:
    """Take the middle out of a long text: names often differ only at their end."""
    if longest is None or len(text) <= longest:
        return text
    tail = (longest - 1) // 2
    return f"{text[: longest - 1 - tail]}…{text[len(text) - tail :]}"


def short_number(value: float, decimals: int) -> str:
    """Return a number with some decimals, at least as many significant digits, and exactly if two more suffice."""
    if value == 0 or not math.isfinite(value):
        return f"{abs(value) if value == 0 else value:g}"
    digits = max(1, decimals + max(0, math.floor(math.log10(abs(value))) + 1))
    if digits > 15:
        return repr(float(value)).removesuffix(".0")
    exact = format(value, f".{max(digits, min(15, decimals + 2))}g")
    return exact if float(exact) == value else format(value, f".{digits}g")


def short_weight(weight: float) -> str:
    """Return a weight with up to two decimals; a smaller one with two significant digits, lest it looks like none."""
    if 0 < weight < 0.005:
        return f"{weight:.2g}"
    text = f"{weight:.2f}"
    return text.rstrip("0").rstrip(".")


def p_text(p_value: float, digits: str = "p") -> str:
    """Return a p-value as text: "p = 0.0275" or "p < 0.0001"; `digits` is a format such as ".2g"."""
    from covey._rounding import write_number

    written = write_number(p_value, "p")
    return f"p < {written[1:]}" if written.startswith("<") else f"p = {write_number(p_value, digits)}"


def duration(seconds: float) -> str:
    """Write a time that was measured: "3.2 ms", "1.25 s", "2 min 5 s"; "–" if it is not known."""
    from covey._rounding import write_number

    value = float(seconds)
    if not math.isfinite(value):
        return "–"
    if value < 0.9995:
        return f"{write_number(1000 * value, '.0f' if value >= 0.00995 else '.1f' if value >= 0.000995 else '.2g')} ms"
    if value < 99.95:
        return f"{write_number(value, '.3g')} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def clock_time(seconds: float) -> str:
    """Write a time as clocks show it: "0:07", "12:40", "1:02:03"."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def rough_duration(seconds: float) -> str:
    """Write an estimated time as someone would say it: "25 s", "4 min", "1.5 h"."""
    if seconds < 10:
        return f"{max(round(seconds), 1)} s"
    if seconds < 90:
        return f"{round(seconds / 5) * 5} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    if seconds < 48 * 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"
