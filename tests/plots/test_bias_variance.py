"""Bias and variance against the size of subspaces."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib import pyplot as plt

from covey.analysis.bias_variance import domingos, kohavi_wolpert, kong_dietterich, squared_loss
from covey.plots.parameter import bias_variance_curves, draw_bias_variance_curves
from plots.drawn import extents, line, names_of, overlapping

SIZES = [4, 1, 2]
VARIANCES = ("net_variance", "unbiased_variance", "biased_variance")


def repeats(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, 30)
    return np.where(rng.random((20, 30)) < 0.4 + 0.1 * seed, y, rng.integers(0, 3, (20, 30))), y


DOMINGOS = bias_variance_curves(SIZES, [domingos(*repeats(size)) for size in SIZES])


def test_terms_are_those_of_the_decompositions():
    found = [domingos(*repeats(size)) for size in sorted(SIZES)]
    assert DOMINGOS.sizes.tolist() == [1, 2, 4]
    assert dict(DOMINGOS.panels) == {"average error and bias": ("error", "bias"), "variance": VARIANCES}
    for term in ("error", "bias", *VARIANCES):
        assert DOMINGOS.terms[term].tolist() == [getattr(one, term) for one in found]
    np.testing.assert_allclose(
        DOMINGOS.terms["error"], DOMINGOS.terms["bias"] + DOMINGOS.terms["net_variance"], atol=1e-12
    )
    assert DOMINGOS.best == int(DOMINGOS.terms["error"].argmin())


@pytest.mark.parametrize("decompose", [kohavi_wolpert, kong_dietterich])
def test_other_decompositions_have_one_panel(decompose):
    curves = bias_variance_curves(SIZES, [decompose(*repeats(size)) for size in SIZES])
    assert dict(curves.panels) == {"bias and variance": ("error", "bias", "variance")}
    (ax,) = draw_bias_variance_curves(curves)
    assert {text.get_text().split("\n")[0] for text in names_of(ax)} == {"average error", "bias", "variance"}


def test_noise_is_shown_where_there_is_some():
    numbers = np.array([[1.0, 4.0], [3.0, 4.0]])
    noisy = [squared_loss(numbers, [2.0, 2.0], optimal=[2.0, 1.0]), squared_loss(numbers, [2.0, 2.0])]
    curves = bias_variance_curves([1, 2], noisy)
    assert curves.panels["bias and variance"] == ("error", "bias", "variance", "noise")
    assert curves.terms["noise"].tolist() == [0.5, 0]
    assert "noise" not in bias_variance_curves([1, 2], noisy[1:] * 2).terms


def test_anything_with_the_attributes_will_do():
    own = SimpleNamespace(error=0.3, bias=0.2, net_variance=0.1, unbiased_variance=0.15, biased_variance=0.05)
    curves = bias_variance_curves([5], [own], parameter="depth")
    assert curves.title == "Bias and variance against depth"
    assert curves.description == (
        "Bias and variance against depth, from 5 to 5: average error from 0.3 to 0.3, bias from 0.2 to 0.2, "
        "net variance from 0.1 to 0.1, unbiased variance from 0.15 to 0.15, biased variance from 0.05 to 0.05; "
        "least average error 0.3 at 5."
    )


def test_two_panels():
    left, right = draw_bias_variance_curves(DOMINGOS)
    assert (left.get_title(), right.get_title()) == ("Average error and bias", "Variance")
    assert left.get_label() == right.get_label() == DOMINGOS.description
    assert left.get_xlabel() == right.get_xlabel() == "subspace size"
    assert left.get_ylabel() == right.get_ylabel() == "expected loss"
    assert line(left, "bias").get_ydata().tolist() == DOMINGOS.terms["bias"].tolist()
    assert line(right, "net variance").get_ydata().tolist() == DOMINGOS.terms["net_variance"].tolist()
    best = DOMINGOS.sizes[DOMINGOS.best], DOMINGOS.terms["error"][DOMINGOS.best]
    assert tuple(line(left, "best of average error").get_xydata()[0]) == best
    # The five terms look different, wherever they are.
    shown = [line(left, "average error"), line(left, "bias")]
    shown += [line(right, name) for name in ("net variance", "unbiased variance", "biased variance")]
    assert len({drawn.get_color() for drawn in shown}) == len({drawn.get_marker() for drawn in shown}) == 5
    for ax in (left, right):
        assert not overlapping(extents(names_of(ax)))
    assert not overlapping([left.get_tightbbox(), right.get_tightbbox()])


def test_one_panel_for_all_and_titles():
    (ax,) = draw_bias_variance_curves(DOMINGOS, plt.subplots()[1], title="Wine")
    assert ax.get_title() == "Wine: average error and bias, variance"
    assert len(names_of(ax)) == 5
    left, right = draw_bias_variance_curves(DOMINGOS, plt.subplots(1, 2)[1], title="")
    assert (left.get_title(), right.get_title()) == ("", "")
    assert (left.get_ylabel(), right.get_ylabel()) == ("average error and bias", "variance")


def test_a_negative_variance_is_seen_below_a_line():
    wrong = SimpleNamespace(error=0.3, bias=0.5, net_variance=-0.2, unbiased_variance=0.1, biased_variance=0.3)
    left, right = draw_bias_variance_curves(bias_variance_curves([1, 2], [wrong, wrong]))
    level = [drawn for drawn in right.lines if list(drawn.get_ydata()) == [0, 0]]
    assert len(level) == 1
    assert not [drawn for drawn in left.lines if list(drawn.get_ydata()) == [0, 0]]


def test_errors_that_differ_by_rounding_are_equal():
    found = [SimpleNamespace(error=error, bias=0.1, variance=0.2) for error in (0.1 + 0.2, 0.3)]
    assert bias_variance_curves([1, 2], found).best == 0
