"""Sphere covers worked out by hand, and what they make of bad input."""

import numpy as np
import pandas as pd
import pytest

from covey import SphereCoverClassifier
from covey.learners import cover

# Six cases on a line: a a a . . b b . . a
LINE = np.array([[0.0], [1.0], [2.0], [5.0], [6.0], [9.0]])
NAMES = np.array(["a", "a", "a", "b", "b", "a"])

# The enemy of 0, 1 and 2 is 5; that of 5 is 2; 6 and 9 are each other's.
RADII = [5.0, 4.0, 3.0, 3.0, 3.0, 3.0]
BORDERS = [3, 3, 3, 2, 5, 4]


def unscaled(*args, **params):
    return SphereCoverClassifier(*args, scale=False, random_state=0, **params)


@pytest.fixture
def drawn(monkeypatch):
    """Fix the order in which cases are drawn."""

    def fix(*order):
        monkeypatch.setattr(cover, "draw_order", lambda weight, rng: np.array(order))

    return fix


def told(model, *cases):
    """Say for each case which sphere decides it, and by which rule."""
    lines = model.explain(np.array(cases, dtype=float).reshape(len(cases), -1))
    return [(line.prediction, line.rule, line.sphere) for line in lines.itertuples()]


# Covers


def test_spheres_reach_to_the_closest_enemy_in_the_order_of_the_draws(drawn):
    drawn(4, 1, 5, 0, 2, 3)
    model = unscaled().fit(LINE, NAMES)  # 6 holds 5 too; 1 holds 0 and 2; 9 is alone; the others are covered by then
    np.testing.assert_array_equal(model.center_indices_, [4, 1, 5])
    np.testing.assert_array_equal(model.centers_, [[6.0], [1.0], [9.0]])
    np.testing.assert_array_equal(model.radii_, [3.0, 4.0, 3.0])
    np.testing.assert_array_equal(model.sphere_classes_, ["b", "a", "a"])
    np.testing.assert_array_equal(model.sphere_sizes_, [2.0, 3.0, 1.0])
    np.testing.assert_array_equal(model.sphere_borders_, [5, 3, 4])
    np.testing.assert_array_equal(model.border_indices_, [3, 4, 5])
    assert model.uncovered_indices_.size == model.pruned_indices_.size == 0
    assert model.compression_ == 3 / 6
    assert model.min_sphere_size_ == 1


@pytest.mark.parametrize("row", range(6))
def test_the_sphere_of_each_case(drawn, row):
    drawn(row, *(i for i in range(6) if i != row))
    model = unscaled().fit(LINE, NAMES)
    assert model.center_indices_[0] == row
    assert model.radii_[0] == RADII[row]
    assert model.sphere_borders_[0] == BORDERS[row]


def test_balls_are_open(drawn):
    drawn(0, 1, 2, 3)  # 0 reaches to 4, not beyond 4 itself; the other case of its class is at 4 as well, on the edge
    model = unscaled().fit([[0.0], [4.0], [-4.0], [9.0]], ["a", "b", "a", "a"])
    np.testing.assert_array_equal(model.center_indices_, [0, 1, 2, 3])
    np.testing.assert_array_equal(model.sphere_sizes_[:1], [1.0])
    assert told(model, [-4.0]) == [("a", "inside", 2)]


def test_small_spheres_are_dropped_and_what_they_held_is_uncovered(drawn):
    drawn(5, 2, 3, 4, 0, 1)
    model = unscaled(2).fit(LINE, NAMES)  # 9 holds 1 case; 2 holds 3; 5 holds 2
    np.testing.assert_array_equal(model.center_indices_, [2, 3])
    np.testing.assert_array_equal(model.pruned_indices_, [5])
    np.testing.assert_array_equal(model.pruned_radii_, [3.0])
    np.testing.assert_array_equal(model.uncovered_indices_, [5])
    np.testing.assert_array_equal(model.border_indices_, [2, 3])  # only of spheres that were kept
    assert model.compression_ == 2 / 6


def test_a_case_in_a_small_sphere_can_be_covered_by_a_later_one(drawn):
    drawn(0, 1, 2, 3)
    model = unscaled(2).fit([[0.0], [3.0], [5.0], [-1.0]], ["a", "a", "a", "b"])
    np.testing.assert_array_equal(model.center_indices_, [1])  # 3 reaches to -1: it holds 0, 3 and 5
    np.testing.assert_array_equal(model.pruned_indices_, [0, 3])  # 0 and -1 reach to each other
    np.testing.assert_array_equal(model.uncovered_indices_, [3])


def test_an_alpha_beyond_the_data_keeps_the_largest_of_each_class():
    with pytest.warns(UserWarning, match="No sphere holds 10 cases; the largest of each class is kept"):
        model = unscaled(10, cover="greedy").fit(LINE, NAMES)
    np.testing.assert_array_equal(model.center_indices_, [0, 3])
    np.testing.assert_array_equal(model.sphere_sizes_, [3.0, 2.0])
    np.testing.assert_array_equal(model.uncovered_indices_, [5])
    np.testing.assert_array_equal(model.pruned_indices_, [1, 2, 4, 5])


def test_a_greedy_cover_takes_what_covers_most_and_the_lower_row_of_equals():
    model = unscaled(cover="greedy").fit(LINE, NAMES)  # 0, 1 and 2 hold three cases each, 5 and 6 two each, 9 one
    np.testing.assert_array_equal(model.center_indices_, [0, 3, 5])
    np.testing.assert_array_equal(model.sphere_sizes_, [3.0, 2.0, 1.0])
    assert model.pruned_indices_.size == 0


def test_spheres_may_hold_enemies(drawn):
    drawn(0, 3, 1, 2, 4, 5)  # 0 goes past 5 to 6; 5 goes past 2 to 1 and 9, both at 4: row 1
    model = unscaled(max_enemies=1).fit(LINE, NAMES)
    np.testing.assert_array_equal(model.radii_[:2], [6.0, 4.0])
    np.testing.assert_array_equal(model.sphere_borders_[:2], [4, 1])
    np.testing.assert_array_equal(model.sphere_sizes_[:2], [3.0, 2.0])  # enemies do not count
    lines = model.explain(np.array([[0.0], [5.5]]))
    assert [list(cases) for cases in lines["cases"]] == [[0, 1, 2], [3, 4]]


def test_an_enemy_of_weight_two_counts_twice():
    weight = [1, 1, 1, 2, 1, 1]
    model = unscaled(max_enemies=1, cover="greedy").fit(LINE, NAMES, sample_weight=weight)
    assert model.radii_[model.center_indices_ == 0] == 5.0


def test_more_enemies_allowed_than_there_are():
    model = unscaled(max_enemies=3, cover="greedy").fit(LINE, NAMES)  # there are two b: nothing halts an a
    assert model.radii_[0] == np.inf
    assert model.sphere_borders_[0] == -1
    assert unscaled(max_enemies=10**9).fit(LINE, NAMES).radii_[0] == np.inf


def test_weights_count_as_cases(drawn):
    drawn(5, 0, 3, 1, 2, 4)
    model = unscaled(2).fit(LINE, NAMES, sample_weight=[1, 0, 3, 1, 0, 2])
    np.testing.assert_array_equal(model.center_indices_, [5, 0])  # without 6, 9 reaches to 5; 5 holds 1 case
    np.testing.assert_array_equal(model.radii_, [4.0, 5.0])
    np.testing.assert_array_equal(model.sphere_sizes_, [2.0, 4.0])
    np.testing.assert_array_equal(model.uncovered_indices_, [3])
    assert model.compression_ == 2 / 4
    assert list(model.explain(np.array([[0.5]]))["cases"][0]) == [0, 2]


# Predictions


def test_rule_1_takes_the_closest_centre_of_the_spheres_around_a_case():
    model = unscaled(cover="greedy").fit(LINE, NAMES)  # spheres: 0 (-5 to 5, a), 5 (2 to 8, b), 9 (6 to 12, a)
    assert told(model, 2.25, 3.0) == [("a", "inside", 0), ("b", "inside", 1)]


def test_rule_2_takes_the_closest_edge_and_not_the_closest_centre():
    X = np.array([[0, 0], [1, 0], [6, 0], [0, 12], [0, 12.5], [0, 14]])
    model = unscaled(2, cover="greedy").fit(X, list("aabccb"))
    np.testing.assert_array_equal(model.radii_, [6.0, 2.0])  # around (0, 0) and (0, 12)
    assert told(model, [0, 7]) == [("a", "edge", 0)]  # 7 - 6 = 1 from the edge of a; 5 - 2 = 3 from that of c
    assert told(model, [0, 9.5]) == [("c", "edge", 1)]  # 3.5 from the edge of a, 0.5 from that of c


def test_ties_go_to_the_sphere_made_first():
    model = unscaled(cover="greedy").fit(LINE, NAMES)
    assert told(model, 2.5, 7.0) == [("a", "inside", 0), ("b", "inside", 1)]  # both 2.5 from 0 and 5; 2 from 5 and 9
    model = unscaled(2, cover="greedy").fit([[0.0], [1.0], [4.0], [9.0], [10.0]], list("aabcc"))  # 0 and 9, radii 4, 5
    np.testing.assert_array_equal(model.radii_, [4.0, 5.0])
    assert told(model, 4.0) == [("a", "edge", 0)]  # on both edges


def test_explanations():
    lines = unscaled(2, cover="greedy").fit(LINE, NAMES).explain(np.array([[4.0], [12.0]]))
    expected = {
        "prediction": ["b", "b"],
        "rule": ["inside", "edge"],
        "sphere": [1, 1],
        "distance": [1.0, 7.0],
        "edge_distance": [-2.0, 4.0],
        "radius": [3.0, 3.0],
        "size": [2.0, 2.0],
    }
    pd.testing.assert_frame_equal(lines.drop(columns="cases"), pd.DataFrame(expected))
    assert [list(cases) for cases in lines["cases"]] == [[3, 4], [3, 4]]
    assert lines.columns[-1] == "cases"


def test_explanations_of_lists_and_frames():
    model = unscaled(cover="greedy").fit(pd.DataFrame(LINE, columns=["x"]), NAMES)
    frame = pd.DataFrame({"x": [3.0, 9.5]}, index=["first", "second"])
    lines = model.explain(frame)
    assert list(lines.index) == ["first", "second"]
    model = unscaled(cover="greedy").fit(LINE.tolist(), NAMES.tolist())
    assert list(model.explain([[3.0], [9.5]])["prediction"]) == list(lines["prediction"]) == ["b", "a"]


# Identical cases, one class, constants


def test_identical_cases_of_different_classes():
    model = unscaled().fit([[1.0], [1.0], [1.0], [2.0]], list("abaa"))
    by_row = np.argsort(model.center_indices_)
    np.testing.assert_array_equal(model.radii_[by_row], [0.0, 0.0, 0.0, 1.0])
    np.testing.assert_array_equal(model.sphere_sizes_, 1.0)  # such a sphere holds its centre alone
    np.testing.assert_array_equal(model.sphere_borders_[by_row], [1, 0, 1, 1])
    assert model.uncovered_indices_.size == 0
    assert told(model, 1.0)[0][1:] == ("edge", 0)  # at distance 0 from all edges: that of 2 is there as well
    held = model.explain(np.array([[1.0]]))["cases"][0]
    assert list(held) == [model.center_indices_[0]]


def test_one_class():
    model = SphereCoverClassifier(5).fit(LINE, ["a"] * 6)
    np.testing.assert_array_equal(model.radii_, [np.inf])
    np.testing.assert_array_equal(model.sphere_borders_, [-1])
    assert model.border_indices_.size == model.uncovered_indices_.size == 0
    assert model.compression_ == 1 / 6
    line = model.explain(np.array([[100.0]])).iloc[0]
    assert (line["rule"], line["edge_distance"], line["size"]) == ("inside", -np.inf, 6.0)


def test_constant_attributes_do_not_count():
    X = np.column_stack([LINE[:, 0], np.full(6, 7.0)])
    model = SphereCoverClassifier(cover="greedy").fit(X, NAMES)
    np.testing.assert_allclose(model.radii_, np.array([5.0, 3.0, 3.0]) / 9)
    assert told(model, [3.0, 7.0], [3.0, 1e9]) == [("b", "inside", 1)] * 2
    nothing_but_constants = SphereCoverClassifier(random_state=0).fit(np.ones((3, 2)), list("aba"))
    np.testing.assert_array_equal(nothing_but_constants.radii_, 0.0)
    assert len(set(nothing_but_constants.predict([[1.0, 1.0], [5.0, 0.0]]))) == 1


# Categories and missing values

MIXED = pd.DataFrame({"number": [0.0, 4.0, np.nan, 2.0], "colour": pd.Categorical(["red", "blue", "red", None])})


def test_the_mixed_distance():
    # Numbers are 0, 1, missing and 1/2 once scaled. Squared distances of enemies: 0 to 1: 1 + 1; 0 to 3: 1/4 + 1;
    # 2 to 1: 1 + 1; 2 to 3: 1 + 1. Of friends: 0 to 2: 1 + 0; 1 to 3: 1/4 + 1.
    model = SphereCoverClassifier(cover="greedy").fit(MIXED, list("abab"))
    np.testing.assert_array_equal(model.center_indices_, [0, 1])
    np.testing.assert_array_equal(model.radii_, np.sqrt([1.25, 2.0]))
    np.testing.assert_array_equal(model.sphere_borders_, [3, 0])
    np.testing.assert_array_equal(model.sphere_sizes_, [2.0, 2.0])
    np.testing.assert_array_equal(model.centers_, [[0.0, 1.0], [4.0, 0.0]])  # categories in the order of their names
    new = pd.DataFrame({"number": [np.nan, 2.0], "colour": pd.Categorical([None, "green"])})  # missing both
    lines = model.explain(new)
    np.testing.assert_array_equal(lines["distance"], np.sqrt([2.0, 1.25]))
    assert list(lines["rule"]) == ["edge", "inside"]
    np.testing.assert_array_equal(lines["sphere"], [1, 1])  # at the edge of 1, which is closer than that of 0


def test_missing_where_nothing_was_missing_in_training():
    model = SphereCoverClassifier(cover="greedy").fit(np.hstack([LINE, LINE]), NAMES)
    lines = model.explain(np.array([[np.nan, 0.0], [np.nan, np.nan]]))
    np.testing.assert_allclose(lines["distance"], [1.0, np.sqrt(2.0)])
    np.testing.assert_array_equal(lines["sphere"], 0)


def test_a_missing_value_in_one_row_leaves_the_others_alone():
    rng = np.random.default_rng(0)
    X, y = rng.random((400, 7)), rng.integers(0, 3, 400)
    model = SphereCoverClassifier(random_state=0).fit(X, y)
    alone = model.explain(X)
    together = model.explain(np.vstack([X, np.full((1, 7), np.nan)]))[:-1]
    pd.testing.assert_frame_equal(together, alone)


def test_a_row_without_weight_leaves_the_others_alone():
    rng = np.random.default_rng(1)
    X, y = rng.random((400, 7)), rng.integers(0, 3, 400)
    model = SphereCoverClassifier(random_state=0).fit(X, y)
    with_gap = SphereCoverClassifier(random_state=0)
    with_gap.fit(np.vstack([X, np.full((1, 7), np.nan)]), [*y, 0], sample_weight=[1] * 400 + [0])
    pd.testing.assert_frame_equal(with_gap.explain(X), model.explain(X))


def test_missing_numbers_and_other_metrics():
    with pytest.raises(ValueError, match=r"NaN in column 'number', and metric='manhattan' has no use for missing"):
        SphereCoverClassifier(metric="manhattan").fit(MIXED, list("abab"))
    model = SphereCoverClassifier(metric="nan_euclidean", random_state=0)
    X = np.array([[0.0, np.nan], [0.2, 0.0], [1.0, 0.5], [0.9, 1.0]])
    model.fit(X, list("aabb"))
    assert not np.isnan(model.radii_).any()
    lines = model.explain(np.array([[np.nan, -3.0]]))  # nothing to compare the first case by
    assert np.isfinite(lines["distance"][0])
    assert list(lines["prediction"]) == ["a"]


# Numbers large and small


@pytest.mark.parametrize("power", [-490, -140, -80, -70, -63, 50, 60, 80, 330, 480])
def test_numbers_of_any_size_unscaled(power):
    unit = 2.0**power
    model = unscaled(cover="greedy").fit(LINE * unit, NAMES)
    np.testing.assert_array_equal(model.center_indices_, [0, 3, 5])
    np.testing.assert_array_equal(model.radii_, np.array([5.0, 3.0, 3.0]) * unit)
    np.testing.assert_array_equal(model.sphere_sizes_, [3.0, 2.0, 1.0])
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 2**20, (200, 4)) / 2**20, rng.integers(0, 2, 200)
    expected, found = (unscaled().fit(X * u, y) for u in (1.0, unit))
    np.testing.assert_array_equal(found.center_indices_, expected.center_indices_)
    np.testing.assert_array_equal(found.sphere_sizes_, expected.sphere_sizes_)
    np.testing.assert_array_equal(found.radii_, expected.radii_ * unit)


def test_unscaled_differences_are_those_of_the_numbers():
    model = unscaled(cover="greedy").fit([[-1e9], [0.0], [1e-8]], list("aab"))  # 1e9 and 1e9 + 1e-8 are the same
    np.testing.assert_array_equal(model.radii_, [1e9, 1e-8, 1e-8])


@pytest.mark.parametrize(("low", "unit"), [(0, 1e-300), (-8e307, 1e307), (1e9, 1e-3), (1e300, 1e299), (0, 1e-320)])
def test_numbers_of_any_size_scaled(low, unit):
    X = low + LINE * unit
    model = SphereCoverClassifier(cover="greedy").fit(X, NAMES)
    np.testing.assert_array_equal(model.center_indices_, [0, 3, 5])
    np.testing.assert_allclose(model.radii_, np.array([5.0, 3.0, 3.0]) / 9, rtol=1e-3)
    np.testing.assert_array_equal(model.predict(X), NAMES)


# The estimator


def test_a_fit_with_a_given_size_forgets_the_curve_of_the_last():
    model = SphereCoverClassifier("auto", random_state=0).fit(LINE, NAMES)
    assert model.size_curve_
    assert isinstance(model.min_sphere_size_, float)
    model.set_params(min_sphere_size=1).fit(LINE, NAMES)
    assert not hasattr(model, "size_curve_")


@pytest.mark.parametrize("factor", [1e-3, 0.1, 3.0, 1e5])
def test_a_factor_of_all_weights_changes_nothing(factor):
    rng = np.random.default_rng(7)
    X, y = rng.random((80, 3)), np.arange(80) % 2
    for weight in (rng.integers(0, 4, 80) + (np.arange(80) < 2), rng.exponential(size=80)):
        one, other = (SphereCoverClassifier(2, random_state=0).fit(X, y, weight * f) for f in (1.0, factor))
        np.testing.assert_array_equal(other.center_indices_, one.center_indices_)
        np.testing.assert_allclose(other.sphere_sizes_, one.sphere_sizes_)


def test_rows_of_hardly_any_weight_are_drawn_last_in_their_order():
    weight = np.where(np.arange(300) % 3 > 0, 1e-320, 1.0)
    draws = cover.draw_order(weight, np.random.default_rng(0))
    assert sorted(draws[:100]) == list(range(0, 300, 3))
    assert draws[100:].tolist() == np.flatnonzero(weight < 1).tolist()
