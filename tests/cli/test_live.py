import io

import pytest
from rich.console import Console

from covey.cli import live, terminal
from covey.cli.live import LiveProgress
from covey.study import Outcome, Progress
from covey.study.progress import Standing


def progress(done, total=10, failed=0, method="m", dataset="d [red]", left=30.0):
    standing = Standing(dataset, "accuracy", ((method, 0.5), ("other", 0.25)), done, even=False)
    return Progress(total, done, failed, Outcome(f"key{done}", {}, "done"), standing, left)


def test_a_line_says_how_far_it_is_and_who_leads():
    shown = LiveProgress("2 processes")
    assert shown.line() == "starting on 2 processes"
    shown(progress(3))
    assert shown.line() == "3 of 10 fits, about 30 s left; accuracy on d [red]: m 0.5, other 0.25 (n = 3)"
    shown(Progress(10, 3, 1, Outcome("key", {}, "failed")))
    assert shown.line() == "4 of 10 fits, 1 failed"
    shown(progress(9, failed=1))
    assert shown.line().startswith("all 10 fits finished, 1 failed; ")


def test_lines_come_now_and_then(capsys, monkeypatch):
    now = [100.0]
    monkeypatch.setattr(live.time, "monotonic", lambda: now[0])
    shown = LiveProgress("1 process")
    terminal._console.cache_clear()
    with shown:
        for done in range(1, 101):
            now[0] += 1.0
            shown(progress(done, total=100))
    lines = capsys.readouterr().err.splitlines()
    assert 5 <= len(lines) <= 15
    assert lines[-1].split()[1:3] == ["of", "100"]


def test_quiet_says_nothing(capsys):
    with LiveProgress("1 process", quiet=True) as shown:
        shown(progress(1))
    assert capsys.readouterr().err == ""


@pytest.fixture
def screen(monkeypatch):
    def make(width):
        console = Console(file=io.StringIO(), force_terminal=True, width=width, height=20, markup=False, record=True)
        monkeypatch.setattr(live, "err", lambda: console)
        return console

    return make


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_picture_fits_the_terminal(screen, width):
    console = screen(width)
    shown = LiveProgress("2 processes")
    console.print(shown._picture())
    for done in range(1, 6):
        shown(progress(done, method=f"a long name of a method {done % 2}", dataset=f"d{done} [red]"))
    console.print(shown._picture())
    text = console.export_text()
    assert "Reading data" in text
    assert "5 of 10 fits" in " ".join(text.split())
    assert all(f"d{done} [red]" in text for done in range(1, 6))
    assert max(map(len, text.splitlines())) <= width


def test_on_a_terminal_a_thread_draws(screen, monkeypatch):
    screen(80)
    with LiveProgress("2 processes") as shown:
        monkeypatch.setattr(shown, "_next_line", 0.0)
        monkeypatch.setattr(shown, "line", lambda: pytest.fail("a line for a cell"))
        shown(progress(1))
        assert shown._live.is_started
    assert not shown._live.is_started
