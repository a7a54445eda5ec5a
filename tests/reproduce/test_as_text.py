"""A reproduction in a terminal."""

from __future__ import annotations


def test_lines_fit(made):
    found, _ = made
    lines = str(found).splitlines()
    assert max(map(len, lines)) <= 96
    assert lines[0] == "Webb and Zheng, Multi-strategy ensemble learning (quick run)"
    assert lines[-1].startswith("Report: ")


def test_claims_with_their_verdicts(made):
    found, _ = made
    text = str(found)
    for claim, verdict in found.verdicts:
        (line,) = (line for line in text.splitlines() if line.startswith(f"{claim.id} "))
        assert line.split()[1] == verdict.status.split()[0]
    # Two datasets are too few for a sign test.
    assert "which cannot be significant on 2 datasets" in " ".join(text.split())


def test_what_is_missing_is_named(made):
    found, _ = made
    text = " ".join(str(found).split())
    assert "1 dataset could not be found. Put a file of each" in text
    assert "labor labor.arff, on OpenML labor" in text
    assert "This is a quick run (2 instead of 10 repeats; 4 members;" in text
