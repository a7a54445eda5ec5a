"""What a ranking says, in sentences that claim no more than its tests do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from covey._text import counted, duration, listed, p_text
from covey.report.metric_words import MetricWords
from covey.report.ranked import NOT_SHOWN
from covey.report.ranking import standard_error

if TYPE_CHECKING:
    from covey.report.ranked import RankedMethod, Ranking
    from covey.study.record import DataRecord

# So many names are written out.
MOST_NAMES = 5
# A method is worth pointing out for its speed if it takes at most this share of the best one's time.
MUCH_FASTER = 0.5
# With fewer fits only large differences are significant.
FEW_FITS = 10

LUCK = (
    "The best of several mean scores is on average a little too good, because a part of its lead is luck. Expect "
    "slightly less of it on new cases; the more methods were compared, the more so."
)
OVERLAP = (
    "The intervals are those of single methods. Two methods are compared on the same splits, which is more exact: they "
    "may differ significantly although their intervals overlap."
)


@dataclass(frozen=True)
class Baseline:
    """What can be had without learning anything.

    Parameters
    ----------
    deed : str
        What it does, such as "always predicting the most frequent class, setosa".
    value : float
        Its score.
    """

    deed: str
    value: float


def all_of(count: int) -> str:
    """Write "both" or "all 3"."""
    return "both" if count == 2 else f"all {count}"


def baseline_of(data: DataRecord, words: MetricWords) -> Baseline | None:
    """Return what can be had without learning, for metrics of which that is known."""
    if data.classes:
        count = max(data.classes.values())
        share = count / sum(data.classes.values())
        labels = [label for label, cases in data.classes.items() if cases == count]
        deed = "always predicting the most frequent class" + (f", {labels[0]}" if len(labels) == 1 else "")
        known = {"accuracy": share, "error": 1 - share, "balanced_accuracy": 1 / len(data.classes)}
        return Baseline(deed, known[words.metric]) if words.metric in known else None
    return Baseline("always predicting the mean", 0.0) if words.metric == "r2" else None


def summarize(ranking: Ranking, baseline: Baseline | None = None) -> tuple[str, ...]:
    """Return what a ranking says, a paragraph for each point: the best, the baseline, the choice, what failed."""
    points = [
        winner(ranking),
        against_baseline(ranking, baseline),
        few_fits(ranking),
        choice(ranking),
        not_ranked(ranking),
    ]
    return tuple(point for point in points if point)


def winner(ranking: Ranking) -> str:
    """Say which method is the best, by how much, and how sure that is."""
    on = f"On {ranking.dataset}"
    if not ranking.rows:
        return f"{on}, no method finished all of its fits, so there is no ranking."
    best, metric = ranking.rows[0], ranking.words.name
    if len(ranking.rows) == 1:
        return (
            f"{on}, {best.method} is the only method that is ranked, with a mean {metric} of {_score(ranking, best)}."
        )
    tied = ranking.tied
    if ranking.all_tie:
        same = f"{all_of(len(tied))} methods have the same mean {metric}"
        return f"{on}, {same}: {_score(ranking, best)}. Nothing tells them apart."
    text = f"{on}, {_has_the_best(ranking)} mean {metric}: {_score(ranking, best)}. {_certainty(ranking, len(tied))}"
    return text.rstrip()


def _has_the_best(ranking: Ranking) -> str:
    """Say who has the best mean, one method or several: "a has the best", "a and b share the lowest"."""
    extreme = "best" if ranking.larger_is_better else "lowest"
    return f"{listed(ranking.tied)} {'has' if len(ranking.tied) == 1 else 'share'} the {extreme}"


def headline(ranking: Ranking) -> str:
    """Say which method is the best, in one short sentence."""
    if not ranking.rows:
        return f"on {ranking.dataset}, no method finished."
    value, metric = ranking.words.value(ranking.rows[0].mean, ranking.decimals), ranking.words.name
    if ranking.all_tie:
        return f"on {ranking.dataset}, {all_of(len(ranking.rows))} methods have the same mean {metric}, {value}."
    others = [name for name in ranking.level if name not in ranking.tied]
    level = f"; {counted(len(others), 'other')} {NOT_SHOWN}" if others else ""
    return f"on {ranking.dataset}, {_has_the_best(ranking)} mean {metric}, {value}{level}."


def _score(ranking: Ranking, row: RankedMethod) -> str:
    """Write a mean with its interval."""
    words, decimals = ranking.words, ranking.decimals
    text = words.value(row.mean, decimals)
    if isfinite(row.low):
        ends = f"{words.value(row.low, decimals)} to {words.value(row.high, decimals)}"
        text += f" ({100 * (1 - ranking.alpha):g}% confidence interval {ends})"
    return text


def _certainty(ranking: Ranking, n_tied: int) -> str:
    """Say which of the methods after those that tie for the best differ from it.

    A baseline that is not shown to differ is left to `against_baseline`.
    """
    others = ranking.rows[n_tied:]
    second, count = others[0], len(others)
    behind = f"{ranking.words.gap(second.difference, ranking.decimals)} behind"
    if ranking.why_untested:
        why = f"Whether that is more than chance is not tested: {ranking.why_untested}."
        return f"Next is {second.method}, {behind}. {why}"
    p_value = p_text(second.p_value, ".2g")
    level = [row.method for row in others if row.method in ranking.level]
    worse = [row.method for row in others if row.verdict == "worse"]
    if len(level) + len(worse) < count and not level:
        return f"Significantly worse: {listed(worse)}." if worse else ""
    if not level:
        if count == 1:
            return f"The other method, {second.method}, is significantly worse: {behind} ({p_value})."
        others_are = f"{all_of(count).capitalize()} others are significantly worse"
        return f"{others_are}; the next, {second.method}, is {behind} ({p_value})."
    if len(level) == 1:
        first = f"{NOT_SHOWN.capitalize()} from it is {level[0]}: {_gap_of(ranking, level[0])}, which may be chance."
    else:
        next_one = f"Next is {second.method}, {behind} ({p_value})." if second.method in level else ""
        first = f"{NOT_SHOWN.capitalize()} from it are {listed(level)}. {next_one}".rstrip()
    if not worse:
        return f"{first} No method is significantly worse than the best."
    return f"{first} Significantly worse: {listed(worse)}."


def _gap_of(ranking: Ranking, method: str) -> str:
    row = ranking.row(method)
    return f"{ranking.words.gap(row.difference, ranking.decimals)} behind ({p_text(row.p_value, '.2g')})"


def few_fits(ranking: Ranking) -> str:
    """Say that few fits tell little, where they left a method, or many fits the baseline, not shown to differ."""
    unsure = [row.method for row in ranking.rows if row.verdict == "level" and row.method not in ranking.tied]
    if not unsure:
        return ""
    if ranking.n_fits < FEW_FITS:
        return (
            f"Few fits tell little: with {ranking.n_fits}, only large differences can be shown. More repeats would "
            "show smaller ones."
        )
    if ranking.best not in ranking.baselines and any(name in ranking.baselines for name in unsure):
        return f"More repeats than these {ranking.n_fits} fits would show smaller differences."
    return ""


def choice(ranking: Ranking) -> str:
    """Point out a method within a standard error of the best, not shown to differ from it, that takes much less time.

    That is the rule of one standard error (Breiman, Friedman, Olshen and Stone, 1984), with time for simplicity.
    """
    if not ranking.level or ranking.best in ranking.baselines:
        return ""
    best, level = ranking.rows[0], ranking.level
    near = [row for row in ranking.rows if row is best or (row.method in level and _is_near(row, best, ranking))]
    times = {row.method: row.fit_seconds + row.predict_seconds for row in near}
    if len(near) < 2 or not all(map(isfinite, times.values())):
        return ""
    fastest = min(times, key=lambda name: times[name])
    if fastest == best.method:
        others = next(row.method for row in near if row is not best) if len(near) == 2 else "the others"
        took = f"it takes {duration(times[fastest])} to train and predict"
        return f"Of those within one standard error of {best.method}, it is the fastest: {took}, less than {others}."
    if times[fastest] > MUCH_FASTER * times[best.method]:
        return ""
    return (
        f"Where time matters, {fastest} is a sensible choice: it is {NOT_SHOWN} from the best, within one standard "
        f"error of it, and takes {duration(times[fastest])} to train and predict instead of "
        f"{duration(times[best.method])}."
    )


def _is_near(row: RankedMethod, best: RankedMethod, ranking: Ranking) -> bool:
    """Whether a mean is within a standard error of the best one."""
    return abs(row.difference) <= standard_error(best.scores, ranking.splits.ratio) or row.method in ranking.tied


def against_baseline(ranking: Ranking, baseline: Baseline | None) -> str:
    """Say what can be had without learning, and whether the best method is better."""
    if not ranking.rows:
        return ""
    best, words, decimals = ranking.rows[0], ranking.words, ranking.decimals
    dummy = ranking.baseline
    if dummy is not None and all(row.method in ranking.baselines for row in ranking.rows):
        return "Nothing was learnt: there is no ranked method but the baseline."
    if dummy is not None and dummy.method in ranking.tied:
        return f"No method has a better mean than {the_baseline(dummy.method)}, which learns nothing."
    if dummy is not None:
        name = the_baseline(dummy.method)
        text = f"{name[0].upper()}{name[1:]}, which learns nothing, reaches {words.value(dummy.mean, decimals)}."
        if dummy.verdict != "level":
            return text
        who = "the best method is" if len(ranking.tied) == 1 else "the best methods are"
        behind = words.gap(dummy.difference, decimals)
        return f"{text} That is {behind} behind, and yet {who} not shown to be better ({p_text(dummy.p_value, '.2g')})."
    if baseline is None:
        return ""
    comma = "," if "," in baseline.deed else ""
    text = f"For comparison: {baseline.deed}{comma} would give {words.value(baseline.value, decimals)}."
    better = best.mean > baseline.value if ranking.larger_is_better else best.mean < baseline.value
    if not better:
        return f"{text} No method is better than that."
    inside = isfinite(best.low) and best.low <= baseline.value <= best.high
    return f"{text} That is within the interval of the best method." if inside else text


def the_baseline(method: str) -> str:
    """Name a method that learns nothing."""
    return "the baseline" if method.lower() == "baseline" else f"the baseline ({method})"


def not_ranked(ranking: Ranking) -> str:
    """Say which methods are not ranked, and why."""
    if not ranking.failed:
        return ""
    if len(ranking.failed) == 1:
        ((method, why),) = ranking.failed.items()
        return f"Not ranked is {method}: {why}."
    reasons = set(ranking.failed.values())
    if len(reasons) == 1:
        return f"Not ranked are {listed(list(ranking.failed))}: of each, {reasons.pop()}."
    told = [f"{method} ({why})" for method, why in ranking.failed.items()]
    return f"Not ranked are {listed(told, 3)}."


def progress(counts: Mapping[str, int]) -> str:
    """Say how much of a study is missing or failed; "" if all is done.

    Parameters
    ----------
    counts : mapping of str to int
        How many fits are "done", "failed" and "missing".
    """
    done, failed, missing = (counts.get(status, 0) for status in ("done", "failed", "missing"))
    total = done + failed + missing
    if not missing:
        return ""
    also = f" and {failed} failed" if failed else ""
    return (
        f"This study is not finished: {done} of {counted(total, 'fit')} {'is' if done == 1 else 'are'} done{also}, "
        f"{missing} {'is' if missing == 1 else 'are'} missing. What follows may change."
    )
