import json

import pytest

from covey.cli import doctor
from covey.cli.doctor import Check
from covey.kernels import ahead, compiling


def test_everything_is_here(covey):
    found = covey("doctor")
    assert found.code == 0
    for words in ("Versions", "scikit-learn", "Optional packages", "cache of kernels", "a first model", "cores"):
        assert words in found.out
    assert found.out.endswith("covey can work here.\n")


def test_kernels_are_compiled_ahead_of_time(covey, monkeypatch):
    monkeypatch.setattr(doctor, "CHECKS", ())
    made = covey("doctor", "--compile", "--json")
    assert made.code == 0
    (check,) = json.loads(made.out)["checks"]
    assert (check["name"], check["state"]) == ("all kernels", "ok")
    assert all(map(ahead.is_cached, [name for names in compiling.FAMILIES.values() for name in names]))
    monkeypatch.setattr(ahead, "FAMILIES", {"tree": ("no_such_module",)})
    made = covey("doctor", "--compile")
    assert made.code == 1
    assert "problem: all kernels: A process that compiles kernels failed" in made.out


def test_checks_as_json(covey, monkeypatch):
    bad = Check("numpy", "not installed", "problem", "pip install 'numpy>=2.0'", fatal=True)
    for checks, works in (([], True), ([bad], False)):
        monkeypatch.setattr(doctor, "CHECKS", (("Versions", lambda: checks),))  # noqa: B023
        found = covey("doctor", "--json")
        assert found.code == (0 if works else 1)
        made = json.loads(found.out)
        assert made["works"] == works
        assert [check["remedy"] for check in made["checks"]] == [check.remedy for check in checks]


def test_a_problem_that_is_fatal_and_one_that_is_not(covey, monkeypatch, tmp_path):
    bad = Check("numpy", "not installed", "problem", "pip install 'numpy>=2.0'", fatal=True)
    monkeypatch.setattr(doctor, "CHECKS", (("Versions", lambda: [bad]),))
    found = covey("doctor")
    assert found.code == 1
    assert "problem: numpy: pip install 'numpy>=2.0'" in found.out
    assert "covey cannot work here" in found.out
    monkeypatch.setattr(doctor, "CHECKS", (("Data", doctor.data),))
    monkeypatch.setenv("COVEY_DATA", "/no/such/folder")
    found = covey("doctor")
    assert found.code == 0
    assert "problem: COVEY_DATA: correct or unset it; /no/such/folder is no folder." in found.out
    (tmp_path / "mine.csv").write_text("a,y\n1,2\n")
    monkeypatch.setenv("COVEY_DATA", str(tmp_path))
    values = {check.name: check.value for check in doctor.data()}
    assert (values["COVEY_DATA"], values["files"]) == (str(tmp_path), "1 dataset")


def test_packages_that_are_missing(monkeypatch):
    def missing(name):
        raise doctor.PackageNotFoundError(name)

    monkeypatch.setattr(doctor, "requires", lambda name: ["numpy>=2.0", "extra-one; extra == 'x'"])
    monkeypatch.setattr(doctor, "version", missing)
    needed = {check.name: check for check in doctor.versions()}
    assert "extra-one" not in needed
    assert needed["numpy"].fatal
    assert needed["numpy"].remedy == "pip install numpy"
    added = doctor.optional()
    assert {check.state for check in added} == {"ok"}
    told = {check.name: check.value for check in added}
    for name, extra in [("distributed", "dask"), ("python-calamine", "excel"), ("imbalanced-learn", "smote")]:
        assert f"pip install 'covey[{extra}]'" in told[name]


def test_a_cache_that_cannot_be_written(monkeypatch, tmp_path):
    place = tmp_path / "file"
    place.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(place))
    first = doctor.kernels()[0]
    assert first.state == "note"
    assert "NUMBA_CACHE_DIR" in first.remedy
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "new"))
    assert doctor.kernels()[0].state == "ok"


def test_learners_that_cannot_be_trained(monkeypatch):
    import covey

    class Broken:
        def fit(self, X, y):
            raise OSError("no compiler")

    monkeypatch.setattr(covey, "C45Classifier", Broken, raising=False)
    last = doctor.kernels()[-1]
    assert last.fatal
    assert "OSError: no compiler" in last.value


@pytest.mark.parametrize("text", ["", "MemTotal: x kB\nMemAvailable: 1 kB"])
def test_memory_that_cannot_be_known(monkeypatch, text):
    monkeypatch.setattr(doctor.Path, "read_text", lambda path: text)
    assert doctor._memory() == (0, 0)
