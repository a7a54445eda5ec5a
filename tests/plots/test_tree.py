"""Pictures of trees, on trees made by hand."""

from __future__ import annotations

import io
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from covey.learners.tree import Tree
from covey.plots import draw_tree, tree_layout
from covey.plots.style import PALETTE
from covey.table.schema import Schema
from plots.drawn import legend_of, overlapping

TOWNS = np.array([f"town {code}" for code in range(30)], dtype=object)
SCHEMA = Schema(("age", "home town"), (None, TOWNS))
YES_NO = np.array(["no", "yes"])


def grow(top):
    """Flatten nested nodes: a leaf is a tuple of weights, a test a list of column, threshold or codes, and children.

    Tests on categories may end with the number of branches that no case took.
    """
    nodes, waiting, first_child = [], deque([top]), []
    while waiting:
        node = waiting.popleft()
        first_child.append(len(nodes) + len(waiting) + 1)
        nodes.append(node)
        waiting.extend(node[2] if isinstance(node, list) else ())
    inner = [isinstance(node, list) for node in nodes]
    count = np.array([len(node[2]) if test else 0 for node, test in zip(nodes, inner, strict=True)], dtype=np.int32)
    weight = [() if test else node for node, test in zip(nodes, inner, strict=True)]
    for position in np.flatnonzero(inner)[::-1]:
        weight[position] = np.sum([weight[first_child[position] + k] for k in range(count[position])], axis=0)
    code, code_child, first_code, threshold, empty = [], [], [], [], []
    for node, test, first in zip(nodes, inner, first_child, strict=True):
        first_code.append(len(code))
        by_code = test and isinstance(node[1], tuple)
        pairs = sorted((c, first + k) for k, codes in enumerate(node[1]) for c in codes) if by_code else []
        code += [c for c, _ in pairs]
        code_child += [child for _, child in pairs]
        threshold.append(node[1] if test and not by_code else np.nan)
        empty.append(node[3] if test and len(node) > 3 else 0)
    return Tree(
        attribute=np.array([node[0] if test else -1 for node, test in zip(nodes, inner, strict=True)], dtype=np.int32),
        threshold=np.array(threshold, dtype=np.float64),
        first_child=np.where(inner, first_child, 0).astype(np.int32),
        n_children=count,
        n_branches=count + np.array(empty, dtype=np.int32),
        first_code=np.array(first_code, dtype=np.int32),
        n_codes=np.diff([*first_code, len(code)]).astype(np.int32),
        code=np.array(code, dtype=np.int32),
        code_child=np.array(code_child, dtype=np.int32),
        weight=np.array(weight, dtype=np.float64),
    )


def chain(n_nodes):
    """A tree whose every second child is another test: n_nodes is odd."""
    inner = np.arange(n_nodes) % 2 == 0
    inner[-1] = False
    count, nothing = np.where(inner, 2, 0).astype(np.int32), np.zeros(n_nodes, dtype=np.int32)
    first_child = np.where(inner, np.arange(n_nodes) + 1, 0).astype(np.int32)
    attribute, threshold = np.where(inner, 0, -1).astype(np.int32), np.where(inner, np.arange(n_nodes) / 7, np.nan)
    weight = np.tile([1.0, 0.0], (n_nodes, 1))
    codes = (nothing, nothing, nothing[:0], nothing[:0])
    return Tree(attribute, threshold, first_child, count, count, *codes, weight)


SMALL = grow([1, ((0, 1), (2,)), [(3, 1), [0, 38.5, [(0, 9), (4, 0)]]], 27])


def test_a_small_layout():
    layout = tree_layout(SMALL, SCHEMA, YES_NO)
    assert layout.kind == ("test", "leaf", "test", "leaf", "leaf", "empty")
    assert layout.label == ("home town", "no (4/1)", "age", "yes (9)", "no (4)", "yes (0)")
    assert layout.position.tolist() == [[0, 1.5], [1, 0], [1, 1.5], [2, 1], [2, 2], [1, 3]]
    assert layout.edge.tolist() == [[0, 1], [0, 2], [2, 3], [2, 4], [0, 5]]
    assert layout.edge_label == (
        "in {town 0, town 1}",
        "= town 2",
        "≤ 38.5",
        "> 38.5",
        "in {town 3, town 4, town 5, ... (24 more)}",
    )
    assert layout.leaf_class.tolist() == [-1, 0, -1, 1, 0, 1]
    np.testing.assert_array_equal(layout.share, [np.nan, 0.75, np.nan, 1, 1, np.nan])
    assert layout.classes == ("no", "yes")
    assert layout.n_rows == 4


def test_the_description_says_what_is_seen():
    assert tree_layout(SMALL, SCHEMA, YES_NO).description == (
        "Decision tree with 30 leaves and up to 2 tests in a row. It first tests home town and predicts no or yes."
    )
    assert tree_layout(SMALL, SCHEMA, YES_NO, max_depth=1).description.endswith(
        " What lies below depth 1 is not shown."
    )
    assert tree_layout(grow((5, 9)), SCHEMA, YES_NO).description == (
        "Decision tree of a single leaf, which predicts yes."
    )


def test_subtrees_beyond_the_depth_become_a_box():
    layout = tree_layout(SMALL, SCHEMA, YES_NO, max_depth=1)
    assert layout.kind == ("test", "leaf", "cut", "empty")
    assert layout.label[2] == "... (2 leaves)"
    assert tree_layout(SMALL, SCHEMA, YES_NO, max_depth=0).label == ("... (30 leaves)",)


def test_a_leaf_alone():
    layout = tree_layout(grow((5, 9)), SCHEMA, YES_NO)
    assert layout.position.tolist() == [[0, 0]]
    assert layout.edge.shape == (0, 2)
    assert shown(draw_tree(layout)) == ["yes (14/5)", "yes", "other classes' share"]


def test_a_leaf_that_no_case_reached_has_no_share():
    assert np.isnan(tree_layout(grow((0, 0)), SCHEMA, YES_NO).share).all()


@st.composite
def number_tests(draw, subtrees):
    return [0, draw(st.floats(-9, 9)), [draw(subtrees), draw(subtrees)]]


@st.composite
def category_tests(draw, subtrees):
    n_children = draw(st.integers(2, 5))
    codes = tuple((code,) for code in range(n_children))
    return [1, codes, [draw(subtrees) for _ in codes], draw(st.sampled_from([0, 30 - n_children]))]


weights = st.tuples(st.integers(0, 50), st.integers(0, 50))
trees = st.recursive(weights, lambda below: number_tests(below) | category_tests(below), max_leaves=15).map(grow)


@given(trees, st.none() | st.integers(0, 3))
@settings(derandomize=True, deadline=None)
def test_leaves_are_evenly_spaced_and_tests_are_centred(tree, max_depth):
    layout = tree_layout(tree, SCHEMA, YES_NO, max_depth=max_depth)
    depth, row = layout.position.T
    ends = np.array([kind != "test" for kind in layout.kind])
    np.testing.assert_array_equal(row[ends], np.arange(layout.n_rows))
    parent, child = layout.edge.T
    np.testing.assert_array_equal(depth[child], depth[parent] + 1)
    for test in np.flatnonzero(~ends):
        below = row[child[parent == test]]
        assert row[test] == (below.min() + below.max()) / 2
    for level in np.unique(depth):
        assert np.all(np.diff(row[depth == level]) >= 1)


@given(trees)
@settings(derandomize=True, deadline=None)
def test_every_node_has_a_box(tree):
    layout = tree_layout(tree, SCHEMA, YES_NO)
    assert len(layout.label) == tree.n_nodes + np.count_nonzero(tree.n_branches > tree.n_children)
    assert sum(kind == "leaf" for kind in layout.kind) == np.count_nonzero(tree.is_leaf)
    assert len(layout.edge) == len(layout.edge_label) == len(layout.label) - 1


@pytest.mark.slow
def test_a_chain_of_many_nodes():
    tree = chain(50_001)
    layout = tree_layout(tree, SCHEMA, YES_NO)
    assert layout.position[-1].tolist() == [25_000, 25_000]
    with pytest.raises(ValueError, match=r"50001 boxes, more than the 2000 .* give tree_layout a smaller max_depth"):
        draw_tree(layout)
    assert "... (24995 leaves)" in shown(draw_tree(tree_layout(tree, SCHEMA, YES_NO, max_depth=6)))


@pytest.mark.slow
def test_a_long_chain_gets_a_large_figure_but_no_monster():
    ax = draw_tree(tree_layout(chain(401), SCHEMA, YES_NO))
    assert ax.figure.get_size_inches().max() < 61
    ax.figure.savefig(io.BytesIO(), dpi=20)


def many_leaves(n_leaves, n_classes, column=0):
    """A tree of tests on numbers and categories, uneven, with mixed leaves."""
    rng = np.random.default_rng(0)
    parts = [
        tuple(rng.integers(0, 4, n_classes) + 30 * (np.arange(n_classes) == k % n_classes)) for k in range(n_leaves)
    ]
    while len(parts) > 1:
        joined = [
            [k % 2, (((0, 3, 5, 7, 9), (1, 4)) if k % 2 else 1000 * rng.random()), parts[2 * k : 2 * k + 2]]
            for k in range((len(parts) - 1) // 2)
        ]
        parts = parts[2 * len(joined) :] + joined if joined else [[0, 1 / 3, parts]]
    return grow(parts[0])


def texts(ax):
    """The texts of the tree, then those of the legend."""
    return [*ax.texts, *ax.get_legend().get_texts()]


def shown(ax):
    return [text.get_text() for text in texts(ax)]


def drawn_boxes(ax):
    """The borders of the boxes, in pixels."""
    return [patch.get_window_extent() for patch in ax.patches if isinstance(patch, Rectangle) and not patch.get_fill()]


@pytest.mark.parametrize("dpi", [72, 200])
@pytest.mark.parametrize("own_axes", [True, False])
def test_texts_never_overlap_and_stay_in_the_figure(own_axes, dpi):
    tree = many_leaves(20, 9)
    assert tree.n_leaves == 20
    layout = tree_layout(tree, SCHEMA, np.array([f"class {code}" for code in range(9)]))
    ax = draw_tree(layout, None if own_axes else plt.subplots(figsize=(14, 9))[1])
    ax.set_title("A tree")
    ax.figure.set_dpi(dpi)
    ax.figure.canvas.draw()
    extents = [text.get_window_extent() for text in [*texts(ax), ax.title]]
    assert len(extents) == 2 * len(layout.label) - 1 + 10 + 1
    assert not overlapping(extents, slack=0)
    page = ax.figure.bbox
    for extent in extents:
        assert page.x0 <= extent.x0 < extent.x1 <= page.x1
        assert page.y0 <= extent.y0 < extent.y1 <= page.y1


def test_boxes_hold_their_text_and_no_condition():
    layout = tree_layout(many_leaves(20, 3), SCHEMA, np.array(["red", "green", "WIDE AS MMMMMMMM WWWWWW"]))
    ax = draw_tree(layout)
    ax.figure.canvas.draw()
    boxes = drawn_boxes(ax)
    conditions, labels = ax.texts[: len(layout.edge)], ax.texts[len(layout.edge) :]
    assert len(boxes) == len(labels)
    assert not overlapping(boxes, slack=0)
    for box, label in zip(boxes, labels, strict=True):
        extent = label.get_window_extent()
        assert box.x0 < extent.x0 < extent.x1 < box.x1
    for condition in conditions:
        assert not any(overlapping([condition.get_window_extent(), box], slack=0) for box in boxes)


def test_the_figure_grows_with_the_leaves():
    small, large = (draw_tree(tree_layout(many_leaves(n, 2), SCHEMA, YES_NO)).figure for n in (5, 40))
    assert large.get_size_inches()[1] > 4 * small.get_size_inches()[1]


def test_leaves_have_the_colour_of_their_class_and_a_strip_for_the_others():
    ax = draw_tree(tree_layout(SMALL, SCHEMA, YES_NO))
    filled = [patch for patch in ax.patches if patch.get_fill()]
    colours = [to_hex(patch.get_facecolor()).upper() for patch in filled]
    assert colours == ["#F4F4F4", PALETTE[0], "#FFFFFF", "#F4F4F4", PALETTE[1], PALETTE[0], "#FFFFFF"]
    assert filled[2].get_width() == pytest.approx(filled[1].get_width() / 4)
    dashed = [patch.get_linestyle() for patch in ax.patches if not patch.get_fill()]
    assert dashed == ["-", "-", "-", "-", "-", "--"]
    legend = [to_hex(patch.get_facecolor()).upper() for patch in ax.get_legend().get_patches()]
    assert legend == [PALETTE[0], PALETTE[1], "#FFFFFF"]


def test_a_legend_of_many_classes_is_counted():
    tree = grow([1, tuple((code,) for code in range(30)), [tuple(np.eye(30)[code]) for code in range(30)]])
    ax = draw_tree(tree_layout(tree, SCHEMA, np.arange(30)))
    assert legend_of(ax) == [*map(str, range(12)), "... (18 more)"]


STRANGE = ['say "hi"', "two\nlines", "$\\frac{", "_hidden", "<b>", "x" * 300, "", "naïve", "\x00", "50% $a$ ^_"]


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_strange_names_are_drawn_as_they_are(kind):
    schema = Schema(("$x_{", STRANGE[5]), (None, np.array(STRANGE, dtype=object)))
    leaves = [tuple(np.eye(len(STRANGE))[code]) for code in range(len(STRANGE))]
    tree = grow([0, 0.5, [leaves[0], [1, tuple((code,) for code in range(len(STRANGE))), leaves]]])
    ax = draw_tree(tree_layout(tree, schema, np.array(STRANGE, dtype=object)))
    ax.figure.savefig(io.BytesIO(), format=kind)
    found = shown(ax)
    for text in ("$x_{", "= two\\nlines", "$\\frac{ (1)", "_hidden", '= ""', "50% $a$ ^_ (1)", "= \\x00"):
        assert text in found
    assert max(map(len, found)) < 60
    assert "\n" not in "".join(found)


def test_the_axes_given_are_used_and_described():
    figure, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
    layout = tree_layout(SMALL, SCHEMA, YES_NO)
    assert draw_tree(layout, right) is right
    assert right.get_label() == layout.description
    assert not left.texts
    assert len(plt.get_fignums()) == 1
    size = right.texts[0].get_size()
    assert size < 9
    figure.set_size_inches(12, 6)
    assert draw_tree(layout, left).texts[0].get_size() > size
