"""Doing the same thing for many members, in order, on as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, TypeVar

from joblib import cpu_count, effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import ThreadpoolController

Result = TypeVar("Result")


def each(function: Callable[..., Result], arguments: Iterable[tuple[Any, ...]], n_jobs: int | None) -> Iterator[Result]:
    """Give the function's results for tuples of arguments, in their order.

    With one job it is called here, which spares joblib's cost per call. With several, the linear algebra of each keeps
    to its share of the cores: threads that start threads of their own wait for each other more than they work. The
    results are the same for any number.
    """
    jobs = effective_n_jobs(n_jobs)
    if jobs == 1:
        yield from (function(*one) for one in arguments)
        return
    with _thread_pools().limit(limits=max(1, cpu_count() // jobs), user_api="blas"):
        yield from Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")(
            delayed(function)(*one) for one in arguments
        )


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()
