"""What a ranking says, in sentences that claim no more than its tests do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from covey._words import counted
from covey.report.metric_words import MetricWords, seconds_text
from covey.report.ranking import standard_error

if TYPE_CHECKING:
    from covey.report.ranked import RankedMethod, Ranking
    from covey.study.record import DataRecord, StudyRecord

# So many names are written out.
MOST_NAMES = 5
# A method is worth pointing out for its speed if it takes at most this share of the best one's time.
MUCH_FASTER = 0.5

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


def listed(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """Write names: "a", "a and b", "a, b and c", or the first of many and how many more there are."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"


def baseline_of(data: DataRecord, words: MetricWords) -> Baseline | None:
    """Return what can be had without learning, for metrics of which that is known."""
    if data.classes:
        label, count = max(data.classes.items(), key=lambda item: item[1])
        share = count / sum(data.classes.values())
        deed = f"always predicting the most frequent class, {label}"
        known = {"accuracy": share, "error": 1 - share, "balanced_accuracy": 1 / len(data.classes)}
        return Baseline(deed, known[words.metric]) if words.metric in known else None
    return Baseline("always predicting the mean", 0.0) if words.metric == "r2" else None


def dummies_of(record: StudyRecord) -> tuple[str, ...]:
    """Return the names of methods that learn nothing, which others are held against."""
    return tuple(method.name for method in record.methods if method.path.startswith("sklearn.dummy."))


def summarize(ranking: Ranking, baseline: Baseline | None = None, dummies: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what a ranking says, a paragraph for each point: the best, the choice, the baseline, what failed."""
    points = [winner(ranking), choice(ranking), against_baseline(ranking, baseline, dummies), not_ranked(ranking)]
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
    if len(tied) == len(ranking.rows):
        both = "both" if len(tied) == 2 else f"all {len(tied)}"
        return f"{on}, {both} methods have the same mean {metric}: {_score(ranking, best)}. Nothing tells them apart."
    extreme = "best" if ranking.larger_is_better else "lowest"
    verb = "has" if len(tied) == 1 else "share"
    return (
        f"{on}, {listed(tied)} {verb} the {extreme} mean {metric}: {_score(ranking, best)}. "
        f"{_certainty(ranking, len(tied))}"
    )


def headline(ranking: Ranking) -> str:
    """Say which method is the best, in one short sentence."""
    if not ranking.rows:
        return f"on {ranking.dataset}, no method finished."
    best, extreme = ranking.rows[0], "best" if ranking.larger_is_better else "lowest"
    level = f"; {counted(len(ranking.level), 'other')} level with it" if ranking.level else ""
    value = ranking.words.value(best.mean, ranking.decimals)
    return f"on {ranking.dataset}, {best.method} has the {extreme} mean {ranking.words.name}, {value}{level}."


def _score(ranking: Ranking, row: RankedMethod) -> str:
    """Write a mean with its interval."""
    words, decimals = ranking.words, ranking.decimals
    text = words.value(row.mean, decimals)
    if isfinite(row.low):
        ends = f"{words.value(row.low, decimals)} to {words.value(row.high, decimals)}"
        text += f" ({100 * (1 - ranking.alpha):g}% confidence interval {ends})"
    return text


def _certainty(ranking: Ranking, n_tied: int) -> str:
    """Say which of the methods after those that tie for the best differ from it."""
    others = ranking.rows[n_tied:]
    second, count = others[0], len(others)
    behind = f"{ranking.words.gap(second.difference, ranking.decimals)} behind"
    if ranking.why_untested:
        why = f"Whether that is more than chance is not tested: {ranking.why_untested}."
        return f"Next is {second.method}, {behind}. {why}"
    p_value = f"p {_p(second.p_value)}"
    level = [row.method for row in others if row.verdict == "level"]
    worse = [row.method for row in others if row.verdict == "worse"]
    if not level:
        if count == 1:
            return f"The other method, {second.method}, is significantly worse: {behind} ({p_value})."
        return f"All {count} others are significantly worse; the next, {second.method}, is {behind} ({p_value})."
    if len(level) == 1:
        first = f"Level with it is {level[0]}: {_gap_of(ranking, level[0])}, which may be chance."
    else:
        next_one = f"Next is {second.method}, {behind} ({p_value})." if second.method in level else ""
        first = f"No significant difference to it was found for {listed(level)}. {next_one}".rstrip()
    if not worse:
        return f"{first} No method is significantly worse than the best."
    return f"{first} Significantly worse: {listed(worse)}."


def _gap_of(ranking: Ranking, method: str) -> str:
    row = ranking.row(method)
    return f"{ranking.words.gap(row.difference, ranking.decimals)} behind (p {_p(row.p_value)})"


def _p(p_value: float) -> str:
    from covey.analysis.tables.rounding import write_number

    written = write_number(p_value, "p")
    return f"< {written[1:]}" if written.startswith("<") else f"= {write_number(p_value, '.2g')}"


def choice(ranking: Ranking) -> str:
    """Point out a method that is level with the best, within a standard error of it, and takes much less time.

    That is the rule of one standard error (Breiman, Friedman, Olshen and Stone, 1984), with time for simplicity.
    """
    if not ranking.level:
        return ""
    best = ranking.rows[0]
    near = [row for row in ranking.rows if row is best or (row.verdict == "level" and _is_near(row, best, ranking))]
    times = {row.method: row.fit_seconds + row.predict_seconds for row in near}
    if len(near) < 2 or not all(map(isfinite, times.values())):
        return ""
    fastest = min(times, key=lambda name: times[name])
    if fastest == best.method:
        others = next(row.method for row in near if row is not best) if len(near) == 2 else "the others"
        took = f"it takes {seconds_text(times[fastest])} to train and predict"
        return f"Of those within one standard error of the best, it is also the fastest: {took}, less than {others}."
    if times[fastest] > MUCH_FASTER * times[best.method]:
        return ""
    return (
        f"Where time matters, {fastest} is a sensible choice: it is level with the best, within one standard error of "
        f"it, and takes {seconds_text(times[fastest])} to train and predict instead of "
        f"{seconds_text(times[best.method])}."
    )


def _is_near(row: RankedMethod, best: RankedMethod, ranking: Ranking) -> bool:
    """Whether a mean is within a standard error of the best one."""
    return abs(row.difference) <= standard_error(best.scores, ranking.splits.ratio) or row.method in ranking.tied


def against_baseline(ranking: Ranking, baseline: Baseline | None, dummies: Sequence[str] = ()) -> str:
    """Say what can be had without learning, and whether the best method is better."""
    if not ranking.rows:
        return ""
    best, words, decimals = ranking.rows[0], ranking.words, ranking.decimals
    there = [row for row in ranking.rows if row.method in dummies]
    if there and best.method in dummies:
        return f"No method has a better mean than {_the_baseline(best.method)}, which learns nothing."
    if there:
        dummy = there[0]
        name = _the_baseline(dummy.method)
        text = f"{name[0].upper()}{name[1:]}, which learns nothing, reaches {words.value(dummy.mean, decimals)}."
        return text if dummy.verdict != "level" else f"{text} The best method is not significantly better than that."
    if baseline is None:
        return ""
    text = f"For comparison: {baseline.deed}, would give {words.value(baseline.value, decimals)}."
    text = text.replace("mean, would", "mean would")
    better = best.mean > baseline.value if ranking.larger_is_better else best.mean < baseline.value
    if not better:
        return f"{text} No method is better than that."
    inside = isfinite(best.low) and best.low <= baseline.value <= best.high
    return f"{text} That is within the interval of the best method." if inside else text


def _the_baseline(method: str) -> str:
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
