"""Names of columns as files have them: some without, some twice, and an index that was saved with the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from covey._text import counted, quoted
from covey.datasets.choice import Choice
from covey.datasets.dates import is_date

if TYPE_CHECKING:
    import pandas as pd

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?", re.ASCII)
# No name, or what pandas calls it.
_UNNAMED = re.compile(r"(?:Unnamed: \d+\w*)?")


def look_like_data(names: Iterable[str]) -> bool:
    """Tell whether what was taken for column names may be the first row of a file without them."""
    return any(_NUMBER.fullmatch(name) for name in names)


def are_mostly_data(names: Sequence[str]) -> bool:
    """Tell whether most of what was taken for column names are numbers or dates."""
    return 2 * sum(_NUMBER.fullmatch(name) is not None or is_date(name) for name in names) > len(names)


def settle_names(header: Iterable[object]) -> tuple[str, ...]:
    """Return names that differ: "column 3" for none, and "x.2" for the second x."""
    given = [str(name).strip() or f"column {place}" for place, name in enumerate(header, start=1)]
    names: dict[str, None] = {}
    taken = set(given)
    for name in given:
        number, unique = 1, name
        while unique in names or (number > 1 and unique in taken):
            number += 1
            unique = f"{name}.{number}"
        names[unique] = None
    return tuple(names)


def notes_on_names(header: Sequence[object], frame: pd.DataFrame) -> tuple[str, ...]:
    """Say which columns got other names than the file gave them, as far as they are still there."""
    names, notes = settle_names(header), []
    pairs = [(str(old).strip(), new) for old, new in zip(header, names, strict=True) if new in frame.columns]
    nameless = [new for old, new in pairs if not old]
    if nameless:
        what = "a column has" if len(nameless) == 1 else f"{len(nameless)} columns have"
        notes.append(f"{what} no name, and the place for one: {quoted(nameless)}; name it in the file to change that")
    renamed = [(old, new) for old, new in pairs if old and old != new]
    for name, number in Counter(old for old, _ in renamed).items():
        others = quoted(new for old, new in renamed if old == name)
        notes.append(f"the column name {name!r} occurs {number + 1} times; the later ones are called {others}")
    return tuple(notes)


def without_index(
    frame: pd.DataFrame, header: Sequence[object], choice: Choice
) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Leave out a first column without a name that numbers the rows, as a frame saved with its index has it."""
    name = str(frame.columns[0])
    wanted = {choice.target, *choice.drop, *choice.keep, *choice.nominal}
    is_unnamed = _UNNAMED.fullmatch(str(header[0]).strip()) is not None
    if frame.shape[1] < 2 or not is_unnamed or name in wanted or not _numbers_rows(frame.iloc[:, 0]):
        return frame, ()
    note = f"the first column, without a name, numbers the {counted(len(frame), 'row')}, so it is left out"
    return frame.iloc[:, 1:], (f"{note}; keep=[{name!r}] keeps it",)


def _numbers_rows(column: pd.Series[Any]) -> bool:
    """Tell whether a column has a whole number for each row, all different: after a split of rows, with gaps."""
    import pandas as pd

    is_number = pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_bool_dtype(column.dtype)
    return is_number and column.is_unique and bool(((column >= 0) & (column % 1 == 0)).all())
