"""Final weights of columns, models side by side."""

from __future__ import annotations

import numpy as np

from covey import RandomSubspaceRegressor
from covey.datasets import make_simulated_regression
from covey.plots.columns import column_weights, draw_column_weights, plot_feature_weights
from plots.drawn import extents, is_on_page, legend_of, line, model_of, overlapping, row_names, save


def test_the_greatest_weight_is_first():
    found = column_weights(model_of([1, 5, 2, 2], "abcd"))
    assert found.models == ("",)
    # Equal ones as in the data.
    assert found.columns == ("b", "c", "d", "a")
    assert found.weights.ravel().tolist() == [0.5, 0.2, 0.2, 0.1]
    assert (found.uniform, found.n_columns, found.n_left_out, found.rest) == (0.25, 4, 0, "")
    assert found.title == "Weights of columns"
    assert found.description == (
        "Weights of columns, as shares of their sum; all alike would be 0.25. b 0.5, c 0.2, d 0.2, a 0.1."
    )


def test_models_side_by_side_are_ordered_by_their_mean():
    found = column_weights({"one": model_of([6, 3, 1], "abc"), "two": model_of([1, 8, 1], "abc")}, top=2)
    assert found.models == ("one", "two")
    assert found.columns == ("b", "a")
    np.testing.assert_allclose(found.weights, [[0.3, 0.8], [0.6, 0.1]])
    assert found.title == "Weights of columns, the 2 largest of 3"
    assert found.rest == "1 not shown has 10% of the weight"
    assert found.description.endswith("one: b 0.3, a 0.6. two: b 0.8, a 0.1. 1 not shown has 10% of the weight.")


def test_what_is_left_out_is_told_for_each_model():
    found = column_weights({"one": model_of([5, 3, 1, 1]), "two": model_of([8, 2, 0, 0])}, top=1)
    assert found.rest == "3 not shown have 50%, 20% of the weight (one, two)"


def test_names_come_from_the_model():
    assert column_weights(model_of([1, 2])).columns == ("x1", "x0")
    model = model_of([1, 2])
    model.feature_names_in_ = np.array(["age", "town"], dtype=object)
    assert column_weights(model).columns == ("town", "age")


def test_columns_never_drawn_come_last():
    """They still have the high weight that they began with, which says nothing of them."""
    model = model_of([4, 1, 3, 2], "abcd")
    model.selection_counts_ = np.array([0, 2, 5, 3])
    # Where weights do not evolve it does not matter who was drawn.
    assert column_weights(model, top=2).columns == ("a", "c")
    model.feature_weights_path_ = model.feature_weights_[None]
    found = column_weights(model, top=2)
    assert found.columns == ("c", "d")
    assert found.n_never_drawn == 1
    assert found.title == "Weights of columns, the 2 largest of 3 that were drawn"
    assert found.rest == "2 not shown have 50% of the weight, 1 was never drawn"
    assert column_weights(model).columns == ("c", "d", "b", "a")
    assert column_weights(model).title == "Weights of columns"


def test_what_is_drawn():
    found = column_weights({"_one": model_of([6, 3, 1], "abc"), "$two": model_of([1, 8, 1], "abc")})
    ax = draw_column_weights(found)
    assert row_names(ax) == ["b", "a", "c"]
    # The first is on top.
    assert ax.transData.transform((0, 0))[1] > ax.transData.transform((0, 1))[1]
    for number, name in enumerate(found.models):
        mark = line(ax, name)
        assert mark.get_xdata().tolist() == found.weights[:, number].tolist()
        assert (np.abs(mark.get_ydata() - np.arange(3)) < 0.4).all()
    assert list(line(ax, "uniform").get_xdata()) == [1 / 3, 1 / 3]
    assert legend_of(ax) == ["_one", "$two"]
    assert (ax.get_title(), ax.get_xlabel()) == (found.title, "weight (dashed: all alike, 0.333)")


def test_one_model_needs_no_legend():
    ax = plot_feature_weights(model_of([1, 2]))
    assert ax.get_legend() is None


def test_what_is_left_out_is_written():
    weights = 1 + np.random.default_rng(0).random(500)
    ax = plot_feature_weights(model_of(weights), top=15)
    assert len(row_names(ax)) == 15
    assert ax.get_title() == "Weights of columns, the 15 largest of 500"
    assert "485 not shown have 96% of the weight" in ax.get_xlabel().replace("\n", " ")
    assert is_on_page(ax)
    assert not overlapping(extents(ax.get_yticklabels()))


def test_one_column():
    ax = plot_feature_weights(model_of([3.0]))
    assert line(ax, "weights").get_xdata().tolist() == [1.0]
    save(ax)


def test_fitted_ensembles():
    X, y = make_simulated_regression(300, random_state=3)
    options = {"n_estimators": 40, "subspace_size": 3, "random_state": 0}
    models = {
        "ERASSEL": RandomSubspaceRegressor(weighting="evolving", **options).fit(X, y),
        "RASSEL": RandomSubspaceRegressor(weighting="relevance", **options).fit(X, y),
    }
    found = column_weights(models)
    assert set(found.columns) == {*models["RASSEL"].schema_.names}
    np.testing.assert_allclose(found.weights.sum(axis=0), 1)
    assert set(found.columns[:3]) == {models["RASSEL"].schema_.names[column] for column in (0, 3, 4)}
    assert is_on_page(draw_column_weights(found))
