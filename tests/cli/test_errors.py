import pytest

from covey.cli.errors import explain
from covey.datasets import load
from covey.study.store import Store, StoreError


def caught(call):
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


def test_what_covey_raises_on_purpose_is_told_as_it_is(tmp_path):
    message, code = explain(caught(lambda: load("no such thing")))
    assert message.startswith("there is no dataset 'no such thing'.")
    assert "Traceback" not in message
    assert code == 2
    foreign = tmp_path / "x.store"
    foreign.write_bytes(b"x" * 1000)
    error = caught(lambda: Store.open(foreign, write=False))
    assert isinstance(error, StoreError)
    assert explain(error)[1] == 1


def test_what_goes_wrong_elsewhere_is_told_with_how_to_see_where():
    message, code = explain(caught(lambda: int("x")))
    assert message.startswith("ValueError: invalid literal")
    assert "--traceback" in message
    assert code == 1


@pytest.mark.parametrize("call", ["rough_duration(None)", "listed(3)", "clip('text', 'x')", "no_such_name"])
def test_slips_in_covey_are_not_told_as_wrong_use(call):
    from covey import _text

    error = caught(lambda: eval(call, vars(_text)))
    message, code = explain(error)
    assert message.startswith(type(error).__name__)
    assert code == 1


def test_the_traceback_is_there_when_it_is_asked_for(covey, monkeypatch):
    assert "Traceback" in covey("datasets", "nosuch", "--traceback").err
    monkeypatch.setenv("COVEY_TRACEBACK", "")
    assert "Traceback" in covey("--traceback", "datasets", "nosuch").err
    message, code = explain(caught(lambda: load("no such thing")))
    assert message.startswith("Traceback")
    assert code == 1


def test_files_of_the_system_and_memory(tmp_path):
    assert explain(caught(lambda: open(tmp_path / "none")))[1] == 2  # noqa: SIM115
    assert explain(OSError(28, "No space left on device")) == ("[Errno 28] No space left on device", 1)
    assert "enough memory" in explain(MemoryError())[0]


def test_a_users_mistake_is_one_message(covey):
    found = covey("datasets", "no[red]such")
    assert found.code == 2
    assert found.out == ""
    assert found.err.startswith("Error: there is no dataset 'no[red]such'.")


GOES_ON = "Stopped. What is finished is kept; the same command goes on from there.\n"


@pytest.mark.parametrize(
    ("function", "command", "message"),
    [
        ("covey.datasets.available", ["datasets"], "Stopped.\n"),
        ("covey.reproduce.reproduce", ["reproduce", "rsc"], GOES_ON),
        ("covey.study.run_study", ["study", "run", "study.toml"], GOES_ON),
    ],
)
def test_an_interruption(covey, study, monkeypatch, function, command, message):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(function, stop)
    found = covey(*command)
    assert found.code == 130
    assert found.err == message


@pytest.mark.parametrize("kind", [ValueError, OSError, MemoryError])
def test_notes_of_an_error_are_told(kind):
    error = kind("it went wrong.")
    error.add_note("The results are kept in found.")
    assert "\nThe results are kept in found." in explain(error)[0]
