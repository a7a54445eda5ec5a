"""Errors of data: no such dataset, a file that is not what it says, no network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from covey._text import quoted


class DatasetNotFoundError(LookupError):
    """No source has a dataset of that name; the message says what comes close and how to get it."""


class DatasetDownloadError(OSError):
    """A dataset is not in the cache and could not be downloaded."""


class DataFormatError(ValueError):
    """A data file is malformed.

    Parameters
    ----------
    where : str
        The file, as the user knows it.
    problem : str
        What is wrong and how to mend it.
    line : int, optional
        Number of the offending line, counted from 1.

    Attributes
    ----------
    where, problem, line
        As given.
    """

    def __init__(self, where: str, problem: str, line: int | None = None) -> None:
        place = where if line is None else f"{where}, line {line}"
        super().__init__(f"{place}: {problem}")
        self.where = where
        self.problem = problem
        self.line = line


def refuse_repeated_names(names: Sequence[str], where: str, line: int | None = None, hint: str = "") -> None:
    """Refuse column names that occur more than once."""
    if len(set(names)) == len(names):
        return
    twice = [name for name, count in Counter(names).items() if count > 1]
    what = f"name {quoted(twice)} occurs" if len(twice) == 1 else f"names {quoted(twice)} occur"
    raise DataFormatError(where, f"the column {what} twice; names must differ{hint}", line)


def refuse_all(errors: Sequence[DataFormatError]) -> None:
    """Raise one error for all that is wrong with a file, if anything is."""
    if len(errors) == 1:
        raise errors[0]
    if errors:
        lines = [f"- {'' if error.line is None else f'line {error.line}: '}{error.problem}" for error in errors]
        raise DataFormatError(errors[0].where, "\n".join([f"{len(errors)} things are wrong:", *lines]))
