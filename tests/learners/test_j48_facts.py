"""C4.5 against the J48 of Weka, an implementation of the same algorithm by other people."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from covey import C45Classifier
from covey.datasets import load
from learners.weka_folds import weka_folds

with (Path(__file__).parent / "j48-facts.csv").open(newline="") as file:
    FACTS = {row["dataset"]: row for row in csv.DictReader(file)}

AT_START = [Path(entry).absolute() for entry in os.environ.get("COVEY_DATA", "").split(os.pathsep) if entry]

# Take seconds to read or to fit.
LARGE = {"adult", "nettalk_letter", "nettalk_phoneme", "nettalk_stress", "prostate79", "discordant", "hypothyroid"}
LARGE |= {"ringnorm", "spambase", "twonorm", "waveform_21", "waveform_40", "audiology", "abalone_rings3"}

# The header declares a class that no row has, and J48 counts it when it asks how small a branch may be.
OTHER_CLASSES = {"anneal_orig"}


@pytest.fixture
def published(monkeypatch):
    for directory in AT_START:
        if (directory / "INDEX.csv").is_file():
            monkeypatch.setenv("COVEY_DATA", str(directory))
            return directory
    pytest.skip("COVEY_DATA names no directory with an INDEX.csv")


def named(names):
    return [pytest.param(name, marks=pytest.mark.slow if name in LARGE else []) for name in names]


@pytest.mark.parametrize("pruning", [True, False], ids=["pruned", "unpruned"])
@pytest.mark.parametrize("name", named(FACTS))
def test_leaves_size_and_errors(published, name, pruning):
    data, mode = load(name), "pruned" if pruning else "unpruned"
    model = C45Classifier(pruning=pruning).fit(data.frame, data.target)
    facts = {key: int(FACTS[name][f"{mode}_{key}"]) for key in ("leaves", "size", "train_errors")}
    errors = np.count_nonzero(model.predict(data.frame) != np.asarray(data.target))
    assert abs(errors - facts["train_errors"]) <= 0.01 * data.n_rows
    if name not in OTHER_CLASSES:
        assert (model.get_n_leaves(), model.tree_.size) == (facts["leaves"], facts["size"])


def distance(name):
    """How many points the accuracy in ten folds, the very ones of Weka, is above J48's."""
    data = load(name)
    labels = np.asarray(data.target)
    right = 0
    for train, test in weka_folds(labels.tolist()):
        model = C45Classifier().fit(data.frame.iloc[train], labels[train])
        right += np.count_nonzero(model.predict(data.frame.iloc[test]) == labels[test])
    return 100 * right / len(labels) - float(FACTS[name]["cv10_accuracy_pct"])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Column .* was seen in training:UserWarning")
@pytest.mark.parametrize("name", named(name for name, facts in FACTS.items() if facts["cv10_accuracy_pct"]))
def test_accuracy_in_ten_folds(published, name):
    assert abs(distance(name)) <= 1


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Column .* was seen in training:UserWarning")
def test_mean_accuracy_in_ten_folds(published):
    assert abs(np.mean([distance(name) for name, facts in FACTS.items() if facts["cv10_accuracy_pct"]])) <= 0.1
