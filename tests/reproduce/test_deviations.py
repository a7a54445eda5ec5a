"""Reasons for deviations."""

from __future__ import annotations

import pandas as pd
import pytest

from covey.reproduce import deviations, find_paper, papers
from covey.reproduce.deviations import CLAIMS, UNKNOWN, claim_reason, known_deviations, reason_for


@pytest.fixture
def known(monkeypatch):
    rows = [
        ("mfs", "2", "segment", "nn", "open", "tried all"),
        ("mfs", "2", "*", "c5.0*", "explained", "another tree"),
        ("mfs", "*", "vowel", "*", "explained", "data"),
        ("mfs", "claims", "MFS-01", "", "explained", "of chance"),
    ]
    frame = pd.DataFrame(rows, columns=["paper", "table", "first", "second", "state", "text"])
    monkeypatch.setattr(deviations, "known_deviations", lambda: frame)


@pytest.mark.parametrize(
    ("table", "labels", "text"),
    [
        ("2", ("segment", "nn"), "open: tried all"),
        ("2", ("segment", "c5.0-boosted"), "another tree"),
        ("6", ("vowel", "bias"), "data"),
        ("6", ("vowel",), "data"),
        ("5", ("segment", "nn"), f"open: {UNKNOWN}"),
    ],
)
def test_the_first_row_that_fits_holds(known, table, labels, text):
    assert str(reason_for("mfs", table, labels)) == text


def test_claims_that_did_not_hold_have_reasons_too(known):
    assert str(claim_reason("mfs", "MFS-01")) == "of chance"
    assert claim_reason("mfs", "MFS-02").is_open


def test_reasons_of_claims_name_claims_that_there_are():
    frame = known_deviations()
    for row in frame[frame["table"] == CLAIMS].itertuples():
        assert row.first in {"*", *(claim.id for claim in find_paper(row.paper).claims)}


def test_the_file_names_tables_that_there_are():
    frame = known_deviations()
    assert list(frame) == ["paper", "table", "first", "second", "state", "text"]
    assert set(frame["state"]) <= {"open", "explained"}
    assert set(frame["paper"]) <= set(papers())
    for paper, table in zip(frame["paper"], frame["table"], strict=True):
        assert table in {"*", CLAIMS, *(view.id for view in find_paper(paper).views)}
    assert (frame["text"].str.len() > 10).all()
