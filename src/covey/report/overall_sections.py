"""The sections of a page on the methods over several datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._text import counted, listed
from covey.analysis.ranking.methods import NOT_SHOWN
from covey.report.dataset_sections import LUCK, MANY_ROWS, failures, method_list
from covey.report.drawing import drawn
from covey.report.page import Block, Figures, Prose, Section, TableBlock

if TYPE_CHECKING:
    from covey.analysis.ranking.overall import Overall
    from covey.report.page import Drawing
    from covey.study.results import Results

# Records of more methods make a table too wide to read.
MOST_RECORDS = 12


def overall_sections(results: Results, alpha: float, *, prefix: str = "") -> tuple[Section, ...]:
    """Return what a page says of a study of several datasets, but for the words; downloads begin with the prefix."""
    overall = results.overall(alpha=alpha)
    sections = [Section("At a glance", (_key_figures(results, overall),))]
    if overall.scores.size and len(overall.methods) > 1:
        sections.append(_ranks(results, overall, prefix))
        if (figure := _time(overall, prefix)) is not None:
            sections.append(Section("Time against rank", (figure,)))
    many = len(overall.rankings) > MANY_ROWS
    scores = TableBlock(overall.score_table(), f"{prefix}scores", filterable=many)
    sections.append(Section("Scores", (scores, Prose((LUCK,)))))
    if overall.records is not None and len(overall.methods) <= MOST_RECORDS:
        sections.append(Section("Wins, draws and losses", (TableBlock(overall.records.table(), f"{prefix}records"),)))
    return (*sections, *failures(results, None, f"{prefix}all"))


def _key_figures(results: Results, overall: Overall) -> Figures:
    counts = results.counts()
    fits = ("Fits done", f"{counts.get('done', 0)} of {sum(counts.values())}", results.record.protocol_text)
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


def _time(overall: Overall, prefix: str) -> Drawing | None:
    from covey.plots import accuracy_time, draw_accuracy_time

    if not np.isfinite(overall.seconds).all():
        return None
    data = accuracy_time(
        overall.mean_ranks, overall.seconds, overall.methods, metric="mean rank", larger_is_better=False
    )
    n = counted(len(overall.datasets), "dataset")
    caption = f"Mean rank, 1 is best, against the median training time of a fit over {n}"
    return drawn(draw_accuracy_time, data, name=f"{prefix}time", caption=caption)
