"""Measures by how many members are right, and all measures at once."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from analysis.diversity.ballots import PREDICTIONS, TRUTH, ballots, right_members
from covey.analysis import diversity, staged_errors
from covey.analysis.diversity import (
    coincident_failure_diversity,
    difficulty,
    entropy_measure,
    generalized_diversity,
    interrater_kappa,
    kohavi_wolpert_variance,
    measure_diversity,
    pairwise,
)
from covey.analysis.diversity.measure import MEASURES

QUICK = settings(deadline=None, max_examples=80)


ALL = (
    entropy_measure,
    kohavi_wolpert_variance,
    interrater_kappa,
    difficulty,
    generalized_diversity,
    coincident_failure_diversity,
)


COMPARING = (entropy_measure, interrater_kappa, generalized_diversity, coincident_failure_diversity)


def test_measures_worked_by_hand():
    """Of three members 3, 2, 2, 1 and 0 are right."""
    assert entropy_measure(PREDICTIONS, TRUTH) == pytest.approx(3 / 5)
    assert kohavi_wolpert_variance(PREDICTIONS, TRUTH) == pytest.approx(6 / 45)
    assert interrater_kappa(PREDICTIONS, TRUTH) == pytest.approx(1 - (6 / 3) / (5 * 2 * 8 / 15 * 7 / 15))
    assert difficulty(PREDICTIONS, TRUTH) == pytest.approx((49 + 4 + 4 + 9 + 64) / 225 / 5)
    # Nobody, one, one, two and three are wrong: p(1) = 7/15, p(2) = (2 + 6) / 6 / 5.
    assert generalized_diversity(PREDICTIONS, TRUTH) == pytest.approx(1 - (8 / 30) / (7 / 15))
    assert coincident_failure_diversity(PREDICTIONS, TRUTH) == pytest.approx((1 + 1 + 1 / 2 + 0) / 4)


def fleiss(right, n_members):
    """Fleiss' kappa of two categories, as he wrote it."""
    both = [(count, n_members - count) for count in right]
    shares = [sum(column) / (len(right) * n_members) for column in zip(*both, strict=True)]
    agreement = [sum(c * (c - 1) for c in counts) / (n_members * (n_members - 1)) for counts in both]
    observed, expected = sum(agreement) / len(agreement), sum(share**2 for share in shares)
    return (observed - expected) / (1 - expected) if expected != 1 else 1


@QUICK
@given(ballots())
def test_every_measure_is_that_of_plain_loops(drawn):
    predictions, y, _ = drawn
    right, members = right_members(predictions, y), len(predictions[0])
    wrong = [members - count for count in right]
    share = [wrong.count(i) / len(y) for i in range(members + 1)]
    one = sum(i / members * share[i] for i in range(members + 1))
    two = sum(i * (i - 1) / (members * (members - 1)) * share[i] for i in range(members + 1))
    alone = sum((members - i) / (members - 1) * share[i] for i in range(1, members + 1))
    expected = {
        entropy_measure: np.mean([min(count, members - count) / (members - -(-members // 2)) for count in right]),
        kohavi_wolpert_variance: np.mean([count * (members - count) for count in right]) / members**2,
        interrater_kappa: fleiss(right, members),
        difficulty: np.var([count / members for count in right]),
        generalized_diversity: 1 - two / one if one else 0,
        coincident_failure_diversity: alone / (1 - share[0]) if share[0] < 1 else 0,
    }
    for measure, value in expected.items():
        assert measure(predictions, y) == pytest.approx(value, abs=1e-12)


@QUICK
@given(ballots())
def test_the_known_identities_hold(drawn):
    predictions, y, _ = drawn
    members = len(predictions[0])
    variance, pairs = kohavi_wolpert_variance(predictions, y), pairwise(predictions, y)
    spread = (p := 1 - pairs.errors.mean()) * (1 - p)
    assert variance == pytest.approx((members - 1) / (2 * members) * pairs.mean("disagreement"), abs=1e-12)
    assert variance + difficulty(predictions, y) == pytest.approx(spread, abs=1e-12)
    if spread > 1e-9:
        kappa = 1 - members / ((members - 1) * spread) * variance
        assert interrater_kappa(predictions, y) == pytest.approx(kappa, abs=1e-12)
    if 1 - p > 1e-9:
        double = 1 - pairs.mean("double_fault") / (1 - p)
        assert generalized_diversity(predictions, y) == pytest.approx(double, abs=1e-12)


def test_measures_at_their_bounds():
    y = np.zeros(4, dtype=int)
    one_each = np.eye(4, dtype=int)  # every member is wrong about another case
    assert generalized_diversity(one_each, y) == coincident_failure_diversity(one_each, y) == 1
    assert difficulty(one_each, y) == 0
    assert interrater_kappa(one_each, y) == pytest.approx(-1 / 3)
    together = np.repeat([[0], [1], [0], [1]], 4, axis=1)
    assert entropy_measure(together, y) == kohavi_wolpert_variance(together, y) == 0
    assert generalized_diversity(together, y) == coincident_failure_diversity(together, y) == 0
    assert interrater_kappa(together, y) == 1
    assert difficulty(together, y) == 0.25
    halves = np.tile([0, 1], (4, 2))
    assert entropy_measure(halves, y) == 1
    assert kohavi_wolpert_variance(halves, y) == 0.25
    assert entropy_measure(halves[:, :3], y) == 1


@pytest.mark.parametrize("code", [0, 1])
def test_what_is_undefined_has_the_value_documented(code):
    """All members are right about everything, or wrong about everything."""
    predictions, y = np.full((5, 3), code), np.zeros(5, dtype=int)
    assert interrater_kappa(predictions, y) == 1
    for measure in set(ALL) - {interrater_kappa}:
        assert measure(predictions, y) == 0


def test_one_member():
    predictions, y = [["a"], ["b"], ["a"], ["b"]], ["a", "b", "b", "b"]
    assert kohavi_wolpert_variance(predictions, y) == 0
    assert difficulty(predictions, y) == pytest.approx(3 / 16)


MEASURE_QUICK = settings(deadline=None, max_examples=40)


VOTES = ("individual_error", "ensemble_error")


RIGHT = (
    "entropy_measure",
    "kohavi_wolpert_variance",
    "interrater_kappa",
    "difficulty",
    "generalized_diversity",
    "coincident_failure_diversity",
)


PAIRS = ("agreement", "kappa", "q_statistic", "correlation", "disagreement", "double_fault")


def values(found):
    return np.array([getattr(found, measure.field) for measure in MEASURES])


@MEASURE_QUICK
@given(ballots())
def test_each_measure_is_that_of_its_own_function(drawn):
    predictions, y, weights = drawn
    found = measure_diversity(predictions, y, weights)
    for name in VOTES:
        assert getattr(found, name) == getattr(diversity, name)(predictions, y, weights)
    for name in RIGHT:
        assert getattr(found, name) == getattr(diversity, name)(predictions, y)
    for name in PAIRS:
        assert getattr(found, name) == pairwise(predictions, y).mean(name)
    assert found.weighted_variance == pytest.approx(diversity.weighted_variance(predictions, weights), abs=1e-12)
    assert found.vote_entropy == diversity.vote_entropy(predictions, weights, y=y)
    np.testing.assert_array_equal(found.margins.values, diversity.margins(predictions, y, weights).values)
    assert (found.n_cases, found.n_members) == np.shape(predictions)
    assert np.isfinite(values(found)).all()


@MEASURE_QUICK
@given(ballots(), st.permutations(range(5)), st.randoms(use_true_random=False))
def test_names_of_labels_and_the_order_of_cases_and_members_do_not_matter(drawn, order, random):
    predictions, y, weights = drawn
    expected = values(measure_diversity(predictions, y, weights))
    names = np.array(["east", "north", "south", "up", "west"])[list(order)]
    rows, columns = list(range(len(y))), list(range(len(weights)))
    random.shuffle(rows)
    random.shuffle(columns)
    said, true = names[np.array(predictions) - 20][np.ix_(rows, columns)], names[np.array(y) - 20][rows]
    found = measure_diversity(said, true, np.array(weights)[columns])
    np.testing.assert_allclose(values(found), expected, atol=1e-12)
    found = measure_diversity(pd.DataFrame(said.astype(object)), pd.Series(true), np.array(weights)[columns] * 0.37)
    np.testing.assert_allclose(values(found), expected, atol=1e-12)


def test_codes_of_an_ensemble_are_read_as_its_classes():
    codes = np.array([["abc".index(label) for label in row] for row in PREDICTIONS], dtype=np.int8)
    found = measure_diversity(codes, TRUTH, classes=np.array(["a", "b", "c"]))
    np.testing.assert_array_equal(values(found), values(measure_diversity(PREDICTIONS, TRUTH)))
    one_more = measure_diversity(codes, TRUTH, classes=np.array(["a", "b", "c", "d"]))
    assert one_more.n_classes == 4
    assert one_more.vote_entropy < found.vote_entropy
    assert one_more.kappa == found.kappa


def test_every_measure_is_in_text_and_table():
    found = measure_diversity(PREDICTIONS, TRUTH)
    numbers = {field.name for field in fields(found)} - {"n_cases", "n_members", "n_classes", "pairs", "margins"}
    assert numbers <= {measure.field for measure in MEASURES}
    table, text = found.table(), str(found)
    assert list(table.frame.columns) == ["value", "range", "larger means"]
    np.testing.assert_array_equal(table.frame["value"], values(found))
    assert text.startswith("Diversity of 3 members on 5 cases of 3 classes\n")
    lines = dict(zip(table.frame.index, text.splitlines()[1:], strict=True))
    for name, row in table.frame.iterrows():
        assert name in lines[name]
        assert f"{row['value']:z.3f}" in lines[name]
        assert row["larger means"] in lines[name]


@pytest.mark.parametrize("n_classes", [2, 26, 300])
def test_many_classes_of_any_kind_bring_no_warning(n_classes):
    random = np.random.default_rng(n_classes)
    codes, y = random.integers(n_classes, size=(1000, 4)), random.integers(n_classes, size=1000)
    names = np.array([f"class {code:03}" for code in range(n_classes)])
    expected = values(measure_diversity(names[codes], names[y]))
    np.testing.assert_array_equal(values(measure_diversity(codes, names[y], classes=names)), expected)
    np.testing.assert_array_equal(values(measure_diversity(codes.astype(float), y.astype(float))), expected)
    np.testing.assert_array_equal(values(measure_diversity(names.astype(object)[codes], names[y])), expected)


OF_VOTES = [diversity.individual_error, diversity.ensemble_error, diversity.margins, staged_errors]


@pytest.mark.parametrize("measure", [*ALL, *OF_VOTES, pairwise, measure_diversity, diversity.kappa_error_points])
def test_bad_truth(measure):
    with pytest.raises(ValueError, match="y is None"):
        measure(PREDICTIONS, None)
    with pytest.raises(ValueError, match=r"y has 6 labels, but predictions.* has 5 cases"):
        measure(PREDICTIONS, [*TRUTH, "a"])


@pytest.mark.parametrize("measure", [*COMPARING, pairwise, measure_diversity, diversity.kappa_error_points])
def test_one_member_cannot_be_compared(measure):
    with pytest.raises(ValueError, match=f"{measure.__name__} compares members.*two or more.*has 1 column"):
        measure([["a"], ["b"]], ["a", "b"])
