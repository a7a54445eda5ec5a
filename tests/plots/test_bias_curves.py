"""Bias curves, drawn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVC

from covey.analysis.roc import bias_curves
from covey.datasets import make_layered_cake
from covey.plots.roc import bias_curve_diagram, draw_bias_curves, plot_bias_curves
from plots.drawn import extents, is_on_page, line, names_of, overlapping, save

Y, BASE = [-1, -1, 1, -1, 1, 1], [-1, -1, -1, 1, 1, 1]


def by_hand():
    plus = {0.1: [-1, -1, -1, -1, 1, 1], 0.4: [-1] * 6}
    return bias_curves(Y, BASE, plus, {0.2: [-1, -1, 1, 1, 1, 1], 0.4: [1] * 6})


def thresholds(n_strengths, seed=0):
    """Curves of one noisy score with many thresholds."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 200)
    score = y + rng.normal(0, 1, 200)
    steps = np.linspace(0, 3, n_strengths + 1)[1:]
    plus = {float(step): (score > 0.5 + step).astype(int) for step in steps}
    return bias_curves(y, (score > 0.5).astype(int), plus, {step: (score > 0.5 - step).astype(int) for step in plus})


def mark(ax, text):
    (found,) = line(ax, f"mark {text}").get_xydata().tolist()
    return found


def test_what_is_drawn():
    """Figure 4: the six cases of a layered cake."""
    diagram = bias_curve_diagram(by_hand())
    ax = draw_bias_curves(diagram)
    third = 1 / 3
    np.testing.assert_allclose(line(ax, "plus").get_xydata(), [[third, 2 / 3], [0, 2 / 3], [0, 0]])
    np.testing.assert_allclose(line(ax, "minus").get_xydata(), [[third, 2 / 3], [third, 1], [1, 1]])
    np.testing.assert_allclose(line(ax, "hull").get_xydata(), [[0, 0], [0, 2 / 3], [third, 1], [1, 1]])
    np.testing.assert_allclose(line(ax, "chord").get_xydata(), [[0, 2 / 3], [third, 1]])
    np.testing.assert_allclose(line(ax, "line").get_xydata(), [[0, third], [2 / 3, 1]], atol=1e-12)
    assert mark(ax, "h: accuracy 0.667") == pytest.approx([third, 2 / 3])
    assert mark(ax, "h⁺: bias 0.1") == pytest.approx([0, 2 / 3])
    assert mark(ax, "h⁻: bias 0.2") == pytest.approx([third, 1])
    assert mark(ax, "random arbiter: 0.833") == pytest.approx([third / 2, 5 / 6])
    assert mark(ax, "h reversed: 1.000") == pytest.approx([0, 1])
    written = [text.get_text() for text in names_of(ax)]
    assert written.count("0.4") == 2
    assert len(written) == 7
    (area,) = (one for one in ax.patches if one.get_label() == "_concavity")
    assert area.contains_point(ax.transData.transform((0.2, 0.75)))
    assert not area.contains_point(ax.transData.transform((0.4, 0.6)))
    assert (ax.get_title(), ax.get_label()) == (diagram.title, diagram.description)


def test_in_words():
    assert bias_curve_diagram(by_hand()).description == (
        "Bias curves in ROC space, false positive rate first: from h at (0.333, 0.667), accuracy 0.667, h+ to (0, 0) "
        "at a bias of 0.4 and h- to (1, 1) at a bias of 0.4. Best pair: h+ biased by 0.1, h- by 0.2; accuracy 0.833 "
        "with a random arbiter, 1 with h reversed on hard cases. The curves lie up to 0.167 in accuracy beneath their "
        "convex hull."
    )


def test_another_pair():
    ax = plot_bias_curves(by_hand(), symmetric=True)
    assert mark(ax, "h⁺: bias 0.4") == [0, 0]
    assert mark(ax, "h⁻: bias 0.4") == [1, 1]


def test_few_strengths_are_written_and_apart():
    curves = thresholds(60)
    diagram = bias_curve_diagram(curves)
    for curve in (curves.plus, curves.minus):
        told = diagram.told(curve, [curves.base.xy])
        assert 0 < len(told) <= 5
        at = np.array([curves.base.xy, *(curve.point(place).xy for place in told)])
        gaps = np.hypot(*(at[:, None] - at).transpose(2, 0, 1)) + 9 * np.eye(len(at))
        assert gaps.min() > 0.09


@pytest.mark.slow
@pytest.mark.parametrize("n_strengths", [1, 5, 60])
def test_nothing_is_cut_off(n_strengths):
    ax = plot_bias_curves(thresholds(n_strengths))
    assert is_on_page(ax)
    assert not overlapping(extents(names_of(ax)))


def test_curves_that_do_not_move():
    save(plot_bias_curves(bias_curves(Y, BASE, {0.1: BASE}, {0.1: BASE})))
    save(plot_bias_curves(bias_curves(Y, Y, {0.1: Y}, {0.1: Y})))


def test_fitted_separators_of_the_layered_cake():
    X, y = make_layered_cake(300, noise=0.1, random_state=0)
    model = SVC(kernel="linear", C=1)

    def biased_to(label, share):
        weights = {label: 1 - share, 1 - label: 1.0}
        return SVC(kernel="linear", C=1, class_weight=weights).fit(X, y).predict(X)

    base = model.fit(X, y).predict(X)
    curves = bias_curves(y, base, *({share: biased_to(label, share) for share in (0.3, 0.5, 0.7)} for label in (1, 0)))
    ax = plot_bias_curves(curves)
    assert is_on_page(ax)
    assert not overlapping(extents(names_of(ax)))
    assert f"h: accuracy {np.mean(base == y):.3f}" in {text.get_text() for text in names_of(ax)}
