"""Comparisons from data to the model that is kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from covey import compare, load_model
from covey.datasets import load
from covey.model_card import read_about
from covey.study import MethodSpec

QUICK = ["c4.5", "nearest neighbours", "baseline"]


@pytest.fixture(scope="module")
def wine(tmp_path_factory):
    return compare("wine", methods=QUICK, n_repeats=2, n_workers=1, out=tmp_path_factory.mktemp("wine") / "out")


def test_the_ranking_is_that_of_the_scores(wine):
    assert wine.best == "nearest neighbours"
    ranking = wine.ranking()
    assert [row.method for row in ranking.rows] == ["nearest neighbours", "c4.5", "baseline"]
    assert ranking.row("baseline").verdict == "worse"
    assert "nearest neighbours" in str(wine)
    assert "c4.5" in wine.table().to_markdown()


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


def test_nothing_is_left_where_no_folder_is_given(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = compare("iris", methods=["baseline", "c4.5"], n_repeats=1, n_workers=1)
    assert found.best == "c4.5"
    assert list(tmp_path.iterdir()) == []
    folder = found.out
    assert folder.is_dir()
    del found
    assert not folder.exists()


def test_a_frame_with_categories_and_gaps_to_a_saved_model(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.normal(50, 10, 120), "town": rng.choice(["Ely", "York"], 120)})
    frame["outcome"] = np.where((frame.age > 50) ^ (frame.town == "Ely"), "well", "ill")
    frame.loc[::9, "age"] = np.nan
    path = tmp_path / "best.covey"
    methods = ["c4.5", "logistic regression", "gradient boosting", "baseline"]
    found = compare(frame, "outcome", methods=methods, n_repeats=1, n_workers=1, save_best=path)
    assert found.best in ("c4.5", "gradient boosting")
    about = read_about(path)
    assert about["target"] == "outcome"
    assert about["method"] == found.best
    assert about["scores"]["accuracy"]["mean"] == pytest.approx(found.ranking().rows[0].mean)
    said = load_model(path).predict(found.study.datasets[0].load().frame)
    assert np.mean(said == frame.outcome) > 0.8


def test_the_best_is_refitted_the_same_way_each_time(wine):
    X = load("wine").frame
    first, second = (wine.refit_best().predict_proba(X) for _ in range(2))
    np.testing.assert_array_equal(first, second)


def test_several_datasets_are_ranked_over_all():
    found = compare(["wine", "iris"], methods=QUICK, n_repeats=1, n_workers=1)
    assert found.best == found.overall().best != "baseline"
    assert found.study.name == "Comparison on wine and iris"
    with pytest.raises(ValueError, match="there are several datasets, 'wine', 'iris'"):
        found.refit_best()
    with pytest.raises(ValueError, match="2 datasets; give dataset"):
        found.ranking()


def test_regression():
    methods = ["ridge regression", "nearest neighbours", "baseline"]
    found = compare("diabetes", methods=methods, n_repeats=1, n_workers=1)
    assert found.best == "ridge regression"
    assert 0.4 < found.ranking().rows[0].mean < 0.6
    assert found.results.record.metrics[0] == "r2"


def test_the_number_of_members_goes_to_those_that_have_one():
    own = [
        MethodSpec("mine", "sklearn.ensemble.BaggingClassifier", {"n_estimators": 50}),
        "random-forest",
        "mb",
        "c4.5",
    ]
    found = compare("iris", methods=own, n_estimators=3, n_repeats=1, n_folds=2, n_workers=1)
    for method in found.study.methods[:3]:
        (arrays, *_) = found.results.fits("iris", method.name)
        assert arrays["votes"].shape[1] == 3


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
    monkeypatch.setattr("covey.persistence.can_save", lambda model: "no" if "C45" in type(model).__name__ else None)
    path = tmp_path / "a.covey"
    found = compare("iris", methods=["c4.5", "baseline"], n_repeats=1, n_workers=1, save_best=path)
    assert found.left_out == {"c4.5": "no"}
    assert path.is_file()
    monkeypatch.setattr("covey.persistence.can_save", lambda model: "no")
    with pytest.raises(ValueError, match="none of the methods can be saved"):
        compare("iris", methods=["c4.5"], n_workers=1, save_best=path)
