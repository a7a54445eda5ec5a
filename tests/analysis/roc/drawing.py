"""Labelled predictions for the tests of ROC analysis."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays


def signs(n_cases):
    return arrays(np.int64, n_cases, elements=st.sampled_from([-1, 1]))


@st.composite
def labelled(draw, least=2, most=30):
    """True labels of both classes, and weights, all alike or not."""
    n_cases = draw(st.integers(least, most))
    y = draw(signs(n_cases))
    y[:2] = [-1, 1]
    weights = draw(st.one_of(st.none(), arrays(np.float64, n_cases, elements=st.floats(0.1, 10))))
    return y, weights


@st.composite
def rounds(draw, most_rounds=4):
    """Cases, rounds of pairs that satisfy the inclusion assumption where they are hard, and an arbiter."""
    y, weights = draw(labelled())
    hard, pairs = np.ones(len(y), dtype=bool), []
    for _ in range(draw(st.integers(1, most_rounds))):
        one, other = draw(signs(len(y))), draw(signs(len(y)))
        # Elsewhere they may say what they like.
        plus, minus = np.where(hard, np.minimum(one, other), one), np.where(hard, np.maximum(one, other), other)
        pairs.append((plus, minus))
        hard &= plus != minus
    return y, weights, pairs, draw(signs(len(y)))


@st.composite
def biased(draw, nested=False):
    """Cases, a base classifier, and biased ones by strength; nested ones say +1 of ever more cases, from h+ to h-."""
    y, weights = draw(labelled())
    counts = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    if nested:
        score = draw(arrays(np.float64, len(y), elements=st.integers(0, 12).map(float)))
        cuts = sorted(draw(st.lists(st.integers(0, 12), min_size=sum(counts) + 1, max_size=sum(counts) + 1)))
        said = [np.where(score < cut, 1, -1) for cut in cuts]
    else:
        said = [draw(signs(len(y))) for _ in range(sum(counts) + 1)]
    before, base, after = said[: counts[0]], said[counts[0]], said[counts[0] + 1 :]
    plus = {0.1 * (number + 1): one for number, one in enumerate(reversed(before))}
    minus = {0.1 * (number + 1): one for number, one in enumerate(after)}
    return y, weights, base, plus, minus
