"""Where results are kept: the store that a file or a folder stands for, and how a run that was stopped goes on."""

from __future__ import annotations

from pathlib import Path

from covey.cli.terminal import shown_path

SUFFIX = ".store"
_SUFFIXES = (SUFFIX, ".db", ".sqlite")


def beside(study: Path) -> Path:
    """Return the store of a study file that names no other."""
    return study.with_suffix(SUFFIX)


def find_store(path: Path) -> Path:
    """Return the store in a folder of results, or the file itself.

    Raises
    ------
    FileNotFoundError
        There is no such file, or no store in the folder.
    ValueError
        The folder has several.
    """
    if not path.is_dir():
        if not path.exists():
            raise FileNotFoundError(f"There is no store {shown_path(path)}; name a file or the folder it is in.")
        return path
    found = sorted(file for file in path.iterdir() if file.suffix in _SUFFIXES and file.is_file())
    if not found:
        raise FileNotFoundError(f"There is no store in the folder {shown_path(path)}; a store ends in {SUFFIX}.")
    if len(found) > 1:
        names = ", ".join(file.name for file in found)
        raise ValueError(f"The folder {shown_path(path)} has several stores ({names}); name one of them.")
    return found[0]


def stopped() -> KeyboardInterrupt:
    """Return what to raise when a run was stopped by Ctrl-C."""
    return KeyboardInterrupt("Stopped. What is finished is kept; the same command goes on from there.")
