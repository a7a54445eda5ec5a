"""How kernels are compiled: ahead of use, without the interpreter's lock, and kept on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import njit, types

Function = TypeVar("Function", bound=Callable[..., Any])

HERE = Path(__file__).parent


def _drop_stale_cache() -> None:
    """Forget compiled kernels older than any source: numba looks only at the file of the function itself."""
    newest = max(path.stat().st_mtime for path in HERE.glob("*.py"))
    for index in (HERE / "__pycache__").glob("*.nbi"):
        if index.stat().st_mtime < newest:
            index.unlink(missing_ok=True)


with suppress(OSError):  # a read-only installation: its sources do not change either
    _drop_stale_cache()

WITHOUT_COMPILER = bool(cast(Any, numba.config).DISABLE_JIT)

# Wrappers for calls from Python would take longer to compile than the parts themselves.
_PART: dict[str, Any] = {"nogil": True, "fastmath": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_LOOP: dict[str, Any] = {**_PART, "_nrt": False}
# Multiplying and adding in one step is the one liberty that NaN and infinity survive.
_FUSED: dict[str, Any] = {**_LOOP, "fastmath": {"contract"}}
_WITHOUT_NAN: dict[str, Any] = {**_LOOP, "fastmath": {"contract", "nnan", "nsz"}}


def kernel(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for one signature when its module is imported, from the cache if it is there.

    Where no cache directory can be written the function is compiled in every process.

    It returns nothing or numbers, and fills in arrays that it is given. To wrap an array for Python, numba runs Python
    code, where a signal that came during the call is handled: Ctrl-C would raise its exception in the midst of that,
    which ends in a SystemError or a crash.
    """
    if not WITHOUT_COMPILER and not _is_numbers(signature.return_type):
        raise TypeError(f"A kernel may not return {signature.return_type}; give it arrays to fill in.")

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return njit(signature, nogil=True, cache=True)(function)
        except RuntimeError as error:
            if "cannot cache" not in str(error):
                raise
            return njit(signature, nogil=True)(function)

    return decorate


def _is_numbers(kind: Any) -> bool:
    """Whether a result is nothing, a number, or several numbers."""
    if isinstance(kind, types.Tuple | types.UniTuple):
        return all(_is_numbers(one) for one in kind.types)
    return isinstance(kind, types.Number | types.Boolean | types.NoneType)


def part(function: Function) -> Function:
    """Compile a function as a part of the kernels that call it."""
    return cast(Function, njit(**_PART)(function))


def loop(function: Function) -> Function:
    """Compile a part that makes no arrays.

    It counts no references to those it is given, which in short functions would take longer than their work.
    """
    return cast(Function, njit(**_LOOP)(function))


def fused(function: Function) -> Function:
    """Compile a part that makes no arrays and whose results may differ by rounding from one machine to another."""
    return cast(Function, njit(**_FUSED)(function))


def inlined(function: Function) -> Function:
    """Compile such a part right into those that call it: a call with arrays costs as much as a hundred sums."""
    return cast(Function, njit(**_FUSED, forceinline=True)(function))


def inlined_without_nan(function: Function) -> Function:
    """Compile such a part for numbers of which none is NaN: the greatest of many is found several at a time."""
    return cast(Function, njit(**_WITHOUT_NAN, forceinline=True)(function))


def inlined_exactly(function: Function) -> Function:
    """Compile a part right into those that call it, with results that are the same on all machines."""
    return cast(Function, njit(**_LOOP, forceinline=True)(function))


def several(*kinds: Any) -> Any:
    """Return the type of several results."""
    return types.Tuple(kinds)  # type: ignore[no-untyped-call]


def read_only(kind: Any, dimensions: int) -> Any:
    """Return the type of a C-contiguous array that the kernel does not write to; it admits writable ones too."""
    return types.Array(kind, dimensions, "C", readonly=True)
