"""What a page says of the methods over several datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from covey._text import counted, listed
from covey.report.dataset_chapter import MANY_ROWS, failures
from covey.report.drawing import drawn
from covey.report.method_words import method_list
from covey.report.page import Block, Figures, Prose, Section, TableBlock
from covey.report.ranked import NOT_SHOWN
from covey.report.words import LUCK

if TYPE_CHECKING:
    from covey.report.overall import Overall
    from covey.report.page import Drawing
    from covey.report.study_view import StudyView
    from covey.study.record import StudyRecord

# Records of more methods make a table too wide to read.
MOST_RECORDS = 12


def overall_sections(view: StudyView, *, prefix: str = "") -> tuple[Section, ...]:
    """Return what a page says of a study of several datasets, but for the words."""
    overall = view.overall
    sections = [Section("At a glance", (_key_figures(view),))]
    if overall.scores.size and len(overall.methods) > 1:
        sections.append(_ranks(overall, view.record, prefix))
        if (figure := _time(overall, prefix)) is not None:
            sections.append(Section("Time against rank", (figure,)))
    many = len(overall.rankings) > MANY_ROWS
    scores = TableBlock(overall.score_table(), f"{prefix}scores", filterable=many)
    sections.append(Section("Scores", (scores, Prose((LUCK,)))))
    if overall.records is not None and len(overall.methods) <= MOST_RECORDS:
        sections.append(Section("Wins, draws and losses", (TableBlock(overall.records.table(), f"{prefix}records"),)))
    return (*sections, *failures(view, None, f"{prefix}all"))


def _key_figures(view: StudyView) -> Figures:
    overall, counts = view.overall, view.counts
    fits = ("Fits done", f"{counts.get('done', 0)} of {sum(counts.values())}", view.record.protocol_text)
    compared = f"{len(overall.datasets)} of {len(overall.rankings)}"
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
    return Figures((*items, ("Datasets compared", compared, "those with scores of all methods"), fits))


def _ranks(overall: Overall, record: StudyRecord, prefix: str) -> Section:
    blocks: list[Block] = [TableBlock(overall.table(), f"{prefix}overall"), method_list(record)]
    found = overall.comparison
    if found is None:
        blocks.append(Prose((f"No test is made and no diagram drawn: {overall.why_untested}.",)))
        return Section("Mean ranks", tuple(blocks))
    from covey.plots import critical_difference_diagram, draw_critical_difference

    data = critical_difference_diagram(found)
    caption = f"{data.title}. Bars join methods that do not differ significantly"
    blocks.append(drawn(draw_critical_difference, data, name=f"{prefix}critical-difference", caption=caption))
    blocks.append(Prose((str(found.friedman), str(found))))
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
