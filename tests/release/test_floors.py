"""What is read of `pyproject.toml`, and how installed packages are held to it."""

from __future__ import annotations

from pathlib import Path

import floors
import pytest
from packaging.version import Version

PYPROJECT = """
[project]
requires-python = ">=3.11"
classifiers = [
    "Programming Language :: Python :: 3",
    "Programming Language :: Python :: 3 :: Only",
    "Programming Language :: Python :: 3.12",
    "Programming Language :: Python :: 3.11",
    "Programming Language :: Python :: 3.10",
]
dependencies = ["numpy>=2.0", "Lazy_Loader>=0.4,<1"]
[project.optional-dependencies]
docs = ["sphinx>=7.3"]
dask = ["dask>=2024.5", "numpy>=2.1"]
study = ["rich==13.7"]
"""


@pytest.fixture
def promises(tmp_path):
    path = tmp_path / "pyproject.toml"
    path.write_text(PYPROJECT)
    return floors.read_promises(path)


def test_promises_are_read(promises):
    assert promises.pythons == ("3.11", "3.12")
    assert list(promises.extras) == ["docs", "dask", "study"]
    assert promises.for_users == ("study", "dask")
    assert promises.wanted(["study"]) == ["numpy>=2.0", "Lazy_Loader>=0.4,<1", "rich==13.7"]
    assert promises.floors() == {"numpy": Version("2.0"), "lazy-loader": Version("0.4")}
    assert promises.floors(["dask"])["numpy"] == Version("2.1")


def test_a_requirement_without_a_floor_is_refused():
    with pytest.raises(ValueError, match=r"'scipy<2' has no oldest version; write scipy>="):
        floors.floors_of(["numpy>=2", "scipy<2"])


@pytest.mark.parametrize(
    ("installed", "wrong"),
    [
        ("1.4.0", []),
        ("1.4.0.post1", []),
        ("1.4.2", []),
        ("1.5.0", ["joblib is 1.5.0, though 1.4 is promised to do"]),
        (None, ["joblib is not installed"]),
    ],
)
def test_packages_are_held_to_their_floors(installed, wrong):
    there = {"joblib": installed} if installed else {}
    assert floors.not_at_floor({"joblib": Version("1.4")}, there) == wrong


def test_extras_that_stand_for_others_are_what_these_require(tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "covey"\nclassifiers = []\nrequires-python = ">=3.11"\ndependencies = []\n'
        '[project.optional-dependencies]\nstudy = ["typer>=0.15"]\ndocs = ["sphinx>=7", "covey[study]"]\n'
    )
    assert floors.read_promises(tmp_path / "pyproject.toml").extras["docs"] == ("sphinx>=7", "typer>=0.15")


def test_every_dependency_of_the_project_has_a_floor():
    promises = floors.read_promises(Path(__file__).parents[2] / "pyproject.toml")
    assert promises.pythons[0] == "3.11"
    assert promises.for_users == floors.FOR_USERS
    assert {"numpy", "dask", "python-calamine"} <= set(promises.floors(promises.extras))
