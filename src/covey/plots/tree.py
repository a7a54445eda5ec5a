"""A decision tree as a picture, tests and leaves from left to right and one row per leaf, and as Graphviz source."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.learners.describe import Branch, Kind, Outcomes, Wording, check_tree, walk
from covey.plots.layout import axes_size
from covey.plots.style import PALETTE, PLAIN, POINTS, TEXT_ON, Entry, draws, legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from covey.learners.tree import Tree
    from covey.table.schema import Schema

# Lengths in inches, at the full size of the text.
ROW = 0.4
BOX = 0.29
STRIP = 0.045
PAD = 0.09
GAP = 0.13
EDGE = 0.03
LEGEND_ROW = 0.23
LARGEST = 60.0
MOST_BOXES = 2000
MOST_CLASSES = 12

GREY = "#555555"


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Where the boxes of a tree lie and what they say. The boxes are in the order of reading, each after its parent."""

    #: the depth of each box and its row. Leaves have the rows 0, 1, 2, ...; a test lies midway between its first and
    #: its last branch, (n_boxes, 2)
    position: NDArray[np.float64]
    label: tuple[str, ...]  #: the column tested, the class and weights of a leaf, or the number of leaves not shown
    #: "test", "leaf", "empty" for the categories that no training row had, or "cut" for a subtree not shown
    kind: tuple[Kind, ...]
    edge: NDArray[np.intp]  #: the two boxes that each edge joins, (n_boxes - 1, 2)
    edge_label: tuple[str, ...]  #: the condition of each edge
    leaf_class: NDArray[np.intp]  #: the class code of leaves and empty branches, -1 elsewhere, (n_boxes,)
    #: the share of a leaf's weight that is of its class; NaN elsewhere, and where no case came, (n_boxes,)
    share: NDArray[np.float64]
    classes: tuple[str, ...]  #: the names of the classes
    description: str  #: the picture in a sentence, for readers who cannot see it

    @property
    def n_rows(self) -> int:
        """Number of rows: leaves, and what stands for several."""
        return sum(kind != "test" for kind in self.kind)


def tree_layout(tree: Tree, schema: Schema, classes: NDArray[Any], *, max_depth: int | None = None) -> TreeLayout:
    """Lay out a tree for drawing.

    Parameters
    ----------
    tree : Tree
    schema : Schema
        The columns that the tree was grown on.
    classes : ndarray of shape (n_classes,)
        The labels.
    max_depth : int or None
        Subtrees that start at this depth become one box.
    """
    wording, outcomes, branches = _read(tree, schema, classes, max_depth, most_names=3, longest=24)
    depth = np.array([branch.depth for branch in branches])
    kind = tuple(branch.kind for branch in branches)
    parent = _parents(depth.tolist())
    ends = [branch.kind in ("leaf", "empty") for branch in branches]
    leaf_class = [outcomes.majority[b.node] if end else -1 for b, end in zip(branches, ends, strict=True)]
    share = [
        1 - outcomes.wrong[b.node] / outcomes.total[b.node] if b.kind == "leaf" and outcomes.total[b.node] else np.nan
        for b in branches
    ]
    return TreeLayout(
        position=np.column_stack([depth, _rows(parent, kind)]).astype(np.float64),
        label=tuple(
            wording.name(int(tree.attribute[branch.node])) if branch.kind == "test" else outcomes.text(branch)
            for branch in branches
        ),
        kind=kind,
        edge=np.column_stack([parent[1:], np.arange(1, len(branches))]).astype(np.intp),
        edge_label=tuple(branch.condition for branch in branches[1:]),
        leaf_class=np.array(leaf_class, dtype=np.intp),
        share=np.array(share, dtype=np.float64),
        classes=tuple(outcomes.names),
        description=_describe(tree, wording, outcomes, max_depth),
    )


def _read(
    tree: Tree, schema: Schema, classes: NDArray[Any], max_depth: int | None, **lengths: int
) -> tuple[Wording, Outcomes, list[Branch]]:
    """Return how a tree's tests and leaves are written, and its branches in the order of reading."""
    check_tree(tree, schema, classes, max_depth)
    wording = Wording(schema, at_most="≤", **lengths)
    return wording, Outcomes(tree, classes, longest=wording.longest), list(walk(tree, wording, max_depth))


def _parents(depth: list[int]) -> list[int]:
    """Return the parent of each box, -1 for the root: the last box before it that is one level up."""
    last: list[int] = []
    parents = []
    for box, level in enumerate(depth):
        del last[level:]
        parents.append(last[-1] if last else -1)
        last.append(box)
    return parents


def _rows(parent: list[int], kind: tuple[Kind, ...]) -> NDArray[np.float64]:
    """Give every leaf the next row, and every test the middle of its first and last branch."""
    row = np.cumsum([what != "test" for what in kind]) - 1.0
    first, last = np.full(len(kind), np.nan), np.full(len(kind), np.nan)
    # Backwards, branches come before the test they start from, and the last branch of a test before its first.
    for box in range(len(kind) - 1, -1, -1):
        if kind[box] == "test":
            row[box] = (first[box] + last[box]) / 2
        if box:
            first[parent[box]] = row[box]
            if np.isnan(last[parent[box]]):
                last[parent[box]] = row[box]
    return row


def _describe(tree: Tree, wording: Wording, outcomes: Outcomes, max_depth: int | None) -> str:
    codes = np.unique(tree.majority[tree.is_leaf])
    names = [outcomes.names[code] for code in codes[:MOST_CLASSES]]
    if len(codes) > len(names):
        names.append(f"{len(codes) - len(names)} more classes")
    predicted = " or ".join([*([", ".join(names[:-1])] if names[1:] else []), names[-1]])
    if tree.n_children[0] == 0:
        return f"Decision tree of a single leaf, which predicts {predicted}."
    deep = int(tree.depth.max())
    hidden = "" if max_depth is None or deep <= max_depth else f" What lies below depth {max_depth} is not shown."
    return (
        f"Decision tree with {tree.n_leaves} leaves and up to {deep} test{'s' if deep > 1 else ''} in a row. "
        f"It first tests {wording.name(int(tree.attribute[0]))} and predicts {predicted}.{hidden}"
    )


@dataclass(frozen=True)
class _Measures:
    """Where a layout's boxes lie in inches, given the width of its texts."""

    left: NDArray[np.float64]  # the left end of each box
    middle: NDArray[np.float64]  # the height of its middle, counted downwards
    wide: NDArray[np.float64]  # its width
    trunk: NDArray[np.float64]  # where the branches of each level part
    width: float  # of the whole picture
    height: float
    legend_columns: int  # for which there is room above the first row


@draws(TreeLayout, "tree_layout")
def draw_tree(layout: TreeLayout, ax: Axes | None = None) -> Axes:
    """Draw a tree: the root at the left, a row for each leaf, leaves in the colour of their class.

    A white strip at the foot of a leaf is the share of its cases that are of another class. What no training case
    reached has a dashed border.

    Parameters
    ----------
    layout : TreeLayout
        From `tree_layout`.
    ax : matplotlib Axes or None
        Where to draw; the text is made smaller if the tree does not fit. None makes a new figure of the right size.

    Returns
    -------
    matplotlib Axes
        Its label is the layout's description; pass it on with the picture, as in
        ``figure.savefig("tree.svg", metadata={"Description": ax.get_label()})`` or as the alternative text of a page.
    """
    if len(layout.label) > MOST_BOXES:
        raise ValueError(
            f"layout has {len(layout.label)} boxes, more than the {MOST_BOXES} that can be drawn legibly; "
            "give tree_layout a smaller max_depth."
        )
    measures = _measure(layout)
    if ax is None:
        ax = _new_axes(measures)
    ax.set_label(layout.description)
    ax.set_axis_off()
    scale = _fit(ax, measures)
    _draw_edges(layout, measures, ax, scale)
    _draw_boxes(layout, measures, ax, scale)
    _draw_legend(layout, measures, ax, scale)
    return ax


def _text_widths(texts: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the width of texts in inches, with a reserve for what screens round up."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=POINTS)
    with warnings.catch_warnings():
        # Drawing the text warns of characters that the font lacks; measuring it need not do so too.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        widths = [text_to_path.get_text_width_height_descent(text, font, False)[0] for text in texts]
    return np.array(widths, dtype=np.float64) * 1.08 / 72


def _measure(layout: TreeLayout) -> _Measures:
    level = layout.position[:, 0].astype(np.intp)
    wide = _text_widths(layout.label) + 2 * PAD
    tests = np.array([kind == "test" for kind in layout.kind])
    widest_test, widest_edge = np.zeros(level.max() + 1), np.zeros(level.max() + 1)
    np.maximum.at(widest_test, level[tests], wide[tests])
    np.maximum.at(widest_edge, level[1:], _text_widths(layout.edge_label))
    # A leaf ends its row, so only tests and conditions push the next level to the right.
    column = np.concatenate([[0.0], np.cumsum(widest_test[:-1] + widest_edge[1:] + 3 * GAP)])
    left = EDGE + column[level]
    width = float((left + wide).max()) + EDGE
    cells = _text_widths(tuple(name for name, _ in _legend_entries(layout))) + 0.55
    columns = max(int(width / cells.max()), 1)
    legend = -(-len(cells) // columns) * LEGEND_ROW + 0.08
    middle = legend + (layout.position[:, 1] + 0.5) * ROW
    height = legend + layout.n_rows * ROW
    trunk = EDGE + column + widest_test + GAP
    return _Measures(left, middle, wide, trunk, max(width, float(cells.max())), height, columns)


def _new_axes(measures: _Measures) -> Axes:
    """Make a figure in which the tree has its full size, with room for a title; a huge tree gets a smaller one."""
    from matplotlib import pyplot as plt

    side, top = 0.15, 0.45
    shrink = min(1.0, LARGEST / measures.width, LARGEST / measures.height)
    inner = (max(3.0, measures.width * shrink), measures.height * shrink)
    figure = plt.figure(figsize=(inner[0] + 2 * side, inner[1] + side + top))
    full = figure.get_size_inches()
    return figure.add_axes((side / full[0], side / full[1], inner[0] / full[0], inner[1] / full[1]))


def _fit(ax: Axes, measures: _Measures) -> float:
    """Make an inch of the tree an inch of the axes, or the same part of one in both directions; return that part."""
    width, height = (side / 72 for side in axes_size(ax))
    scale = min(1.0, width / measures.width, height / measures.height)
    ax.set_xlim(0, width / scale)
    ax.set_ylim(height / scale, 0)
    return float(scale)


def _draw_edges(layout: TreeLayout, measures: _Measures, ax: Axes, scale: float) -> None:
    from matplotlib.collections import LineCollection

    level = layout.position[:, 0].astype(np.intp)
    parent, child = layout.edge.T
    trunk = measures.trunk[level[parent]]
    start = measures.left[parent] + measures.wide[parent]
    above, below = measures.middle[parent], measures.middle[child]
    corners = np.array([[start, above], [trunk, above], [trunk, below], [measures.left[child], below]])
    ax.add_collection(
        LineCollection(list(np.moveaxis(corners, 2, 0)), colors=GREY, linewidths=0.9 * scale), autolim=False
    )
    for x, y, text in zip(trunk + GAP / 2, below - 0.02, layout.edge_label, strict=True):
        ax.text(x, y, text, va="bottom", size=POINTS * scale, **PLAIN)


def _draw_boxes(layout: TreeLayout, measures: _Measures, ax: Axes, scale: float) -> None:
    from matplotlib.patches import Rectangle

    for box, kind in enumerate(layout.kind):
        left, top, wide = measures.left[box], measures.middle[box] - BOX / 2, measures.wide[box]
        code = int(layout.leaf_class[box])
        colour, ink = PALETTE[code % len(PALETTE)], TEXT_ON[code % len(TEXT_ON)]
        face, edge, text = {
            "test": ("#F4F4F4", GREY, "black"),
            "leaf": (colour, GREY, ink),
            "empty": ("white", colour, "black"),
            "cut": ("white", GREY, "black"),
        }[kind]
        dashed = "--" if kind in ("empty", "cut") else "-"
        ax.add_patch(Rectangle((left, top), wide, BOX, facecolor=face, edgecolor="none"))
        rest = 1 - layout.share[box]
        if rest > 0:
            corner = (left + wide * (1 - rest), top + BOX - STRIP)
            ax.add_patch(Rectangle(corner, wide * rest, STRIP, facecolor="white", edgecolor="none"))
        border = (1.6 if kind == "empty" else 0.9) * scale
        ax.add_patch(Rectangle((left, top), wide, BOX, fill=False, edgecolor=edge, linewidth=border, linestyle=dashed))
        ax.text(
            left + wide / 2,
            top + (BOX - STRIP / 2) / 2,
            layout.label[box],
            ha="center",
            va="center_baseline",
            size=POINTS * scale,
            color=text,
            **PLAIN,
        )


def _legend_entries(layout: TreeLayout) -> list[tuple[str, str]]:
    """Return the names and colours of the classes that are seen, and what the white strip is if there is one."""
    seen = [int(code) for code in np.unique(layout.leaf_class) if code >= 0]
    entries = [(layout.classes[code], PALETTE[code % len(PALETTE)]) for code in seen[:MOST_CLASSES]]
    if len(seen) > len(entries):
        entries.append((f"... ({len(seen) - len(entries)} more)", "none"))
    if np.any(layout.share < 1):
        entries.append(("other classes' share", "white"))
    return entries or [("", "none")]


def _draw_legend(layout: TreeLayout, measures: _Measures, ax: Axes, scale: float) -> None:
    from matplotlib.patches import Patch

    entries: list[Entry] = [
        (Patch(facecolor=colour, edgecolor="none" if colour == "none" else GREY), name)
        for name, colour in _legend_entries(layout)
    ]
    place: Any = {"loc": "upper left", "bbox_to_anchor": (0, 1), "borderaxespad": 0, "borderpad": 0.2}
    look: Any = {
        "ncols": measures.legend_columns,
        "fontsize": POINTS * scale,
        "handlelength": 1.4,
        "columnspacing": 1.2,
    }
    legend(ax, entries, **place, **look)


def to_dot(tree: Tree, schema: Schema, classes: NDArray[Any], *, max_depth: int | None = None) -> str:
    """Write a tree as Graphviz source, for ``dot -Tsvg``; subtrees that start at ``max_depth`` are only counted."""
    wording, outcomes, branches = _read(tree, schema, classes, max_depth, longest=60)
    font = 'fontname="Helvetica,Arial,sans-serif"'
    lines = [
        "digraph tree {",
        "    graph [ordering=out, nodesep=0.25, ranksep=0.45];",
        f'    node [{font}, fontsize=12, shape=box, style=rounded, color="#555555", margin="0.12,0.06"];',
        f'    edge [{font}, fontsize=11, color="#555555", arrowsize=0.6];',
    ]
    names = [f"{'e' if branch.kind == 'empty' else 'n'}{branch.node}" for branch in branches]
    for name, branch, parent in zip(names, branches, _parents([branch.depth for branch in branches]), strict=True):
        lines.append(f"    {name} [{_dot_node(branch, wording, outcomes, tree)}];")
        if parent >= 0:
            lines.append(f'    {names[parent]} -> {name} [label="{_dot_escape(branch.condition)}"];')
    return "\n".join([*lines, "}"]) + "\n"


def _dot_node(branch: Branch, wording: Wording, outcomes: Outcomes, tree: Tree) -> str:
    if branch.kind == "test":
        return f'label="{_dot_escape(wording.name(int(tree.attribute[branch.node])))}"'
    if branch.kind == "cut":
        return f'label="{outcomes.hidden(branch)}", style="rounded,dashed"'
    code = outcomes.majority[branch.node]
    label = f"{_dot_escape(outcomes.names[code])}\\n{outcomes.weights(branch)}"
    style = "filled,dashed" if branch.kind == "empty" else "filled"
    colour, ink = PALETTE[code % len(PALETTE)], TEXT_ON[code % len(TEXT_ON)]
    return f'label="{label}", style="{style}", fillcolor="{colour}", fontcolor="{ink}"'


def _dot_escape(text: str) -> str:
    """Quote what Graphviz would read as its own: quotes, its escapes, and character entities such as ``&lt;``."""
    for plain, quoted in (("\\", "\\\\"), ('"', '\\"'), ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(plain, quoted)
    return text
