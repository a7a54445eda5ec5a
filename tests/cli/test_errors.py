import pytest

from covey._text import rough_duration
from covey.cli.errors import explain, in_options
from covey.datasets import load
from covey.study.store import StoreError


def caught(call):
    try:
        call()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("message", "written"),
    [
        ("'x' does not say which column to predict; pass target= with one of 'a', 'b'",
         "'x' does not say which column to predict; give --target with one of 'a', 'b'"),
        ("leave it out with drop=['id']", "leave it out with --drop 'id'"),
        ("task='classification' takes them for classes", "--task 'classification' takes them for classes"),
        ("n_folds=1 is too small", "--folds 1 is too small"),
        ("metrics[0]='acc' is no metric", "--metric 'acc' is no metric"),
        ("family='x' has no methods", "--family 'x' has no methods"),
        ("alpha=0.5 stays", "alpha=0.5 stays"),
        ("available() lists the names. Or try load('openml:x').", "'covey datasets' lists the names. Or try openml:x."),
        ("a column 'target=' stays, [red]too[/red]", "a column 'target=' stays, [red]too[/red]"),
    ],
)  # fmt: skip
def test_arguments_are_written_as_options(message, written):
    assert in_options(message) == written


def test_what_covey_raises_on_purpose_is_told_as_it_is():
    message, code = explain(caught(lambda: load("no such thing")))
    assert message.startswith("there is no dataset 'no such thing'.")
    assert "Traceback" not in message
    assert code == 2


def test_a_store_that_cannot_be_used_is_a_failure(tmp_path):
    from covey.study.store import Store

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


def test_our_own_slips_are_not_told_as_wrong_use():
    message, code = explain(caught(lambda: rough_duration(None)))
    assert message.startswith("TypeError")
    assert code == 1


def test_the_traceback_is_there_when_it_is_asked_for(monkeypatch):
    monkeypatch.setenv("COVEY_TRACEBACK", "1")
    message, code = explain(caught(lambda: load("no such thing")))
    assert message.startswith("Traceback")
    assert code == 1


def test_files_of_the_system(tmp_path):
    assert explain(caught(lambda: open(tmp_path / "none")))[1] == 2  # noqa: SIM115
    assert explain(OSError(28, "No space left on device")) == ("[Errno 28] No space left on device", 1)


def test_memory():
    assert "enough memory" in explain(MemoryError())[0]


def test_an_error_without_words_has_a_name():
    assert explain(caught(lambda: [].__getitem__(0)))[0].startswith("IndexError: list index")


def test_a_users_mistake_is_one_message(covey):
    found = covey("datasets", "no[red]such")
    assert found.code == 2
    assert found.out == ""
    assert found.err.startswith("Error: there is no dataset 'no[red]such'.")


def test_the_traceback_option_works_anywhere(covey):
    assert "Traceback" in covey("datasets", "nosuch", "--traceback").err


def test_the_traceback_option_works_in_front(covey):
    assert "Traceback" in covey("--traceback", "datasets", "nosuch").err


def test_an_interruption(covey, monkeypatch):
    from covey.datasets import catalogue

    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(catalogue, "available", stop)
    monkeypatch.setattr("covey.datasets.available", stop)
    found = covey("datasets")
    assert found.code == 130
    assert found.err == "Stopped.\n"


@pytest.mark.parametrize("kind", [ValueError, OSError, MemoryError])
def test_notes_of_an_error_are_told(kind):
    error = kind("it went wrong.")
    error.add_note("The results are kept in found.")
    assert "\nThe results are kept in found." in explain(error)[0]


def test_several_columns_are_options_of_their_own():
    assert in_options("drop=['a', \"b\"] names the target") == "--drop 'a' --drop \"b\" names the target"
    assert in_options("choose another with target=, or keep it") == "choose another with --target, or keep it"
    assert in_options("methods: 'x' is no method") == "--method: 'x' is no method"
    assert in_options("memory=3 is too little; give more, or None.") == (
        "--memory 3 is too little; give more, or leave it out."
    )
    assert in_options("sizes=['a', 'b'] stays") == "sizes=['a', 'b'] stays"
