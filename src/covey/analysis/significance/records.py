"""Win/draw/loss records of methods against each other, with sign tests and geometric mean ratios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_count, check_number
from covey._rounding import write_number
from covey._text import p_text
from covey.analysis.numbers import ROUNDING, Floats
from covey.analysis.scores import Scores, check_alpha, check_direction, read_scores
from covey.analysis.tables.result import Finding, ResultTable, table_of

Counts = NDArray[np.int64]

# In a text, the records of so many methods.
MOST_LINES = 10


@dataclass(frozen=True, eq=False, repr=False)
class Records(Finding):
    """How often each method is better than each other one."""

    methods: tuple[str, ...]  #: in the order given
    n_datasets: int  #: how many datasets they were compared on
    larger_is_better: bool  #: which direction is better
    tolerance: float  #: the largest difference that is a draw
    wins: Counts  #: ``wins[i, j]`` counts the datasets on which method i is better than method j, ...
    draws: Counts  #: ... and ``draws[i, j]`` those on which neither is; the diagonal is n_datasets
    p_values: Floats  #: of the two-tailed sign test of wins against losses, draws left out; the diagonal is 1
    ratios: Floats  #: the geometric mean of score[i] / score[j]; NaN where a score of the pair is not positive

    @property
    def losses(self) -> Counts:
        """How many datasets method i is worse than method j on."""
        return self.wins.T

    def record(self, first: str, second: str) -> tuple[int, int, int]:
        """Return the wins, draws and losses of the first method against the second."""
        i, j = self._position(first), self._position(second)
        return int(self.wins[i, j]), int(self.draws[i, j]), int(self.wins[j, i])

    def table(self, *, alpha: float = 0.05) -> ResultTable:
        """Return a matrix of records such as "34/2/5": wins, draws and losses of the column's method against the row's.

        Parameters
        ----------
        alpha : float, default=0.05
            Records whose sign test has a smaller p-value are bold.
        """
        import pandas as pd

        level, k = check_alpha(alpha), len(self.methods)
        index = pd.Index(self.methods, name="against")
        cells = [
            ["" if i == j else f"{self.wins[j, i]}/{self.draws[j, i]}/{self.wins[i, j]}" for j in range(k)]
            for i in range(k)
        ]
        pairs = k * (k - 1) // 2
        bonferroni = f" Bonferroni's level for {pairs} pairs is {level / pairs:.2g}." if pairs > 1 else ""
        return ResultTable(
            pd.DataFrame(cells, index=index, columns=list(self.methods)),
            caption=f"Wins/draws/losses of the column's method against the row's on {self._setting}",
            bold=pd.DataFrame(level > self.p_values.T, index=index, columns=list(self.methods)),
            notes=(f"Bold or starred: p < {level:g} by a two-tailed sign test of this pair alone.{bonferroni}",),
        )

    def pairs_table(self) -> ResultTable:
        """Return a row for each pair: the record of one method against the other, the ratio of scores and p.

        As in the tables of the multi-strategy paper a method stands against each one that was given before it. The
        ratio is the geometric mean of its score divided by the other's, NaN where there is none.
        """
        i, j = np.triu_indices(len(self.methods), k=1)
        names = np.array(self.methods, dtype=object)
        columns = {
            "method": names[j],
            "against": names[i],
            "ratio": self.ratios[j, i],
            "wins": self.wins[j, i],
            "draws": self.draws[j, i],
            "losses": self.wins[i, j],
            "p": self.p_values[j, i],
        }
        return table_of(
            columns,
            range(1, len(i) + 1),
            "pair",
            caption=f"Records of pairs of methods on {self._setting}",
            formats={"ratio": ".2f", "p": "p"},
            notes=("ratio: geometric mean of method / against. p: two-tailed sign test, draws left out.",),
        )

    def plot(self, ax: Any = None, *, alpha: float = 0.05, title: str | None = None) -> Any:
        """Draw the records as a map, and return the axes; see `covey.plots.draw_record_map`."""
        from covey.plots import draw_record_map, record_map

        return draw_record_map(record_map(self, alpha=alpha), ax, title=title)

    @property
    def _setting(self) -> str:
        direction = "larger" if self.larger_is_better else "smaller"
        draw = f", differences up to {self.tolerance:g} are draws" if self.tolerance else ""
        return f"{self.n_datasets} datasets ({direction} is better{draw})"

    def _position(self, method: str) -> int:
        if str(method) not in self.methods:
            raise ValueError(f"{method!r} is none of the methods, which are {', '.join(map(repr, self.methods))}.")
        return self.methods.index(str(method))

    def __str__(self) -> str:
        if len(self.methods) == 2:
            first, second = self.methods
            wins, draws, losses = self.record(first, second)
            ratio = self.ratios[0, 1]
            return (
                f"{first} against {second} on {self._setting}: {wins}/{draws}/{losses} wins/draws/losses, "
                f"{p_text(self.p_values[0, 1])} by the sign test"
                + ("" if np.isnan(ratio) else f", geometric mean ratio {write_number(ratio, '.2f')}")
            )
        wins, losses = self.wins.sum(axis=1), self.losses.sum(axis=1)
        draws = self.draws.sum(axis=1) - self.n_datasets
        order = np.argsort(losses - wins, kind="stable")
        width = max(len(self.methods[i]) for i in order[:MOST_LINES])
        lines = [f"Wins/draws/losses of {len(self.methods)} methods against all others on {self._setting}:"]
        lines += [f"  {self.methods[i]:<{width}}  {wins[i]}/{draws[i]}/{losses[i]}" for i in order[:MOST_LINES]]
        if len(order) > MOST_LINES:
            lines.append(f"  and {len(order) - MOST_LINES} more")
        return "\n".join(lines)


def win_draw_loss(
    scores: Any,
    *,
    larger_is_better: bool,
    tolerance: float = 0.0,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
) -> Records:
    """Count on how many datasets each method is better than, level with and worse than each other one.

    Webb and Zheng (2004) describe a pair of methods by this record, its two-tailed sign test and the geometric mean of
    the ratios of their scores.

    Parameters
    ----------
    scores, larger_is_better, methods, datasets
        As for `friedman`.
    tolerance : float, default=0
        The largest difference that is a draw. It is widened by the rounding error of the scores (four times 2.2e-16
        of the larger one), so that 0.3 and 0.1 + 0.2 draw, and with 0.1 all scores that are written 0.1 apart. Scores
        that are to draw when they are equal as printed must be rounded first.
    """
    check_number("tolerance", tolerance, 0.0)
    direction, margin = check_direction(larger_is_better), float(tolerance)
    read = read_scores(scores, methods=methods, datasets=datasets)
    wins = _count_wins(read.values if direction else -read.values, margin)
    n_datasets = len(read.datasets)
    return Records(
        methods=read.methods,
        n_datasets=n_datasets,
        larger_is_better=direction,
        tolerance=margin,
        wins=wins,
        draws=n_datasets - wins - wins.T,
        p_values=_sign_test(wins, wins.T),
        ratios=_mean_ratios(read),
    )


def sign_test(wins: int, losses: int) -> float:
    """Return the two-tailed p-value of the exact sign test.

    It is the probability that the smaller of two counts is min(wins, losses) or less, when each of n = wins + losses
    is a win with probability 1/2: 2 sum_{k <= min(wins, losses)} C(n, k) / 2^n, and at most 1. Draws are left out.

    Parameters
    ----------
    wins, losses : int
        How many differences are positive and how many negative.

    Returns
    -------
    float
        1 if both are 0.
    """
    check_count("wins", wins, 0)
    check_count("losses", losses, 0)
    return float(_sign_test(np.array([wins]), np.array([losses]))[0])


def _sign_test(wins: Counts, losses: Counts) -> Floats:
    from scipy.special import bdtr

    fewer, n = np.minimum(wins, losses), wins + losses
    level = n - 2 * fewer <= 1  # then the two tails are everything
    return np.where(level, 1.0, np.minimum(1.0, 2 * bdtr(fewer, n, 0.5)))


def _count_wins(values: Floats, tolerance: float) -> Counts:
    """Return on how many datasets, rows of values, one column is larger than another by more than the tolerance."""
    wins = np.zeros((values.shape[1], values.shape[1]), dtype=np.int64)
    for row in values:
        size = np.abs(row)
        with np.errstate(over="ignore"):  # an infinite difference is still a win
            wins += row[:, None] - row > tolerance + ROUNDING * np.maximum(size[:, None], size)
    return wins


def _mean_ratios(scores: Scores) -> Floats:
    values = np.where((scores.values > 0).all(axis=0), scores.values, np.nan)
    logs = np.log(values).mean(axis=0)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(logs[:, None] - logs))
