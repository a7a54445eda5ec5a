from __future__ import annotations

import os

import pytest

from study.pool_watch import LINUX, children


@pytest.fixture
def nothing_left_behind(capfd):
    """No process, no open file and no word remains of any test."""
    if not LINUX:
        yield
        return
    processes, n_files = children(), len(os.listdir("/proc/self/fd"))
    yield
    assert children() <= processes  # those of other tests, such as joblib's, may leave meanwhile
    assert len(os.listdir("/proc/self/fd")) <= n_files
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def path(tmp_path):
    """The file of a store."""
    return tmp_path / "results.sqlite"
