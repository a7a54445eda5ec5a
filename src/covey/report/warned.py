"""What methods warned of, read from the store."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from covey._text import counted
from covey.report.page import Details, Listing

if TYPE_CHECKING:
    from covey.report.study_view import StudyView

# Of a method so many messages are shown, those of most fits, and so many characters of each.
MOST_MESSAGES = 3
LONGEST_MESSAGE = 300


def warnings_of(view: StudyView) -> dict[str, Counter[str]]:
    """Return in how many fits each method gave each warning; only fits that have any are read."""
    from covey.study.store import Store

    if "warnings" not in view.frame:
        return {}
    # The frame has a row for each cell, in the order of the keys.
    warned = (view.frame["warnings"].fillna(0) > 0).tolist()
    keys = [key for key, some in zip(view.results.keys, warned, strict=True) if some]
    if not keys:
        return {}
    found: dict[str, Counter[str]] = {}
    with Store.open(view.results.store, write=False) as kept:
        for outcome in kept.read(keys):
            method = str(view.results.keys[outcome.key]["method"])
            found.setdefault(method, Counter()).update(list(dict.fromkeys(map(_one_line, outcome.warnings))))
    names = [method.name for method in view.record.methods]
    return {name: found[name] for name in names if name in found}


def warning_details(view: StudyView) -> tuple[Details, ...]:
    """Return what each method warned of, to be opened on a click; nothing if there were no warnings."""
    items = [(method, _told(messages)) for method, messages in warnings_of(view).items()]
    return (Details("What methods warned of", (Listing(tuple(items)),)),) if items else ()


def _told(messages: Counter[str]) -> str:
    shown = [f"“{text}” (in {counted(count, 'fit')})" for text, count in messages.most_common(MOST_MESSAGES)]
    more = len(messages) - MOST_MESSAGES
    return "; ".join(shown) + (f"; and {counted(more, 'other message')}" if more > 0 else "")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"
