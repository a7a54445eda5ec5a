"""What is looked at before a comparison begins."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.comparison.checks import check_metrics, check_target
from covey.datasets import from_frame, load
from covey.study import MethodSpec
from covey.study.metrics import check_metric_classes, known_metrics

BAYES = MethodSpec("bayes", "sklearn.naive_bayes.GaussianNB")
LINEAR = MethodSpec("linear", "sklearn.svm.LinearSVC")


def data(y, **options):
    return from_frame(pd.DataFrame({"a": np.arange(len(y)) / 2, "y": y}), "y", **options)


def test_targets_that_make_no_classes():
    with pytest.raises(ValueError, match=r"numbers that are not whole.*task='regression'"):
        check_target(data([0.5, 1.5, 2.0], task="classification"))
    with pytest.raises(ValueError, match="every row is a class of its own"):
        check_target(data(["a", "b", "c"]))
    with pytest.raises(ValueError, match="one class only, 'a'; choose another target"):
        check_target(data(["a", "a", None]))
    for fine in (data([0.5, 1.5, 2.0]), data(["a", "b", "a"]), data([1.0, 2.0, 1.0])):
        check_target(fine)


@pytest.mark.parametrize(
    ("metric", "classes", "instead"),
    [
        ("roc_auc", "abc", "roc_auc_ovr"),
        ("f1", "abc", "f1_macro"),
        ("f1", ["no", "yes"], "f1_macro"),
        ("recall", [2, 3], "recall_macro"),
        ("average_precision", ["no", "yes"], "roc_auc"),
        ("neg_brier_score", ["no", "yes"], "neg_log_loss"),
        ("positive_likelihood_ratio", (0, 1, 2), "balanced_accuracy"),
    ],
)
def test_metrics_that_do_not_suit_the_classes(metric, classes, instead):
    with pytest.raises(ValueError, match=f"metrics='{metric}' .*; try '{instead}'"):
        check_metric_classes(metric, list(classes))
    check_metric_classes(instead, list(classes))


@pytest.mark.parametrize("metric", known_metrics("classification"))
def test_every_metric_suits_the_classes_0_and_1(metric):
    check_metric_classes(metric, (0, 1))


def test_metrics_of_a_comparison():
    check_metrics(["accuracy", "neg_log_loss"], [BAYES], [load("iris")])
    check_metrics(["r2"], [BAYES], [load("diabetes")])
    with pytest.raises(ValueError, match="'iris': metrics='roc_auc' is for two classes, and there are 3"):
        check_metrics(["roc_auc"], [BAYES], [load("breast_cancer"), load("iris")])
    with pytest.raises(ValueError, match="needs probabilities, which linear does not give"):
        check_metrics(["roc_auc"], [BAYES, LINEAR], [load("breast_cancer")])
