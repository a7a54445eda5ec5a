from __future__ import annotations

import pytest

from faults.driving import Room


@pytest.fixture
def room(tmp_path):
    made = Room(tmp_path)
    yield made
    made.clear()
