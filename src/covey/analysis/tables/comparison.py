"""The table of scores that papers print: a row per dataset, a column per method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np

from covey._arguments import check_count
from covey._rounding import round_half_up
from covey.analysis.numbers import Floats, read_numbers
from covey.analysis.scores import Scores, check_direction, read_scores
from covey.analysis.tables.result import ResultTable

MEAN, MEAN_RANK = "mean", "mean rank"


def score_table(
    scores: Any,
    *,
    larger_is_better: bool,
    spread: Any = None,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    decimals: int = 2,
    mean_rank: bool = True,
    caption: str = "",
) -> ResultTable:
    """Return scores as a table: datasets in rows, methods in columns, the best of each row bold, means at the end.

    What is best is judged on the numbers as printed, so that of two equal numbers in a row never only one is bold:
    methods that tie after rounding are all bold. Ranks are those of the scores as given, before rounding, as the tests
    of significance use them. The last rows are the mean score and the mean rank of each method; 1 is best, and ties
    share the mean of their ranks (Demsar, 2006, JMLR 7, section 3.2.2).

    Parameters
    ----------
    scores, larger_is_better, methods, datasets
        As for `covey.analysis.friedman`; one dataset will do.
    spread : like scores, optional
        Standard deviations or the like, written behind the scores; NaN where there is none.
    decimals : int, default=2
        How many to print, of scores and of ranks.
    mean_rank : bool, default=True
        Whether to end with the mean ranks.
    caption : str
        What the table shows.

    Returns
    -------
    ResultTable
        Its frame has the scores as given.
    """
    import pandas as pd

    larger = check_direction(larger_is_better)
    check_count("decimals", decimals, 0)
    read = read_scores(scores, methods=methods, datasets=datasets, least_datasets=1)
    last = {MEAN: [fsum(column) / len(column) for column in read.values.T]}
    if mean_rank:
        last[MEAN_RANK] = list(read.ranks(larger_is_better=larger).mean(axis=0))
    values = np.vstack([read.values, *last.values()])
    axes: Any = {"index": pd.Index([*read.datasets, *last], name="dataset"), "columns": list(read.methods)}
    directions = [larger] * (len(read.datasets) + 1) + [False] * bool(mean_rank)
    bold = [_best(row, decimals, largest) for row, largest in zip(values, directions, strict=True)]
    beside = None
    if spread is not None:
        none = np.full((len(last), len(read.methods)), np.nan)
        beside = pd.DataFrame(np.vstack([_read_spread(spread, scores, read), none]), **axes)
    marked = f"The best of each row is marked; {'larger' if larger else 'smaller'} is better."
    return ResultTable(
        pd.DataFrame(values, **axes),
        caption=caption,
        default_format=f".{decimals}f",
        spread=beside,
        bold=pd.DataFrame(bold, **axes),
        notes=(marked, *(["Mean rank: 1 is best, and ties share the mean of their ranks."] if mean_rank else [])),
    )


def _best(row: Floats, decimals: int, largest: bool) -> list[bool]:
    """Return which numbers of a row are best as printed."""
    printed = [round_half_up(value, decimals) for value in row]
    best = max(printed) if largest else min(printed)
    return [value == best for value in printed]


def _read_spread(spread: Any, scores: Any, read: Scores) -> Floats:
    """Return the spread of each score; where it has names, they are matched with those of the scores."""
    import pandas as pd

    if isinstance(spread, Mapping):
        spread = pd.DataFrame(dict(spread))
    if isinstance(spread, pd.DataFrame):
        before = scores if isinstance(scores, pd.DataFrame) else None
        spread = spread[_matched(spread.columns, read.methods, None if before is None else before.columns, "methods")]
        if before is not None:
            spread = spread.loc[_matched(spread.index, read.datasets, before.index, "datasets")]
    values = read_numbers(spread, "spread", "give one for each score")
    if values.shape != read.values.shape:
        raise ValueError(f"spread has shape {values.shape}, but scores {read.values.shape}; give one for each score.")
    return values


def _matched(names: Any, wanted: Sequence[str], before: Any, what: str) -> list[Any]:
    """Return names in the order wanted; or as they are if they are those that scores had before they were renamed."""
    place = {str(name): name for name in names}
    if set(wanted) <= set(place):
        return [place[name] for name in wanted]
    if before is not None and list(names) == list(before):
        return list(names)
    raise ValueError(f"spread has the {what} {list(place)}, but scores {list(wanted)}; give one for each score.")
