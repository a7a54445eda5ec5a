"""What explains that ratios differ from one machine to another: caches, instruction sets, and the peers' threads."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import llvmlite.binding as llvm
from threadpoolctl import threadpool_info

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
# Instruction sets that kernels and the peers' linear algebra make use of.
SETS = ("avx", "avx2", "fma", "avx512f", "avx512bw", "neon", "sve")


def caches() -> str:
    """Return the sizes of the caches of a core, if the system tells them."""
    sizes = []
    for index in sorted(CACHES.glob("index*")):
        kind, level, size = ((index / name).read_text().strip() for name in ("type", "level", "size"))
        if kind != "Instruction":
            sizes.append(f"L{level} {size}")
    return ", ".join(sizes) or "caches unknown"


def instruction_sets() -> str:
    """Return for what processor kernels are compiled, and the instruction sets among those that matter."""
    features = llvm.get_host_cpu_features()
    return f"{llvm.get_host_cpu_name()} ({' '.join(name for name in SETS if features.get(name)) or 'none known'})"


def peer_threads() -> str:
    """Return the threads of the libraries that peers use, and what linear algebra is made for."""
    pools = [
        f"{pool['internal_api']} {pool['num_threads']}"
        + (f" ({pool['architecture']})" if "architecture" in pool else "")
        for pool in threadpool_info()
    ]
    return ", ".join(pools) or "none"


def load() -> str:
    """Return how many processes wanted to run in the last minute, and on how many cores."""
    busy = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return f"{os.cpu_count()} cores, load {busy}"


def machine() -> str:
    """Return lines that describe the machine and the threads of the peers at this moment."""
    return (
        f"{platform.machine()}, {load()}; {caches()}\n"
        f"kernels compiled for {instruction_sets()}; threads of the peers' libraries: {peer_threads()}"
    )
