"""Scores of predictions that were kept are those of the models that made them."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.linear_model import LinearRegression
from sklearn.metrics import (
    average_precision_score,
    class_likelihood_ratios,
    f1_score,
    get_scorer,
    jaccard_score,
    precision_score,
    recall_score,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from covey.study.scoring import score_predictions, widened


def kept_of(model, X, y):
    arrays = {"y": y, "predictions": model.predict(X)}
    if hasattr(model, "classes_"):
        arrays |= {"classes": model.classes_, "probabilities": model.predict_proba(X)}
    return arrays


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("text", [False, True])
def test_scores_of_a_classifier(load, text):
    X, y = load(return_X_y=True)
    y = np.array(["ash", "birch", "cedar"])[y] if text else y
    model = GaussianNB().fit(X[::2], y[::2])
    metrics = ["accuracy", "balanced_accuracy", "neg_log_loss", "f1_macro", "roc_auc_ovr"]
    scores, troubles = score_predictions([*metrics, "error"], kept_of(model, X[1::2], y[1::2]))
    assert not troubles
    for metric in metrics:
        assert scores[metric] == pytest.approx(get_scorer(metric)(model, X[1::2], y[1::2]))
    assert scores["error"] == pytest.approx(1 - scores["accuracy"])


def test_scores_of_a_regressor():
    X, y = load_diabetes(return_X_y=True)
    model = LinearRegression().fit(X, y)
    scores, troubles = score_predictions(["r2", "neg_mean_absolute_error", "error"], kept_of(model, X, y))
    assert not troubles
    assert scores["r2"] == pytest.approx(model.score(X, y))
    assert scores["error"] == pytest.approx(np.mean((model.predict(X) - y) ** 2))


def test_a_score_that_cannot_be_is_nan_and_says_why():
    arrays = {"y": np.array([0, 0]), "predictions": np.array([0, 1]), "classes": np.array([0, 1])}
    scores, troubles = score_predictions(["accuracy", "neg_log_loss"], arrays)
    assert scores["accuracy"] == 0.5
    assert np.isnan(scores["neg_log_loss"])
    assert troubles == ["neg_log_loss: the method gives no probabilities"]


def test_probabilities_kept_in_half_the_precision_are_scored_in_full():
    """Regression: a probability of 0 costs what scikit-learn says, not what the last digit of float32 allows."""
    X, y = load_breast_cancer(return_X_y=True)
    model = KNeighborsClassifier().fit(X[::2], y[::2])
    arrays = kept_of(model, X[1::2], y[1::2])
    arrays["probabilities"] = arrays["probabilities"].astype(np.float32)
    scores, _ = score_predictions(["neg_log_loss"], arrays)
    assert scores["neg_log_loss"] == pytest.approx(get_scorer("neg_log_loss")(model, X[1::2], y[1::2]), rel=1e-5)


UNSEEN = {
    "y": np.array(["a", "b", "b", "new"]),
    "predictions": np.array(["a", "b", "c", "c"]),
    "classes": np.array(["a", "b", "c"]),
    "probabilities": np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.2, 0.3, 0.5], [0.1, 0.1, 0.8]]),
    "votes": np.array([[0, 0], [1, 1], [1, 2], [2, 0]], dtype=np.uint8),
}


def test_columns_are_told_from_each_other_where_test_and_training_classes_differ():
    """Regression: three classes in y and three columns, but others: log loss took one for the other."""
    scores, troubles = score_predictions(["neg_log_loss", "top_k_accuracy", "accuracy"], UNSEEN)
    assert not troubles
    expected = np.mean(np.log([0.8, 0.8, 0.3, np.finfo(np.float64).eps]))
    assert scores["neg_log_loss"] == pytest.approx(expected, rel=1e-6)
    assert scores["top_k_accuracy"] == 0.75
    assert scores["accuracy"] == 0.5


def test_a_class_that_a_test_part_lacks_is_no_trouble():
    arrays = {name: values[:3] if name != "classes" else values for name, values in UNSEEN.items()}
    scores, troubles = score_predictions(["neg_log_loss"], arrays)
    assert not troubles
    assert scores["neg_log_loss"] == pytest.approx(np.mean(np.log([0.8, 0.8, 0.3])))


def test_arrays_are_widened_to_the_classes_of_y():
    found = widened(UNSEEN)
    assert found["classes"].tolist() == ["a", "b", "c", "new"]
    assert found["probabilities"][3].tolist() == [0.1, 0.1, 0.8, 0.0]
    np.testing.assert_array_equal(found["classes"][found["votes"]], UNSEEN["classes"][UNSEEN["votes"]])
    early = widened({**UNSEEN, "y": np.array(["A", "b", "b", "A"])})
    assert early["classes"].tolist() == ["A", "a", "b", "c"]
    np.testing.assert_array_equal(early["classes"][early["votes"]], UNSEEN["classes"][UNSEEN["votes"]])
    assert early["probabilities"][0].tolist() == [0.0, 0.8, 0.1, 0.1]
    assert all(widened(found)[name] is values for name, values in found.items())


def test_members_without_any_weight_count_alike():
    assert widened({**UNSEEN, "weights": np.zeros(2)})["weights"].tolist() == [1.0, 1.0]
    assert widened({**UNSEEN, "weights": np.array([0.0, 2.0])})["weights"].tolist() == [0.0, 2.0]


LABELS = np.array(["well", "ill"])


@pytest.mark.parametrize("labels", [LABELS, np.array([7, 3]), np.array([True, False])])
@pytest.mark.parametrize("place", [0, 1])
def test_scores_of_one_class_are_scikit_learns_with_pos_label(labels, place):
    X, codes = load_breast_cancer(return_X_y=True)
    y, label = labels[codes], labels[place]
    model = GaussianNB().fit(X[::2], y[::2])
    X, y = X[1::2], y[1::2]
    said, shares = model.predict(X), model.predict_proba(X)[:, list(model.classes_).index(label)]
    given = {"pos_label": label.item()}
    expected = {
        "f1": f1_score(y, said, **given),
        "jaccard": jaccard_score(y, said, **given),
        "precision": precision_score(y, said, **given),
        "recall": recall_score(y, said, **given),
        "average_precision": average_precision_score(y, shares, **given),
        "positive_likelihood_ratio": class_likelihood_ratios(y == label, said == label)[0],
    }
    scores, troubles = score_predictions([f"{metric}[{label}]" for metric in expected], kept_of(model, X, y))
    assert not troubles
    assert list(scores.values()) == pytest.approx(list(expected.values()))
    brier = score_predictions(["neg_brier_score"], kept_of(model, X, y))[0]["neg_brier_score"]
    assert brier == pytest.approx(-np.mean((shares - (y == label)) ** 2))


def test_a_class_that_is_not_there_or_one_of_three_gives_no_score():
    X, y = load_wine(return_X_y=True)
    arrays = kept_of(GaussianNB().fit(X, y), X, y)
    scores, troubles = score_predictions(["f1[1]", "accuracy"], arrays)
    assert np.isnan(scores["f1[1]"])
    assert troubles == ["f1[1]: there are not two classes one of which is '1'"]
    assert scores["accuracy"] > 0.9
