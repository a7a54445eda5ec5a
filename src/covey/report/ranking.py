"""The methods of a study on one dataset, best first, with how sure their order is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import nan
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import counted
from covey.analysis.numbers import ROUNDING, check_finite, read_numbers
from covey.analysis.scores import check_alpha, check_direction
from covey.report.metric_words import MetricWords, describe_metric
from covey.report.ranked import Floats, RankedMethod, Ranking, Verdict
from covey.report.splits import Splits, splits_of
from covey.study.metrics import larger_is_better as is_larger_better

if TYPE_CHECKING:
    import pandas as pd

    from covey.study.record import StudyRecord
    from covey.study.results import Results

# Where the classes are that learn nothing.
_LEARNS_NOTHING = "sklearn.dummy."
# Of a failure's message, so many characters are told beside a method's name.
LONGEST_REASON = 160


def rank_methods(
    results: Results, dataset: str | None = None, metric: str | None = None, *, alpha: float = 0.05
) -> Ranking:
    """Rank the methods of a study on one of its datasets.

    Parameters
    ----------
    results : Results
        From `covey.study.run_study`, finished or not.
    dataset : str, optional
        Not needed if there is one only.
    metric : str, optional
        One of the study's, by default the first.
    alpha : float, default=0.05
        The significance level of tests and intervals.

    Returns
    -------
    Ranking
        Methods with failed or missing fits are apart, in ``failed``: a mean over other splits cannot be compared.
    """
    record = results.record
    names = [one.name for one in record.datasets]
    if dataset is None and len(names) > 1:
        raise ValueError(f"the study has {len(names)} datasets; give dataset, one of {', '.join(map(repr, names))}.")
    chosen = names[0] if dataset is None else dataset
    if chosen not in names:
        raise ValueError(f"dataset={dataset!r} is none of the study's, which are {', '.join(map(repr, names))}.")
    return rank_cells(results.frame(), record, chosen, record.metric(metric), alpha=alpha)


def dummies_of(record: StudyRecord) -> tuple[str, ...]:
    """Return the names of methods that learn nothing, which others are held against."""
    return tuple(method.name for method in record.methods if method.path.startswith(_LEARNS_NOTHING))


def rank_cells(frame: pd.DataFrame, record: StudyRecord, dataset: str, metric: str, *, alpha: float = 0.05) -> Ranking:
    """Rank methods on a dataset from a frame of cells, as `Results.frame` returns it."""
    of_dataset = frame[frame["dataset"] == dataset]
    scores: dict[str, Floats] = {}
    failed: dict[str, str] = {}
    seconds: dict[str, tuple[float, float]] = {}
    for method in (one.name for one in record.methods):
        cells = of_dataset[of_dataset["method"] == method].sort_values("fit")
        if why := _why_not(cells, metric):
            failed[method] = why
            continue
        scores[method] = cells[metric].to_numpy(dtype=np.float64)
        seconds[method] = (_median(cells, "fit seconds"), _median(cells, "predict seconds"))
    n_rows = next(one.n_rows for one in record.datasets if one.name == dataset)
    return rank_scores(
        scores,
        dataset=dataset,
        words=describe_metric(metric, record.task),
        larger_is_better=is_larger_better(metric),
        splits=splits_of(record.protocol, n_rows),
        alpha=alpha,
        seconds=seconds,
        failed=failed,
        baselines=dummies_of(record),
    )


def _why_not(cells: pd.DataFrame, metric: str) -> str:
    """Say why a method cannot be ranked, or ""."""
    status = cells["status"]
    parts = []
    of_all = f"of {counted(len(cells), 'fit')}"
    failed = cells[status == "failed"]
    if len(failed):
        message = " ".join(str(failed["failure"].iloc[0]).split())
        message = message if len(message) <= LONGEST_REASON else f"{message[: LONGEST_REASON - 1]}…"
        parts.append(f"{len(failed)} {of_all} failed ({message})")
    missing = int((status == "missing").sum())
    if missing or not len(cells):
        parts.append(f"{missing} {of_all} {'is' if missing == 1 else 'are'} not finished")
    done = cells[status == "done"]
    if len(done) and (metric not in done or not np.isfinite(done[metric].to_numpy(dtype=np.float64)).all()):
        lacking = int((~np.isfinite(done[metric].to_numpy(dtype=np.float64))).sum()) if metric in done else len(done)
        parts.append(f"{lacking} {of_all} {'has' if lacking == 1 else 'have'} no {metric}")
    return "; ".join(parts)


def _median(cells: pd.DataFrame, column: str) -> float:
    return float(cells[column].median()) if column in cells else nan


def rank_scores(
    scores: Mapping[str, Any],
    *,
    dataset: str,
    words: MetricWords,
    larger_is_better: bool,
    splits: Splits,
    alpha: float = 0.05,
    seconds: Mapping[str, tuple[float, float]] | None = None,
    failed: Mapping[str, str] | None = None,
    baselines: Sequence[str] = (),
) -> Ranking:
    """Rank methods by their mean scores on the same splits.

    The interval of a mean is mean ± t sqrt((1/J + n_test/n_train) s²) with s² the unbiased variance of the J scores
    and t the quantile of Student's distribution with J - 1 degrees of freedom (Nadeau and Bengio, 2003), cut at the
    ends of the metric's scale. Where all scores of a method are the same there is none. Each method is compared with
    the best by `covey.analysis.corrected_t_test`, and the p-values are adjusted by `covey.analysis.holm` for all pairs,
    for any method could have been the best.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_fits,)
        The scores of each method, for the same splits in the same order, all finite.
    dataset : str
    words : MetricWords
    larger_is_better : bool
    splits : Splits
    alpha : float, default=0.05
    seconds : mapping of str to (float, float), optional
        Times of training and prediction.
    failed : mapping of str to str, optional
        Methods that are not ranked, and why.
    baselines : sequence of str
        Those of the methods that learn nothing.

    Returns
    -------
    Ranking
    """
    direction, level = check_direction(larger_is_better), check_alpha(alpha)
    read = {name: _read(name, given) for name, given in scores.items()}
    if len({len(values) for values in read.values()}) > 1:
        raise ValueError("scores has methods with different numbers of fits; give them for the same splits.")
    names = _order(read, direction)
    n_fits = len(read[names[0]]) if names else 0
    tested = not splits.why_not and n_fits >= 2
    p_values = _compare(read, names, splits, direction, level) if tested else [nan] * len(names)
    rows = []
    for name, p_value in zip(names, p_values, strict=True):
        values = read[name]
        low, high = _interval(values, splits.ratio, level) if tested else (nan, nan)
        verdict: Verdict = "untested" if not tested else "worse" if p_value <= level else "level"
        times = (seconds or {}).get(name, (nan, nan))
        rows.append(
            RankedMethod(
                method=name,
                mean=_mean(values),
                low=max(low, words.least),
                high=min(high, words.most),
                difference=_difference(_mean(values), _mean(read[names[0]])),
                p_value=p_value,
                verdict="best" if name == names[0] else verdict,
                fit_seconds=times[0],
                predict_seconds=times[1],
                scores=values,
            )
        )
    apart = MappingProxyType(dict(failed or {}))
    return Ranking(dataset, words.metric, direction, level, tuple(rows), apart, splits, words, tuple(baselines))


def _read(name: str, given: Any) -> Floats:
    values = read_numbers(given, f"scores[{name!r}]")
    if values.ndim != 1 or not len(values):
        raise ValueError(f"scores[{name!r}] has shape {values.shape}, but must have one score for each fit.")
    check_finite(values, f"scores[{name!r}]", "leave the method out and name it in failed")
    values.setflags(write=False)
    return values


def _mean(values: Floats) -> float:
    return float(values.mean())


def _difference(mean: float, best: float) -> float:
    """Return a difference to the best mean, 0 where it is rounding only."""
    return 0.0 if abs(mean - best) <= 1e-12 * max(abs(mean), abs(best)) else mean - best


def _order(scores: Mapping[str, Floats], larger_is_better: bool) -> list[str]:
    """Return the methods, the best mean first; means that differ by rounding only are in the order given."""
    sign = 1.0 if larger_is_better else -1.0
    best_first = sorted(scores, key=lambda name: -sign * _mean(scores[name]))
    given = {name: place for place, name in enumerate(scores)}
    ordered: list[str] = []
    start = 0
    for place, name in enumerate(best_first):
        last = place == len(best_first) - 1
        here = _mean(scores[name])
        after = here if last else _mean(scores[best_first[place + 1]])
        if last or abs(here - after) > ROUNDING * max(abs(here), abs(after)):
            ordered += sorted(best_first[start : place + 1], key=lambda one: given[one])
            start = place + 1
    return ordered


def _compare(
    scores: Mapping[str, Floats], names: Sequence[str], splits: Splits, larger_is_better: bool, alpha: float
) -> list[float]:
    """Return the adjusted p-value of each method against the first, whose own is NaN.

    Which method is the first was seen from the same scores: it could have been any. So all pairs count, not those with
    the first alone.
    """
    from covey.analysis.significance import corrected_t_test, holm

    sizes: Any = {"n_train": splits.n_train, "n_test": splits.n_test}
    found = [
        corrected_t_test(scores[one], scores[other], **sizes, larger_is_better=larger_is_better, alpha=alpha).p_value
        for one, other in combinations(names, 2)
    ]
    return [nan, *holm(found).tolist()[: len(names) - 1]][: len(names)]


def standard_error(scores: Floats, ratio: float) -> float:
    """Return the standard error of a mean score, corrected for the overlap of training sets; 0 if scores are equal.

    It is sqrt((1/J + ratio) s²), where ratio is n_test / n_train (Nadeau and Bengio, 2003).
    """
    if np.ptp(scores) <= 2 * ROUNDING * np.abs(scores).max():
        return 0.0
    return float(np.sqrt((1 / len(scores) + ratio) * scores.var(ddof=1)))


def _interval(values: Floats, ratio: float, alpha: float) -> tuple[float, float]:
    """Return the confidence interval of a mean, corrected for the overlap of training sets; NaN if scores are equal."""
    from scipy.stats import t as student

    mean, error = _mean(values), standard_error(values, ratio)
    if not error:
        return nan, nan
    reach = float(student.isf(alpha / 2, len(values) - 1) * error)
    return mean - reach, mean + reach
