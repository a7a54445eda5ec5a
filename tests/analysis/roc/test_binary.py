"""Labelled cases of a binary problem, and votes in which the first pair that agrees decides."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings, strategies as st

from analysis.roc.drawing import signs
from covey.analysis.roc import first_agreement, inclusion_share
from covey.analysis.roc.binary import read_cases


def test_the_greater_label_is_positive_unless_another_is_named():
    assert read_cases([-1, 1]).positive == 1
    assert read_cases(["yes", "no"]).positive == "yes"
    assert read_cases([False, True]).truth.tolist() == [False, True]
    named = read_cases(["yes", "no", "no"], "no")
    assert (named.positive, named.negative) == ("no", "yes")
    assert (named.n_positive, named.n_negative) == (2, 1)


def test_weights_count():
    cases = read_cases([0, 0, 1], sample_weight=[1, 3, 2])
    assert (cases.n_positive, cases.n_negative) == (2, 4)
    some = np.array([True, False, True])
    assert (cases.share(some, positive=False), cases.share(some, positive=True)) == (0.25, 1.0)


def test_series_frames_and_kinds_of_numbers():
    cases = read_cases(pd.Series([0, 1, 1]))
    np.testing.assert_array_equal(cases.says_positive([False, True, False], "h"), [False, True, False])
    np.testing.assert_array_equal(cases.says_positive(np.array([1.0, 0, 1]), "h"), [True, False, True])


def test_one_class_needs_the_name_of_the_positive_one():
    alone = read_cases([1, 1], positive=1)
    assert alone.negative is None
    assert np.isnan(alone.share(np.array([True, False]), positive=False))
    np.testing.assert_array_equal(alone.says_positive([1, -1], "h"), [True, False])
    with pytest.raises(ValueError, match=r"h has the label 2, but the classes are 1 .positive. and one other"):
        alone.says_positive([-1, 2], "h")
    assert read_cases([-1, -1], positive=1).negative == -1


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (
            [1, 2, 3],
            {},
            r"y_true has 3 classes \(1, 2 and 3\), but ROC analysis is of binary problems; give the cases of",
        ),
        (list("abcdef"), {}, r"6 classes \('a', 'b', 'c', 'd' and 2 more\)"),
        ([1, 1], {}, "y_true has the one class 1; say by positive"),
        ([], {}, "y_true has no case"),
        ([0, 1], {"positive": 2}, r"positive=2 is not among the classes of y_true, which are \[0, 1\]"),
        ([0, np.nan], {}, "y_true"),
        ([0, 1], {"sample_weight": [1]}, r"sample_weight has shape \(1,\), but there are 2 cases"),
        ([0, 1], {"sample_weight": [1, -1]}, "sample_weight must be finite and not negative"),
        ([0, 1], {"sample_weight": [0, 0]}, "sample_weight is zero throughout"),
        ([0, 1], {"sample_weight": ["a", 1]}, "sample_weight must be numbers"),
    ],
)
def test_bad_cases(y, options, message):
    with pytest.raises(ValueError, match=message):
        read_cases(y, **options)


@pytest.mark.parametrize(
    ("predicted", "message"),
    [
        ([0, 1], "h has 2 labels for 3 cases; give a label for each"),
        ([0, 1, 2], r"h has the label 2, but the classes are 1 \(positive\) and 0; ROC analysis is of binary problems"),
        (["0", "1", "1"], "h has the label '1'"),
    ],
)
def test_bad_predictions(predicted, message):
    with pytest.raises(ValueError, match=message):
        read_cases([0, 1, 1]).says_positive(predicted, "h")


QUICK = settings(deadline=None, max_examples=80)


@st.composite
def ensembles(draw):
    n_cases = draw(st.integers(1, 12))
    return [tuple(draw(signs(n_cases)) for _ in range(2)) for _ in range(draw(st.integers(0, 6)))], draw(signs(n_cases))


@QUICK
@given(ensembles(), st.lists(st.floats(0.01, 5), min_size=6, max_size=6))
def test_it_is_the_vote_of_algorithm_1(ensemble, extra):
    """Exactly, for 2^(K - t), and for all weights of which a pair's outweigh all later votes."""
    pairs, arbiter = ensemble
    powers = [2.0 ** (len(pairs) - number) for number in range(1, len(pairs) + 1)]
    weights, later = [], 1.0
    for more in extra[: len(pairs)]:
        weights.insert(0, later / 2 + more)
        later += 2 * weights[0]
    expected = first_agreement(pairs, arbiter)
    for chosen in (powers, weights):
        votes = arbiter + sum(weight * (plus + minus) for weight, (plus, minus) in zip(chosen, pairs, strict=True))
        assert (votes != 0).all()
        np.testing.assert_array_equal(np.sign(votes), expected)


@QUICK
@given(ensembles())
def test_it_is_what_loops_find(ensemble):
    pairs, arbiter = ensemble
    for case, said in enumerate(first_agreement(pairs, arbiter)):
        agreed = [plus[case] for plus, minus in pairs if plus[case] == minus[case]]
        assert said == (agreed[0] if agreed else arbiter[case])


def test_labels_of_any_kind():
    pairs = [(["a", "b", "b"], ["a", "long", "b"])]
    assert first_agreement(pairs, ["c", "arbiter", "c"]).tolist() == ["a", "arbiter", "b"]
    assert first_agreement([], [1, 0]).tolist() == [1, 0]
    assert first_agreement(np.array([[[1, 2], [1, 3]]]), [9, 9]).tolist() == [1, 9]


@pytest.mark.parametrize(
    ("pairs", "arbiter", "message"),
    [
        ([([1], [1, 2])], [1], r"pairs\[0\] has 1 and 2 labels"),
        ([([1, 2], [1, 2])], [1], r"pairs\[0\] has 2 labels, but arbiter has 1; give one per case"),
        ([([1],)], [1], r"pairs\[0\] is no pair; give \(plus, minus\)"),
        ([(["a"], ["a"])], [1], "pairs and arbiter mix text and numbers"),
        ([([np.nan], [1])], [1], r"pairs\[0\]\[0\]"),
    ],
)
def test_bad_pairs(pairs, arbiter, message):
    with pytest.raises(ValueError, match=message):
        first_agreement(pairs, arbiter)


def test_inclusion_by_hand():
    assert inclusion_share([-1, 1, 1, -1], [1, 1, -1, -1]) == 0.25
    assert inclusion_share([-1, 1, 1, -1], [1, 1, -1, -1], positive=-1) == 0.25
    assert inclusion_share([-1, 1, 1, 1], [1, 1, -1, -1], sample_weight=[1, 1, 1, 5]) == 0.75
    assert inclusion_share(["n", "n"], ["y", "n"]) == 0
    assert inclusion_share(["y", "n"], ["n", "n"]) == 0.5
    assert inclusion_share([1, 1], [1, 1]) == 0


@QUICK
@given(st.integers(1, 20).flatmap(lambda n: st.tuples(signs(n), signs(n))))
def test_broken_where_plus_says_positive_alone(said):
    plus, minus = said
    assert inclusion_share(plus, minus, positive=1) == np.mean((plus == 1) & (minus == -1))
    assert inclusion_share(np.minimum(plus, minus), np.maximum(plus, minus)) == 0


@pytest.mark.parametrize(
    ("plus", "options", "message"),
    [
        ([0, 1, 2], {}, "the inclusion assumption is of binary problems; give labels of two classes"),
        ([0, 1, 1], {"positive": 5}, "positive=5 among them"),
        ([0, 1, 1], {"sample_weight": [1]}, r"sample_weight has shape \(1,\)"),
    ],
)
def test_bad_input_of_inclusion(plus, options, message):
    with pytest.raises(ValueError, match=message):
        inclusion_share(plus, plus, **options)
    with pytest.raises(ValueError, match="have no case"):
        inclusion_share([], [])
