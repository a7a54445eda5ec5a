"""Input that figures refuse, with what they say of it."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.datasets import make_blobs
from sklearn.linear_model import LinearRegression

from covey import C45Classifier, CoveyClassifier, LinearSVMClassifier, SphereCoverClassifier, TriskelClassifier, plots
from covey.analysis import KappaError, RocPoint, bias_curves, domingos, embedded_space, win_draw_loss
from covey.datasets import make_layered_cake
from covey.plots.columns import MOST_MODELS
from covey.table.schema import Schema
from plots.drawn import model_of
from plots.test_tree import SMALL

NAN = float("nan")
WORDS = {"metric": "accuracy", "larger_is_better": True}
FITTED = LinearRegression().fit([[0], [1]], [0, 1])

AB = ["a", "b"]
TWO = {"one": [0.9, 0.8], "two": [0.8, 0.85]}
THREE = ([0.7, 0.9, 0.5], [0.6, 0.8, 0.4], [0.8, 1.0, 0.6], ["b", "a", "c"])
TAKEN = [3, 1, 2]
SCORES = np.array([[0.7, 0.95], [0.8, 0.9], [0.8, 0.8]])
FRAME = pd.DataFrame(SCORES, columns=AB)
ONES = {"c": [1, 1, 1], "d": [1, 1, 1]}
TERMS = domingos([["a", "b"], ["b", "b"]], ["a", "b"])
PARTS = {"base": [], "a": ["a"], "cd": ["c", "d"], "bcd": ["b", "c", "d"]}
RECORDS = win_draw_loss({name: np.arange(6.0) + len(own) for name, own in PARTS.items()}, larger_is_better=True)
VOTES, Y = np.array([list("aab"), list("aba"), list("bbb"), list("bbb")]), np.array(list("aabb"))
SURE = np.array([[1.0, 0.0]] * 4)
PAIRS = KappaError(np.full(5, 0.5), np.full(5, 0.2), np.zeros(5, dtype=np.intp), np.arange(5))
SPACE = embedded_space(RocPoint(0.1, 0.4, 100, 100), RocPoint(0.6, 0.9, 100, 100))
POINT = RocPoint(0, 1, 100, 100)
CURVES = bias_curves([0, 0, 1, 1], [0, 1, 0, 1], {0.1: [0, 0, 0, 1]}, {0.2: [0, 1, 1, 1]})
PATH = model_of([[1, 1, 1, 1], [1, 2, 1, 4]])
CAKE, LAYERS = make_layered_cake(random_state=1)
TOWNS = Schema(("age", "home town"), (None, np.array([f"town {code}" for code in range(30)], dtype=object)))
CASES = pd.DataFrame({"dose": [10.0, 20, 10, 50, 50], "site": list("uvuvu"), "age": [0.0, 0, 1, 0, 4]})
ILL = np.array(["ill", "ill", "ill", "well", "well"])
TRAINED = SphereCoverClassifier(cover="greedy").fit(CASES[["dose", "age"]], ILL)


def points(*arguments, **options):
    return lambda: plots.accuracy_time(*arguments, **{**WORDS, **options})


def boxes(scores, **options):
    return lambda: plots.score_boxes(scores, **{**WORDS, **options})


def intervals(*arguments, **options):
    return lambda: plots.method_intervals(*arguments, **WORDS, **options)


def curves(*arguments, **options):
    return lambda: plots.parameter_curves(*arguments, **{"parameter": "alpha", **WORDS, **options})


def scatter(*names, **options):
    return lambda: plots.method_scatter(TWO, *names, **{"larger_is_better": True, **options})


def hierarchy(*arguments, **options):
    return lambda: plots.hierarchy_diagram(RECORDS, *arguments, **options)


def spaces(*arguments, **options):
    return lambda: plots.roc_space_diagram(*arguments, **options)


def lines(model, X=CAKE, y=LAYERS):
    return lambda: plots.separator_map(model, X, y)


def cover(X=CASES, y=ILL, *arguments, **options):
    return lambda: plots.cover_map(X, y, *arguments, **options)


def triskel(*arguments):
    return TriskelClassifier(*arguments, random_state=0).fit(CAKE, LAYERS)


WRONG_VALUES = [
    (points([1, 2], [1, 2], ["a", "a"]), "must be one or more names, all different"),
    (points([], [], []), "must be one or more names"),
    (points([1], [1, 2], AB), r"accuracy has shape \(1,\), but there are 2 methods"),
    (points([1, 2], [1], AB), r"seconds has shape \(1,\)"),
    (points([1, NAN], [1, 2], AB), "accuracy has nan for method 'b'"),
    (points([1, 2], [1, -2], AB), "seconds has -2"),
    (points([1, 2], ["x", "y"], AB), "seconds must be numbers"),
    (points([1], [1], ["a"], accuracy_spread=[-1]), "accuracy_spread has -1, but no spread is negative"),
    (points([1], [1], ["a"], seconds_spread=[1, 1]), "seconds_spread has shape"),
    (points({"a": 1, "b": 2}, [1, 2], ["a", "d"]), "accuracy has method 'd' not at all among its labels"),
    (points([1, 2], pd.Series([1, 2, 3], index=["a", "a", "b"]), AB), "seconds has method 'a' twice"),
    (boxes({"a": [1, NAN]}), "scores: method 'a' has nan in row 1"),
    (boxes(pd.DataFrame({"a": [1, NAN]}, index=["iris", "wine"])), "method 'a' has nan on dataset 'wine'"),
    (boxes({"a": []}), "scores: method 'a' has no scores"),
    (boxes({}), "scores has no method"),
    (boxes([1, 2, 3]), "scores has 1 dimensions"),
    (boxes([["x"]]), "scores must be numbers"),
    (boxes([[1, 2]], methods=["a", "a"]), "must be 2 different names"),
    (intervals([0.5], [0.6], [0.7], ["a"]), "lows and highs have 0.6 and 0.7 for method 'a', whose mean is 0.5"),
    (intervals([0.5], [NAN], [0.7], ["a"]), "give an interval around it, or NaN for both"),
    (intervals([NAN], [NAN], [NAN], ["a"]), "means has nan for method 'a'"),
    (intervals([0.5], [0.4], [0.6], []), "methods=.* must be one or more names"),
    (intervals([0.5] * 2, [0.4] * 2, [0.6] * 2, ["a", "a"]), "all different"),
    (intervals([0.5, 0.6], [0.4], [0.6], ["a"]), r"means has shape \(2,\), but there are 1 methods"),
    (intervals(["x"], [0.4], [0.6], ["a"]), "means must be numbers"),
    (intervals({"b": 1}, [0.4], [0.6], ["a"]), "means has method 'a' not at all among its labels"),
    (intervals(*THREE, verdicts=["best"]), r"verdicts=.* must be one for each of 3 methods"),
    (intervals(*THREE, verdicts=["best", "good", "behind"]), "verdicts="),
    (intervals(*THREE, alpha=2), "alpha=2"),
    (curves([1, 1, 2], SCORES), "values has 1 twice"),
    (curves([1, np.inf, 2], SCORES), "values has inf"),
    (curves(["a", "b", "c"], SCORES), "values must be numbers"),
    (curves([], SCORES), "values has shape"),
    (curves([1, 2], SCORES), r"scores has shape \(3, 2\), but must have \(2, 2\)"),
    (curves(TAKEN, [0.1, NAN, 0.2]), "scores has nan in row 1"),
    (curves(TAKEN, FRAME.replace(0.9, NAN)), "in row 1 for method 'b'"),
    (curves(TAKEN, {"a": [1, 2]}), r"scores has shape \(2, 1\), but must have \(3, 1\)"),
    (curves(TAKEN, [["x", "y"]] * 3), "scores must be numbers"),
    (curves(TAKEN, np.zeros((3, 21))), "scores has 21 methods, but only 20 can be told apart"),
    (curves(TAKEN, SCORES, methods=["a"]), "must be 2 different names"),
    (curves(TAKEN, SCORES, methods=["a", "a"]), "must be 2 different names"),
    (curves(TAKEN, SCORES, spread=-np.ones((3, 2))), "spread has -1, but no spread is negative"),
    (curves(TAKEN, SCORES, spread=[1, 1, 1]), r"spread has shape \(3, 1\)"),
    (curves(TAKEN, FRAME, spread=ONES), r"spread is of \['c', 'd'\], but scores of \['a', 'b'\]"),
    *(
        (
            curves(TAKEN, pd.Series([0.1, 0.2, 0.3], index=labels)),
            r"scores has rows .*, but values are \[3, 1, 2\]; lab",
        )
        for labels in (["x", "y", "z"], [1, 2, 4], [1, 1, 2])
    ),
    (scatter("one", "three"), "second='three' is none of the methods, which are one, two"),
    (scatter("one", "one"), "first and second are both 'one'; name two different methods"),
    (scatter("one", "two", label_farthest=-1), r"label_farthest=-1 must be a whole number"),
    (scatter("one", "two", label_farthest=1.5), r"label_farthest=1\.5 must be a whole number"),
    (lambda: plots.record_map(RECORDS, alpha=0), "alpha=0 must be a number between 0 and 1"),
    (hierarchy(), r"records has none of c4\.5, boost, .*; give the parts"),
    (hierarchy(None, {"x": ()}), "parts has 'x', which is no method of records"),
    (hierarchy(None, {"a": ("a",), "cd": ("a",)}), "same strategies for 'a' and 'cd'"),
    (hierarchy(None, {"a": ("a",), "cd": ("c", "d")}), "parts has no two methods"),
    (hierarchy({"base": 1.0, "a": 2.0}, PARTS), "means has no number for 'cd'"),
    (hierarchy(dict.fromkeys(PARTS, NAN), PARTS), "means has no number for 'base'"),
    (hierarchy(None, PARTS, alpha=2), "alpha=2 must be a number between 0 and 1"),
    (hierarchy(None, PARTS, digits=-1), r"digits=-1 must be a whole number"),
    (lambda: plots.bias_variance_curves([1, 2], [TERMS]), "decompositions has 1 entries, but sizes 2"),
    (lambda: plots.bias_variance_curves([1, 1], [TERMS, TERMS]), "sizes has 1 twice"),
    (
        lambda: plots.bias_variance_curves([1], [SimpleNamespace(error=1, bias=NAN, variance=1)]),
        "decompositions has nan for 'bias'",
    ),
    (
        lambda: plots.draw_bias_variance_curves(plots.bias_variance_curves([1], [TERMS]), plt.subplots(1, 3)[1]),
        "axes has 3 axes, but must be one, or 2",
    ),
    (lambda: plots.kappa_error_diagram({str(n): PAIRS for n in range(11)}), "no more than the 10"),
    (lambda: plots.kappa_error_diagram({"a": (VOTES[:, :1], Y)}), r"ensembles, 'a': .*two or more"),
    (lambda: plots.margin_distribution({}), "ensembles has 0 of them"),
    (lambda: plots.member_weights(CoveyClassifier()), r"model=CoveyClassifier\(\) is not fitted"),
    (lambda: plots.reliability(Y, {}), "probabilities has 0 methods"),
    (lambda: plots.reliability(Y, dict.fromkeys(map(str, range(11)), SURE)), "no more than the 10"),
    (lambda: plots.reliability(Y, {"good": SURE, "bad": SURE[:2]}), r"'bad': probabilities has shape \(2, 2\)"),
    (spaces([]), "spaces is empty"),
    (
        spaces(SPACE, points={"h": RocPoint(0, 1, 5, 100)}),
        r"points\['h'\] is of 5 positive and 100 negative cases, spaces of 100 and 100",
    ),
    (
        spaces(SPACE, points={str(n): POINT for n in range(9)}),
        "points has 9 of them; give no more than the 8 that",
    ),
    (lambda: plots.bias_curve_diagram(CURVES, by="depth"), "by='depth' is unknown"),
    (lambda: plots.weight_curves(LinearRegression()), r"model=LinearRegression\(\) is not fitted"),
    (lambda: plots.weight_curves(PATH, top=0), "top=0 is too small"),
    (lambda: plots.weight_curves(PATH, top=21), "top=21 is more than the 20 that can be told apart"),
    (
        lambda: plots.column_weights(LinearRegression()),
        r"models=LinearRegression\(\) is not fitted; call its fit first",
    ),
    (lambda: plots.column_weights({}), "models has 0 of them"),
    (lambda: plots.column_weights({str(n): model_of([1]) for n in range(MOST_MODELS + 1)}), "give 1 to 6"),
    (
        lambda: plots.column_weights({"a": model_of([1, 1]), "b": model_of([1, 1], "xy")}),
        r"models\['b'\] was trained on columns",
    ),
    (
        lambda: plots.column_weights({"a": model_of([1, 1]), "b": model_of([1])}),
        r"models\['b'\] was trained on columns \['x0'\]",
    ),
    (lambda: plots.column_weights(model_of([1, 1]), top=0), "top=0 is too small"),
    (lambda: plots.size_errors(LinearRegression()), r"model=LinearRegression\(\) is not fitted"),
    (lines(TriskelClassifier()), "not fitted"),
    (
        lambda: lines(LinearSVMClassifier().fit(np.column_stack([CAKE, CAKE[:, 0]]), LAYERS))(),
        "fitted on 3 columns and 2 classes",
    ),
    (lambda: lines(LinearSVMClassifier().fit(CAKE, np.arange(300) % 3))(), "2 columns and 3 classes"),
    (lambda: lines(triskel(), np.where(CAKE > 0.9, np.nan, CAKE))(), "missing or infinite"),
    (lambda: lines(triskel(), y=np.where(LAYERS == 1, 2, 0))(), "class 2"),
    (cover(columns=["dose", "weight"]), r"columns has 'weight', but X has 3 columns: 'dose', 'site', 'age'"),
    (cover(columns=[0, 3]), "columns has 3, but X has 3 columns"),
    (cover(columns=["dose", "site"]), "columns: 'site' is categorical; choose a numeric one"),
    (cover(columns=["dose", 0]), "must be two different columns"),
    (cover(columns="dose"), "columns='dose' must be two different columns, by position or by name"),
    (cover(columns=[0, 1, 2]), "must be two different columns"),
    (cover(CASES.assign(age=[0, NAN, 1, 2, 3])), "columns: 'age' is missing in 1 row; drop them from X and y"),
    (cover(CASES.assign(age=7)), "columns: 'age' goes from 7 to 7, which is no axis; choose another column"),
    (cover(CASES[["dose", "site"]]), "X has 1 numeric column, but a map needs two"),
    (cover(y=ILL[:4]), "inconsistent numbers of samples"),
    (cover(resolution=1), "resolution=1 must be 2 or more"),
    (
        cover(CASES, ILL, SphereCoverClassifier(metric="manhattan")),
        "estimator has metric='manhattan'; circles take one with metric='euclidean'",
    ),
    *(
        (cover(X, y, TRAINED), "X and y are not what estimator was trained on")
        for X, y in (
            (CASES[["dose", "age"]][::-1], ILL),
            (CASES[["dose", "age"]], ILL[::-1]),
            (CASES[["dose", "age"]][:4], ILL[:4]),
        )
    ),
    (cover(CASES[["age", "dose"]], ILL, TRAINED), "columns of X are not those seen"),
    (
        cover(CASES[["dose", "age"]], ILL, TRAINED, columns=[0, 1]),
        r"trained on 2 columns .* leave columns out, or give clone\(estimator\)",
    ),
    (
        lambda: cover(CASES, ILL, SphereCoverClassifier(cover="greedy").fit(CASES, ILL))(),
        r"trained on 3 columns .* train it on two",
    ),
    (
        lambda: plots.draw_cover(plots.cover_map(*make_blobs(60, centers=11, random_state=0))),
        "cover has 11 classes, but only 10 can be told apart; give cover_map the rows",
    ),
    (lambda: plots.tree_layout(SMALL, TOWNS, np.arange(3)), "classes has 3 labels, the tree 2"),
    (lambda: plots.tree_layout(SMALL, TOWNS.take([0]), AB), "schema has 1 columns, but the tree tests column 1"),
    (lambda: plots.tree_layout(SMALL, TOWNS, AB, max_depth=-1), "max_depth=-1 must be a whole number"),
]
WRONG_TYPES = [
    (points([1], [1], ["a"], larger_is_better=1), "larger_is_better=1"),
    (boxes([[1, 2]], larger_is_better=None), "larger_is_better=None"),
    (curves(TAKEN, SCORES, larger_is_better="yes"), "larger_is_better='yes'"),
    (scatter("one", "two", larger_is_better="yes"), "larger_is_better='yes' must be True"),
    (
        lambda: plots.critical_difference_diagram(FRAME),
        "comparison must be a RankComparison, as nemenyi returns it",
    ),
    (lambda: plots.record_map(np.ones((3, 3))), "records must be Records, as win_draw_loss returns them"),
    (lambda: plots.hierarchy_diagram(PARTS), "records must be Records, as win_draw_loss returns them"),
    (hierarchy(None, {"a": ("a",), "bcd": "bcd"}), "parts has 'bcd' for 'bcd', but must have a collection"),
    (lambda: plots.bias_variance_curves([1], [0.5]), "has no 'error'; give what one function"),
    (
        lambda: plots.bias_variance_curves([1, 2], [TERMS, SimpleNamespace(error=1, bias=1)]),
        r"namespace\(error=1, bias=1\), which has no 'variance'",
    ),
    (
        lambda: plots.kappa_error_diagram({"a": (VOTES, Y, np.ones(3))}),
        r"give \(predictions, y\) as a tuple, or KappaError",
    ),
    (lambda: plots.margin_distribution({"a": "x"}), "ensembles has 'x' for 'a'"),
    (spaces([1]), r"spaces=\[1\] is no embedded space; give what embedded_space or nested_spaces"),
    (spaces(3), "is no embedded space"),
    (spaces(SPACE, points=[POINT]), "must be points by name; give a mapping"),
    (
        lambda: plots.bias_curve_diagram([1]),
        r"curves=\[1\] is no BiasCurves; give what covey\.analysis\.bias_curves",
    ),
    (
        lambda: plots.weight_curves(model_of([1, 1, 1])),
        'has no feature_weights_path_; only weights that evolve have a path; fit .* weighting="evolving"',
    ),
    (lambda: plots.weight_curves(PATH, top=2.5), "top=2.5 must be an integer"),
    (lambda: plots.column_weights(FITTED), "has no feature_weights_; give a fitted Random"),
    (lambda: plots.column_weights({"a": "tree"}), r"models\['a'\]='tree' has no feature_weights_"),
    (
        lambda: plots.size_errors(FITTED),
        'has no size_curve_; only a size that was chosen has a curve; fit .* subspace_size="auto"',
    ),
    (
        lambda: plots.size_errors(SimpleNamespace(size_curve_={1: 0.5})),
        "draw them with parameter_curves and draw_parameter",
    ),
    (lambda: lines(C45Classifier().fit(CAKE, LAYERS))(), "must be a fitted TriskelClassifier"),
    (lambda: lines(triskel(C45Classifier(), 1))(), "draws no line"),
    (
        cover(CASES, ILL, C45Classifier()),
        r"estimator must be one like SphereCoverClassifier.*not C45Classifier\(\)",
    ),
]


@pytest.mark.parametrize(("call", "message"), WRONG_VALUES)
def test_wrong_values_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize(("call", "message"), WRONG_TYPES)
def test_wrong_types_are_named(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_matplotlib_is_asked_for(monkeypatch):
    diagram = plots.reliability(Y, SURE, classes=AB)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"Figures need matplotlib: pip install 'covey\[study\]'"):
        plots.draw_reliability(diagram)
