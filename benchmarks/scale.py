"""Every estimator with its default arguments on data of growing size, beside scikit-learn's forest of 100 trees.

CPU seconds of one fit on one thread, each in a process of its own that is ended at a limit; the peak of its memory, and
the exponent by which time grows with rows. Results are kept in a file as they come, so that a run can be stopped and
taken up again. Run by ``make bench-scale``, which writes docs/scale.md.
"""

from __future__ import annotations

import argparse
import inspect
import json
import math
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from measure import peak_memory_gb, verdict
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import covey
from covey.kernels.compiling import compiled_seconds

MOST_TIMES = 20.0
FOREST = "scikit-learn's forest"
# What regressors are held against. It looks at all columns for each split, where that of classes looks at few.
FOREST_OF_NUMBERS = "scikit-learn's forest of numbers"
FORESTS = {FOREST: RandomForestClassifier, FOREST_OF_NUMBERS: RandomForestRegressor}
WARM_ROWS = 300
# Seconds: to look for kernels that are compiled already takes less.
LOADED = 0.05
# Seconds that any fit may take, however fast the forest is.
LEAST_LIMIT = 10.0
# Estimators that cannot do without another one are given a tree.
OF_TREES = ("OneVsOneClassifier",)


class Shape(NamedTuple):
    """Rows to fit.

    Parameters
    ----------
    n_rows, n_columns, n_classes : int
    n_categories : int
        The number of values of each of two categorical columns; 0 for numbers only.
    """

    n_rows: int
    n_columns: int
    n_classes: int = 2
    n_categories: int = 0

    def make(self, *, numeric_target: bool) -> tuple[Any, np.ndarray]:
        """Draw the rows, and classes or numbers to predict."""
        n_numbers = self.n_columns - 2 * (self.n_categories > 0)
        informative = min(10, n_numbers)
        X, y = make_classification(
            self.n_rows,
            n_numbers,
            n_informative=informative,
            n_redundant=0,
            n_classes=self.n_classes,
            n_clusters_per_class=2 if self.n_classes == 2 else 1,
            flip_y=0.01,
            random_state=0,
        )
        random = np.random.default_rng(0)
        if numeric_target:
            y = X @ random.normal(size=n_numbers) + 3.0 * y + random.normal(size=len(y))
        if not self.n_categories:
            return X, y
        frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(n_numbers)])
        for name in ("a", "b"):
            codes = random.integers(self.n_categories, size=len(y))
            frame[name] = pd.Categorical.from_codes(codes, [f"{name}{code}" for code in range(self.n_categories)])
        return frame, y


SHAPES = {
    "10,000 x 20": Shape(10_000, 20),
    "50,000 x 20": Shape(50_000, 20),
    "200,000 x 20": Shape(200_000, 20),
    "100,000 x 100": Shape(100_000, 100),
    "60 x 5,000": Shape(60, 5_000),
    "2,000 x 20, 200 classes": Shape(2_000, 20, n_classes=200),
    "50,000 x 10, 5,000 categories": Shape(50_000, 10, n_categories=5_000),
}
# Between these, time grows with rows alone.
GROWING = tuple(SHAPES)[:3]


def estimators() -> list[str]:
    """Return the names of all estimators of covey, in the order of the alphabet."""
    public = {name: getattr(covey, name) for name in covey.__all__}
    return sorted(name for name, made in public.items() if inspect.isclass(made) and hasattr(made, "predict"))


def make(name: str) -> Any:
    """Return a new estimator with its default arguments."""
    if name in FORESTS:
        return FORESTS[name](100, n_jobs=1, random_state=0)
    kind = getattr(covey, name)
    model = kind(DecisionTreeClassifier()) if name in OF_TREES else kind()
    return model.set_params(random_state=0) if "random_state" in model.get_params() else model


def forest_of(name: str) -> str:
    """Return the forest that an estimator is held against; a forest's own is itself."""
    return FOREST_OF_NUMBERS if name == FOREST_OF_NUMBERS or name.endswith("Regressor") else FOREST


# One fit, in a process of its own


def fit(name: str, shape: Shape, limit: float) -> dict[str, float]:
    """Fit an estimator once and return what that takes; what is compiled has been compiled before."""
    warnings.simplefilter("ignore")
    numeric_target = forest_of(name) == FOREST_OF_NUMBERS
    with threadpool_limits(1):
        small = shape._replace(n_rows=min(shape.n_rows, max(WARM_ROWS, 2 * shape.n_classes)))
        make(name).fit(*_readable(name, *small.make(numeric_target=numeric_target)))
        X, y = _readable(name, *shape.make(numeric_target=numeric_target))
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        before, compiled = time.process_time(), compiled_seconds()
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(before + limit), hard))
        make(name).fit(X, y)
        seconds = time.process_time() - before
        return {"seconds": seconds, "gigabytes": peak_memory_gb(), "compiled": compiled_seconds() - compiled > LOADED}


def _readable(name: str, X: Any, y: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return rows as an estimator takes them: scikit-learn's forests have codes for categories."""
    if name in FORESTS and isinstance(X, pd.DataFrame):
        return X.apply(lambda column: column.cat.codes if column.dtype == "category" else column), y
    return X, y


# All of them


def measured(name: str, size: str, limit: float) -> dict[str, Any]:
    """Fit in another process, and return what it took, that the limit was reached, or what went wrong.

    A fit for which something had to be compiled does not count; it is done again.
    """
    command = [sys.executable, __file__, "--one", name, size, "--limit", str(limit)]
    one_thread = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **one_thread}, check=False)
    if done.returncode == 0:
        result = json.loads(done.stdout.splitlines()[-1])
        return measured(name, size, limit) if result.pop("compiled") else result
    if done.returncode < 0:
        return {"limit": limit}
    return {"error": (done.stderr.strip().splitlines() or ["no message"])[-1]}


def run(names: list[str], sizes: list[str], limit: float, kept: Path, tell: Callable[[str], None]) -> dict[str, Any]:
    """Measure what has not been measured, or only with a lower limit, and keep it."""
    results: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    for size in sizes:
        for name in (*sorted({forest_of(name) for name in names}), *names):
            known = results.setdefault(size, {}).get(name)
            allowed = _allowed(name, results[size].get(forest_of(name), {}), limit)
            if known is None or "error" in known or known.get("limit", math.inf) < allowed:
                hopeless = _fewer_took_longer(name, size, results, allowed)
                results[size][name] = {"limit": allowed} if hopeless else measured(name, size, allowed)
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(results, indent=1))
            tell(line(name, size, results[size]))
    return results


def _allowed(name: str, forest: dict[str, Any], limit: float) -> float:
    """Return how long a fit may take: no longer than shows that it is too long. Forests end."""
    if name in FORESTS:
        return 10 * limit
    return min(limit, max(LEAST_LIMIT, 1.25 * MOST_TIMES * forest.get("seconds", math.inf)))


def _fewer_took_longer(name: str, size: str, results: dict[str, Any], limit: float) -> bool:
    """Whether a fit on no more rows and columns of the same kind was ended at the limit, or a higher one."""
    n_rows, n_columns, *kind = SHAPES[size]
    ended = (other for other in SHAPES if results.get(other, {}).get(name, {}).get("limit", 0.0) >= limit)
    smaller = (SHAPES[other] for other in ended if other != size)
    return any(it.n_rows <= n_rows and it.n_columns <= n_columns and [*it[2:]] == kind for it in smaller)


def line(name: str, size: str, results: dict[str, Any]) -> str:
    """Return one result as a line."""
    seconds, ratio, gigabytes = _cells(name, results)
    low, high = _times(name, results)
    # A fit that was ended below the target may or may not have met it.
    outcome = verdict(high <= MOST_TIMES) if high <= MOST_TIMES or low > MOST_TIMES else ""
    return f"{size:32}{name:36}{seconds:>12}{ratio:>10}{gigabytes:>8}  {outcome}"


def _times(name: str, results: dict[str, Any]) -> tuple[float, float]:
    """Return the least and the most times as long as its forest that an estimator may take, by what was measured."""
    low, high = _seconds(results.get(name))
    least, most = _seconds(results.get(forest_of(name)))
    return low / most, high / least if least else math.inf


def _seconds(result: dict[str, Any] | None) -> tuple[float, float]:
    """Return the least and the most seconds that a fit may take; of one that was ended the least is known."""
    if result is None or "error" in result:
        return 0.0, math.inf
    return (result["limit"], math.inf) if "limit" in result else (result["seconds"], result["seconds"])


def _cells(name: str, results: dict[str, Any]) -> tuple[str, str, str]:
    """Return seconds, how many times as many as the forest's, and gigabytes, for people."""
    result = results.get(name)
    if result is None:
        return "-", "", ""
    if "error" in result:
        return "failed", result["error"][:60], ""
    mark, memory = ("> ", "") if "limit" in result else ("", f"{result['gigabytes']:.2f}")
    return f"{mark}{_short(_seconds(result)[0])} s", _ratio(*_times(name, results)), memory


def _ratio(least: float, most: float) -> str:
    if least == most:
        return _short(least)
    return f"> {_short(least)}" if least else f"< {_short(most)}" if most < math.inf else ""


def _short(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def exponent(name: str, results: dict[str, Any]) -> str:
    """Return the exponent by which time grows, from the fewest rows to the most that ended."""
    times = {SHAPES[size].n_rows: results.get(size, {}).get(name, {}).get("seconds") for size in GROWING}
    ended = [(rows, seconds) for rows, seconds in times.items() if seconds]
    if len(ended) < 2:
        return "-"
    (fewest, least), (most, longest) = ended[0], ended[-1]
    return f"{math.log(longest / least) / math.log(most / fewest):.2f}"


# The page

HEAD = """# Defaults at scale

Every estimator of covey with its default arguments, fitted once on generated data: CPU seconds on one thread, and in
brackets how many times as long as scikit-learn's forest of 100 trees took on the same rows (categories as codes). For
regressors that is scikit-learn's forest of numbers, which looks at all columns for each split. A fit is ended at a
limit, which `>` stands before, and `<` before ratios to a forest that was ended; `-` was not measured. The exponent is
that of the growth of time from 10,000 rows to the most that ended. What is compiled was compiled before. `make
bench-scale` makes this page and goes on where it was stopped; the machine was {machine}.
"""


def page(results: dict[str, Any], names: list[str]) -> str:
    """Return the page: a table of times and one of memory."""
    parts = [HEAD.format(machine=machine())]
    sizes = [size for size in SHAPES if size in results]
    parts += ["## Time", "", *_table(results, [*FORESTS, *names], sizes, _time_cell, ["exponent"]), ""]
    parts += ["## Peak memory of the process, GB", "", *_table(results, [*FORESTS, *names], sizes, _memory_cell, [])]
    return "\n".join(parts) + "\n"


def _time_cell(name: str, results: dict[str, Any]) -> str:
    seconds, ratio, _ = _cells(name, results)
    return seconds.removesuffix(" s") + (f" ({ratio})" if ratio else "")


def _memory_cell(name: str, results: dict[str, Any]) -> str:
    return _cells(name, results)[2] or "-"


def _table(
    results: dict[str, Any], names: list[str], sizes: list[str], cell: Callable[..., str], more: list[str]
) -> Iterator[str]:
    yield "| " + " | ".join(["", *sizes, *more]) + " |"
    yield "|---" + "|---:" * (len(sizes) + len(more)) + "|"
    for name in names:
        cells = [cell(name, results[size]) for size in sizes]
        shown = name if name in FORESTS else f"`{name}`"
        yield "| " + " | ".join([shown, *cells, *([exponent(name, results)] if more else [])]) + " |"


def machine() -> str:
    """Return what explains times: the processor and its caches."""
    information = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    facts = dict(part.split(":", 1) for part in information.replace("\t", "").splitlines() if ":" in part)
    model = facts.get("model name", "an unknown processor").strip()
    return f"{model} with {facts.get('cache size', 'an unknown amount of').strip()} of cache, {os.cpu_count()} cores"


def main() -> None:
    """Measure, print and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--estimators", nargs="+", default=estimators())
    parser.add_argument("--sizes", nargs="+", default=list(SHAPES), help=f"of {list(SHAPES)}")
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds of one fit")
    parser.add_argument("--kept", type=Path, default=Path("build/scale.json"), help="where results are kept")
    parser.add_argument("--page", type=Path, help="where the table goes")
    parser.add_argument("--one", nargs=2, metavar=("NAME", "SIZE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        name, size = arguments.one
        print(json.dumps(fit(name, SHAPES[size], arguments.limit)))
        return
    print(f"{'':68}{'CPU':>12}{'x forest':>10}{'GB':>8}  at most {MOST_TIMES:g} times the forest")
    results = run(
        arguments.estimators, arguments.sizes, arguments.limit, arguments.kept, lambda said: print(said, flush=True)
    )
    if arguments.page:
        arguments.page.write_text(page(results, estimators()))


if __name__ == "__main__":
    main()
