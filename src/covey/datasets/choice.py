"""What a caller wishes of a table's columns, and how its columns came to be those of a dataset."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from covey._text import did_you_mean, quoted


@dataclass(frozen=True, slots=True)
class Choice:
    """What the caller says about a table's columns."""

    target: str | None = None  # a column of booleans stays classes here
    drop: Sequence[str] = ()  # values of these columns are not looked at
    categorical: Sequence[str] = ()  # whatever their values look like
    text: Sequence[str] = ()  # to become columns of n-grams
    missing: Sequence[str] = ()  # what stands for a missing value in any column, besides the usual
    keep: Sequence[str] = ()  # not to be left out by themselves

    def __post_init__(self) -> None:
        if self.target is not None and not isinstance(self.target, str):
            raise TypeError(
                f"target must be the name of one column, got a {type(self.target).__name__}; write target='name', "
                "or give y beside X in a pair: compare((X, y))"
            )
        for argument in ("drop", "categorical", "text", "missing", "keep"):
            names, what = getattr(self, argument), "texts" if argument == "missing" else "column names"
            if isinstance(names, str):
                remedy = f"write {argument}=[{names!r}]"
                raise TypeError(f"{argument} must be a sequence of {what}, got the text {names!r}; {remedy}")
            object.__setattr__(self, argument, tuple(names))
        if not all(isinstance(mark, str) for mark in self.missing):
            raise TypeError(f"missing must be a sequence of texts, got {list(self.missing)!r}; put them in quotes")

    @property
    def nominal(self) -> frozenset[str]:
        """The columns whose text is to be left as it is."""
        return frozenset([*self.categorical, *self.text])

    def check(self, columns: Iterable[object], where: str, parts: Container[str] = ()) -> None:
        """Refuse names of columns that the table does not have, and that are no parts of them; and double roles."""
        known = [str(column) for column in columns]
        for argument, names in self.columns().items():
            whole = [name for name in names if name not in parts]
            check_known(whole, known, f"{argument}={list(names)!r}", where)
        if both := [name for name in self.text if name in self.categorical or name == self.target]:
            raise ValueError(f"text={both!r}: a column can be text, categories or the target, and only one of them")
        used = {*self.categorical, *self.text, *self.keep}
        if both := [name for name in self.drop if name in used]:
            raise ValueError(f"drop={both!r}: a column can be left out or used, and another argument uses it")

    def of(self, columns: Sequence[str]) -> Choice:
        """Return what is wished of those of the columns that are there."""
        kept = {
            argument: tuple(name for name in names if name in columns) for argument, names in self.columns().items()
        }
        return Choice(self.target, missing=self.missing, **kept)

    def names(self) -> tuple[str, ...]:
        """Return the columns that are named, the target among them."""
        named = [name for names in self.columns().values() for name in names]
        return tuple(dict.fromkeys(named if self.target is None else [self.target, *named]))

    def columns(self) -> dict[str, Sequence[str]]:
        """Return the names of columns by argument."""
        return {"drop": self.drop, "categorical": self.categorical, "text": self.text, "keep": self.keep}


def check_known(names: Iterable[str], columns: Sequence[str], argument: str, where: str, hint: str = "") -> None:
    """Refuse names that are not among the columns of the table `where`; a hint ends the message."""
    unknown = [name for name in names if name not in columns]
    if unknown:
        near = did_you_mean(unknown[0], columns) if len(unknown) == 1 else "."
        its = "; its" if near == "." else f"{near} Its"
        its += f" columns are {quoted(columns)}{hint}"
        raise ValueError(f"{argument}: {where} has no column {quoted(unknown)}{its}")


@dataclass(frozen=True, slots=True)
class Part:
    """How a column was made of one that the file has.

    Parameters
    ----------
    column : str
        The file's column.
    what : str
        What of it: a part of a date such as "year" (`covey.datasets.dates.PARTS`), or of a text such as "n-gram 7".
    format : str, optional
        How the dates are written, where they are text.
    """

    column: str
    what: str
    format: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What must be known to read new rows as a dataset was read.

    Parameters
    ----------
    parts : mapping of str to Part
        Columns that were made of others, by name.
    decimal_commas : tuple of str
        Columns whose numbers had decimal commas.
    missing : tuple of str
        What stood for a missing value besides the usual.
    amounts : mapping of str to str
        The decimal marks of columns whose numbers had units or marks between thousands, by name.
    """

    parts: Mapping[str, Part] = field(default_factory=dict)
    decimal_commas: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    amounts: Mapping[str, str] = field(default_factory=dict)

    def then(self, later: Reading) -> Reading:
        """Return this with what was done later."""
        commas = dict.fromkeys([*self.decimal_commas, *later.decimal_commas])
        marks = dict.fromkeys([*self.missing, *later.missing])
        amounts = {**self.amounts, **later.amounts}
        return Reading({**self.parts, **later.parts}, tuple(commas), tuple(marks), amounts)


NO_READING = Reading()
