"""How checks are chosen, carried out, kept and shown; and that an interpreter is found by its version."""

from __future__ import annotations

import sys
from pathlib import Path

import check
import environments
import pytest
from floors import Promises

CHECKS = [check.Check("extras", "extra dask", lambda: "fine"), check.Check("wheel", "wheel alone", lambda: None)]


def test_checks_are_chosen_by_group_or_name():
    assert check.chosen(CHECKS, "") == CHECKS
    assert check.chosen(CHECKS, "extras") == CHECKS[:1]
    assert check.chosen(CHECKS, "wheel alone, extra dask") == CHECKS
    with pytest.raises(SystemExit, match="--only: nothing is no check; there are versions"):
        check.chosen(CHECKS, "nothing")


def test_every_extra_and_python_has_a_check(monkeypatch):
    monkeypatch.setattr(check, "find_python", lambda version, given: None)
    promises = Promises(("numpy>=2",), {"study": (), "docs": ()}, ("3.11", "3.12"))
    made = list(check.checks_of(check.Release("0.1.0", promises, Path()), []))
    assert {one.group for one in made} == set(check.GROUPS)
    names = [one.name for one in made]
    assert names[2:5] == ["wheel alone", "extra study", "extra docs"]
    assert names[-2:] == ["all extras on 3.11", "all extras on 3.12"]
    assert made[-1].look() is None


def test_what_fails_is_told_and_the_rest_goes_on(capsys):
    def fail():
        raise check.CheckFailedError("one\ntwo")

    results = [check.carry_out(one, passed=False) for one in (*CHECKS, check.Check("wheel", "bad", fail))]
    results.append(check.carry_out(CHECKS[0], passed=True))
    assert [result.state for result in results] == ["passed", "not here", "failed", "passed before"]
    assert "failed: bad\none\ntwo" in capsys.readouterr().out
    lines = check.table_of(results).splitlines()
    assert [line.split("  ")[0] for line in lines] == ["extra dask", "wheel alone", "bad", "extra dask"]
    assert lines[0].endswith("fine")
    assert lines[2].endswith("one")


def test_what_has_passed_is_kept_for_the_same_wheel(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "RECORD", tmp_path / "build" / "record.json")
    assert check.read_record("a") == set()
    check.write_record("a", {"wheel alone"})
    assert check.read_record("a") == {"wheel alone"}
    assert check.read_record("b") == set()


def test_commands_that_fail_say_why(tmp_path):
    code = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)"
    with pytest.raises(environments.CommandError, match=r"ended with 3\nout\nerr"):
        environments.run([sys.executable, "-c", code], tmp_path)


def test_commands_see_nothing_of_the_source(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "src")
    code = "import os; print(os.environ.get('PYTHONPATH'), os.environ['ADDED'])"
    assert environments.run([sys.executable, "-c", code], tmp_path, ADDED="1").split() == ["None", "1"]


def test_pythons_are_found_by_version(tmp_path, monkeypatch):
    this = "{}.{}".format(*sys.version_info[:2])
    assert environments.find_python(this, ["no-such-python"]) == Path(sys.executable)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    (tmp_path / "versions" / "3.99.1" / "bin").mkdir(parents=True)
    (tmp_path / "versions" / "3.99.1" / "bin" / "python").write_text("")
    assert environments.find_python("3.99") is None
