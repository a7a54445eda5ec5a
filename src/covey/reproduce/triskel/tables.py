"""Tables 1 and 2: accuracies and training times of the paper's pairs, with marks of significance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd

from covey._text import counted
from covey.analysis.significance.resampled import corrected_t_test
from covey.analysis.tables import ResultTable
from covey.report.page import Block, Prose, TableBlock
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.published import published_table, published_wide
from covey.reproduce.results import Floats, mean_of, names, values_of, wide
from covey.reproduce.tables import POINT, Beside, misprint_blocks, only_bold, signed, table_of, two
from covey.reproduce.triskel.experiments import FOLDS, METHODS, PAIRS
from covey.reproduce.verdicts import LEVEL
from covey.study import Results

Pair = tuple[str, str]

ACCURACY, SECONDS = "accuracy", "fit seconds"
# By table of the paper.
MEASURES = {1: ACCURACY, 2: SECONDS}
# Training and test cases of ten folds, of which only the ratio counts.
N_TRAIN, N_TEST = 9, 1
# How near accuracies ought to be to the published, and on how many of the 15 datasets.
WITHIN, OTHERS_WITHIN = {"smo": 2.0}, 2.5
TARGETS = {"smo": 12, "triskel-1": 11, "triskel-w4": 11}
# What an increase and a decrease is called in tables.
WORDS = {ACCURACY: {"increase": "better", "decrease": "worse"}, SECONDS: {"increase": "slower", "decrease": "faster"}}
NOISE = (
    "Seconds are of fits that ran side by side on shared cores of our machine, so they are noisy, single ones by half "
    "and more. The paper's machine was another: what can be compared are ratios within a pair."
)


def figures_of(run: Results, dataset: str, method: str, what: str) -> Floats:
    """Return the accuracy in per cent, or the seconds of training, of each fold; none where a fold is lacking."""
    return (100.0 if what == ACCURACY else 1.0) * values_of(run, dataset, method, what)


def means(results: Found, what: str, methods: Sequence[str] = METHODS, id: str = FOLDS) -> pd.DataFrame:
    """Return means over folds: a row for each dataset, a column for each method; NaN where one is lacking."""

    def mean(run: Results, dataset: str, method: str) -> float:
        return mean_of(figures_of(run, dataset, method, what))

    return wide(results, (id,), methods, mean, ("triskel", 1))


def whole(results: Found, what: str, methods: Sequence[str] = METHODS) -> pd.DataFrame:
    """Return the means of some methods on the datasets that all of them have."""
    return means(results, what, methods).dropna()


def mark_of(first: Floats, second: Floats) -> str:
    """Return whether the second is a significant "increase" or "decrease" by the corrected resampled t-test, or ""."""
    # Larger is not better for seconds, but says which mark.
    test = corrected_t_test(second, first, n_train=N_TRAIN, n_test=N_TEST, larger_is_better=True, alpha=LEVEL)
    return {"first": "increase", "second": "decrease", None: ""}[test.better]


def marks(results: Found, what: str, pair: Pair, ids: Pair = (FOLDS, FOLDS)) -> dict[str, str]:
    """Return the mark of the second method against the first on each dataset on which both are whole.

    `ids` are the experiments that they are in, of the same folds.
    """
    marked: dict[str, str] = {}
    if not set(ids) <= set(results):
        return marked
    there = [set(names(results[id].record.datasets)) for id in ids]
    for name in (name for name in published_wide("triskel", 1).index if all(name in some for some in there)):
        first, second = (figures_of(results[id], name, method, what) for id, method in zip(ids, pair, strict=True))
        if len(first) > 1 and len(first) == len(second):
            marked[name] = mark_of(first, second)
    return marked


@dataclass(frozen=True)
class Marked:
    """On which datasets a method is significantly above another, and below it."""

    wins: tuple[str, ...]
    losses: tuple[str, ...]
    total: int  # how many were compared

    @classmethod
    def of(cls, marks: Mapping[str, str]) -> Marked:
        """Count the marks of datasets."""
        up, down = (tuple(name for name, mark in marks.items() if mark == kind) for kind in ("increase", "decrease"))
        return cls(up, down, len(marks))

    def __str__(self) -> str:
        parts = [
            f"{counted(len(wins), f'significant {kind}', f'significant {plural}')}"
            + (f" ({', '.join(wins)})" * bool(wins))
            for wins, kind, plural in ((self.wins, "win", "wins"), (self.losses, "loss", "losses"))
        ]
        return f"{' and '.join(parts)} on {counted(self.total, 'dataset')}"


def geometric_mean(ratios: pd.Series) -> float:
    """Return the geometric mean of ratios."""
    return float(np.exp(np.mean(np.log(ratios.to_numpy()))))


@lru_cache(maxsize=8)
def published_marks(table: int, triskel: str) -> dict[str, str]:
    """Return the marks that the paper prints beside a Triskel, by dataset."""
    frame = published_table("triskel", table)
    rows = frame[frame["method"] == triskel]
    return dict(zip(rows["dataset"], rows["mark"].fillna("").astype(str), strict=True))


def limit_of(method: str) -> float:
    """Return how near the accuracies of a method ought to be to the published."""
    return WITHIN.get(method, OTHERS_WITHIN)


def near(results: Found, method: str) -> tuple[int, int, list[str]]:
    """Return on how many of how many datasets a method is near the published accuracy, and those where it is not."""
    gaps = (means(results, ACCURACY)[method] - published_wide("triskel", 1)[method]).dropna().round(6)
    far = gaps[gaps.abs() > limit_of(method)]
    return len(gaps) - len(far), len(gaps), [f"{name} {signed(gap)}" for name, gap in far.items()]


def same_marks(results: Found, table: int) -> tuple[int, int, list[str]]:
    """Return how many of how many marks are as published, and those that are the other way round."""
    both = [
        (f"{pair[1]} on {name}", mark, published_marks(table, pair[1])[name])
        for pair in PAIRS
        for name, mark in marks(results, MEASURES[table], pair).items()
    ]
    opposed = [name for name, mark, theirs in both if {mark, theirs} == {"increase", "decrease"}]
    return sum(mark == theirs for _, mark, theirs in both), len(both), opposed


def _told_marks(results: Found, table: int) -> str:
    same, total, opposed = same_marks(results, table)
    if not total:
        return ""
    against = f": {', '.join(opposed)}" if opposed else ""
    return (
        f" Of {counted(total, 'mark')} of significance {same} are as published, {len(opposed) or 'none'} the other way "
        f"round{against}."
    )


def _tell_accuracies(results: Found) -> str:
    parts = []
    for method, wanted in TARGETS.items():
        within, total, far = near(results, method)
        if total:
            missed = f" (not {', '.join(far)})" if far else ""
            parts.append(f"{method} within {limit_of(method):g} on {within} of {total}{missed}, {wanted} of 15 wanted")
    if not parts:
        raise Lacking("Table 1: nothing to compare.")
    return f"Table 1, points from the published: {'; '.join(parts)}.{_told_marks(results, 1)}"


def by_method(results: Found) -> ResultTable:
    """Return for each method on how many datasets it is near the published, and its means over these datasets."""
    printed, rows = published_wide("triskel", 1), {}
    for method in METHODS:
        within, total, _ = near(results, method)
        if total:
            there = means(results, ACCURACY)[method].dropna()
            mine, theirs = there.mean(), printed[method].reindex(there.index).mean()
            rows[method] = {
                "limit": limit_of(method),
                "near": within,
                "datasets": total,
                "mean": mine,
                "published": theirs,
                "difference": mine - theirs,
            }
    return table_of(
        rows,
        "method",
        caption="Table 1 by method: accuracies near the published, and means over the same datasets",
        formats={"limit": "g", "mean": ".2f", "published": ".2f", "difference": "+.2f"},
        notes=("near: datasets on which the accuracy is within the limit, in percentage points, of the published.",),
    )


def pair_table(results: Found, table: int, pair: Pair) -> ResultTable:
    """Return both methods of a pair beside the published, with our marks and the published ones."""
    what, is_accuracy = MEASURES[table], MEASURES[table] == ACCURACY
    ours = whole(results, what, pair)
    printed = published_wide("triskel", table).reindex(ours.index)
    words, mine, theirs = WORDS[what], marks(results, what, pair), published_marks(table, pair[1])
    columns: dict[str, pd.Series] = {}
    for method in pair:
        columns[method], columns[f"{method}, published"] = ours[method], printed[method]
    if not is_accuracy:
        columns["ratio"], columns["ratio, published"] = (frame[pair[1]] / frame[pair[0]] for frame in (ours, printed))
    frame = pd.DataFrame(columns)
    frame["mark"] = [words.get(mine.get(str(name), ""), "") for name in frame.index]
    frame["mark, published"] = [words.get(theirs[str(name)], "") for name in frame.index]
    notes = [f"mark: {' or '.join(words.values())} is significant by the corrected resampled t-test (0.05)."]
    far = {method: (ours[method] - printed[method]).abs().round(6) > limit_of(method) for method in pair}
    if is_accuracy:
        limits = " and ".join(f"{limit_of(method):g} points ({method})" for method in pair)
        notes.append(f"Bold: further from the published than {limits}.")
    kind = "accuracy in per cent" if is_accuracy else "seconds of training"
    return ResultTable(
        frame,
        caption=f"Table {table}, {pair[1]} against {pair[0]}: {kind}",
        formats={name: ".2f" if is_accuracy or name not in pair else ".3f" for name in columns},
        bold=only_bold(frame, **(far if is_accuracy else {})),
        notes=tuple(notes),
    )


def pair_blocks(results: Found, table: int) -> list[TableBlock]:
    """Return the tables of all pairs."""
    return [TableBlock(pair_table(results, table, pair), f"triskel-table-{table}-{pair[1]}") for pair in PAIRS]


def beside_accuracies(results: Found) -> Beside:
    """Return our table 1 and the published."""
    return Beside.of(means(results, ACCURACY), published_wide("triskel", 1), unit=POINT)


def _show_accuracies(results: Found) -> tuple[Block, ...]:
    beside = beside_accuracies(results)
    return (
        Prose((_tell_accuracies(results), beside.sentence)),
        TableBlock(by_method(results), "triskel-table-1-means"),
        *pair_blocks(results, 1),
        beside.folded("triskel-table-1", "Table 1, every figure"),
        *misprint_blocks("triskel", "table 1", "What the paper says otherwise of table 1 than the table does:"),
    )


def ratios(results: Found, pair: Pair) -> pd.Series:
    """Return training times of the second method as multiples of the first's, on the datasets that are there."""
    seconds = whole(results, SECONDS, pair)
    return seconds[pair[1]] / seconds[pair[0]]


def _tell_times(results: Found) -> str:
    printed, parts = published_wide("triskel", 2), []
    for first, second in PAIRS:
        ours = ratios(results, (first, second))
        if len(ours):
            theirs = (printed[second] / printed[first]).reindex(ours.index)
            parts.append(
                f"{second} than {first} on {int((ours < 1).sum())} of {len(ours)} ({int((theirs < 1).sum())}), "
                f"geometric mean of ratios {two(geometric_mean(ours))} ({two(geometric_mean(theirs))})"
            )
    if not parts:
        raise Lacking("Table 2: nothing to compare.")
    return f"Table 2, faster, in brackets as published: {'; '.join(parts)}.{_told_marks(results, 2)}"


def _show_times(results: Found) -> tuple[Block, ...]:
    heading = "What is wrong with table 2, or said otherwise of it, in the paper:"
    return (
        Prose((_tell_times(results), NOISE)),
        *pair_blocks(results, 2),
        *misprint_blocks("triskel", "table 2", heading),
    )


VIEWS = (
    View(
        "1", "Accuracies of SMO, AdaBoost and Triskel", (FOLDS,), _show_accuracies, _tell_accuracies, beside_accuracies
    ),
    View("2", "Training times of SMO, AdaBoost and Triskel", (FOLDS,), _show_times, _tell_times),
)
