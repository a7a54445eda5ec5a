"""What holds for every figure, with an example of each at its default size."""

from __future__ import annotations

import inspect
import io
import pickle
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from covey import LinearSVMClassifier, SphereCoverClassifier, plots
from covey.analysis import (
    KappaError,
    Margins,
    RocPoint,
    bayesian_correlated_t,
    bayesian_signed_rank,
    bias_curves,
    embedded_space,
    friedman,
    reliability_bins,
    staged_errors,
    win_draw_loss,
)
from covey.analysis.diagnostics import ScoreCurve
from covey.ensemble.size_choice import SizeCurve
from plots.drawn import is_on_page, overlapping, save

# Names as they are: none is a formula, and none is left out.
STRANGE = ["$x_{", "_hidden", "two\nlines", "x" * 80]
SCORES = dict(zip(STRANGE, np.random.default_rng(0).random((4, 12)) + np.arange(4)[:, None] / 3, strict=True))
WORDS = {"metric": "accuracy_$", "larger_is_better": True}
RECORDS = win_draw_loss(SCORES, larger_is_better=True)
RANKS = friedman(SCORES, larger_is_better=True).nemenyi()
VOTES = (np.random.default_rng(0).integers(0, 2, (40, 9)), np.random.default_rng(1).integers(0, 2, 40))
PAIRS = KappaError(*np.random.default_rng(0).random((2, 200)), np.zeros(200, dtype=np.intp), np.arange(200))
MARGINS = Margins(np.linspace(-0.5, 1, 30))
STAGES = staged_errors(*VOTES)
CURVES = bias_curves([0, 0, 1, 0, 1, 1], [0, 0, 0, 1, 1, 1], {0.1: [0, 0, 0, 0, 1, 1]}, {0.2: [0, 0, 1, 1, 1, 1]})
SPACE = embedded_space(RocPoint(0.1, 0.4, 9, 9), RocPoint(0.6, 0.9, 9, 9))
WEIGHTS = np.random.default_rng(0).random((30, 4)).cumsum(axis=0)
MODEL = SimpleNamespace(
    feature_weights_path_=WEIGHTS,
    feature_weights_=WEIGHTS[-1],
    n_features_in_=4,
    schema_=SimpleNamespace(names=tuple(STRANGE)),
)
SIZES = SizeCurve(np.array([1, 2, 4]), np.array([0.5, 0.25, 0.375]), np.array([0.1, 0.05, 0.1]), 2, "minimum")
X, Y = np.random.default_rng(0).random((30, 2)), np.arange(30) % 2
COMBINED = SimpleNamespace(
    classes_=[0, 1],
    member_scores_=pd.DataFrame(
        {
            "weight": [0.7, 0.3, 0, 0],
            "accuracy": [0.9, 0.8, 0.4, np.nan],
            "log loss": [0.2, 0.4, 3.0, np.nan],
            "disagreement": [0.1, 0.2, 0.6, np.nan],
            "left out": ["", "", "weak", "no time"],
        },
        index=STRANGE,
    ),
)
SHARES = np.random.default_rng(0).dirichlet([1, 1], 30)
BINS = reliability_bins(Y, SHARES)
LATTICE = {name: STRANGE[:size] for size, name in enumerate(STRANGE)}
TERMS = [SimpleNamespace(error=0.4, bias=0.1, net_variance=0.3, unbiased_variance=0.4, biased_variance=0.1)] * 2

DIFFER = np.random.default_rng(0).random((2, 12))
SIGNED_RANKS = bayesian_signed_rank(*DIFFER, larger_is_better=True, rope=0.1, n_samples=100)
MEANS = bayesian_correlated_t(*DIFFER, n_train=2, n_test=1, larger_is_better=True, rope=0.1)
RISING = (np.linspace(0, 1, 9), np.linspace(0, 1, 9) ** 0.3)
RESIDUAL = np.random.default_rng(0).normal(size=(2, 50))

# What makes the data of each figure.
MADE = {
    "draw_critical_difference": lambda: plots.critical_difference_diagram(RANKS),
    "draw_hierarchy": lambda: plots.hierarchy_diagram(RECORDS, None, LATTICE),
    "draw_record_map": lambda: plots.record_map(RECORDS),
    "draw_method_scatter": lambda: plots.method_scatter(SCORES, *STRANGE[:2], larger_is_better=True),
    "draw_score_boxes": lambda: plots.score_boxes(SCORES, **WORDS),
    "draw_accuracy_time": lambda: plots.accuracy_time(range(4), [1, 3, 20, 9], STRANGE, **WORDS),
    "draw_method_intervals": lambda: plots.method_intervals(range(4), [-1] * 4, [9] * 4, STRANGE, **WORDS),
    "draw_posterior": lambda: plots.posterior_diagram(SIGNED_RANKS, STRANGE[2:]),
    "draw_method_curves": lambda: plots.method_curves(Y, dict.fromkeys(STRANGE, SHARES), n_samples=20),
    "draw_parameter_curves": lambda: plots.parameter_curves(range(12), SCORES, parameter="$p", **WORDS),
    "draw_bias_variance_curves": lambda: plots.bias_variance_curves([1, 2], TERMS),
    "draw_kappa_error": lambda: plots.kappa_error_diagram(dict.fromkeys(STRANGE, PAIRS)),
    "draw_margins": lambda: plots.margin_distribution(dict.fromkeys(STRANGE, MARGINS)),
    "draw_staged_error": lambda: plots.staged_error(dict.fromkeys(STRANGE, VOTES)),
    "draw_member_weights": lambda: plots.member_weights(COMBINED),
    "draw_reliability": lambda: plots.reliability(Y, dict.fromkeys(STRANGE, SHARES)),
    "draw_confusion": lambda: plots.confusion_map(np.arange(16).reshape(4, 4), STRANGE),
    "draw_class_curves": lambda: plots.class_curves([ScoreCurve(name, *RISING, 0.5, 0.3) for name in STRANGE], "roc"),
    "draw_residuals": lambda: plots.residuals(*RESIDUAL),
    "draw_residual_bars": lambda: plots.residual_bars(*RESIDUAL),
    "draw_importances": lambda: plots.column_importances(STRANGE, [3, 1, 2, -1], [1, 1, 1, 1], metric="accuracy_$"),
    "draw_dependence": lambda: plots.dependence("$x_{", STRANGE, np.eye(4), outputs=STRANGE, what="mean probability"),
    "draw_weight_curves": lambda: plots.weight_curves(MODEL),
    "draw_column_weights": lambda: plots.column_weights({"$a": MODEL, "_b": MODEL}),
    "draw_size_errors": lambda: plots.size_errors(SIZES),
    "draw_roc_spaces": lambda: plots.roc_space_diagram(SPACE, points={"$h_{": RocPoint(0.4, 0.6, 9, 9)}),
    "draw_bias_curves": lambda: plots.bias_curve_diagram(CURVES),
    "draw_separators": lambda: plots.separator_map(LinearSVMClassifier().fit(X, Y), X, Y),
    "draw_cover": lambda: plots.cover_map(X, Y, SphereCoverClassifier(random_state=0)),
}


def drawn(name, *given, **options):
    """The data of a figure, and the axes that it is drawn in."""
    data = MADE[name]()
    return data, np.ravel(getattr(plots, name)(data, *given, **options))


def test_every_figure_has_an_example():
    assert {*MADE, "draw_tree"} == {name for name in plots.__all__ if name.startswith("draw_")}


@pytest.mark.parametrize("name", MADE)
def test_a_new_figure_is_whole_and_says_what_it_shows(name):
    data, axes = drawn(name)
    for ax in axes:
        assert is_on_page(ax)
        assert ax.get_label() == data.description
    if name != "draw_bias_variance_curves":
        assert " ".join(axes[0].get_title().split()) == " ".join(data.title.split())
    with plt.rc_context({"svg.hashsalt": "covey"}):
        pages = [save(drawn(name)[1][0]) for _ in range(2)]
    assert pages[0] == pages[1]
    pickle.loads(pickle.dumps(axes[0].figure)).savefig(io.BytesIO())
    assert drawn(name, title="")[1][0].get_title() == ""


@pytest.mark.parametrize("name", MADE)
def test_only_what_its_maker_made_is_drawn(name):
    draw = getattr(plots, name)
    with pytest.raises(TypeError, match=r"=5 is no \w+; give what covey\.plots\.\w+ returns"):
        draw(5)
    documented = inspect.getdoc(draw)
    assert all(f"\n{parameter} : " in documented for parameter in inspect.signature(draw).parameters)


@pytest.mark.parametrize("layout", [None, "constrained"])
@pytest.mark.parametrize("name", MADE)
def test_panels_of_a_figure_do_not_overlap_and_drawing_again_changes_nothing(name, layout):
    figure, (ax, other) = plt.subplots(1, 2, figsize=(14, 6), layout=layout)
    widths = []
    for _ in range(2):
        ax.clear()
        assert drawn(name, ax)[1][0] is ax
        drawn(name, other)
        figure.canvas.draw()
        widths.append(ax.get_position().width)
        assert not overlapping([ax.get_tightbbox(), other.get_tightbbox()], slack=2)
        assert is_on_page(ax)
        other.clear()
    assert widths[0] == pytest.approx(widths[1], rel=0.02)
    assert len(plt.get_fignums()) == 1


RESULTS = [RANKS, RECORDS, PAIRS, MARGINS, STAGES, BINS, CURVES, SPACE, SIGNED_RANKS, MEANS]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: type(r).__name__)
def test_results_of_the_analysis_plot_themselves(result):
    ax = result.plot()
    assert ax.get_title()
    assert is_on_page(ax)
    assert result.plot(plt.subplots()[1], title="mine").get_title() == "mine"


@pytest.mark.parametrize("name", [name for name in plots.__all__ if name.startswith("plot_")])
def test_functions_that_do_both_say_what_they_take(name):
    documented = inspect.getdoc(getattr(plots, name))
    for parameter in inspect.signature(getattr(plots, name)).parameters:
        assert parameter in documented.split("Parameters")[1]


def test_importing_figures_loads_neither_numba_nor_matplotlib():
    names = [name for name in plots.__all__ if name.startswith("draw_")]
    code = f"import sys; from covey.plots import {', '.join(names)}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"numba", "matplotlib", "covey.ensemble"} & set(loaded)
