"""Sentences: right in number, with the digits that are known, and no stronger than the tests."""

from __future__ import annotations

from textwrap import wrap

import pytest

from covey.analysis.ranking.methods import Splits, rank_scores
from covey.analysis.ranking.metrics import Chance, describe_metric
from covey.analysis.ranking.sentences import (
    against_baseline,
    certainty,
    choice,
    few_fits,
    not_ranked,
    nothing_learnt,
    progress,
    winner,
)
from covey.registry import title_of
from covey.report import rank_overall
from covey.study.results import splits_of
from report.studies import near, study_of

ACCURACY = describe_metric("accuracy", "classification")


def ranked(scores, words=ACCURACY, splits=None, **options):
    cut = Splits(8000, 4000) if splits is None else splits
    return rank_scores(scores, dataset="iris", words=words, splits=cut, **options)


def test_no_method():
    assert ranked({}).summary() == ("No method finished all of its fits on iris, so there is no ranking.",)


def test_one_method():
    # s² = 1/300, so the standard error is sqrt((1/4 + 1/2) / 300) = 0.05, and t with 3 degrees of freedom is 3.182.
    text = winner(ranked({"a": [0.9, 0.8, 0.9, 0.8]}))
    assert text == "a is the only method that is ranked on iris: accuracy 85.0% (95% interval 69.1% to 100.0%)."
    assert certainty(ranked({"a": [0.9, 0.8, 0.9, 0.8]})) == ""


def test_two_methods_that_differ():
    found = ranked({"a": near(0.9, seed=1), "b": near(0.5, seed=2)})
    assert winner(found) == "a has the best accuracy on iris: 90.0% (95% interval 88.3% to 91.7%)."
    assert certainty(found) == "b is behind by 40.0 points (99% sure)."


def test_a_tie_says_how_sure_it_is():
    found = ranked({"a": near(0.9, seed=1, spread=0.002), "b": near(0.899, seed=2, spread=0.002)})
    sure = int(100 * found.row("b").equivalent)
    assert 95 <= sure < 100
    assert certainty(found) == f"b ties with it: within 1 point ({sure}% sure)."
    both = ranked({"a": near(0.9, seed=1), "b": near(0.9, seed=1), "c": near(0.9, seed=1), "d": near(0.5)})
    assert certainty(both) == "b and c tie with it: within 1 point (99% sure or more). d is behind."


def test_many_methods():
    scores = {"a": near(0.9, seed=1), "b": near(0.895, seed=2), "c": near(0.893, seed=3), "d": near(0.4, seed=4)}
    assert certainty(ranked(scores)) == "Too close to call: b (0.5 points) and c. d is behind."
    more = {**scores, "e": near(0.891, seed=5), "f": near(0.892, seed=6), "g": near(0.3)}
    assert certainty(ranked(more)) == "Too close to call: b (0.5 points), c, f and 1 more. 2 others are behind."


def test_all_others_are_behind():
    scores = {"a": near(0.9, seed=1), "b": near(0.5, seed=2), "c": near(0.4, seed=3)}
    assert certainty(ranked(scores)) == "Both others are behind; the next, b, by 40.0 points (99% sure)."


def test_a_method_further_down_may_be_open():
    """A method with a smaller mean may be too close to call where one above it is not, if its scores vary more."""
    scores = {
        "a": [0.90, 0.91, 0.90, 0.91],
        "b": [0.85, 0.86, 0.85, 0.86],
        "wild": [0.2, 1.0, 0.9, 1.0],
    }
    assert certainty(ranked(scores)) == "Too close to call: wild (13.0 points). b is behind."


def test_ties():
    same = near(0.9, seed=1)
    both = winner(ranked({"a": same, "b": same}))
    assert both.startswith("Both methods have the same accuracy on iris: 90.0% (")
    assert winner(ranked({"a": same, "b": same, "c": same})).startswith("All 3 methods have the same accuracy")
    found = ranked({"a": same, "b": same, "c": near(0.4)})
    assert winner(found).startswith("a and b share the best accuracy on iris: 90.0%")
    assert certainty(found) == "b ties with it: within 1 point (99% sure). c is behind."


def test_one_split_claims_nothing():
    splits = splits_of({"kind": "fixed-split", "n_train": 60}, 100)
    text = " ".join(ranked({"a": [0.9], "b": [0.5]}, splits=splits).summary())
    assert text == (
        "a has the best accuracy on iris: 90.0%. Next is b, behind by 40.0 points. Whether that is more than chance is "
        "not tested: there was one split only."
    )
    for word in ("sure", "tie", "interval"):
        assert word not in text


def test_bootstrap_samples_say_why_there_is_no_test():
    protocol = {"kind": "bootstrap", "sample_size": 50, "test_size": 0.3, "n_repeats": 4}
    text = certainty(ranked({"a": near(0.9), "b": near(0.5)}, splits=splits_of(protocol, 100)))
    assert "is not tested: all fits predict the same test rows" in text


def test_errors_are_lowest():
    words = describe_metric("error", "classification")
    found = ranked({"a": near(0.1, seed=1), "b": near(0.4)}, words=words)
    assert winner(found).startswith("a has the lowest error on iris: 10.0%")
    assert certainty(found) == "b is behind by 30.0 points (99% sure)."
    loss = ranked({"a": near(0.1, seed=1), "b": near(0.4)}, words=describe_metric("neg_log_loss", "classification"))
    assert winner(loss).startswith("a has the lowest log loss on iris: 0.1")
    assert certainty(loss) == "b is behind by 0.300 (99% sure)."


def test_numbers_of_a_regression_are_no_percentages():
    words = describe_metric("r2", "regression")
    found = ranked({"a": near(0.44, seed=1, spread=0.05), "b": near(0.1)}, words=words)
    assert winner(found).startswith("a has the best R² on iris: 0.440 (95% interval")
    assert certainty(found) == "b is behind by 0.340 (99% sure)."


def test_the_winner_is_called_what_people_call_it():
    titles = {"mbsasc": title_of("mbsasc", "covey:mbsasc"), "covey": title_of("covey", "covey:covey")}
    found = ranked({"mbsasc": near(0.9, seed=1), "covey": near(0.5)}, titles=titles)
    assert winner(found).startswith("multiboosted C4.5 with random attributes (mbsasc) has the best accuracy")
    other = ranked({"mbsasc": near(0.5, seed=1), "covey": near(0.9)}, titles=titles)
    assert winner(other).startswith("combination of unlike families (covey) has the best accuracy")


def test_a_summary_is_short_enough_for_a_terminal():
    """Five lines of 80 columns say it all, for a shortlist of fourteen."""
    names = ["random forest", "gradient boosting", "logistic regression", "rotation-forest", "alphabeta-rse"]
    scores = {name: near(0.8 - 0.002 * place, 15, seed=place, spread=0.02) for place, name in enumerate(names)}
    scores |= {f"m{place}": near(0.6, 15, seed=place) for place in range(8)} | {"baseline": [0.3] * 15}
    summary = ranked(scores, baselines=("baseline",)).summary()
    assert len(summary) == 3
    assert sum(len(wrap(text, 80)) for text in summary) <= 5


def test_a_fast_method_that_comes_close_is_pointed_out():
    scores = {"a": near(0.9, seed=1), "b": near(0.897, seed=2), "c": near(0.4, seed=3)}
    times = {"a": (2.0, 0.0), "b": (0.1, 0.0), "c": (0.001, 0.0)}
    near_it = ranked(scores, seconds=times)
    assert near_it.unclear == ("b",)
    assert choice(near_it) == "Where time matters: b, within one standard error, takes 100 ms instead of 2 s."
    ties = ranked({**scores, "b": scores["a"]}, seconds=times)
    assert choice(ties) == "Where time matters: b ties with it and takes 100 ms instead of 2 s."
    for slow in (9.0, 1.9):
        assert choice(ranked(scores, seconds=times | {"b": (slow, 0.0)})) == ""
    assert choice(ranked(scores)) == ""


def test_of_fast_methods_the_best_is_pointed_out_not_the_fastest():
    scores = {name: near(0.9 - 0.001 * place, seed=1) for place, name in enumerate("abcd")}
    times = {"a": (2.0, 0.0), "b": (0.9, 0.0), "c": (0.1, 0.0), "d": (0.001, 0.0)}
    assert (
        choice(ranked(scores, seconds=times)) == "Where time matters: c ties with it and takes 100 ms instead of 2 s."
    )
    half = times | {"c": (0.8, 0.0), "d": (0.7, 0.0)}
    assert choice(ranked(scores, seconds=half)) == "Where time matters: b ties with it and takes 900 ms instead of 2 s."


def test_a_fast_method_that_is_far_behind_is_not_pointed_out():
    scores = {"a": [0.90, 0.91, 0.90, 0.91], "wild": [0.2, 1.0, 0.9, 1.0]}
    found = ranked(scores, seconds={"a": (2.0, 0.0), "wild": (0.1, 0.0)})
    assert found.unclear == ("wild",)
    assert choice(found) == ""


def test_the_best_is_held_against_chance():
    no = Chance("always predicting the most frequent class (no)", 0.6)

    def texts(mean, chance=no, **options):
        found = ranked({"a": near(mean)}, chance=chance, **options)
        return nothing_learnt(found), against_baseline(found)

    plain = "For comparison: always predicting the most frequent class (no) would give 60.0%."
    assert texts(0.9) == ("", plain)
    assert texts(0.5) == ("No method does better than always predicting the most frequent class (no).", plain)
    assert texts(0.605)[0] == "No method is shown to do better than always predicting the most frequent class (no)."
    assert texts(0.9, None) == ("", "")
    assert against_baseline(ranked({}, chance=Chance("guessing", 0.5))) == ""
    mean = Chance("always predicting the mean", 0.0)
    r2 = describe_metric("r2", "regression")
    assert texts(0.4, mean, words=r2) == ("", "For comparison: always predicting the mean would give 0.0000.")


def test_a_method_that_learns_nothing_is_the_baseline():
    dummy = {"DummyClassifier": near(0.6, seed=2)}
    found = ranked({"tree": near(0.9, seed=1), **dummy}, baselines=dummy)
    text = "The baseline (DummyClassifier) learns nothing and reaches 60.0%"
    assert against_baseline(found) == f"{text}: 30.0 points behind (99% sure)."
    assert nothing_learnt(found) == ""
    close = ranked({"tree": near(0.605, seed=1), **dummy}, baselines=dummy)
    assert against_baseline(close) == f"{text}: 0.5 points behind, too close to call."


@pytest.mark.parametrize(
    ("tree", "first"),
    [
        (near(0.605, seed=1), "No method is shown to do better than always predicting the most frequent class (no)."),
        (near(0.6, seed=2), "No method does better than always predicting the most frequent class (no)."),
        (near(0.5, seed=1), "No method does better than always predicting the most frequent class (no)."),
        ([0.601] * 6, "No method is shown to do better than always predicting the most frequent class (no)."),
    ],
)
def test_a_baseline_never_wins_silently(tree, first):
    """Review: a baseline won with no word of it in the verdict."""
    no = Chance("always predicting the most frequent class (no)", 0.6)
    found = ranked({"tree": tree, "baseline": near(0.6, seed=2)}, baselines=("baseline",), chance=no)
    assert found.summary()[0] == first
    bare = ranked({"tree": tree, "baseline": near(0.6, seed=2)}, baselines=("baseline",))
    assert bare.summary()[0] == first.replace(no.deed, "the baseline, which learns nothing")


def test_a_baseline_alone():
    dummy = {"DummyClassifier": near(0.6, seed=2)}
    assert ranked(dummy, baselines=dummy).summary()[0] == (
        "Nothing was learnt: there is no ranked method but the baseline."
    )


def test_a_baseline_is_no_rival():
    """Five fits may leave a baseline 26 points behind too close to call; it is no rival for all that."""
    scores = {"a": [0.9, 0.5, 0.9, 0.5, 0.9], "b": [0.8, 0.6, 0.8, 0.6, 0.8], "baseline": [0.5, 0.5, 0.4, 0.6, 0.4]}
    times = {name: (second, 0.0) for name, second in zip(scores, (9.0, 8.0, 0.001), strict=True)}
    found = ranked(scores, seconds=times, baselines=("baseline",))
    assert found.unclear == ("b", "baseline")
    # The baseline is the fastest, but no choice; b is not much faster than a.
    assert found.summary() == (
        "No method is shown to do better than the baseline, which learns nothing.",
        winner(found),
        "Too close to call: b (2.0 points).",
        "The baseline learns nothing and reaches 48.0%: 26.0 points behind, too close to call.",
        "With 5 fits only large differences can be shown; more repeats show smaller ones.",
    )


def test_few_fits():
    few = {"a": near(0.9, 6, seed=1), "b": near(0.895, 6, seed=2)}
    many = {"a": near(0.9, 12, seed=1), "b": near(0.895, 12, seed=2)}
    assert few_fits(ranked(few)).startswith("With 6 fits only large differences can be shown")
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
    assert found == (f"This study is not finished: {text}" if text else "")


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
        "Where time matters: b is not shown to differ from a and takes 100 ms per fit (medians over the datasets) "
        "instead of 4 s."
    ) in found.summary()


def test_over_datasets_the_best_of_the_fast_ones_is_pointed_out(tmp_path):
    means = [[0.9, 0.89, 0.88, 0.4, 0.3]] * 5
    found = overall_of(tmp_path, means, "abcde", seconds={"a": 4.0, "b": 0.3, "c": 0.001})
    assert "Where time matters: b is not shown to differ from a and takes 300 ms" in " ".join(found.summary())


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
