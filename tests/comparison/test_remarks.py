"""Remarks on comparisons, before the ranking: in Python, in the store and in the terminal."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import average_precision_score, precision_score, recall_score

from covey import compare, load_model
from covey.comparison.remarks import _short_of_time
from covey.study import MethodSpec, Results

quickly = partial(compare, n_repeats=1, n_workers=1)
METHODS = ["c4.5", "logistic regression", "baseline"]


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(300, 4)), columns=list("abcd"))
    return frame.assign(y=np.where(frame["a"] + frame["b"] + 1.5 * rng.normal(size=300) > 0, "yes", "no"))


def test_scores_without_a_leak_are_those_of_the_data_without_it(table, tmp_path):
    leaking = table.assign(result_code=np.where(table["y"] == "yes", 15, 5))
    methods = ["logistic regression", "baseline"]
    comparison = quickly(leaking, "y", methods=methods, out=tmp_path)
    (remark,) = comparison.results.record.remarks
    honest = quickly(table, "y", methods=methods).ranking().row("logistic regression").mean
    assert remark.endswith(
        f"--drop result_code. Without it logistic regression reaches {honest:.1%} instead of 100.0% (accuracy)."
    )
    assert Results.in_store(tmp_path / "results.store").record.remarks == (remark,)
    assert str(comparison).startswith(f"warning: {remark}\n")


def test_scores_without_copies(table):
    copied = pd.concat([table, table.sample(100, random_state=0)], ignore_index=True)
    (remark,) = quickly(copied, "y", methods=["nearest neighbours"]).results.record.remarks
    honest = quickly(table, "y", methods=["nearest neighbours"]).ranking().rows[0].mean
    assert remark.startswith("200 of 400 rows (50.0%) occur more than once")
    assert f"Without the copies nearest neighbours reaches {honest:.1%} instead of" in remark


def test_a_rare_class_is_what_ranks_and_its_recall_is_told(tmp_path):
    rng = np.random.default_rng(0)
    y = np.where(np.arange(600) % 15 == 0, "fraud", "no")
    frame = pd.DataFrame(rng.normal(size=(600, 3)) + 1.5 * (y == "fraud")[:, None], columns=list("abc")).assign(y=y)
    comparison = quickly(frame, "y", methods=["logistic regression", "baseline"])
    assert comparison.study.metrics[0] == "average_precision[fraud]"
    fits = list(comparison.results.fits("data", "logistic regression"))
    theirs = [average_precision_score(fit["y"] == "fraud", fit["probabilities"][:, 0]) for fit in fits]
    assert comparison.ranking().row("logistic regression").mean == pytest.approx(np.mean(theirs))
    true, said = (np.concatenate([fit[name] for fit in fits]) for name in ("y", "predictions"))
    recall, precision = (score(true, said, pos_label="fraud") for score in (recall_score, precision_score))
    _, remark = comparison.results.record.remarks
    assert f"recognises {recall:.1%} of the rows of class 'fraud' (recall), and {precision:.1%} of the rows" in remark


def test_prices_are_ranked_by_absolute_errors_and_learnt_as_logarithms(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"area": rng.normal(size=300), "town": rng.choice(["Ely", "York"], 300)})
    frame["price"] = np.exp(12 + 1.5 * frame["area"] + (frame["town"] == "Ely") + rng.normal(0, 0.3, 300))
    methods = ["ridge regression", "baseline"]
    plain = quickly(frame, "price", methods=methods).ranking()
    path = tmp_path / "m.covey"
    logged = quickly(frame, "price", methods=methods, log_target=True, save_best=path)
    assert logged.best == "ridge regression"
    assert plain.metric == logged.ranking().metric == "neg_mean_absolute_error"
    assert logged.ranking().row("ridge regression").mean < plain.row("ridge regression").mean / 2
    # The baseline predicts the median on the scale of the target.
    assert logged.ranking().row("baseline").mean == plain.row("baseline").mean
    for fit in logged.results.fits("data", "baseline"):
        trained = np.delete(frame["price"].to_numpy(), fit["cases"])
        assert fit["predictions"] == pytest.approx(np.median(trained))
    said = load_model(path).predict(frame[["area", "town"]])
    assert np.median(np.abs(np.log(said / frame["price"]))) < 0.4


def test_logarithms_that_there_are_not_are_refused_first(table):
    with pytest.raises(ValueError, match="log_target=True needs numbers, but the target of 'data' holds classes"):
        compare(table, "y", log_target=True)
    with pytest.raises(ValueError, match="log_target=True needs numbers above 0, but the target of 'data' has -"):
        compare(table, "a", log_target=True)


def test_the_recall_of_a_rare_class_of_several_is_told():
    rng = np.random.default_rng(0)
    y = rng.choice(list("abcd"), 600, p=[0.4, 0.4, 0.17, 0.03])
    frame = pd.DataFrame(rng.normal(size=(600, 3)), columns=list("pqr")).assign(y=y)
    told = compare(frame, "y", methods=["logistic regression", "baseline"], n_repeats=1, n_workers=1)
    (remark,) = [text for text in told.results.record.remarks if "(recall)" in text]
    assert "recognises 0.0% of the rows of class 'd' (recall), and it calls no row so (precision)" in remark


def test_a_combination_that_had_too_little_time_is_told_how_much():
    methods = [MethodSpec("covey", "covey:covey", {"budget": 5.0}), MethodSpec("c4.5", "covey:c4.5")]
    told = "Left out: trees: no time was left. The budget was 5 seconds; a larger budget gives members more time."
    results = SimpleNamespace(warnings={"covey": {told: 2}})
    (remark,) = _short_of_time(SimpleNamespace(methods=methods), results)
    assert remark.startswith("covey had 5 s for each fit, too little")
    assert remark.endswith("A larger budget gives it more.")
    assert not list(_short_of_time(SimpleNamespace(methods=methods), SimpleNamespace(warnings={})))
