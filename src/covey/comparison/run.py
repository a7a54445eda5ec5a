"""Comparing a shortlist of methods on one's own data: a study of it, its ranking, its report and the best model."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

from covey._text import listed
from covey.comparison.outcome import REPORT, Comparison
from covey.datasets import Dataset
from covey.datasets.choice import Choice
from covey.datasets.leaving_out import leave_out, rare_classes
from covey.datasets.roles import DataLike, check_target, notes_of_reading, read_data, sentences
from covey.study import CycledFolds, DataSpec, MethodSpec, Progress, Study, run_study
from covey.study.metrics import check_metrics_of
from covey.study.record import usable_cores
from covey.study.shortlist import Chosen, choose_methods
from covey.study.spec import Task

STORE = "results.store"

# The first one ranks.
METRICS: Mapping[str, tuple[str, ...]] = {
    "classification": ("accuracy", "balanced_accuracy", "neg_log_loss"),
    "regression": ("r2", "neg_root_mean_squared_error", "neg_mean_absolute_error"),
}


def compare(
    data: DataLike | list[DataLike],
    target: str | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
    text: Sequence[str] = (),
    missing: Sequence[str] = (),
    keep: Sequence[str] = (),
    task: Task | None = None,
    metrics: Sequence[str] | None = None,
    methods: Sequence[str | MethodSpec] | None = None,
    n_folds: int = 5,
    n_repeats: int = 3,
    n_estimators: int | None = None,
    seed: int = 0,
    n_workers: int | None = None,
    cluster: str | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    retry_failed: bool = False,
    trust: Collection[str] = (),
    save_best: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Comparison:
    """Compare ensembles and other learners on some data, and find out which to use.

    Repeated cross-validation, stratified by class, of covey's combination, its ensembles and what people use today:
    random forest, extra trees, gradient boosting (LightGBM, XGBoost and CatBoost too where they are installed), a
    linear model, nearest neighbours, and a baseline that looks at no column.

    Parameters
    ----------
    data : path, name, Dataset, frame, pair (X, y), or list of such
        A CSV, Excel, Parquet or ARFF file, a dataset that `covey.datasets.load` knows, or data in memory.
    target : str, optional
        The column to predict; known datasets have their own, and keep it where they lack the column among other data.
        Of a pair (X, y), what to call y.
    out : path, optional
        A folder for results and report. What it has from an earlier call is not run again. By default nothing is left.
    drop : sequence of str
        Columns to leave out.
    categorical, text : sequence of str
        Columns to be categories whatever they hold, and columns of free text that are to become character n-grams.
    missing : sequence of str
        What stands for a missing value in any column, besides the usual.
    keep : sequence of str
        Columns to keep that are left out by themselves otherwise, with a note: those without a value or with one only,
        those that number the rows, and those that differ in most rows as names and free text do.
    task : {"classification", "regression"}, optional
        By default what the target looks like.
    metrics : sequence of str, optional
        Scorers of scikit-learn, or "error"; the first one ranks. By default accuracy, balanced accuracy and log-loss,
        or r2, root mean squared error and mean absolute error.
    methods : sequence of str or MethodSpec, optional
        Names of the shortlist, ids of published systems (`covey.methods`), or import paths of estimators; by default
        the shortlist.
    n_folds, n_repeats : int, default=5, 3
        Of the cross-validation.
    n_estimators : int, optional
        Members of every ensemble and rounds of every boosting, whatever the method calls them (``max_iter`` in
        histogram gradient boosting, ``iterations`` in CatBoost); by default each method's own. The combination,
        "covey", keeps its own.
    seed : int, default=0
        From which everything random follows.
    n_workers : int, optional
        Processes, of one thread each; by default one per core.
    cluster, timeout, memory, retry_failed
        See `covey.study.run_study`.
    trust : collection of str
        Packages that may be imported besides covey, scikit-learn and the known boosting packages.
    save_best : path, optional
        Where to write the best method, trained on all rows. What cannot be saved is not tried.
    progress : callable, optional
        Called with a `covey.study.Progress` after every fit.

    Returns
    -------
    Comparison
        It prints as the ranking, and knows the best method, the report and the model.

    Raises
    ------
    Exception
        Whatever kept the report or the best model from being written; the other is written all the same, and a note of
        the exception says where the results are kept.

    Examples
    --------
    >>> from covey import compare
    >>> found = compare("iris", methods=["c4.5", "baseline"], n_repeats=1, n_workers=1)
    >>> found.best
    'c4.5'
    """
    loaded, notes = _load(data, Choice(target, drop, categorical, text, missing, keep), task, n_folds)
    kind = _common_task(loaded)
    chosen = choose_methods(methods, kind, loaded, trust, n_estimators)
    if save_best is not None:
        chosen = _savable(chosen, loaded, Path(save_best))
    names = [dataset.name for dataset in loaded]
    study = Study(
        name=f"Comparison on {listed(names) if len(names) <= 3 else f'{len(names)} datasets'}",
        datasets=tuple(DataSpec(data.name, data.provenance.location or data.name, held=data) for data in loaded),
        methods=chosen.methods,
        protocol=CycledFolds(n_cycles=n_repeats, n_folds=n_folds, stratified=kind == "classification"),
        metrics=tuple(METRICS[kind] if metrics is None else metrics),
        seed=seed,
        task=kind,
    )
    if metrics is not None:
        check_metrics_of(study.metrics, study.methods, loaded)
    with _folder(out) as folder:
        results = run_study(
            study,
            folder / STORE,
            n_workers=usable_cores() if n_workers is None else n_workers,
            timeout=timeout,
            memory=memory,
            retry_failed=retry_failed,
            progress=progress,
            cluster=cluster,
        )
        removal = None if out is not None else finalize(results, rmtree, folder, ignore_errors=True)
    comparison = Comparison(study, results, folder, chosen.left_out, notes)
    written = [comparison.write_report] if out is not None else []
    if save_best is not None:
        written.append(partial(comparison.save_best, save_best))
    _write_all(written, folder, removal)
    return comparison


def _load(data: Any, choice: Choice, task: Task | None, n_folds: int) -> tuple[list[Dataset], tuple[str, ...]]:
    """Return the data without columns of no use, and what was noticed about them."""
    loaded, notes = [], []
    for read in read_data(data, choice, task):
        check_target(read)
        kept, left_out = leave_out(read, choice.keep)
        loaded.append(kept)
        notes += [*notes_of_reading(read), *sentences(read.name, [*left_out, *rare_classes(read, n_folds)])]
    return loaded, tuple(notes)


@contextmanager
def _folder(out: str | os.PathLike[str] | None) -> Iterator[Path]:
    """Give the folder of results; a temporary one goes if there are none."""
    folder = Path(mkdtemp(prefix="covey-")) if out is None else Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield folder
    except BaseException:
        if out is None:
            rmtree(folder, ignore_errors=True)
        raise


def _write_all(written: Sequence[Callable[[], object]], folder: Path, removal: finalize[..., Any] | None) -> None:
    """Write report and model, each whether or not the other can be written; after a failure the results stay."""
    errors = []
    for write in written:
        try:
            write()
        except Exception as error:
            errors.append(error)
    if not errors:
        return
    if removal is not None:
        removal.detach()
    first, *further = errors
    for other in further:
        first.add_note(f"Besides: {other}")
    first.add_note(f"The results are kept in {folder}.")
    if (folder / REPORT).is_file():
        first.add_note(f"The report is {folder / REPORT}.")
    raise first


def _common_task(loaded: Sequence[Dataset]) -> Task:
    tasks = {dataset.task for dataset in loaded}
    if len(tasks) > 1:
        each = ", ".join(f"{dataset.name!r} for {dataset.task}" for dataset in loaded)
        raise ValueError(f"the datasets are for different tasks ({each}); compare them apart, or give task.")
    return tasks.pop()


def _savable(chosen: Chosen, loaded: Sequence[Dataset], path: Path) -> Chosen:
    """Leave out what could not be saved if it were the best, before any work goes into it."""
    from covey.models import can_save

    if len(loaded) > 1:
        raise ValueError(f"save_best={str(path)!r} needs one dataset to train on, and there are {len(loaded)}.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"save_best: there is no directory {path.parent} to save {path.name} in.")
    why = {method.name: can_save(method.make()) for method in chosen.methods}
    kept = tuple(method for method in chosen.methods if why[method.name] is None)
    if not kept:
        raise ValueError(f"none of the methods can be saved: {'; '.join(map(str, why.values()))}")
    return Chosen(kept, {**chosen.left_out, **{name: text for name, text in why.items() if text is not None}})
