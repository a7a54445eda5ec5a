"""Bias, variance and members of the best methods."""

from __future__ import annotations

import numpy as np
import pytest

from covey.analysis.ranking.leaders import BiasVariance, Leader, Leaders, Members, bias_variance, measure_members
from covey.analysis.ranking.sentences import explain
from covey.report.result_sections import leaders_of
from covey.study import CycledFolds, DataSpec, MethodSpec, Study, run_study
from report.studies import near, study_of

Y = np.array(["no", "yes", "no", "yes", "no", "yes"])


def said(dataset, method, fit):
    """Two repeats of three folds of two cases each; method "b" errs in the second repeat on the first fold."""
    cases = np.array([2 * (fit % 3), 2 * (fit % 3) + 1])
    predictions = Y[cases].copy()
    if fit == 3 and method == "b":
        predictions = predictions[::-1]
    if method == "c":
        predictions[:] = "no"
    return {"y": Y[cases], "cases": cases, "predictions": predictions, "classes": np.array(["no", "yes"])}


def with_votes(dataset, method, fit):
    found = said(dataset, method, fit)
    codes = (found["y"] == "yes").astype(np.uint8)
    votes = np.stack([codes, codes, 1 - codes], axis=1)
    return {**found, "votes": votes, "weights": np.array([1.0, 1.0, 2.0])}


def test_bias_and_variance_by_hand(tmp_path):
    results = study_of(tmp_path, {"iris": {name: near(0.9, seed=3) for name in "abc"}}, arrays=said)
    a, b, c = leaders_of(results, results.ranking()).leaders
    assert (a.bias_variance.error, a.bias_variance.bias, a.bias_variance.variance) == (0, 0, 0)
    # Two cases of six are right once and wrong once: half an error each, all of it variance.
    assert b.bias_variance.error == pytest.approx(1 / 6)
    assert b.bias_variance.bias == pytest.approx(0, abs=1e-12)
    assert b.bias_variance.variance == pytest.approx(1 / 6)
    # Always the same: half of the cases are wrong, and nothing varies.
    assert (c.bias_variance.error, c.bias_variance.bias, c.bias_variance.variance) == (0.5, 0.5, 0)
    assert (c.bias_variance.n_repeats, c.bias_variance.n_rows) == (2, 6)
    assert c.members is None


def test_corrected_estimates_do_not_depend_on_the_number_of_repeats():
    """With many repeats the plain formulas are near those that few repeats give on average."""
    rng = np.random.default_rng(0)
    y = np.zeros(4000)
    wrong = rng.uniform(0, 1, 4000)
    few = bias_variance((rng.uniform(size=(2, 4000)) < wrong).astype(int).astype(str), y.astype(int).astype(str), False)
    assert few.bias == pytest.approx(np.mean(wrong**2), abs=0.02)
    assert few.variance == pytest.approx(np.mean(wrong * (1 - wrong)), abs=0.02)
    offsets = rng.normal(0, 1, 4000)
    numbers = bias_variance(offsets + rng.normal(0, 2, (2, 4000)), y, True)
    assert numbers.bias == pytest.approx(1, abs=0.2)
    assert numbers.variance == pytest.approx(4, abs=0.3)
    assert numbers.error == pytest.approx(numbers.bias + numbers.variance)


def test_members_by_hand(tmp_path):
    results = study_of(tmp_path, {"iris": {"a": near(0.9)}}, arrays=with_votes)
    leaders = leaders_of(results, results.ranking())
    members = leaders.leaders[0].members
    # Two of three members are always right; the third, whose vote weighs as much as theirs, never is.
    assert (members.n_members, members.n_fits) == (3, 6)
    assert members.member_error == pytest.approx(0.5)
    assert members.ensemble_error == 0
    assert members.disagreement == pytest.approx(2 / 3)
    assert len(leaders.points["a"]) == 3
    # Kappa of labels that always agree is 1 and of opposite labels, in equal shares, -1.
    assert members.kappa == pytest.approx((1 - 1 - 1) / 3)


def test_votes_of_some_fits_only_are_read():
    read = []

    def fits():
        for fit in range(12):
            read.append(fit)
            yield with_votes("iris", "a", fit)

    assert measure_members(fits(), False, most_fits=4).n_fits == len(read) == 4


def test_protocols_that_do_not_predict_every_case_have_no_bias(tmp_path):
    protocol = {"kind": "resamples", "n_repeats": 6, "train_size": 0.5, "stratified": False}
    results = study_of(tmp_path, {"iris": {"a": near(0.9)}}, arrays=with_votes, protocol=protocol, n_folds=1)
    leaders = leaders_of(results, results.ranking())
    assert leaders.bias_variance_table() is None
    assert leaders.members_table() is not None


def test_one_repeat_has_no_variance(tmp_path):
    protocol = {"kind": "cross-validation", "n_repeats": 1, "n_folds": 3, "stratified": False}
    results = study_of(tmp_path, {"iris": {"a": near(0.9, 3)}}, arrays=said, protocol=protocol)
    assert leaders_of(results, results.ranking()).bias_variance_table() is None


def test_an_ensemble_of_numbers(tmp_path):
    def numbers(dataset, method, fit):
        cases = np.array([2 * (fit % 3), 2 * (fit % 3) + 1])
        votes = np.array([[1.0, 3.0], [2.0, 6.0]])
        return {"y": np.array([2.0, 2.0]), "cases": cases, "predictions": votes.mean(axis=1), "votes": votes}

    results = study_of(tmp_path, {"d": {"a": near(0.4)}}, arrays=numbers, task="regression", metrics=("r2",))
    leaders = leaders_of(results, results.ranking())
    members = leaders.leaders[0].members
    assert (members.member_error, members.ambiguity, members.ensemble_error) == pytest.approx((4.5, 2.5, 2.0))
    assert members.points is None
    bias = leaders.leaders[0].bias_variance
    assert (bias.error, bias.bias, bias.variance) == pytest.approx((2, 2, 0))
    assert "56% of the error cancels out" in " ".join(explain(leaders))
    assert "ambiguity" in leaders.members_table().frame


def test_a_forest_is_measured_as_by_hand(tmp_path):
    """Votes of scikit-learn's forest, from a study that was run, against plain counts."""
    methods = (MethodSpec("forest", "sklearn.ensemble.RandomForestClassifier", {"n_estimators": 7}),)
    protocol = CycledFolds(2, 3)
    study = Study("iris", (DataSpec("iris", "iris"),), methods, protocol, ("accuracy",), 1, "classification")
    results = run_study(study, tmp_path / "iris.covey")
    leader = leaders_of(results, results.ranking()).leaders[0]
    wrong, apart, whole = [], [], []
    for arrays in results.fits("iris", "forest"):
        right = arrays["classes"][arrays["votes"]] == arrays["y"][:, None]
        wrong.append(1 - right.mean())
        pairs = [(right[:, i] != right[:, j]).mean() for i in range(7) for j in range(i)]
        apart.append(np.mean(pairs))
        whole.append(np.mean(arrays["predictions"] != arrays["y"]))
    assert leader.members.member_error == pytest.approx(np.mean(wrong))
    assert leader.members.disagreement == pytest.approx(np.mean(apart))
    assert leader.members.ensemble_error == pytest.approx(np.mean(whole))
    assert leader.bias_variance.error == pytest.approx(1 - results.scores().loc["iris", "forest"])


def leader(name, error, bias, members=None):
    return Leader(name, BiasVariance(error, bias, error - bias, 5, 100), members)


def test_sources_of_errors_in_words():
    leaders = Leaders("d", False, (leader("a", 0.1, 0.09), leader("b", 0.1, 0.01), leader("c", 0.1, 0.05)))
    (text,) = explain(leaders)
    assert "The error of a (10.0%) is mostly bias" in text
    assert "The error of b (10.0%) is mostly variance" in text
    assert "The error of c (10.0%) is bias and variance in similar parts." in text
    (none,) = explain(Leaders("d", False, (leader("a", 0.0, 0.0),)))
    assert none == "There is no error of a (0.0%)."
    assert explain(Leaders("d", False, ())) == ()


def test_members_in_words():
    good = Members(50, 10, 0.18, 0.09, 0.2, 0.5, float("nan"), None)
    (text,) = explain(Leaders("d", False, (Leader("forest", None, good),)))
    assert text == (
        "Members of forest err in 18.0% of rows, but in different ones (in 20.0% just one of two is right), "
        "so that together they err in 9.0%."
    )
    bad = Members(50, 10, 0.18, 0.18, 0.2, 0.5, float("nan"), None)
    (text,) = explain(Leaders("d", False, (Leader("forest", None, bad),)))
    assert text == "Members of forest err in 18.0% of rows, and together they do no better: 18.0%."
