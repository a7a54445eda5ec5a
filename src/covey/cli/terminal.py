"""The terminal: results on standard output, everything else on standard error.

Names come from files and are written as they are: markup, emoji and highlighting are off, and characters by which a
name could take over the terminal, or show itself as another, are spelt out.
"""

from __future__ import annotations

import json
import os
import re
import sys
from ast import literal_eval
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import cache
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from covey._text import spelt_out

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# Into a file or a pipe lines go whole.
_WIDTH_OF_A_FILE = 1000
_ASCII_HEAD = "    \n    \n -- \n    \n    \n    \n    \n    \n"


# The text of a value of Python, and arguments with the options that they are on the command line.
_VALUE = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"|\d+(?:\.\d+)?|True"""
_VALUES = rf"(?:{_VALUE})|\[(?:(?:{_VALUE})(?:, )?)+\]"
_SAME = ("drop", "categorical", "text", "missing", "keep", "task", "target", "positive", "budget")
_OPTIONS = {name: name for name in _SAME} | {
    "metrics": "metric",
    "methods": "method",
    "n_folds": "folds",
    "n_repeats": "repeats",
    "n_estimators": "members",
    "n_workers": "workers",
    "log_target": "log-target",
    "class_weight": "balanced",
}
_FLAGS = ("log_target", "class_weight")
_ARGUMENT = re.compile(rf"\b({'|'.join(_OPTIONS)})(?:\[\d+\])?=(?:({_VALUES})|(?=\s))")


def out() -> Console:
    """Return the console of standard output."""
    return _console(False)


def err() -> Console:
    """Return the console of standard error."""
    return _console(True)


def say(text: str = "", style: str = "") -> None:
    """Write a line of the result; a line break in it is a name's, and written as an escape."""
    out().print(spelt_out(text), style=style or None, soft_wrap=not out().is_terminal)


def note(text: str, style: str = "") -> None:
    """Write a remark, on standard error."""
    err().print(spelt_out(text), style=style or None, soft_wrap=not err().is_terminal)


def say_lines(text: str) -> None:
    """Write lines of the result that were put together on purpose."""
    for line in text.split("\n"):
        say(line)


def complain(text: str) -> None:
    """Write what went wrong, on standard error; further lines are set in, so that none passes for another message."""
    style = "red" if err().is_terminal else ""
    for place, line in enumerate(text.split("\n")):
        note(f"  {line}" if place else f"Error: {line}", style)


def json_text(content: object) -> str:
    """Return what a command has to say as JSON in plain ASCII, with null for what is no number."""
    from covey.models.card import plain_values

    return json.dumps(plain_values(content), indent=2, default=str) + "\n"


def say_json(content: object) -> None:
    """Write what a command has to say as JSON, in the place of its tables."""
    sys.stdout.write(json_text(content))


@contextmanager
def clear_for_json(wanted: bool) -> Iterator[None]:
    """Send what methods print, here and in other processes, to standard error, so that JSON stands alone."""
    if not wanted:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def as_options(text: str) -> str:
    """Return a message with arguments of Python, such as drop=['id'], written as options."""

    def written(match: re.Match[str]) -> str:
        option = f"--{_OPTIONS[match[1]]}"
        if match[2] is None or match[1] in _FLAGS:
            return option
        try:
            values = literal_eval(match[2])
        except (SyntaxError, ValueError):  # no text of Python's, but of a file
            return match[0]
        return " ".join(f"{option} {quote(str(value))}" for value in (values if isinstance(values, list) else [values]))

    return _ARGUMENT.sub(written, text)


def say_path(label: str, path: str | os.PathLike[str]) -> None:
    """Write where a file is; the path stays in one piece, so that it can be copied."""
    out().print(spelt_out(f"{label} {shown_path(path)}"), soft_wrap=True)


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return a path as short as it can be written from here."""
    whole, here = Path(path).absolute(), Path.cwd()
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(whole)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = ()) -> Table:
    """Return a table; columns of numbers stand at the right and are never folded."""
    from rich import box
    from rich.table import Table

    # Without edges and with two blanks between columns there is room for names.
    lines = box.SIMPLE_HEAD if out().encoding.startswith("utf") else box.Box(_ASCII_HEAD, ascii=True)
    made = Table(box=lines, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        numeric = column in right
        made.add_column(spelt_out(column), justify="right" if numeric else "left", no_wrap=numeric, overflow="fold")
    for row in rows:
        made.add_row(*map(spelt_out, row))
    return made


def refuse_file(folder: Path, option: str) -> None:
    """Refuse a file where a folder is needed, before any work."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(f"{option} {shown_path(folder)} is a file; name a folder.")


def refuse_existing(path: Path | None, option: str, force: bool) -> None:
    """Refuse to write over a file, before any work."""
    if path is None or force:
        return
    if path.is_dir():
        raise IsADirectoryError(f"{option} {shown_path(path)} is a folder; name a file.")
    if path.exists():
        raise FileExistsError(f"{shown_path(path)} is there already; name another {option}, or add --force.")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"There is no folder {shown_path(path.absolute().parent)} for {option} {path.name}.")


@cache
def _console(stderr: bool) -> Console:
    from rich.console import Console

    console = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = _WIDTH_OF_A_FILE
    return console
