"""Doing the same thing for many members, in order, on as many threads as asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

Result = TypeVar("Result")


def each(function: Callable[..., Result], arguments: Iterable[tuple[Any, ...]], n_jobs: int | None) -> Iterator[Result]:
    """Give the function's results for tuples of arguments, in their order.

    With one job it is called here, which spares joblib's cost per call; the results are the same for any number.
    """
    if effective_n_jobs(n_jobs) == 1:
        return (function(*one) for one in arguments)
    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    found: Iterator[Result] = parallel(delayed(function)(*one) for one in arguments)
    return found
