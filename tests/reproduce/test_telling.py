"""What a quick run is said to have less of."""

from __future__ import annotations

from dataclasses import replace

from covey.reproduce.mfs import PAPER
from covey.reproduce.paper import Found, Quick
from covey.reproduce.telling import quick_in_words


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
