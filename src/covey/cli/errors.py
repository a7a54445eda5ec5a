"""Errors in the words of the command line: one message, no traceback unless it is asked for, and an exit code."""

from __future__ import annotations

import linecache
import os
import re
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

# What someone has typed, or a file that they have named, is not as it must be.
_MISTAKES = (ValueError, TypeError, LookupError, ImportError, FileNotFoundError, FileExistsError)
_MISTAKES_OF_FILES = (NotADirectoryError, IsADirectoryError, PermissionError)

# How messages for Python read on the command line.
_OPTIONS = {
    "n_folds": "folds",
    "n_repeats": "repeats",
    "n_estimators": "members",
    "n_workers": "workers",
    "metrics": "metric",
    "methods": "method",
    "cluster": "dask",
    "save_best": "save-best",
}
_PLAIN_OPTIONS = (
    "target",
    "drop",
    "task",
    "seed",
    "timeout",
    "memory",
    "out",
    "trust",
    "metric",
    "method",
    "family",
    "paper",
    "source",
)
_NAME = r"(?:'[^'\[\]]*'|\"[^\"\[\]]*\")"
_LISTED = re.compile(rf"\b(\w+)=\[({_NAME}(?:, {_NAME})*)\]")
_GIVEN = re.compile(r"(?<![\w.'\"])(\w+)=(?=$|[\s,;]|['\"\d.-])")
_SENTENCES = (
    (re.compile(r"^methods: "), "--method: "),
    (re.compile(r"; give more, or None\b"), "; give more, or leave it out"),
    (re.compile(r",? or read it as text with categorical=\['[^']*'\]"), ""),
    (re.compile(r"\bmetrics\[\d+\]="), "--metric "),
    (re.compile(r"\bmethods\[\d+\]="), "--method "),
    (re.compile(r"pass --(\w+)  ?with"), r"give --\1 with"),
    (re.compile(r"\(?covey\.datasets\.\)?available\(\) lists"), "'covey datasets' lists"),
    (re.compile(r"(?<!\.)\bavailable\(\) lists"), "'covey datasets' lists"),
    (re.compile(r"\bload\('([^']*)'\)"), r"\1"),
    (re.compile(r"name ('\w+') in trust\."), r"give --trust \1."),
    (re.compile(r"\bgive (task|target|drop)\b(?=[.;,])"), r"give --\1"),
    (re.compile(r"\braise max_bytes\b"), "raise --max-bytes"),
    (re.compile(r"pip install (covey\[\w+\])"), r"pip install '\1'"),
)


def want_traceback() -> None:
    """Show where errors come from, from now on."""
    os.environ[TRACEBACK_VARIABLE] = "1"


def explain(error: BaseException) -> tuple[str, int]:
    """Return what to say about an error, and the exit code.

    Errors that covey raises on purpose are told in their own words. What goes wrong inside other packages, or by a
    mistake of ours, is told with its type and how to see where it came from.
    """
    if os.environ.get(TRACEBACK_VARIABLE):
        return "".join(traceback.format_exception(error)).rstrip(), FAILED
    words = " ".join(str(error).split("\0")).strip() or type(error).__name__
    if isinstance(error, KeyError) and error.args:  # which shows its message in quotes
        words = str(error.args[0])
    if isinstance(error, MemoryError):
        words = "There is not enough memory; use fewer --workers, or a smaller dataset."
    words = "\n".join([words, *getattr(error, "__notes__", ())])
    if isinstance(error, MemoryError):
        return words, FAILED
    if _is_on_purpose(error):
        code = WRONG_USE if isinstance(error, (*_MISTAKES, *_MISTAKES_OF_FILES)) else FAILED
        return in_options(words), code
    if isinstance(error, OSError):
        return words, WRONG_USE if isinstance(error, (*_MISTAKES, *_MISTAKES_OF_FILES)) else FAILED
    return (
        f"{type(error).__name__}: {words}\nThis was not expected. {TRACEBACK_OPTION}, or {TRACEBACK_VARIABLE}=1, shows "
        "where it came from.",
        FAILED,
    )


def in_options(message: str) -> str:
    """Return a message with the arguments of functions written as options: ``drop=['id']`` as ``--drop 'id'``."""
    written = _LISTED.sub(_as_options, message)
    written = _GIVEN.sub(lambda found: _as_option(found, " "), written)
    for pattern, instead in _SENTENCES:
        written = pattern.sub(instead, written)
    return re.sub(r"(--\w+) ([,;])", r"\1\2", written).replace("  ", " ")


def _as_options(found: re.Match[str]) -> str:
    written = [_as_option(found, f" {name}") for name in re.findall(_NAME, found[2])]
    return found[0] if found[0] in written else " ".join(written)


def _as_option(found: re.Match[str], value: str) -> str:
    name = _OPTIONS.get(found[1], found[1] if found[1] in _PLAIN_OPTIONS else "")
    return f"--{name}{value}" if name else found[0]


def _is_on_purpose(error: BaseException) -> bool:
    """Whether covey has raised an error by a statement, rather than run into it."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or not frames[-1].filename.startswith(_HERE):
        return False
    line = linecache.getline(frames[-1].filename, frames[-1].lineno or 0).strip()
    return not line or line.startswith("raise")
