"""Parallel calls of one function for many members, in order, on as many threads as asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from sys import getsizeof
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from joblib import cpu_count, effective_n_jobs
from joblib.parallel import get_active_backend
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import ThreadpoolController

Result = TypeVar("Result")


def thread_pools() -> ThreadpoolController:
    """Return the libraries that have threads of their own; with modules come libraries."""
    return _pools_of(len(sys.modules))


@lru_cache(maxsize=1)
def _pools_of(n_modules: int) -> ThreadpoolController:
    return ThreadpoolController()


class _LinearAlgebra:
    """The threads of BLAS, limited as long as anybody asks for it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.limits: list[int] = []
        self.pools: Any = None  # of the outermost call, which restores what it has limited
        self.limiter: Any = None

    @contextmanager
    def limited(self, threads: int) -> Iterator[None]:
        """Keep to so many threads; where several ask, the lowest limit holds."""
        with self.lock:
            before = min(self.limits, default=None)
            self.limits.append(threads)
            if before is None:
                self.pools = thread_pools()
                self.limiter = self.pools.limit(limits=threads, user_api="blas")
            elif threads < before:
                self.pools.limit(limits=threads, user_api="blas")
        try:
            yield
        finally:
            with self.lock:
                self.limits.remove(threads)
                left = min(self.limits, default=None)
                if left is None:
                    self.limiter.restore_original_limits()
                elif left > threads:
                    self.pools.limit(limits=left, user_api="blas")


_LINEAR_ALGEBRA = _LinearAlgebra()


class HoldsArrays:
    """An object that says how many bytes it has with the arrays that it holds.

    joblib's Dask backend goes by that: an argument that is large is sent to the cluster once for all calls that have
    it. Python by itself counts no more than the object, and the table in it would go along with each call.
    """

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + sum(map(_bytes_of, vars(self).values()))


def _bytes_of(value: Any) -> int:
    """Return the bytes of an array, or of what holds some; views count as much as what they show."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    return sum(map(_bytes_of, value)) if isinstance(value, list | tuple) else getsizeof(value)


def one_thread() -> AbstractContextManager[None]:
    """Keep linear algebra to one thread, so that its last digits are the same whatever the number of jobs."""
    return _LINEAR_ALGEBRA.limited(1)


def one_openmp_thread() -> AbstractContextManager[None]:
    """Keep OpenMP to one thread where it is called from this one, whatever others do.

    scikit-learn's gradient boosting takes all cores by itself, which wait for each other where they have other work:
    0.6 s became 8 s on two cores with a load of five.
    """
    limits: AbstractContextManager[None] = thread_pools().limit(limits=1, user_api="openmp")
    return limits


def has_threads(n_jobs: int | None) -> bool:
    """Whether several calls at a time are made by threads of this process, which share what they find."""
    backend, _ = get_active_backend(prefer="threads")
    return getattr(backend, "supports_sharedmem", False) and effective_n_jobs(n_jobs) > 1


def each(function: Callable[..., Result], arguments: Iterable[tuple[Any, ...]], n_jobs: int | None) -> Iterator[Result]:
    """Give the function's results for tuples of arguments, in their order.

    With one job it is called here, which spares joblib's cost per call. With several, the linear algebra of each keeps
    to its share of the cores: threads that start threads of their own wait for each other more than they work. That
    holds for the whole process until the last result has been taken, so results are to be taken without a pause. They
    are the same for any number of jobs.

    Where joblib is told to use a cluster, what several calls have in common goes there once if it is an argument of
    its own: an array, or one that `HoldsArrays`.
    """
    jobs = effective_n_jobs(n_jobs)
    if jobs == 1:
        yield from (function(*values) for values in arguments)
        return
    with _LINEAR_ALGEBRA.limited(max(1, cpu_count() // jobs)):
        yield from Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(
            delayed(function)(*values) for values in arguments
        )
