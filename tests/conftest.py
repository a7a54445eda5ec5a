from __future__ import annotations

from collections.abc import Iterator

import pytest
from threadpoolctl import threadpool_limits


@pytest.fixture(autouse=True, scope="session")
def one_thread_per_worker() -> Iterator[None]:
    """Keep BLAS from starting threads for tiny matrices: the tests run in one process per core already."""
    with threadpool_limits(1):
        yield
