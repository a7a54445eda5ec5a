from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.metrics import get_scorer, get_scorer_names

from covey.analysis.ranking.metrics import ERROR
from covey.datasets import load
from covey.study import MethodSpec
from covey.study.metrics import (
    DEFAULT_METRICS,
    check_metric_classes,
    check_metrics,
    check_metrics_of,
    known_metrics,
    needs_probabilities,
)

BAYES = MethodSpec("bayes", "sklearn.naive_bayes.GaussianNB")
LINEAR = MethodSpec("linear", "sklearn.svm.LinearSVC")

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
CLASSES = (X[:, 0] + 0.3 * RNG.normal(size=60) > 0).astype(int)
NUMBERS = np.exp(X[:, 0])


@pytest.mark.filterwarnings("ignore:'k'")
@pytest.mark.parametrize("metric", known_metrics("classification")[1:])
def test_metrics_for_classes_score_a_classifier(metric):
    assert np.isfinite(get_scorer(metric)(LogisticRegression().fit(X, CLASSES), X, CLASSES))


@pytest.mark.filterwarnings("ignore:'k'")
@pytest.mark.parametrize("metric", known_metrics("classification")[1:])
def test_those_that_need_probabilities_are_known(metric):
    """A ridge classifier has decisions but no probabilities, of which a study keeps the latter only."""
    labels_only = ("average_precision", "roc_auc", "top_k_accuracy")
    try:
        get_scorer(metric)(RidgeClassifier().fit(X, CLASSES), X, CLASSES)
    except AttributeError:
        assert needs_probabilities(metric)
    else:
        assert needs_probabilities(metric) == (metric in labels_only)


@pytest.mark.parametrize("metric", known_metrics("regression")[1:])
def test_metrics_for_numbers_score_a_regressor(metric):
    class Positive(LinearRegression):
        def predict(self, X):
            return np.maximum(super().predict(X), 0.1)

    assert np.isfinite(get_scorer(metric)(Positive().fit(X, NUMBERS), X, NUMBERS))
    assert not needs_probabilities(metric)


def test_every_scorer_of_scikit_learn_is_known_but_those_for_clusters_and_for_several_labels():
    known = {*known_metrics("classification"), *known_metrics("regression")}
    others = {name for name in get_scorer_names() if name not in known and not name.endswith("_samples")}
    assert others == {
        "adjusted_mutual_info_score",
        "adjusted_rand_score",
        "completeness_score",
        "fowlkes_mallows_score",
        "homogeneity_score",
        "mutual_info_score",
        "normalized_mutual_info_score",
        "rand_score",
        "v_measure_score",
    }


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_error_is_for_both_tasks_and_no_other_metric_is(task):
    assert known_metrics(task)[0] == ERROR
    assert set(known_metrics("classification")) & set(known_metrics("regression")) == {ERROR}
    assert check_metrics(list(DEFAULT_METRICS[task]), task) == DEFAULT_METRICS[task]
    assert not needs_probabilities(ERROR)


@pytest.mark.parametrize(
    ("metrics", "task", "error", "message"),
    [
        (
            "accuracy",
            "classification",
            TypeError,
            r"metrics='accuracy' must be an array of names, such as \['accuracy'\]",
        ),
        ([], "regression", TypeError, r"metrics=\[\] must be an array of names, such as \['r2'\]"),
        (["error", 3], "classification", TypeError, r"metrics\[1\]=3 must be text"),
        (["acuracy"], "classification", ValueError, r"metrics\[0\]='acuracy' is no metric.*mean 'accuracy'"),
        (["r2"], "classification", ValueError, r"metrics\[0\]='r2' is for regression, but the study is for class"),
        (["accuracy"], "regression", ValueError, r"'accuracy' is for classification, but the study is for regression"),
        (["f1_samples"], "classification", ValueError, "'f1_samples' is no metric for classification. Known"),
        (["rand_score"], "classification", ValueError, "is no metric"),
        (["r2", "error", "r2"], "regression", ValueError, r"metrics\[2\]='r2' is there twice"),
    ],
)
def test_metrics_that_do_not_suit_are_refused(metrics, task, error, message):
    with pytest.raises(error, match=message):
        check_metrics(metrics, task)


@pytest.mark.parametrize(
    ("metric", "classes", "instead"),
    [
        ("roc_auc", "abc", "roc_auc_ovr"),
        ("f1", "abc", "f1_macro"),
        ("f1", ["no", "yes"], "f1[yes]"),
        ("recall", [2, 3], "recall[3]"),
        ("average_precision", ["no", "yes"], "average_precision[yes]"),
        ("positive_likelihood_ratio", (0, 1, 2), "balanced_accuracy"),
    ],
)
def test_metrics_that_do_not_suit_the_classes(metric, classes, instead):
    with pytest.raises(ValueError, match=f"metrics='{metric}' .*; try '{re.escape(instead)}'"):
        check_metric_classes(metric, list(classes))
    check_metric_classes(instead, list(classes))


@pytest.mark.parametrize("metric", known_metrics("classification"))
def test_every_metric_suits_the_classes_0_and_1(metric):
    check_metric_classes(metric, (0, 1))


def test_metrics_for_data_and_methods():
    check_metrics_of(["accuracy", "neg_log_loss"], [BAYES], [load("iris")])
    check_metrics_of(["r2"], [BAYES], [load("diabetes")])
    with pytest.raises(ValueError, match="'iris': metrics='roc_auc' is for two classes, and there are 3"):
        check_metrics_of(["roc_auc"], [BAYES], [load("breast_cancer"), load("iris")])
    with pytest.raises(ValueError, match="needs probabilities, which linear does not give"):
        check_metrics_of(["roc_auc"], [BAYES, LINEAR], [load("breast_cancer")])
