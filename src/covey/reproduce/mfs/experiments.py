"""The paper's experiments, and how they are made smaller."""

from __future__ import annotations

from covey.reproduce.paper import Experiment, Quick

# The experiments that table 2 is made of; no dataset is in two of them for the same method.
TABLE_2 = ("neighbours", "selection", "trees", "satimage", "vowel", "waveform")
_WITH_CHOICES = ("1", "2", "3", "7")
_FILE = "folds"
# Choosing a size by leave-one-out takes time with the square of the cases and once for each fold.
_FOLDS = Quick(n_repeats=1, n_folds=5)
_FEW_NUMBERS = ("knn 10", "mfs1 10", "knn 30", "mfs1 30")

# fmt: off
EXPERIMENTS = (
    Experiment("neighbours", ("1", "2", "3", "4", "5", "7"), _FOLDS, _FILE, ("nn", "knn", "mfs1", "mfs2"),
               "nearest neighbours and MFS on 22 datasets"),
    Experiment("selection", ("4", *_WITH_CHOICES), _FOLDS, _FILE, ("fss", "bss"), "feature selection on 22 datasets"),
    Experiment("trees", ("1", "2", "3", "4"), _FOLDS, _FILE, ("c4.5", "boost"), "trees on 22 datasets"),
    Experiment("satimage", ("4", *_WITH_CHOICES), Quick(n_repeats=1, methods=("nn", "knn")),
               title="satimage, by its own division"),
    Experiment("vowel", _WITH_CHOICES, Quick(n_repeats=1), title="vowel, by its own division"),
    Experiment("waveform", _WITH_CHOICES, Quick(n_repeats=3), title="waveform, 300 cases for training"),
    Experiment("irrelevant", ("5",), Quick(n_repeats=1, n_folds=5, methods=_FEW_NUMBERS),
               title="irrelevant attributes"),
    Experiment("bias-variance", ("6",), Quick(n_repeats=25), title="bias and variance"),
    Experiment("members", ("figure 1",), _FOLDS, title="members on samples, prototypes and features"),
    Experiment("sizes", (), _FOLDS, title="members on subsets of different sizes"),
)
# fmt: on
