"""The answer at the top of a page: who is best, how sure that is, what it costs, and what it looks at."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from covey._text import counted, duration, listed
from covey.analysis.ranking.sentences import all_of, certainty, nothing_learnt, progress, the_baseline, winner
from covey.report.page import Figures

if TYPE_CHECKING:
    from covey.analysis.ranking.methods import Ranking
    from covey.report.explanation import Explanation
    from covey.study.results import Results

# How many columns are named as those that a method looks at most.
MOST_NAMED = 3


def answer(results: Results, ranking: Ranking, explanation: Explanation | None = None) -> tuple[str, ...]:
    """Return the answer in words: the winner, how sure that is, what it costs and looks at, and the rest."""
    summary = ranking.summary()
    place = sum(bool(say(ranking)) for say in (nothing_learnt, winner, certainty))
    more = " ".join(part for part in (cost(ranking), looks_at(ranking, explanation)) if part)
    parts = (*summary[:place], more, *summary[place:], progress(results.counts()))
    return tuple(part for part in parts if part)


def cost(ranking: Ranking) -> str:
    """Say how long the best method takes."""
    if not ranking.rows or ranking.all_tie or not isfinite(ranking.rows[0].fit_seconds):
        return ""
    best, splits = ranking.rows[0], ranking.splits
    known = not splits.why_not
    on = f" on {round(splits.n_train):,} rows" if known else ""
    of = f"{round(splits.n_test):,} rows" if known else "the test rows"
    return f"Training it{on} takes {duration(best.fit_seconds)}, predicting {of} {duration(best.predict_seconds)}."


def looks_at(ranking: Ranking, explanation: Explanation | None) -> str:
    """Say which columns the explained method looks at most, if that is known."""
    if explanation is None or explanation.importance is None:
        return ""
    who = "it" if ranking.rows[0].method == explanation.method else explanation.method
    strongest = explanation.importance.strongest
    if not strongest:
        return f"No single column matters much to {who}."
    one = len(strongest) == 1
    return (
        f"What matters most to {who} {'is the column' if one else 'are the columns'} {listed(strongest[:MOST_NAMED])}."
    )


def key_figures(results: Results, ranking: Ranking) -> Figures:
    """Return the numbers that matter most, four where all are known."""
    if not ranking.rows:
        return Figures((("Best method", "none yet", "no method finished"), fits_done(results, ranking.dataset)))
    best, words = ranking.rows[0], ranking.words
    sure = f"over {counted(ranking.n_fits, 'fit')}"
    if isfinite(best.low):
        sure = f"{100 * (1 - ranking.alpha):g}% interval {ranking.value(best.low)} to {ranking.value(best.high)}"
    mean = f"{'Mean' if ranking.all_tie else 'Its mean'} {words.name}"
    items = [_best(ranking), (mean, ranking.value(best.mean), sure)]
    if ranking.baseline is not None:
        mean_of = f"the mean of {the_baseline(ranking.baseline.method)}"
        items.append(("Without learning", ranking.value(ranking.baseline.mean), mean_of))
    elif ranking.chance is not None:
        items.append(("Without learning", ranking.value(ranking.chance.value), ranking.chance.deed))
    if isfinite(best.fit_seconds) and not ranking.all_tie:
        items.append(("Training it", duration(best.fit_seconds), f"and {duration(best.predict_seconds)} to predict"))
    return Figures(tuple(items))


def fits_done(results: Results, dataset: str | None = None) -> tuple[str, str, str]:
    """Return how many fits are done, as a figure."""
    counts = results.counts(dataset)
    return "Fits done", f"{counts.get('done', 0)} of {sum(counts.values())}", results.record.protocol_text


def _best(ranking: Ranking) -> tuple[str, str, str]:
    """Return the figure that names the best method, those that share that place, or none."""
    of = f"of {counted(len(ranking.rows), 'ranked method')}"
    if ranking.all_tie:
        return "Best method", "none", f"{all_of(len(ranking.rows))} have the same mean"
    shared = len(ranking.tied) - 1
    return "Best method", ranking.best, f"shared with {counted(shared, 'other')}, {of}" if shared else of
