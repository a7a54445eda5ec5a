"""Compilation of kernels: ahead of use, without the interpreter's lock, and kept on disk where that is possible."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

import numba
import numpy as np
from numba import njit, types
from numpy.typing import NDArray

from covey.kernels.ahead import compile_beside
from covey.kernels.compiling import waiting_for, watch_compiling
from covey.kernels.quick_lowering import quick_lowering
from covey.kernels.quick_typing import quick_typing
from covey.kernels.whole import as_wholes

Function = TypeVar("Function", bound=Callable[..., Any])

HERE = Path(__file__).parent
WITHOUT_COMPILER = bool(cast(Any, numba.config).DISABLE_JIT)
# Quicker compiling rests on parts of numba without public names, and was tried with these versions, first and last.
TRIED = (0, 63), (0, 68)


def _drop_stale_cache() -> None:
    """Delete compiled kernels that are older than any source.

    Numba compiles a kernel anew when the file of the kernel itself has changed, but not when that of a part has which
    it calls: after a change there it would go on running the old code.
    """
    newest = max(path.stat().st_mtime for path in HERE.glob("*.py"))
    for index in (HERE / "__pycache__").glob("*.nbi"):
        if index.stat().st_mtime < newest:
            index.unlink(missing_ok=True)


with suppress(OSError):  # a read-only installation: its sources do not change either
    _drop_stale_cache()


def _array(kind: Any, dimensions: int, *, out: bool = False) -> Any:
    """Return numba's type of a C-contiguous array; one that is only read may be writable all the same."""
    return types.Array(kind, dimensions, "C", readonly=not out)


# The arguments of kernels: arrays that are only read ...
Floats = Annotated[NDArray[np.float64], _array(types.float64, 1)]
Floats2 = Annotated[NDArray[np.float64], _array(types.float64, 2)]
Singles = Annotated[NDArray[np.float32], _array(types.float32, 1)]
Singles2 = Annotated[NDArray[np.float32], _array(types.float32, 2)]
Ints = Annotated[NDArray[np.int64], _array(types.int64, 1)]
Ints2 = Annotated[NDArray[np.int64], _array(types.int64, 2)]
Ints3 = Annotated[NDArray[np.int64], _array(types.int64, 3)]
Codes = Annotated[NDArray[np.int32], _array(types.int32, 1)]
Codes2 = Annotated[NDArray[np.int32], _array(types.int32, 2)]
Flags = Annotated[NDArray[np.bool_], _array(types.boolean, 1)]
# ... and arrays that are filled in or changed.
OutFloats = Annotated[NDArray[np.float64], _array(types.float64, 1, out=True)]
OutFloats2 = Annotated[NDArray[np.float64], _array(types.float64, 2, out=True)]
OutFloats3 = Annotated[NDArray[np.float64], _array(types.float64, 3, out=True)]
OutSingles2 = Annotated[NDArray[np.float32], _array(types.float32, 2, out=True)]
OutInts = Annotated[NDArray[np.int64], _array(types.int64, 1, out=True)]
OutInts2 = Annotated[NDArray[np.int64], _array(types.int64, 2, out=True)]
OutInts3 = Annotated[NDArray[np.int64], _array(types.int64, 3, out=True)]
OutCodes = Annotated[NDArray[np.int32], _array(types.int32, 1, out=True)]
OutCodes2 = Annotated[NDArray[np.int32], _array(types.int32, 2, out=True)]
OutLabels = Annotated[NDArray[np.uint32], _array(types.uint32, 1, out=True)]
OutFlags = Annotated[NDArray[np.bool_], _array(types.boolean, 1, out=True)]
OutFlags2 = Annotated[NDArray[np.bool_], _array(types.boolean, 2, out=True)]
OutBytes = Annotated[NDArray[np.int8], _array(types.int8, 1, out=True)]

_NUMBERS = {int: types.int64, float: types.float64, bool: types.boolean, type(None): types.void}


def fields_of(kind: Any) -> Any:
    """Return the type of a plain tuple of a named tuple's fields.

    Kernels take plain ones and name their fields themselves: numba refuses a named tuple of writable arrays where it
    was compiled for arrays that are only read.
    """
    return types.Tuple([_type_of(hint) for hint in get_type_hints(kind, include_extras=True).values()])  # type: ignore[no-untyped-call]


def _type_of(hint: Any) -> Any:
    """Return numba's type of an annotation: a number, several numbers, or one of the arrays above."""
    if hint in _NUMBERS:
        return _NUMBERS[hint]
    if get_origin(hint) is tuple:
        return types.Tuple([_type_of(part) for part in get_args(hint)])  # type: ignore[no-untyped-call]
    return get_args(hint)[1]


def kernel(function: Function) -> Function:
    """Compile a function for the types of its annotations when its module is imported, from the cache if it is there.

    Where no cache directory can be written the function is compiled in every process.

    It returns nothing or numbers, and fills in arrays that it is given. To wrap an array for Python, numba runs Python
    code, where a signal that came during the call is handled: Ctrl-C would raise its exception in the midst of that,
    which ends in a SystemError or a crash.
    """
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return")
    if any(part not in _NUMBERS for part in get_args(result) or (result,)):
        raise TypeError(f"A kernel may not return {result}; give it arrays to fill in.")
    if WITHOUT_COMPILER:
        return function
    signature = _type_of(result)(*map(_type_of, hints.values()))
    watch_compiling()
    compile_beside(function.__module__)
    with _quickly():
        try:
            with _one_process(function.__module__):
                return cast(Function, njit(signature, nogil=True, cache=True)(function))
        except RuntimeError as error:
            if "cannot cache" not in str(error):
                raise
            return cast(Function, njit(signature, nogil=True)(function))


@contextmanager
def _quickly() -> Iterator[None]:
    """Have numba compile quicker if it is one that this was tried with; others compile as they do by themselves."""
    with ExitStack() as stack:
        if TRIED[0] <= numba.version_info[:2] <= TRIED[1]:
            for way in (as_wholes, quick_typing, quick_lowering):
                stack.enter_context(way())
        yield


@contextmanager
def _one_process(module: str) -> Iterator[None]:
    """Compile a module in one process at a time: others wait, and find what they need in the cache."""
    with ExitStack() as stack:
        with suppress(ImportError, OSError):  # not on Windows, and not in a read-only installation
            import fcntl

            lock = stack.enter_context((HERE / "__pycache__" / f"{module}.lock").open("w"))
            with waiting_for(module) as still_waiting:
                while not _locked(fcntl.flock, lock, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    still_waiting()
                    time.sleep(0.02)
        yield


def _locked(flock: Callable[..., None], file: Any, how: int) -> bool:
    """Take a lock, and return whether nobody else holds it."""
    try:
        flock(file, how)
    except BlockingIOError:
        return False
    return True


# Wrappers for calls from Python would take longer to compile than the parts themselves.
_PART: dict[str, Any] = {"nogil": True, "fastmath": False, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Numba has no public option to leave out the counting of references.
_LOOP: dict[str, Any] = {**_PART, "_nrt": False}
# Multiplying and adding in one step is the one liberty that NaN and infinity survive.
_FUSED: dict[str, Any] = {**_LOOP, "fastmath": {"contract"}}
_WITHOUT_NAN: dict[str, Any] = {**_LOOP, "fastmath": {"contract", "nnan", "nsz"}}


_INLINED: dict[str, Any] = {"forceinline": True}


def _part(function: Function, options: dict[str, Any]) -> Function:
    """Compile a function once for numbers and arrays of the same types, whatever numbers stand in the code.

    Numba would compile it again for every number that is written out in a call.
    """
    dispatcher: Any = njit(**options)(function)
    if not WITHOUT_COMPILER:
        resolve, plain = dispatcher.get_call_template, cast(Any, types.unliteral)
        dispatcher.get_call_template = lambda given, named: resolve(
            tuple(map(plain, given)), {name: plain(kind) for name, kind in named.items()}
        )
    return cast(Function, dispatcher)


def part(function: Function) -> Function:
    """Compile a function as a part of the kernels that call it."""
    return _part(function, _PART)


def loop(function: Function) -> Function:
    """Compile a part that makes no arrays.

    It counts no references to those it is given, which in short functions would take longer than their work.
    """
    return _part(function, _LOOP)


def fused(function: Function) -> Function:
    """Compile a part that makes no arrays and whose results may differ by rounding from one machine to another."""
    return _part(function, _FUSED)


def inlined(function: Function) -> Function:
    """Compile such a part right into those that call it: a call with arrays costs as much as a hundred sums."""
    return _part(function, {**_FUSED, **_INLINED})


def inlined_without_nan(function: Function) -> Function:
    """Compile such a part for numbers of which none is NaN: the greatest of many is found several at a time."""
    return _part(function, {**_WITHOUT_NAN, **_INLINED})


def inlined_exactly(function: Function) -> Function:
    """Compile a part right into those that call it, with results that are the same on all machines."""
    return _part(function, {**_LOOP, **_INLINED})
