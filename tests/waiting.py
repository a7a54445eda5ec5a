"""Waiting for other processes, on machines that may be busy with much else."""

from __future__ import annotations

import time

# How long anything may take that is certain to happen, in seconds: so much that no load makes it too little.
PATIENCE = 600.0


def wait_until(condition):
    """Wait until a condition holds, and fail rather than wait for ever."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
