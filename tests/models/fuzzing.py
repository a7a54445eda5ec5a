"""Loads forged model files and asks their models, in processes that may crash."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import Pipeline

from covey import load_model
from models.golden import read_cases, write_case
from models.mutations import forge, open_draft
from models.specimens import answers, names, specimen

SECONDS = 20
MOST_MEMORY = 2**32
# What a process may grow by while it loads one of the files, each of a few kilobytes, and asks its model.
MOST_GROWTH = 2**28
REFUSED, HARMLESS = "refused", "harmless"


@dataclass
class Tally:
    """What became of forgeries."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def fitting_rows(model: Any, rows: Any) -> Any:
    """Return rows as a model asks for them: its columns may have become others, without harm."""
    n_columns = getattr(model, "n_features_in_", rows.shape[1])
    taken = np.arange(n_columns) % rows.shape[1]
    if not isinstance(rows, pd.DataFrame):
        return rows[:, taken]
    first = model[0] if isinstance(model, Pipeline) else model
    own = list(rows.columns) if n_columns == rows.shape[1] else [f"x{place}" for place in range(n_columns)]
    names = getattr(first, "feature_names_in_", own)
    rows = rows.iloc[:, taken].set_axis(names, axis=1)
    for name, known in zip(names, categories_of(first), strict=False):
        rows[name] = _fitting_column(rows[name], known)
    return rows


def categories_of(model: Any) -> Any:
    """Return the categories of each column that a model knows, None for a column of numbers."""
    if hasattr(model, "schema_"):
        return model.schema_.categories
    if getattr(model, "is_categorical_", None) is None:
        return [None] * getattr(model, "n_features_in_", 0)
    known = iter(model._preprocessor.named_transformers_["encoder"].categories_)
    return [next(known) if is_categorical else None for is_categorical in model.is_categorical_]


def filled(rows: Any) -> Any:
    """Return rows without missing values."""
    if not isinstance(rows, pd.DataFrame):
        return np.nan_to_num(rows)
    return rows.apply(lambda column: column.fillna(0.0 if column.dtype.kind == "f" else column.dropna().iloc[0]))


def _fitting_column(column: Any, known: Any) -> Any:
    is_number = pd.api.types.is_numeric_dtype(column)
    if known is None:
        return column if is_number else np.arange(len(column)) % 3
    is_text = known.dtype.kind in "UO"
    return column if is_text != is_number or not len(known) else np.resize(known, len(column))


def check_answers(model: Any, rows: Any) -> None:
    """Fail unless what a model says is finite and of the right shape."""
    for method, said in answers(model, rows).items():
        assert len(said) == len(rows), f"{method} has {len(said)} rows"
        values = np.asarray(said)
        if method == "transform":
            assert values.ndim == 2, f"{method} has {values.ndim} dimensions"
            assert values.dtype.kind == "O" or not np.isinf(values).any(), f"{method} is infinite"
        elif method == "predict_proba":
            assert values.shape == (len(rows), len(model.classes_)), f"{method} has shape {values.shape}"
            assert np.isfinite(values).all(), f"{method} is not finite"
            assert (values >= -1e-9).all(), f"{method} is negative"
            assert np.allclose(values.sum(axis=1), 1.0, atol=1e-6), f"{method} does not add up to 1"
        elif hasattr(model, "classes_"):
            assert values.shape == (len(rows),), f"{method} has shape {values.shape}"
            assert np.isin(values, model.classes_).all(), f"{method} gives no class"
        else:
            assert values.shape == (len(rows),), f"{method} has shape {values.shape}"
            assert np.isfinite(values).all(), f"{method} is not finite"


def judge(path: Path, rows: Any) -> str:
    """Return what becomes of a file: refused, harmless, or what is wrong."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        model = load_model(path)
    except ValueError as error:
        verdict = REFUSED if type(error) is ValueError and str(error).startswith(str(path)) else _fault("load", error)
    except Exception as error:
        verdict = _fault("load", error)
    else:
        verdict = _judge_model(model, rows)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return verdict if grown < MOST_GROWTH else f"took {grown / 2**20:.0f} MiB ({verdict})"


def _judge_model(model: Any, rows: Any) -> str:
    try:
        rows = fitting_rows(model, rows)
        try:
            check_answers(model, rows)
        except ValueError as error:
            if "contains NaN" not in str(error):
                raise
            check_answers(model, filled(rows))  # it may have become one that takes no gaps
    except NotFittedError:
        return HARMLESS  # a file may hold a model that is not fitted
    except Exception as error:
        return _fault("predict", error)
    return HARMLESS


def _fault(when: str, error: Exception) -> str:
    frames = [f"{Path(one.filename).name}:{one.lineno}" for one in traceback.extract_tb(error.__traceback__)[-3:]]
    return f"{when}: {type(error).__name__}: {error!s:.160} [{' '.join(frames)}]"


def main() -> None:
    """Judge the forgeries of some numbers, in a process whose time and memory are limited."""
    folder, seed, first, last = Path(sys.argv[1]), *map(int, sys.argv[2:])
    warnings.simplefilter("ignore")
    report = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # a model may be told to be verbose
    cases = read_cases(folder)
    drafts = {name: open_draft(case.path) for name, case in cases.items()}
    for case in cases.values():  # so that what is loaded and compiled once is not counted
        assert judge(case.path, case.rows) == HARMLESS, case.path
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MOST_MEMORY, used + MOST_MEMORY))
    with tempfile.TemporaryDirectory(dir=folder) as room:
        path = Path(room) / "forged.covey"
        for number in range(first, last):
            spent = resource.getrusage(resource.RUSAGE_SELF)
            limit = int(spent.ru_utime + spent.ru_stime) + SECONDS
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            name, what = forge(drafts, folder, seed, number, path)
            print(json.dumps([number, name, what]), file=report)
            print(json.dumps(judge(path, cases[name].rows)), file=report)


def write_specimens(folder: Path) -> None:
    """Write what forgeries are made of."""
    for name in names():
        write_case(folder, name, specimen(name))


def run(folder: Path, seed: int, count: int, *, workers: int = 1, **environment: str) -> Tally:
    """Judge forgeries of the files in a folder, in processes of their own."""
    tally, step = Tally(), -(-count // workers)
    spans = [(first, min(first + step, count)) for first in range(0, count, step)]
    with ThreadPoolExecutor(workers) as pool:
        for verdicts in pool.map(lambda span: list(_verdicts(folder, seed, *span, environment)), spans):
            for what, verdict in verdicts:
                sound = verdict in (REFUSED, HARMLESS)
                tally.counts[verdict if sound else "fault"] += 1
                if not sound:
                    tally.faults.append(f"{what}: {verdict}")
    return tally


def _verdicts(folder: Path, seed: int, first: int, last: int, environment: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Give what each forgery was and what became of it; one that ends its process is the last of that process."""
    while first < last:
        done = subprocess.run(
            [sys.executable, "-m", "models.fuzzing", str(folder), str(seed), str(first), str(last)],
            capture_output=True,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
            cwd=Path(__file__).parent.parent,
        )
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for what, verdict in zip(lines[::2], lines[1::2], strict=False):
            yield f"seed {seed}, {what[0]}, {what[1]}: {what[2]}", verdict
        assert lines, f"no forgery was judged: {done.stderr[-2000:]}"
        first = lines[-2 + len(lines) % 2][0] + 1
        if len(lines) % 2:
            yield f"seed {seed}, {lines[-1]}", f"ended the process with {done.returncode}: {done.stderr[-500:]}"
        elif first < last:
            raise AssertionError(f"the process ended early: {done.stderr[-2000:]}")


if __name__ == "__main__":
    main()
