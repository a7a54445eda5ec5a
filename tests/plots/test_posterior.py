"""Posteriors of two methods."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import t as student

from covey.analysis import bayesian_correlated_t, bayesian_signed_rank
from covey.plots import draw_posterior, posterior_diagram
from covey.plots.posterior import CORNERS, MOST_POINTS, SIDES
from plots.drawn import is_on_page, legend_of, line

RNG = np.random.default_rng(0)
FIRST, SECOND = RNG.normal(0.9, 0.02, 30), RNG.normal(0.88, 0.02, 30)
SIZES = {"n_train": 80, "n_test": 20}


def correlated(first=FIRST, second=SECOND, **options):
    return bayesian_correlated_t(first, second, **{**SIZES, "larger_is_better": True, "rope": 0.01, **options})


def test_words():
    posterior = correlated()
    diagram = posterior_diagram(posterior, ("new", "old"))
    assert diagram.title == "Bayesian correlated t-test of 30 pairs of scores"
    better, equal, worse = (f"{chance:.1%}" for chance in diagram.chances)
    assert diagram.description.endswith(
        f"scores. new better: {better}. equivalent (within 0.01): {equal}. old better: {worse}."
    )
    assert posterior_diagram(correlated(rope=0)).verdicts[1].startswith("equivalent: ")


def test_the_density_is_that_of_the_test():
    posterior = correlated()
    ax = draw_posterior(posterior_diagram(posterior, ("new", "old")))
    at, density = line(ax, "density").get_data()
    centred = (at - posterior.mean_difference) / posterior.scale
    np.testing.assert_allclose(density, student.pdf(centred, posterior.degrees_of_freedom) / posterior.scale)
    assert ax.get_xlabel() == "mean difference of scores, new less old"
    assert legend_of(ax) == list(posterior_diagram(posterior, ("new", "old")).verdicts)


@pytest.mark.parametrize("larger_is_better", [True, False])
def test_each_side_has_the_colour_of_the_method_that_is_better_there(larger_is_better):
    ax = draw_posterior(posterior_diagram(correlated(larger_is_better=larger_is_better)))
    right, middle, left = ax.collections
    reaches = [part.get_paths()[0].get_extents() for part in (left, middle, right)]
    assert [reach.x1 for reach in reaches[:2]] == pytest.approx([-0.01, 0.01])
    colours = [tuple(np.round(255 * part.get_facecolor()[0][:3]).astype(int)) for part in (right, middle, left)]
    wanted = [tuple(int(side[place : place + 2], 16) for place in (1, 3, 5)) for side in SIDES]
    assert colours == (wanted if larger_is_better else wanted[::-1])


def test_differences_that_are_all_the_same_are_a_line():
    ax = draw_posterior(posterior_diagram(correlated(np.full(5, 0.75), np.full(5, 0.5))))
    assert line(ax, "density").get_xdata() == [0.25, 0.25]
    assert is_on_page(ax)
    assert is_on_page(draw_posterior(posterior_diagram(correlated(np.ones(5), np.ones(5), rope=0))))


def test_samples_lie_between_the_corners_and_have_the_colour_of_the_nearest():
    posterior = bayesian_signed_rank(FIRST, SECOND, larger_is_better=True, rope=0.01, n_samples=5 * MOST_POINTS)
    ax = draw_posterior(posterior_diagram(posterior))
    points = [np.column_stack(line(ax, f"samples {side}").get_data()) for side in range(3)]
    assert sum(map(len, points)) == MOST_POINTS
    for side, places in enumerate(points):
        distances = np.linalg.norm(places[:, None] - CORNERS, axis=2)
        assert (distances.argmin(axis=1) == side).all()
    assert len(points[0]) > len(points[2])


def test_what_is_refused():
    with pytest.raises(TypeError, match=r"is no posterior; give what covey\.analysis\.bayesian_correlated_t or"):
        posterior_diagram(0.9)
    with pytest.raises(ValueError, match="must be two, the first method's and the second's"):
        posterior_diagram(correlated(), ("one", "two", "three"))
