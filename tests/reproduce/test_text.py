"""A reproduction in words and in a terminal."""

from __future__ import annotations

from dataclasses import replace

from covey.reproduce.mfs import PAPER
from covey.reproduce.paper import Found, Quick
from covey.reproduce.text import quick_in_words


def told(**quick):
    """Return what is told of experiments that are smaller in some way; the others have what the full ones have."""
    experiments = tuple(replace(one, quick=quick.get(one.id, Quick(1000))) for one in PAPER.experiments)
    return quick_in_words(replace(PAPER, experiments=experiments), Found(dict.fromkeys(PAPER_IDS), quick=True))


PAPER_IDS = [one.id for one in PAPER.experiments]


def test_the_first_experiment_speaks_for_all():
    text = told(neighbours=Quick(1, {"n_estimators": 20}, ("segment",), n_folds=5), vowel=Quick(1, methods=("nn",)))
    assert text.startswith("This is a quick run (5 instead of 10 folds; 20 members; without segment): differences")


def test_experiments_are_told_of_one_by_one_where_the_first_is_whole():
    text = told(waveform=Quick(3), vowel=Quick(1, methods=("nn", "knn", "mfs1", "mfs2", "c4.5", "boost")))
    assert "(vowel, by its own division: without fss, bss; waveform, 300 cases for training: 3 instead of 10" in text


def test_nothing_less_is_told_as_such():
    assert told() == "This is a quick run, which has all that the full one has."
    assert quick_in_words(PAPER, Found({}, quick=True)) == ""
    assert quick_in_words(PAPER, Found(dict.fromkeys(PAPER_IDS), quick=False)) == ""


def test_lines_fit(result):
    lines = str(result).splitlines()
    assert max(map(len, lines)) <= 96
    assert lines[0] == "Webb and Zheng, Multi-strategy ensemble learning (quick run)"
    assert lines[-1].startswith("Report: ")


def test_claims_with_their_verdicts(result):
    text = str(result)
    for claim, verdict in result.verdicts:
        (line,) = (line for line in text.splitlines() if line.startswith(f"{claim.id} "))
        assert line.split()[1] == verdict.status.split()[0]
    # Two datasets are too few for a sign test.
    assert "which cannot be significant on 2 datasets" in " ".join(text.split())


def test_what_is_missing_is_named(result):
    text = " ".join(str(result).split())
    assert "1 dataset could not be found. Put a file of each" in text
    assert "labor labor.arff, on OpenML labor" in text
    assert "This is a quick run (2 instead of 10 repeats; 4 members;" in text
