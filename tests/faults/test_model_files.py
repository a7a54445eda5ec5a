"""Many forged model files, their models run by kernels that check every index."""

import os
import subprocess
import sys
from zlib import crc32

import pytest

from covey.kernels.compile import HERE
from models.fuzzing import HARMLESS, REFUSED, run, write_specimens

COUNT = 20_000
OUT_OF_BOUNDS = """
import numpy as np
from covey.kernels.compile import Floats, kernel, loop

@loop
def item(values, place):
    return values[place]

@kernel
def look(values: Floats, place: int) -> float:
    return item(values, place)

look(np.zeros(1), 3)
"""


@pytest.fixture
def checked(request):
    """Return what makes kernels check indices; they are kept apart, since numba takes others for them."""
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.py")))
    kept = request.config.cache.mkdir(f"checked-kernels-{crc32(sources):08x}")
    return {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(kept)}


def test_kernels_check_indices(checked):
    done = subprocess.run(
        [sys.executable, "-c", OUT_OF_BOUNDS], env={**os.environ, **checked}, capture_output=True, text=True
    )
    assert "IndexError" in done.stderr


def test_forged_files_are_refused_or_harmless(checked, tmp_path):
    write_specimens(tmp_path)
    run(tmp_path, 0, 1, **checked)  # which compiles, once for all workers
    tally = run(tmp_path, 1, COUNT, workers=os.cpu_count() or 1, **checked)
    assert tally.faults == []
    assert tally.counts[REFUSED] + tally.counts[HARMLESS] == COUNT
