"""Compiling of kernels in other processes, which fill the same cache: side by side, and ahead of use."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from covey.kernels.compiling import FAMILIES, family_of, tells_people

ALONE = "COVEY_COMPILES_ALONE"
_CODE = """
import sys
sys.path[:] = {path!r}
from importlib import import_module
for name in {modules!r}:
    import_module(name)
"""
_begun: dict[str, subprocess.Popen[bytes] | None] = {}  # by what they compile; a process is kept for as long as it runs


def compile_beside(module: str) -> None:
    """Have another process compile the other kernels that go with those of a module, if any of these must be compiled.

    It begins with those that are needed last, so that both seldom come to the same. Whoever comes to need them waits
    for it, or compiles what it has not: nothing depends on how that process fares.
    """
    family = family_of(module)
    if family is None or family in _begun:
        return
    _begun[family] = None
    others = [name for name in FAMILIES[family] if f"{__package__}.{name}" not in sys.modules]
    wanted = bool(others) and ALONE not in os.environ and tells_people() and _cores() > 1
    if wanted and not is_cached(module.rpartition(".")[2]) and os.access(_cache(), os.W_OK):
        _begun[family] = _start(others[::-1])


def compile_all() -> None:
    """Compile all kernels that have not been, on all cores: each process goes round all modules from another on."""
    modules = [name for names in FAMILIES.values() for name in names]
    n_processes = min(_cores(), len(modules))
    starts = [len(modules) * place // n_processes for place in range(n_processes)]
    processes = [_start([*modules[start:], *modules[:start]]) for start in starts]
    codes = [process.wait() for process in processes if process is not None]
    if not codes or any(codes):
        raise RuntimeError("A process that compiles kernels failed; import covey.kernels.grow shows why.")


def is_cached(module: str) -> bool:
    """Return whether the cache has compiled kernels of a module."""
    return any(_cache().rglob(f"{module}.*.nbc"))


def _cache() -> Path:
    """Return where numba looks for compiled kernels first: the folder of the environment, or beside the sources."""
    named = os.environ.get("NUMBA_CACHE_DIR")
    return Path(named) if named else Path(__file__).parent / "__pycache__"


def _start(modules: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """Start a process that imports modules of kernels; None where no process can be started."""
    code = _CODE.format(path=sys.path, modules=[f"{__package__}.{name}" for name in modules])
    nothing = subprocess.DEVNULL
    try:
        return subprocess.Popen(
            [sys.executable, "-c", code],
            env={**os.environ, ALONE: "1"},
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            start_new_session=True,  # Ctrl-C is for the process that fits
        )
    except (OSError, ValueError):
        return None


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
