"""Weights of columns by round."""

from __future__ import annotations

import numpy as np
import pytest

from covey import RandomSubspaceClassifier, RandomSubspaceRegressor
from covey.datasets import make_simulated_logistic, make_simulated_regression
from covey.plots.subspaces import MOST_GREY, draw_weight_curves, plot_weight_path, weight_curves
from plots.drawn import is_on_page, line, model_of, names_of, save

HAND = [[1, 1, 1, 1], [1, 2, 1, 4], [1, 2, 1, 6]]


def walk(n_columns, n_rounds=100, seed=0, names=None):
    steps = 0.05 * np.random.default_rng(seed).standard_normal((n_rounds, n_columns))
    return model_of(np.exp(steps.cumsum(axis=0)), names)


def others_of(ax):
    return [drawn for drawn in ax.collections if drawn.get_label() == "_others"]


def test_the_greatest_final_weight_is_first():
    found = weight_curves(model_of(HAND, "abcd"), top=2)
    assert found.columns == ("d", "b", "a", "c")
    assert found.weights.tolist() == [[0.25] * 4, [0.5, 0.25, 0.125, 0.125], [0.6, 0.2, 0.1, 0.1]]
    assert found.uniform == 0.25
    assert [curve.name for curve in found.curves] == ["d", "b"]
    assert found.curves[0].x.tolist() == [1, 2, 3]
    assert found.curves[0].y.tolist() == [0.25, 0.5, 0.6]
    assert found.others.shape == (3, 2)


def test_in_words():
    found = weight_curves(model_of(HAND, "abcd"), top=2)
    assert found.title == "Weights of columns by round"
    assert found.description == (
        "Weights of columns by round, as shares of their sum; all alike would be 0.25. After 3 rounds: d 0.6, b 0.2; "
        "2 other columns 0.1."
    )
    assert weight_curves(model_of(HAND, "abcd")).description.endswith("After 3 rounds: d 0.6, b 0.2, a 0.1, c 0.1.")
    one = weight_curves(model_of(HAND), top=1)
    assert one.description.endswith("x3 0.6; 3 other columns 0.1 to 0.2.")


def test_what_is_drawn():
    found = weight_curves(model_of(HAND, ["a", "$b", "c", "_d"]), top=2)
    ax = draw_weight_curves(found)
    assert line(ax, "_d").get_xydata().tolist() == [[1, 0.25], [2, 0.5], [3, 0.6]]
    assert list(line(ax, "uniform").get_ydata()) == [0.25, 0.25]
    (others,) = others_of(ax)
    assert [segment.tolist() for segment in others.get_segments()] == [[[1, 0.25], [2, 0.125], [3, 0.1]]] * 2
    assert [text.get_text() for text in names_of(ax)] == ["_d", "$b"]
    assert (ax.get_title(), ax.get_ylabel()) == (found.title, "weight")
    assert ax.get_xlabel() == "round (grey: 2 others, dashed: all alike, 0.25)"


def test_columns_never_drawn_have_no_name():
    model = model_of(HAND, "abcd")
    model.selection_counts_ = np.array([1, 1, 1, 0])
    assert weight_curves(model).columns == ("b", "a", "c", "d")


def test_first_rounds_do_not_dwarf_the_others():
    calm = np.tile([0.3, 0.25, 0.25, 0.2], (50, 1))
    assert weight_curves(model_of(calm)).n_beyond == 0
    calm[:2] = [[0.05, 0.05, 0.85, 0.05], [0.2, 0.2, 0.5, 0.1]]
    found = weight_curves(model_of(calm))
    # The range of later rounds is 0.2 to 0.3, and 0.03 more on both sides.
    assert found.limits == pytest.approx((0.17, 0.33))
    assert found.n_beyond == 2
    ax = draw_weight_curves(found)
    assert ax.get_ylim() == pytest.approx((0.17, 0.33))
    assert "the first 2 rounds in part beyond" in ax.get_xlabel().replace("\n", " ")
    calm[1] = calm[2]
    ax = plot_weight_path(model_of(calm))
    assert "the first round in part beyond" in ax.get_xlabel().replace("\n", " ")


def test_weights_that_all_stay_the_same():
    found = weight_curves(model_of(np.ones((20, 4))))
    assert found.n_beyond == 0
    save(draw_weight_curves(found))


def test_all_columns_may_be_named():
    ax = plot_weight_path(model_of(HAND))
    assert not others_of(ax)
    assert ax.get_xlabel() == "round (dashed: all alike, 0.25)"


def test_of_many_others_the_range_is_drawn():
    model = walk(MOST_GREY + 6)
    ax = plot_weight_path(model, top=5)
    (area,) = others_of(ax)
    shares = model.feature_weights_path_ / model.feature_weights_path_.sum(axis=1, keepdims=True)
    rest = shares[:, np.argsort(-shares[-1])[5:]]
    corners = area.get_paths()[0].vertices
    assert corners[:, 1].min() == pytest.approx(rest.min())
    assert corners[:, 1].max() == pytest.approx(rest.max())
    assert f"grey: range of {MOST_GREY + 1} others" in ax.get_xlabel().replace("\n", " ")
    assert len(others_of(plot_weight_path(walk(MOST_GREY + 5), top=5))[0].get_paths()) == MOST_GREY


def test_twelve_thousand_columns_make_a_small_file():
    ax = plot_weight_path(walk(12_000, n_rounds=20))
    assert len(save(ax)) < 200_000


def test_one_round_and_one_column():
    save(plot_weight_path(model_of([[0.3, 0.7]])))
    save(plot_weight_path(model_of([[1.0], [1.0]])))


@pytest.mark.parametrize(
    ("make", "data"),
    [(RandomSubspaceRegressor, make_simulated_regression), (RandomSubspaceClassifier, make_simulated_logistic)],
)
def test_fitted_ensembles(make, data):
    X, y = data(200, random_state=0)
    model = make(n_estimators=30, weighting="evolving", subspace_size=3, random_state=0).fit(X, y)
    found = weight_curves(model)
    assert found.weights.shape == (30, 10)
    np.testing.assert_allclose(np.sort(found.weights[-1]), np.sort(model.feature_weights_), rtol=1e-6)
    assert is_on_page(draw_weight_curves(found))
    uniform = make(n_estimators=3, subspace_size=3, random_state=0).fit(X, y)
    with pytest.raises(TypeError, match='weighting="evolving"'):
        weight_curves(uniform)
