"""Comparisons on the data that come with scikit-learn, whatever lies in the folders of this machine."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def no_data_folders():
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COVEY_DATA", raising=False)
        yield
