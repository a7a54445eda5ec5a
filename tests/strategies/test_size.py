import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey.strategies.size import RULES, resolve_size


@pytest.mark.parametrize(
    ("size", "total", "expected"),
    [
        (3, 10, 3),
        (np.int64(3), 10, 3),
        (1, 10, 1),
        (1.0, 10, 10),
        (0.25, 10, 2),
        (0.35, 10, 4),
        (np.float32(0.5), 10, 5),
        (Fraction(1, 2), 10, 5),
        (0.001, 10, 1),
        ("sqrt", 10, 3),
        ("sqrt", 1, 1),
        ("log2", 8, 4),
        ("log2", 1, 1),
        ("third", 10, 3),
        ("third", 1, 1),
    ],
)
def test_counts_shares_and_rules(size, total, expected):
    count = resolve_size(size, total, name="size", of="columns")
    assert count == expected
    assert type(count) is int


@pytest.mark.parametrize("rule", sorted(RULES))
@given(st.integers(1, 10_000))
@settings(derandomize=True, deadline=None)
def test_a_rule_never_asks_for_more_than_there_are(rule, total):
    assert 1 <= resolve_size(rule, total, name="size", of="columns") <= total


@given(st.floats(1e-9, 1.0), st.integers(1, 1000))
@settings(derandomize=True, deadline=None)
def test_a_share_is_rounded_and_at_least_one(share, total):
    count = resolve_size(share, total, name="size", of="columns")
    assert 1 <= count <= total
    assert abs(count - share * total) <= 0.5 or count == 1


@pytest.mark.parametrize(
    "size", [0, -2, 0.0, -0.5, math.nan, math.inf, True, np.True_, None, "half", "1", [1], 1j], ids=repr
)
def test_what_is_no_size_is_refused_by_name(size):
    with pytest.raises(ValueError, match=r"my size=.* must be a positive count, a positive share or one of"):
        resolve_size(size, 10, name="my size", of="columns")


@pytest.mark.parametrize("size", [11, 1.2])
def test_more_than_there_are(size):
    with pytest.raises(
        ValueError, match=rf"my size={size} asks for 1[12] columns, but there are 10; ask for at most 10"
    ):
        resolve_size(size, 10, name="my size", of="columns")
    assert resolve_size(size, 10, name="my size", of="columns", limit=False) in (11, 12)
