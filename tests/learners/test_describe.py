"""Trees in words, on trees made by hand."""

from __future__ import annotations

import re
from collections import deque

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from covey._text import clip, short_number, short_weight
from covey.learners.describe import export_text
from covey.learners.tree import Tree
from covey.plots.style import PALETTE
from covey.plots.tree import to_dot
from covey.table.schema import Schema

IRIS = Schema(("petal length", "petal width"), (None, None))
SPECIES = np.array(["setosa", "versicolor", "virginica"])
GOLF = Schema(
    ("outlook", "humidity", "windy"),
    (np.array(["overcast", "rainy", "sunny"], dtype=object), None, np.array(["no", "yes"], dtype=object)),
)
PLAY = np.array(["no", "yes"])


def leaf(*weight):
    return {"weight": weight}


def number(column, threshold, low, high):
    return {"column": column, "threshold": threshold, "children": [low, high]}


def nominal(column, groups, empty=0):
    """A test on categories: groups are pairs of codes and the subtree they lead to."""
    return {"column": column, "codes": [c for c, _ in groups], "children": [t for _, t in groups], "empty": empty}


def grow(top):
    """Flatten nested nodes, level by level; the weights of a test are the sums over its children."""
    nodes, waiting, links = [], deque([top]), []
    while waiting:
        node = waiting.popleft()
        links.append(len(nodes) + len(waiting) + 1)
        nodes.append(node)
        waiting.extend(node.get("children", ()))
    count = np.array([len(node.get("children", ())) for node in nodes], dtype=np.int32)
    weight = [np.array(node.get("weight", ()), dtype=float) for node in nodes]
    code, code_child, first_code = [], [], []
    for position in range(len(nodes) - 1, -1, -1):
        if count[position] and not len(weight[position]):
            weight[position] = sum(weight[links[position] + child] for child in range(count[position]))
    for node, first in zip(nodes, links, strict=True):
        first_code.append(len(code))
        pairs = sorted((c, first + child) for child, codes in enumerate(node.get("codes", ())) for c in codes)
        code += [c for c, _ in pairs]
        code_child += [child for _, child in pairs]
    return Tree(
        attribute=np.array([node.get("column", -1) for node in nodes], dtype=np.int32),
        threshold=np.array([node.get("threshold", np.nan) for node in nodes]),
        first_child=np.where(count > 0, links, 0).astype(np.int32),
        n_children=count,
        n_branches=count + np.array([node.get("empty", 0) for node in nodes], dtype=np.int32),
        first_code=np.array(first_code, dtype=np.int32),
        n_codes=np.diff([*first_code, len(code)]).astype(np.int32),
        code=np.array(code, dtype=np.int32),
        code_child=np.array(code_child, dtype=np.int32),
        weight=np.array(weight),
    )


LATE = number(1, 1.7, number(0, 4.9, leaf(0, 47, 1), leaf(0, 2, 3.75)), leaf(0, 1, 45))
IRIS_TREE = grow(number(1, 0.6, leaf(50, 0, 0), LATE))
GOLF_TREE = grow(
    nominal(
        0,
        [
            ([0], leaf(0, 4)),
            ([1], nominal(2, [([0], leaf(0, 3))], empty=1)),
            ([2], number(1, 75, leaf(0, 2), leaf(3, 0))),
        ],
    )
)


def chain(n_nodes):
    """A tree whose every second child is another test: n_nodes is odd."""
    inner = np.arange(n_nodes) % 2 == 0
    inner[-1] = False
    count, nothing = np.where(inner, 2, 0).astype(np.int32), np.zeros(n_nodes, dtype=np.int32)
    first_child = np.where(inner, np.arange(n_nodes) + 1, 0).astype(np.int32)
    attribute, threshold = np.where(inner, 0, -1).astype(np.int32), np.where(inner, np.arange(n_nodes) / 7, np.nan)
    codes = (nothing, nothing, nothing[:0], nothing[:0])
    return Tree(attribute, threshold, first_child, count, count, *codes, np.tile([1.0, 0.0], (n_nodes, 1)))


def test_tests_on_numbers():
    assert export_text(IRIS_TREE, IRIS, SPECIES).splitlines() == [
        "petal width <= 0.6: setosa (50)",
        "petal width > 0.6",
        "|   petal width <= 1.7",
        "|   |   petal length <= 4.9: versicolor (48/1)",
        "|   |   petal length > 4.9: virginica (5.75/2)",
        "|   petal width > 1.7: virginica (46/1)",
    ]


def test_tests_on_categories_and_a_branch_that_no_case_took():
    assert export_text(GOLF_TREE, GOLF, PLAY).splitlines() == [
        "outlook = overcast: yes (4)",
        "outlook = rainy",
        "|   windy = no: yes (3)",
        "|   windy = yes: yes (0)",
        "outlook = sunny",
        "|   humidity <= 75: yes (2)",
        "|   humidity > 75: no (3)",
    ]


def test_categories_that_share_a_child_are_listed_together():
    tree = grow(nominal(0, [([0, 2], leaf(1, 4)), ([1], leaf(3, 0))]))
    assert export_text(tree, GOLF, PLAY) == "outlook in {overcast, sunny}: yes (5/1)\noutlook = rainy: no (3)"


def test_categories_absent_from_a_group_are_no_empty_branch():
    tree = grow(nominal(0, [([0], leaf(0, 4)), ([2], leaf(3, 0))]))
    assert export_text(tree, GOLF, PLAY) == "outlook = overcast: yes (4)\noutlook = sunny: no (3)"


def test_long_lists_of_categories_are_counted():
    schema = Schema(("town",), (np.array([f"t{code}" for code in range(47)], dtype=object),))
    tree = grow(nominal(0, [([0], leaf(0, 4)), ([46], leaf(3, 0))], empty=45))
    last = export_text(tree, schema, PLAY).splitlines()[-1]
    assert last == "town in {t1, t2, t3, t4, t5, t6, t7, t8, ... (37 more)}: yes (0)"


def test_an_empty_branch_has_the_class_of_its_own_node():
    tree = grow(nominal(2, [([1], number(1, 5, leaf(0, 9), leaf(2, 0)))], empty=1))
    assert export_text(tree, GOLF, PLAY).splitlines()[-1] == "windy = no: yes (0)"


def test_numeric_categories_and_classes_read_as_whole_numbers():
    schema = Schema(("rooms",), (np.array([1.0, 2.5]),))
    tree = grow(nominal(0, [([0], leaf(0, 4)), ([1], leaf(3, 0))]))
    assert export_text(tree, schema, np.array([-1.0, 1.0])) == "rooms = 1: 1 (4)\nrooms = 2.5: -1 (3)"
    assert export_text(tree, schema, np.array([False, True])) == "rooms = 1: True (4)\nrooms = 2.5: False (3)"


def test_a_leaf_alone():
    tree = grow(leaf(5, 9))
    assert export_text(tree, GOLF, PLAY) == "yes (14/5)"
    assert export_text(tree, GOLF, PLAY, max_depth=0) == "yes (14/5)"
    assert export_text(tree, GOLF, PLAY, show_weights=False) == "yes"
    assert export_text(grow(leaf(0, 0)), GOLF, PLAY) == "no (0)"


def test_deeper_subtrees_are_counted():
    assert export_text(IRIS_TREE, IRIS, SPECIES, max_depth=0) == "... (4 leaves)"
    assert export_text(IRIS_TREE, IRIS, SPECIES, max_depth=2).splitlines() == [
        "petal width <= 0.6: setosa (50)",
        "petal width > 0.6",
        "|   petal width <= 1.7: ... (2 leaves)",
        "|   petal width > 1.7: virginica (46/1)",
    ]
    assert export_text(IRIS_TREE, IRIS, SPECIES, max_depth=3) == export_text(IRIS_TREE, IRIS, SPECIES)


def test_leaves_not_shown_include_those_of_empty_branches():
    assert export_text(GOLF_TREE, GOLF, PLAY, max_depth=1).splitlines() == [
        "outlook = overcast: yes (4)",
        "outlook = rainy: ... (2 leaves)",
        "outlook = sunny: ... (2 leaves)",
    ]
    assert export_text(GOLF_TREE, GOLF, PLAY, max_depth=0) == f"... ({GOLF_TREE.n_leaves} leaves)"


@pytest.mark.parametrize(
    ("weight", "text"),
    [(50.0, "50"), (3.5, "3.5"), (0.25, "0.25"), (2 / 3, "0.67"), (100.0, "100"), (0.0, "0"), (0.0031, "0.0031")],
)
def test_weights_are_short(weight, text):
    assert short_weight(weight) == text


def test_rounding_errors_are_no_errors():
    assert export_text(grow(leaf(1e-13, 3)), GOLF, PLAY) == "yes (3)"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.45, "2.45"),
        (75.0, "75"),
        (0.0, "0"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.3"),
        (5.12345, "5.12345"),
        (1 / 3, "0.3333"),
        (-200 / 3, "-66.6667"),
        (1234567.5, "1234567.5"),
        (1 / 30000, "3.333e-05"),
        (1e300, "1e+300"),
        (float("inf"), "inf"),
    ],
)
def test_numbers_are_short_and_true(value, text):
    assert short_number(value, 4) == text


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 20))
@settings(derandomize=True, deadline=None)
def test_a_number_keeps_its_decimals(value, decimals):
    shown = float(short_number(value, decimals))
    assert abs(shown - value) <= 0.5 * 10.0**-decimals + 1e-15 * abs(value)


def test_different_thresholds_never_look_alike():
    tree = grow(number(1, 1.000001, leaf(4, 0), number(1, 1.000002, leaf(0, 4), leaf(3, 0))))
    assert [line.split(":")[0].strip("| ") for line in export_text(tree, GOLF, PLAY, decimals=2).splitlines()] == [
        "humidity <= 1.000001",
        "humidity > 1.000001",
        "humidity <= 1.000002",
        "humidity > 1.000002",
    ]


def test_decimals_of_a_threshold():
    tree = grow(number(1, 200 / 3, leaf(4, 0), leaf(0, 4)))
    assert export_text(tree, GOLF, PLAY, decimals=1).startswith("humidity <= 66.7:")


@pytest.mark.parametrize("wrong", [-1, 1.5, True, "2"])
def test_what_is_no_depth_is_refused(wrong):
    for describe in (export_text, to_dot):
        with pytest.raises(ValueError, match=re.escape(f"max_depth={wrong!r} must be a whole number, 0 or more.")):
            describe(IRIS_TREE, IRIS, SPECIES, max_depth=wrong)


def test_classes_and_schema_must_be_the_trees():
    with pytest.raises(ValueError, match="classes has 2 labels, the tree 3; give one per class"):
        export_text(IRIS_TREE, IRIS, PLAY)
    with pytest.raises(ValueError, match="schema has 1 columns, but the tree tests column 1"):
        to_dot(IRIS_TREE, IRIS.take([0]), SPECIES)


@pytest.mark.parametrize("max_depth", [None, 3])
def test_a_chain_of_many_nodes(max_depth):
    tree = chain(50_001)
    schema = Schema(("x",), (None,))
    text = export_text(tree, schema, PLAY, max_depth=max_depth)
    assert len(text) < 20_000_000
    lines = text.splitlines()
    assert len(lines) == (50_000 if max_depth is None else 6)
    assert len(set(lines)) == len(lines)
    assert len(to_dot(tree, schema, PLAY, max_depth=max_depth).splitlines()) == 6 + 2 * len(lines)
    if max_depth is None:
        assert lines[-1] == "|   " * 50 + "[24999] x > 7142.5714: no (1)"
    else:
        assert lines[-1] == "|   |   x > 0.5714: ... (24998 leaves)"


STRANGE = ['say "hi"', "two\nlines", "back\\slash", "<b>bold</b>", "&lt;", "naïve 日本", "x" * 500, "", "{a, b}", "\0"]


def test_strange_names_stay_on_their_line():
    schema = Schema(("two\nlines\u2028\ud800",), (np.array(STRANGE, dtype=object),))
    tree = grow(nominal(0, [([code], leaf(1, 0)) for code in range(len(STRANGE))]))
    lines = export_text(tree, schema, np.array(["no\r", "yes"])).splitlines()
    assert len(lines) == len(STRANGE)
    assert lines[1] == r"two\nlines\u2028\ud800 = two\nlines: no\r (1)"
    assert lines[5].endswith(r" = naïve 日本: no\r (1)")
    assert "x" * 500 in lines[6]
    assert lines[9] == r"two\nlines\u2028\ud800 = \x00: no\r (1)"


def dot_labels(source):
    """The quoted labels, as Graphviz reads them: entities and escapes resolved."""
    quoted = re.findall(r'label="((?:[^"\\]|\\.)*)"', source)
    entity = {"&amp;": "&", "&lt;": "<", "&gt;": ">"}
    unescaped = [re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], label) for label in quoted]
    return [re.sub("&amp;|&lt;|&gt;", lambda m: entity[m[0]], label) for label in unescaped]


def test_strange_names_are_quoted_for_graphviz():
    schema = Schema((STRANGE[0],), (np.array(STRANGE, dtype=object),))
    tree = grow(nominal(0, [([code], leaf(1, 0)) for code in range(len(STRANGE))]))
    source = to_dot(tree, schema, np.array(["<no> \\n", "yes"]))
    labels = dot_labels(source)
    assert len(labels) == 1 + 2 * len(STRANGE)
    assert labels[0] == STRANGE[0]
    assert labels[1] == "<no> \\n\n(1)"
    shown = ["= " + text.replace("\n", "\\n").replace("\x00", "\\x00") for text in STRANGE]
    shown[6:8] = ["= " + "x" * 30 + "…" + "x" * 29, '= ""']
    assert labels[2::2] == shown
    assert not re.search(r'="[^"]*[<>][^"]*"', source)


def test_graphviz_source():
    assert to_dot(GOLF_TREE, GOLF, PLAY, max_depth=1).splitlines()[4:] == [
        '    n0 [label="outlook"];',
        f'    n1 [label="yes\\n(4)", style="filled", fillcolor="{PALETTE[1]}", fontcolor="black"];',
        '    n0 -> n1 [label="= overcast"];',
        '    n2 [label="... (2 leaves)", style="rounded,dashed"];',
        '    n0 -> n2 [label="= rainy"];',
        '    n3 [label="... (2 leaves)", style="rounded,dashed"];',
        '    n0 -> n3 [label="= sunny"];',
        "}",
    ]


def test_graphviz_names_empty_branches_apart():
    source = to_dot(GOLF_TREE, GOLF, PLAY)
    assert '    e2 [label="yes\\n(0)", style="filled,dashed"' in source
    assert '    n2 -> e2 [label="= yes"];' in source
    nodes = re.findall(r"^    (\w+) \[label", source, re.MULTILINE)
    assert len(set(nodes)) == len(nodes) == GOLF_TREE.size
    targets = re.findall(r"-> (\w+) ", source)
    assert sorted(targets) == sorted(set(nodes) - {"n0"})


def test_colours_repeat_when_there_are_more_classes():
    classes = np.array([f"class {code}" for code in range(20)])
    schema = Schema(("x",), (np.array([str(code) for code in range(20)], dtype=object),))
    tree = grow(nominal(0, [([code], leaf(*np.eye(20)[code])) for code in range(20)]))
    assert re.findall(r'fillcolor="(#\w+)"', to_dot(tree, schema, classes)) == [*PALETTE, *PALETTE, *PALETTE[:4]]


@pytest.mark.parametrize(("longest", "text"), [(None, "abcdefgh"), (8, "abcdefgh"), (7, "abc…fgh"), (6, "abc…gh")])
def test_long_names_lose_their_middle(longest, text):
    assert clip("abcdefgh", longest) == text


MIXED = Schema(("n", "c", "d"), (None, np.array(list("pqrst"), dtype=object), np.array(["u", "v"], dtype=object)))

leaves = st.builds(leaf, *(st.floats(0, 100).map(lambda weight: round(weight, 1)) for _ in range(2)))


@st.composite
def category_tests(draw, subtrees):
    column = draw(st.sampled_from([1, 2]))
    codes = draw(st.permutations(range(len(MIXED.categories[column]))))
    used = codes[: draw(st.integers(2, len(codes)))]
    if draw(st.booleans()):
        groups = [([code], draw(subtrees)) for code in sorted(used)]
        return nominal(column, groups, empty=len(codes) - len(used))
    cut = draw(st.integers(1, len(used) - 1))
    return nominal(column, [(used[:cut], draw(subtrees)), (used[cut:], draw(subtrees))])


trees = st.recursive(
    leaves,
    lambda subtrees: st.one_of(
        st.builds(number, st.just(0), st.floats(-9, 9), subtrees, subtrees), category_tests(subtrees)
    ),
    max_leaves=12,
).map(grow)


@given(trees)
@settings(derandomize=True, deadline=None)
def test_a_line_for_every_leaf_and_one_for_all_empty_branches_of_a_node(tree):
    lines = export_text(tree, MIXED, PLAY).splitlines()
    ends = [line for line in lines if line.endswith(")")]
    n_collapsed = np.count_nonzero(tree.n_branches > tree.n_children)
    assert len(ends) == np.count_nonzero(tree.is_leaf) + n_collapsed
    assert len(lines) == max(1, tree.n_nodes - 1 + n_collapsed)
    assert max(line.count("|   ") for line in lines) == max(0, tree.depth.max() - 1)


@given(trees, st.integers(0, 4))
@settings(derandomize=True, deadline=None)
def test_what_is_shown_and_what_is_counted_make_the_whole_tree(tree, max_depth):
    lines = export_text(tree, MIXED, PLAY, max_depth=max_depth).splitlines()
    hidden = [int(re.search(r"\((\d+) lea", line)[1]) for line in lines if "... (" in line]
    shown = [line for line in lines if line.endswith(")") and "... (" not in line]
    tests = ~tree.is_leaf & (tree.depth < max_depth)
    collapsed = np.maximum(tree.n_branches - tree.n_children - 1, 0)[tests].sum()
    assert len(shown) + sum(hidden) + collapsed == tree.n_leaves


@given(trees)
@settings(derandomize=True, deadline=None)
def test_graphviz_has_an_edge_less_than_nodes(tree):
    source = to_dot(tree, MIXED, PLAY)
    n_boxes = tree.n_nodes + np.count_nonzero(tree.n_branches > tree.n_children)
    assert len(re.findall(r"^    \w+ \[label", source, re.MULTILINE)) == n_boxes
    assert source.count(" -> ") == n_boxes - 1
    assert to_dot(tree, MIXED, PLAY) == source
