"""Input of figures: predictions of members or what was measured on them, numbers with labels, and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count, islice, zip_longest
from typing import Any

import numpy as np

from covey._text import clip, one_line
from covey.analysis.numbers import ROUNDING
from covey.plots.style import Floats, shown


def measure_each(
    ensembles: Any, kind: type, measure: Callable[..., Any], *, classes: Any, weighted: bool = True, most: int = 20
) -> dict[str, Any]:
    """Return what was measured on each ensemble, by its name: ready results of a kind, or what a measure makes."""
    named = ensembles if isinstance(ensembles, Mapping) else {"ensemble": ensembles}
    if not 0 < len(named) <= most:
        raise ValueError(
            f"ensembles has {len(named)} of them; give one or more, and no more than the {most} that can be told apart."
        )
    shapes = "(predictions, y) or (predictions, y, weights)" if weighted else "(predictions, y)"
    measured = {}
    for name, given in named.items():
        if isinstance(given, kind):
            measured[str(name)] = given
            continue
        if not isinstance(given, tuple) or len(given) not in ((2, 3) if weighted else (2,)):
            raise TypeError(f"ensembles has {shown(given)} for {name!r}; give {shapes} as a tuple, or {kind.__name__}.")
        try:
            measured[str(name)] = measure(*given, classes=classes)
        except ValueError as error:
            raise ValueError(f"ensembles, {name!r}: {error}") from error
    return measured


def labels_of(given: Any) -> list[Any] | None:
    """Return the labels of a mapping, or those of the rows of a series or a frame unless they only count from 0."""
    if isinstance(given, Mapping):
        return list(given)
    index = getattr(given, "index", None)
    if index is None or callable(index):
        return None
    labels = list(index)
    return None if labels == list(range(len(labels))) else labels


def by_name(given: Any, names: Sequence[str], what: str) -> Floats:
    """Return a number for each method, by its label if numbers have labels and in the order given otherwise."""
    labels = labels_of(given)
    if labels is not None:
        known = list(map(str, labels))
        missing = [name for name in names if known.count(name) != 1]
        if missing:
            often = "twice" if missing[0] in known else "not at all"
            raise ValueError(
                f"{what} has method {missing[0]!r} {often} among its labels {shown(known)}; label it with methods, or "
                "give plain numbers in their order."
            )
        numbers = list(given.values()) if isinstance(given, Mapping) else list(given)
        given = [numbers[known.index(name)] for name in names]
    try:
        values = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{what} must be numbers, one for each method.") from None
    if values.shape != (len(names),):
        raise ValueError(f"{what} has shape {values.shape}, but there are {len(names)} methods; give one for each.")
    return values


def check_finite(values: Floats, names: Sequence[str], what: str) -> Floats:
    """Refuse numbers that are missing or infinite, and return them otherwise."""
    for name, value in zip(names, values, strict=True):
        if not np.isfinite(value):
            raise ValueError(f"{what} has {value} for method {name!r}; run what is missing, or leave it out.")
    return values


def check_methods(methods: Sequence[str]) -> tuple[str, ...]:
    """Return the names of methods, refusing none at all and any that is there twice."""
    names = tuple(map(str, methods))
    if not names or len(set(names)) < len(names):
        raise ValueError(f"methods={list(names)!r:.80} must be one or more names, all different.")
    return names


def column_methods(methods: Sequence[str] | None, known: Any, number: int) -> tuple[str, ...]:
    """Return a name for each column of scores: those given, else those known, else "1", "2", ..."""
    source = known if methods is None else methods
    names = tuple(map(str, range(1, number + 1) if source is None else source))
    if len(names) != number or len(set(names)) < number:
        raise ValueError(f"methods={list(names)!r:.80} must be {number} different names, one for each column.")
    return names


def check_spread(spread: Floats | None, what: str) -> Floats | None:
    """Refuse spreads that are negative."""
    if spread is not None and (spread < 0).any():
        raise ValueError(f"{what} has {spread.min():g}, but no spread is negative.")
    return spread


def check_values(values: Any, name: str) -> Floats:
    """Return values of a parameter as float64, refusing such as are missing, infinite or there twice."""
    try:
        at = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, not {values!r:.60}.") from None
    if at.ndim != 1 or not len(at):
        raise ValueError(f"{name} has shape {at.shape}, but must be a list of at least one number.")
    if not np.isfinite(at).all():
        raise ValueError(f"{name} has {at[~np.isfinite(at)][0]}, which has no place on an axis; leave it out.")
    different, counts = np.unique(at, return_counts=True)
    if len(different) < len(at):
        twice = different[counts > 1][0]
        raise ValueError(f"{name} has {twice:g} twice; give one score, such as their mean, for each.")
    return at


def by_value(given: Any, values: Any, what: str) -> Any:
    """Return a series or frame with its rows in the order of values, if these, or their own labels, are its labels."""
    rows, labels = labels_of(given), labels_of(values)
    wanted = list(values) if labels is None else labels
    if rows is None or rows == wanted or isinstance(given, Mapping):
        return given
    try:
        order = [rows.index(value) for value in wanted]
    except ValueError:
        order = []
    if len(rows) != len(wanted) or len(set(order)) < len(rows):
        raise ValueError(
            f"{what} has rows {shown(rows)}, but values are {shown(wanted)}; label its rows with the values, or give "
            "plain numbers in their order, as by .to_numpy()."
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


def distinct_names(names: Sequence[Any], longest: int = 32) -> list[str]:
    """Return names in a line each of at most so many characters, 12 or more, such that different ones stay different.

    A long name loses its middle. Where that makes names the same, they lose another part, or else have numbers.
    """
    lines = {str(name): one_line(name) for name in names}
    short = {name: clip(line, longest) for name, line in lines.items()}
    for text in dict.fromkeys(short.values()):
        twins = [name for name in short if short[name] == text]
        if len(twins) == 1:
            continue
        taken = {there for name, there in short.items() if name not in twins}
        columns = zip_longest(*(lines[name] for name in twins))
        start = next((place for place, letters in enumerate(columns) if len({*letters}) > 1), 0)
        parts = [_around(lines[name], start, longest) for name in twins]
        if len({*parts} - taken) < len(twins):
            endings = (f" ({number})" for number in count(1))
            numbered = (clip(text, longest - len(ending)) + ending for ending in endings)
            parts = list(islice((there for there in numbered if there not in taken), len(twins)))
        short |= dict(zip(twins, parts, strict=True))
    return [short[str(name)] for name in names]


def _around(line: str, start: int, longest: int) -> str:
    """Return the beginning of a text, and a part of it around some place."""
    head = (longest - 2) // 3
    room = longest - head - 2
    start = max(start - room // 3, head)
    if len(line) <= longest:
        return line
    if start + room + 1 >= len(line):
        return f"{line[:head]}…{line[len(line) - room - 1 :]}"
    return f"{line[:head]}…{line[start : start + room]}…"
