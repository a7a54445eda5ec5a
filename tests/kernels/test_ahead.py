"""Kernels compiled in other processes: when one is started, and that nothing depends on it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from covey.kernels import ahead, compiling
from covey.kernels.ahead import compile_beside
from covey.kernels.compiling import FAMILIES, family_of

GROW = "covey.kernels.grow"
OTHERS = [name for name in FAMILIES["tree"] if name != "grow"]


@pytest.fixture
def started(monkeypatch):
    """Nothing compiled nor imported yet, two cores, and processes that are only noted."""
    noted = []
    monkeypatch.setattr(ahead, "_begun", {})
    monkeypatch.setattr(ahead, "_start", noted.append)
    monkeypatch.setattr(ahead, "_cores", lambda: 2)
    monkeypatch.setattr(ahead, "is_cached", lambda module: False)
    monkeypatch.setattr(ahead, "tells_people", lambda: True)
    monkeypatch.delenv(ahead.ALONE, raising=False)
    for name in OTHERS:
        monkeypatch.delitem(sys.modules, f"covey.kernels.{name}", raising=False)
    monkeypatch.setitem(sys.modules, GROW, ahead)
    return noted


def test_every_module_of_kernels_belongs_to_a_family():
    sources = Path(ahead.__file__).parent.glob("*.py")
    modules = {path.stem for path in sources if re.search(r"^@kernel$", path.read_text(), re.MULTILINE)}
    listed = [name for names in FAMILIES.values() for name in names]
    assert sorted(listed) == sorted(modules)
    assert (family_of(GROW), family_of("covey.kernels.tiles"), family_of("grow")) == ("tree", None, None)


def test_the_rest_of_a_family_is_compiled_in_another_process_once(started):
    compile_beside(GROW)
    compile_beside(GROW)
    compile_beside("covey.kernels.prune")
    compile_beside("somewhere.else")
    assert started == [OTHERS[::-1]]  # the one that is needed last first


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("is_cached", lambda module: True),  # nothing needs compiling
        ("_cores", lambda: 1),
        ("tells_people", lambda: False),  # a study's workers compile side by side
    ],
)
def test_no_process_is_started_where_it_would_not_help(started, monkeypatch, name, value):
    monkeypatch.setattr(ahead, name, value)
    compile_beside(GROW)
    assert started == []


def test_a_process_that_compiles_starts_no_other(started, monkeypatch):
    monkeypatch.setenv(ahead.ALONE, "1")
    compile_beside(GROW)
    assert started == []


def test_studies_are_not_people(monkeypatch):
    listener = compiling._listener()
    monkeypatch.setattr(listener, "tell", compiling._tell_on_terminal)
    monkeypatch.setattr(listener, "for_people", True)
    assert compiling.tells_people()
    told: list[str] = []
    compiling.tell_compiling(told.append)
    compiling._listener().tell_after(compiling.PATIENCE, GROW)
    assert len(told) == 1
    assert not compiling.tells_people()  # after it was told, too


def test_where_no_process_can_be_started_nothing_happens(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    assert ahead._start(["grow"]) is None
    with pytest.raises(RuntimeError, match="failed"):
        ahead.compile_all()
