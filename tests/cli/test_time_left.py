import pytest
from covey.cli.time_left import TimeLeft

from covey._text import rough_duration


def test_nothing_is_known_at_first():
    left = TimeLeft({("a", "m"): 5})
    assert left.estimate(1.0, 5) is None
    left.observe(("a", "m"), 1.0)
    assert left.estimate(1.0, 4) is None


def test_nothing_left_takes_no_time():
    assert TimeLeft().estimate(3.0, 0) == 0.0


def test_by_rate_where_the_cells_are_not_known():
    left = TimeLeft()
    for _ in range(4):
        left.observe(("a", "m"), 1.0)
    assert left.estimate(2.0, 10) == pytest.approx(5.0)


def test_two_at_a_time():
    left = TimeLeft({("a", "m"): 14})
    for _ in range(4):
        left.observe(("a", "m"), 1.0)
    assert left.estimate(2.0, 10) == pytest.approx(5.0)


def test_long_cells_that_are_left_count_for_more():
    left = TimeLeft({("a", "fast"): 4, ("a", "slow"): 3})
    for _ in range(4):
        left.observe(("a", "fast"), 1.0)
    left.observe(("a", "slow"), 100.0)
    assert left.estimate(104.0, 2) == pytest.approx(200.0)


def test_a_pair_that_was_not_tried_is_guessed_from_its_row_and_column():
    left = TimeLeft({("small", "slow"): 1, ("small", "fast"): 1, ("big", "fast"): 1, ("big", "slow"): 1})
    left.observe(("small", "fast"), 1.0)
    left.observe(("small", "slow"), 10.0)
    left.observe(("big", "fast"), 5.0)
    expected = 50.0  # ten times slower, five times bigger
    assert left.estimate(16.0, 1) == pytest.approx(expected, rel=0.5)


def test_what_earlier_runs_took_helps():
    left = TimeLeft()
    left.learn(("a", "slow"), 100.0)
    left.expect({("a", "slow"): 2, ("a", "fast"): 3})
    for _ in range(3):
        left.observe(("a", "fast"), 1.0)
    assert left.estimate(3.0, 2) == pytest.approx(200.0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (7.4, "7 s"), (44, "45 s"), (100, "2 min"), (3600, "60 min"), (9000, "2.5 h"), (4e5, "4.6 days")],
)
def test_durations(seconds, words):
    assert rough_duration(seconds) == words
