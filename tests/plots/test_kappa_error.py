"""Kappa-error diagrams."""

from __future__ import annotations

import numpy as np
import pytest

from covey.analysis.diversity import KappaError, kappa_error_points
from covey.plots.members import MOST_OF_ONE, draw_kappa_error, kappa_error_diagram, thin
from plots.drawn import extents, is_on_page, legend_of, line, overlapping, save

Y = np.array(list("aabb"))
VOTES = np.array([list("aab"), list("aba"), list("bbb"), list("bbb")])


def cloud(count, seed=0, middle=(0.5, 0.2)):
    """A cloud as long and narrow as real ones are."""
    rng = np.random.default_rng(seed)
    kappa = rng.normal(middle[0], 0.1, count)
    error = middle[1] - 0.4 * (kappa - middle[0]) + rng.normal(0, 0.01, count)
    return KappaError(kappa, error, np.zeros(count, dtype=np.intp), np.arange(count))


def test_points_are_those_of_the_analysis():
    expected = kappa_error_points(VOTES, Y)
    codes = (VOTES == "b").astype(int)
    for given in (expected, (VOTES, Y), {"ensemble": expected}):
        diagram = kappa_error_diagram(given)
        assert diagram.ensembles["ensemble"].kappa.tolist() == expected.kappa.tolist()
    diagram = kappa_error_diagram({"x": (codes, Y)}, classes=["a", "b"])
    assert diagram.ensembles["x"].kappa.tolist() == expected.kappa.tolist()
    # Members 0 and 1 disagree on one case of four: observed 3/4, by chance (2*1 + 2*3)/16 = 1/2; kappa 1/2.
    assert diagram.ensembles["x"].kappa[0] == pytest.approx(0.5)
    assert diagram.ensembles["x"].error[0] == pytest.approx((0 + 1 / 4) / 2)
    assert diagram.centroids["x"] == pytest.approx((expected.kappa.mean(), expected.error.mean()))


def test_in_words():
    diagram = kappa_error_diagram({"few": cloud(10), "many": cloud(5000)})
    few, many = (found.kappa.mean() for found in diagram.ensembles.values())
    assert diagram.title == "Kappa-error diagram"
    assert f"few: mean kappa {few:.3g}, mean error" in diagram.description
    assert "of 10 pairs. many" in diagram.description
    drawn = len(diagram.shown["many"])
    assert f"many: mean kappa {many:.3g}" in diagram.description
    assert f"of 5,000 pairs, of which {drawn:,} are shown." in diagram.description
    assert "of 1 pair." in kappa_error_diagram(cloud(1)).description


def test_a_sample_of_a_large_cloud_is_like_it():
    found = cloud(100_000)
    chosen = thin(found, 1000)
    assert len(set(chosen.tolist())) == len(chosen)
    assert 990 <= len(chosen) <= 1000
    for values in (found.kappa, found.error):
        some = values[chosen]
        assert (some.min(), some.max()) == (values.min(), values.max())
        assert some.mean() == pytest.approx(values.mean(), abs=0.05 * values.std())
        assert some.std() == pytest.approx(values.std(), rel=0.1)
        quartiles = [0.25, 0.5, 0.75]
        np.testing.assert_allclose(
            np.quantile(some, quartiles), np.quantile(values, quartiles), atol=0.15 * values.std()
        )
    assert thin(cloud(7), 10).tolist() == list(range(7))


def test_the_outline_holds_three_quarters():
    found = cloud(20_000)
    kappa, error, density, level = kappa_error_diagram(found).density("ensemble")
    assert density.sum() == pytest.approx(1, abs=0.01)
    assert density[density >= level].sum() == pytest.approx(0.75, abs=0.02)
    # The grid is where the points are: the mean of the density is theirs.
    assert (kappa * density).sum() == pytest.approx(found.kappa.mean(), abs=0.002)
    assert (error * density).sum() == pytest.approx(found.error.mean(), abs=0.002)


def test_no_outline_of_few_pairs_or_of_a_line():
    assert kappa_error_diagram(cloud(99)).density("ensemble") is None
    flat = cloud(200)
    for error in (np.full(200, 0.25), 1 - flat.kappa):
        diagram = kappa_error_diagram(KappaError(flat.kappa, error, flat.first, flat.second))
        assert diagram.density("ensemble") is None
        save(draw_kappa_error(diagram))


def test_what_is_drawn():
    diagram = kappa_error_diagram({"_few": cloud(20), "$many": cloud(3000, middle=(0.8, 0.1))})
    ax = draw_kappa_error(diagram)
    few = diagram.ensembles["_few"]
    np.testing.assert_allclose(line(ax, "_few").get_xydata(), np.stack([few.kappa, few.error], axis=1))
    assert len(line(ax, "$many").get_xdata()) == len(diagram.shown["$many"]) <= MOST_OF_ONE
    for name, centroid in diagram.centroids.items():
        assert tuple(line(ax, f"middle of {name}").get_xydata()[0]) == centroid
        assert line(ax, f"middle of {name}").get_marker() == line(ax, name).get_marker()
    assert line(ax, "_few").get_marker() != line(ax, "$many").get_marker()
    assert len(ax.collections) == 1
    kappa, error = diagram.centroids["_few"]
    assert "pairs shown" in legend_of(ax)[1]
    assert legend_of(ax)[2:] == ["large: mean of all pairs", "around 75% of pairs"]
    assert legend_of(ax)[0] == f"_few\nκ {kappa:.3g}, error {error:.3g}"
    assert ax.get_ylabel() == "mean error of the pair"
    assert ax.get_legend().get_window_extent().x0 >= ax.bbox.x1


def test_all_pairs_are_inside():
    found = cloud(5000)
    ax = draw_kappa_error(kappa_error_diagram(found))
    for (low, high), values in ((ax.get_xlim(), found.kappa), (ax.get_ylim(), found.error)):
        assert low < values.min() < values.max() < high
        assert high - low < 1.2 * np.ptp(values)


def test_large_clouds_make_small_files():
    ax = draw_kappa_error(kappa_error_diagram({str(seed): cloud(125_000, seed) for seed in range(6)}))
    assert len(save(ax)) < 1_500_000


@pytest.mark.parametrize("count", [1, 2])
def test_one_pair(count):
    ax = draw_kappa_error(kappa_error_diagram({str(number): cloud(1, number) for number in range(count)}))
    assert is_on_page(ax)
    save(ax)


def test_perfect_members_have_axes_without_impossible_numbers():
    ax = draw_kappa_error(kappa_error_diagram((np.repeat([[0], [1]], 4, axis=1), [0, 1])))
    ax.figure.canvas.draw()
    for axis, least, most in ((ax.xaxis, -1, 1), (ax.yaxis, 0, 1)):
        low, high = axis.get_view_interval()
        ticks = [tick for tick in axis.get_majorticklocs() if low <= tick <= high]
        assert all(least - 1e-9 <= tick <= most + 1e-9 for tick in ticks)
    assert not overlapping(extents(ax.get_xticklabels()))
    assert "around 75% of pairs" not in legend_of(ax)
