"""Fresh environments of some Python, with the wheel and some extras in them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.version import Version

# Variables that would let the source tree, other data or other settings into an environment.
_CLEARED = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "COVEY_DATA", "NUMBA_CACHE_DIR", "MPLBACKEND")

_UV = (sys.executable, "-m", "uv")


class CommandError(Exception):
    """A command that failed, with what it printed."""


def run(command: Sequence[str | Path], folder: Path, seconds: float = 3600, **variables: str) -> str:
    """Run a command in a folder without anything of this environment, and return what it prints."""
    clean = {name: value for name, value in os.environ.items() if name not in _CLEARED} | variables
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, cwd=folder, env=clean, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise CommandError(f"{' '.join(words)}\ntook more than {seconds:.0f} s") from error
    if done.returncode:
        raise CommandError(f"{' '.join(words)}\nended with {done.returncode}\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


def find_python(version: str, given: Iterable[str] = ()) -> Path | None:
    """Return an interpreter of a version such as "3.12": one that is given, this one, on the path, or of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    installed = sorted(pyenv.glob(f"{version}.*/bin/python"), key=_release, reverse=True)
    named = shutil.which(f"python{version}")
    first = [*(Path(path).absolute() for path in given), Path(sys.executable)]
    for candidate in (*first, *([Path(named)] if named else []), *installed):
        if version_of(candidate) == version:
            return candidate
    return None


def version_of(python: Path) -> str:
    """Return the version of an interpreter, such as "3.12"; nothing if it does not run, as a shim may not."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _release(python: Path) -> Version:
    """Return the version in the name of a folder of pyenv."""
    name = python.parents[1].name
    return Version(name) if name.replace(".", "").isdigit() else Version("0")


@dataclass(frozen=True)
class Environment:
    """A virtual environment in a folder of its own."""

    folder: Path

    @classmethod
    def create(cls, folder: Path, python: Path) -> Environment:
        """Make an environment without any package."""
        folder.mkdir(parents=True)
        run([*_UV, "venv", "--quiet", "--no-project", "--python", python, folder / "venv"], folder)
        return cls(folder)

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        inside = Path("Scripts", "python.exe") if os.name == "nt" else Path("bin", "python")
        return self.folder / "venv" / inside

    def install(self, wheel: Path, extras: Iterable[str] = (), oldest: Iterable[str] = ()) -> None:
        """Install the wheel with extras, and see that all go together; requirements in `oldest` get oldest versions."""
        wanted = ",".join(extras)
        requirement = f"covey[{wanted}] @ {wheel.as_uri()}" if wanted else f"covey @ {wheel.as_uri()}"
        resolution = ["--resolution", "lowest-direct", *oldest] if oldest else []  # which is for what is named only
        run([*_UV, "pip", "install", "--quiet", "--python", self.python, *resolution, requirement], self.folder)
        run([*_UV, "pip", "check", "--quiet", "--python", self.python], self.folder)

    def installed(self) -> dict[str, str]:
        """Return the version of each package."""
        listed = run([*_UV, "pip", "list", "--quiet", "--format", "json", "--python", self.python], self.folder)
        return {package["name"]: package["version"] for package in json.loads(listed)}

    def run_script(self, script: Path, *arguments: str) -> str:
        """Run a script of which nothing but the environment is importable, and return what it prints."""
        config = str(self.folder / "config")  # the key that signs models is not the user's own
        command = [self.python, "-I", script, *arguments]
        return run(command, self.folder, MPLBACKEND="Agg", XDG_CONFIG_HOME=config).strip()
