import io

import pytest
from rich.console import Console

from covey.cli import live, terminal
from covey.cli.live import LiveProgress, parts
from covey.study import Outcome, Progress
from covey.study.progress import Standing


def progress(done, total=10, failed=0, method="m", left=30.0, even=False):
    standing = Standing("d [red]", "accuracy", ((method, 0.5), ("other", 0.25)), done, even)
    return Progress(total, done, failed, Outcome(f"key{done}", {}, "done"), standing, left)


def test_how_far_it_is_and_who_leads():
    best = "accuracy on d [red]: m 0.5, other 0.25 (means of 3 fits"
    assert parts(progress(3)) == ["3 of 10 fits, about 30 s left", f"{best}; others have more or fewer)"]
    assert parts(progress(3, even=True))[1] == f"{best})"
    assert parts(Progress(10, 3, 1, Outcome("key", {}, "failed"))) == ["4 of 10 fits, 1 failed"]
    assert parts(progress(9, failed=1))[0] == "all 10 fits finished, 1 failed"


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
    assert lines[-1].split()[1:3] == ["of", "100"]


@pytest.mark.parametrize("width", [40, 80, 120])
def test_the_picture_fits_the_terminal(monkeypatch, width):
    screen, paper = (Console(file=io.StringIO(), force_terminal=True, width=width, record=True) for _ in range(2))
    monkeypatch.setattr(live, "err", lambda: screen)
    with LiveProgress("2 processes") as shown:
        assert shown._bar.live.is_started
        paper.print(shown._bar.get_renderable())
        shown(progress(5, method="a long name of a method"))
        paper.print(shown._bar.get_renderable())
    assert not shown._bar.live.is_started
    lines = paper.export_text().splitlines()
    assert "reading data and" in lines[0]
    assert "d [red]" in " ".join(lines)
    assert max(map(len, lines)) <= width
