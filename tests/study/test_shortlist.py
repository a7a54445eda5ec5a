"""Which methods are compared, and which are not."""

from __future__ import annotations

import pytest

from covey.study import MethodSpec
from covey.study.shortlist import CANDIDATES, named_methods, shortlist, with_members


@pytest.mark.parametrize("task", CANDIDATES)
def test_every_method_that_is_listed_can_be_made(task):
    chosen = shortlist(task)
    for method in chosen.methods:
        assert hasattr(method.make(), "fit")
    names = {one.method.name for one in CANDIDATES[task]}
    assert {method.name for method in chosen.methods} | set(chosen.left_out) == names


def test_a_package_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr("covey.study.shortlist.find_spec", lambda name: None)
    left_out = shortlist("classification").left_out
    assert left_out["XGBoost"] == "xgboost is not installed"
    assert "random forest" not in left_out


def test_what_compares_rows_with_rows_is_left_out_on_large_tables():
    small, large, huge = (shortlist("classification", n_rows=rows) for rows in (100_000, 200_000, 200_001))
    names = [{method.name for method in chosen.methods} for chosen in (small, large, huge)]
    assert {"alpha-rsse", "alphabeta-rse", "mfs1", "rotation-forest", "triskel-w4"} <= names[0]
    assert names[0] - names[1] == {"alpha-rsse", "alphabeta-rse"}
    assert names[1] - names[2] == {"mfs1", "rotation-forest", "triskel-w4"}
    assert large.left_out["alpha-rsse"] == (
        "200000 rows take it too long; it is tried on up to 100000, or when asked for by name"
    )


def test_methods_by_name_id_and_path():
    own = MethodSpec("mine", "sklearn.naive_bayes.GaussianNB")
    chosen = named_methods(["random forest", "wag", "sklearn.svm.SVC", own], "classification")
    assert [method.name for method in chosen.methods] == ["random forest", "wag", "SVC", "mine"]
    assert chosen.methods[1].path == "covey:wag"
    assert named_methods("wag", "classification").methods[0].name == "wag"
    assert len(named_methods(["wag", "wag", "mb"], "classification").methods) == 2


def test_an_unknown_method_gets_a_hint():
    with pytest.raises(ValueError, match=r"'mbsacs' is no method for classification; did you mean 'mbsasc'"):
        named_methods(["mbsacs"], "classification")
    for name in ("mbsasc", "c4.5"):
        with pytest.raises(ValueError, match=f"methods='{name}' is for classes, but the target holds numbers; 'covey"):
            named_methods([name], "regression")
    with pytest.raises(ValueError, match=r"'bagged trees' is for numbers.* --task classification' lists those for cla"):
        named_methods(["bagged trees"], "classification")
    with pytest.raises(TypeError, match="give names, import paths, estimators or MethodSpec"):
        named_methods([3], "classification")


def test_other_packages_must_be_trusted():
    with pytest.raises(ValueError, match="name 'imblearn' in trust"):
        named_methods(["imblearn.ensemble.EasyEnsembleClassifier"], "classification")
    chosen = named_methods(["imblearn.ensemble.EasyEnsembleClassifier"], "classification", ["imblearn"])
    assert chosen.methods[0].name == "EasyEnsembleClassifier"


def test_blanks_dashes_and_capitals_do_not_count():
    chosen = named_methods(["Random-Forest", "lightgbm", "bagged-trees"], "regression").methods
    assert [method.name for method in chosen] == ["random forest", "LightGBM", "bagged trees"]
    # Review: two methods were called 'random forest' and 'random-forest'.
    both = named_methods(["random forest", "random-forest", "rotation forest", "random forest"], "classification")
    assert [method.name for method in both.methods] == ["random forest", "rotation-forest"]
    assert both.notes == (
        "'random forest' and 'random-forest' are one method, compared once.",
        "'random forest' was named twice, and is compared once.",
    )


BOOSTING = "sklearn.ensemble.HistGradientBoostingClassifier"


@pytest.mark.parametrize("task", CANDIDATES)
def test_every_ensemble_of_the_shortlist_gets_it(task):
    single = {
        "logistic regression",
        "ridge regression",
        "nearest neighbours",
        "baseline",
        "triskel-w4",
        "gaussian process",
    }
    single.add("covey")  # its members are of different kinds, each with a number of its own
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
