import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from covey.cli import live, terminal
from covey.cli.live import LiveProgress
from covey.study import Outcome, Progress, read_study, run_study


def progress(done, total=10, failed=0, method="m", score=0.5, seconds=1.0, status="done", error=""):
    labels = {"dataset": "d [red]", "method": method, "repeat": 0, "fit": done}
    scores = {"accuracy": score} if status == "done" else {}
    took = {"fit": seconds} if status == "done" else {}
    return Progress(total, done, failed, Outcome(f"key{done}", labels, status, scores, took, error=error))


def test_a_line_says_how_far_it_is_and_who_leads():
    shown = LiveProgress("2 processes")
    assert shown.line() == "starting on 2 processes"
    for done in (1, 2, 3):
        shown(progress(done, score=0.25 * done))
    assert shown.line().startswith("3 of 10 fits, about ")
    assert shown.line().endswith("left; accuracy on d [red]: m 0.5 (n = 3)")


def test_failures_are_counted():
    shown = LiveProgress("1 process")
    shown(progress(0, failed=1, status="failed", error="raised: x"))
    assert "1 of 10 fits, 1 failed" in shown.line()
    assert shown.n_finished == 1


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
        shown(progress(done, method=f"a long name of a method {done % 2}"))
    console.print(shown._picture())
    text = console.export_text()
    assert "Reading data" in text
    assert "5 of 10 fits" in " ".join(text.split())
    assert "d [red]" in text
    assert max(map(len, text.splitlines())) <= width


def test_on_a_terminal_it_is_drawn_and_taken_away(screen):
    console = screen(80)
    with LiveProgress("2 processes") as shown:
        shown(progress(1))
        assert shown._live is not None
        assert shown._live.is_started
    assert not shown._live.is_started
    assert console.file is not None


def test_a_cell_only_counts_and_draws_nothing(monkeypatch):
    shown = LiveProgress("2 processes")
    monkeypatch.setattr(shown, "_live", object())  # as on a terminal, where a thread draws now and then
    monkeypatch.setattr(shown, "_draw", lambda: pytest.fail("drawn for a cell"))
    for done in range(1, 50):
        shown(progress(done, total=100))
    assert shown.n_finished == 49


def test_what_a_store_knows_is_shown_from_the_start(study, tmp_path):
    store = tmp_path / "s.store"
    results = run_study(read_study(study), store)
    key, labels = next(iter(results.keys.items()))
    shown = LiveProgress("1 process", store=lambda: store)
    shown(Progress(8, 4, 4, Outcome.done(key, labels, {"accuracy": 0.9}, {"fit": 0.1})))
    assert shown._leaders.standing("iris").n_fits == 4
    assert sum(shown._time_left._left.values()) == 0


def test_a_store_that_cannot_be_read_does_no_harm(tmp_path):
    shown = LiveProgress("1 process", store=lambda: tmp_path / "none")
    shown(progress(1))
    assert shown.n_finished == 1


def test_a_fit_that_was_ended_has_taken_its_time():
    shown = LiveProgress("1 process", timeout=60.0)
    assert shown._seconds(progress(1, status="failed", error="timeout: took too long").latest) == 60.0
    assert shown._seconds(SimpleNamespace(status="done", seconds={"fit": 1.0, "predict": 0.5}, error="")) == 1.5


def test_leaders_are_by_the_first_metric_of_the_study(study, tmp_path):
    text = study.read_text().replace("seed = 1", 'seed = 1\nmetrics = ["neg_log_loss", "accuracy"]')
    study.write_text(text)
    store = tmp_path / "s.store"
    results = run_study(read_study(study), store)
    key, labels = next(iter(results.keys.items()))
    scores = {"accuracy": 0.9, "neg_log_loss": -0.5}
    shown = LiveProgress("1 process", store=lambda: store)
    shown(Progress(8, 4, 4, Outcome.done(key, labels, scores, {"fit": 0.1})))
    assert shown._leaders.metric == "neg_log_loss"
    assert shown._leaders.standing("iris").n_fits == 4
    assert shown._leaders.standing("iris").best[0][1] < 0
