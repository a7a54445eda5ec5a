"""Two methods on repeated splits of one dataset: the corrected resampled t-test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from covey._arguments import check_number
from covey._rounding import write_number
from covey._text import p_text
from covey.analysis.numbers import ROUNDING, Floats, check_finite, read_numbers
from covey.analysis.scores import check_alpha, check_direction
from covey.analysis.tables.result import Finding, ResultTable, table_of


@dataclass(frozen=True, eq=False, repr=False)
class ResampledT(Finding):
    """The corrected resampled t-test of two methods on one dataset."""

    n_runs: int  #: how many splits there were
    n_train: float  #: how many cases a split has for training, ...
    n_test: float  #: ... and for testing
    larger_is_better: bool  #: which direction is better
    alpha: float  #: the significance level
    mean_difference: float  #: the mean of first - second
    standard_error: float  #: of the mean difference, with the correction
    t_statistic: float
    degrees_of_freedom: int  #: n_runs - 1
    p_value: float  #: two-tailed
    interval: tuple[float, float]  #: the confidence interval of the difference at 1 - alpha

    @property
    def better(self) -> Literal["first", "second"] | None:
        """The method that is significantly better, or None if neither is."""
        if not self.p_value < self.alpha:
            return None
        return "first" if (self.mean_difference > 0) == self.larger_is_better else "second"

    def table(self) -> ResultTable:
        """Return the test as a table of one row."""
        low, high = self.interval
        columns = {
            "mean": [self.mean_difference],
            "low": [low],
            "high": [high],
            "t": [self.t_statistic],
            "df": [self.degrees_of_freedom],
            "p": [self.p_value],
            "better": [self.better or "neither"],
        }
        return table_of(
            columns,
            ["first - second"],
            "difference",
            caption=f"Corrected resampled t-test, {self._setting}",
            formats={"mean": ".4g", "low": ".4g", "high": ".4g", "t": ".3f", "p": "p"},
            notes=(f"low and high: {100 * (1 - self.alpha):g} % confidence interval.",),
        )

    @property
    def _setting(self) -> str:
        direction = "larger" if self.larger_is_better else "smaller"
        sizes = f"{self.n_train:g} cases for training and {self.n_test:g} for testing"
        return f"{self.n_runs} runs with {sizes} ({direction} is better)"

    def __str__(self) -> str:
        mean, low, high = (write_number(value, ".4g") for value in (self.mean_difference, *self.interval))
        verdict = f"{self.better} is better" if self.better else "no significant difference"
        return (
            f"Corrected resampled t-test, {self._setting}: first - second = {mean} [{low}, {high}], "
            f"t({self.degrees_of_freedom}) = {write_number(self.t_statistic, '.3f')}, {p_text(self.p_value)}: "
            f"{verdict} at {self.alpha:g}"
        )


def corrected_t_test(
    first: Any, second: Any, *, n_train: float, n_test: float, larger_is_better: bool, alpha: float = 0.05
) -> ResampledT:
    """Compare two methods on one dataset by their scores on the same repeated splits.

    Training sets of repeated splits overlap, so that the usual paired t-test finds differences where there are none.
    Nadeau and Bengio (2003) correct the variance:
    t = mean(d) / sqrt((1/J + n_test/n_train) var(d)), with d the J differences, var their unbiased variance, and J - 1
    degrees of freedom. Weka's experimenter uses this test.

    Parameters
    ----------
    first, second : array-like of shape (n_runs,) or (n_repeats, n_folds)
        Scores of the two methods, for the same splits in the same order.
    n_train, n_test : float
        How many cases a split has for training and for testing; the mean, if splits differ. Only their ratio counts:
        for ten-fold cross-validation 9 and 1 will do.
    larger_is_better : bool
        True for accuracies, False for errors.
    alpha : float, default=0.05
        The significance level of the verdict and the interval.

    Returns
    -------
    ResampledT
        If all differences are zero, t is 0 and p is 1. If all are the same but not zero, t is infinite, p is 0 and the
        interval is that one difference. Differences no larger than the rounding error of the scores count as zero.
    """
    direction, level = check_direction(larger_is_better), check_alpha(alpha)
    train, test = check_sizes(n_train, n_test)
    difference, rounding = paired_differences(first, second, matrices=True)
    corrected = corrected_standard_error(difference, test / train, rounding)
    t_statistic, p_value = _student(corrected)
    return ResampledT(
        n_runs=len(difference),
        n_train=train,
        n_test=test,
        larger_is_better=direction,
        alpha=level,
        mean_difference=corrected.mean,
        standard_error=corrected.standard_error,
        t_statistic=t_statistic,
        degrees_of_freedom=corrected.degrees_of_freedom,
        p_value=p_value,
        interval=corrected.interval(level),
    )


class CorrectedMean(NamedTuple):
    """The mean of scores on overlapping training sets, and what is known of it."""

    mean: float
    standard_error: float  # 0 if all scores are the same but for rounding
    degrees_of_freedom: int

    def interval(self, alpha: float = 0.05) -> tuple[float, float]:
        """Return the confidence interval of the mean at 1 - alpha; the mean itself twice without a standard error."""
        from scipy.stats import t as student

        reach = float(student.isf(alpha / 2, self.degrees_of_freedom) * self.standard_error)
        return self.mean - reach, self.mean + reach


def corrected_standard_error(scores: Floats, ratio: float, rounding: Floats | None = None) -> CorrectedMean:
    """Return the mean and sqrt((1/J + n_test/n_train) s²), `ratio` being n_test/n_train (Nadeau and Bengio, 2003)."""
    mean = float(scores.mean())
    largest = float((ROUNDING * np.abs(scores) if rounding is None else rounding).max())
    same = np.ptp(scores) <= 2 * largest
    error = 0.0 if same else float(np.sqrt((1 / len(scores) + ratio) * float(scores.var(ddof=1))))
    return CorrectedMean(mean, error, len(scores) - 1)


def _student(corrected: CorrectedMean) -> tuple[float, float]:
    """Return t and its two-tailed p-value."""
    from scipy.stats import t as student

    mean, error, freedom = corrected
    if error == 0:
        return (0.0, 1.0) if mean == 0 else (float(np.copysign(np.inf, mean)), 0.0)
    t_statistic = mean / error
    return t_statistic, float(2 * student.sf(abs(t_statistic), freedom))


def paired_differences(first: Any, second: Any, *, matrices: bool) -> tuple[Floats, Floats]:
    """Return first - second, and how large the rounding error of each difference can be.

    What is no larger than its rounding error becomes an exact zero. Series are paired by their indexes; matrices,
    where they are allowed, are flattened.
    """
    left, right = _numbers(first, "first", matrices), _numbers(_matched(first, second), "second", matrices)
    if left.shape != right.shape:
        raise ValueError(
            f"first has shape {left.shape} and second {right.shape}, but their scores must be paired: "
            "give both for the same runs or datasets in the same order."
        )
    if left.size < 2:
        raise ValueError(f"first and second have {left.size} scores each, but 2 or more are needed.")
    for values, name in ((left, "first"), (right, "second")):
        check_finite(values, name, "run what is missing, or leave that position out of both")
    left, right = left.reshape(-1), right.reshape(-1)
    error = ROUNDING * np.maximum(np.abs(left), np.abs(right))
    difference = left - right
    tied = np.abs(difference) <= error
    return np.where(tied, 0.0, difference), np.where(tied, 0.0, error)


def check_sizes(n_train: Any, n_test: Any) -> tuple[float, float]:
    """Return how many cases a split has for training and testing, refusing what cannot be."""
    for name, size in (("n_train", n_train), ("n_test", n_test)):
        check_number(name, size, 0.0)
        if not size:
            raise ValueError(f"{name}={size!r} must be positive: how many cases a split has.")
    return float(n_train), float(n_test)


def _numbers(scores: Any, name: str, matrices: bool) -> Floats:
    values = read_numbers(scores, name, "give one score for each run or dataset")
    if values.ndim == 1 or (values.ndim == 2 and matrices):
        return values
    shapes = "(n_runs,) or (n_repeats, n_folds)" if matrices else "(n_datasets,)"
    remedy = "" if matrices else "; take means over runs first"
    raise ValueError(f"{name} has shape {values.shape}, but must have shape {shapes}{remedy}.")


def _matched(first: Any, second: Any) -> Any:
    """Return the second scores in the order of the first, where both are series with names of runs or datasets."""
    import pandas as pd

    kinds = pd.Series | pd.DataFrame
    if not (isinstance(first, kinds) and isinstance(second, kinds)) or first.index.equals(second.index):
        return second
    if set(first.index) != set(second.index) or not first.index.is_unique or not second.index.is_unique:
        raise ValueError("first and second have different rows in their indexes; give scores of the same ones.")
    return second.loc[first.index]
