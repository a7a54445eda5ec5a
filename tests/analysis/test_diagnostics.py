"""Where a method errs, from predictions of several fits."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, precision_score, recall_score, roc_auc_score

from covey.analysis.diagnostics import (
    class_table,
    class_to_find,
    disagreement_table,
    hardest_rows,
    pool_fits,
    precision_recall_curves,
    roc_curves,
    size_table,
)

LABELS = np.array(["a", "b", "c"])


def fits(seed=0, n_repeats=2, n_rows=90):
    """Fits of two folds in each repeat, with predictions that are right more often than not."""
    rng = np.random.default_rng(seed)
    y = np.random.default_rng(0).choice(LABELS, n_rows, p=[0.5, 0.3, 0.2])
    made = []
    for _ in range(n_repeats):
        order = rng.permutation(n_rows)
        for cases in (order[: n_rows // 2], order[n_rows // 2 :]):
            shares = rng.dirichlet([1, 1, 1], len(cases))
            shares[np.arange(len(cases)), np.searchsorted(LABELS, y[cases])] += 0.5
            shares /= shares.sum(axis=1, keepdims=True)
            said = LABELS[shares.argmax(axis=1)]
            made.append(
                {"y": y[cases], "cases": cases, "predictions": said, "classes": LABELS, "probabilities": shares}
            )
    return made


def test_recall_and_precision_are_those_of_scikit_learn():
    predicted = pool_fits(fits())
    frame = class_table(predicted).frame
    for name, score in (("recall", recall_score), ("precision", precision_score)):
        expected = score(predicted.y, predicted.predictions, average=None, labels=LABELS)
        assert frame[name].to_numpy() == pytest.approx(expected)
    assert frame["rows"].sum() == 90
    wrong = predicted.predictions[(predicted.y == "a") & (predicted.predictions != "a")]
    names, counts = np.unique(wrong, return_counts=True)
    assert frame.loc["a", "most often taken for"] == names[counts.argmax()]


def test_a_class_that_no_fit_predicts_has_no_precision():
    fit = {"y": np.array(["x", "y"]), "cases": np.arange(2), "predictions": np.array(["x", "x"])}
    frame = class_table(pool_fits([fit | {"classes": np.array(["x", "y"])}])).frame
    assert frame["recall"].tolist() == [1.0, 0.0]
    assert frame.loc["x", "precision"] == 0.5
    assert np.isnan(frame.loc["y", "precision"])


def test_classes_that_a_training_part_lacked_get_probability_0():
    one, two = fits()[:2]
    few = {**two, "classes": LABELS[:2], "probabilities": two["probabilities"][:, :2]}
    pooled = pool_fits([one, few])
    assert pooled.classes.tolist() == LABELS.tolist()
    assert (pooled.probabilities[len(one["y"]) :, 2] == 0).all()
    assert pooled.probabilities[: len(one["y"])] == pytest.approx(one["probabilities"])


def test_nothing_is_made_of_fits_that_kept_no_predictions():
    assert pool_fits([]) is None
    assert pool_fits([{"y": LABELS}]) is None


@pytest.mark.parametrize(
    ("counts", "metric", "place"),
    [([5, 3], "accuracy", 1), ([3, 5], "accuracy", 0), ([4, 4], "f1", 1), ([3, 5], "f1[b]", 1), ([3, 5], "f1[z]", 0)],
)
def test_of_two_classes_the_one_that_counts_is_to_be_found_or_the_rarer(counts, metric, place):
    assert class_to_find(["a", "b"], counts, metric) == place


def test_areas_under_curves_are_those_of_scikit_learn():
    predicted = pool_fits(fits(n_repeats=8))  # enough points for curves to be thinned
    for place, (roc, precision) in enumerate(
        zip(roc_curves(predicted, range(3)), precision_recall_curves(predicted, range(3)), strict=True)
    ):
        truth, shares = predicted.y == LABELS[place], predicted.probabilities[:, place]
        assert roc.area == pytest.approx(roc_auc_score(truth, shares))
        assert precision.area == pytest.approx(average_precision_score(truth, shares))
        assert roc.share == pytest.approx(truth.mean())
        for curve in (roc, precision):
            assert len(curve.x) <= 150
            assert (np.diff(curve.x) >= 0).all()
        assert (roc.x[0], roc.y[-1], precision.x[-1]) == (0, 1, 1)
        # What thinning leaves out cannot be seen.
        assert np.trapezoid(roc.y, roc.x) == pytest.approx(roc.area, abs=0.01)


def test_the_hardest_rows_are_wrong_most_often_and_surest():
    y = np.array(["a", "a", "b", "b"])
    said = [["a", "b", "a", "b"], ["a", "b", "a", "a"]]
    sure = [[0.1, 0.9, 0.6, 0.2], [0.1, 0.8, 0.7, 0.6]]  # of the prediction that is wrong
    parts = []
    for labels, wrong in zip(said, sure, strict=True):
        truth = 1 - np.array(wrong)
        shares = np.where((y == "a")[:, None], np.stack([truth, 1 - truth], 1), np.stack([1 - truth, truth], 1))
        cases = np.arange(4)
        fit = {"y": y, "cases": cases, "predictions": np.array(labels), "classes": LABELS[:2], "probabilities": shares}
        parts.append(fit)
    hard = hardest_rows(pool_fits(parts))
    assert hard.index.tolist() == [1, 2, 3]
    assert hard["wrong"].tolist() == [1.0, 1.0, 0.5]
    assert hard["predicted"].tolist() == ["b", "a", "a"]
    assert hard["probability of the truth"].to_numpy() == pytest.approx([0.15, 0.35, 0.6])
    assert len(hardest_rows(pool_fits(parts), 1)) == 1


def test_the_hardest_rows_of_numbers_have_the_largest_mean_errors():
    parts = [
        {"y": np.array([1.0, 2.0]), "cases": np.array([7, 3]), "predictions": np.array(said)}
        for said in ([1.0, 5.0], [3.0, 3.0])
    ]
    hard = hardest_rows(pool_fits(parts))
    assert hard.index.tolist() == [3, 7]
    assert hard["error"].tolist() == [2.0, 1.0]
    assert hard["predicted"].tolist() == [4.0, 2.0]


def test_where_methods_disagree_one_or_the_other_is_right_or_neither():
    def method(labels):
        cases = np.arange(4)
        y = np.array(list("aabc"))
        return pool_fits([{"y": y, "cases": cases, "predictions": np.array(list(labels)), "classes": LABELS}])

    frame = disagreement_table({"one": method("aaba"), "two": method("abbb"), "three": method("aaba")}).frame
    assert frame.loc[("one", "two")].tolist() == [0.5, 0.5, 0.0, 0.5]
    assert frame.loc[("one", "three"), "disagree on"] == 0
    assert np.isnan(frame.loc[("one", "three"), "first right"])
    assert disagreement_table({"one": method("aaba")}) is None
    other = pool_fits([{"y": LABELS[:1], "cases": np.arange(1), "predictions": LABELS[:1], "classes": LABELS}])
    assert disagreement_table({"one": method("aaba"), "other": other}) is None


def test_methods_of_numbers_differ_by_a_distance():
    def method(*said):
        return pool_fits([{"y": np.array([0.0, 10.0]), "cases": np.arange(2), "predictions": np.array(said)}])

    frame = disagreement_table({"one": method(1.0, 10.0), "two": method(3.0, 10.0)}).frame
    assert frame.iloc[0].tolist() == [1.0, 0.5, 0.0]


def test_errors_by_the_size_of_the_truth():
    y = np.arange(100.0)
    predicted = pool_fits([{"y": y, "cases": np.arange(100), "predictions": np.full(100, 50.0)}])
    frame = size_table(predicted).frame
    assert frame["rows"].tolist() == [20] * 5
    assert frame["mean residual"].to_numpy() == pytest.approx([-40.5, -20.5, -0.5, 19.5, 39.5])
    assert frame["mean size of the error"].iloc[0] == 40.5
    same = pool_fits([{"y": np.ones(3), "cases": np.arange(3), "predictions": np.zeros(3)}])
    assert size_table(same).frame["mean residual"].tolist() == [1.0]
