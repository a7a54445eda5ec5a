"""A reproduction as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from covey._text import counted
from covey.reproduce.experiments import REMEDY
from covey.reproduce.telling import claims_in_words, close_in_words, incomplete_in_words, quick_in_words, runs_in_words

if TYPE_CHECKING:
    from covey.reproduce.carry_out import Reproduction

WIDTH = 96


def to_text(made: Reproduction) -> str:
    """Return the summary of a reproduction, in lines of 96 characters at most; figures of claims that did not hold."""
    parts = [_head(made), _close(made), _verdicts(made), _missing(made), [f"Report: {made.report}"]]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(made: Reproduction) -> list[str]:
    kind = "quick run" if made.found.quick else "full run"
    lines = [f"{made.paper.title} ({kind})"]
    for text in (runs_in_words(made.paper, made.found), quick_in_words(made.paper, made.found)):
        lines += _wrapped(text)
    return lines


def _close(made: Reproduction) -> list[str]:
    told = close_in_words([view for view, _ in made.views], made.found)
    return [line for text in told.values() for line in _wrapped(text)]


def _verdicts(made: Reproduction) -> list[str]:
    if not made.verdicts:
        return []
    first = max(len(claim.id) for claim, _ in made.verdicts) + 2
    second = max(len(verdict.status) for _, verdict in made.verdicts) + 2
    margin = " " * (first + second)
    lines = [*_wrapped(f"{claims_in_words(made.paper, made.verdicts)} The report has the figures of all."), ""]
    for claim, verdict in made.verdicts:
        text = list(_wrapped(claim.text, WIDTH - len(margin)))
        lines.append(f"{claim.id:<{first}}{verdict.status:<{second}}{text[0]}")
        lines += [margin + line for line in text[1:]]
        if verdict.status != "held":
            lines += [f"{margin}  {line}" for line in _wrapped(verdict.found, WIDTH - len(margin) - 2)]
    return lines


def _missing(made: Reproduction) -> list[str]:
    lines = [line for text in incomplete_in_words(made.found) for line in _wrapped(text)]
    if made.found.missing:
        lines += _wrapped(f"{counted(len(made.found.missing), 'dataset')} could not be found. {REMEDY}:")
        width = max(map(len, made.found.missing))
        lines += [f"  {name:<{width}}  {how}" for name, how in made.found.missing.items()]
    return lines


def _wrapped(text: str, width: int = WIDTH) -> Iterator[str]:
    yield from wrap(text, width, break_on_hyphens=False)
