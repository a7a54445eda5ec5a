"""Comparisons from data to the model that is kept."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from shutil import rmtree

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from covey import compare, load_model
from covey.datasets import load
from covey.models import read_about
from covey.study import MethodSpec, Results

QUICK = ["c4.5", "nearest neighbours", "baseline"]
quickly = partial(compare, n_repeats=1, n_workers=1)


@pytest.fixture(scope="module")
def wine(tmp_path_factory):
    return compare("wine", methods=QUICK, n_repeats=2, n_workers=1, out=tmp_path_factory.mktemp("wine") / "out")


def test_the_ranking_is_that_of_the_scores_and_the_best_is_refitted_the_same_way_each_time(wine):
    assert wine.best == "nearest neighbours"
    ranking = wine.ranking()
    assert [row.method for row in ranking.rows] == ["nearest neighbours", "c4.5", "baseline"]
    assert ranking.row("baseline").verdict == "behind"
    assert "nearest neighbours" in str(wine)
    assert "c4.5" in wine.table().to_markdown()
    first, second = (wine.refit_best().predict_proba(load("wine").frame) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_the_saved_combination_has_more_time_than_each_of_its_fits_had():
    method = MethodSpec("covey", "covey:covey", {"members": ["nn", "c4.5"]})
    result = quickly("wine", methods=[method, "baseline"], budget=60)
    given = next(method.params["budget"] for method in result.study.methods if method.name == "covey")
    model = result.refit_best()
    assert model.budget == 3 * given
    assert sorted(model.member_scores_.index) == ["c4.5", "nn"]


def test_scores_are_those_of_scikit_learn_on_similar_folds(wine):
    X, y = load("wine").to_xy()
    X = (X - X.mean()) / X.std()
    theirs = cross_val_score(KNeighborsClassifier(), X, y.astype(str), cv=5).mean()
    assert wine.ranking().row("nearest neighbours").mean == pytest.approx(theirs, abs=0.03)


def test_folder_report_and_resumption(wine):
    assert {path.name for path in wine.out.iterdir()} >= {"results.store", "report.html"}
    assert "nearest neighbours" in wine.report.read_text(encoding="utf-8")
    seen = []
    again = compare("wine", methods=QUICK, n_repeats=2, n_workers=1, out=wine.out, progress=seen.append)
    assert seen == []
    assert again.results.frame().equals(wine.results.frame())


def test_the_card_of_a_model_has_natural_signs(tmp_path):
    found = quickly("iris", methods=["c4.5", "baseline"], metrics=["neg_log_loss"], save_best=tmp_path / "m.covey")
    estimate = read_about(tmp_path / "m.covey")["scores"]["log_loss"]
    assert 0 < estimate["low"] < estimate["mean"] < estimate["high"]
    best = found.results.frame().query("method == @found.best")["neg_log_loss"]
    assert estimate["mean"] == pytest.approx(-best.mean())


def test_nothing_is_left_where_no_folder_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = quickly("iris", methods=["baseline", "c4.5"])
    assert found.best == "c4.5"
    assert list(tmp_path.iterdir()) == []
    folder, results = found.out, found.results
    del found
    assert len(results.frame()) == 10
    del results
    assert not folder.exists()


def test_a_frame_with_categories_and_gaps_to_a_saved_model(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(50, 10, 120), "town": rng.choice(["Ely", "York"], 120)})
    frame["outcome"] = np.where((frame.age > 50) ^ (frame.town == "Ely"), "well", "ill")
    frame.loc[::9, "age"] = np.nan
    path = tmp_path / "best.covey"
    methods = ["c4.5", "logistic regression", "gradient boosting", "baseline"]
    found = quickly(frame, "outcome", methods=methods, save_best=path)
    assert found.best in ("c4.5", "gradient boosting")
    about = read_about(path)
    assert about["target"] == "outcome"
    assert about["method"] == found.best
    assert about["scores"]["accuracy"]["mean"] == pytest.approx(found.ranking().rows[0].mean)
    said = load_model(path).predict(found.study.datasets[0].load().frame)
    assert np.mean(said == frame.outcome) > 0.8


def test_the_card_of_a_combination_has_its_members_with_their_weights(tmp_path):
    path = tmp_path / "best.covey"
    few = MethodSpec("covey", "covey:covey", {"members": ["c4.5", "logistic regression"], "cv": 2})
    found = quickly("iris", methods=[few, "baseline"], n_folds=2, n_estimators=5, save_best=path)
    assert found.best == "covey"
    assert found.study.methods[0].params == {**few.params, "budget": 38.0}  # an eighth of five minutes
    assert read_about(path)["members"] == load_model(path).weights_


def test_several_datasets_are_ranked_over_all():
    found = quickly(["wine", "iris"], methods=QUICK)
    assert found.best == found.overall().best != "baseline"
    assert found.study.name == "Comparison on wine and iris"
    with pytest.raises(ValueError, match="there are several datasets, 'wine', 'iris'"):
        found.refit_best()
    with pytest.raises(ValueError, match="2 datasets; give dataset"):
        found.ranking()


def test_a_class_with_a_single_case(tmp_path):
    """Regression: where the case is tested its class was not there to be learnt, and the report gave up."""
    X, y = load("iris").to_xy()
    y = np.where(np.arange(150) == 7, "once", np.asarray(y))
    found = compare((X, y), methods=["random forest", "mb", "baseline"], n_estimators=5, n_workers=1, out=tmp_path)
    assert found.report.is_file()
    assert not found.ranking(metric="neg_log_loss").failed


def test_regression():
    methods = ["ridge regression", "nearest neighbours", "baseline"]
    found = quickly("diabetes", methods=methods)
    assert found.best == "ridge regression"
    assert 0.4 < found.ranking().rows[0].mean < 0.6
    assert found.results.record.metrics[0] == "r2"


def test_the_number_of_members_goes_to_those_that_have_one():
    bagging = MethodSpec("mine", "sklearn.ensemble.BaggingClassifier", {"n_estimators": 50})
    found = quickly("iris", methods=[bagging, "random-forest", "mb", "c4.5"], n_estimators=3, n_folds=2)
    for method in found.study.methods[:3]:
        (arrays, *_) = found.results.fits("iris", method.name)
        assert arrays["votes"].shape[1] == 3
    boosted = quickly("iris", methods=["gradient boosting"], n_estimators=4, n_folds=2)
    assert boosted.study.methods[0].params["max_iter"] == 4
    with pytest.raises(ValueError, match="n_estimators=0"):
        compare("iris", methods=["random forest"], n_estimators=0)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (["iris", "diabetes"], {}, "'iris' for classification, 'diabetes' for regression"),
        (["iris", "wine"], {"save_best": "model.covey"}, "needs one dataset"),
        ("iris", {"save_best": "nowhere/model.covey"}, "there is no directory nowhere"),
        ("iris", {"metrics": ["r2"]}, "r2"),
        ("iris", {"n_folds": 500}, "n_folds=500 is more than the 150 cases"),
        ("iris", {"n_workers": 0}, "n_workers=0"),
    ],
)
def test_what_cannot_be_done_is_said_first(data, options, message):
    with pytest.raises((ValueError, OSError), match=message):
        compare(data, methods=["baseline"], **options)


def test_what_cannot_be_saved_is_not_tried(tmp_path, monkeypatch):
    monkeypatch.setattr("covey.models.can_save", lambda model: "no" if "GaussianNB" in type(model).__name__ else None)
    path, bayes = tmp_path / "a.covey", "sklearn.naive_bayes.GaussianNB"
    found = quickly("iris", methods=[bayes, "nearest neighbours"], save_best=path)
    assert found.left_out == {"GaussianNB": "no"}
    assert path.is_file()
    monkeypatch.setattr("covey.models.can_save", lambda model: "no")
    with pytest.raises(ValueError, match="none of the methods can be saved"):
        compare("iris", methods=[bayes], n_workers=1, save_best=path)
    assert quickly("iris", methods=["c4.5"], save_best=path).left_out == {}  # published systems can be saved


def test_xgboost_takes_any_classes(tmp_path):
    pytest.importorskip("xgboost")
    found = quickly("iris", methods=["XGBoost", "baseline"], n_estimators=3, save_best=tmp_path / "best.covey")
    assert found.best == "XGBoost"
    X, y = load("iris").to_xy()
    said = load_model(tmp_path / "best.covey").predict(X)
    assert np.mean(said == np.asarray(y)) > 0.9


def refuse(what):
    def fail(*given):
        raise OSError(what)

    return fail


def test_results_stay_when_the_model_cannot_be_saved(tmp_path, monkeypatch):
    monkeypatch.setattr("covey.models.save_model", refuse("no room"))
    path = tmp_path / "a.covey"
    with pytest.raises(OSError, match="no room") as caught:
        quickly("iris", methods=["c4.5"], save_best=path)
    (note,) = caught.value.__notes__
    folder = Path(re.fullmatch(r"The results are kept in (.*)\.", note)[1])
    del caught
    assert len(Results.in_store(folder / "results.store").frame()) == 5
    rmtree(folder)


def test_report_and_model_do_not_take_each_other_down(tmp_path, monkeypatch):
    asked = {"methods": ["c4.5"], "n_repeats": 1, "n_workers": 1}
    with monkeypatch.context() as patched:
        patched.setattr("covey.models.save_model", refuse("no room"))
        with pytest.raises(OSError, match="no room"):
            compare("iris", out=tmp_path / "a", save_best=tmp_path / "a.covey", **asked)
        assert (tmp_path / "a" / "report.html").is_file()
    monkeypatch.setattr("covey.report.write_report", refuse("no ink"))
    with pytest.raises(OSError, match="no ink") as caught:
        compare("iris", out=tmp_path / "b", save_best=tmp_path / "b.covey", **asked)
    assert caught.value.__notes__ == [f"The results are kept in {tmp_path / 'b'}."]
    assert load_model(tmp_path / "b.covey") is not None
    monkeypatch.setattr("covey.models.save_model", refuse("no room"))
    with pytest.raises(OSError, match="no ink") as caught:
        compare("iris", out=tmp_path / "b", save_best=tmp_path / "b.covey", **asked)
    assert caught.value.__notes__[0] == "Besides: no room"


def test_a_saved_model_takes_new_rows_with_gaps(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    y = np.where(frame["a"] > 0, "yes", "no")
    path = tmp_path / "best.covey"
    bayes = "sklearn.naive_bayes.GaussianNB"
    quickly((frame, y), "won", methods=[bayes], save_best=path)
    frame.loc[::5, "b"] = np.nan
    assert np.mean(load_model(path).predict(frame) == y) > 0.8


def test_the_store_is_read_once_and_methods_are_ranked_once(tmp_path, monkeypatch):
    from covey.study import Store, results

    read, ranked = [], []
    rank, open_store = results.rank_frame, Store.read
    monkeypatch.setattr(results, "rank_frame", lambda *given, **more: ranked.append(1) or rank(*given, **more))
    monkeypatch.setattr(Store, "read", lambda self, keys: read.append(1) or open_store(self, keys))
    options = {"methods": ["c4.5", "baseline"], "metrics": ["accuracy"], "n_repeats": 1, "n_workers": 1}
    found = compare("iris", out=tmp_path, save_best=tmp_path / "m.covey", **options)
    assert str(found).lower().count("c4.5") > 1
    assert found.best == found.ranking().best
    assert (len(read), len(ranked)) == (1, 1)


def test_no_best_where_all_failed_and_a_warning_where_the_best_is_a_baseline(tmp_path):
    wrong = "sklearn.naive_bayes.MultinomialNB"  # for values below zero
    problem = r"no best model, for no method could be ranked. MultinomialNB: 5 of 5 fits"
    with pytest.raises(RuntimeError, match=problem) as caught:
        quickly("generator:ringnorm", methods=[wrong], save_best=tmp_path / "m", out=tmp_path / "a")
    assert caught.value.__notes__[-1] == f"The report is {tmp_path / 'a' / 'report.html'}."
    with pytest.warns(UserWarning, match=r"'baseline', looks at no column .* no other was ranked"):
        found = quickly("iris", methods=["baseline"], save_best=tmp_path / "m")
    assert found.best_is_blind
    assert (tmp_path / "m").is_file()


def test_notes_of_the_data_are_those_of_the_comparison():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.5] * 10, "name": [f"P{i}" for i in range(30)], "y": ["p", "q", None] * 10})
    found = quickly(frame, "y", methods=["baseline"], n_folds=2)
    assert found.notes == (
        "data: 10 rows without a target (y) were dropped.",
        "data: left out: 'name' (like names, different in most rows); keep=['name'] keeps it.",
    )
    assert found.study.datasets[0].held.provenance.notes == tuple(note[6:-1] for note in found.notes)
