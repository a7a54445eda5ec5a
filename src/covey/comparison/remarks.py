"""What must be known before the ranking: leaks and what scores are without them, rare classes, outliers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._text import duration
from covey.comparison.leaks import Leak, repeated_rows
from covey.comparison.question import Question, after_run
from covey.comparison.stages import sample_rows
from covey.datasets import Dataset
from covey.study import DataSpec, Results, Study, run_study
from covey.study.shortlist import combination_of

# The best methods that are quick are tried again, up to so many.
_METHODS = 2
# A method is quick if its fits took this share of the time that there is: without the leak they will take longer.
_QUICK = 1 / 3
# What a method may take on one worker unless there is less time.
SECONDS = 30.0


def remarks_on(
    study: Study,
    results: Results,
    question: Question,
    leaks: Mapping[str, Sequence[Leak]],
    store: str | os.PathLike[str],
    *,
    n_workers: int = 1,
    seconds: float = SECONDS,
) -> tuple[str, ...]:
    """Return the remarks on a comparison: leaks of each dataset by its name, the question, and what came of it.

    The other parameters are those of `scores_without`.
    """
    leaking: list[str] = []
    outcomes: list[str] = []
    for spec in study.datasets:
        dataset, several = spec.load(), len(study.datasets) > 1
        texts = scores_without(study, results, dataset, leaks[spec.name], store, n_workers=n_workers, seconds=seconds)
        leaking += [f"{spec.name}: {text}" if several else text for text in texts]
        outcomes += after_run(results, dataset, question)
    return (*leaking, *question.remarks, *outcomes, *_short_of_time(study, results))


def _short_of_time(study: Study, results: Results) -> Iterator[str]:
    """Say how long each fit of a combination might take, where that was too little for some of its members."""
    for method in study.methods:
        limit = (combination_of(method) or {}).get("budget")
        if limit and any("larger budget" in text for text in results.warnings.get(method.name, ())):
            yield (
                f"{method.name} had {duration(limit)} for each fit, too little to train all its members on all rows. "
                "A larger budget gives it more."
            )


def scores_without(
    study: Study,
    results: Results,
    dataset: Dataset,
    leaks: Sequence[Leak],
    store: str | os.PathLike[str],
    *,
    n_workers: int = 1,
    seconds: float = SECONDS,
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
        The time that a method may take on one worker; with 0 there is no second study.

    Returns
    -------
    tuple of str
        To be shown before the ranking. There are no scores where no method is quick enough, and nothing is said of what
        makes no difference to them.
    """
    if not leaks:
        return ()
    n_rows = next(data.n_rows for data in results.record.datasets if data.name == dataset.name)
    dataset = sample_rows(dataset, n_rows, study.seed)
    columns = [leak for leak in leaks if leak.columns]
    names = [name for leak in columns for name in leak.columns]
    groups, variants = {"it" if len(names) == 1 else "these columns": columns}, {}
    groups["the copies"] = [leak for leak in leaks if not leak.columns]
    if names and len(names) < dataset.n_features:
        variants[next(iter(groups))] = replace(dataset, frame=dataset.frame.drop(columns=names))
    if groups["the copies"]:
        variants["the copies"] = _rows_of(dataset, np.flatnonzero(~repeated_rows(dataset)))
    again = _run_again(study, results, variants, store, n_workers, seconds)
    sentences = []
    for what, some in groups.items():
        texts = [leak.sentence for leak in some]
        if again.get(what) == "":
            continue
        if what in again:
            texts[-1] += f" Without {what} {again[what]}"
        sentences += texts
    return tuple(sentences)


def _rows_of(dataset: Dataset, rows: NDArray[Any]) -> Dataset:
    frame, target = dataset.frame.iloc[rows], dataset.target.iloc[rows]
    return replace(dataset, frame=frame.reset_index(drop=True), target=target.reset_index(drop=True))


def _run_again(
    study: Study,
    results: Results,
    variants: Mapping[str, Dataset],
    store: str | os.PathLike[str],
    n_workers: int,
    seconds: float,
) -> dict[str, str]:
    """Say how well the best of the quick methods does on each variant of a dataset, by what the variant lacks.

    It is "" where that is no worse.
    """
    if not variants:
        return {}
    dataset = next(iter(variants.values())).name
    ranking, protocol = results.ranking(dataset), study.protocol.lasting()
    ranked = [row for row in ranking.rows if row.method not in results.baselines]
    quick = [row for row in ranked if row.fit_seconds * protocol.n_fits <= _QUICK * seconds][:_METHODS]
    if not quick:
        return {}
    names = [row.method for row in quick]
    second = replace(
        study,
        name=f"{dataset} without leaks",
        datasets=tuple(DataSpec(f"{dataset} without {what}", dataset, held=data) for what, data in variants.items()),
        methods=tuple(method for method in study.methods if method.name in names),
        protocol=protocol,
        metrics=(ranking.metric,),
    )
    Path(store).parent.mkdir(exist_ok=True)
    try:
        outcome = run_study(second, store, n_workers=n_workers, until=monotonic() + seconds)
    except ValueError:  # of data that cannot be divided so any more
        return {}
    said = {}
    for what in variants:
        # Of those that were as good as the best of them, the one that is best now.
        level = [row.method for row in quick if row.mean == quick[0].mean]
        rows = [row for row in outcome.ranking(f"{dataset} without {what}").rows if row.method in level]
        if rows:
            before, after = ranking.value(quick[0].mean), ranking.value(rows[0].mean)
            loss = (quick[0].mean - rows[0].mean) * (1 if ranking.larger_is_better else -1)
            told = f"{rows[0].method} reaches {after} instead of {before} ({ranking.words.name})."
            said[what] = told if loss > 0 and after != before else ""
    return said
