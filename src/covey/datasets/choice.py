"""Wishes of the caller for the columns of a table: the target, those to leave out, those to be categories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from covey._text import quoted


@dataclass(frozen=True, slots=True)
class Choice:
    """What the caller says about a table's columns."""

    target: str | None = None  # a column of booleans stays classes here
    drop: Sequence[str] = ()  # values of these columns are not looked at
    categorical: Sequence[str] = ()  # whatever their values look like

    def __post_init__(self) -> None:
        if self.target is not None and not isinstance(self.target, str):
            raise TypeError(f"target must be the name of one column, got {self.target!r}; write target='name'")
        for argument, names in (("drop", self.drop), ("categorical", self.categorical)):
            if isinstance(names, str):
                remedy = f"write {argument}=[{names!r}]"
                raise TypeError(f"{argument} must be a sequence of column names, got the text {names!r}; {remedy}")

    def check(self, columns: Iterable[object], where: str) -> None:
        """Refuse names of columns to drop or to take as categories that the table does not have."""
        known = [str(column) for column in columns]
        for argument, names in (("drop", self.drop), ("categorical", self.categorical)):
            check_known(names, known, f"{argument}={list(names)!r}", where)


def check_known(names: Iterable[str], columns: Sequence[str], argument: str, where: str) -> None:
    """Refuse names that are not among the columns of the table `where`."""
    unknown = [name for name in names if name not in columns]
    if unknown:
        raise ValueError(f"{argument}: {where} has no column {quoted(unknown)}; its columns are {quoted(columns)}")
