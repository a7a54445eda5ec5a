from __future__ import annotations

import signal
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from threadpoolctl import threadpool_limits

from waiting import PATIENCE

# How quick examples are is the machine's; the same examples are tried each time, here and elsewhere.
settings.register_profile("covey", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("covey")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels once, before the workers start, rather than in each of them at the same time."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as in the background of a shell script
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not hasattr(config, "workerinput"):
        from covey.kernels.ahead import compile_all

        compile_all()


# Tests of these run on the data that come with scikit-learn, whatever lies in the folders of this machine.
WITHOUT_FOLDERS = {"cli", "comparison", "faults", "report", "study"}


@pytest.fixture(autouse=True, scope="module")
def no_data_folders(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep some tests from finding other data by the same names."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name in WITHOUT_FOLDERS:
            patch.delenv("COVEY_DATA", raising=False)
        yield


@pytest.fixture(autouse=True)
def same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let fits without a random_state draw the same in every run: no test fails for a rare draw."""
    draws = np.random.SeedSequence(20)
    monkeypatch.setattr("covey.seeds._fresh", lambda: draws.spawn(1)[0])
    np.random.seed(20)  # noqa: NPY002


@pytest.fixture
def patient_with_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for schedulers and workers that a busy machine has yet to start."""
    from covey.study import cluster

    monkeypatch.setattr(cluster, "_CONNECT", PATIENCE)
    monkeypatch.setattr(cluster, "_ALONE", PATIENCE)


@pytest.fixture(autouse=True, scope="session")
def key_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Sign model files with a key that is gone after the tests, not with the user's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(autouse=True, scope="session")
def one_thread_per_worker() -> Iterator[None]:
    """Keep BLAS from starting threads for tiny matrices: the tests run in one process per core already."""
    with threadpool_limits(1):
        yield
