"""Methods on one dataset, best first."""

from __future__ import annotations

from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats

from covey.analysis.ranking.methods import Splits, rank_scores
from covey.analysis.ranking.metrics import Chance, chance_of, describe_metric, larger_is_better, number_spec
from covey.report import rank_methods
from covey.study import CycledFolds, DataSpec, MethodSpec, Study, run_study
from covey.study.results import splits_of
from report.studies import near, study_of

ACCURACY = describe_metric("accuracy", "classification")
ERROR = describe_metric("error", "classification")
THIRD = Splits(80, 40)


def ranked(scores, **options):
    return rank_scores(scores, **{"dataset": "iris", "words": ACCURACY, "splits": THIRD, **options})


def by_hand(best, other, ratio, rope):
    """The posterior of the Bayesian correlated t-test in plain formulas: behind, and within the rope."""
    d = np.array(best) - np.array(other)
    mean = stats.t(len(d) - 1, d.mean(), np.sqrt((1 / len(d) + ratio) * d.var(ddof=1)))
    return mean.sf(rope), mean.cdf(rope) - mean.cdf(-rope)


def test_intervals_and_probabilities_are_those_of_the_formulas():
    scores = {"a": near(0.9, seed=1), "b": near(0.88, seed=2), "c": near(0.8, seed=3)}
    found = ranked(scores)
    assert [row.method for row in found.rows] == ["a", "b", "c"]
    for row in found.rows:
        values = np.array(scores[row.method])
        error = np.sqrt((1 / 6 + 0.5) * values.var(ddof=1))
        low, high = stats.t.interval(0.95, 5, values.mean(), error)
        assert (row.mean, row.low, row.high) == pytest.approx((values.mean(), low, high))
        assert row.standard_error == pytest.approx(error)
    for row in found.rows[1:]:
        assert (row.behind, row.equivalent) == pytest.approx(by_hand(scores["a"], scores[row.method], 0.5, 0.01))
    assert isnan(found.rows[0].behind)
    assert isnan(found.rows[0].equivalent)
    assert found.row("c").difference == pytest.approx(-0.1)


@pytest.mark.parametrize(
    ("metric", "task", "rope", "text"),
    [
        ("accuracy", "classification", 0.01, "1 point"),
        ("roc_auc", "classification", 0.01, "0.01"),
        ("neg_log_loss", "classification", 0.01, "0.01"),
        ("r2", "regression", 0.01, "0.01"),
        ("neg_root_mean_squared_error", "regression", 2.0, "1%"),
        ("neg_mean_absolute_error", "regression", 2.0, "1%"),
        ("neg_mean_squared_error", "regression", 4.0, "2%"),
        ("error", "regression", 4.0, "2%"),
    ],
)
def test_what_difference_has_no_practical_meaning(metric, task, rope, text):
    words = describe_metric(metric, task)
    assert words.rope(200.0) == pytest.approx(rope)
    assert words.rope_text == text


def test_small_errors_are_good():
    scores = {"a": near(0.4, seed=1), "b": near(0.1, seed=2)}
    found = ranked(scores, words=ERROR)
    assert found.best == "b"
    assert found.row("a").difference == pytest.approx(0.3)
    assert found.row("a").verdict == "behind"


def test_errors_have_natural_signs(tmp_path):
    """Review: "negative log loss" was shown to people. The frame keeps what scikit-learn's scorer gives."""
    better, worse = near(-0.3, seed=1), near(-0.5, seed=2)
    results = study_of(tmp_path, {"iris": {"a": worse, "b": better}}, metrics=("neg_log_loss",))
    found = rank_methods(results)
    assert (found.words.name, found.larger_is_better, found.direction) == ("log loss", False, "smaller")
    assert found.best == "b"
    first, second = found.rows
    assert first.mean == pytest.approx(0.3)
    assert 0 < first.low < first.mean < first.high
    assert second.difference == pytest.approx(0.2)
    assert second.verdict == "behind"
    np.testing.assert_allclose(first.scores, -np.array(better))
    assert results.frame()["neg_log_loss"].max() < 0
    assert found.verdict_text(second) == "behind by 0.200"


def test_methods_that_tie_are_in_the_order_given():
    found = ranked({"z": [0.3, 0.6], "a": [0.6, 0.3], "m": [0.1 + 0.2, 0.6]})
    assert [row.method for row in found.rows] == ["z", "a", "m"]
    # The same mean does not show that methods are as good, the same scores do.
    assert [row.verdict for row in found.rows] == ["best", "unclear", "tie"]
    assert found.tied == ("z", "a", "m")
    assert found.table().bold["accuracy"].all()
    # Not 1.1e-16, as the subtraction has it.
    assert [row.difference for row in found.rows] == [0, 0, 0]


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_order_and_ties_agree(scale):
    """Regression: means apart by more than rounding, but by less than another tolerance, were ordered and tied."""
    values = scale * np.random.default_rng(3).uniform(0.5, 0.9, 40)
    shuffled = np.random.default_rng(4).permutation(values)
    for step in (0.0, 1e-14, 1e-13, 1e-11):
        found = ranked({"a": values, "b": shuffled * (1 + step)}, words=describe_metric("r2", "regression"))
        tied = found.rows[1].difference == 0
        assert tied == (len(found.tied) == 2) == (found.best == "a")
        assert tied == (step == 0)


def test_no_method_is_the_best_if_all_are_the_same():
    found = ranked({"a": [0.0] * 4, "b": [0.0] * 4})
    assert found.all_tie
    assert found.table().frame["verdict"].tolist() == ["same mean", "ties with a"]
    some = ranked({"a": [0.5, 0.6], "b": [0.6, 0.5], "c": [0.1, 0.2]})
    assert not some.all_tie
    assert some.table().frame["verdict"].tolist()[:2] == ["best", "too close to call: same mean"]
    assert not ranked({"a": [0.5, 0.6]}).all_tie


def test_methods_have_titles_that_people_know(tmp_path):
    results = study_of(tmp_path, {"iris": {"a": near(0.9, seed=1), "b": near(0.8, seed=2)}})
    found = rank_methods(results)
    assert found.title("a") == "C4.5 tree (a)"
    assert found.table().frame.index.tolist() == ["a", "b"]
    assert found.table(titled=True).frame.index.tolist() == ["C4.5 tree (a)", "C4.5 tree (b)"]
    assert ranked({"a": near(0.9)}).title("a") == "a"


def test_one_split_has_neither_intervals_nor_tests():
    found = ranked({"a": [0.9], "b": [0.8]}, splits=splits_of({"kind": "fixed-split", "n_train": 60}, 100))
    assert [row.verdict for row in found.rows] == ["best", "untested"]
    assert all(isnan(row.low) and isnan(row.behind) for row in found.rows)
    assert (found.ties, found.unclear, found.behind, found.is_clear) == ((), (), (), False)
    assert "No intervals and no tests: there was one split only." in str(found)
    assert found.table().frame.columns.tolist() == ["accuracy", "verdict", "fit (ms)", "predict (ms)"]
    assert found.table().frame["verdict"].tolist() == ["best", "behind by 10.0 points, not tested"]
    assert ranked({"a": [0.9], "b": [0.8]}).why_untested == "there was one fit only"


def test_equal_scores_have_no_interval():
    found = ranked({"a": [1.0] * 4, "b": [0.8, 0.9, 0.8, 0.9]})
    assert isnan(found.rows[0].low)
    assert not isnan(found.rows[1].low)
    assert "There is none where all fits scored the same." in str(found)


def test_intervals_stay_on_the_scale_of_the_metric():
    found = ranked({"a": [1.0, 0.9, 1.0, 0.9]})
    assert found.rows[0].high == 1.0
    assert found.rows[0].low < 0.9


def test_no_method_finished():
    found = ranked({}, failed={"a": "3 of 3 fits failed (boom)"})
    with pytest.raises(ValueError, match="no method finished all fits on 'iris'"):
        _ = found.best
    assert str(found) == (
        "No method finished all of its fits on iris, so there is no ranking.\n"
        "Not ranked is a: 3 of 3 fits failed (boom)."
    )
    assert len(found.table().frame) == 0
    forged = ranked({}, failed={"a\nError: b": "3 of 3 fits failed\x1b"})
    assert str(forged).splitlines()[1:] == [r"Not ranked is a\nError: b: 3 of 3 fits failed\x1b."]


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ({"a": [0.1, np.nan]}, r"scores\['a'\] has nan at position 1.*name it in failed"),
        ({"a": [0.1], "b": [0.1, 0.2]}, "different numbers of fits"),
        ({"a": []}, "must have one score for each fit"),
    ],
)
def test_scores_that_cannot_be_ranked(scores, message):
    with pytest.raises(ValueError, match=message):
        ranked(scores)


def test_a_row_that_is_not_there():
    found = ranked({"a": [0.5, 0.6]}, failed={"b": "2 of 2 fits failed (boom)"})
    with pytest.raises(KeyError, match=r"'b' is not ranked on 'iris': 2 of 2 fits failed"):
        found.row("b")


@settings(deadline=None, max_examples=40)
@given(st.permutations(range(4)), st.integers(0, 1000))
def test_the_order_of_methods_and_fits_does_not_matter(order, seed):
    table = np.random.default_rng(seed).normal(0.8, 0.05, (4, 6))
    names = list("abcd")
    one = ranked(dict(zip(names, table, strict=True)))
    fits = np.random.default_rng(seed).permutation(6)
    other = ranked({names[place]: table[place][fits] for place in order})
    assert [row.method for row in one.rows] == [row.method for row in other.rows]
    for mine, theirs in zip(one.rows, other.rows, strict=True):
        np.testing.assert_allclose(
            (mine.mean, mine.low, mine.high, mine.behind, mine.equivalent),
            (theirs.mean, theirs.low, theirs.high, theirs.behind, theirs.equivalent),
            atol=1e-12,
        )


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000))
def test_errors_rank_as_accuracies_do(seed):
    table = np.random.default_rng(seed).uniform(0.3, 0.9, (3, 5))
    right = ranked(dict(zip("abc", table, strict=True)))
    wrong = ranked(dict(zip("abc", 1 - table, strict=True)), words=ERROR)
    assert [row.method for row in right.rows] == [row.method for row in wrong.rows]
    np.testing.assert_allclose([row.behind for row in right.rows], [row.behind for row in wrong.rows], atol=1e-9)


@pytest.mark.parametrize(
    ("protocol", "sizes"),
    [
        ({"kind": "cross-validation", "n_folds": 10, "n_repeats": 3}, (90, 10)),
        ({"kind": "resamples", "train_size": 2 / 3, "n_repeats": 3}, (67, 33)),
        ({"kind": "resamples", "train_size": 60, "n_repeats": 3}, (60, 40)),
        ({"kind": "fixed-split", "test": [1, 2, 3]}, (97, 3)),
        ({"kind": "bootstrap", "sample_size": 50, "test_size": 0.25, "n_repeats": 3}, (50, 25)),
    ],
)
def test_sizes_of_splits(protocol, sizes):
    found = splits_of(protocol, 100)
    assert (found.n_train, found.n_test) == sizes
    tested = protocol["kind"] in ("cross-validation", "resamples")
    assert bool(found.why_not) != tested


def test_a_single_random_split_and_an_unknown_protocol_are_not_tested():
    assert splits_of({"kind": "resamples", "train_size": 0.5, "n_repeats": 1}, 10).why_not == "there was one split only"
    assert "FreshSamples" in splits_of({"kind": "FreshSamples", "n_repeats": 4}, 10).why_not


def test_methods_that_failed_or_are_not_finished_are_apart(tmp_path):
    scores = {
        "iris": {
            "good": near(0.9),
            "broken": [0.9, "ValueError: it\nbroke", 0.9, "ValueError: it\nbroke", 0.8, 0.8],
            "slow": [0.9, 0.9, 0.9, 0.9, 0.9, None],
            "odd": [0.9, float("nan"), 0.9, 0.9, 0.9, 0.9],
            "both": ["timeout: 5 s", None, 0.9, 0.9, 0.9, 0.9],
        }
    }
    found = rank_methods(study_of(tmp_path, scores))
    assert [row.method for row in found.rows] == ["good"]
    assert dict(found.failed) == {
        "broken": "2 of 6 fits failed (ValueError: it broke)",
        "slow": "1 of 6 fits is not finished, 90.0% in the others",
        "odd": "1 of 6 fits has no accuracy",
        "both": "1 of 6 fits failed (timeout: 5 s); 1 of 6 fits is not finished, 90.0% in the others",
    }
    long = rank_methods(study_of(tmp_path, {"iris": {"a": ["x" * 1000] * 2, "b": [0.1, 0.2]}}))
    assert len(long.failed["a"]) < 200
    assert "…" in long.failed["a"]


def test_times_are_medians(tmp_path):
    found = rank_methods(study_of(tmp_path, {"iris": {"a": near(0.9), "b": near(0.8)}}, seconds={"a": 20.0}))
    assert (found.row("a").fit_seconds, found.row("a").predict_seconds) == (20.0, 2.0)
    assert list(found.table().frame.columns[-2:]) == ["fit (s)", "predict (s)"]
    quick = rank_methods(study_of(tmp_path, {"wine": {"a": near(0.9), "b": near(0.8)}}))
    assert quick.table().frame["fit (ms)"].tolist() == [500.0, 500.0]


def test_names_are_checked(tmp_path):
    results = study_of(tmp_path, {"iris": {"a": near(0.9)}, "wine": {"a": near(0.9)}})
    with pytest.raises(ValueError, match="2 datasets; give dataset, one of 'iris', 'wine'"):
        rank_methods(results)
    with pytest.raises(ValueError, match="dataset='zoo' is none of the study's"):
        rank_methods(results, "zoo")
    with pytest.raises(ValueError, match="metric='r2' is none of the study's, which are accuracy"):
        rank_methods(results, "iris", "r2")


def test_scores_are_those_of_cross_validation(tmp_path):
    """The same splits by scikit-learn's own loop give the same means."""
    from sklearn.datasets import load_iris
    from sklearn.model_selection import PredefinedSplit, cross_val_score
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    methods = (
        MethodSpec("bayes", "sklearn.naive_bayes.GaussianNB", {}),
        MethodSpec("neighbours", "sklearn.neighbors.KNeighborsClassifier", {"n_neighbors": 7}),
    )
    protocol = CycledFolds(2, 4, stratified=True)
    study = Study("iris", (DataSpec("iris", "iris"),), methods, protocol, ("accuracy",), 3, "classification")
    results = run_study(study, tmp_path / "iris.covey")
    found = rank_methods(results)
    X, y = load_iris(return_X_y=True)
    expected: dict[str, list[float]] = {"bayes": [], "neighbours": []}
    for cycle in range(2):
        folds = np.empty(150)
        for fold in range(4):
            folds[results.arrays("iris", "bayes", 4 * cycle + fold)["cases"]] = fold
        for name, model in (("bayes", GaussianNB()), ("neighbours", KNeighborsClassifier(7))):
            expected[name] += cross_val_score(model, X, y, cv=PredefinedSplit(folds)).tolist()
    for name, values in expected.items():
        np.testing.assert_allclose(found.row(name).scores, values)
    assert found.splits.n_test / found.splits.n_train == pytest.approx(1 / 3)


def test_metrics_in_words():
    assert ACCURACY.value(0.98765, 1) == "98.8%"
    assert ACCURACY.gap(-0.01, 0) == "1 point"
    assert ACCURACY.gap(-0.0123, 1) == "1.2 points"
    error = describe_metric("error", "regression")
    assert (error.name, error.percent, error.value(3012.44, 0)) == ("mean squared error", False, "3012")
    assert describe_metric("f1_macro", "classification").name == "F1, mean over classes"
    assert describe_metric("roc_auc_ovr_weighted", "classification").most == 1
    unknown = describe_metric("something_new", "classification")
    assert (unknown.name, unknown.meaning) == ("something_new", "")


def test_every_metric_of_a_study_has_a_name_and_a_sentence():
    from covey.study.metrics import known_metrics

    for task in ("classification", "regression"):
        for metric in known_metrics(task):
            words = describe_metric(metric, task)
            assert words.meaning, metric
            assert words.name != metric or metric in ("accuracy", "error", "precision", "recall")
            assert words.most <= 1 or metric in ("positive_likelihood_ratio",) or not words.larger_is_better, metric
            assert not words.name.startswith(("neg_", "negative ")) or metric == "neg_negative_likelihood_ratio"
            # What scikit-learn flips to make larger better is what is smaller here.
            assert words.larger_is_better == (larger_is_better(metric) and not metric.startswith("neg_"))


@pytest.mark.parametrize(
    ("spreads", "values", "decimals"),
    [((0.023,), (0.9,), 1), ((0.0045,), (0.9,), 1), ((0.0025,), (0.9,), 2), ((), (0.9,), 1), ((1e-9,), (0.9,), 3)],
)
def test_percentages_have_as_many_decimals_as_are_known(spreads, values, decimals):
    assert ACCURACY.decimals(spreads, values) == decimals


def test_other_numbers_have_as_many_decimals_as_are_known():
    squared = describe_metric("error", "regression")
    assert squared.decimals([150.0], [3012.4]) == 0
    assert squared.decimals([0.05], [0.44]) == 3
    assert squared.value(1.5e9, squared.decimals([1e7], [1.5e9])) == "1.5e+09"
    assert squared.decimals([], [0.0]) == 3
    assert [number_spec([value]) for value in (0.0, 3291.2, 0.0123, 5e7, 5e12)] == [
        ".1f",
        ".0f",
        ".5f",
        ".0f",
        ".4g",
    ]


def test_what_can_be_had_without_learning():
    classes = {"no": 60, "yes": 40}
    assert chance_of(classes, "accuracy") == Chance("always predicting the most frequent class (no)", 0.6)
    assert chance_of(classes, "error").value == pytest.approx(0.4)
    assert chance_of(classes, "balanced_accuracy").value == 0.5
    assert chance_of(classes, "neg_log_loss") is None
    tie = chance_of({"no": 50, "yes": 50}, "accuracy")
    assert tie == Chance("always predicting the most frequent class", 0.5)
    assert chance_of({}, "r2").value == 0
    assert chance_of({}, "error") is None
