"""What goes wrong when data are asked for: no such dataset, a file that is not what it says, no network."""

from __future__ import annotations


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


def listing(values: object, limit: int = 12) -> str:
    """Write names or values for a message, cut after `limit` of them."""
    words = [repr(str(value)) for value in values]  # type: ignore[attr-defined]
    more = f", ... ({len(words) - limit} more)" if len(words) > limit else ""
    return ", ".join(words[:limit]) + more
