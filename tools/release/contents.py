"""What belongs in a wheel and in a source distribution, and what does not."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Collection, Iterable, Mapping
from email.message import Message
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

DATA = {".csv", ".css", ".html", ".js", ".toml"}
CODE = {".py", ".pyi", ".typed"}
FOLDERS = {"benchmarks", "docs", "examples", "src", "tests", "tools"}
FILES = {
    ".gitignore",  # put there by hatchling, for those who build from the archive
    "CHANGELOG.md",
    "CITATION.cff",
    "CONTRIBUTING.md",
    "LICENSE",
    "Makefile",
    "PKG-INFO",
    "README.md",
    "pyproject.toml",
}
# Folders and files that tools leave behind, wherever they are.
JUNK = (
    *("__pycache__", ".venv", ".git", ".*_cache", ".hypothesis", ".DS_Store", "*.egg-info", "build", "dist"),
    *("*.py[cod]", "*.nb[ci]", "*.so", "*.lock", "*.log", "*.orig", "*.rej", "*.sw[op]", "*.tmp", "*~", "*.sqlite*"),
)
LARGEST = 1_000_000
_HOMES = re.compile(r"(?<![\w.])/(home|Users|root)/\w")


def read_wheel(path: Path) -> dict[str, bytes]:
    """Return the contents of the files in a wheel."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def read_sdist(path: Path) -> dict[str, bytes]:
    """Return the contents of the files in a source distribution; what is no plain file is empty."""
    with tarfile.open(path) as archive:
        members = [member for member in archive.getmembers() if not member.isdir()]
        opened = {member.name: archive.extractfile(member) if member.isfile() else None for member in members}
        return {name: file.read() if file is not None else b"" for name, file in opened.items()}


def check_wheel(names: Collection[str], version: str, tracked: Collection[str] = ()) -> list[str]:
    """Return what is wrong with the names in a wheel; `tracked` are the files of the source, if they are known."""
    info = f"covey-{version}.dist-info"
    needed = {f"{info}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")}
    wrong = _missing(names, {*needed, "covey/py.typed", "covey/__init__.py", "covey/__init__.pyi"})
    code = [name for name in names if name not in needed]
    for name in code:
        if not name.startswith("covey/"):
            wrong.append(f"{name} is not of the package")
        elif PurePosixPath(name).suffix not in CODE | DATA and PurePosixPath(name).name != "py.typed":
            wrong.append(f"{name} is neither code nor data")
    source = {name.removeprefix("src/") for name in tracked if name.startswith("src/covey/")}
    return wrong + check_names(names) + (_differences(code, source) if source else [])


def check_sdist(names: Collection[str], version: str, tracked: Collection[str] = ()) -> list[str]:
    """Return what is wrong with the names in a source distribution."""
    top = f"covey-{version}/"
    wrong = [f"{name} is not in {top}" for name in names if not name.startswith(top)]
    inside = [name.removeprefix(top) for name in names if name.startswith(top)]
    wrong += _missing(inside, {*FILES, "tests/conftest.py", "docs/index.md", "src/covey/py.typed"})
    there = {PurePosixPath(name).parts[0] for name in inside if "/" in name}
    wrong += [f"{folder}/ is missing" for folder in sorted(FOLDERS - there)]
    wrong += [f"{name} is not what goes into it" for name in inside if not _belongs(name)]
    source = {name for name in tracked if _belongs(name)}
    return wrong + check_names(inside) + (_differences(inside, {*source, "PKG-INFO"}) if source else [])


def check_names(names: Iterable[str]) -> list[str]:
    """Return what is wrong with names in any archive: places outside of it, and what tools leave behind."""
    wrong = []
    for name in names:
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or "\\" in name or re.match(r"[A-Za-z]:", name):
            wrong.append(f"{name} would be put outside")
        if any(fnmatch(part, pattern) for part in parts for pattern in JUNK):
            wrong.append(f"{name} is junk")
    return wrong


def check_texts(contents: Mapping[str, bytes], private: Iterable[str]) -> list[str]:
    """Return which files are too large, empty though they should not be, or name folders of this machine."""
    wrong = []
    for name, content in contents.items():
        if len(content) > LARGEST:
            wrong.append(f"{name} has {len(content):,} bytes, more than {LARGEST:,}")
        text = content.decode("utf-8", errors="ignore")
        found = _HOMES.search(text)
        named = [place for place in private if place in text] or ([found[0]] if found else [])
        if named and PurePosixPath(name).name != "test_contents.py":
            wrong.append(f"{name} names a folder of one machine: {named[0]}")
    return wrong


def check_metadata(metadata: Message, version: str, extras: Iterable[str], pythons: Iterable[str]) -> list[str]:
    """Return what is wrong with what a distribution says of itself."""
    expected = {
        "Name": "covey",
        "Version": version,
        "License-Expression": "BSD-3-Clause",
        "License-File": "LICENSE",
        "Description-Content-Type": "text/markdown",
        "Requires-Python": f">={next(iter(pythons), '')}",
    }
    wrong = [f"{key} is {metadata[key]!r}, not {value!r}" for key, value in expected.items() if metadata[key] != value]
    provided = set(metadata.get_all("Provides-Extra", []))
    if provided != set(extras):
        wrong.append(f"Provides-Extra is {sorted(provided)}, not {sorted(extras)}")
    classifiers = metadata.get_all("Classifier", [])
    wrong += [
        f"no classifier for Python {python}"
        for python in pythons
        if f"Programming Language :: Python :: {python}" not in classifiers
    ]
    wrong += [f"{key} is missing" for key in ("Summary", "Keywords") if not metadata[key]]
    return wrong if str(metadata.get_payload()).strip() else [*wrong, "the description is empty"]


def _belongs(name: str) -> bool:
    """Return whether a file of the project goes into a source distribution."""
    first, slash, _ = name.partition("/")
    return first in FOLDERS if slash else name in FILES


def _missing(names: Collection[str], needed: Iterable[str]) -> list[str]:
    return [f"{name} is missing" for name in sorted(set(needed) - set(names))]


def _differences(names: Iterable[str], source: Iterable[str]) -> list[str]:
    """Return what is in an archive but not in the source, and the other way round."""
    added = [f"{name} is not under version control" for name in sorted(set(names) - set(source))]
    return added + [f"{name} was left out" for name in sorted(set(source) - set(names))]
