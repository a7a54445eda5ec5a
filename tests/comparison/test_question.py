"""The metric that ranks, by what the target is like, and what is said about it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.comparison.question import METRICS, ask
from covey.datasets import from_frame, load
from covey.study import MethodSpec


def classes(**sizes):
    y = np.repeat(list(sizes), list(sizes.values()))
    return from_frame(pd.DataFrame({"x": np.arange(len(y)) + 0.5, "y": y}), "y")


def numbers(values):
    return from_frame(pd.DataFrame({"x": np.arange(len(values)) + 0.5, "y": np.asarray(values, dtype=float)}), "y")


@pytest.mark.parametrize("name", ["iris", "wine", "diabetes", "breast_cancer"])
def test_the_usual_metrics_where_nothing_is_special(name):
    question = ask(load(name))
    assert question.metrics == METRICS[load(name).task]
    assert question.remarks == ()
    assert question.positive is None


def test_a_rare_class_of_two():
    """Finding of the review: 0.9 % fraud, ranked by accuracy without a word."""
    question = ask(classes(fraud=54, no=5946))
    assert question.metrics == ("average_precision", "neg_log_loss", "balanced_accuracy", "accuracy")
    assert question.positive == "fraud"
    (remark,) = question.remarks
    assert remark.startswith(
        "Only 0.9% of the rows (54 of 6000) are of class 'fraud', so predicting 'no' everywhere is right 99.1% of the "
        "time. Methods are therefore ranked by average precision of 'fraud'"
    )
    assert remark.endswith("To rank by another metric, name it: --metric accuracy.")
    assert ask(classes(yes=40, no=60)).remarks == ()


def test_what_the_caller_wants_is_done():
    data = classes(fraud=54, no=5946)
    question = ask(data, metrics=["f1"])
    assert (question.metrics, question.positive) == (("f1",), None)
    assert question.remarks == (
        "Only 0.9% of the rows (54 of 6000) are of class 'fraud', so predicting 'no' everywhere is right 99.1% of the "
        "time.",
    )
    # Average precision of a class that nearly all rows have tells nothing.
    assert ask(data, positive="no").metrics[0] == "balanced_accuracy"
    assert ask(data, positive="fraud").metrics[0] == "average_precision"


def test_metrics_that_cannot_be_found_do_not_rank():
    data = classes(fraud=54, no=946)
    assert ask(data, methods=[MethodSpec("m", "sklearn.svm.LinearSVC")]).metrics[0] == "balanced_accuracy"
    few = ask(classes(fraud=6, no=946))
    assert few.metrics[0] == "neg_log_loss"
    assert "With only 6 rows of 'fraud', measures of right and wrong are too coarse. Methods are" in few.remarks[0]
    assert ask(data, classes(a=50, b=50)).metrics[0] == "balanced_accuracy"
    assert ask(data, classes(a=50, b=50)).remarks[0].startswith("data: Only 5.4%")


def test_more_classes():
    question = ask(classes(a=700, b=200, c=98, d=2))
    assert question.metrics[0] == "balanced_accuracy"
    assert question.remarks[0].startswith("70.0% of the rows are of class 'a', and only 0.2% of 'd', so predicting 'a'")
    assert question.remarks[1].startswith("A class has too few rows to be learnt and tested: 'd' (2 rows).")
    rare = ask(classes(a=400, b=400, c=170, d=30))
    assert rare.metrics == METRICS["classification"]
    assert rare.remarks[0].startswith("Only 3.0% of the rows (30 of 1000) are of class 'd', so accuracy hardly tells")
    assert ask(classes(**dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 20))).remarks == ()
    scarce = ask(classes(a=400, b=400, c=1))
    assert scarce.metrics == METRICS["classification"]
    assert "'c' (1 row)" in scarce.remarks[0]


def test_numbers_that_few_own():
    """Finding of the review: prices with outliers, where a baseline won by R²."""
    prices = np.exp(np.random.default_rng(0).normal(12, 1, 1000))
    question = ask(numbers(prices))
    assert question.metrics == ("neg_mean_absolute_error", "neg_root_mean_squared_error", "r2")
    squares = np.sort((prices - prices.mean()) ** 2)
    share = squares[-10:].sum() / squares.sum()
    assert f"the median is {np.median(prices):,.0f}, the largest {prices.max():,.0f}" in question.remarks[0]
    assert f"1% of the rows have {share:.0%} of the variance" in question.remarks[0]
    assert "--log-target" in question.remarks[0]
    assert "--log-target" not in ask(numbers(prices), log_target=True).remarks[0]
    below = ask(numbers(prices - prices.max()))
    assert below.metrics[0] == "neg_mean_absolute_error"
    assert "--log-target" not in below.remarks[0]  # there are no logarithms
    for usual in (np.random.default_rng(0).normal(size=1000), np.arange(100), np.ones(100), prices[:40]):
        assert ask(numbers(usual)).remarks == ()


def test_numbers_that_a_few_own_even_by_their_distances_are_ranked_by_the_median_error():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=500)})
    frame["price"] = np.exp(11 + 0.5 * frame["x"] + rng.normal(0, 0.2, 500))
    frame.loc[:4, "price"] *= 1000
    question = ask(from_frame(frame, "price"))
    assert question.metrics[0] == "neg_median_absolute_error"
    assert "median absolute error: half of the predictions are closer" in question.remarks[0]


def test_absolute_errors_do_not_rank_where_most_numbers_are_the_same():
    rng = np.random.default_rng(0)
    claims = np.where(rng.random(500) < 0.13, rng.lognormal(6, 2, 500), 0)
    question = ask(from_frame(pd.DataFrame({"x": rng.normal(size=500), "claim": claims}), "claim"))
    assert question.metrics == METRICS["regression"]
    assert "are 0, and by absolute errors saying that always would win" in question.remarks[0]


def test_nothing_is_said_of_few_rows_of_a_class_where_all_have_few():
    frame = pd.DataFrame({"x": range(12), "y": list("abc") * 4})
    (remark,) = ask(from_frame(frame, "y", task="classification")).remarks
    assert remark.startswith("There are only 12 rows: ")
