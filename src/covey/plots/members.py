"""What figures read: predictions of members, or what was measured on them before; numbers with labels; names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from covey._text import clip, one_line
from covey.analysis.numbers import ROUNDING
from covey.plots.curves import MOST_CURVES
from covey.plots.room import distinct_names


def measure_each(
    ensembles: Any,
    kind: type,
    measure: Callable[..., Any],
    *,
    classes: Any = None,
    weighted: bool = True,
    most: int = MOST_CURVES,
) -> dict[str, Any]:
    """Return what was measured on each ensemble, by its name.

    Parameters
    ----------
    ensembles : mapping of str to kind, or to (predictions, y) or (predictions, y, weights); or one of these alone
        What was measured already, or what to measure.
    kind : type
        What measure returns.
    measure : callable
        A function of predictions, y, weights unless weighted is False, and classes.
    classes : array-like, optional
        The ensembles' classes, when predictions are codes.
    weighted : bool, default=True
        Whether the measure takes vote weights.
    most : int
        How many ensembles can be told apart in a figure.
    """
    named = ensembles if isinstance(ensembles, Mapping) else {"ensemble": ensembles}
    if not 0 < len(named) <= most:
        raise ValueError(
            f"ensembles has {len(named)} of them; give one or more, and no more than the {most} that can be told apart."
        )
    shapes = "(predictions, y) or (predictions, y, weights)" if weighted else "(predictions, y)"
    found = {}
    for name, given in named.items():
        if isinstance(given, kind):
            found[str(name)] = given
            continue
        if not isinstance(given, tuple) or len(given) not in ((2, 3) if weighted else (2,)):
            shown = clip(one_line(repr(given)), 60)
            raise TypeError(f"ensembles has {shown} for {name!r}; give {shapes} as a tuple, or {kind.__name__}.")
        try:
            found[str(name)] = measure(*given, classes=classes)
        except ValueError as error:
            raise ValueError(f"ensembles, {name!r}: {error}") from error
    return found


def check_made(given: Any, kind: type, maker: str) -> None:
    """Refuse to draw what a function did not make, and name that function."""
    if not isinstance(given, kind):
        shown = clip(one_line(repr(given)), 60)
        raise TypeError(
            f"there is {shown} to draw, which is no {kind.__name__}; give what covey.plots.{maker} returns."
        )


def labels_of(given: Any) -> list[Any] | None:
    """Return the labels of a mapping, or those of the rows of a series or a frame unless they only count from 0."""
    if isinstance(given, Mapping):
        return list(given)
    index = getattr(given, "index", None)
    if index is None or callable(index):
        return None
    labels = list(index)
    return None if labels == list(range(len(labels))) else labels


def by_name(given: Any, names: Sequence[str], what: str) -> Any:
    """Return numbers in the order of names: by their labels if they have some, as they are otherwise.

    Parameters
    ----------
    given : array-like, series or mapping
        The numbers.
    names : sequence of str
        The methods.
    what : str
        What errors call the numbers.
    """
    labels = labels_of(given)
    if labels is None:
        return given
    known = list(map(str, labels))
    missing = [name for name in names if known.count(name) != 1]
    if missing:
        often = "twice" if missing[0] in known else "not at all"
        raise ValueError(
            f"{what} has method {missing[0]!r} {often} among its labels {clip(one_line(repr(known)), 60)}; label it "
            "with methods, or give plain numbers in their order."
        )
    numbers = list(given.values()) if isinstance(given, Mapping) else list(given)
    return [numbers[known.index(name)] for name in names]


def by_value(given: Any, values: Any, what: str) -> Any:
    """Return a series or a frame with its rows in the order of values, if these are their labels.

    Parameters
    ----------
    given : array-like, series or frame
        The numbers, a row for each value.
    values : array-like or series
        The values of a parameter. If they are a series, rows have their labels.
    what : str
        What errors call the numbers.
    """
    rows, own = labels_of(given), labels_of(values)
    wanted = list(values) if own is None else own
    if rows is None or rows == wanted or isinstance(given, Mapping):
        return given
    try:
        order = [rows.index(value) for value in wanted]
    except ValueError:
        order = []
    if len(rows) != len(wanted) or len(set(order)) < len(rows):
        raise ValueError(
            f"{what} has rows {clip(one_line(repr(rows)), 60)}, but values are {clip(one_line(repr(wanted)), 60)}; "
            "label its rows with the values, or give plain numbers in their order, as by .to_numpy()."
        )
    return given.iloc[order]


def levels(values: Any) -> Any:
    """Return the rank of each number, from 0 for the least; those that differ by no more than rounding share one."""
    numbers = np.asarray(values, dtype=np.float64)
    order = np.argsort(numbers, kind="stable")
    size = np.abs(numbers[order])
    rises = np.diff(numbers[order]) > ROUNDING * np.maximum(size[1:], size[:-1])
    places = np.zeros(len(numbers), dtype=np.intp)
    places[order[1:]] = np.cumsum(rises)
    return places


def shown_names(names: Sequence[Any], longest: int = 32) -> list[str]:
    """Return names as they are drawn: in one line, short, and still different from each other."""
    return distinct_names(names, longest)
