"""Small matrices of votes for the tests of diversity, and what plain loops make of them."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

# Five cases and three members. Of the cases, 3, 2, 2, 1 and 0 members are right.
PREDICTIONS = [
    ["a", "a", "a"],
    ["a", "a", "b"],
    ["b", "c", "b"],
    ["a", "c", "b"],
    ["a", "b", "a"],
]
TRUTH = ["a", "a", "b", "c", "c"]


@st.composite
def ballots(draw, min_members=2, max_weight=3):
    """Predictions as rows of labels that no one could take for codes, true labels, and vote weights, not all 0."""
    n_cases, n_members = draw(st.integers(1, 8)), draw(st.integers(min_members, 5))
    code = st.integers(20, 20 + draw(st.integers(0, 4)))
    predictions = draw(
        st.lists(st.lists(code, min_size=n_members, max_size=n_members), min_size=n_cases, max_size=n_cases)
    )
    y = draw(st.lists(code, min_size=n_cases, max_size=n_cases))
    weight = st.integers(0, max_weight)
    weights = draw(st.lists(weight, min_size=n_members, max_size=n_members).filter(any))
    return predictions, y, weights


def repeated(predictions, weights):
    """Every member as often as its weight says."""
    return [[code for code, weight in zip(row, weights, strict=True) for _ in range(weight)] for row in predictions]


def shares(row, weights):
    """The share of the votes that each class gets in one case, exactly."""
    votes: dict[object, Fraction] = {}
    for code, weight in zip(row, weights, strict=True):
        votes[code] = votes.get(code, Fraction(0)) + Fraction(weight, sum(weights))
    return votes


def right_members(predictions, y):
    """How many members are right about each case."""
    return [sum(code == truth for code in row) for row, truth in zip(predictions, y, strict=True)]


# Votes of one case for the classes 0 and 1, and weights that sum to the same for both, though not in floating point.
HIDDEN_TIES = [
    ([1, 0, 1], [0.1, 0.8, 0.7]),
    ([1, 0, 0], [0.8, 0.1, 0.7]),
    ([1, 0, 1, 0], [0.7, 0.2, 0.4, 0.9]),
    ([0, 1, 0, 1, 0], [0.4, 0.3, 0.6, 0.9, 0.2]),
    ([1, 1, 0, 0, 1, 0], [0.8, 0.2, 0.6, 0.3, 0.5, 0.6]),
]
