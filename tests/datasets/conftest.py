import os
from pathlib import Path

import pytest

_AT_START = [Path(entry).absolute() for entry in os.environ.get("COVEY_DATA", "").split(os.pathsep) if entry]


@pytest.fixture(autouse=True)
def no_data_directories(monkeypatch):
    """Tests see only the data directories they set up themselves."""
    monkeypatch.delenv("COVEY_DATA", raising=False)


@pytest.fixture
def published(monkeypatch):
    """Set COVEY_DATA to the directory of published datasets, if there is one."""
    for directory in _AT_START:
        if (directory / "INDEX.csv").is_file():
            monkeypatch.setenv("COVEY_DATA", str(directory))
            return directory
    pytest.skip("COVEY_DATA names no directory with an INDEX.csv")
