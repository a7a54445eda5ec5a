"""Sentences: right in number, with the digits that are known, and no stronger than the tests."""

from __future__ import annotations

import pytest

from covey.analysis.ranking.methods import Splits, rank_scores
from covey.analysis.ranking.metrics import Chance, describe_metric
from covey.analysis.ranking.sentences import (
    against_baseline,
    choice,
    few_fits,
    not_ranked,
    progress,
    winner,
)
from covey.report import rank_overall
from covey.study.results import splits_of
from report.studies import near, study_of

ACCURACY = describe_metric("accuracy", "classification")


def ranked(scores, words=ACCURACY, splits=None, **options):
    cut = Splits(80, 40) if splits is None else splits
    return rank_scores(scores, dataset="iris", words=words, splits=cut, **options)


def test_no_method():
    assert ranked({}).summary() == ("On iris, no method finished all of its fits, so there is no ranking.",)


def test_one_method():
    # s² = 1/300, so the standard error is sqrt((1/4 + 1/2) / 300) = 0.05, and t with 3 degrees of freedom is 3.182.
    text = winner(ranked({"a": [0.9, 0.8, 0.9, 0.8]}))
    assert text == (
        "On iris, a is the only method that is ranked, with a mean accuracy of 85.0% (95% confidence interval 69.1% to "
        "100.0%)."
    )


def test_two_methods_that_differ():
    text = winner(ranked({"a": near(0.9, seed=1), "b": near(0.5, seed=2)}))
    assert text.startswith("On iris, a has the best mean accuracy: 90.0% (95% confidence interval 88.3% to 91.7%).")
    assert text.endswith("The other method, b, is significantly worse: 40.0 percentage points behind (p < 0.0001).")


def test_two_methods_that_are_level():
    text = winner(ranked({"a": near(0.9, seed=1), "b": near(0.899, seed=2)}))
    assert "Not shown to differ from it is b: 0.1 percentage points behind (p = 0.9" in text
    assert "which may be chance. No method is significantly worse than the best." in text


def test_many_methods():
    scores = {"a": near(0.9, seed=1), "b": near(0.899, seed=2), "c": near(0.897, seed=3), "d": near(0.4, seed=4)}
    text = winner(ranked(scores))
    assert "Not shown to differ from it are b and c. Next is b, 0.1 percentage points behind (p = 1)." in text
    assert text.endswith("Significantly worse: d.")


def test_all_others_are_worse():
    scores = {"a": near(0.9, seed=1), "b": near(0.5, seed=2), "c": near(0.4, seed=3)}
    assert "Both others are significantly worse; the next, b, is 40.0 percentage points behind" in winner(
        ranked(scores)
    )


def test_a_method_further_down_is_level():
    """A method with a smaller mean may be level where one above it is not, if its scores vary more."""
    scores = {
        "a": [0.90, 0.91, 0.90, 0.91],
        "b": [0.85, 0.86, 0.85, 0.86],
        "wild": [0.2, 1.0, 0.9, 1.0],
    }
    text = winner(ranked(scores))
    assert "Not shown to differ from it is wild: 13.0 percentage points behind" in text
    assert text.endswith("Significantly worse: b.")


def test_ties():
    same = near(0.9, seed=1)
    both = winner(ranked({"a": same, "b": same}))
    assert both.startswith("On iris, both methods have the same mean accuracy: 90.0% (")
    assert both.endswith("). Nothing tells them apart.")
    assert "all 3 methods have the same mean" in winner(ranked({"a": same, "b": same, "c": same}))
    text = winner(ranked({"a": same, "b": same, "c": near(0.4)}))
    assert "On iris, a and b share the best mean accuracy" in text
    assert "The other method, c, is significantly worse" in text


def test_one_split_claims_nothing():
    splits = splits_of({"kind": "fixed-split", "n_train": 60}, 100)
    text = winner(ranked({"a": [0.9], "b": [0.5]}, splits=splits))
    assert text == (
        "On iris, a has the best mean accuracy: 90.0%. Next is b, 40.0 percentage points behind. Whether that is more "
        "than chance is not tested: there was one split only."
    )
    for word in ("significant", "level", "interval"):
        assert word not in text


def test_bootstrap_samples_say_why_there_is_no_test():
    protocol = {"kind": "bootstrap", "sample_size": 50, "test_size": 0.3, "n_repeats": 4}
    text = winner(ranked({"a": near(0.9), "b": near(0.5)}, splits=splits_of(protocol, 100)))
    assert "is not tested: all fits predict the same test rows" in text


def test_errors_are_lowest():
    words = describe_metric("error", "classification")
    text = winner(ranked({"a": near(0.1, seed=1), "b": near(0.4)}, words=words))
    assert text.startswith("On iris, a has the lowest mean error: 10.0%")
    assert "30.0 percentage points behind" in text


def test_numbers_of_a_regression_are_no_percentages():
    words = describe_metric("r2", "regression")
    text = winner(ranked({"a": near(0.44, seed=1, spread=0.05), "b": near(0.1)}, words=words))
    assert text.startswith("On iris, a has the best mean R²: 0.440 (95% confidence interval")
    assert "0.340 behind" in text
    assert "percentage" not in text


def test_a_fast_method_that_comes_close_is_pointed_out():
    scores = {"a": near(0.9, seed=1), "b": near(0.899, seed=2), "c": near(0.4, seed=3)}
    times = {"a": (2.0, 0.0), "b": (0.1, 0.0), "c": (0.001, 0.0)}
    assert choice(ranked(scores, seconds=times)) == (
        "Where time matters, b is a sensible choice: it is not shown to differ from the best, within one standard "
        "error of it, and takes 100 ms to train and predict instead of 2 s."
    )
    slow = choice(ranked(scores, seconds=times | {"b": (9.0, 0.0)}))
    told = "Of those within one standard error of a, it is the fastest: it takes 2 s to train and predict"
    assert slow.startswith(f"{told}, less than ")
    assert choice(ranked(scores, seconds=times | {"b": (1.9, 0.0)})) == ""
    assert choice(ranked(scores)) == ""


def test_a_fast_method_that_is_far_behind_is_not_pointed_out():
    scores = {"a": [0.90, 0.91, 0.90, 0.91], "wild": [0.2, 1.0, 0.9, 1.0]}
    found = ranked(scores, seconds={"a": (2.0, 0.0), "wild": (0.1, 0.0)})
    assert found.level == ("wild",)
    assert choice(found) == ""


def test_the_best_is_held_against_the_baseline():
    no = Chance("always predicting the most frequent class, no", 0.6)

    def text(mean, chance=no, **options):
        return against_baseline(ranked({"a": near(mean)}, chance=chance, **options))

    plain = "For comparison: always predicting the most frequent class, no, would give 60.0%."
    assert text(0.9) == plain
    assert text(0.5) == f"{plain} No method is better than that."
    assert text(0.605) == f"{plain} That is within the interval of the best method."
    assert text(0.9, Chance("always predicting the most frequent class", 0.5)) == (
        "For comparison: always predicting the most frequent class would give 50.0%."
    )
    assert text(0.9, None) == ""
    assert against_baseline(ranked({}, chance=Chance("guessing", 0.5))) == ""
    mean = Chance("always predicting the mean", 0.0)
    assert text(0.4, mean, words=describe_metric("r2", "regression")) == (
        "For comparison: always predicting the mean would give 0.0000."
    )


def test_a_method_that_learns_nothing_is_the_baseline():
    dummy = {"DummyClassifier": near(0.6, seed=2)}
    found = ranked({"tree": near(0.9, seed=1), **dummy}, baselines=dummy)
    text = "The baseline (DummyClassifier), which learns nothing, reaches 60.0%."
    assert against_baseline(found) == text
    close = ranked({"tree": near(0.601, seed=1), **dummy}, baselines=dummy)
    more = f"{text} That is 0.1 percentage points behind, and yet the best method is not shown to be better (p = 0.9)."
    assert against_baseline(close) == more
    best = ranked({"tree": near(0.5, seed=1), **dummy}, baselines=dummy)
    assert "No method has a better mean than the baseline" in against_baseline(best)
    alone = ranked(dummy, baselines=dummy)
    assert against_baseline(alone) == "Nothing was learnt: there is no ranked method but the baseline."


def test_a_baseline_is_not_counted_among_those_not_shown_to_differ():
    """Five fits may leave a baseline 26 points behind not significantly worse; it is no rival for all that."""
    scores = {"a": [0.9, 0.5, 0.9, 0.5, 0.9], "b": [0.8, 0.6, 0.8, 0.6, 0.8], "baseline": [0.5, 0.5, 0.4, 0.6, 0.4]}
    times = {name: (second, 0.0) for name, second in zip(scores, (9.0, 8.0, 0.001), strict=True)}
    found = ranked(scores, seconds=times, baselines=("baseline",))
    assert [row.verdict for row in found.rows] == ["best", "level", "level"]
    assert found.level == ("b",)
    assert found.table().frame["verdict"].tolist() == ["best", "not shown to differ", "not shown to differ"]
    summary = found.summary()
    assert "Not shown to differ from it is b" in summary[0]
    assert "baseline" not in summary[0]
    assert summary[1].startswith("The baseline, which learns nothing, reaches 48.0%. That is 26.0 percentage points ")
    assert summary[2].startswith("Few fits tell little: with 5, ")
    # The baseline is the fastest, but no choice; b is not much faster than a.
    assert len(summary) == 3
    for text in summary:
        assert "level" not in text.lower()


def test_only_the_baseline_is_left():
    found = ranked({"a": [0.9, 0.5], "baseline": [0.5, 0.6], "c": [0.1, 0.1]}, baselines=("baseline",))
    assert winner(ranked({"a": [0.9, 0.5], "baseline": [0.5, 0.6]}, baselines=("baseline",))).endswith("100.0%).")
    assert "significantly worse" not in winner(found).lower().replace("no method is significantly worse", "")


def test_few_fits():
    few = {"a": near(0.9, 6, seed=1), "b": near(0.899, 6, seed=2)}
    many = {"a": near(0.9, 12, seed=1), "b": near(0.899, 12, seed=2)}
    assert few_fits(ranked(few)).startswith("Few fits tell little: with 6, ")
    assert few_fits(ranked(many)) == ""
    told = "More repeats than these 12 fits would show smaller differences."
    assert few_fits(ranked(many, baselines=("b",))) == told
    assert few_fits(ranked({"a": near(0.9), "b": near(0.2, seed=3)})) == ""
    assert few_fits(ranked({"a": near(0.9), "b": near(0.9)})) == ""


def test_methods_that_are_not_ranked():
    assert not_ranked(ranked({"a": near(0.9)})) == ""
    one = ranked({}, failed={"b": "1 of 6 fits is not finished"})
    assert not_ranked(one) == "Not ranked is b: 1 of 6 fits is not finished."
    same = ranked({}, failed=dict.fromkeys("bc", "6 of 6 fits are not finished"))
    assert not_ranked(same) == "Not ranked are b and c: of each, 6 of 6 fits are not finished."
    other = ranked({}, failed={"b": "1 of 6 fits failed (x)", "c": "6 of 6 fits are not finished"})
    assert not_ranked(other) == "Not ranked are b (1 of 6 fits failed (x)) and c (6 of 6 fits are not finished)."


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ({"done": 6}, ""),
        ({"done": 4, "failed": 2}, ""),
        ({"done": 1, "missing": 1}, "1 of 2 fits is done, 1 is missing."),
        ({"done": 3, "missing": 2, "failed": 1}, "3 of 6 fits are done and 1 failed, 2 are missing."),
        ({"missing": 4}, "0 of 4 fits are done, 4 are missing."),
    ],
)
def test_what_is_missing_of_a_study(counts, text):
    found = progress(counts)
    assert found == (f"This study is not finished: {text} What follows may change." if text else "")


def overall_of(folder, means, methods="abc", **about):
    scores = {
        f"d{row}": {
            name: near(mean, seed=row + 7 * place) for place, (name, mean) in enumerate(zip(methods, line, strict=True))
        }
        for row, line in enumerate(means)
    }
    return rank_overall(study_of(folder, scores, **about))


def test_over_datasets_with_a_test(tmp_path):
    text = " ".join(overall_of(tmp_path, [[0.9, 0.8, 0.5]] * 9).summary())
    assert text.startswith(
        "Over 9 datasets, a has the best mean rank of 3 methods by accuracy: 1.00, with the best mean accuracy on 9 of "
        "them. The methods differ (Friedman test, p < 0.0001)."
    )
    assert "By Nemenyi's test it is significantly better than c, but not shown to be better than b." in text


def test_over_datasets_that_differ_by_chance(tmp_path):
    means = [[0.9, 0.8, 0.7], [0.7, 0.9, 0.8], [0.8, 0.7, 0.9]] * 2
    text = overall_of(tmp_path, means).summary()[0]
    assert "a, b and c share the best mean rank of 3 methods by accuracy: 2.00." in text
    assert (
        "The differences may be chance: the Friedman test gives p = 1.0000, and no two methods are told apart." in text
    )


def test_over_few_datasets(tmp_path):
    text = overall_of(tmp_path, [[0.9, 0.8, 0.5]] * 3).summary()[0]
    assert "No test is made: 3 datasets are too few for a test of mean ranks, which needs 5 or more." in text
    assert "significant" not in text


def test_over_datasets_the_fast_one_is_pointed_out(tmp_path):
    means = [[0.9, 0.89, 0.5, 0.4]] * 9
    found = overall_of(tmp_path, means, "abcd", seconds={"a": 4.0, "b": 0.1})
    assert (
        "Where time matters, b is a sensible choice: it is not shown to differ from a and takes 100 ms per fit "
        "(medians over the datasets) instead of 4 s."
    ) in found.summary()


def test_over_datasets_with_gaps_and_with_nothing(tmp_path):
    scores = {f"d{row}": {"a": near(0.9), "b": near(0.8)} for row in range(3)}
    scores["d1"]["b"][0] = "it broke"
    text = rank_overall(study_of(tmp_path, scores)).summary()
    assert "Left out of the comparison over datasets: d1 (no score of b)." in text
    nothing = rank_overall(study_of(tmp_path, {"d0": {"a": [None]}, "d1": {"a": [None]}}))
    assert nothing.summary()[0] == ("No dataset has scores of all methods yet, so there is no ranking over datasets.")


def test_over_datasets_one_method(tmp_path):
    found = rank_overall(study_of(tmp_path, {"d0": {"a": near(0.9)}, "d1": {"a": near(0.9)}}))
    assert found.summary() == ("The only method that finished is a; it was run on 2 datasets.",)


def test_over_datasets_methods_that_share_the_best_rank_are_all_named(tmp_path):
    means = [[0.9, 0.8, 0.3], [0.8, 0.9, 0.3]] * 4
    text = " ".join(overall_of(tmp_path, means).summary())
    assert "Over 8 datasets, a and b share the best mean rank of 3 methods by accuracy: 1.50." in text
    assert "By Nemenyi's test they are significantly better than the other one." in text


def test_over_datasets_a_baseline_is_not_counted(tmp_path):
    means = [[0.9, 0.8, 0.7], [0.9, 0.7, 0.8]] * 3
    found = overall_of(tmp_path, means, ("a", "b", "Dummy"))
    assert found.baselines == ("Dummy",)
    assert "Dummy" not in found.level
    low = overall_of(tmp_path, [[0.5, 0.9, 0.7]] * 5 + [[0.5, 0.9, 0.89]], ("Dummy", "b", "c"))
    assert (low.level, low.worse) == (("c",), ("Dummy",))
