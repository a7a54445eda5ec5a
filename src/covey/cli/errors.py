"""Errors on the command line: one message, no traceback unless it is asked for, and an exit code."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

import covey

WRONG_USE = 2
FAILED = 1
FITS_FAILED = 3
INTERRUPTED = 130

TRACEBACK_OPTION = "--traceback"
TRACEBACK_VARIABLE = "COVEY_TRACEBACK"

_HERE = str(Path(covey.__file__).parent)
# What covey raises on purpose, in words for the user. TypeError, KeyError and the like are mistakes of its own.
_ON_PURPOSE = (ValueError, LookupError, ImportError, RuntimeError)
_SLIPS = (KeyError, IndexError, NotImplementedError, RecursionError)
# Of these, what someone has typed, or a file that they have named, is not as it must be.
_WRONG_USE = (ValueError, LookupError, ImportError, FileNotFoundError, FileExistsError)
_WRONG_FILE = (NotADirectoryError, IsADirectoryError, PermissionError)


def want_traceback() -> None:
    """Show where errors come from, from now on."""
    os.environ[TRACEBACK_VARIABLE] = "1"


def explain(error: BaseException) -> tuple[str, int]:
    """Return what to say about an error, and the exit code.

    Errors that covey raises on purpose, and those of files, are told in their own words. What goes wrong inside other
    packages, or by a mistake of covey's, is told with its type and how to see where it came from.
    """
    if os.environ.get(TRACEBACK_VARIABLE):
        return "".join(traceback.format_exception(error)).rstrip(), FAILED
    words = str(error).replace("\0", " ").strip() or type(error).__name__
    if isinstance(error, MemoryError):
        words = "There is not enough memory; use fewer --workers, or a smaller dataset."
    words = "\n".join([words, *getattr(error, "__notes__", ())])
    if isinstance(error, OSError) or _is_on_purpose(error):
        return words, WRONG_USE if isinstance(error, (*_WRONG_USE, *_WRONG_FILE)) else FAILED
    if isinstance(error, MemoryError):
        return words, FAILED
    hint = f"This was not expected. {TRACEBACK_OPTION}, or {TRACEBACK_VARIABLE}=1, shows where it came from."
    return f"{type(error).__name__}: {words}\n{hint}", FAILED


def _is_on_purpose(error: BaseException) -> bool:
    """Whether an error is of a type that covey raises for its users, and was raised in covey."""
    frames = traceback.extract_tb(error.__traceback__, limit=-1)
    in_covey = bool(frames) and frames[-1].filename.startswith(_HERE)
    return in_covey and isinstance(error, _ON_PURPOSE) and not isinstance(error, _SLIPS)
