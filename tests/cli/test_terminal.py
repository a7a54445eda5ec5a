import io

import pytest
from rich.console import Console

from covey.cli import live, terminal
from covey.cli.live import LiveProgress
from covey.cli.options import examples, read_memory, running
from covey.study import Outcome, Progress
from covey.study.progress import Standing
from covey.study.workers import usable_cores


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)  # which pytest-xdist sets
    terminal._console.cache_clear()
    yield
    terminal._console.cache_clear()


def test_names_are_written_as_they_are(capsys):
    terminal.say("[red]x[/red] :smile: 123 'text'")
    terminal.note("[bold]y")
    terminal.out().print(terminal.table(["[b]a"], [["[red]z[/red]"], [":cat:"]]))
    written = capsys.readouterr()
    assert "[red]x[/red] :smile: 123 'text'\n" in written.out
    assert "[red]z[/red]" in written.out
    assert ":cat:" in written.out
    assert written.err == "[bold]y\n"
    assert "\x1b" not in written.out + written.err


def test_lines_go_whole_into_a_file(capsys):
    terminal.say("word " * 100)
    terminal.out().print(terminal.table(["a"], [["x" * 300]]))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[-1] == "x" * 300


def test_a_narrow_table_folds_text_and_keeps_numbers(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "30")
    terminal.out().print(terminal.table(["text", "n"], [["many words " * 5, "0.123456"]], right=["n"]))
    text = capsys.readouterr().out
    assert "0.123456" in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 30


def test_paths_are_short_and_in_one_piece(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "20")
    terminal.say_path("Report:", tmp_path / ("long" * 20) / "report.html")
    assert capsys.readouterr().out == f"Report: {'long' * 20}/report.html\n"
    assert terminal.shown_path("/etc/hosts") == "/etc/hosts"


def test_files_and_folders_that_are_there_are_refused(tmp_path):
    file = tmp_path / "x"
    terminal.refuse_existing(None, "--out", False)
    terminal.refuse_existing(file, "--out", False)
    terminal.refuse_file(tmp_path, "--out")
    terminal.refuse_file(file, "--out")
    file.write_text("")
    terminal.refuse_existing(file, "--out", True)
    with pytest.raises(NotADirectoryError, match="is a file; name a folder"):
        terminal.refuse_file(file, "--out")
    for path, error, problem in (
        (file, FileExistsError, "add --force"),
        (tmp_path, IsADirectoryError, "is a folder"),
        (tmp_path / "none" / "x", FileNotFoundError, "no folder"),
    ):
        with pytest.raises(error, match=problem):
            terminal.refuse_existing(path, "--out", False)


def test_a_name_can_neither_take_over_the_terminal_nor_forge_a_line(capsys):
    name = "\x1b[31mred\x07\r\x9b\u202e\u2028\nError: forged"
    terminal.say(name)
    terminal.note(name)
    terminal.say_path(name, "x")
    terminal.out().print(terminal.table([name], [[name]]))
    terminal.complain(name)
    terminal.say_lines("two\nlines, ü and 猫\x1b")  # put together on purpose
    written = capsys.readouterr()
    assert not {"\x1b", "\x07", "\r", "\x9b", "\u202e", "\u2028"} & set(written.out + written.err)
    safe = r"\x1b[31mred\x07\r\x9b\u202e\u2028"
    assert written.out.count(rf"{safe}\nError: forged") == 4
    assert written.err == f"{safe}\\nError: forged\nError: {safe}\n  Error: forged\n"
    assert written.out.endswith("two\nlines, ü and 猫\\x1b\n")
    assert not [line for line in written.out.splitlines() if line.startswith("Error")]


def progress(done, total=10, failed=0, method="m", left=30.0, even=False):
    standing = Standing("d [red]", "accuracy", ((method, 0.5), ("other", 0.25)), done, even)
    return Progress(total, done, failed, Outcome(f"key{done}", {}, "done"), standing, left)


def test_how_far_it_is_and_who_leads():
    best = "accuracy on d [red]: m 0.5, other 0.25 (means of 3 fits"
    assert progress(3).lines() == ["3 of 10 fits, about 30 s left", f"{best}; others have more or fewer)"]
    assert progress(3, even=True).lines()[1] == f"{best})"
    assert Progress(10, 3, 1, Outcome("key", {}, "failed")).lines() == ["4 of 10 fits, 1 failed"]
    assert progress(9, failed=1).lines()[0] == "all 10 fits finished, 1 failed"


def test_lines_come_now_and_then_and_none_if_quiet(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    terminal._console.cache_clear()
    with LiveProgress("1 process") as shown, LiveProgress("1 process", quiet=True) as quiet:
        for done in range(1, 101):
            now[0] += 1.0
            shown(progress(done, total=100))
            quiet(progress(done, total=100))
    lines = capsys.readouterr().err.splitlines()
    assert 5 <= len(lines) <= 15
    assert " of 100 fits" in lines[-1]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_picture_fits_the_terminal(monkeypatch, width):
    screen, paper = (Console(file=io.StringIO(), force_terminal=True, width=width, record=True) for _ in range(2))
    monkeypatch.setattr(live, "err", lambda: screen)
    with LiveProgress("2 processes") as shown:
        assert shown._bar.live.is_started
        paper.print(shown._bar.get_renderable())
        shown(progress(5, method="a long name of a method"))
        shown._draw()
        paper.print(shown._bar.get_renderable())
    assert not shown._bar.live.is_started
    lines = paper.export_text().splitlines()
    assert "reading data" in " ".join(lines[:3])
    assert "d [red]" in " ".join(lines)
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize(
    ("text", "size"),
    [("2GB", 2 * 10**9), ("1.5g", 15 * 10**8), ("500 MB", 5 * 10**8), ("1GiB", 2**30), ("4096", 4096), (None, None)],
)
def test_sizes(text, size):
    assert read_memory(text) == size


@pytest.mark.parametrize("text", ["", "lots", "-1GB", "0", "2GBB", "nan"])
def test_no_sizes(text):
    with pytest.raises(ValueError, match=r"--memory .* is no size"):
        read_memory(text)


@pytest.mark.parametrize(("workers", "expected"), [(3, 3), (None, usable_cores())])
def test_settings_of_a_run(workers, expected):
    with running(workers, None, 2.0, "1KB", True, True) as settings:
        assert settings.pop("progress") is not None
    limits = {"timeout": 2.0, "memory": 1000, "retry_failed": True}
    assert settings == {"n_workers": expected, "cluster": None, **limits}


def test_examples_keep_their_lines():
    assert examples(["covey a", "covey b"]) == "\b\nExamples:\n  covey a\n  covey b"
