"""The ways into a comparison: X and y, estimators among the methods, the class that counts, weights of classes."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, recall_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from covey import compare, load_model
from covey.datasets import load
from covey.study import MethodSpec, Results

quickly = partial(compare, n_folds=2, n_repeats=1, n_workers=1)
RNG = np.random.default_rng(0)
X = pd.DataFrame(RNG.normal(size=(80, 2)), columns=["a", "b"])
Y = pd.Series(np.where(X.a + RNG.normal(size=80) > 0.7, "malignant", "benign"), name="tumour")
FRAME = X.assign(tumour=Y)


@pytest.mark.parametrize(
    ("given", "target"),
    [
        ((X, Y), "tumour"),
        ((X, Y.to_frame()), "tumour"),
        ((X.to_numpy(), Y.to_numpy()), "target"),
        ((X.to_numpy(), Y.to_numpy()[:, None]), "target"),
        ((X.to_numpy().tolist(), Y.to_list()), "target"),
        ((pl.from_pandas(X), pl.Series("tumour", Y.to_list())), "tumour"),
        (((X, Y),), "tumour"),
        (((X, Y), "cancer"), "cancer"),
        ((FRAME, "tumour"), "tumour"),
        ((FRAME, FRAME["tumour"]), "tumour"),
        ((pl.from_pandas(FRAME), pl.Series("tumour", Y.to_list())), "tumour"),
    ],
)
def test_x_and_y_in_any_form(given, target):
    """A column of the frame that is given as y too is not among those that predict it."""
    found = quickly(*given, methods=[GaussianNB()])
    data = found.study.datasets[0].load()
    assert data.target.name == target
    assert (data.n_rows, data.n_features) == X.shape
    assert found.ranking().rows[0].mean == quickly(X, Y, methods=[GaussianNB()]).ranking().rows[0].mean


def test_another_column_of_the_same_name_stays():
    found = quickly(FRAME, Y.sample(frac=1, random_state=0), methods=[DecisionTreeClassifier()])
    assert list(found.study.datasets[0].load().frame.columns) == ["a", "b", "tumour"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("iris", Y), "target is a Series, but the data have columns of their own"),
        ((load("iris"), Y), "target is a Series, but the data have columns"),
        (((X, Y), Y), "data is a pair already"),
        ((X, X), "target has 2 columns; give one"),
        ((X, 3), "target is a int; give the name of a column, or an array"),
        ((X.to_numpy(),), r"give y, too: compare\(X, y\)"),
        ((X.to_numpy(), "a"), r"give y, too: compare\(X, y\)"),
        ((X, Y[:5]), "80 rows and y of shape"),
    ],
)
def test_what_is_no_target(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        quickly(*given, methods=["baseline"])


def test_estimators_among_the_methods(tmp_path):
    scaled = make_pipeline(StandardScaler(), SVC())
    methods = [
        "baseline",
        scaled,
        ("mine", GaussianNB()),
        DecisionTreeClassifier(),
        DecisionTreeClassifier(max_depth=2),
    ]
    names = ["baseline", "StandardScaler + SVC", "mine", "DecisionTreeClassifier", "DecisionTreeClassifier (2)"]
    found = quickly(X, Y, methods=methods, out=tmp_path)
    assert [method.name for method in found.study.methods] == names
    assert {row.method for row in found.ranking().rows} == set(names)
    assert "StandardScaler + SVC" in found.report.read_text(encoding="utf-8")
    alone = Results.in_store(tmp_path / "results.store")
    assert alone.ranking().best == found.best
    assert "SVC" in str(alone.record.methods[1].params)
    seen = []
    quickly(X, Y, methods={"b": "baseline", "s": scaled, "n": GaussianNB()}, out=tmp_path, progress=seen.append)
    assert seen == []


def test_an_estimator_is_refitted_and_saved_where_it_can_be(tmp_path):
    model = make_pipeline(StandardScaler(), LogisticRegression(C=0.5))
    other = MethodSpec("unsaved", held=make_pipeline(Refusing(), GaussianNB()))
    found = quickly(X, Y, methods=[model, other, "baseline"], save_best=tmp_path / "best.covey")
    assert found.left_out.keys() == {"unsaved"}
    assert found.best == "StandardScaler + LogisticRegression"
    assert found.refit_best()[-1][-1].C == 0.5
    np.testing.assert_array_equal(load_model(tmp_path / "best.covey").predict(X), found.refit_best().predict(X))
    assert not hasattr(model[-1], "coef_")


class Refusing(StandardScaler):
    def __getstate__(self):
        raise ValueError("not to be written")


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ([SVC], r"one of methods is the class SVC; give an instance: SVC\(\)"),
        ([Ridge()], "method 'Ridge' is for regression, but the study is for classification"),
        ([("a", SVC(), 1)], "give a pair of a name and an estimator"),
        ([3], "give names, import paths, estimators or MethodSpec"),
        ([("a", SVC()), ("a", GaussianNB())], r"method\[1\].name='a' is the name of method\[0\] too"),
    ],
)
def test_what_is_no_method(methods, message):
    with pytest.raises((TypeError, ValueError), match=message):
        quickly(X, Y, methods=methods)


def scores_by_hand(found, score, **given):
    fits = found.results.fits("data", "GaussianNB")
    return np.mean([score(fit["y"], fit["predictions"], **given) for fit in fits])


def test_the_class_that_counts(tmp_path):
    found = quickly(X, Y, methods=[GaussianNB()], metrics=["f1", "recall"], positive="benign", out=tmp_path)
    assert found.results.record.metrics == ("f1[benign]", "recall[benign]")
    assert found.ranking().rows[0].mean == pytest.approx(scores_by_hand(found, f1_score, pos_label="benign"))
    assert found.notes == ()
    other = quickly(X, Y, methods=[GaussianNB()], metrics=["f1", "recall"], positive="malignant", out=tmp_path)
    expected = scores_by_hand(other, recall_score, pos_label="malignant")
    assert other.ranking(metric="recall").rows[0].mean == pytest.approx(expected)
    assert other.ranking(metric="recall[malignant]").words.name == "recall of malignant"
    assert "of rows of the class 'malignant'" in other.ranking(metric="recall").words.meaning


def test_a_class_that_was_named_is_told_of_beside_the_usual_metrics():
    found = quickly(X, Y, methods=[GaussianNB()], positive="malignant")
    metrics = found.results.record.metrics
    assert metrics[:3] == ("accuracy", "balanced_accuracy", "neg_log_loss")
    assert metrics[3:] == tuple(f"{name}[malignant]" for name in ("average_precision", "f1", "precision", "recall"))


@pytest.mark.parametrize(
    ("labels", "taken", "why"),
    [
        (("benign", "malignant"), "malignant", "the rarer one"),
        (("malignant", "benign"), "benign", "the rarer one"),
        ((1, 0), "1", "as usual"),
        ((True, False), "True", "as usual"),
        (("Yes", "No"), "Yes", "as usual"),
    ],
)
def test_a_class_that_is_taken_unasked_is_told(labels, taken, why):
    y = np.where(Y == "malignant", labels[1], labels[0])
    found = quickly(X, y, methods=[GaussianNB()], metrics=["f1"])
    assert found.results.record.metrics == (f"f1[{taken}]",)
    assert f"f1 counts the class '{taken}', {why}; positive=" in str(found)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ((X, Y), {"positive": "ill"}, "positive='ill' is no class of 'data'; its classes are 'benign', 'malignant'"),
        ((X, Y), {"positive": "benign", "metrics": ["accuracy"]}, "counts in none of the metrics 'accuracy'"),
        ("iris", {"positive": "setosa", "metrics": ["f1"]}, "needs two classes.*'f1_macro'"),
        ("iris", {"metrics": ["recall"]}, "is for two classes, and there are 3; try 'recall_macro'"),
        ("iris", {"metrics": ["f1[setosa]"]}, "is for two classes, and there are 3"),
        ("diabetes", {"positive": 1}, "'diabetes' is for regression"),
        ((X, Y), {"metrics": ["accuracy[benign]"]}, "found for all classes; write 'accuracy'"),
        ((X, Y), {"metrics": ["f1[ill]"]}, "names no class; the classes are 'benign', 'malignant'"),
        ((X, Y), {"class_weight": "even"}, "class_weight='even' must be 'balanced' or None"),
        ("diabetes", {"class_weight": "balanced"}, "the target is a number"),
    ],
)
def test_what_cannot_count(data, options, message):
    with pytest.raises(ValueError, match=message):
        quickly(data, methods=["baseline"], **options)


def test_balanced_classes_where_methods_can():
    near, forest = "nearest neighbours", ("mine", make_pipeline(StandardScaler(), DecisionTreeClassifier()))
    found = quickly(X, Y, methods=["random forest", near, forest, "baseline"], n_estimators=3, class_weight="balanced")
    made = [method.make() for method in found.study.methods]
    assert made[0].class_weight == made[2][-1].class_weight == "balanced"
    assert found.notes == ("nearest neighbours has no class_weight, and weighed all rows alike.",)


def test_a_notebook_shows_answer_table_and_notes():
    found = quickly(X, Y, methods=[("<b>bold</b>", GaussianNB()), "baseline"], metrics=["f1"])
    page = found._repr_html_()
    assert page.index("F1 of malignant") < page.index("<table") < page.index("<li>note: f1 counts")
    assert "<b>" not in page
    assert "&lt;b&gt;bold" in page
    several = quickly(["iris", "wine"], methods=[GaussianNB(), "baseline"])._repr_html_()
    assert "mean rank" in several
    assert "<table" in several


def test_public_names_are_those_that_are_meant():
    """Regression: covey.<Tab> showed what the package imports for itself."""
    import covey

    stub = Path(covey.__file__).with_suffix(".pyi").read_text()
    assert all(f"{name} as {name}" in stub for name in dir(covey))
