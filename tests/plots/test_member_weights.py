"""Weights of members against their losses and disagreement."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from covey.plots import draw_member_weights, member_weights
from covey.plots.combination import LARGEST
from plots.drawn import extents, is_on_page, legend_of, line, names_of, overlapping

COLUMNS = ["weight", "accuracy", "log loss", "disagreement", "seconds", "left out"]


def combination(rows, names, *, numbers=False):
    """What a fitted combination has, as far as the figure asks."""
    columns = [{"accuracy": "R²", "log loss": "RMSE"}.get(name, name) if numbers else name for name in COLUMNS]
    frame = pd.DataFrame(rows, columns=columns, index=pd.Index(names, name="member"))
    return SimpleNamespace(member_scores_=frame, **({} if numbers else {"classes_": np.arange(2)}))


FOUR = combination(
    [
        (0.64, 0.9, 0.2, 0.10, 1.0, ""),
        (0.36, 0.8, 0.3, 0.20, 1.0, ""),
        (0.0, 0.7, 0.4, 0.15, 1.0, "the others do as well without it"),
        (0.0, np.nan, np.nan, np.nan, 0.0, "no time was left to try it"),
    ],
    ["boost", "near", "tree", "svm"],
)


def many(count, seed=0, **options):
    rng = np.random.default_rng(seed)
    weights = np.sort(rng.dirichlet(np.ones(count)))[::-1]
    rows = [(weight, 0.9, rng.uniform(0.1, 0.5), rng.uniform(0.02, 0.09), 1.0, "") for weight in weights]
    return combination(rows, [f"member_$ {number}" for number in range(count)], **options)


def test_the_data():
    data = member_weights(FOUR)
    assert data.members == ("boost", "near", "tree", "svm")
    assert data.loss == "log loss"
    assert data.weights.tolist() == [0.64, 0.36, 0, 0]
    assert data.shown.tolist() == [0, 1, 2]
    assert data.places.tolist() == [[0.2, 0.10], [0.3, 0.20], [0.4, 0.15]]
    assert data.logarithmic == (False, False)
    assert data.left_out[3] == "no time was left to try it"
    assert data.description == (
        "Weights of members by their loss and disagreement. boost: weight 64%, log loss 0.2, disagreement 0.1; near: "
        "weight 36%, log loss 0.3, disagreement 0.2; tree: left out, log loss 0.4, disagreement 0.15; svm: left out, "
        "not scored."
    )


def test_what_is_drawn():
    ax = draw_member_weights(member_weights(FOUR))
    heavy, light, hollow = (line(ax, name) for name in ("boost", "near", "tree"))
    assert (heavy.get_xdata()[0], heavy.get_ydata()[0]) == (0.2, 0.10)
    assert heavy.get_markersize() ** 2 == pytest.approx(0.64 * LARGEST**2)
    assert light.get_markersize() ** 2 == pytest.approx(0.36 * LARGEST**2)
    assert light.get_zorder() > heavy.get_zorder()
    assert hollow.get_markerfacecolor() == "white"
    assert [text.get_text() for text in names_of(ax)] == ["boost 64%", "near 36%", "tree"]
    assert legend_of(ax) == ["area: weight", "left out", "not scored: svm"]


def test_errors_of_numbers():
    ax = draw_member_weights(member_weights(many(3, numbers=True)))
    assert ax.get_xlabel().startswith("RMSE on rows not seen")
    assert "correlation of errors" in " ".join(ax.get_ylabel().split())


def test_axes_are_logarithmic_where_numbers_are_far_apart():
    rows = [(0.9, 0.9, 0.1, 0.0, 1.0, ""), (0.1, 0.5, 2.0, 0.4, 1.0, "")]
    data = member_weights(combination(rows, ["a", "b"]))
    assert data.logarithmic == (True, False)  # no axis of logarithms has a place for 0
    ax = draw_member_weights(data)
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "linear")


def test_a_member_alone():
    data = member_weights(combination([(1.0, 0.9, 0.1, np.nan, 1.0, "")], ["_only $x"]))
    assert data.alone
    ax = draw_member_weights(data)
    assert is_on_page(ax)
    assert ax.get_ylabel() == "no other member to differ from"
    assert [text.get_text() for text in names_of(ax)] == ["_only $x 100%"]


@pytest.mark.parametrize("seed", range(3))
def test_the_names_of_twelve_members_do_not_overlap(seed):
    ax = draw_member_weights(member_weights(many(12, seed)))
    ax.figure.canvas.draw()
    names = names_of(ax)
    assert len(names) == 12
    assert not overlapping(extents(names))
    assert is_on_page(ax)


def test_members_at_the_same_place_and_of_nearly_no_weight():
    rows = [(0.5, 0.9, 0.0, 0.0, 1.0, ""), (0.499, 0.9, 0.0, 0.0, 1.0, ""), (0.001, 0.9, 0.0, 0.0, 1.0, "")]
    ax = draw_member_weights(member_weights(combination(rows, ["a" * 70, "a" * 69 + "b", "two\nlines"])))
    ax.figure.canvas.draw()
    assert not overlapping(extents(names_of(ax)))
    assert names_of(ax)[-1].get_text().endswith(" <1%")


def test_only_combinations_have_such_weights():
    with pytest.raises(TypeError, match="has no member_scores_; give a fitted CoveyClassifier"):
        member_weights(5)
