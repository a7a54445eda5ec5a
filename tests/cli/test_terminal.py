import pytest

from covey.cli import terminal


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


def test_files_that_are_there_are_refused(tmp_path):
    file = tmp_path / "x"
    terminal.refuse_existing(None, "--out", False)
    terminal.refuse_existing(file, "--out", False)
    file.write_text("")
    terminal.refuse_existing(file, "--out", True)
    with pytest.raises(FileExistsError, match="add --force"):
        terminal.refuse_existing(file, "--out", False)
    with pytest.raises(IsADirectoryError, match="is a folder"):
        terminal.refuse_existing(tmp_path, "--out", False)
    with pytest.raises(FileNotFoundError, match="no folder"):
        terminal.refuse_existing(tmp_path / "none" / "x", "--out", False)


def test_a_name_cannot_take_over_the_terminal(capsys):
    name = "\x1b[31mred\x07\r\x9b\u202e\u2028"
    terminal.say(name)
    terminal.note(name)
    terminal.out().print(terminal.table([name], [[name]]))
    written = capsys.readouterr()
    assert not {"\x1b", "\x07", "\r", "\x9b", "\u202e", "\u2028"} & set(written.out + written.err)
    assert r"\x1b[31mred\x07\r\x9b\u202e\u2028" in written.out


def test_a_name_cannot_forge_a_line(capsys):
    name = "c4.5\nError: forged"
    terminal.say(name)
    terminal.note(name)
    terminal.say_path(name, "x")
    terminal.out().print(terminal.table([name], [[name]]))
    terminal.complain(name)
    written = capsys.readouterr()
    assert not [line for line in written.out.splitlines() if line.startswith("Error")]
    assert written.err == "c4.5\\nError: forged\nError: c4.5\n  Error: forged\n"


def test_lines_put_together_on_purpose_stay_lines(capsys):
    terminal.say_lines("two\nlines, ü and 猫\x1b")
    assert capsys.readouterr().out == "two\nlines, ü and 猫\\x1b\n"


def test_a_file_where_a_folder_is_needed(tmp_path):
    terminal.refuse_file(tmp_path, "--out")
    terminal.refuse_file(tmp_path / "new", "--out")
    (tmp_path / "x").write_text("")
    with pytest.raises(NotADirectoryError, match="is a file; name a folder"):
        terminal.refuse_file(tmp_path / "x", "--out")
