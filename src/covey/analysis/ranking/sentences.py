"""Sentences on rankings, for terminals, pages and Python alike, that claim no more than the tests do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from covey._rounding import write_number
from covey._text import counted, duration, listed, p_text
from covey.analysis.ranking.methods import NOT_SHOWN
from covey.analysis.ranking.metrics import number_spec

if TYPE_CHECKING:
    from covey.analysis.ranking.leaders import BiasVariance, Leaders, Members
    from covey.analysis.ranking.methods import RankedMethod, Ranking
    from covey.analysis.ranking.overall import Overall

# A method is worth pointing out for its speed if it takes at most this share of the best one's time.
MUCH_FASTER = 0.5
# With fewer fits only large differences are significant.
FEW_FITS = 10
# An error is "mostly" bias, or variance, if that is at least this share of it.
MOSTLY = 2 / 3

BIAS = "mostly bias: predictions are wrong in the same way whatever part of the data is learnt from"
VARIANCE = "mostly variance: predictions change with the part of the data that is learnt from"
BOTH = "bias and variance in similar parts"


def summarize(ranking: Ranking) -> tuple[str, ...]:
    """Return what a ranking says, a paragraph for each point: the best, the baseline, the choice, what failed."""
    points = (winner(ranking), against_baseline(ranking), few_fits(ranking), choice(ranking), not_ranked(ranking))
    return tuple(point for point in points if point)


def summarize_overall(overall: Overall) -> tuple[str, ...]:
    """Return what a ranking over datasets says, a paragraph for each point."""
    points = (overall_winner(overall), overall_choice(overall), left_out(overall))
    return tuple(point for point in points if point)


def all_of(count: int) -> str:
    """Write "both" or "all 3"."""
    return "both" if count == 2 else f"all {count}"


def _lead(tied: Sequence[str], what: str) -> str:
    """Say who leads, one method or several: "a has the best rank", "a and b share the best rank"."""
    return f"{listed(tied)} {'has' if len(tied) == 1 else 'share'} the {what}"


def _best_mean(ranking: Ranking) -> str:
    return _lead(ranking.tied, f"{'best' if ranking.larger_is_better else 'lowest'} mean {ranking.words.name}")


def winner(ranking: Ranking) -> str:
    """Say which method is the best, by how much, and how sure that is."""
    on = f"On {ranking.dataset}"
    if not ranking.rows:
        return f"{on}, no method finished all of its fits, so there is no ranking."
    best, metric, tied = ranking.rows[0], ranking.words.name, ranking.tied
    score = ranking.value(best.mean)
    if isfinite(best.low):
        ends = f"{ranking.value(best.low)} to {ranking.value(best.high)}"
        score += f" ({100 * (1 - ranking.alpha):g}% confidence interval {ends})"
    if len(ranking.rows) == 1:
        return f"{on}, {best.method} is the only method that is ranked, with a mean {metric} of {score}."
    if ranking.all_tie:
        return f"{on}, {all_of(len(tied))} methods have the same mean {metric}: {score}. Nothing tells them apart."
    return f"{on}, {_best_mean(ranking)}: {score}. {_certainty(ranking)}".rstrip()


def _behind(ranking: Ranking, row: RankedMethod) -> str:
    return f"{ranking.words.gap(row.difference, ranking.decimals)} behind"


def _certainty(ranking: Ranking) -> str:
    """Say which of the methods after those that tie for the best differ from it.

    A baseline that is not shown to differ is left to `against_baseline`.
    """
    others = ranking.rows[len(ranking.tied) :]
    second, count, behind = others[0], len(others), _behind(ranking, others[0])
    if ranking.why_untested:
        why = f"Whether that is more than chance is not tested: {ranking.why_untested}."
        return f"Next is {second.method}, {behind}. {why}"
    p_value = p_text(second.p_value, ".2g")
    level = [row for row in others if row.method in ranking.level]
    worse = [row.method for row in others if row.verdict == "worse"]
    if not level and len(worse) < count:
        return f"Significantly worse: {listed(worse)}." if worse else ""
    if not level and count == 1:
        return f"The other method, {second.method}, is significantly worse: {behind} ({p_value})."
    if not level:
        are = f"{all_of(count).capitalize()} others are significantly worse"
        return f"{are}; the next, {second.method}, is {behind} ({p_value})."
    if len(level) == 1:
        gap = f"{_behind(ranking, level[0])} ({p_text(level[0].p_value, '.2g')})"
        text = f"{NOT_SHOWN.capitalize()} from it is {level[0].method}: {gap}, which may be chance."
    else:
        next_one = f" Next is {second.method}, {behind} ({p_value})." if second in level else ""
        text = f"{NOT_SHOWN.capitalize()} from it are {listed([row.method for row in level])}.{next_one}"
    rest = f"Significantly worse: {listed(worse)}" if worse else "No method is significantly worse than the best"
    return f"{text} {rest}."


def against_baseline(ranking: Ranking) -> str:
    """Say what can be had without learning, and whether the best method is better."""
    dummy, chance = ranking.baseline, ranking.chance
    if not ranking.rows or (dummy is None and chance is None):
        return ""
    best, words = ranking.rows[0], ranking.words
    if dummy is not None:
        if all(row.method in ranking.baselines for row in ranking.rows):
            return "Nothing was learnt: there is no ranked method but the baseline."
        name = the_baseline(dummy.method)
        if dummy.method in ranking.tied:
            return f"No method has a better mean than {name}, which learns nothing."
        text = f"{name[0].upper()}{name[1:]}, which learns nothing, reaches {ranking.value(dummy.mean)}."
        if dummy.verdict != "level":
            return text
        who = "the best method is" if len(ranking.tied) == 1 else "the best methods are"
        sure = f"{who} not shown to be better ({p_text(dummy.p_value, '.2g')})"
        return f"{text} That is {words.gap(dummy.difference, ranking.decimals)} behind, and yet {sure}."
    assert chance is not None
    comma = "," if "," in chance.deed else ""
    text = f"For comparison: {chance.deed}{comma} would give {ranking.value(chance.value)}."
    if not (best.mean > chance.value if ranking.larger_is_better else best.mean < chance.value):
        return f"{text} No method is better than that."
    inside = isfinite(best.low) and best.low <= chance.value <= best.high
    return f"{text} That is within the interval of the best method." if inside else text


def the_baseline(method: str) -> str:
    """Name a method that learns nothing."""
    return "the baseline" if method.lower() == "baseline" else f"the baseline ({method})"


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
    best = ranking.rows[0]
    near = [row for row in ranking.rows[1:] if row.method in ranking.level and _is_near(row, best)]
    times = {row.method: row.fit_seconds + row.predict_seconds for row in (best, *near)}
    if not near or not all(map(isfinite, times.values())):
        return ""
    fastest = min(times, key=lambda name: times[name])
    if fastest == best.method:
        others = near[0].method if len(near) == 1 else "the others"
        took = f"it takes {duration(times[fastest])} to train and predict"
        return f"Of those within one standard error of {best.method}, it is the fastest: {took}, less than {others}."
    from_best = "from the best, within one standard error of it,"
    return _sensible(fastest, from_best, times[fastest], times[best.method], "to train and predict")


def _is_near(row: RankedMethod, best: RankedMethod) -> bool:
    return row.difference == 0 or abs(row.difference) <= best.standard_error


def _sensible(fastest: str, from_best: str, seconds: float, best_seconds: float, what: str) -> str:
    if not seconds <= MUCH_FASTER * best_seconds:
        return ""
    times = f"{duration(seconds)} {what} instead of {duration(best_seconds)}"
    return f"Where time matters, {fastest} is a sensible choice: it is {NOT_SHOWN} {from_best} and takes {times}."


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
    return f"Not ranked are {listed([f'{method} ({why})' for method, why in ranking.failed.items()], 3)}."


def overall_winner(overall: Overall) -> str:
    """Say which method has the best mean rank, and how sure that is."""
    if not overall.scores.size:
        return "No dataset has scores of all methods yet, so there is no ranking over datasets."
    n = counted(len(overall.datasets), "dataset")
    if len(overall.methods) == 1:
        return f"The only method that finished is {overall.best}; it was run on {n}."
    metric, wins = overall.words.name, int(overall.wins[overall.order[0]])
    often = "" if len(overall.tied) > 1 else f", with the best mean {metric} on {wins} of them"
    lead = _lead(overall.tied, f"best mean rank of {len(overall.methods)} methods by {metric}")
    return f"Over {n}, {lead}: {overall.best_rank}{often}. {_tested(overall)}"


def _tested(overall: Overall) -> str:
    comparison = overall.comparison
    if comparison is None:
        return f"No test is made: {overall.why_untested}. Take this as a description of these datasets."
    friedman = p_text(comparison.friedman.p_value_corrected)
    if not overall.differ:
        return f"The differences may be chance: the Friedman test gives {friedman}, and no two methods are told apart."
    test = "Wilcoxon's signed-rank test" if comparison.test == "Wilcoxon-Holm" else "Nemenyi's test"
    differ, worse = f"The methods differ (Friedman test, {friedman}).", overall.worse
    if not worse:
        return f"{differ} But {test} finds none that differs significantly from the best."
    better = f"{differ} By {test} {'it is' if len(overall.tied) == 1 else 'they are'} significantly better than"
    rest = [overall.methods[place] for place in overall.order]
    unsure = [name for name in rest if name not in overall.tied and name not in worse]
    if not unsure:
        return f"{better} {'the other one' if len(worse) == 1 else f'{all_of(len(worse))} others'}."
    return f"{better} {listed(worse)}, but not shown to be better than {listed(unsure)}."


def overall_choice(overall: Overall) -> str:
    """Point out a method of the better half that is not told apart from the best and takes much less time."""
    seconds = dict(zip(overall.methods, overall.seconds.tolist(), strict=True))
    ranks = dict(zip(overall.methods, overall.mean_ranks.tolist(), strict=True))
    middle = (len(overall.methods) + 1) / 2
    near = [name for name in overall.level if isfinite(seconds[name]) and ranks[name] <= middle]
    if not near:
        return ""
    fastest = min(near, key=lambda name: seconds[name])
    what = "per fit (medians over the datasets)"
    return _sensible(fastest, f"from {overall.best}", seconds[fastest], seconds[overall.best], what)


def left_out(overall: Overall) -> str:
    """Say which datasets and methods are not compared, and why."""
    if not overall.left_out:
        return ""
    reasons = [f"{name} ({why})" for name, why in overall.left_out.items()]
    return f"Left out of the comparison over datasets: {listed(reasons, 4)}."


def progress(counts: Mapping[str, int]) -> str:
    """Say how many fits of a study are missing or failed; "" if none is missing."""
    done, failed, missing = (counts.get(status, 0) for status in ("done", "failed", "missing"))
    if not missing:
        return ""
    total = counted(done + failed + missing, "fit")
    also = f" and {failed} failed" if failed else ""
    return (
        f"This study is not finished: {done} of {total} {'is' if done == 1 else 'are'} done{also}, "
        f"{missing} {'is' if missing == 1 else 'are'} missing. What follows may change."
    )


def explain(leaders: Leaders) -> tuple[str, ...]:
    """Return a paragraph on where the errors of the leaders come from, and one on the members of ensembles."""
    members = [
        _vote(leader.method, leader.members, leaders.regression)
        for leader in leaders.leaders
        if leader.members is not None
    ]
    return tuple(" ".join(part) for part in (_sources(leaders), members) if part)


def _sources(leaders: Leaders) -> list[str]:
    """Say whether methods err by bias or by variance, those of a kind in one sentence."""
    groups: dict[str, list[str]] = {}
    for leader in leaders.leaders:
        if leader.bias_variance is not None:
            error = _error(leader.bias_variance.error, leaders.regression)
            groups.setdefault(_source(leader.bias_variance), []).append(f"{leader.method} ({error})")
    what = "squared error" if leaders.regression else "error"
    sentences = []
    for source, names in groups.items():
        one = len(names) == 1
        of = f"The {what}{'' if one else 's'} of {listed(names)} {'is' if one else 'are'} {source}."
        sentences.append(of if source else f"There is no error of {listed(names)}.")
    if BIAS in groups:
        sentences.append("Noise in the data that no method can predict is a part of the bias.")
    return sentences


def _source(parts: BiasVariance) -> str:
    if parts.error <= 0:
        return ""
    share = parts.bias / parts.error
    return BIAS if share >= MOSTLY else VARIANCE if share <= 1 - MOSTLY else BOTH


def _vote(method: str, members: Members, regression: bool) -> str:
    """Say what an ensemble gains from its members' differences."""
    single, whole = _error(members.member_error, regression), _error(members.ensemble_error, regression)
    better = members.ensemble_error < members.member_error
    if regression:
        have = f"Single members of {method} have a squared error of {single}"
        share = write_number(members.ambiguity / members.member_error, ".0%") if better else ""
        gain = f"They differ so much that their mean errs by {whole}: {share} of the error cancels out."
        return f"{have}. {gain}" if better else f"{have}, and their mean does no better: {whole}."
    err = f"Members of {method} err in {single} of rows"
    if not better:
        return f"{err}, and together they do no better: {whole}."
    apart = f"but in different ones (in {_error(members.disagreement, False)} just one of two is right)"
    return f"{err}, {apart}, so that together they err in {whole}."


def _error(value: float, regression: bool) -> str:
    return write_number(value, number_spec([value]) if regression else ".1%")
