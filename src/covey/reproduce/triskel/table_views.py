"""Tables 1 and 2: accuracies and training times of the paper's pairs, with marks of significance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._text import counted
from covey.report.page import Block, Details, Prose, TableBlock
from covey.reproduce.beside import Beside
from covey.reproduce.paper import Found, View
from covey.reproduce.triskel.judging import geometric_mean
from covey.reproduce.triskel.reading import (
    ACCURACY,
    FOLDS,
    MEASURES,
    METHODS,
    PAIRS,
    SECONDS,
    marks,
    means,
    misprints_on,
    published_marks,
    published_wide,
    signed,
    two,
)

if TYPE_CHECKING:
    import pandas as pd

    from covey.analysis.tables import ResultTable

POINT = "percentage point"
# How near accuracies ought to be to the published, and on how many of the 15 datasets.
WITHIN, OTHERS_WITHIN = {"smo": 2.0}, 2.5
TARGETS = {"smo": 12, "triskel-1": 11, "triskel-w4": 11}
# What an increase and a decrease is called in tables.
WORDS = {ACCURACY: {"increase": "better", "decrease": "worse"}, SECONDS: {"increase": "slower", "decrease": "faster"}}
NOISE = (
    "Seconds are of fits that ran side by side on shared cores of our machine, so they are noisy, single ones by half "
    "and more. The paper's machine was another: what can be compared are ratios within a pair."
)


def limit_of(method: str) -> float:
    """Return how near the accuracies of a method ought to be to the published."""
    return WITHIN.get(method, OTHERS_WITHIN)


def apart(found: Found, method: str) -> pd.Series:
    """Return our accuracies less the published ones of a method, on the datasets that are there."""
    return (means(found, ACCURACY)[method] - published_wide(1)[method]).dropna().round(6)


def near(found: Found, method: str) -> tuple[int, int, list[str]]:
    """Return on how many of how many datasets a method is near the published accuracy, and those where it is not."""
    gaps = apart(found, method)
    far = gaps[gaps.abs() > limit_of(method)]
    return len(gaps) - len(far), len(gaps), [f"{name} {signed(gap)}" for name, gap in far.items()]


def same_marks(found: Found, table: int) -> tuple[int, int, list[str]]:
    """Return how many of how many marks are as published, and those that are the other way round."""
    same = total = 0
    opposed = []
    for pair in PAIRS:
        ours, theirs = marks(found, MEASURES[table], pair), published_marks(table, pair[1])
        for name, mark in ours.items():
            same, total = same + (mark == theirs[name]), total + 1
            if {mark, theirs[name]} == {"increase", "decrease"}:
                opposed.append(f"{pair[1]} on {name}")
    return same, total, opposed


def _told_marks(found: Found, table: int) -> str:
    same, total, opposed = same_marks(found, table)
    if not total:
        return ""
    against = f": {', '.join(opposed)}" if opposed else ""
    return (
        f" Of {counted(total, 'mark')} of significance {same} are as published, {len(opposed) or 'none'} the other way "
        f"round{against}."
    )


def tell_accuracies(found: Found) -> str:
    """Say how close the accuracies are."""
    parts = []
    for method, wanted in TARGETS.items():
        within, total, far = near(found, method)
        if total:
            missed = f" (not {', '.join(far)})" if far else ""
            parts.append(f"{method} within {limit_of(method):g} on {within} of {total}{missed}, {wanted} of 15 wanted")
    if not parts:
        return "Table 1: nothing to compare."
    return f"Table 1, points from the published: {'; '.join(parts)}.{_told_marks(found, 1)}"


def by_method(found: Found) -> ResultTable:
    """Return for each method on how many datasets it is near the published, and its means over these datasets."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    ours, printed = means(found, ACCURACY), published_wide(1)
    rows = {}
    for method in METHODS:
        within, total, _ = near(found, method)
        if total:
            there = ours[method].dropna()
            mine, theirs = there.mean(), printed[method].reindex(there.index).mean()
            columns = (limit_of(method), within, total, mine, theirs, mine - theirs)
            rows[method] = dict(
                zip(("limit", "near", "datasets", "mean", "published", "difference"), columns, strict=True)
            )
    return ResultTable(
        pd.DataFrame.from_dict(rows, orient="index").rename_axis("method"),
        caption="Table 1 by method: accuracies near the published, and means over the same datasets",
        formats={"limit": "g", "mean": ".2f", "published": ".2f", "difference": "+.2f"},
        notes=("near: datasets on which the accuracy is within the limit, in percentage points, of the published.",),
    )


def pair_table(found: Found, table: int, pair: tuple[str, str]) -> ResultTable:
    """Return both methods of a pair beside the published, with our marks and the published ones."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    what = MEASURES[table]
    ours, printed = means(found, what, pair).dropna(), published_wide(table)
    words, mine, theirs = WORDS[what], marks(found, what, pair), published_marks(table, pair[1])
    columns: dict[str, pd.Series] = {}
    for method in pair:
        columns[method], columns[f"{method}, published"] = ours[method], printed[method].reindex(ours.index)
    if what == SECONDS:
        columns["ratio"] = ours[pair[1]] / ours[pair[0]]
        columns["ratio, published"] = (printed[pair[1]] / printed[pair[0]]).reindex(ours.index)
    frame = pd.DataFrame(columns)
    frame["mark"] = [words.get(mine.get(str(name), ""), "") for name in frame.index]
    frame["mark, published"] = [words.get(theirs[str(name)], "") for name in frame.index]
    numbers = ".2f" if what == ACCURACY else ".3f"
    formats = {name: numbers if name in pair else ".2f" for name in columns}
    bold = frame.notna() & False
    notes = [f"mark: {' or '.join(words.values())} is significant by the corrected resampled t-test (0.05)."]
    if what == ACCURACY:
        for method in pair:
            bold[method] = (ours[method] - printed[method].reindex(ours.index)).abs().round(6) > limit_of(method)
        notes.append("Bold: further from the published than " + " and ".join(
            f"{limit_of(method):g} points ({method})" for method in pair) + ".")  # fmt: skip
    kind = "accuracy in per cent" if what == ACCURACY else "seconds of training"
    caption = f"Table {table}, {pair[1]} against {pair[0]}: {kind}"
    return ResultTable(frame, caption=caption, formats=formats, bold=bold, notes=tuple(notes))


def show_accuracies(found: Found) -> tuple[Block, ...]:
    """Return table 1, what it says of each method, and every deviation."""
    beside = Beside.of(means(found, ACCURACY), published_wide(1), unit=POINT)
    if not beside.compared:
        return (Prose((tell_accuracies(found),)),)
    every = beside.table("Table 1, every figure")
    return (
        Prose((tell_accuracies(found), beside.sentence)),
        TableBlock(by_method(found), "triskel-table-1-means"),
        *(TableBlock(pair_table(found, 1, pair), f"triskel-table-1-{pair[1]}") for pair in PAIRS),
        Details("Every figure", (TableBlock(every, "triskel-table-1-deviations", filterable=True),)),
        Prose(("What the paper says otherwise of table 1 than the table does:", *misprints_on("table 1"))),
    )


def ratios(found: Found, pair: tuple[str, str]) -> pd.Series:
    """Return training times of the second method as multiples of the first's, on the datasets that are there."""
    ours = means(found, SECONDS, pair).dropna()
    return ours[pair[1]] / ours[pair[0]]


def published_ratios(pair: tuple[str, str]) -> pd.Series:
    """Return the same of the paper."""
    printed = published_wide(2)
    return printed[pair[1]] / printed[pair[0]]


def tell_times(found: Found) -> str:
    """Say on how many datasets each Triskel trains faster than what it is compared with."""
    parts = []
    for pair in PAIRS:
        ours = ratios(found, pair)
        if len(ours):
            theirs = published_ratios(pair).reindex(ours.index)
            parts.append(
                f"{pair[1]} than {pair[0]} on {int((ours < 1).sum())} of {len(ours)} ({int((theirs < 1).sum())}), "
                f"geometric mean of ratios {two(geometric_mean(ours.to_numpy()))} "
                f"({two(geometric_mean(theirs.to_numpy()))})"
            )
    if not parts:
        return "Table 2: nothing to compare."
    return f"Table 2, faster, in brackets as published: {'; '.join(parts)}.{_told_marks(found, 2)}"


def show_times(found: Found) -> tuple[Block, ...]:
    """Return table 2."""
    if not np.isfinite(means(found, SECONDS)).any(axis=None):
        return (Prose((tell_times(found),)),)
    return (
        Prose((tell_times(found), NOISE)),
        *(TableBlock(pair_table(found, 2, pair), f"triskel-table-2-{pair[1]}") for pair in PAIRS),
        Prose(("What is wrong with table 2, or said otherwise of it, in the paper:", *misprints_on("table 2"))),
    )


VIEWS = (
    View("1", "Accuracies of SMO, AdaBoost and Triskel", (FOLDS,), show_accuracies, tell_accuracies),
    View("2", "Training times of SMO, AdaBoost and Triskel", (FOLDS,), show_times, tell_times),
)
