"""The papers that can be tried."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from covey._text import did_you_mean, quoted

if TYPE_CHECKING:
    from covey.reproduce.paper import Paper

_PAPERS = ("multistrategy", "rsc", "mfs", "erassel", "triskel")


def papers() -> tuple[str, ...]:
    """Return the short names of the papers that `reproduce` knows."""
    return _PAPERS


def find_paper(id: str) -> Paper:
    """Return a paper by its short name.

    Raises
    ------
    ValueError
        There is none of that name.
    """
    if id not in _PAPERS:
        raise ValueError(f"paper={id!r} is unknown{did_you_mean(str(id), _PAPERS)} Known are {quoted(_PAPERS)}.")
    found: Paper = import_module(f"covey.reproduce.{id}").PAPER
    return found
