"""What is let into a wheel and a source distribution, and what is found wrong with them."""

from __future__ import annotations

import io
import tarfile
import zipfile
from email import message_from_string

import contents
import pytest

INFO = "covey-0.1.0.dist-info"
WHEEL = [
    *("covey/__init__.py", "covey/__init__.pyi", "covey/py.typed", "covey/report/templates/page.html"),
    *(f"{INFO}/{name}" for name in ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE")),
]
TRACKED = ["Makefile", "src/covey/__init__.py", "src/covey/__init__.pyi", "src/covey/py.typed"]
TRACKED += ["src/covey/report/templates/page.html", "tests/conftest.py", "docs/index.md", ".ci/run"]
FOLDERS = [f"{name}/a.py" for name in ("benchmarks", "examples", "tools")]
SDIST = [f"covey-0.1.0/{name}" for name in (*TRACKED[:-1], *FOLDERS, *sorted(contents.FILES - {"Makefile"}))]


def test_what_belongs_has_no_complaint():
    assert contents.check_wheel(WHEEL, "0.1.0") == []
    assert contents.check_wheel(WHEEL, "0.1.0", TRACKED) == []
    assert contents.check_sdist(SDIST, "0.1.0") == []
    assert contents.check_sdist(SDIST, "0.1.0", [*TRACKED, *FOLDERS, *contents.FILES - {"PKG-INFO"}]) == []


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("tests/test_a.py", "tests/test_a.py is not of the package"),
        ("covey/notes.txt", "covey/notes.txt is neither code nor data"),
        ("covey/__pycache__/a.cpython-311.pyc", "covey/__pycache__/a.cpython-311.pyc is junk"),
        ("covey/kernels/grow.fit-1.py311.nbi", "covey/kernels/grow.fit-1.py311.nbi is junk"),
        ("covey/../a.py", "covey/../a.py would be put outside"),
        ("/covey/a.py", "/covey/a.py would be put outside"),
    ],
)
def test_what_does_not_belong_in_a_wheel(name, wrong):
    assert wrong in contents.check_wheel([*WHEEL, name], "0.1.0")


def test_what_a_wheel_lacks():
    rest = [name for name in WHEEL if name != "covey/py.typed"]
    assert contents.check_wheel(rest, "0.1.0") == ["covey/py.typed is missing"]
    assert contents.check_wheel(WHEEL, "0.1.0", [*TRACKED, "src/covey/a.csv"]) == ["covey/a.csv was left out"]
    added = contents.check_wheel([*WHEEL, "covey/draft.py"], "0.1.0", TRACKED)
    assert added == ["covey/draft.py is not under version control"]
    assert f"{INFO}/METADATA is not of the package" in contents.check_wheel(WHEEL, "0.2.0")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("covey-0.1.0/.ci/run", ".ci/run is not what goes into it"),
        ("covey-0.1.0/notes.md", "notes.md is not what goes into it"),
        ("covey-0.1.0/tests/.pytest_cache/a", "tests/.pytest_cache/a is junk"),
        ("covey-0.1.0/docs/page.md~", "docs/page.md~ is junk"),
        ("other/a.py", "other/a.py is not in covey-0.1.0/"),
    ],
)
def test_what_does_not_belong_in_a_source_distribution(name, wrong):
    assert contents.check_sdist([*SDIST, name], "0.1.0") == [wrong]


def test_what_a_source_distribution_lacks():
    rest = [name for name in SDIST if "examples" not in name and "LICENSE" not in name]
    assert contents.check_sdist(rest, "0.1.0") == ["LICENSE is missing", "examples/ is missing"]


def test_texts_name_no_folder_of_one_machine():
    home = "/".join(["", "home", "ada", "covey"])
    texts = {"a.py": f"open('{home}')".encode(), "b.py": b"open('data/covey')", "c.bin": b"\xff\x00"}
    assert contents.check_texts(texts, []) == ["a.py names a folder of one machine: " + home[:7]]
    assert contents.check_texts({"b.py": b"see /srv/build"}, ["/srv/build"])
    assert contents.check_texts({"b.py": b"a" * 1_000_001}, []) == ["b.py has 1,000,001 bytes, more than 1,000,000"]


METADATA = """Metadata-Version: 2.4
Name: covey
Version: 0.1.0
Summary: Ensembles
Keywords: ensemble
License-Expression: BSD-3-Clause
License-File: LICENSE
Requires-Python: >=3.11
Classifier: Programming Language :: Python :: 3.11
Provides-Extra: study
Description-Content-Type: text/markdown

# covey
"""


@pytest.mark.parametrize(
    ("before", "after", "wrong"),
    [
        ("", "", []),
        ("Version: 0.1.0", "Version: 0.1.1", ["Version is '0.1.1', not '0.1.0'"]),
        ("License-File: LICENSE\n", "", ["License-File is None, not 'LICENSE'"]),
        ("Provides-Extra: study", "Provides-Extra: dask", ["Provides-Extra is ['dask'], not ['study']"]),
        ("Python :: 3.11", "Python :: 3.12", ["no classifier for Python 3.11"]),
        ("Summary: Ensembles\n", "", ["Summary is missing"]),
        ("# covey\n", "", ["the description is empty"]),
    ],
)
def test_metadata(before, after, wrong):
    metadata = message_from_string(METADATA.replace(before, after) if before else METADATA)
    assert contents.check_metadata(metadata, "0.1.0", ["study"], ["3.11"]) == wrong


def test_archives_are_read(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as wheel:
        wheel.writestr("covey/", "")
        wheel.writestr("covey/a.py", "1")
    assert contents.read_wheel(tmp_path / "a.whl") == {"covey/a.py": b"1"}
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as sdist:
        for name, kind in [("c", tarfile.DIRTYPE), ("c/a.py", tarfile.REGTYPE), ("c/link", tarfile.SYMTYPE)]:
            member = tarfile.TarInfo(name)
            member.type, member.size = kind, 1 if kind == tarfile.REGTYPE else 0
            sdist.addfile(member, io.BytesIO(b"1"))
    assert contents.read_sdist(tmp_path / "a.tar.gz") == {"c/a.py": b"1", "c/link": b""}
