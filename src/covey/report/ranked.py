"""What a ranking of methods on one dataset holds, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite, nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from covey._text import counted, spelt_out
from covey.report.metric_words import MetricWords
from covey.report.splits import Splits

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable

Floats = NDArray[np.float64]
Verdict = Literal["best", "level", "worse", "untested"]

# What tables and pages call a method that is level: a test that finds no difference shows no equality.
NOT_SHOWN = "not shown to differ"
# What they call all methods if none has a better mean than another.
ALL_THE_SAME = "same mean"


@dataclass(frozen=True)
class RankedMethod:
    """A method that finished all fits.

    Parameters
    ----------
    method : str
    mean : float
        Its mean score over all fits.
    low, high : float
        The confidence interval of the mean; NaN where there is none.
    difference : float
        The mean less that of the best method.
    p_value : float
        Of the difference to the best method, corrected and adjusted; NaN for the best, and where there is no test.
    verdict : {"best", "level", "worse", "untested"}
        "level": no significant difference to the best was found. "worse": one was.
    fit_seconds, predict_seconds : float
        Medians over the fits; NaN where they are not known.
    scores : ndarray of float64 of shape (n_fits,)
        The score of each fit.
    """

    method: str
    mean: float
    low: float
    high: float
    difference: float
    p_value: float
    verdict: Verdict
    fit_seconds: float
    predict_seconds: float
    scores: Floats


@dataclass(frozen=True, eq=False)
class Ranking:
    """Methods on one dataset, best first.

    Parameters
    ----------
    dataset, metric : str
    larger_is_better : bool
    alpha : float
        The significance level of tests and intervals.
    rows : tuple of RankedMethod
        The methods that finished all fits, the best mean first; those that tie as they were given.
    failed : mapping of str to str
        The other methods, and why they are not ranked.
    splits : Splits
        The sizes of training and test parts, or why no test can be made.
    words : MetricWords
        What the metric is called.
    baselines : tuple of str
        Methods that learn nothing, which others are held against.
    """

    dataset: str
    metric: str
    larger_is_better: bool
    alpha: float
    rows: tuple[RankedMethod, ...]
    failed: Mapping[str, str]
    splits: Splits
    words: MetricWords
    baselines: tuple[str, ...] = ()

    @property
    def best(self) -> str:
        """The method with the best mean.

        Raises
        ------
        ValueError
            No method finished.
        """
        if not self.rows:
            raise ValueError(f"no method finished all fits on {self.dataset!r}, so none is the best; see failed.")
        return self.rows[0].method

    @property
    def tied(self) -> tuple[str, ...]:
        """The methods whose mean is the best, but for rounding: the best, and others if they tie."""
        return tuple(row.method for row in self.rows if row.difference == 0)

    @property
    def all_tie(self) -> bool:
        """Whether there are several methods and all have the same mean, so that none is the best."""
        return len(self.tied) == len(self.rows) > 1

    @property
    def level(self) -> tuple[str, ...]:
        """The methods that were tested and not shown to differ from the best, best first; baselines do not count."""
        return tuple(row.method for row in self.rows if row.verdict == "level" and row.method not in self.baselines)

    @property
    def baseline(self) -> RankedMethod | None:
        """The best of the ranked methods that learn nothing, if there is one."""
        return next((row for row in self.rows if row.method in self.baselines), None)

    @property
    def worse(self) -> tuple[str, ...]:
        """The methods that are significantly worse than the best, best first."""
        return tuple(row.method for row in self.rows if row.verdict == "worse")

    @property
    def n_fits(self) -> int:
        """How many fits each mean is over."""
        return len(self.rows[0].scores) if self.rows else 0

    @property
    def why_untested(self) -> str:
        """Why there is no test, or ""."""
        return self.splits.why_not or ("there was one fit only" if self.n_fits == 1 else "")

    @property
    def decimals(self) -> int:
        """How many decimals of scores are worth writing."""
        return self.words.decimals(((row.high - row.low) / 2 for row in self.rows), (row.mean for row in self.rows))

    def row(self, method: str) -> RankedMethod:
        """Return the row of a method."""
        for row in self.rows:
            if row.method == method:
                return row
        why = f": {self.failed[method]}" if method in self.failed else ""
        raise KeyError(f"method {method!r} is not ranked on {self.dataset!r}{why}.")

    def table(self) -> ResultTable:
        """Return a row for each ranked method."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        name, spec = self.words.name, self.words.spec(self.decimals)
        unit, factor = self._time_unit()
        columns: dict[str, list[Any]] = {name: [row.mean for row in self.rows]}
        if not self.why_untested:
            columns |= {"low": [row.low for row in self.rows], "high": [row.high for row in self.rows]}
        # Twelve digits are more than scores have; the others are noise of the subtraction.
        columns["to best"] = [nan, *(float(f"{row.difference:.12g}") for row in self.rows[1:])][: len(self.rows)]
        if not self.why_untested:
            columns |= {"p": [row.p_value for row in self.rows], "verdict": list(map(self.verdict_text, self.rows))}
        columns[f"fit ({unit})"] = [factor * row.fit_seconds for row in self.rows]
        columns[f"predict ({unit})"] = [factor * row.predict_seconds for row in self.rows]
        frame = pd.DataFrame(columns, index=pd.Index([row.method for row in self.rows], name="method"))
        bold = pd.DataFrame(False, index=frame.index, columns=frame.columns)
        bold.iloc[: len(self.tied), 0] = True
        written = dict.fromkeys((name, "low", "high"), spec) | {"to best": f"+{spec}", "p": "p"}
        written |= dict.fromkeys(frame.columns[-2:], ".1f" if unit == "ms" else ".2f")
        return ResultTable(
            frame,
            caption=f"Methods on {self.dataset} by {name}, {self._direction} is better",
            formats={column: text for column, text in written.items() if column in frame},
            bold=bold,
            notes=self._notes(),
        )

    def verdict_text(self, row: RankedMethod) -> str:
        """Return what a table says of a method: all that share the best mean are the best, unless no other is left."""
        if row.verdict != "untested" and row.method in self.tied:
            return ALL_THE_SAME if self.all_tie else "best"
        return NOT_SHOWN if row.verdict == "level" else row.verdict

    @property
    def _direction(self) -> str:
        return "larger" if self.larger_is_better else "smaller"

    def _time_unit(self) -> tuple[str, float]:
        """Return the unit of times in the table, and how many of them a second has."""
        times = [time for row in self.rows for time in (row.fit_seconds, row.predict_seconds) if isfinite(time)]
        return ("ms", 1000.0) if max(times, default=0.0) < 10 else ("s", 1.0)

    def _notes(self) -> tuple[str, ...]:
        over = f"{self.words.name}: the mean over {counted(self.n_fits, 'fit')}."
        times = "fit and predict: median times of training and of predicting the test cases."
        if self.why_untested:
            return (over, f"No intervals and no tests: {self.why_untested}.", times)
        sure = f"{100 * (1 - self.alpha):g}%"
        points = ", in percentage points" if self.words.percent else ""
        some = " There is none where all fits scored the same." if any(row.low != row.low for row in self.rows) else ""
        low = f"{over} low and high: its {sure} confidence interval, corrected for the overlap of training sets.{some}"
        n_pairs = len(self.rows) * (len(self.rows) - 1) // 2
        if not n_pairs:
            return (low, times)
        holm = f", adjusted by Holm for all {n_pairs} pairs of methods" if n_pairs > 1 else ""
        found = set(map(self.verdict_text, self.rows))
        told = [f"{NOT_SHOWN}: no significant difference to the best at {self.alpha:g}, which does not mean equal"]
        told = (told if NOT_SHOWN in found else []) + (["worse: significantly worse"] if "worse" in found else [])
        return (
            low,
            f"to best: the difference to the best method{points}. p: corrected resampled t-test on the same splits"
            f"{holm}.",
            "; ".join(told) + (". " if told else "") + times,
        )

    def __str__(self) -> str:
        text = str(self.table()) if self.rows else spelt_out(f"No method finished all fits on {self.dataset}.")
        return "\n".join([text, *(spelt_out(f"not ranked: {method}: {why}") for method, why in self.failed.items())])

    __repr__ = __str__
