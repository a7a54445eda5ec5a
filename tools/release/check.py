"""The check of a release: builds it, looks into it, and uses it in fresh environments. Run by ``make release-check``.

Every check is carried out, whatever the others say; a table at the end shows all, and the exit code is 1 if any failed.
The archives are put into dist/ once everything has passed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

import contents
from environments import CommandError, Environment, find_python, run
from floors import Promises, not_at_floor, read_promises
from versions import check_versions, version_of

ROOT = Path(__file__).resolve().parents[2]
SMOKE = Path(__file__).with_name("smoke.py")
RECORD = ROOT / "build" / "release-check.json"
GROUPS = ("versions", "contents", "wheel", "extras", "all", "oldest")


class CheckFailedError(Exception):
    """What is wrong, a line for each."""


@dataclass(frozen=True)
class Check:
    """One thing to look at: its group, its name, and what looks; that returns a remark, or None if it cannot look."""

    group: str
    name: str
    look: Callable[[], str | None]


@dataclass(frozen=True)
class Result:
    """What came of a check."""

    name: str
    state: str  #: "passed", "failed", "passed before", or "not here"
    seconds: float = 0.0
    remark: str = ""


@dataclass(frozen=True)
class Release:
    """The archives of a version, in a folder for this run only."""

    version: str
    promises: Promises
    folder: Path

    @property
    def wheel(self) -> Path:
        """The wheel."""
        return self.folder / "dist" / f"covey-{self.version}-py3-none-any.whl"

    @property
    def sdist(self) -> Path:
        """The source distribution."""
        return self.folder / "dist" / f"covey-{self.version}.tar.gz"

    @property
    def fingerprint(self) -> str:
        """What identifies the wheel and the way in which it is looked at."""
        parts = [self.wheel, *sorted(SMOKE.parent.glob("*.py"))]
        return hashlib.sha256(b"".join(hashlib.sha256(path.read_bytes()).digest() for path in parts)).hexdigest()

    def build(self) -> None:
        """Build the source distribution, and the wheel from that, each in an environment of its own."""
        run([sys.executable, "-m", "build", "--outdir", self.wheel.parent, ROOT], self.folder)
        made = {path.name for path in self.wheel.parent.iterdir()}
        fail_if([] if made == {self.wheel.name, self.sdist.name} else [f"built {', '.join(sorted(made))}"])

    def look_inside(self) -> str:
        """Look at the names, the texts and the metadata of both archives."""
        wheel, sdist, tracked = contents.read_wheel(self.wheel), contents.read_sdist(self.sdist), tracked_files()
        private = [str(ROOT), str(Path.home()) + os.sep]
        wrong = [f"wheel: {line}" for line in contents.check_wheel(wheel, self.version, tracked)]
        wrong += [f"sdist: {line}" for line in contents.check_sdist(sdist, self.version, tracked)]
        wrong += contents.check_texts(wheel | sdist, private)
        for place in (wheel[f"covey-{self.version}.dist-info/METADATA"], sdist[f"covey-{self.version}/PKG-INFO"]):
            metadata, promises = message_from_bytes(place), self.promises
            wrong += contents.check_metadata(metadata, self.version, promises.extras, promises.pythons)
        fail_if(wrong)
        run([sys.executable, "-m", "twine", "check", "--strict", self.wheel, self.sdist], self.folder)
        compared = "as under version control" if tracked else "no version control to compare with"
        return f"wheel {len(wheel)} files, sdist {len(sdist)}, {compared}; twine has no complaint"

    def use(self, name: str, python: Path | None, extras: Sequence[str], depth: str, oldest: bool) -> str | None:
        """Install the wheel in a fresh environment, and look at it there."""
        if python is None:
            return None
        environment = Environment.create(self.folder / name.replace(" ", "-"), python)
        environment.install(self.wheel, extras, self.promises.wanted(extras) if oldest else ())
        if oldest:
            fail_if(not_at_floor(self.promises.floors(extras), environment.installed()))
        said = environment.run_script(SMOKE, self.version, depth, *extras)
        shutil.rmtree(environment.folder)  # half a gigabyte
        return said


def fail_if(wrong: Sequence[str]) -> None:
    """Raise what is wrong, if anything is."""
    if wrong:
        raise CheckFailedError("\n".join(wrong))


def tracked_files() -> list[str]:
    """Return the files under version control; none where there is none."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).exists()] if not done.returncode else []


def look_at_versions(version: str) -> str:
    """Look whether the source, the changelog and the citation are of the same release."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff")]
    fail_if(check_versions(version, *texts))
    return version


def checks_of(release: Release, given: Sequence[str]) -> Iterator[Check]:
    """Yield all checks: of the archives, then of installations, the quickest first."""
    promises, this = release.promises, Path(sys.executable)

    def using(group: str, name: str, python: Path | None, extras: Sequence[str] = (), *, oldest: bool = False) -> Check:
        depth = "few" if group == "extras" else "all"  # families are of the core, whatever the extra
        return Check(group, name, lambda: release.use(name, python, extras, depth, oldest))

    yield Check("versions", "versions", lambda: look_at_versions(release.version))
    yield Check("contents", "contents", release.look_inside)
    yield using("wheel", "wheel alone", this)
    for extra in promises.extras:
        yield using("extras", f"extra {extra}", this, [extra])
    lowest = find_python(promises.pythons[0], given)
    yield using("oldest", f"oldest alone on {promises.pythons[0]}", lowest, oldest=True)
    yield using("oldest", f"oldest with extras on {promises.pythons[0]}", lowest, promises.for_users, oldest=True)
    for python in promises.pythons:
        yield using("all", f"all extras on {python}", find_python(python, given), list(promises.extras))


def carry_out(check: Check, passed: bool) -> Result:
    """Look at one thing, say at once what came of it, and return that."""
    if passed:
        result = Result(check.name, "passed before")
    else:
        print(f"... {check.name}", flush=True)
        began = time.perf_counter()
        try:
            remark = check.look()
            state = "passed" if remark is not None else "not here"
        except (CheckFailedError, CommandError) as error:
            state, remark = "failed", str(error)
        result = Result(check.name, state, time.perf_counter() - began, remark or "")
    print(f"{result.state}: {result.name}" + (f"\n{result.remark}" if result.state == "failed" else ""), flush=True)
    return result


def table_of(results: Sequence[Result]) -> str:
    """Return a line for each result: its name, state, time, and the first line of what was said."""
    width = max(len(result.name) for result in results)
    lines = []
    for result in results:
        first = result.remark.partition("\n")[0]
        lines.append(f"{result.name:{width}}  {result.state:13}  {result.seconds:5.0f} s  {first}".rstrip())
    return "\n".join(lines)


def chosen(checks: Sequence[Check], only: str) -> list[Check]:
    """Return the checks of the groups and names that are asked for; all if none is."""
    wanted = [word.strip() for word in only.split(",") if word.strip()]
    unknown = set(wanted) - {*GROUPS, *(check.name for check in checks)}
    if unknown:
        names = ", ".join([*GROUPS, *(repr(check.name) for check in checks)])
        raise SystemExit(f"--only: {', '.join(sorted(unknown))} is no check; there are {names}")
    return [check for check in checks if not wanted or {check.group, check.name} & set(wanted)]


def read_record(fingerprint: str) -> set[str]:
    """Return the names of the checks that this wheel has passed before."""
    kept = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return set(kept["passed"]) if kept.get("fingerprint") == fingerprint else set()


def write_record(fingerprint: str, names: set[str]) -> None:
    """Keep the names of the checks that this wheel has passed, for --resume."""
    RECORD.parent.mkdir(exist_ok=True)
    written = RECORD.with_suffix(f".{os.getpid()}")
    written.write_text(json.dumps({"fingerprint": fingerprint, "passed": sorted(names)}, indent=1), encoding="utf-8")
    written.replace(RECORD)


def check_all(release: Release, only: str, resume: bool, given: Sequence[str]) -> list[Result]:
    """Build the release and carry out the checks that are asked for."""
    wanted = chosen(list(checks_of(release, given)), only)
    built = carry_out(Check("build", "build", lambda: release.build() or release.wheel.name), passed=False)
    if built.state == "failed":
        return [built]
    passed = read_record(release.fingerprint) if resume else set()
    results = [built]
    for check in wanted:
        result = carry_out(check, check.name in passed)
        results.append(result)
        if result.state == "passed":
            passed.add(check.name)
            write_record(release.fingerprint, passed)
    return results


def main() -> int:
    """Check a release by what is asked for on the command line, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="NAMES", help=f"groups ({', '.join(GROUPS)}) or names of checks")
    parser.add_argument("--resume", action="store_true", help="leave out what the same wheel has passed before")
    parser.add_argument("--pythons", default="", help="interpreters to look at first; others are searched for")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="covey-release-") as folder:
        release = Release(version_of(ROOT), read_promises(ROOT / "pyproject.toml"), Path(folder))
        results = check_all(release, options.only, options.resume, options.pythons.split())
        failed = sum(result.state == "failed" for result in results)
        print(f"\n{table_of(results)}\n")
        if failed:
            print(f"{failed} of {len(results)} checks failed: not to be released.")
        elif options.only:
            print("These checks passed; a release needs all.")
        else:
            (ROOT / "dist").mkdir(exist_ok=True)
            shutil.copy2(release.wheel, ROOT / "dist")
            shutil.copy2(release.sdist, ROOT / "dist")
            print("Ready: dist/" + release.wheel.name + ", dist/" + release.sdist.name)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
