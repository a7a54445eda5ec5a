"""Maps of sphere covers, on cases placed by hand."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from sklearn.base import clone
from sklearn.datasets import make_blobs, make_moons

from covey import SphereCoverClassifier
from covey.plots.cover import COLOURS, MARKERS, cover_map, draw_cover
from plots.drawn import is_on_page, legend_of, line

# Scaled, the corners of squares of a quarter: three cases of one class at the origin, two of another at the right.
X = pd.DataFrame({"dose": [10.0, 20, 10, 50, 50], "site": list("uvuvu"), "age": [0.0, 0, 1, 0, 4]})
Y = np.array(["ill", "ill", "ill", "well", "well"])
GREEDY = SphereCoverClassifier(cover="greedy")
PICKY = SphereCoverClassifier(3, cover="greedy")


def moons(n_cases=100, scale=(30, 4)):
    points, y = make_moons(n_cases, noise=0.25, random_state=1)
    return points * scale, y


def circles(ax, name="sphere"):
    """The outlines of spheres of one kind, in pixels."""
    (drawn,) = (collection for collection in ax.collections if collection.get_label() == f"_{name}")
    return [path.transformed(ax.transData).get_extents() for path in drawn.get_paths()]


def marked(ax, name):
    return line(ax, name).get_xydata().tolist()


def test_a_cover_worked_by_hand():
    cover = cover_map(X, Y, GREEDY)
    assert cover.names == ("dose", "age")
    assert cover.classes == ("ill", "well")
    np.testing.assert_allclose(cover.points, [[0, 0], [0.25, 0], [0, 0.25], [1, 0], [1, 1]])
    assert cover.codes.tolist() == [0, 0, 0, 1, 1]
    assert cover.spheres.rows.tolist() == [0, 4]
    assert cover.spheres.codes.tolist() == [0, 1]
    np.testing.assert_allclose(cover.spheres.centers, [[0, 0], [1, 1]])
    np.testing.assert_allclose(cover.spheres.radii, [1, 1.25])
    assert cover.sizes.tolist() == [3, 2]
    assert cover.borders.tolist() == [1, 3]
    assert len(cover.uncovered) == len(cover.dropped) == 0
    assert cover.accuracy == 1
    np.testing.assert_allclose(cover.origin, [10, 0])
    np.testing.assert_allclose(cover.span, [40, 4])
    np.testing.assert_allclose(cover.ranges, [[7.6, 52.4], [-0.24, 4.24]])


def test_spheres_that_were_dropped():
    cover = cover_map(X, Y, PICKY)
    assert cover.spheres.rows.tolist() == [0]
    assert cover.dropped.rows.tolist() == [3, 4]
    np.testing.assert_allclose(cover.dropped.radii, [0.75, 1.25])
    np.testing.assert_allclose(cover.dropped.centers, [[1, 0], [1, 1]])
    assert cover.dropped.codes.tolist() == [1, 1]
    assert cover.uncovered.tolist() == [3, 4]
    assert cover.accuracy == 0.6
    assert (cover.region == 0).all()


def test_title_and_description():
    assert cover_map(X, Y, GREEDY).title == "2 spheres for 5 cases; alpha = 1"
    assert cover_map(X, Y, PICKY).title == "1 sphere for 5 cases, 2 dropped; alpha = 3"
    beta = cover_map(X, Y, SphereCoverClassifier(1, cover="greedy", max_enemies=1))
    assert beta.title.endswith("alpha = 1, beta = 1")
    assert cover_map(X, Y, PICKY).description == (
        "Sphere cover of dose and age: 1 sphere for 5 cases, 2 dropped; alpha = 3. Classes: ill, well. "
        "2 cases in no sphere; 60% of all get their own class."
    )


@pytest.mark.parametrize("scale", [(30, 4), (1, 9)])
@pytest.mark.parametrize("scaled", [True, False])
def test_regions_are_what_the_classifier_says(scaled, scale):
    points, y = moons(scale=scale)
    model = SphereCoverClassifier(3, scale=scaled, random_state=0).fit(points, y)
    cover = cover_map(points, y, model, resolution=40)
    assert max(cover.region.shape) == 40
    assert cover.region.shape == cover.inside.shape
    x, y = (
        low + (high - low) * (np.arange(n) + 0.5) / n
        for (low, high), n in zip(cover.ranges, cover.region.shape[::-1], strict=True)
    )
    pixels = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    np.testing.assert_array_equal(cover.region.ravel(), model.predict(pixels))
    np.testing.assert_array_equal(cover.inside.ravel(), model.explain(pixels)["rule"] == "inside")
    assert 0 < cover.inside.mean() < 1


def test_columns_by_name_and_by_position():
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(30, 4)), columns=list("abcd"))
    y = np.arange(30) % 2
    by_name = cover_map(frame, y, GREEDY, columns=["d", "b"])
    assert by_name.names == ("d", "b")
    for data, columns in ((frame, (3, 1)), (frame, ("d", 1)), (frame.to_numpy(), np.array([3, 1]))):
        other = cover_map(data, y, GREEDY, columns=columns)
        np.testing.assert_array_equal(other.points, by_name.points)
        np.testing.assert_array_equal(other.region, by_name.region)
    np.testing.assert_allclose(by_name.in_units(by_name.points), frame[["d", "b"]])
    assert cover_map(frame.to_numpy(), y).names == ("x0", "x1")


def test_the_estimator_is_left_alone_and_the_default_is_not_random():
    model = SphereCoverClassifier(2)
    cover_map(X, Y, model)
    assert not hasattr(model, "centers_")
    points, y = moons()
    one, other = cover_map(points, y), cover_map(points, y, SphereCoverClassifier(random_state=0))
    np.testing.assert_array_equal(one.spheres.rows, other.spheres.rows)


def test_a_trained_classifier_is_shown_as_it_is():
    data = X[["dose", "age"]]
    # Without its fourth case the first sphere reaches to the fifth.
    model = clone(GREEDY).fit(data, Y, sample_weight=[1, 1, 1, 0, 1])
    cover = cover_map(data, Y, model)
    np.testing.assert_allclose(cover.spheres.radii, model.radii_)
    np.testing.assert_allclose(cover.spheres.radii[0], np.sqrt(2))


def test_every_sphere_is_a_circle_on_screen():
    points, y = moons()
    cover = cover_map(points, y, SphereCoverClassifier(4, random_state=0))
    ax = draw_cover(cover)
    ax.figure.canvas.draw()
    assert len(circles(ax)) == len(cover.spheres) > 3
    assert len(circles(ax, "dropped sphere")) == len(cover.dropped) > 3
    for circle in circles(ax) + circles(ax, "dropped sphere"):
        assert circle.width == pytest.approx(circle.height)
    unit = ax.transData.transform(cover.in_units(np.array([[0.0, 0], [1, 0]])))
    assert circles(ax)[0].width == pytest.approx(2 * cover.spheres.radii[0] * np.diff(unit[:, 0])[0])


def test_cases_are_drawn_in_the_units_of_the_data():
    ax = draw_cover(cover_map(X, Y, PICKY))
    assert marked(ax, "ill") == [[10, 0], [20, 0], [10, 1]]
    assert marked(ax, "well") == marked(ax, "uncovered case") == [[50, 0], [50, 4]]
    assert marked(ax, "centre") == [[10, 0]]
    assert marked(ax, "border case") == [[50, 0]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("dose", "age")
    ax.figure.canvas.draw()
    assert {"10", "50"} <= {text.get_text() for text in ax.get_xticklabels()}
    assert ax.get_xlim() == pytest.approx((7.6, 52.4))


def test_what_can_be_left_out():
    cover = cover_map(X, Y, PICKY)
    ax = draw_cover(cover)
    assert len(ax.images) == 1
    assert ax.get_title() == cover.title
    common = ["ill", "well", "centre", "border case", "uncovered case", "sphere"]
    assert legend_of(ax) == [*common, "dropped sphere", "outside all spheres"]
    plain = draw_cover(cover, regions=False, pruned=False, title="")
    assert not plain.images
    assert plain.get_title() == ""
    assert legend_of(plain) == common
    assert len(plain.collections) == 1


def test_regions_are_paler_outside_of_all_spheres():
    cover = cover_map(*moons(), SphereCoverClassifier(4, random_state=0))
    (image,) = draw_cover(cover).images
    shade = image.get_array()[..., :3].mean(axis=-1)
    for code in (0, 1):
        own = cover.region == code
        assert shade[own & ~cover.inside].min() > shade[own & cover.inside].max()


def test_one_class_is_a_region_without_a_circle():
    cover = cover_map(X, np.zeros(5))
    assert np.isinf(cover.spheres.radii).all()
    assert cover.inside.all()
    ax = draw_cover(cover)
    ax.figure.savefig(io.BytesIO())
    assert circles(ax) == []
    assert cover.title == "1 sphere for 5 cases; alpha = 1"


def test_a_sphere_without_a_radius_is_a_centre_alone():
    twins = np.array([[0, 0], [0, 0], [1, 1.0]])
    ax = draw_cover(cover_map(twins, [0, 1, 1], GREEDY))
    assert len(circles(ax)) == 1
    assert len(marked(ax, "centre")) == 3


def test_ten_classes_look_different():
    assert len(set(COLOURS)) == len(set(MARKERS)) == 10
    points, y = make_blobs(60, centers=10, random_state=0)
    ax = draw_cover(cover_map(points, y))
    assert legend_of(ax)[:10] == [str(code) for code in range(10)]
    assert [to_hex(line.get_markerfacecolor()).upper() for line in ax.lines[:10]] == list(COLOURS)


@pytest.mark.parametrize("scale", [(1, 1), (1, 40), (40, 1)])
def test_a_new_figure_holds_map_and_legend(scale):
    points, y = moons(scale=scale)
    ax = draw_cover(cover_map(points, y, SphereCoverClassifier(scale=False, random_state=0)))
    assert is_on_page(ax)
    assert ax.get_legend().get_window_extent().y1 < ax.get_window_extent().y0
    assert ax.figure.get_size_inches().max() < 7


def test_many_cases_are_drawn_finer():
    few, many = (draw_cover(cover_map(*moons(n_cases))) for n_cases in (50, 800))
    assert many.lines[0].get_markersize() < few.lines[0].get_markersize()
    assert many.collections[0].get_linewidth()[0] < few.collections[0].get_linewidth()[0]
