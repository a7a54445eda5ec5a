"""Comparing a shortlist of methods on one's own data: a study of it, its ranking, its report and the best model."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from html import unescape
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Literal
from weakref import finalize

from covey._arguments import check_count
from covey._text import listed
from covey.comparison.arguments import data_and_target, metrics_and_notes, weighted
from covey.comparison.budget import Clock, read_budget
from covey.comparison.explanation import explain_best
from covey.comparison.leaks import Leak, find_leaks
from covey.comparison.outcome import REPORT, Comparison
from covey.comparison.question import Question, ask
from covey.comparison.remarks import SECONDS, remarks_on
from covey.comparison.stages import Staged, run_in_stages
from covey.comparison.telling import Lines, is_interactive
from covey.datasets import Dataset
from covey.datasets.choice import Choice
from covey.datasets.leaving_out import leave_out, rare_classes
from covey.datasets.roles import DataLike, check_target, notes_of_reading, read_data, sentences
from covey.study import CycledFolds, DataSpec, MethodSpec, Progress, Results, Study
from covey.study.cell import content_of
from covey.study.metrics import check_metrics_of
from covey.study.recipes import import_paths
from covey.study.record import StudyRecord
from covey.study.shortlist import Chosen, MethodsLike, choose_methods, suited
from covey.study.spec import Task
from covey.study.store import Store
from covey.study.workers import usable_cores

STORE = "results.store"
# Apart from the store of the comparison, so that a folder has one.
WITHOUT_LEAKS = Path("checks", STORE)
# Seconds for what the best method looks at, at most, and for the report.
EXPLAINING, REPORTING = 60.0, 5.0
# A report's title is among so many characters.
_HEAD = 10_000


def compare(
    data: DataLike | list[DataLike],
    target: str | DataLike | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
    text: Sequence[str] = (),
    missing: Sequence[str] = (),
    keep: Sequence[str] = (),
    task: Task | None = None,
    metrics: Sequence[str] | None = None,
    positive: object = None,
    methods: MethodsLike | None = None,
    class_weight: Literal["balanced"] | None = None,
    log_target: bool = False,
    budget: float | str | timedelta | Clock | None = None,
    n_folds: int = 5,
    n_repeats: int | None = None,
    n_estimators: int | None = None,
    seed: int = 0,
    n_workers: int | None = None,
    cluster: str | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    retry_failed: bool = False,
    trust: Collection[str] = (),
    save_best: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    progress: Callable[[Progress], None] | None = None,
    verbose: int | None = None,
) -> Comparison:
    """Compare ensembles and other learners on some data, and find out which to use.

    Repeated cross-validation, stratified by class, of covey's combination, its ensembles and what people use today:
    random forest, extra trees, gradient boosting (LightGBM, XGBoost and CatBoost too where they are installed), a
    linear model, nearest neighbours, and a baseline that looks at no column.

    Parameters
    ----------
    data : path, name, Dataset, frame, pair (X, y), or list of such
        A CSV, Excel, Parquet or ARFF file, a dataset that `covey.datasets.load` knows, or data in memory.
    target : str or array-like, optional
        The column to predict; known datasets have their own, and keep it where they lack the column among other data.
        Of a pair (X, y), what to call y. Or y itself: ``compare(X, y)``.
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
        Scorers of scikit-learn, or "error"; the first one ranks. By default accuracy, or R² of numbers; but average
        precision of a rare class, balanced accuracy where one of several classes is common, and mean absolute error
        where few numbers own the variance, with a remark that says so.
    positive : label, optional
        The class of two that counts in precision, recall, F1, average precision and likelihood ratios; without
        `metrics` they are told beside the default ones. By default the class that is called 1, true or yes, or else
        the rarer, with a note. A metric may name its class itself: "recall[ill]".
    methods : sequence or mapping, optional
        Names of the shortlist, ids of published systems (`covey.methods`), import paths of estimators, and estimators
        such as ``SVC(C=2)``, with names as pairs ``("mine", SVC())`` or ``{"mine": SVC()}``; by default the shortlist.
        Estimators get frames whose text is of category type, and new random states for every fit.
    class_weight : "balanced", optional
        Let rows of rare classes weigh more with every method that has such a parameter; a note names the others.
    log_target : bool, default=False
        Whether methods are trained on logarithms of the target, which must be above 0. Predictions and scores are of
        the target itself, and so is what a saved model predicts.
    budget : float, str or timedelta, optional
        The time that everything may take: seconds, or text such as "10m" or "2h"; "none" for no limit. By default five
        minutes. Quick methods come first, then slow ones; large data are first compared on a part of the rows, then on
        more as long as there is time. What was not done is among the remarks.
    n_folds : int, default=5
        Of the cross-validation.
    n_repeats : int, optional
        How often it is repeated; by default once, and up to ten times while the answer is unclear and there is time.
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
    overwrite : bool, default=False
        Whether the report of a comparison on other data, or with another target, in the folder may be written over.
    progress : callable, optional
        Called with a `covey.study.Progress` after every fit, such as ``print``. If it has a method ``under_way``, that
        is called with what is under way, a line for each fit; and ``doing`` with what is done after the fits.
    verbose : int, optional
        1 prints how far it is, now and then, where there is no `progress`; 0 prints nothing. By default 1 in notebooks
        and other interactive sessions.

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
    >>> comparison = compare("iris", methods=["c4.5", "baseline"], n_repeats=1, n_workers=1)
    >>> comparison.best
    'c4.5'
    """
    clock = budget if isinstance(budget, Clock) else Clock(read_budget(budget))
    if n_repeats is not None:
        check_count("n_repeats", n_repeats, 1)
    if progress is None and (is_interactive() if verbose is None else verbose):
        progress = Lines()
    data, target = data_and_target(data, target)
    loaded, notes = _load(data, Choice(target, drop, categorical, text, missing, keep), task, n_folds)
    kind = _common_task(loaded)
    chosen, unweighted = weighted(choose_methods(methods, kind, loaded, trust, n_estimators), class_weight, kind)
    question = ask(*loaded, metrics=metrics, positive=positive, methods=chosen.methods, log_target=log_target)
    scored, counted = metrics_and_notes(metrics, question.metrics, question.positive, loaded)
    chosen = suited(chosen, scored[0], log_target, loaded)
    leaks = {dataset.name: find_leaks(dataset, seed) for dataset in loaded}
    if save_best is not None:
        chosen = _savable(chosen, loaded, Path(save_best))
    study = _make_study(loaded, chosen, scored, n_folds, seed)
    if metrics is not None:
        check_metrics_of(study.metrics, study.methods, loaded)
    workers = usable_cores() if n_workers is None else n_workers
    running: dict[str, Any] = {"n_workers": workers, "timeout": timeout, "memory": memory, "cluster": cluster}
    running |= {"retry_failed": retry_failed, "under_way": getattr(progress, "under_way", None)}
    if out is not None and not overwrite:
        _refuse_other(Path(out), study)
    with _folder(out) as folder:
        store, refit = folder / STORE, save_best is not None
        staged = run_in_stages(study, store, clock, n_repeats=n_repeats, refit=refit, progress=progress, **running)
        doing = getattr(progress, "doing", _say_nothing)
        doing("comparing without leaks" if any(leaks.values()) else "looking at the results")
        results = _with_remarks(staged, question, leaks, folder / WITHOUT_LEAKS, clock, workers)
        if out is not None:
            explain_best(staged.study, results, seconds=_left_for(clock, EXPLAINING), progress=doing)
        removal = None if out is not None else finalize(results, rmtree, folder, ignore_errors=True)
    comparison = Comparison(
        staged.on_all_rows, results, folder, chosen.left_out, (*notes, *chosen.notes, *counted, *unweighted)
    )
    written: dict[str, Callable[[], object]] = {} if out is None else {"writing the report": comparison.write_report}
    if save_best is not None:
        written["training the best method on all rows"] = partial(comparison.save_best, save_best)
    _write_all(written, doing, folder, removal)
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


def _make_study(loaded: Sequence[Dataset], chosen: Chosen, metrics: tuple[str, ...], n_folds: int, seed: int) -> Study:
    names, task = [dataset.name for dataset in loaded], loaded[0].task
    return Study(
        name=f"Comparison on {listed(names) if len(names) <= 3 else f'{len(names)} datasets'}",
        datasets=tuple(DataSpec(data.name, _source_of(data), held=data) for data in loaded),
        methods=chosen.methods,
        protocol=CycledFolds(n_cycles=1, n_folds=n_folds, stratified=task == "classification"),
        metrics=metrics,
        seed=seed,
        task=task,
    )


def _source_of(data: Dataset) -> str:
    """Return where data come from: a file by its full path, so that it is known from any directory."""
    place = data.provenance.location or data.name
    return os.path.abspath(place) if os.path.isfile(place) else place


def _refuse_other(folder: Path, study: Study) -> None:
    """Refuse to write over the report of a comparison on other data, or with another target, before any work."""
    store, report = folder / STORE, folder / REPORT
    if not (store.is_file() and report.is_file()):
        return
    with Store.open(store, write=False) as kept:
        studies = kept.studies()
    # Where one comparison was written over by another the store has both, and the report is of the last.
    title = _title_of(report)
    known = [studies[title]] if title in studies else list(studies.values())
    if known and not any(_is_of_same(record, study) for record in known):
        named = [data.source if os.path.isabs(data.source) else data.name for data in known[0].datasets]
        what = listed([f"target {data.target} of {name}" for name, data in zip(named, known[0].datasets, strict=True)])
        raise FileExistsError(f"{report} is of another comparison ({what}); name another out=, or give overwrite=True.")


def _title_of(report: Path) -> str:
    """Return the title of a report, which is the name of its study; "" if it has none."""
    with report.open(encoding="utf-8", errors="replace") as page:
        title = re.search("<title>(.*?)</title>", page.read(_HEAD), re.DOTALL)
    return unescape(title[1]) if title else ""


def _is_of_same(record: StudyRecord, study: Study) -> bool:
    """Whether a study was of the same data and targets: the same values, or now others in the same place."""
    if len(record.datasets) != len(study.datasets):
        return False
    for kept, ours in zip(record.datasets, study.datasets, strict=True):
        data, has_file = ours.load(), os.path.isabs(kept.source) or os.path.isabs(ours.source)
        same_place = kept.source == ours.source if has_file else kept.name == ours.name
        if kept.target != str(data.target.name) or not (same_place or kept.content == content_of(data)):
            return False
    return True


def _with_remarks(
    staged: Staged,
    question: Question,
    leaks: Mapping[str, Sequence[Leak]],
    store: Path,
    clock: Clock,
    n_workers: int,
) -> Results:
    """Return the results with what must be known before the ranking: leaks, the question, what was not done."""
    seconds = _left_for(clock, SECONDS)
    told = remarks_on(staged.study, staged.results, question, leaks, store, n_workers=n_workers, seconds=seconds)
    return staged.results.with_remarks((*told, *staged.remarks))


def _left_for(clock: Clock, most: float) -> float:
    """Return the seconds for something that comes after the fits: half of what is left at most."""
    return max(min(most, (clock.left() - REPORTING) / 2), 1.0)


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


def _say_nothing(text: str) -> None:
    """Take what is being done."""


def _write_all(
    written: Mapping[str, Callable[[], object]],
    doing: Callable[[str], object],
    folder: Path,
    removal: finalize[..., Any] | None,
) -> None:
    """Write report and model, each whether or not the other can be written; after a failure the results stay."""
    errors = []
    for what, write in written.items():
        doing(what)
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


def _names_classes(method: MethodSpec) -> bool:
    return any(import_paths(method.path, dict(method.params)))


def _savable(chosen: Chosen, loaded: Sequence[Dataset], path: Path) -> Chosen:
    """Leave out what could not be saved if it were the best, before any work goes into it."""
    from covey.models import can_save

    if len(loaded) > 1:
        raise ValueError(f"save_best={str(path)!r} needs one dataset to train on, and there are {len(loaded)}.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"save_best: there is no directory {path.parent} to save {path.name} in.")
    # Published systems can be saved; trying it would compile their kernels before anything is compared.
    foreign = [method for method in chosen.methods if method.held is not None or _names_classes(method)]
    why = {method.name: can_save(method.make()) if method in foreign else None for method in chosen.methods}
    kept = tuple(method for method in chosen.methods if why[method.name] is None)
    if not kept:
        raise ValueError(f"none of the methods can be saved: {'; '.join(map(str, why.values()))}")
    left_out = {**chosen.left_out, **{name: text for name, text in why.items() if text is not None}}
    return replace(chosen, methods=kept, left_out=left_out)
