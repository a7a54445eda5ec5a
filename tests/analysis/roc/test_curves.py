"""The bias curves of both classes, and their best pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.svm import SVC

from analysis.roc.drawing import biased
from covey.analysis.roc import bias_curves, roc_point
from covey.datasets import make_layered_cake

QUICK = settings(deadline=None, max_examples=60)
Y, BASE = [-1, -1, 1, -1, 1, 1], [-1, -1, -1, 1, 1, 1]
SURE, SURER = [-1, -1, -1, -1, 1, 1], [-1, -1, -1, -1, -1, 1]


def by_hand():
    return bias_curves(Y, BASE, {0.1: SURE, 0.2: SURER}, {0.2: [-1, -1, 1, 1, 1, 1], 0.3: [-1, 1, 1, 1, 1, 1]})


def test_gains_by_hand():
    curves = by_hand()
    assert curves.base.accuracy == pytest.approx(4 / 6)
    assert curves.midpoint_gain == pytest.approx(1 / 6)
    assert curves.single_gain == pytest.approx(1 / 6)
    assert curves.reversal_gain == pytest.approx(2 / 6)
    assert curves.line.at(1 / 3) == pytest.approx(2 / 3)
    assert str(curves) == (
        "Bias curves of 2 strengths for h+ and 2 for h- on 6 cases: accuracy of h 0.667; gains +0.167 with a random "
        "arbiter, +0.167 by one biased classifier, +0.333 with h reversed on hard cases (strengths 0.1 and 0.2)"
    )


def test_pairs_by_hand():
    curves = by_hand()
    for by in ("reversal", "centre", "concavity"):
        best = curves.best_pair(by)
        assert (best.strength_plus, best.strength_minus) == (0.1, 0.2)
    same = curves.best_pair(symmetric=True)
    assert (same.strength_plus, same.strength_minus) == (0.2, 0.2)


def test_the_table_goes_from_one_end_to_the_other():
    frame = by_hand().table().to_frame()
    assert frame.index.tolist() == ["h+", "h+", "h", "h-", "h-"]
    assert frame["strength"].tolist() == [0.2, 0.1, 0, 0.2, 0.3]
    assert frame["accuracy"].tolist() == pytest.approx([4 / 6, 5 / 6, 4 / 6, 5 / 6, 4 / 6])


@QUICK
@given(biased(), st.sampled_from(["reversal", "centre", "concavity"]))
def test_no_pair_is_better_than_the_best(drawn, by):
    y, weights, base, plus, minus = drawn
    curves = bias_curves(y, base, plus, minus, 1, weights)
    value = {
        "reversal": lambda pair: pair.reversed.accuracy,
        "centre": lambda pair: pair.centre.accuracy,
        "concavity": lambda pair: pair.depth,
    }[by]
    pairs = [curves.pair(one, other) for one in plus for other in minus]
    best = curves.best_pair(by)
    top = max(map(value, pairs))
    assert value(best) == pytest.approx(top, abs=1e-9)
    equal = [pair for pair in pairs if value(pair) >= top]
    total = best.strength_plus + best.strength_minus
    assert total <= min(pair.strength_plus + pair.strength_minus for pair in equal) + 1e-9
    assert curves.midpoint_gain == pytest.approx(max(pair.midpoint_gain for pair in pairs), abs=1e-9)
    assert curves.single_gain == pytest.approx(max(pair.single_gain for pair in pairs), abs=1e-9)
    assert curves.reversal_gain == pytest.approx(max(pair.reversal_gain for pair in pairs), abs=1e-9)
    # Guessing never does better than the better of two classifiers.
    assert curves.midpoint_gain <= curves.single_gain + 1e-12


def test_bad_questions():
    curves = by_hand()
    with pytest.raises(ValueError, match="by='best' is unknown; choose one of 'reversal', 'centre', 'concavity'"):
        curves.best_pair("best")
    apart = bias_curves(Y, BASE, {0.1: SURE}, {0.2: Y})
    with pytest.raises(ValueError, match="plus and minus have no strength in common"):
        apart.best_pair(symmetric=True)
    with pytest.raises(ValueError, match=r"strength=0\.15 was not tried for plus"):
        curves.pair(0.15, 0.2)


def test_the_layered_cake_gains_by_reversing():
    """Claims TRI-14 and TRI-17, and that a strong bias gains nothing, with an SVM biased by undersampling."""
    X, y = make_layered_cake(300, random_state=0)
    model = SVC(kernel="linear", C=1)
    strengths = (0.3, 0.5, 0.6, 0.7, 0.9)

    def biased_to(label, strength):
        """The classifier that says this class only when sure, as few cases of it are kept."""
        own, other = np.flatnonzero(y == label), np.flatnonzero(y != label)
        kept = np.random.default_rng(0).permutation(own)[: round((1 - strength) * len(own))]
        rows = np.append(other, kept)
        return model.fit(X[rows], y[rows]).predict(X)

    base = model.fit(X, y).predict(X)
    plus, minus = ({strength: biased_to(label, strength) for strength in strengths} for label in (1, 0))
    curves = bias_curves(y, base, plus, minus)
    assert curves.midpoint_gain > 0.05
    assert curves.reversal_gain > curves.midpoint_gain
    best = curves.best_pair()
    # The base is worse than guessing on the hard cases, near (1, 0) there.
    assert best.base_on_hard.accuracy < 0.25
    # The strongest bias leaves nearly all cases to the arbiter.
    strongest = curves.pair(0.9, 0.9)
    assert strongest.hard_share > 0.9
    assert strongest.midpoint_gain < 0
    assert curves.plus.point(-1).xy == roc_point(y, plus[0.9]).xy
