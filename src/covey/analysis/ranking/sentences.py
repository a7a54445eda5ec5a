"""Sentences on rankings, for terminals, pages and Python alike, that claim no more than the tests do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from covey._rounding import write_number
from covey._text import counted, duration, listed, p_text
from covey.analysis.ranking.methods import UNCLEAR, sureness
from covey.analysis.ranking.metrics import number_spec
from covey.analysis.ranking.overall import NOT_SHOWN

if TYPE_CHECKING:
    from covey.analysis.ranking.leaders import BiasVariance, Leaders, Members
    from covey.analysis.ranking.methods import RankedMethod, Ranking
    from covey.analysis.ranking.overall import Overall

# A method is worth pointing out for its speed if it takes at most a tenth of the best one's time, or else half of it.
MUCH_FASTER = (0.1, 0.5)
# How many of the methods with a verdict are named, so that a sentence takes a line or two.
MOST_NAMES = 3
# What the method of the shortlist that learns nothing is called; what it does is known.
BASELINE = "baseline"
# With fewer fits only large differences are significant.
FEW_FITS = 10
# An error is "mostly" bias, or variance, if that is at least this share of it.
MOSTLY = 2 / 3

BIAS = "mostly bias: predictions are wrong in the same way whatever part of the data is learnt from"
VARIANCE = "mostly variance: predictions change with the part of the data that is learnt from"
BOTH = "bias and variance in similar parts"


def summarize(ranking: Ranking) -> tuple[str, ...]:
    """Return what a ranking says, short enough for a terminal: the best, how sure that is, the baseline, what failed.

    That no method is shown to do better than one that learns nothing comes first.
    """
    first = (nothing_learnt(ranking), winner(ranking), certainty(ranking), against_baseline(ranking))
    points = (*first, few_fits(ranking), choice(ranking), not_ranked(ranking))
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
    return f"{listed(tied, MOST_NAMES)} {'has' if len(tied) == 1 else 'share'} the {what}"


def nothing_learnt(ranking: Ranking) -> str:
    """Say that no method is shown to do better than one that learns nothing, or ""."""
    dummy, chance = ranking.baseline, ranking.chance
    if not ranking.rows or (dummy is None and chance is None):
        return ""
    best = ranking.rows[0]
    if dummy is None:
        assert chance is not None
        better = best.mean > chance.value if ranking.larger_is_better else best.mean < chance.value
        apart = not best.low <= chance.value <= best.high
    else:
        if all(row.method in ranking.baselines for row in ranking.rows):
            return "Nothing was learnt: there is no ranked method but the baseline."
        better, apart = dummy.method not in ranking.tied, dummy.verdict in ("behind", "untested")
    if better and apart:
        return ""
    than = "" if dummy is None else f"{the_baseline(dummy.method)}, which learns nothing"
    if chance is not None and (dummy is None or dummy.method.lower() == BASELINE):
        than = chance.deed
    return f"No method {'is shown to do' if better else 'does'} better than {than}."


def winner(ranking: Ranking) -> str:
    """Say which method has the best mean, in a sentence."""
    on = f"on {ranking.dataset}"
    if not ranking.rows:
        return f"No method finished all of its fits {on}, so there is no ranking."
    best, metric, tied = ranking.rows[0], ranking.words.name, ranking.tied
    score = ranking.value(best.mean)
    if isfinite(best.low):
        ends = f"{ranking.value(best.low)} to {ranking.value(best.high)}"
        score += f" ({100 * (1 - ranking.alpha):g}% interval {ends})"
    if len(ranking.rows) == 1:
        return f"{ranking.title(best.method)} is the only method that is ranked {on}: {metric} {score}."
    if ranking.all_tie:
        return f"{all_of(len(tied)).capitalize()} methods have the same {metric} {on}: {score}."
    titles = [f"{title}," if "," in (title := ranking.title(name)) else title for name in tied]
    lead = _lead(titles, f"{'best' if ranking.larger_is_better else 'lowest'} {metric}")
    return f"{lead} {on}: {score}."


def certainty(ranking: Ranking) -> str:
    """Say which methods tie with the best, which are too close to call and how many are behind; baselines apart."""
    others = [row for row in ranking.rows[1:] if row.method not in ranking.baselines]
    if not others or ranking.all_tie:
        return ""
    if ranking.why_untested:
        after = [row for row in others if row.method not in ranking.tied]
        behind = f"Next is {after[0].method}, behind by {_gap(ranking, after[0])}. " if after else ""
        return f"{behind}Whether that is more than chance is not tested: {ranking.why_untested}."
    kinds = {verdict: [row for row in others if row.verdict == verdict] for verdict in ("tie", "unclear", "behind")}
    if len(kinds["behind"]) == len(others):
        return _all_behind(ranking, others)
    unclear = [row for row in kinds["unclear"] if row.method not in ranking.tied]
    parts = [_ties(ranking, kinds["tie"]), _unclear(ranking, unclear)]
    if count := len(kinds["behind"]):
        parts.append(f"{kinds['behind'][0].method} is behind." if count == 1 else f"{count} others are behind.")
    return " ".join(part for part in parts if part)


def _gap(ranking: Ranking, row: RankedMethod) -> str:
    return ranking.words.gap(row.difference, ranking.decimals)


def _sure(rows: Sequence[RankedMethod]) -> str:
    """Say how sure the verdict on a method is, or on each of several at least."""
    least = write_number(min(map(sureness, rows)), ".0%")
    return f"({least} sure)" if len(rows) == 1 else f"({least} sure or more)"


def _all_behind(ranking: Ranking, others: Sequence[RankedMethod]) -> str:
    second = others[0]
    by = f"by {_gap(ranking, second)} {_sure([second])}"
    if len(others) == 1:
        return f"{second.method} is behind {by}."
    return f"{all_of(len(others)).capitalize()} others are behind; the next, {second.method}, {by}."


def _ties(ranking: Ranking, rows: Sequence[RankedMethod]) -> str:
    if not rows:
        return ""
    verb = "ties" if len(rows) == 1 else "tie"
    names = listed([row.method for row in rows], MOST_NAMES)
    return f"{names} {verb} with it: within {ranking.words.rope_text} {_sure(rows)}."


def _unclear(ranking: Ranking, rows: Sequence[RankedMethod]) -> str:
    if not rows:
        return ""
    first = f"{rows[0].method} ({_gap(ranking, rows[0])})"
    return f"{UNCLEAR.capitalize()}: {listed([first, *(row.method for row in rows[1:])], MOST_NAMES)}."


def against_baseline(ranking: Ranking) -> str:
    """Say what can be had without learning, and how far behind the best that is."""
    dummy, chance = ranking.baseline, ranking.chance
    if not ranking.rows or (dummy is None and chance is None) or ranking.best in ranking.baselines:
        return ""
    if dummy is None:
        assert chance is not None
        return f"For comparison: {chance.deed} would give {ranking.value(chance.value)}."
    name = the_baseline(dummy.method)
    text = f"{name[0].upper()}{name[1:]} learns nothing and reaches {ranking.value(dummy.mean)}"
    if dummy.method in ranking.tied:
        return f"{text}."
    gap = _gap(ranking, dummy)
    if dummy.verdict == "tie":
        return f"{text}: within {ranking.words.rope_text} of the best {_sure([dummy])}."
    after = {"behind": f" {_sure([dummy])}", "unclear": f", {UNCLEAR}"}.get(dummy.verdict, "")
    return f"{text}: {gap} behind{after}."


def the_baseline(method: str) -> str:
    """Name a method that learns nothing."""
    return "the baseline" if method.lower() == BASELINE else f"the baseline ({method})"


def few_fits(ranking: Ranking) -> str:
    """Say that few fits tell little, where they leave a method, or many fits the baseline, too close to call."""
    unsure = [name for name in ranking.unclear if name not in ranking.tied]
    if not unsure:
        return ""
    if ranking.n_fits < FEW_FITS:
        return f"With {ranking.n_fits} fits only large differences can be shown; more repeats show smaller ones."
    if ranking.best not in ranking.baselines and any(name in ranking.baselines for name in unsure):
        return f"More repeats than these {ranking.n_fits} fits would show smaller differences."
    return ""


def choice(ranking: Ranking) -> str:
    """Point out the best method that ties with the first, or is within a standard error of it, in much less time.

    The latter is the rule of one standard error (Breiman, Friedman, Olshen and Stone, 1984), with time for simplicity.
    """
    if not ranking.rows or ranking.best in ranking.baselines:
        return ""
    best = ranking.rows[0]
    near = [row for row in ranking.rows[1:] if row.method not in ranking.baselines and _is_near(row, best)]
    times = {row.method: row.fit_seconds + row.predict_seconds for row in (best, *near)}
    if not near or not all(map(isfinite, times.values())):
        return ""
    limits = (share * times[best.method] for share in MUCH_FASTER)
    faster = next((row for limit in limits for row in near if times[row.method] <= limit), None)
    if faster is None:
        return ""
    how_near = " ties with it and" if faster.verdict == "tie" else ", within one standard error,"
    instead = f"{duration(times[faster.method])} instead of {duration(times[best.method])}"
    return f"Where time matters: {faster.method}{how_near} takes {instead}."


def _is_near(row: RankedMethod, best: RankedMethod) -> bool:
    within = row.difference == 0 or abs(row.difference) <= best.standard_error
    return row.verdict == "tie" or (row.verdict == "unclear" and within)


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
    near = sorted((name for name in overall.level if ranks[name] <= middle), key=lambda name: ranks[name])
    if not near:
        return ""
    limits = (share * seconds[overall.best] for share in MUCH_FASTER)
    faster = next((name for limit in limits for name in near if seconds[name] <= limit), None)
    if faster is None:
        return ""
    times = f"{duration(seconds[faster])} per fit (medians over the datasets) instead of"
    return (
        f"Where time matters: {faster} is {NOT_SHOWN} from {overall.best} and takes {times} "
        f"{duration(seconds[overall.best])}."
    )


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
        f"{missing} {'is' if missing == 1 else 'are'} missing."
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
