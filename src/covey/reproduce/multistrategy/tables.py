"""Tables 1 to 6: five measures of every system on every dataset, compared as in the paper, and the datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import exp, isfinite, log
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey._rounding import write_number
from covey._text import p_text
from covey.analysis.bias_variance import kohavi_wolpert
from covey.analysis.diversity import individual_error, weighted_variance
from covey.analysis.numbers import ROUNDING
from covey.analysis.significance.records import Records, win_draw_loss
from covey.analysis.tables import ResultTable
from covey.report.page import Block, Prose, TableBlock, Tone
from covey.reproduce.described import DescribedTable, Fact, n_classes, n_discrete, n_numeric, n_rows
from covey.reproduce.paper import Found, View
from covey.reproduce.published import published_table
from covey.reproduce.results import is_whole, names
from covey.reproduce.tables import COLUMNS, RATIO, Beside
from covey.reproduce.verdicts import Record
from covey.study import Results

# In the order of the paper's tables 1 to 5.
MEASURES = ("error", "bias", "variance", "diversity", "individual error")
# The paper's cycles of cross-validation.
CYCLES = 10
AGREE: dict[str, Tone] = {"yes": "good", "no": "bad"}
NOTES = (
    "ratio: geometric mean of method / against over the datasets.",
    "apart: natural logarithm of our ratio over the published, 0.10 is about 10 %; the paper prints no spread.",
    "record: datasets with a smaller, the same and a larger value of method; p: two-tailed sign test without draws.",
    "agree: whether the sign test at 0.05 says the same of both: lower, higher or level.",
)


@dataclass(frozen=True)
class Comparison(Record):
    """A system against another by a measure, as a cell of the paper's tables; a win is a smaller value."""

    method: str  # the paper's column
    against: str  # its row
    ratio: float  # geometric mean of method / against over datasets where both are above zero; NaN if there is none

    @property
    def record(self) -> str:
        """Wins, ties and losses."""
        return f"{self.wins}/{self.ties}/{self.losses}"

    def __str__(self) -> str:
        ratio = write_number(self.ratio, ".3f")
        return f"{self.against} to {self.method} {ratio} ({self.record}, {p_text(self.p_value)})"


@dataclass(frozen=True, eq=False)
class Measures:
    """What was measured."""

    # By measure: a row for each dataset and a column for each system, NaN where fits are lacking; diversity and
    # individual error are NaN for single trees.
    frames: Mapping[str, pd.DataFrame]
    members: pd.DataFrame  # mean number of members over fits, of the same shape; NaN for single trees

    def of(self, measure: str, systems: Sequence[str]) -> pd.DataFrame:
        """Return a measure of some systems on the datasets where all of them have it."""
        return self.frames[measure].reindex(columns=list(systems)).dropna()

    def compare(self, measure: str, method: str, against: str) -> Comparison:
        """Return a system against another by a measure, on the datasets where both have it."""
        values = self.of(measure, (method, against))
        first, second = values[method].to_numpy(), values[against].to_numpy()
        certain = np.abs(first - second) > ROUNDING * np.maximum(first, second)
        wins, losses = int((certain & (first < second)).sum()), int((certain & (first > second)).sum())
        above = (first > 0) & (second > 0)
        ratio = float(np.exp(np.log(first[above] / second[above]).mean())) if above.any() else np.nan
        return Comparison(wins, losses, len(values) - wins - losses, method, against, ratio)

    def records(self, measure: str, systems: Sequence[str], *, larger_is_better: bool = False) -> Records:
        """Return the records of all pairs on the datasets where all have the measure."""
        return win_draw_loss(self.of(measure, systems), larger_is_better=larger_is_better)


def measures_of(results: Found) -> Measures:
    """Return the measures of all experiments that were carried out."""
    parts = [_measured(run) for run in results.values()]
    frames = {name: pd.concat([part[name] for part in parts], axis=1) for name in (*MEASURES, "members")}
    return Measures(frames, frames.pop("members"))


@lru_cache(maxsize=4)
def _measured(run: Results) -> dict[str, pd.DataFrame]:
    """Return the measures of one experiment, and the numbers of members."""
    datasets, methods = names(run.record.datasets), names(run.record.methods)
    empty = pd.DataFrame(np.nan, index=pd.Index(datasets, name="dataset"), columns=methods)
    frames = {name: empty.copy() for name in (*MEASURES, "members")}
    for dataset in datasets:
        for method in (method for method in methods if is_whole(run, dataset, method)):
            predictions, y = run.predictions(dataset, method)
            values = {"error": float(np.mean(predictions != y))}
            if len(predictions) > 1:
                values |= split_error(predictions, y)
            values |= votes_measured(fit for fit in run.fits(dataset, method) if "votes" in fit)
            for name, value in values.items():
                frames[name].loc[dataset, method] = value
    return frames


def votes_measured(fits: Iterable[Mapping[str, NDArray[Any]]]) -> dict[str, float]:
    """Return diversity, individual error and the number of members, means over the cases of fits that have votes."""
    rows, cases = [], []
    for fit in fits:
        votes, weights, classes = fit["votes"], fit["weights"], fit["classes"]
        diversity = weighted_variance(votes, weights, classes=classes)
        rows.append((diversity, individual_error(votes, fit["y"], weights, classes=classes), votes.shape[1]))
        cases.append(len(votes))
    if not rows:
        return {}
    diversities, errors, members = zip(*rows, strict=True)
    return {
        "diversity": float(np.average(diversities, weights=cases)),
        "individual error": float(np.average(errors, weights=cases)),
        "members": float(np.mean(members)),
    }


def split_error(predictions: NDArray[Any], y: NDArray[Any], *, cycles: int = CYCLES) -> dict[str, float]:
    """Return bias and variance by equations 5 to 7, noise counted as bias, as so many cycles would give them.

    The plain formulas take a share of 1 / cycles of the variance for bias. With as many cycles as asked for, this is
    just what they give; with fewer, the estimates are corrected, and then that share is put where ten cycles put it,
    so that a run of two cycles can be set beside the paper's of ten.
    """
    parts = kohavi_wolpert(predictions, y, unbiased_estimates=True)
    return {
        "bias": parts.bias + parts.noise + parts.variance / cycles,
        "variance": parts.variance * (1 - 1 / cycles),
    }


@lru_cache(maxsize=len(MEASURES))
def printed_comparisons(measure: str) -> tuple[tuple[Comparison, str], ...]:
    """Return the cells of a measure's table with the p-values as printed, such as "<0.0001".

    The p-values of the comparisons themselves are worked out from the records.
    """
    table = published_table("multistrategy", MEASURES.index(measure) + 1)
    columns = (table[name].tolist() for name in ("wins", "losses", "draws", "col_method", "row_method", "ratio", "p"))
    return tuple((Comparison(*cell), str(printed)) for *cell, printed in zip(*columns, strict=True))


class Cells:
    """The cells of one of tables 1 to 5, ours and the published."""

    def __init__(self, measure: str, results: Found) -> None:
        measures, printed = measures_of(results), printed_comparisons(measure)
        self.theirs = [cell for cell, _ in printed]
        self.printed_p = [p_value for _, p_value in printed]
        self.ours = [measures.compare(measure, cell.method, cell.against) for cell in self.theirs]
        both = list(zip(self.ours, self.theirs, strict=True))
        # How far our ratio is from the published: the difference of logarithms.
        self.apart = [log(mine.ratio / cell.ratio) if mine.ratio > 0 else float("nan") for mine, cell in both]
        self.agree = [mine.outcome == cell.outcome for mine, cell in both]
        self.opposed = sum({mine.outcome, cell.outcome} == {"better", "worse"} for mine, cell in both)


def beside_ratios(measure: str, results: Found) -> Beside:
    """Return our ratios and the published: a row for each pair, with the difference of logarithms."""
    cells = Cells(measure, results)
    pairs = [(cell.method, cell.against) for cell in cells.theirs]
    ours, printed = ([cell.ratio for cell in some] for some in (cells.ours, cells.theirs))
    values = dict(zip(COLUMNS, (ours, printed, np.nan, cells.apart), strict=True))
    return Beside(pd.DataFrame(values, index=pd.MultiIndex.from_tuples(pairs, names=["method", "against"])), RATIO)


def _show_table(measure: str, results: Found) -> tuple[Block, ...]:
    cells, number = Cells(measure, results), MEASURES.index(measure) + 1
    if not any(cell.total for cell in cells.ours):
        return (Prose((_tell_table(measure, results),)),)
    pairs = [(cell.method, cell.against) for cell in cells.theirs]
    frame = pd.DataFrame(
        {
            "ratio": [cell.ratio for cell in cells.ours],
            "published ratio": [cell.ratio for cell in cells.theirs],
            "apart": cells.apart,
            "record": [cell.record for cell in cells.ours],
            "published record": [cell.record for cell in cells.theirs],
            "p": [cell.p_value for cell in cells.ours],
            "published p": cells.printed_p,
            "agree": ["yes" if agree else "no" for agree in cells.agree],
        },
        index=pd.MultiIndex.from_tuples(pairs, names=["method", "against"]),
    )
    table = ResultTable(
        frame,
        caption=f"Comparison of {measure}: ours beside table {number} of the paper",
        formats={"ratio": ".2f", "published ratio": ".2f", "apart": "+.2f", "p": "p"},
        notes=(*NOTES, f"All {len(pairs)} printed p-values follow from the printed records."),
    )
    name = f"multistrategy-table-{number}"
    return Prose((_tell_table(measure, results),)), TableBlock(table, name, badges={"agree": AGREE}, filterable=True)


def _tell_table(measure: str, results: Found) -> str:
    cells, table = Cells(measure, results), f"Table {MEASURES.index(measure) + 1} ({measure})"
    apart = [abs(value) for value in cells.apart if isfinite(value)]
    if not apart:
        return f"{table} has nothing to compare."
    same, total = sum(cells.agree), len(cells.agree)
    median = exp(float(np.median(apart)))
    ratios = f"ratios are off by a factor of {median:.2f} in the median and {exp(max(apart)):.2f} at most"
    opposed = f", {cells.opposed} say the opposite" if cells.opposed else ", none says the opposite" * (same < total)
    return f"{table}: {same} of {total} sign tests come out as published{opposed}; {ratios}."


def tell_all(results: Found) -> str:
    """Say how close tables 1 to 5 are together."""
    every = [Cells(measure, results) for measure in MEASURES]
    total, agree = (
        sum(map(count, every)) for count in (lambda cells: len(cells.agree), lambda cells: sum(cells.agree))
    )
    opposed = sum(cells.opposed for cells in every)
    within = sum(abs(value) <= log(1.1) for cells in every for value in cells.apart)
    return (
        f"Of the {total} comparisons in tables 1 to 5, {agree} sign tests come out as published and "
        f"{opposed or 'none'} the other way round; {within} ratios are within 10 % of the published."
    )


DATASETS = DescribedTable(
    "multistrategy",
    "6",
    ("systems",),
    (
        Fact("rows", n_rows, ("size",)),
        Fact("classes", n_classes, ("classes",)),
        Fact("numeric", n_numeric, ("numeric",)),
        Fact("discrete", n_discrete, ("discrete",)),
    ),
    ("rows", "classes"),
)

# fmt: off
VIEWS = (
    *(View(str(number), f"Comparison of {measure}", ("systems",), partial(_show_table, measure),
           partial(_tell_table, measure), partial(beside_ratios, measure))
      for number, measure in enumerate(MEASURES, 1)),
    DATASETS.view,
)
# fmt: on
