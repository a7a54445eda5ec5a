from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from analysis.diversity.ballots import PREDICTIONS, TRUTH, ballots
from covey.analysis import diversity, labels as reading
from covey.analysis.diversity import measure_diversity, pairwise
from covey.analysis.diversity.measure import MEASURES

QUICK = settings(deadline=None, max_examples=40)
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


@QUICK
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


@QUICK
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


def test_weights_count_for_votes_alone():
    equal, weighted = measure_diversity(PREDICTIONS, TRUTH), measure_diversity(PREDICTIONS, TRUTH, [1, 1, 2])
    for name in (*PAIRS, *RIGHT):
        assert getattr(equal, name) == getattr(weighted, name)
    for name in (*VOTES, "weighted_variance", "vote_entropy", "mean_margin"):
        assert getattr(equal, name) != getattr(weighted, name)


def test_labels_are_read_once(monkeypatch):
    calls, read = [], reading.read_labels
    monkeypatch.setattr(reading, "read_labels", lambda *given, **named: calls.append(1) or read(*given, **named))
    measure_diversity(PREDICTIONS, TRUTH)
    assert len(calls) == 1


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


def test_results_cannot_be_changed():
    found = measure_diversity(PREDICTIONS, TRUTH)
    with pytest.raises(FrozenInstanceError):
        found.kappa = 0.0


def test_bad_input():
    with pytest.raises(ValueError, match=r"measure_diversity compares members.*two or more.*has 1 column"):
        measure_diversity([["a"], ["b"]], ["a", "b"])
    with pytest.raises(ValueError, match="weights sum to zero"):
        measure_diversity(PREDICTIONS, TRUTH, [0, 0, 0])
    with pytest.raises(ValueError, match="mixes text and numbers"):
        measure_diversity([["a", "b"], ["a", 1]], ["a", "b"])
    with pytest.raises(ValueError, match="y has 3 labels"):
        measure_diversity(PREDICTIONS, ["a", "b", "c"])
    with pytest.raises(ValueError, match="y is None"):
        measure_diversity(PREDICTIONS, None)
    with pytest.raises(ValueError, match="no empty side"):
        measure_diversity(np.empty((0, 3)), [])


@pytest.mark.parametrize("n_classes", [2, 26, 300])
def test_many_classes_of_any_kind_bring_no_warning(n_classes):
    random = np.random.default_rng(n_classes)
    codes, y = random.integers(n_classes, size=(1000, 4)), random.integers(n_classes, size=1000)
    names = np.array([f"class {code:03}" for code in range(n_classes)])
    expected = values(measure_diversity(names[codes], names[y]))
    np.testing.assert_array_equal(values(measure_diversity(codes, names[y], classes=names)), expected)
    np.testing.assert_array_equal(values(measure_diversity(codes.astype(float), y.astype(float))), expected)
    np.testing.assert_array_equal(values(measure_diversity(names.astype(object)[codes], names[y])), expected)
