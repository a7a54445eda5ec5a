"""What a ranking over several datasets says, in sentences that claim no more than its tests do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._text import counted, duration, listed, p_text
from covey.report.words import MUCH_FASTER, all_of

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
    ties, wins = overall.tied, int(overall.wins[overall.order[0]])
    often = "" if len(ties) > 1 else f", with the best mean {overall.words.name} on {wins} of them"
    return (
        f"Over {n}, {has_the_best_rank(overall)} of {len(overall.methods)} methods by {overall.words.name}: "
        f"{overall.best_rank}{often}. {_tested(overall)}"
    )


def has_the_best_rank(overall: Overall) -> str:
    """Say who has the best mean rank, one method or several."""
    return f"{listed(overall.tied)} {'share' if len(overall.tied) > 1 else 'has'} the best mean rank"


def _tested(overall: Overall) -> str:
    found = overall.comparison
    if found is None:
        return f"No test is made: {overall.why_untested}. Take this as a description of these datasets."
    friedman = p_text(found.friedman.p_value_corrected)
    if not overall.differ:
        return f"The differences may be chance: the Friedman test gives {friedman}, and no two methods are told apart."
    worse, level = overall.worse, [name for name in overall.level if name not in overall.tied]
    test = "Wilcoxon's signed-rank test" if found.test == "Wilcoxon-Holm" else "Nemenyi's test"
    some = f"The methods differ (Friedman test, {friedman}). "
    if not worse:
        return f"{some}But {test} finds none that differs significantly from the best."
    better = f"{some}By {test} {'it is' if len(overall.tied) == 1 else 'they are'} significantly better than"
    if not level and len(worse) == len(overall.methods) - len(overall.tied):
        others = "the other one" if len(worse) == 1 else f"{all_of(len(worse))} others"
        return f"{better} {others}."
    unsure = [*level, *(name for name in overall.baselines if name in _unsure(overall))]
    return f"{better} {listed(worse)}, but not shown to be better than {listed(unsure)}."


def _unsure(overall: Overall) -> list[str]:
    """Return the methods that are neither the best nor shown to differ from it."""
    return [name for name in overall.methods if name not in overall.tied and name not in overall.worse]


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
        f"Where time matters, {fastest} is a sensible choice: it is not shown to differ from {overall.best} and takes "
        f"{duration(seconds[fastest])} per fit against {duration(seconds[overall.best])} "
        "(medians over the datasets)."
    )


def best_by_dataset(overall: Overall) -> str:
    """Say on how many datasets the best is the best or not shown to differ from it."""
    if not overall.scores.size or len(overall.methods) < 2 or (overall.among_best < 0).any():
        return ""
    often = dict(zip(overall.methods, overall.among_best.tolist(), strict=True))
    groups: dict[int, list[str]] = {}
    for name in overall.tied:
        groups.setdefault(often[name], []).append(name)
    told = [
        f"{'On' if place == 0 else 'on'} {_datasets(count, len(overall.datasets))} {listed(names)} "
        f"{'is' if len(names) == 1 else 'are'}"
        for place, (count, names) in enumerate(groups.items())
    ]
    text = f"{listed(told)} the best or not significantly worse than the best."
    learners = {name: count for name, count in often.items() if name not in overall.baselines}
    most = max(learners.values(), default=0)
    if most > max(groups):
        names = [name for name, count in learners.items() if count == most]
        text += f" That is so most often of {listed(names)}: on {most}."
    return text


def _datasets(count: int, n: int) -> str:
    """Write some of n datasets: "both datasets", "all 9 datasets", "4 of 5 datasets"."""
    if count < n:
        return f"{count} of {counted(n, 'dataset')}"
    return "the one dataset" if n == 1 else f"{all_of(n)} datasets"


def left_out(overall: Overall) -> str:
    """Say which datasets and methods are not compared, and why."""
    if not overall.left_out:
        return ""
    told = [f"{name} ({why})" for name, why in overall.left_out.items()]
    return f"Left out of the comparison over datasets: {listed(told, 4)}."
