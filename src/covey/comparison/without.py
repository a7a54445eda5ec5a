"""Scores without leaks: a small second study, to say what a leak is worth."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from covey._text import listed
from covey.comparison.leaks import Leak, repeated_rows
from covey.datasets import Dataset
from covey.study import DataSpec, MethodSpec, Results, Study, run_study

# The best methods that are quick are tried again, up to so many.
_METHODS = 2
# A method is quick if its fits took this share of the time that there is: without the leak they will take longer.
_QUICK = 1 / 3


def scores_without(
    study: Study,
    results: Results,
    dataset: Dataset,
    leaks: Sequence[Leak],
    store: str | os.PathLike[str],
    *,
    n_workers: int = 1,
    seconds: float = 30.0,
) -> tuple[str, ...]:
    """Return a sentence on each leak, with what the best of the quick methods reach without it.

    Parameters
    ----------
    study, results : Study, Results
        The comparison, and what came of it.
    dataset : Dataset
        The one of its datasets that has the leaks.
    leaks : sequence of Leak
        From `find_leaks`.
    store : path
        Where the second study is kept, apart from the first.
    n_workers : int, default=1
        Processes.
    seconds : float, default=30.0
        The time that a method may take on one worker.

    Returns
    -------
    tuple of str
        To be shown before the ranking. There are no scores where no method is quick enough.
    """
    if not leaks:
        return ()
    columns = [leak for leak in leaks if leak.columns]
    rows = [leak for leak in leaks if not leak.columns]
    names = [name for leak in columns for name in leak.columns]
    variants = {}
    if len(names) < dataset.n_features and names:
        variants[f"without {listed(names)}"] = replace(dataset, frame=dataset.frame.drop(columns=names))
    if rows:
        variants["without copies of rows"] = _without_copies(dataset)
    again = _run_again(study, results, dataset, variants, store, n_workers, seconds)
    sentences = []
    for some, what in ((columns, "it" if len(names) == 1 else "these columns"), (rows, "the copies")):
        texts = [leak.sentence for leak in some]
        name = f"without {listed(names)}" if some is columns else "without copies of rows"
        if texts and name in again:
            texts[-1] += f" Without {what} {again[name]}"
        sentences += texts
    return tuple(sentences)


def _without_copies(dataset: Dataset) -> Dataset:
    kept = ~repeated_rows(dataset)
    frame, target = (part.loc[kept].reset_index(drop=True) for part in (dataset.frame, dataset.target))
    return replace(dataset, frame=frame, target=target)


def _run_again(
    study: Study,
    results: Results,
    dataset: Dataset,
    variants: dict[str, Dataset],
    store: str | os.PathLike[str],
    n_workers: int,
    seconds: float,
) -> dict[str, str]:
    """Return how well the best of the quick methods does on each variant of a dataset, by the variant's name."""
    protocol = study.protocol.lasting()
    ranking = results.ranking(dataset.name)
    methods = _quick_methods(study, results, dataset, seconds)
    if not methods or not variants:
        return {}
    second = replace(
        study,
        name=f"{study.name}, {dataset.name} without leaks",
        datasets=tuple(DataSpec(name, study.datasets[0].source, held=data) for name, data in variants.items()),
        methods=methods,
        protocol=protocol,
        metrics=(ranking.metric,),
    )
    try:
        outcome = run_study(second, store, n_workers=n_workers, timeout=seconds / max(protocol.n_repeats, 1))
    except ValueError:  # of data that cannot be divided so any more
        return {}
    said = {}
    for name in variants:
        rows = outcome.ranking(name).rows
        if rows:
            before = ranking.value(ranking.row(rows[0].method).mean)
            after = ranking.value(rows[0].mean)
            said[name] = f"{rows[0].method} reaches {after} instead of {before} ({ranking.words.name})."
    return said


def _quick_methods(study: Study, results: Results, dataset: Dataset, seconds: float) -> tuple[MethodSpec, ...]:
    """Return the best methods that a second study has the time for, baselines not counted."""
    frame = results.frame()
    times = frame[frame["dataset"] == dataset.name].groupby("method")["fit seconds"].mean()
    n_fits = len(frame[(frame["dataset"] == dataset.name) & (frame["repeat"] == 0)]) / len(study.methods)
    ranked = [row.method for row in results.ranking(dataset.name).rows if row.method not in results.baselines]
    quick = [name for name in ranked if times[name] * n_fits <= _QUICK * seconds][:_METHODS]
    return tuple(method for method in study.methods if method.name in quick)
