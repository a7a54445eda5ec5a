"""The entry of the command line: what it needs is there, and output can be written whatever the terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from importlib.util import find_spec

from covey.cli.errors import TRACEBACK_OPTION, want_traceback

_NEEDED = ("typer", "rich")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line with what was typed after the name of the program."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise SystemExit(f"covey's command line needs {' and '.join(missing)}: pip install 'covey[study]'")
    typed = list(sys.argv[1:] if arguments is None else arguments)
    if TRACEBACK_OPTION in typed:  # wherever it was typed
        typed.remove(TRACEBACK_OPTION)
        want_traceback()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a letter that the terminal lacks is spelt out
            stream.reconfigure(errors="backslashreplace")
    from covey.cli.commands import app

    app(args=typed, prog_name="covey")
