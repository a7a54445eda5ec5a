"""Description of a tree: its branches in the order of reading, how they are written, and the tree as text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from covey._text import clip, one_line, short_number, short_weight
from covey.learners.tree import Tree
from covey.table.schema import Schema

Kind = Literal["test", "leaf", "empty", "cut"]


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch of a tree, in the order of reading."""

    node: int  # the node it leads to; for the branches without a child, the node they start from
    depth: int  # how many tests lead to it
    attribute: int  # the column that is tested on the way, -1 for the root
    condition: str  # what the column must be, "" for the root
    kind: Kind  # another test, a leaf, the categories that no training row had, or a subtree not shown


@dataclass(frozen=True)
class Wording:
    """The manner in which columns, categories and numbers are written."""

    schema: Schema
    decimals: int = 4  # of a threshold
    most_names: int = 8  # how many categories are listed before the rest is only counted
    longest: int | None = None  # longer names lose their middle
    at_most: str = "<="  # the sign of "up to"

    def name(self, column: int) -> str:
        """Return the name of a column."""
        return clip(one_line(self.schema.names[column]), self.longest)

    def among(self, column: int, codes: NDArray[Any]) -> str:
        """Say that a column is one of some categories."""
        known = self.schema.categories[column]
        shown = [int(code) for code in codes[: self.most_names]]
        names = [clip(one_line(code if known is None else known[code]), self.longest) for code in shown]
        if len(codes) == 1:
            return f"= {names[0]}"
        if len(codes) > len(names):
            names.append(f"... ({len(codes) - len(names)} more)")
        return f"in {{{', '.join(names)}}}"

    def thresholds(self, tree: Tree) -> dict[tuple[int, float], str]:
        """Return the text of every column and threshold; different thresholds of a column never look alike."""
        tests = np.flatnonzero(~np.isnan(tree.threshold) & ~tree.is_leaf)
        cuts = set(zip(tree.attribute[tests].tolist(), tree.threshold[tests].tolist(), strict=True))
        texts = {(column, value): short_number(value, self.decimals) for column, value in cuts}
        alike = Counter((column, text) for (column, _), text in texts.items())
        return {
            (column, value): text if alike[column, text] == 1 else repr(value).removesuffix(".0")
            for (column, value), text in texts.items()
        }


@dataclass(frozen=True)
class Outcomes:
    """The classes and weights at the end of a tree's branches."""

    tree: Tree
    classes: NDArray[Any]  # the labels
    longest: int | None = None  # longer labels lose their middle

    @cached_property
    def names(self) -> list[str]:
        """The labels as text."""
        return [clip(one_line(label), self.longest) for label in self.classes]

    @cached_property
    def majority(self) -> list[int]:
        """The class of each node, as its code."""
        majority: list[int] = self.tree.majority.tolist()
        return majority

    @cached_property
    def total(self) -> list[float]:
        """The weight of the cases that reached each node."""
        total: list[float] = self.tree.weight.sum(axis=1).tolist()
        return total

    @cached_property
    def wrong(self) -> list[float]:
        """The weight of those that are not of the node's class; what only rounding left behind counts as nothing."""
        weight = self.tree.weight.copy()
        weight[np.arange(len(weight)), self.majority] = 0.0
        others = weight.sum(axis=1)
        wrong: list[float] = np.where(others > 1e-9 * np.array(self.total), others, 0.0).tolist()
        return wrong

    @cached_property
    def leaves_below(self) -> list[int]:
        """The leaves under each node, those of empty branches included."""
        leaves: list[int] = (self.tree.is_leaf + self.tree.n_branches - self.tree.n_children).tolist()
        parents = self.tree.parent.tolist()
        for node in range(len(leaves) - 1, 0, -1):
            leaves[parents[node]] += leaves[node]
        return leaves

    def weights(self, branch: Branch) -> str:
        """Return the weight that reached a leaf and, after a slash, the part of other classes."""
        if branch.kind == "empty":
            return "(0)"
        wrong = self.wrong[branch.node]
        return f"({short_weight(self.total[branch.node])}{'/' + short_weight(wrong) if wrong else ''})"

    def hidden(self, branch: Branch) -> str:
        """Return what stands for a subtree that is not shown."""
        leaves = self.leaves_below[branch.node]
        return f"... ({leaves} {'leaf' if leaves == 1 else 'leaves'})"

    def text(self, branch: Branch, show_weights: bool = True) -> str:
        """Return the class and the weights of a leaf, or what stands for a subtree."""
        if branch.kind == "cut":
            return self.hidden(branch)
        name = self.names[self.majority[branch.node]]
        return f"{name} {self.weights(branch)}" if show_weights else name


def check_tree(tree: Tree, schema: Schema, classes: NDArray[Any], max_depth: int | None, decimals: int = 0) -> None:
    """Refuse a schema or classes of another tree, and counts that are none."""
    if len(classes) != tree.weight.shape[1]:
        raise ValueError(f"classes has {len(classes)} labels, the tree {tree.weight.shape[1]}; give one per class.")
    if tree.attribute.max() >= schema.n_features:
        raise ValueError(
            f"schema has {schema.n_features} columns, but the tree tests column {tree.attribute.max()}; "
            "give the schema that the tree was grown with."
        )
    counts: dict[str, Any] = {"max_depth": 0 if max_depth is None else max_depth, "decimals": decimals}
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
            raise ValueError(f"{name}={value!r} must be a whole number, 0 or more.")


def walk(tree: Tree, wording: Wording, max_depth: int | None = None) -> Iterator[Branch]:
    """Go through the branches of a tree from the top down, the first child first.

    Each node comes after its parent, and its empty branches as one, after its last child. Subtrees that start at the
    largest depth are given as one branch.
    """
    thresholds = wording.thresholds(tree)
    children = tree.n_children.tolist()
    # A list, not recursion: Python allows only about a thousand calls within each other, and trees may be deeper.
    waiting = [Branch(0, 0, -1, "", _kind(children[0], 0, max_depth))]
    while waiting:
        branch = waiting.pop()
        yield branch
        if branch.kind != "test":
            continue
        column, depth = int(tree.attribute[branch.node]), branch.depth + 1
        conditions, rest = _conditions(tree, wording, branch.node, thresholds)
        if rest:
            waiting.append(Branch(branch.node, depth, column, rest, "empty"))
        for child, condition in zip(reversed(tree.children(branch.node)), reversed(conditions), strict=True):
            waiting.append(Branch(child, depth, column, condition, _kind(children[child], depth, max_depth)))


def _kind(n_children: int, depth: int, max_depth: int | None) -> Kind:
    if n_children == 0:
        return "leaf"
    return "test" if max_depth is None or depth < max_depth else "cut"


def _conditions(
    tree: Tree, wording: Wording, node: int, thresholds: dict[tuple[int, float], str]
) -> tuple[list[str], str]:
    """Return the condition of each child, and that of the categories that no training case had, "" if none."""
    column, threshold = int(tree.attribute[node]), float(tree.threshold[node])
    if not math.isnan(threshold):
        text = thresholds[column, threshold]
        return [f"{wording.at_most} {text}", f"> {text}"], ""
    entries = slice(int(tree.first_code[node]), int(tree.first_code[node] + tree.n_codes[node]))
    codes, target = tree.code[entries], tree.code_child[entries]
    order = np.argsort(target, kind="stable")
    first, count = int(tree.first_child[node]), int(tree.n_children[node])
    groups = np.split(codes[order], np.searchsorted(target[order], np.arange(first + 1, first + count)))
    conditions = [wording.among(column, group) for group in groups]
    known = wording.schema.categories[column]
    if known is None or tree.n_branches[node] <= count:
        return conditions, ""
    absent = np.ones(len(known), dtype=bool)
    absent[codes] = False
    return conditions, wording.among(column, np.flatnonzero(absent)) if absent.any() else ""


# Deeper lines would be mostly indent: it alone would make gigabytes of a chain of 25,000 tests.
DEEPEST_INDENT = 50


def _indent(depth: int) -> str:
    if depth <= DEEPEST_INDENT:
        return "|   " * depth
    return "|   " * DEEPEST_INDENT + f"[{depth}] "


def export_text(
    tree: Tree,
    schema: Schema,
    classes: NDArray[Any],
    *,
    max_depth: int | None = None,
    decimals: int = 4,
    show_weights: bool = True,
) -> str:
    """Write a tree as text, one line per branch, in the manner of C4.5, without a line break at the end.

    Thresholds have more decimals where fewer would make different ones look alike, and where two more make them exact.
    From the 51st level on, the indent grows no further and tells the level.
    """
    check_tree(tree, schema, classes, max_depth, decimals)
    wording, outcomes = Wording(schema, decimals), Outcomes(tree, classes)
    lines = []
    for branch in walk(tree, wording, max_depth):
        end = "" if branch.kind == "test" else outcomes.text(branch, show_weights)
        if branch.depth:
            test = f"{wording.name(branch.attribute)} {branch.condition}"
            lines.append(f"{_indent(branch.depth - 1)}{test}{end and ': ' + end}")
        elif end:
            lines.append(end)
    return "\n".join(lines)
