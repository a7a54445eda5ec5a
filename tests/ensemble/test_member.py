from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings, strategies as st

from covey.ensemble import Member, Plan, chain_lengths
from covey.strategies import Bootstrap, Everything, Wagging


@settings(derandomize=True, deadline=None)
@given(n_members=st.integers(1, 500), length=st.integers(1, 60), more=st.integers(0, 100))
def test_chain_lengths_add_up_and_only_the_last_grows(n_members, length, more):
    chains = chain_lengths(n_members, length)
    assert sum(chains) == n_members
    assert all(size == length for size in chains[:-1])
    assert 0 < chains[-1] <= length
    longer = chain_lengths(n_members + more, length)
    assert longer[: len(chains) - 1] == chains[:-1]
    assert longer[len(chains) - 1] >= chains[-1]


def test_a_nested_member_speaks_in_the_outer_ensembles_terms():
    outer = Member(
        SimpleNamespace(classes_=np.array([0, 2, 3])), view=np.array([4, 1, 6]), weight=3.0, chain=7, left_out=None
    )
    inner = Member("model", view=np.array([2, 0]), weight=0.5, chain=1, classes=np.array([2, 0]))
    flat = inner.within(outer)
    assert flat.model == "model"
    assert flat.view.tolist() == [6, 4]
    assert flat.classes.tolist() == [3, 0]
    assert flat.weight == 1.5
    assert flat.chain == 7


def test_a_chain_that_would_start_alike_starts_from_wagging():
    assert isinstance(Plan((1,), Everything()).restart, Wagging)
    assert isinstance(Plan((1,), Bootstrap(0.5)).restart, Bootstrap)
