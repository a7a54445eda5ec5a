"""The report of one or more studies: its chapters, from their results alone, written as one HTML file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from covey._files import write_whole
from covey._text import counted, listed
from covey.analysis.ranking.methods import RankedMethod, Ranking
from covey.analysis.ranking.overall import Overall
from covey.analysis.ranking.sentences import progress
from covey.report.answer import answer
from covey.report.explanation import MOST_DIAGNOSED, explained_method, read_explanation
from covey.report.method_sections import method_sections
from covey.report.page import Chapter, Page, Prose, Remarks, Section
from covey.report.rendering import render_page
from covey.report.result_sections import dataset_sections, overall_sections

if TYPE_CHECKING:
    from covey.study.results import Results


def rank_methods(
    results: Results, dataset: str | None = None, metric: str | None = None, *, alpha: float = 0.05
) -> Ranking:
    """Rank the methods of a study on one of its datasets.

    Parameters
    ----------
    results : Results
        From `covey.study.run_study`, finished or not.
    dataset : str, optional
        Not needed if there is one only.
    metric : str, optional
        One of the study's, by default the first.
    alpha : float, default=0.05
        Intervals hold with a confidence of 1 - alpha, and that a method ties or is behind with that probability.

    Returns
    -------
    Ranking
        Methods with failed or missing fits are apart, in ``failed``: a mean over other splits cannot be compared.
    """
    return results.ranking(dataset, metric, alpha=alpha)


def rank_overall(results: Results, metric: str | None = None, *, alpha: float = 0.05) -> Overall:
    """Rank the methods of a study over its datasets.

    Parameters
    ----------
    results : Results
        From `covey.study.run_study`, finished or not.
    metric : str, optional
        One of the study's, by default the first.
    alpha : float, default=0.05
        The significance level of tests.

    Returns
    -------
    Overall
        Methods that lack scores on more than half of the datasets are left out, and then datasets on which some method
        lacks them. All pairs are compared by Nemenyi's test, two methods alone by Wilcoxon's; with fewer than 5
        datasets there is no test.
    """
    return results.overall(metric, alpha=alpha)


__all__ = ["Overall", "RankedMethod", "Ranking", "rank_methods", "rank_overall", "study_page", "write_report"]

# A page of more datasets has fewer figures for each.
MANY_DATASETS = 12


def write_report(results: Results | Sequence[Results], path: str | os.PathLike[str], *, alpha: float = 0.05) -> Path:
    """Write the report of one or more studies as one HTML file that opens anywhere.

    Parameters
    ----------
    results : Results or sequence of Results
        From `covey.study.run_study`, or `covey.study.Results.in_store`; finished or not. Nothing is fitted again.
    path : path
        Where to write it, such as "report.html".
    alpha : float, default=0.05
        The significance level of all tests and intervals.

    Returns
    -------
    Path
        The file.
    """
    file = Path(path)
    if file.is_dir():
        raise IsADirectoryError(f"path={str(file)!r} is a folder; give the name of a file in it, such as report.html.")
    html = render_page(study_page(results, alpha=alpha))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, html.encode())
    return file


def study_page(results: Results | Sequence[Results], *, alpha: float = 0.05) -> Page:
    """Return what there is to say of one or more studies: the answer in words, then the rest, at last how it was done.

    With one dataset all sections are on the first chapter, with several each dataset has a chapter of its own.
    """
    studies = list(results) if isinstance(results, Sequence) else [results]
    if not studies:
        raise ValueError("results is empty; give the results of one study or more.")
    if len(studies) > 1:
        return _page_of_several(studies, alpha)
    study = studies[0]
    method, title, about = method_sections(study, alpha), study.record.name, _subtitle(study)
    if len(study.record.datasets) == 1:
        name = study.record.datasets[0].name
        sections = (*_remarks(study), *dataset_sections(study, name, alpha))
        return Page(title, about, _words(study, alpha), sections, (), method)
    chapters = _chapters(study, alpha, group="Datasets", n_datasets=len(study.record.datasets))
    sections = (*_remarks(study), *overall_sections(study, alpha))
    return Page(title, about, _words(study, alpha), sections, chapters, method)


def _remarks(study: Results) -> tuple[Section, ...]:
    """Return what must be known before the ranking is believed, if there is anything."""
    return (Section("", (Remarks(study.record.remarks),)),) if study.record.remarks else ()


def _page_of_several(studies: Sequence[Results], alpha: float) -> Page:
    """Return a page whose first chapter has the words of each study, with all else in chapters."""
    sections: list[Section] = []
    chapters: list[Chapter] = []
    method: list[Section] = []
    n_datasets = sum(len(study.record.datasets) for study in studies)
    for number, study in enumerate(studies, start=1):
        name, prefix = study.record.name, f"{number}-"
        remarks = [block for section in _remarks(study) for block in section.blocks]
        sections.append(Section(name, (Prose((_subtitle(study), *_words(study, alpha))), *remarks)))
        if len(study.record.datasets) > 1:
            chapters.append(Chapter("All datasets", overall_sections(study, alpha, prefix=prefix), name))
        chapters += _chapters(study, alpha, group=name, prefix=prefix, n_datasets=n_datasets)
        method += method_sections(study, alpha, prefix=prefix, heading=f"{name}: ")
    about = f"{counted(len(studies), 'study', 'studies')}, {counted(n_datasets, 'dataset')}"
    summary = tuple(f"{study.record.name}: {_words(study, alpha)[0]}" for study in studies)
    title = listed([study.record.name for study in studies], 3)
    return Page(title, about, summary, tuple(sections), tuple(chapters), tuple(method))


def _words(study: Results, alpha: float) -> tuple[str, ...]:
    if len(study.record.datasets) == 1:
        ranking = study.ranking(alpha=alpha)
        method = explained_method(ranking)
        known = None if method is None else read_explanation(study, ranking.dataset, method)
        return answer(study, ranking, known)
    unfinished, summary = progress(study.counts()), study.overall(alpha=alpha).summary()
    return (*summary, unfinished) if unfinished else summary


def _chapters(study: Results, alpha: float, *, group: str, n_datasets: int, prefix: str = "") -> tuple[Chapter, ...]:
    """Return a chapter for each dataset, shorter the more datasets a page has."""
    chapters = []
    brief, diagnose = n_datasets > MANY_DATASETS, n_datasets <= MOST_DIAGNOSED
    for data in study.record.datasets:
        first, *rest = dataset_sections(study, data.name, alpha, prefix=prefix, brief=brief, diagnose=diagnose)
        summary = Prose(study.ranking(data.name, alpha=alpha).summary())
        chapters.append(Chapter(data.name, (replace(first, blocks=(summary, *first.blocks)), *rest), group))
    return tuple(chapters)


def _subtitle(study: Results) -> str:
    """Return a study in a line: its data, methods and protocol."""
    record = study.record
    methods = counted(len(record.methods), "method")
    if len(record.datasets) > 1:
        return f"{methods} on {counted(len(record.datasets), 'dataset')}, {record.protocol_text}"
    data = record.datasets[0]
    classes = f", {counted(len(data.classes), 'class', 'classes')}" if data.classes else ""
    size = f"{data.n_rows:,} rows, {counted(data.n_features, 'column')}{classes}"
    return f"{methods} on {data.name} ({size}), {record.protocol_text}"
