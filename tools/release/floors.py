"""What `pyproject.toml` promises: its extras, the Pythons, and the oldest version of each dependency."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

# Extras for those who use covey; the others are for those who work on it.
FOR_USERS = ("study", "dask", "data", "excel", "smote")
_PYTHON = "Programming Language :: Python :: "


@dataclass(frozen=True)
class Promises:
    """What a project says that it needs."""

    requirements: tuple[str, ...]
    extras: Mapping[str, tuple[str, ...]]
    pythons: tuple[str, ...]  #: "3.11" and so on, lowest first

    @property
    def for_users(self) -> tuple[str, ...]:
        """The extras for those who use the project, which are held to their oldest versions."""
        return tuple(extra for extra in FOR_USERS if extra in self.extras)

    def wanted(self, extras: Iterable[str] = ()) -> list[str]:
        """Return the requirements with some extras."""
        return [*self.requirements, *(line for extra in extras for line in self.extras[extra])]

    def floors(self, extras: Iterable[str] = ()) -> dict[str, Version]:
        """Return the oldest version admitted of each dependency, with some extras or without."""
        return floors_of(self.wanted(extras))


def read_promises(pyproject: Path) -> Promises:
    """Read what a project says that it needs; the Pythons are those of its classifiers that it admits."""
    project: dict[str, Any] = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    named = [line.removeprefix(_PYTHON) for line in project["classifiers"] if line.startswith(_PYTHON)]
    admitted = SpecifierSet(project["requires-python"])
    pythons = sorted((name for name in named if "." in name and name in admitted), key=Version)
    given: dict[str, list[str]] = project["optional-dependencies"]
    extras = {name: tuple(_without_itself(lines, project.get("name", ""), given)) for name, lines in given.items()}
    return Promises(tuple(project["dependencies"]), extras, tuple(pythons))


def _without_itself(lines: Iterable[str], project: str, extras: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield requirements; those for other extras of the project, as "covey[study]", become what these require."""
    for line in lines:
        requirement = Requirement(line)
        if requirement.name != project:
            yield line
        for extra in sorted(requirement.extras) if requirement.name == project else ():
            yield from _without_itself(extras[extra], project, extras)


def floors_of(requirements: Iterable[str]) -> dict[str, Version]:
    """Return the oldest version that each requirement admits; the highest where one is named several times.

    Raises
    ------
    ValueError
        A requirement has no oldest version.
    """
    floors: dict[str, Version] = {}
    for line in requirements:
        requirement = Requirement(line)
        lower = [part.version for part in requirement.specifier if part.operator in (">=", "==", "~=")]
        if not lower:
            raise ValueError(f"{line!r} has no oldest version; write {requirement.name}>=...")
        name, floor = canonicalize_name(requirement.name), max(map(Version, lower))
        floors[name] = max(floor, floors.get(name, floor))
    return floors


def not_at_floor(floors: Mapping[str, Version], installed: Mapping[str, str]) -> list[str]:
    """Return which packages are not the oldest ones that are promised to work: 1.4 stands for 1.4.0 and 1.4.0.post1.

    A floor that no environment can have is a promise that nobody tests.
    """
    wrong = []
    for name, floor in floors.items():
        there = installed.get(name)
        if there is None:
            wrong.append(f"{name} is not installed")
        elif Version(there).release[: len(floor.release)] != floor.release:
            wrong.append(f"{name} is {there}, though {floor} is promised to do")
    return wrong
