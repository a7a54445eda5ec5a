"""The paper's tables as comparisons and records."""

from __future__ import annotations

import pytest

from covey.reproduce.multistrategy.measures import MEASURES
from covey.reproduce.multistrategy.printed import follows, printed_comparisons, printed_records


@pytest.mark.parametrize("measure", MEASURES)
def test_every_printed_p_value_follows_from_its_record(measure):
    cells = printed_comparisons(measure)
    assert len(cells) == (36 if measure in MEASURES[:3] else 21)
    assert all(follows(found, printed) for found, printed in cells)
    assert {found.n_datasets for found, _ in cells} == {41}


def test_a_wrong_p_value_does_not_follow():
    found, printed = printed_comparisons("error")[0]
    assert (found.record, printed) == ("13/0/28", "0.0275")
    assert not follows(found, "0.0276")
    assert not follows(found, "<0.0001")
    assert not follows(found, ">0.9999")


def test_records():
    records = printed_records("error")
    assert records.record("boost", "c4.5") == (34, 2, 5)
    assert records.record("c4.5", "boost") == (5, 2, 34)
    turned = printed_records("diversity", larger_is_better=True)
    assert turned.record("mb", "wag") == (41, 0, 0)
