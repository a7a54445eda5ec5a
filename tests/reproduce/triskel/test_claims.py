"""The claims of the Triskel paper: on its own numbers they hold."""

from __future__ import annotations

import numpy as np
import pytest

from covey.reproduce.paper import Found
from covey.reproduce.published import published_wide
from covey.reproduce.triskel import PAPER, problems
from covey.reproduce.triskel.tables import Marked
from reproduce.made_up import swapped
from reproduce.triskel.printed import flat, folds_of, made_of, printed

CLAIMS = {claim.id: claim for claim in PAPER.claims}


def test_level_is_a_difference_of_at_most_one():
    assert CLAIMS["TRI-04"].judge(swapped(printed(), "triskel-w2", "adaboost-10")).status == "held"
    accuracy = folds_of(1)
    for data in ("zoo", "glass"):
        accuracy[data, "triskel-w2"] = accuracy[data, "adaboost-10"] + 5 + 0.1 * np.arange(10)
    found = Found({"folds": made_of(accuracy, folds_of(2))}, quick=False)
    assert CLAIMS["TRI-04"].judge(found).status == "failed"


def beside(id, names, change, seconds):
    """Return the printed results, and others of an experiment that differ by so many points and take so long."""
    wide, times = published_wide("triskel", 1), published_wide("triskel", 2)
    accuracy = {(data, new): wide.loc[data, old] + change for data in wide.index for old, new in names.items()}
    other = flat(accuracy, {key: np.full(10, seconds * times.loc[key[0], "smo"]) for key in accuracy})
    return Found({**printed(), id: other}, quick=False)


@pytest.mark.parametrize(("change", "status"), [(-0.5, "held"), (0.5, "failed")])
def test_soft_covering_and_separation(change, status):
    names = {"triskel-w2": "separate-2", "triskel-w4": "separate-4"}
    verdict = CLAIMS["TRI-11"].judge(beside("covering", names, change, 1.0))
    assert verdict.status == status
    assert "triskel-w4 84.88, with separation" in verdict.found


@pytest.mark.parametrize(
    ("change", "seconds", "status"), [(0.9, 100.0, "held"), (1.1, 100.0, "failed"), (0.0, 0.1, "failed")]
)
def test_undersampling_and_oversampling(change, seconds, status):
    names = {"triskel-1": "oversample-1", "triskel-w4": "oversample-w4"}
    assert CLAIMS["TRI-12"].judge(beside("oversampling", names, change, seconds)).status == status


@pytest.mark.parametrize("id", [f"TRI-{number:02d}" for number in range(2, 13)])
def test_claims_cannot_be_tested_on_one_dataset(id):
    few = printed(("zoo",))
    others = {name: flat({("zoo", "x"): 90.0}) for name in ("covering", "oversampling")}
    assert CLAIMS[id].judge(Found({**few, **others}, quick=True)).status == "not testable"


@pytest.mark.parametrize(
    ("id", "status", "text"),
    [
        ("TRI-01", "held", "three cuts along the layers 0.000 (largest 0.000)"),
        ("TRI-13", "held", "16 ensembles with nested predictions"),
        ("TRI-14", "held", "whose accuracy is that of the middle for 25"),
        ("TRI-15", "failed", "about 0.1 being taken for 0.05 to 0.2"),
        ("TRI-17", "held", "more on 1 of 1 draw"),
        ("TRI-18", "held", "680 of all 680 votes of 1 to 4 rounds, and for 300 of 300 cases"),
    ],
)
def test_claims_on_the_cake(small, id, status, text):
    verdict = CLAIMS[id].judge(small)
    assert verdict.status == status, verdict.found
    assert text in verdict.found


def accuracies_of(table):
    return lambda problem: np.array(table)


def test_strengths_of_the_cake_are_judged_by_accuracy(small, monkeypatch):
    """The base has about 0.6 on this draw; rows are strengths of h+."""
    table = np.full((5, 5), 0.6)
    table[0, 0] = 0.7
    monkeypatch.setattr(problems, "accuracies", accuracies_of(table))
    assert CLAIMS["TRI-15"].judge(small).status == "held"
    assert CLAIMS["TRI-16"].judge(small).status == "failed"
    table[0, 2] = 0.8
    assert CLAIMS["TRI-16"].judge(small).status == "held"
    table[1, 1] = 0.65
    assert CLAIMS["TRI-15"].judge(small).status == "failed"


def test_the_best_pair_is_the_least_biased_of_equals(small, monkeypatch):
    table = np.full((5, 5), 0.6)
    table[3, 1] = table[1, 2] = 0.9
    table[4, 4] = 0.8
    monkeypatch.setattr(problems, "accuracies", accuracies_of(table))
    problem = problems.cake("cake 1")
    assert problems.best_pair(problem, symmetric=False) == ((0.4, 0.55), 0.9)
    assert problems.best_pair(problem, symmetric=True) == ((0.9, 0.9), 0.8)


def test_the_real_problem_is_there_only_with_its_data(monkeypatch):
    monkeypatch.setattr(problems, "available", tuple)
    assert problems.real_problem() is None


def test_three_cuts_are_right_where_the_layers_are():
    problem = problems.cake("cake 2")
    assert problems.three_cuts_accuracy(problem) == 1
    turned = problems.Problem("upside down", problem.X, 1 - problem.y)
    assert problems.three_cuts_accuracy(turned) == 0


def test_marks_are_counted():
    record = Marked.of({"a": "increase", "b": "", "c": "decrease", "d": "increase"})
    assert str(record) == "2 significant wins (a, d) and 1 significant loss (c) on 4 datasets"
