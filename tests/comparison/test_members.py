"""One number of members for all methods."""

from __future__ import annotations

import pytest

from covey.comparison.members import with_members
from covey.comparison.shortlists import CANDIDATES
from covey.study import MethodSpec

BOOSTING = "sklearn.ensemble.HistGradientBoostingClassifier"


@pytest.mark.parametrize("task", CANDIDATES)
def test_every_ensemble_of_the_shortlist_gets_it(task):
    single = {"logistic regression", "ridge regression", "nearest neighbours", "baseline", "triskel-w4"}
    for candidate in CANDIDATES[task]:
        if candidate.why_not(0) is not None:
            continue
        before, after = candidate.method, with_members(candidate.method, 7)
        changed = {name for name in after.params if after.params[name] != before.params.get(name)}
        assert len(changed) == (before.name not in single), before.name
        assert all(after.params[name] == 7 for name in changed)


def test_rounds_of_histogram_boosting_and_no_others():
    assert with_members(MethodSpec("a", BOOSTING, {"max_iter": 500}), 7).make().max_iter == 7
    linear = MethodSpec("b", "sklearn.linear_model.LogisticRegression", {"max_iter": 1000})
    assert with_members(linear, 7) == linear


@pytest.mark.parametrize("given", [{}, {"iterations": 5}, {"n_estimators": 5}, {"num_trees": 5, "depth": 3}])
def test_catboost_gets_one_name_for_it(given):
    found = with_members(MethodSpec("a", "catboost.CatBoostClassifier", given), 7).params
    assert found == {**({"depth": 3} if "depth" in given else {}), "iterations": 7}


def test_the_last_step_of_a_pipeline():
    steps = [
        {"estimator": "sklearn.preprocessing.StandardScaler", "params": {}},
        {"estimator": BOOSTING, "params": {"learning_rate": 0.2}},
    ]
    last = with_members(MethodSpec("a", "pipeline", {"steps": steps}), 7).make()[-1]
    assert (last.max_iter, last.learning_rate) == (7, 0.2)
