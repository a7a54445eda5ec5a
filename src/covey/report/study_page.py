"""The page of one or more studies, from their stores alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from covey._text import counted, listed
from covey.report.dataset_chapter import dataset_sections, dataset_words
from covey.report.method_chapter import method_sections
from covey.report.overall_sections import overall_sections
from covey.report.overall_words import has_the_best_rank, summarize_overall
from covey.report.page import Chapter, Page, Prose, Section
from covey.report.ranked import NOT_SHOWN
from covey.report.study_view import StudyView
from covey.report.words import headline, progress

if TYPE_CHECKING:
    from covey.study.results import Results

# A page of more datasets has fewer figures for each.
MANY_DATASETS = 12


def study_page(results: Results | Sequence[Results], *, alpha: float = 0.05) -> Page:
    """Return what there is to say of one or more studies, finished or not.

    Parameters
    ----------
    results : Results or sequence of Results
        From `covey.study.run_study`, or `covey.study.Results.in_store`. Votes are read of the three best methods of
        each dataset only.
    alpha : float, default=0.05
        The significance level of all tests and intervals.

    Returns
    -------
    Page
        The answer in words first; with one dataset everything else is on the first chapter, with several each dataset
        has a chapter of its own. The last is on how numbers were obtained.
    """
    every = list(results) if isinstance(results, Sequence) else [results]
    if not every:
        raise ValueError("results is empty; give the results of one study or more.")
    views = [StudyView.of(one, alpha=alpha) for one in every]
    if len(views) == 1:
        return _page_of_one(views[0])
    return _page_of_several(views)


def _page_of_one(view: StudyView) -> Page:
    record = view.record
    names = [data.name for data in record.datasets]
    summary = (*_progress(view), *_words(view))
    if len(names) == 1:
        return Page(record.name, subtitle(view), summary, dataset_sections(view, names[0]), (), method_sections(view))
    chapters = _chapters(view, group="Datasets")
    return Page(record.name, subtitle(view), summary, overall_sections(view), chapters, method_sections(view))


def _page_of_several(views: Sequence[StudyView]) -> Page:
    """Return a page whose first chapter has the words of each study, with all else in chapters."""
    sections: list[Section] = []
    chapters: list[Chapter] = []
    method: list[Section] = []
    many = sum(len(view.record.datasets) for view in views) > MANY_DATASETS
    for number, view in enumerate(views, start=1):
        name, prefix = view.record.name, f"{number}-"
        sections.append(Section(name, (Prose((subtitle(view), *_progress(view), *_words(view))),)))
        if len(view.record.datasets) > 1:
            chapters.append(Chapter("All datasets", overall_sections(view, prefix=prefix), name))
        chapters += _chapters(view, group=name, prefix=prefix, brief=many)
        method += method_sections(view, prefix=prefix, heading=f"{name}: ")
    n_datasets = sum(len(view.record.datasets) for view in views)
    names = [view.record.name for view in views]
    about = f"{counted(len(views), 'study', 'studies')}, {counted(n_datasets, 'dataset')}"
    summary = tuple(f"{view.record.name}: {_headline(view)}" for view in views)
    return Page(listed(names, 3), about, summary, tuple(sections), tuple(chapters), tuple(method))


def _words(view: StudyView) -> tuple[str, ...]:
    if len(view.record.datasets) == 1:
        return dataset_words(view, view.record.datasets[0].name)
    return summarize_overall(view.overall)


def _headline(view: StudyView) -> str:
    """Return what a study says, in a sentence."""
    if len(view.record.datasets) == 1:
        return headline(view.ranking(view.record.datasets[0].name))
    overall = view.overall
    if not overall.scores.size:
        return "no dataset has scores of all methods yet."
    others = [name for name in overall.level if name not in overall.tied]
    level = f"; {counted(len(others), 'other')} {NOT_SHOWN}" if others else ""
    over = f"over {counted(len(overall.datasets), 'dataset')}"
    return f"{over}, {has_the_best_rank(overall)}, {overall.best_rank}{level}."


def _progress(view: StudyView) -> tuple[str, ...]:
    text = progress(view.counts)
    return (text,) if text else ()


def _chapters(view: StudyView, *, group: str, prefix: str = "", brief: bool | None = None) -> tuple[Chapter, ...]:
    """Return a chapter for each dataset."""
    few_figures = len(view.record.datasets) > MANY_DATASETS if brief is None else brief
    chapters = []
    for data in view.record.datasets:
        first, *rest = dataset_sections(view, data.name, prefix=prefix, brief=few_figures)
        told = Prose(dataset_words(view, data.name))
        chapters.append(Chapter(data.name, (replace(first, blocks=(told, *first.blocks)), *rest), group))
    return tuple(chapters)


def subtitle(view: StudyView) -> str:
    """Return a study in a line: its data, methods and protocol."""
    record = view.record
    methods = counted(len(record.methods), "method")
    if len(record.datasets) > 1:
        return f"{methods} on {counted(len(record.datasets), 'dataset')}, {record.protocol_text}"
    data = record.datasets[0]
    classes = f", {counted(len(data.classes), 'class', 'classes')}" if data.classes else ""
    size = f"{data.n_rows:,} cases, {counted(data.n_features, 'attribute')}{classes}"
    return f"{methods} on {data.name} ({size}), {record.protocol_text}"
