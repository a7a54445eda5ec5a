"""What a page says of the methods on one dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from covey._text import counted, duration, listed
from covey.report.drawing import drawn
from covey.report.leader_words import explain
from covey.report.method_words import method_list
from covey.report.metric_words import describe_metric
from covey.report.page import Block, Details, Figures, Listing, Prose, Section, TableBlock, Tone
from covey.report.ranked import ALL_THE_SAME, NOT_SHOWN
from covey.report.words import LUCK, OVERLAP, against_baseline, all_of, baseline_of, summarize, the_baseline

if TYPE_CHECKING:
    from covey.report.leaders import Leaders
    from covey.report.page import Drawing
    from covey.report.ranked import Ranking
    from covey.report.study_view import StudyView

VERDICTS: dict[str, Tone] = {"best": "good", NOT_SHOWN: "neutral", ALL_THE_SAME: "neutral", "worse": "bad"}
# Of more classes only the largest are listed, and tables of more rows have a field to filter them by.
MOST_CLASSES = 12
MANY_ROWS = 15
# Fewer scores are not worth a box plot.
FEWEST_SCORES = 5


def dataset_words(view: StudyView, dataset: str) -> tuple[str, ...]:
    """Return what the ranking on a dataset says, in sentences."""
    ranking = view.ranking(dataset)
    return summarize(ranking, baseline_of(view.data(dataset), ranking.words))


def dataset_sections(view: StudyView, dataset: str, *, prefix: str = "", brief: bool = False) -> tuple[Section, ...]:
    """Return what a page says of one dataset, but for the words.

    Parameters
    ----------
    view : StudyView
    dataset : str
    prefix : str
        What names of downloads begin with.
    brief : bool, default=False
        Whether to leave out figures that repeat a table, as on a page of very many datasets.
    """
    name = f"{prefix}{dataset}"
    ranking = view.ranking(dataset)
    sections = [Section("At a glance", (key_figures(view, dataset),))]
    if ranking.rows:
        drawable = _without(ranking, view.dummies)
        sections.append(_ranking(view, ranking, drawable, name))
        if not brief and (figure := _time(drawable, name)) is not None:
            sections.append(Section("Time against score", (figure,)))
        sections += _leaders(view.leaders(dataset), name)
        if not brief and ranking.n_fits >= FEWEST_SCORES:
            sections.append(Section("Scores of every fit", (_boxes(drawable, name),)))
        sections += _other_metrics(view, dataset, name)
    sections += failures(view, dataset, name)
    sections.append(_facts(view, dataset, name))
    return tuple(sections)


def key_figures(view: StudyView, dataset: str) -> Figures:
    """Return the numbers that matter most."""
    ranking = view.ranking(dataset)
    cells = view.frame[view.frame["dataset"] == dataset]
    done = int((cells["status"] == "done").sum())
    fits = ("Fits done", f"{done} of {len(cells)}", view.record.protocol_text)
    if not ranking.rows:
        return Figures((("Best method", "none yet", "no method finished"), fits))
    best, words = ranking.rows[0], ranking.words
    sure = ""
    if isfinite(best.low):
        ends = f"{words.value(best.low, ranking.decimals)} to {words.value(best.high, ranking.decimals)}"
        sure = f", {100 * (1 - ranking.alpha):g}% interval {ends}"
    over = f"over {counted(ranking.n_fits, 'fit')}{sure}"
    mean = f"{'Mean' if ranking.all_tie else 'Its mean'} {words.name}"
    items = [_best(ranking), (mean, words.value(best.mean, ranking.decimals), over)]
    others = [row for row in ranking.rows if row.method not in ranking.tied and row.method not in ranking.baselines]
    if not ranking.why_untested and others:
        level = [row.method for row in others if row.verdict == "level"]
        remark = f"from the best: {listed(level, 2)}" if level else "all others are significantly worse"
        items.append((NOT_SHOWN.capitalize(), str(len(level)), remark))
    items += _without_learning(view, ranking)
    if isfinite(best.fit_seconds) and not ranking.all_tie:
        predict = f"and {duration(best.predict_seconds)} to predict"
        items.append(("Training the best", duration(best.fit_seconds), f"per fit, {predict}"))
    return Figures((*items, fits))


def _best(ranking: Ranking) -> tuple[str, str, str]:
    """Return the figure that names the best method, those that share that place, or none."""
    of = f"of {counted(len(ranking.rows), 'ranked method')}"
    if ranking.all_tie:
        return "Best method", "none", f"{all_of(len(ranking.rows))} have the same mean"
    shared = len(ranking.tied) - 1
    return "Best method", ranking.best, f"shared with {counted(shared, 'other')}, {of}" if shared else of


def _without_learning(view: StudyView, ranking: Ranking) -> list[tuple[str, str, str]]:
    """Return the score of the baseline: that which was run, or else what it would be."""
    dummy, known = ranking.baseline, baseline_of(view.data(ranking.dataset), ranking.words)
    title, words, decimals = "Without learning", ranking.words, ranking.decimals
    if dummy is not None:
        return [(title, words.value(dummy.mean, decimals), f"the mean of {the_baseline(dummy.method)}")]
    return [] if known is None else [(title, words.value(known.value, decimals), known.deed)]


def _without(ranking: Ranking, dummies: Sequence[str]) -> Ranking:
    """Return a ranking without methods that learn nothing, beside which the others would look all the same.

    They stay if there would be fewer than two methods, or if one of them is the best.
    """
    rows = tuple(row for row in ranking.rows if row.method not in dummies)
    return replace(ranking, rows=rows) if len(rows) > 1 and rows[0] is ranking.rows[0] else ranking


def _ranking(view: StudyView, ranking: Ranking, drawable: Ranking, name: str) -> Section:
    blocks: list[Block] = [
        TableBlock(
            ranking.table(),
            f"ranking-{name}",
            badges=_badges(ranking),
            filterable=len(ranking.rows) > MANY_ROWS,
        ),
        method_list(view.record),
    ]
    if len(ranking.rows) > 1:
        blocks.append(_intervals(drawable, name, left_out=len(drawable.rows) < len(ranking.rows)))
        blocks.append(Prose((LUCK, *([] if ranking.why_untested else [OVERLAP]))))
    return Section("Ranking", tuple(blocks))


def _badges(ranking: Ranking) -> dict[str, dict[str, Tone]]:
    return {} if ranking.why_untested else {"verdict": VERDICTS}


def _intervals(ranking: Ranking, name: str, *, left_out: bool) -> Drawing:
    from covey.plots import draw_method_intervals, method_intervals

    scale, metric = axis_of(ranking)
    rows = ranking.rows
    data = method_intervals(
        [scale * row.mean for row in rows],
        [scale * row.low for row in rows],
        [scale * row.high for row in rows],
        [row.method for row in rows],
        metric=metric,
        larger_is_better=ranking.larger_is_better,
        alpha=ranking.alpha,
        verdicts=["" if ranking.why_untested else row.verdict for row in rows],
    )
    caption = f"{data.title}; the baseline is left out of figures" if left_out else data.title
    return drawn(draw_method_intervals, data, name=f"intervals-{name}", caption=caption)


def _time(ranking: Ranking, name: str) -> Drawing | None:
    from covey.plots import accuracy_time, draw_accuracy_time

    rows = [row for row in ranking.rows if isfinite(row.fit_seconds)]
    if len(rows) < 2:
        return None
    scale, metric = axis_of(ranking)
    data = accuracy_time(
        [scale * row.mean for row in rows],
        [row.fit_seconds for row in rows],
        [row.method for row in rows],
        metric=metric,
        larger_is_better=ranking.larger_is_better,
    )
    caption = f"{data.title}: methods on the Pareto front are not beaten in both by any other"
    return drawn(draw_accuracy_time, data, name=f"time-{name}", caption=caption)


def _boxes(ranking: Ranking, name: str) -> Drawing:
    from covey.plots import draw_score_boxes, score_boxes

    scale, metric = axis_of(ranking)
    scores = {row.method: scale * row.scores for row in ranking.rows}
    data = score_boxes(scores, metric=metric, larger_is_better=ranking.larger_is_better)
    return drawn(draw_score_boxes, data, name=f"scores-{name}")


def axis_of(ranking: Ranking) -> tuple[float, str]:
    """Return what scores are multiplied by in a figure, and what they are called there."""
    words = ranking.words
    return (100.0, f"{words.name} in %") if words.percent else (1.0, words.name)


def _leaders(leaders: Leaders, name: str) -> list[Section]:
    blocks: list[Block] = [Prose(explain(leaders))]
    if leaders.has_bias_variance:
        blocks.append(TableBlock(leaders.bias_variance_table(), f"bias-variance-{name}"))
    if leaders.has_members:
        blocks.append(TableBlock(leaders.members_table(), f"members-{name}"))
    if leaders.points:
        from covey.plots import draw_kappa_error, kappa_error_diagram

        data = kappa_error_diagram(leaders.points)
        caption = (
            "Pairs of members of the leading ensembles in the first fit: further left they agree less, further down "
            "they err less. At most 25 members of each, evenly spaced"
        )
        blocks.append(drawn(draw_kappa_error, data, name=f"kappa-error-{name}", caption=caption))
    return [Section("Why the leaders err", tuple(blocks))] if len(blocks) > 1 else []


def _other_metrics(view: StudyView, dataset: str, name: str) -> list[Section]:
    blocks: list[Block] = []
    for metric in view.record.metrics[1:]:
        ranking = view.ranking(dataset, metric)
        if ranking.rows:
            table = TableBlock(ranking.table(), f"ranking-{name}-{metric}", badges=_badges(ranking))
            text = against_baseline(ranking, None)
            inside: tuple[Block, ...] = (Prose((text,)), table) if text else (table,)
            blocks.append(Details(f"By {ranking.words.name}: {_who_is_best(ranking)}", inside))
        else:
            words = describe_metric(metric, view.record.task)
            blocks.append(Prose((f"No method has {words.name} for all of its fits.",)))
    return [Section("By other metrics", tuple(blocks))] if blocks else []


def _who_is_best(ranking: Ranking) -> str:
    if ranking.all_tie:
        return "no method is the best, all have the same mean"
    return f"{listed(ranking.tied, 3)} {'is' if len(ranking.tied) == 1 else 'are'} the best"


def failures(view: StudyView, dataset: str | None, name: str) -> list[Section]:
    """Return a section on fits that failed, or none if there are none."""
    from covey.analysis.tables import ResultTable

    found = view.failures(dataset)
    if not len(found):
        return []
    index = ["dataset", "method"] if dataset is None else ["method"]
    found["message"] = [" ".join(str(message).split()) for message in found["message"]]
    frame = found.set_index(index)[["fits", "message"]]
    table = ResultTable(frame, caption="Fits that failed, and what was said")
    return [Section("What failed", (TableBlock(table, f"failures-{name}", filterable=len(found) > MANY_ROWS),))]


def _facts(view: StudyView, dataset: str, name: str) -> Section:
    """Return what is known of the data."""
    data = view.data(dataset)
    items = [
        ("Predicted", f"{data.target} ({data.task})"),
        ("Cases", f"{data.n_rows:,}"),
        ("Attributes", f"{data.n_features:,}" + (f", {data.n_categorical} categorical" if data.n_categorical else "")),
        ("Missing values", f"{data.n_missing:,}" if data.n_missing else "none"),
    ]
    if data.classes:
        largest = sorted(data.classes.items(), key=lambda item: -item[1])
        total = sum(data.classes.values())
        told = [f"{label}: {count:,} ({100 * count / total:.0f}%)" for label, count in largest[:MOST_CLASSES]]
        more = f"; and {len(largest) - MOST_CLASSES} more" if len(largest) > MOST_CLASSES else ""
        items.append((f"Classes ({len(largest)})", "; ".join(told) + more))
    items += [("Note", note) for note in data.notes]
    items += [("Source", data.source), ("Content", f"{data.content[:16]} (start of the SHA-256 hash of all values)")]
    return Section("The data", (Listing(tuple(items)),))
