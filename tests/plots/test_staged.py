"""The error of votes against ensemble size."""

from __future__ import annotations

import numpy as np
import pytest

from covey.analysis.staged import staged_errors
from covey.plots.members import draw_staged_error, staged_error
from plots.drawn import extents, is_on_page, legend_of, line, names_of, overlapping, save

Y = np.array(list("abab"))
VOTES = np.array([list("aab"), list("bbb"), list("bab"), list("abb")])


def ensemble(share, n_members=40, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 200)
    return np.where(rng.random((200, n_members)) < share, y[:, None], rng.integers(0, 3, (200, n_members))), y


def test_curves_are_the_errors():
    found = staged_errors(VOTES, Y)
    for given in (found, (VOTES, Y), {"ensemble": found}, {"ensemble": (VOTES, Y, np.ones(3))}):
        staged = staged_error(given)
        (curve,) = staged.curves
        assert curve.name == "ensemble"
        assert curve.x.tolist() == [1, 2, 3]
        assert curve.y.tolist() == found.errors.tolist()
    codes = (VOTES == "b").astype(int)
    assert staged_error((codes, Y), classes=["a", "b"]).curves[0].y.tolist() == found.errors.tolist()
    assert staged_error((VOTES, Y, [1, 0, 0])).curves[0].y.tolist() == [found.errors[0]] * 3


def test_in_words():
    staged = staged_error({"tiny": (VOTES, Y)})
    assert staged.title == "Error of the vote against ensemble size"
    assert staged.description == (
        "Error of the vote against ensemble size. tiny: 0.5 with one member, 0.25 with 3, least 0.25 with 2, "
        "mean of single members 0.333."
    )


def test_what_is_drawn():
    staged = staged_error({"weak_$": ensemble(0.1), "strong": ensemble(0.3)})
    ax = draw_staged_error(staged)
    assert line(ax, "strong").get_ydata().tolist() == staged.ensembles["strong"].errors.tolist()
    hollow = [drawn for drawn in ax.lines if drawn.get_label() == "_mean of members"]
    means = [found.mean_member_error for found in staged.ensembles.values()]
    assert [drawn.get_ydata()[0] for drawn in hollow] == means
    assert [drawn.get_marker() for drawn in hollow] == [line(ax, name).get_marker() for name in ("weak_$", "strong")]
    finals = [f"{found.final:.3g}" for found in staged.ensembles.values()]
    assert [text.get_text() for text in names_of(ax)] == [f"weak_$\n{finals[0]}", f"strong\n{finals[1]}"]
    assert legend_of(ax) == ["mean error of single members"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == (staged.title, "members", "error")
    assert ax.get_ylim()[0] == 0
    assert not overlapping(extents(names_of(ax)))


def test_ensembles_of_different_sizes_have_a_legend():
    ax = draw_staged_error(staged_error({"small": ensemble(0.1, 5), "large": ensemble(0.1, 30)}))
    assert [text.split(" ")[0] for text in legend_of(ax)[:2]] == ["small", "large"]
    assert names_of(ax) == []
    assert is_on_page(ax)


@pytest.mark.parametrize("count", [1, 8])
def test_one_member_and_many_ensembles(count):
    ax = draw_staged_error(staged_error({f"ensemble {n}": ensemble(0.1, 1, n) for n in range(count)}))
    assert is_on_page(ax)
    save(ax)


def test_no_error_is_seen_above_the_axis():
    ax = draw_staged_error(staged_error((np.repeat([[0], [1]], 4, axis=1), [0, 1])))
    ax.figure.canvas.draw()
    assert ax.get_ylim()[0] < 0
    low, high = ax.get_ylim()
    assert all(tick >= 0 for tick in ax.get_yticks() if low <= tick <= high)


@pytest.mark.parametrize("n_members", [1, 4, 25, 500])
def test_ticks_begin_at_one_member(n_members):
    ax = draw_staged_error(staged_error({"a": ensemble(0.1, n_members)}))
    ax.figure.canvas.draw()
    assert ax.get_xticks()[0] == 1
    assert all(float(tick).is_integer() for tick in ax.get_xticks())
