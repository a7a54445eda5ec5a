"""The votes of trees counted together, beside the count of one member after the other."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey import C45Classifier, EnsembleClassifier, RandomTreeClassifier
from covey.ensemble import tree_votes
from covey.ensemble.voting import final
from covey.strategies import AdaBoost, Bootstrap, MajorityVote, MeanProbability, RandomSubspace, WeightedVote

COUNTED = ("scores", "second", "total", "squares")


def table(kind, n_rows=203, seed=0):
    """Rows of four columns, and classes of which the last is rare."""
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n_rows, 4)).round(1)
    y = (rows[:, 0] + rows[:, 1] > 0).astype(int) + (rows[:, 2] > 1.9)
    if kind == "missing":
        rows[rng.random(rows.shape) < 0.1] = np.nan
    frame = pd.DataFrame(rows, columns=list("abcd"))
    if kind == "categories":
        frame["c"] = pd.cut(frame["c"], 5, labels=list("uvwxy"))
        frame.loc[::7, "c"] = None
    return frame, y


def check_counts(model, X):
    together, one_by_one = model._vote_count(X), final(model._vote_counts(X))
    for name in COUNTED:
        np.testing.assert_array_equal(getattr(together, name), getattr(one_by_one, name))
    np.testing.assert_array_equal(model.predict_proba(X), list(model.staged_predict_proba(X))[-1])


@pytest.mark.parametrize("combine", [WeightedVote(), MajorityVote(), MeanProbability()], ids=str)
@pytest.mark.parametrize("kind", ["numbers", "missing", "categories"])
@pytest.mark.parametrize(
    "strategies",
    [{"draw": Bootstrap(0.1)}, {"reweight": AdaBoost()}, {"draw": Bootstrap(), "subspace": RandomSubspace(0.5)}],
    ids=["rows", "weights", "columns"],
)
def test_counts_are_those_of_one_member_after_the_other(combine, kind, strategies):
    X, y = table(kind)
    model = EnsembleClassifier(C45Classifier(), 9, combine=combine, random_state=1, **strategies).fit(X, y)
    check_counts(model, table(kind, n_rows=101, seed=1)[0])


def test_blocks_of_rows_and_jobs_do_not_matter(monkeypatch):
    X, y = table("missing")
    model = EnsembleClassifier(RandomTreeClassifier(), 7, random_state=1).fit(X, y)
    whole = model.predict_proba(X)
    monkeypatch.setattr(tree_votes, "BLOCK", 13)
    np.testing.assert_array_equal(model.predict_proba(X), whole)
    np.testing.assert_array_equal(model.set_params(n_jobs=2).predict_proba(X), whole)
    np.testing.assert_array_equal(np.vstack([model.predict_proba(X[i : i + 1]) for i in range(len(X))]), whole)


def test_members_of_several_kinds_are_asked_one_by_one():
    X, y = table("numbers")
    model = EnsembleClassifier(C45Classifier(), 4, random_state=1).fit(X, y)
    other = EnsembleClassifier(n_estimators=1, random_state=1).fit(X, y)
    model.estimators_[1] = other.estimators_[0]
    check_counts(model, X)
