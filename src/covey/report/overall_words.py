"""What a ranking over several datasets says, in sentences that claim no more than its tests do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._words import counted
from covey.analysis.significance.records import p_text
from covey.analysis.tables.rounding import write_number
from covey.report.metric_words import seconds_text
from covey.report.words import MUCH_FASTER, listed

if TYPE_CHECKING:
    from covey.report.overall import Overall


def summarize_overall(overall: Overall) -> tuple[str, ...]:
    """Return what a ranking over datasets says, a paragraph for each point."""
    points = [overall_winner(overall), overall_choice(overall), best_by_dataset(overall), left_out(overall)]
    return tuple(point for point in points if point)


def overall_winner(overall: Overall) -> str:
    """Say which method has the best mean rank, and how sure that is."""
    if not overall.scores.size:
        return "No dataset has scores of all methods yet, so there is no ranking over datasets."
    n = counted(len(overall.datasets), "dataset")
    if len(overall.methods) == 1:
        return f"The only method that finished is {overall.best}; it was run on {n}."
    place = overall.order[0]
    rank = write_number(float(overall.mean_ranks[place]), ".2f")
    ties = [overall.methods[i] for i in overall.order if np.isclose(overall.mean_ranks[i], overall.mean_ranks[place])]
    who = f"{listed(ties)} {'share' if len(ties) > 1 else 'has'} the best mean rank"
    wins = int(overall.wins[place])
    often = "" if len(ties) > 1 else f", with the best mean {overall.words.name} on {wins} of them"
    return (
        f"Over {n}, {who} of {len(overall.methods)} methods by {overall.words.name}: {rank}{often}. {_tested(overall)}"
    )


def _tested(overall: Overall) -> str:
    found = overall.comparison
    if found is None:
        return f"No test is made: {overall.why_untested}. Take this as a description of these datasets."
    friedman = p_text(found.friedman.p_value_corrected)
    if not overall.differ:
        return f"The differences may be chance: the Friedman test gives {friedman}, and no two methods are told apart."
    worse = [name for name in _ordered(overall) if name != overall.best and name not in overall.level]
    test = "Wilcoxon's signed-rank test" if found.test == "Wilcoxon-Holm" else "Nemenyi's test"
    some = f"The methods differ (Friedman test, {friedman}). "
    if not worse:
        return f"{some}But {test} finds none that differs significantly from the best."
    if not overall.level:
        others = "the other one" if len(worse) == 1 else f"all {len(worse)} others"
        return f"{some}By {test} it is significantly better than {others}."
    return (
        f"{some}By {test} it is significantly better than {listed(worse)}, but not than {listed(list(overall.level))}."
    )


def _ordered(overall: Overall) -> list[str]:
    return [overall.methods[place] for place in overall.order]


def overall_choice(overall: Overall) -> str:
    """Point out a method that is not told apart from the best and takes much less time."""
    if overall.comparison is None or not overall.level:
        return ""
    seconds = dict(zip(overall.methods, overall.seconds.tolist(), strict=True))
    ranks = dict(zip(overall.methods, overall.mean_ranks.tolist(), strict=True))
    # Methods are close enough to be worth a thought if they are in the better half.
    middle = (len(overall.methods) + 1) / 2
    near = [name for name in overall.level if seconds[name] == seconds[name] and ranks[name] <= middle]
    if not near:
        return ""
    fastest = min(near, key=lambda name: seconds[name])
    if not seconds[fastest] <= MUCH_FASTER * seconds[overall.best]:
        return ""
    return (
        f"Where time matters, {fastest} is a sensible choice: it is not told apart from {overall.best} and takes "
        f"{seconds_text(seconds[fastest])} per fit against {seconds_text(seconds[overall.best])} "
        "(medians over the datasets)."
    )


def best_by_dataset(overall: Overall) -> str:
    """Say on how many datasets the best is the best or level with it."""
    if not overall.scores.size or len(overall.methods) < 2 or (overall.among_best < 0).any():
        return ""
    often = int(overall.among_best[overall.order[0]])
    most = int(overall.among_best.max())
    n = len(overall.datasets)
    on = f"all {n} datasets" if often == n else f"{often} of {counted(n, 'dataset')}"
    text = f"On {on} {overall.best} is the best or not significantly worse than the best."
    if most > often:
        names = [name for name, count in zip(overall.methods, overall.among_best, strict=True) if count == most]
        text += f" That is so most often of {listed(names)}: on {most}."
    return text


def left_out(overall: Overall) -> str:
    """Say which datasets and methods are not compared, and why."""
    if not overall.left_out:
        return ""
    told = [f"{name} ({why})" for name, why in overall.left_out.items()]
    return f"Left out of the comparison over datasets: {listed(told, 4)}."
