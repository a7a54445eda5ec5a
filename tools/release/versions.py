"""Where the version of a release stands, and whether all places say the same."""

from __future__ import annotations

import re
from pathlib import Path

_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_RELEASED = re.compile(r"(\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)")
_PLAIN = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


def version_of(root: Path) -> str:
    """Return the version that the source states."""
    return _stated(r'^__version__ = "(.+)"$', (root / "src" / "covey" / "__init__.py").read_text(encoding="utf-8"))


def check_versions(version: str, changelog: str, citation: str) -> list[str]:
    """Return what is wrong with the version of the source, the newest heading of the changelog, or the citation."""
    wrong = [] if _PLAIN.fullmatch(version) else [f"version {version} is not that of a release, such as 0.1.0"]
    headings = _HEADING.findall(changelog)
    released = _RELEASED.fullmatch(headings[0]) if headings else None
    if released is None:
        newest = repr(headings[0]) if headings else "missing"
        return [*wrong, f"CHANGELOG.md's newest heading is {newest}, not like '{version} (2026-01-31)'"]
    cited = {"version": _stated(r"^version: (.+)$", citation), "date": _stated(r"^date-released: (.+)$", citation)}
    if released[1] != version:
        wrong.append(f"CHANGELOG.md's newest heading is of {released[1]}, the source is {version}")
    if cited["version"] != version:
        wrong.append(f"CITATION.cff is of version {cited['version'] or 'none'}, the source is {version}")
    if cited["date"] != released[2]:
        wrong.append(f"CITATION.cff is dated {cited['date'] or 'nothing'}, CHANGELOG.md {released[2]}")
    return wrong


def _stated(pattern: str, text: str) -> str:
    """Return the first group of a pattern, without quotes; nothing if it is not there."""
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip().strip("\"'") if found else ""
