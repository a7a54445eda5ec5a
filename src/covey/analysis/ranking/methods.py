"""Methods on one dataset, best first, with how sure their order is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor, fsum, isfinite, nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from covey._text import clip, counted, spelt_out
from covey.analysis.numbers import check_finite, read_numbers
from covey.analysis.ranking.metrics import Chance, MetricWords
from covey.analysis.scores import Scores, check_alpha

if TYPE_CHECKING:
    import pandas as pd

    from covey.analysis.tables import ResultTable

Floats = NDArray[np.float64]
Verdict = Literal["best", "tie", "behind", "unclear", "untested"]

# What tables and pages call methods with the best mean, if none has a better one than another.
ALL_THE_SAME = "same mean"
# ... and one that is neither shown to tie with the best nor to be behind.
UNCLEAR = "too close to call"
# How many characters of a failure's message are written beside a method's name.
LONGEST_REASON = 160


@dataclass(frozen=True)
class Splits:
    """The mean sizes of the training and test parts of fits, or why no interval can be given and no test made."""

    n_train: float
    n_test: float
    why_not: str = ""


@dataclass(frozen=True)
class RankedMethod:
    """A method that finished all fits."""

    method: str
    mean: float  #: its mean score over all fits
    low: float  #: the lower end of the mean's confidence interval; NaN where there is none
    high: float  #: its upper end
    difference: float  #: the mean less that of the best method; 0 if they differ by rounding only
    #: the probability that the best method is better by more than the rope, the largest difference that has no
    #: practical meaning; NaN for the best, and where nothing was tested
    behind: float
    #: the probability that the two differ by no more than the rope; NaN likewise
    equivalent: float
    #: "best", "tie" (shown to be within the rope of the best), "behind" (shown to be worse by more), "unclear" (neither
    #: is shown) or "untested"
    verdict: Verdict
    fit_seconds: float  #: the median over the fits; NaN where it is not known
    predict_seconds: float  #: the same of predicting
    scores: Floats  #: the score of each fit, of shape (n_fits,)
    #: of the mean, corrected for the overlap of training sets; NaN where there is no test
    standard_error: float = nan


@dataclass(frozen=True, eq=False)
class Ranking:
    """Methods on one dataset, best first."""

    dataset: str
    metric: str
    larger_is_better: bool
    alpha: float  #: intervals hold with a confidence of 1 - alpha, and verdicts with that probability
    #: the methods that finished all fits, the best mean first; those that tie as they were given
    rows: tuple[RankedMethod, ...]
    failed: Mapping[str, str]  #: the other methods, and why they are not ranked
    splits: Splits  #: the sizes of training and test parts, or why no test can be made
    words: MetricWords  #: what the metric is called
    baselines: tuple[str, ...] = ()  #: methods that learn nothing, which others are held against
    chance: Chance | None = field(default=None, repr=False)  #: what can be had without learning, by a formula
    titles: Mapping[str, str] = field(default_factory=dict, repr=False)  #: what people call methods, where known

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
    def ties(self) -> tuple[str, ...]:
        """The methods that are shown to tie with the best, which is not among them; best first."""
        return self._with("tie")

    @property
    def unclear(self) -> tuple[str, ...]:
        """The methods, baselines too, that are neither shown to tie with the best nor to be behind, best first."""
        return self._with("unclear")

    @property
    def behind(self) -> tuple[str, ...]:
        """The methods that are shown to be behind the best, best first."""
        return self._with("behind")

    def _with(self, verdict: Verdict) -> tuple[str, ...]:
        return tuple(row.method for row in self.rows if row.verdict == verdict)

    @property
    def is_clear(self) -> bool:
        """Whether it is shown of every method that it ties with the best or is behind; never without a test."""
        return bool(self.rows) and all(row.verdict not in ("unclear", "untested") for row in self.rows)

    @property
    def rope(self) -> float:
        """The largest difference to the best mean that has no practical meaning."""
        return self.words.rope(self.rows[0].mean) if self.rows else nan

    @property
    def baseline(self) -> RankedMethod | None:
        """The best of the ranked methods that learn nothing, if there is one."""
        return next((row for row in self.rows if row.method in self.baselines), None)

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

    @property
    def direction(self) -> str:
        """Which scores are better, "larger" or "smaller"."""
        return "larger" if self.larger_is_better else "smaller"

    def value(self, score: float) -> str:
        """Return a score as it is written everywhere."""
        return self.words.value(score, self.decimals)

    def title(self, method: str) -> str:
        """Return what people call a method, with its name, such as "one C4.5 tree (c4.5)"."""
        return self.titles.get(method, method)

    def row(self, method: str) -> RankedMethod:
        """Return the row of a method."""
        for row in self.rows:
            if row.method == method:
                return row
        why = f": {self.failed[method]}" if method in self.failed else ""
        raise KeyError(f"method {method!r} is not ranked on {self.dataset!r}{why}.")

    def summary(self) -> tuple[str, ...]:
        """Return what the ranking says in sentences: the best, how sure that is, the baseline, what is not ranked."""
        from covey.analysis.ranking.sentences import summarize

        return summarize(self)

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw the mean scores with their intervals, and return the axes; see `covey.plots.draw_method_intervals`."""
        from covey.plots import draw_method_intervals, ranking_intervals
        from covey.plots.ranking import beyond

        data, far = ranking_intervals(self), beyond(self)
        own = f"{data.title}\n({far})" if far else data.title
        return draw_method_intervals(data, ax, title=own if title is None else title)

    def table(self, *, titled: bool = False) -> ResultTable:
        """Return a row for each ranked method, by its name or, if `titled`, by what people call it."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        name, spec = self.words.name, self.words.spec(self.decimals)
        times = [time for row in self.rows for time in (row.fit_seconds, row.predict_seconds) if isfinite(time)]
        unit, factor = ("ms", 1000.0) if max(times, default=0.0) < 10 else ("s", 1.0)
        columns: dict[str, list[Any]] = {name: [row.mean for row in self.rows]}
        if not self.why_untested:
            columns |= {"low": [row.low for row in self.rows], "high": [row.high for row in self.rows]}
        columns["verdict"] = list(map(self.verdict_text, self.rows))
        if self.ties or self.behind:
            columns["sure"] = list(map(sureness, self.rows))
        columns[f"fit ({unit})"] = [factor * row.fit_seconds for row in self.rows]
        columns[f"predict ({unit})"] = [factor * row.predict_seconds for row in self.rows]
        shown = [self.title(row.method) if titled else row.method for row in self.rows]
        frame = pd.DataFrame(columns, index=pd.Index(shown, name="method"))
        bold = pd.DataFrame(False, index=frame.index, columns=frame.columns)
        bold.iloc[: len(self.tied), 0] = True
        written = dict.fromkeys((name, "low", "high"), spec) | {"sure": ".0%"}
        written |= dict.fromkeys(frame.columns[-2:], ".1f" if unit == "ms" else ".2f")
        return ResultTable(
            frame,
            caption=f"Methods on {self.dataset} by {name}, {self.direction} is better",
            formats={column: text for column, text in written.items() if column in frame},
            bold=bold,
            notes=self._notes(),
        )

    def verdict_text(self, row: RankedMethod) -> str:
        """Return what a table says of a method: "best", "ties with covey", "behind by 3.2 points"."""
        if self.all_tie and row.verdict != "tie":
            return ALL_THE_SAME
        if row.verdict in ("best", "tie"):
            return f"ties with {self.best}" if row.verdict == "tie" else "best"
        gap = self.words.gap(row.difference, self.decimals) if row.difference else ALL_THE_SAME
        if row.verdict == "unclear":
            return f"{UNCLEAR}: {gap}"
        behind = f"behind by {gap}" if row.difference else gap
        return behind if row.verdict == "behind" else f"{behind}, not tested"

    def _notes(self) -> tuple[str, ...]:
        over = f"{self.words.name}: the mean over {counted(self.n_fits, 'fit')}."
        times = "fit and predict: median times of training and of predicting the test rows."
        if self.why_untested:
            return (over, f"No intervals and no tests: {self.why_untested}.", times)
        sure = f"{100 * (1 - self.alpha):g}%"
        some = " There is none where all fits scored the same." if any(row.low != row.low for row in self.rows) else ""
        low = f"{over} low and high: its {sure} confidence interval, corrected for the overlap of training sets.{some}"
        near = f"within {self.words.rope_text} of the best"
        meanings = {
            "ties": (self.ties, f"{near} with a probability of {sure} or more"),
            "behind": (self.behind, f"not {near} but worse, with a probability of {sure} or more"),
            UNCLEAR: (self.unclear, f"not shown to be {near}, nor to be worse by more"),
        }
        told = [f"{verdict}: {meaning}." for verdict, (some_do, meaning) in meanings.items() if some_do]
        if self.ties or self.behind:
            told.append("sure: that probability, by the Bayesian correlated t-test on the same splits.")
        return (low, *([" ".join(told)] if told else []), times)

    def __str__(self) -> str:
        return "\n".join([*([str(self.table())] if self.rows else []), *map(spelt_out, self.summary())])

    __repr__ = __str__


def rank_frame(
    frame: pd.DataFrame, words: MetricWords, *, dataset: str, methods: Sequence[str], **settings: Any
) -> Ranking:
    """Rank methods from the cells of one dataset, a row for each as `Results.frame` has them; see `rank_scores`."""
    scores: dict[str, Floats] = {}
    failed: dict[str, str] = {}
    seconds: dict[str, tuple[float, float]] = {}
    for method in methods:
        cells = frame[frame["method"] == method].sort_values("fit")
        if why := _why_not(cells, words):
            failed[method] = why
            continue
        scores[method] = words.natural(cells[words.metric].to_numpy(dtype=np.float64))
        seconds[method] = (_median(cells, "fit seconds"), _median(cells, "predict seconds"))
    return rank_scores(scores, dataset=dataset, words=words, seconds=seconds, failed=failed, **settings)


def _why_not(cells: pd.DataFrame, words: MetricWords) -> str:
    """Say why a method cannot be ranked, and how it did in the fits that are finished; or ""."""
    status, of_all, metric = cells["status"], f"of {counted(len(cells), 'fit')}", words.metric
    parts = []
    failed = cells[status == "failed"]
    if len(failed):
        message = " ".join(str(failed["failure"].iloc[0]).split())
        parts.append(f"{len(failed)} {of_all} failed ({clip(message, LONGEST_REASON)})")
    done = cells[status == "done"]
    scores = done[metric].to_numpy(dtype=np.float64) if metric in done else np.empty(0)
    scores = scores[np.isfinite(scores)]
    missing = int((status == "missing").sum())
    if missing or not len(cells):
        mean = words.natural(float(scores.mean())) if len(scores) else nan
        others = f", {words.value(mean, words.decimals((), [mean]))} in the others" if len(scores) else ""
        parts.append(f"{missing} {of_all} {'is' if missing == 1 else 'are'} not finished{others}")
    if lacking := len(done) - len(scores):
        parts.append(f"{lacking} {of_all} {'has' if lacking == 1 else 'have'} no {metric}")
    return "; ".join(parts)


def _median(cells: pd.DataFrame, column: str) -> float:
    return float(cells[column].median()) if column in cells else nan


def rank_scores(
    scores: Mapping[str, Any],
    *,
    dataset: str,
    words: MetricWords,
    splits: Splits,
    alpha: float = 0.05,
    seconds: Mapping[str, tuple[float, float]] | None = None,
    failed: Mapping[str, str] | None = None,
    baselines: Sequence[str] = (),
    chance: Chance | None = None,
    titles: Mapping[str, str] | None = None,
) -> Ranking:
    """Rank methods by their mean scores on the same splits, all finite; `failed` says why others are not ranked.

    Scores have natural signs: errors are not negative.

    The interval of a mean is mean ± t sqrt((1/J + n_test/n_train) s²) with s² the unbiased variance of the J scores
    and t the quantile of Student's distribution with J - 1 degrees of freedom (Nadeau and Bengio, 2003), cut at the
    ends of the metric's scale. Where all scores of a method are the same there is none. Each method is compared with
    the best by `covey.analysis.bayesian_correlated_t`: it ties or is behind if that has a probability of 1 - alpha or
    more. What difference has no practical meaning is up to the metric.
    """
    level, larger = check_alpha(alpha), words.larger_is_better
    read = {name: _read(name, values) for name, values in scores.items()}
    if len({len(values) for values in read.values()}) > 1:
        raise ValueError("scores has methods with different numbers of fits; give them for the same splits.")
    means = {name: fsum(values) / len(values) for name, values in read.items()}
    # The same ranks as those over datasets: methods that differ by rounding only tie, in the order given.
    table = Scores(np.array([list(means.values())]), tuple(means), (dataset,))
    places = dict(zip(means, table.ranks(larger_is_better=larger)[0].tolist(), strict=True)) if means else {}
    names = sorted(places, key=lambda name: places[name])
    tested = not splits.why_not and bool(names) and len(read[names[0]]) >= 2
    chances = _compare(read, names, splits, words) if tested else [(nan, nan)] * len(names)
    rows = []
    for name, (behind, equivalent) in zip(names, chances, strict=True):
        low, high, error = _interval(read[name], splits, level) if tested else (nan, nan, nan)
        row = RankedMethod(
            name,
            means[name],
            low=max(low, words.least),
            high=min(high, words.most),
            difference=0.0 if places[name] == places[names[0]] else means[name] - means[names[0]],
            behind=behind,
            equivalent=equivalent,
            verdict="best" if name == names[0] else _verdict(behind, equivalent, 1 - level) if tested else "untested",
            fit_seconds=(seconds or {}).get(name, (nan, nan))[0],
            predict_seconds=(seconds or {}).get(name, (nan, nan))[1],
            scores=read[name],
            standard_error=error,
        )
        rows.append(row)
    apart = dict(failed or {})
    about = (splits, words, tuple(baselines), chance, dict(titles or {}))
    return Ranking(dataset, words.metric, larger, level, tuple(rows), apart, *about)


def _read(name: str, scores: Any) -> Floats:
    values = read_numbers(scores, f"scores[{name!r}]")
    if values.ndim != 1 or not len(values):
        raise ValueError(f"scores[{name!r}] has shape {values.shape}, but must have one score for each fit.")
    check_finite(values, f"scores[{name!r}]", "leave the method out and name it in failed")
    values.setflags(write=False)
    return values


def _compare(
    scores: Mapping[str, Floats], names: Sequence[str], splits: Splits, words: MetricWords
) -> list[tuple[float, float]]:
    """Return the probabilities of being behind the first and equivalent to it, of each method; NaN for the first."""
    from covey.analysis.significance import bayesian_correlated_t

    best = scores[names[0]]
    settings: Any = {"n_train": splits.n_train, "n_test": splits.n_test, "larger_is_better": words.larger_is_better}
    settings |= {"rope": words.rope(fsum(best) / len(best)), "step": words.percent / splits.n_test}
    posteriors = [bayesian_correlated_t(best, scores[name], **settings) for name in names[1:]]
    return [(nan, nan), *((one.first_better, one.equivalent) for one in posteriors)]


def _verdict(behind: float, equivalent: float, enough: float) -> Verdict:
    return "tie" if equivalent >= enough else "behind" if behind >= enough else "unclear"


def sureness(row: RankedMethod) -> float:
    """Return the probability of a verdict in whole percents, rounded down and never 100; NaN without one."""
    chance = {"tie": row.equivalent, "behind": row.behind}.get(row.verdict, nan)
    return min(floor(100 * chance), 99) / 100 if isfinite(chance) else nan


def _interval(values: Floats, splits: Splits, alpha: float) -> tuple[float, float, float]:
    """Return the confidence interval of a mean, NaN if all scores are equal, and its standard error."""
    from covey.analysis.significance import corrected_t_test

    against_zero = corrected_t_test(
        values, np.zeros(len(values)), n_train=splits.n_train, n_test=splits.n_test, larger_is_better=True, alpha=alpha
    )
    low, high = against_zero.interval if against_zero.standard_error else (nan, nan)
    return low, high, against_zero.standard_error
