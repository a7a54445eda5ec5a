"""The sections of a page on the methods, on one dataset and over several."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import counted, listed
from covey.analysis.ranking.leaders import MOST_LEADERS, Leader, Leaders, bias_variance, measure_members
from covey.analysis.ranking.overall import NOT_SHOWN
from covey.analysis.ranking.sentences import against_baseline, explain, nothing_learnt
from covey.plots.ranking import axis_of, beyond, without_baselines
from covey.registry import PAPERS, methods
from covey.report.answer import fits_done, key_figures
from covey.report.diagnosis_sections import diagnosis_sections
from covey.report.drawing import drawn
from covey.report.explanation import explained_method, read_explanation
from covey.report.page import Block, Details, Figures, Listing, Prose, Section, TableBlock, Tone

if TYPE_CHECKING:
    from covey.analysis.ranking.methods import Ranking
    from covey.analysis.ranking.overall import Overall
    from covey.analysis.tables import ResultTable
    from covey.report.drawing import Size
    from covey.report.page import Drawing
    from covey.study.record import MethodRecord, StudyRecord
    from covey.study.results import Results

TONES: dict[str, Tone] = {"best": "good", "tie": "good", "unclear": "neutral", "behind": "bad", "untested": "neutral"}
# Of more classes only the largest are listed, and tables of more rows have a field to filter them by.
MOST_CLASSES = 12
MANY_ROWS = 15
# Fewer scores are not worth a box plot.
FEWEST_SCORES = 5

LUCK = (
    "The best of several mean scores is on average a little too good, because a part of its lead is luck. Expect "
    "slightly less of it on new rows; the more methods were compared, the more so."
)
OVERLAP = (
    "The intervals are those of single methods. Two methods are compared on the same splits, which is more exact: they "
    "may differ although their intervals overlap."
)
_PUBLISHED = "covey:"
_PACKAGES = {"__main__": "the script", "sklearn": "scikit-learn", "lightgbm": "LightGBM", "xgboost": "XGBoost"}


def dataset_sections(
    results: Results, dataset: str, alpha: float, *, prefix: str = "", brief: bool = False, diagnose: bool = True
) -> tuple[Section, ...]:
    """Return what a page says of one dataset, but for the words.

    Names of downloads begin with the prefix. A brief page, of very many datasets, lacks figures that repeat a table;
    `diagnose` says whether to show where the best method errs.
    """
    name = f"{prefix}{dataset}"
    ranking = results.ranking(dataset, alpha=alpha)
    sections = [Section("", (key_figures(results, ranking),))]
    if ranking.rows:
        size: Size = "full" if diagnose else "own"
        sections.append(_ranking(results.record, ranking, name, size))
        explained = explained_method(ranking)
        if diagnose and explained is not None:
            explanation = read_explanation(results, dataset, explained)
            sections += diagnosis_sections(results, ranking, explanation, name)
        sections.append(Section("More on the methods", _more(results, ranking, name, size, brief)))
    sections += failures(results, dataset, name)
    sections.append(_facts(results.record, dataset))
    return tuple(sections)


def _more(results: Results, ranking: Ranking, name: str, size: Size, brief: bool) -> tuple[Block, ...]:
    """Return what a reader may want to know besides, each to be opened on a click."""
    drawable = without_baselines(ranking)
    blocks: list[Block] = []
    if not brief and (figure := _time(drawable, name, size)) is not None:
        blocks.append(Details("Time against score", (figure,)))
    if leaders := _leaders(leaders_of(results, ranking), name, size):
        blocks.append(Details("Why the leaders err: bias, variance and members", leaders))
    if not brief and ranking.n_fits >= FEWEST_SCORES:
        blocks.append(Details("Scores of every fit", (_boxes(drawable, name, size),)))
    return (*blocks, *_other_metrics(results, ranking.dataset, ranking.alpha, name), method_list(results.record))


def _ranking(record: StudyRecord, ranking: Ranking, name: str, size: Size) -> Section:
    many = len(ranking.rows) > MANY_ROWS
    blocks: list[Block] = [_intervals(ranking, name, size)] if len(ranking.rows) > 1 else []
    blocks.append(TableBlock(_ranking_table(ranking), f"ranking-{name}", badges=_badges(ranking), filterable=many))
    if len(ranking.rows) > 1:
        read = Prose((LUCK, *([] if ranking.why_untested else [OVERLAP])))
        blocks.append(Details("How to read the ranking", (read,)))
    return Section("Ranking", tuple(blocks))


def _ranking_table(ranking: Ranking) -> ResultTable:
    """Return a ranking with the verdict after the score, where a phone shows it."""
    table = ranking.table(titled=True)
    score, *others = table.frame.columns
    order = [score, "verdict", *(column for column in others if column != "verdict")]
    return replace(table, frame=table.frame[order], bold=None if table.bold is None else table.bold[order])


def method_list(record: StudyRecord) -> Details:
    """Return what the methods of a study are, to be opened on a click."""
    items = tuple((method.name, describe_method(method)) for method in record.methods)
    return Details("What these methods are", (Listing(items),))


def describe_method(method: MethodRecord) -> str:
    """Say what a method is in a line: a published system by its description and paper, another by its class."""
    if not method.path.startswith(_PUBLISHED):
        return _class_of(method.path, method.params)
    entry = {entry.id: entry for entry in methods()}.get(method.path.removeprefix(_PUBLISHED))
    return method.path if entry is None else f"{entry.description} ({PAPERS[entry.paper]})"


def _class_of(path: str, params: Any) -> str:
    """Name the class of an estimator and its package; of a pipeline, its steps."""
    if path == "pipeline":
        return " after ".join(_class_of(step["estimator"], {}) for step in reversed(params["steps"]))
    package = path.partition(".")[0]
    return f"{path.rpartition('.')[2]} of {_PACKAGES.get(package, package)}"


def _badges(ranking: Ranking) -> dict[str, dict[str, Tone]]:
    return {"verdict": {ranking.verdict_text(row): TONES[row.verdict] for row in ranking.rows}}


def _intervals(ranking: Ranking, name: str, size: Size) -> Drawing:
    from covey.plots import draw_method_intervals, ranking_intervals

    data, far = ranking_intervals(ranking), beyond(ranking)
    caption = f"{data.title}; {far}" if far else data.title
    return drawn(draw_method_intervals, data, name=f"intervals-{name}", caption=caption, size=size)


def _time(ranking: Ranking, name: str, size: Size) -> Drawing | None:
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
    return drawn(draw_accuracy_time, data, name=f"time-{name}", caption=caption, size=size)


def _boxes(ranking: Ranking, name: str, size: Size) -> Drawing:
    from covey.plots import draw_score_boxes, score_boxes

    scale, metric = axis_of(ranking)
    scores = {row.method: scale * row.scores for row in ranking.rows}
    data = score_boxes(scores, metric=metric, larger_is_better=ranking.larger_is_better)
    return drawn(draw_score_boxes, data, name=f"scores-{name}", size=size)


def leaders_of(results: Results, ranking: Ranking) -> Leaders:
    """Measure bias, variance and diversity of the best methods on a dataset; votes are read of these alone."""
    protocol, regression = results.record.protocol, results.record.task == "regression"
    every_row = protocol["kind"] in ("cross-validation", "bootstrap") and protocol.get("n_repeats", 1) >= 2
    leaders = []
    for method in [row.method for row in ranking.rows if row.method not in ranking.baselines][:MOST_LEADERS]:
        parts = bias_variance(*results.predictions(ranking.dataset, method), regression) if every_row else None
        members = measure_members(results.fits(ranking.dataset, method), regression)
        leaders.append(Leader(method, parts, members))
    return Leaders(ranking.dataset, regression, tuple(leaders))


def _leaders(leaders: Leaders, name: str, size: Size) -> tuple[Block, ...]:
    blocks: list[Block] = [Prose(explain(leaders))]
    tables = {"bias-variance": leaders.bias_variance_table(), "members": leaders.members_table()}
    blocks += [TableBlock(table, f"{kind}-{name}") for kind, table in tables.items() if table is not None]
    if leaders.points:
        from covey.plots import draw_kappa_error, kappa_error_diagram

        data = kappa_error_diagram(leaders.points)
        caption = (
            "Pairs of members of the leading ensembles in the first fit: further left they agree less, further down "
            "they err less. At most 25 members of each, evenly spaced"
        )
        blocks.append(drawn(draw_kappa_error, data, name=f"kappa-error-{name}", caption=caption, size=size))
    return tuple(blocks) if len(blocks) > 1 else ()


def _other_metrics(results: Results, dataset: str, alpha: float, name: str) -> list[Block]:
    blocks: list[Block] = []
    for metric in results.record.metrics[1:]:
        ranking = results.ranking(dataset, metric, alpha=alpha)
        if not ranking.rows:
            blocks.append(Prose((f"No method has {ranking.words.name} for all of its fits.",)))
            continue
        table = TableBlock(_ranking_table(ranking), f"ranking-{name}-{metric}", badges=_badges(ranking))
        told = (nothing_learnt(ranking), against_baseline(replace(ranking, chance=None)))
        text = tuple(part for part in told if part)
        inside: tuple[Block, ...] = (Prose(text), table) if text else (table,)
        blocks.append(Details(f"By {ranking.words.name}: {_who_is_best(ranking)}", inside))
    return blocks


def _who_is_best(ranking: Ranking) -> str:
    if ranking.all_tie:
        return "no method is the best, all have the same mean"
    return f"{listed(ranking.tied, 3)} {'is' if len(ranking.tied) == 1 else 'are'} the best"


def failures(results: Results, dataset: str | None, name: str) -> list[Section]:
    """Return a section on fits that failed, on a dataset or on all, or none if there are none."""
    from covey.analysis.tables import ResultTable

    failed = results.failures(dataset)
    if not len(failed):
        return []
    index = ["dataset", "method"] if dataset is None else ["method"]
    frame = failed.set_index(index)[["fits", "message"]]
    table = ResultTable(frame, caption="Fits that failed, and what was said")
    return [Section("What failed", (TableBlock(table, f"failures-{name}", filterable=len(failed) > MANY_ROWS),))]


def _facts(record: StudyRecord, dataset: str) -> Section:
    """Return what is known of the data."""
    data = next(data for data in record.datasets if data.name == dataset)
    items = [
        ("Predicted", f"{data.target} ({data.task})"),
        ("Rows", f"{data.n_rows:,}"),
        ("Columns", f"{data.n_features:,}" + (f", {data.n_categorical} categorical" if data.n_categorical else "")),
        ("Missing values", f"{data.n_missing:,}" if data.n_missing else "none"),
    ]
    if data.classes:
        largest = sorted(data.classes.items(), key=lambda item: -item[1])
        total = sum(data.classes.values())
        shares = [f"{label}: {count:,} ({100 * count / total:.0f}%)" for label, count in largest[:MOST_CLASSES]]
        more = f"; and {len(largest) - MOST_CLASSES} more" if len(largest) > MOST_CLASSES else ""
        items.append((f"Classes ({len(largest)})", "; ".join(shares) + more))
    items += [("Note", note) for note in data.notes]
    items += [("Source", data.source), ("Content", f"{data.content[:16]} (start of the SHA-256 hash of all values)")]
    return Section("The data", (Listing(tuple(items)),))


# Records of more methods make a table too wide to read.
MOST_RECORDS = 12


def overall_sections(results: Results, alpha: float, *, prefix: str = "") -> tuple[Section, ...]:
    """Return what a page says of a study of several datasets, but for the words; downloads begin with the prefix."""
    overall = results.overall(alpha=alpha)
    sections = [Section("At a glance", (_overall_figures(results, overall),))]
    if overall.scores.size and len(overall.methods) > 1:
        sections.append(_ranks(results, overall, prefix))
        if (figure := _time_against_rank(overall, prefix)) is not None:
            sections.append(Section("Time against rank", (figure,)))
    many = len(overall.rankings) > MANY_ROWS
    scores = TableBlock(overall.score_table(), f"{prefix}scores", filterable=many)
    sections.append(Section("Scores", (scores, Prose((LUCK,)))))
    if overall.records is not None and len(overall.methods) <= MOST_RECORDS:
        sections.append(Section("Wins, draws and losses", (TableBlock(overall.records.table(), f"{prefix}records"),)))
    return (*sections, *failures(results, None, f"{prefix}all"))


def _overall_figures(results: Results, overall: Overall) -> Figures:
    fits = fits_done(results)
    if not overall.scores.size:
        return Figures((("Best method", "none yet", "no dataset has scores of all methods"), fits))
    tied, of = overall.tied, f"{overall.best_rank} of {counted(len(overall.methods), 'method')}"
    wins = [str(overall.wins[overall.methods.index(name)]) for name in tied]
    items = [
        ("Best mean rank", listed(tied, 2), of if len(tied) == 1 else f"shared, {of}"),
        (
            "Its wins" if len(tied) == 1 else "Their wins",
            f"{listed(wins, 3)} of {len(overall.datasets)}",
            f"datasets with the best {overall.words.name}",
        ),
    ]
    others = [name for name in overall.methods if name not in tied and name not in overall.baselines]
    if overall.comparison is not None and others:
        level = [name for name in overall.level if name not in tied]
        remark = f"from the best: {listed(level, 2)}" if level else "all others differ significantly"
        items.append((NOT_SHOWN.capitalize(), str(len(level)), remark))
    compared = f"{len(overall.datasets)} of {len(overall.rankings)}"
    return Figures((*items, ("Datasets compared", compared, "those with scores of all methods"), fits))


def _ranks(results: Results, overall: Overall, prefix: str) -> Section:
    blocks: list[Block] = [TableBlock(overall.table(), f"{prefix}overall"), method_list(results.record)]
    test = overall.comparison
    if test is None:
        blocks.append(Prose((f"No test is made and no diagram drawn: {overall.why_untested}.",)))
        return Section("Mean ranks", tuple(blocks))
    from covey.plots import critical_difference_diagram, draw_critical_difference

    data = critical_difference_diagram(test)
    caption = f"{data.title}. Bars join methods that do not differ significantly"
    blocks.append(drawn(draw_critical_difference, data, name=f"{prefix}critical-difference", caption=caption))
    blocks.append(Prose((str(test.friedman), str(test))))
    return Section("Mean ranks", tuple(blocks))


def _time_against_rank(overall: Overall, prefix: str) -> Drawing | None:
    from covey.plots import accuracy_time, draw_accuracy_time

    if not np.isfinite(overall.seconds).all():
        return None
    data = accuracy_time(
        overall.mean_ranks, overall.seconds, overall.methods, metric="mean rank", larger_is_better=False
    )
    n = counted(len(overall.datasets), "dataset")
    caption = f"Mean rank, 1 is best, against the median training time of a fit over {n}"
    return drawn(draw_accuracy_time, data, name=f"{prefix}time", caption=caption)
