"""Public names of a package that are found when they are first used (PEP 562), so that importing it costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package.

    Parameters
    ----------
    package : str
        The package's name.
    homes : mapping of str to str
        For each public name the module inside the package that defines it; "" for a name that is a module itself.
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        found = getattr(import_module(f"{package}.{home}"), name) if home else import_module(f"{package}.{name}")
        setattr(import_module(package), name, found)
        return found

    def names() -> list[str]:
        return sorted({*vars(import_module(package)), *homes})

    return find, names
