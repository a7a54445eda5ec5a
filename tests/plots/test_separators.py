"""Lines of linear members, drawn over the cases."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey import LinearSVMClassifier, TriskelClassifier
from covey.datasets import make_layered_cake
from covey.plots.separators import Separator, draw_separators, plot_separators, separator_map
from plots.drawn import legend_of, line

WINDOW = np.array([[0.0, 4.0], [0.0, 2.0]])


@pytest.fixture(scope="module")
def data():
    return make_layered_cake(random_state=1)


def triskel(data, n_rounds=1, **params):
    given = {"covering": "separate", "bias": 0.65, "biasing": "oversample", "random_state": 0, **params}
    return TriskelClassifier(n_rounds=n_rounds, **given).fit(*data)


@pytest.mark.parametrize(
    ("coefficients", "level", "ends"),
    [
        ((0.0, 1.0), 1.5, [[0, 1.5], [4, 1.5]]),
        ((2.0, 0.0), 6.0, [[3, 0], [3, 2]]),
        ((1.0, 1.0), 1.0, [[0, 1], [1, 0]]),
        ((1.0, -2.0), 0.0, [[0, 0], [4, 2]]),
        ((0.0, 1.0), 3.0, []),
        ((1.0, 1.0), 7.0, []),
    ],
)
def test_where_a_line_enters_and_leaves(coefficients, level, ends):
    found = Separator("h", np.array(coefficients), level).ends(WINDOW)
    np.testing.assert_allclose(found, np.array(ends).reshape(-1, 2), atol=1e-12)


def test_lines_are_where_members_change_their_mind(data):
    model = triskel(data)
    diagram = separator_map(model, *data)
    assert [one.name for one in diagram.separators] == ["h⁺", "h⁻", "arbiter"]
    said = model.member_predictions(data[0])
    for place, one in enumerate(diagram.separators):
        above = data[0] @ one.coefficients > one.level
        np.testing.assert_array_equal(above, said[:, place] == 1)


def test_lines_of_thresholds_are_parallel_and_apart(data):
    model = triskel(data, biasing="threshold", bias=0.4)
    plus, minus, _ = separator_map(model, *data).separators
    np.testing.assert_allclose(plus.coefficients, minus.coefficients)
    assert plus.level > minus.level
    np.testing.assert_array_equal(
        data[0] @ plus.coefficients > plus.level, model.member_predictions(data[0])[:, 0] == 1
    )


def test_regions_are_what_the_model_decides(data):
    model = triskel(data)
    diagram = separator_map(model, *data)
    n = len(diagram.region)
    (left, right), (bottom, top) = diagram.window
    rows, columns = np.random.default_rng(0).integers(n, size=(2, 50))
    places = np.column_stack([left + (right - left) * (columns + 0.5) / n, bottom + (top - bottom) * (rows + 0.5) / n])
    np.testing.assert_array_equal(diagram.region[rows, columns], model.predict(places))
    assert diagram.accuracy == pytest.approx(np.mean(model.predict(data[0]) == data[1]))


def test_rounds_have_numbers(data):
    names = [one.name for one in separator_map(triskel(data, 2), *data).separators]
    assert names == ["h₁⁺", "h₁⁻", "h₂⁺", "h₂⁻", "arbiter"]


def test_one_machine_has_one_line(data):
    diagram = separator_map(LinearSVMClassifier().fit(*data), *data)
    assert [one.name for one in diagram.separators] == ["h"]
    wrong = int(diagram.wrong.sum())
    assert diagram.title == f"1 linear separator: {wrong} cases of 300 wrong"
    assert diagram.description.startswith(f"{diagram.title} (")
    assert "h says 1 where" in diagram.description


def test_what_is_drawn(data):
    diagram = separator_map(triskel(data), *data)
    ax = draw_separators(diagram)
    assert ax.get_title() == diagram.title
    for one in diagram.separators:
        np.testing.assert_allclose(line(ax, f"separator {one.name}").get_xydata(), one.ends(diagram.window))
    assert len(line(ax, "wrong").get_xydata()) == diagram.wrong.sum()
    assert sum(len(line(ax, f"class {label}").get_xydata()) for label in ("0", "1")) == 300
    assert legend_of(ax) == ["0", "1", "wrong", "h⁺", "h⁻", "arbiter"]
    assert ax.images[0].get_array().shape == (*diagram.region.shape, 3)


def test_a_frame_lends_its_names_and_labels(data):
    X, y = pd.DataFrame(data[0], columns=["a_$b", "c"]), np.where(data[1] == 1, "yes", "no")
    model = TriskelClassifier(n_rounds=1, random_state=0).fit(X, y)
    ax = plot_separators(model, X, y, title="mine")
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("a_$b", "c", "mine")
    assert legend_of(ax)[:2] == ["no", "yes"]


def test_cases_without_an_error_have_no_ring():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 5.0], [1.0, 5.0]])
    ax = plot_separators(LinearSVMClassifier().fit(X, [0, 0, 1, 1]), X, [0, 0, 1, 1])
    assert legend_of(ax) == ["0", "1", "h"]


def test_a_line_that_passes_by_is_told(data):
    model = triskel(data, bias=(0.99, 0.5))
    diagram = separator_map(model, *data)
    assert not len(diagram.separators[0].ends(diagram.window))
    names = legend_of(draw_separators(diagram))
    assert "h⁺: 0 everywhere" in names


def test_a_constant_arbiter_is_told():
    """The pair is right on all but hard cases of one class, of which the arbiter learns to say that."""
    X = np.array([[0.0, 0.0], [1.0, 0.1], [0.2, 0.2], [0.1, 5.0], [0.9, 5.1], [0.5, 1.0]])
    diagram = separator_map(LinearSVMClassifier().fit(X, np.array([0, 0, 0, 1, 1, 1])), X, [0, 0, 0, 1, 1, 1])
    constant = Separator("arbiter", np.zeros(2), -1.0)
    assert not constant.is_line
    changed = type(diagram)(**{**vars(diagram), "separators": (constant,)})
    assert "arbiter says 1 everywhere" in changed.description
    names = legend_of(draw_separators(changed))
    assert names[-1] == "arbiter: 1 everywhere"
