"""The way of new rows down a finished tree."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import Codes, Floats, Floats2, OutFloats2, OutInts, fields_of, kernel, loop, part
from covey.kernels.layout import SMALL, enlarged


class Finished(NamedTuple):
    """A finished tree; see `covey.learners.tree.Tree`."""

    attribute: Codes
    threshold: Floats
    first_child: Codes
    n_children: Codes
    first_code: Codes
    n_codes: Codes
    code: Codes
    code_child: Codes
    total: Floats  # the weight of the training rows at a node


# A `Finished` as kernels are given it.
Given = Annotated[tuple[Any, ...], fields_of(Finished)]

STOP, UNKNOWN = -1, -2


@loop
def next_node(tree: Finished, node: int, value: float) -> int:
    """Return the child that a value leads to: STOP if it has none, UNKNOWN if the value is missing."""
    if np.isnan(value):
        return UNKNOWN
    if tree.n_codes[node] == 0:
        return int(tree.first_child[node] + (value > tree.threshold[node]))
    low = tree.first_code[node]
    end = low + tree.n_codes[node]
    high = end
    while low < high:
        middle = (low + high) // 2
        if tree.code[middle] < value:
            low = middle + 1
        else:
            high = middle
    return int(tree.code_child[low]) if low < end and tree.code[low] == value else STOP


@loop
def descend(tree: Finished, row: Any, node: int) -> tuple[int, bool]:
    """Go down from a node as far as one way leads; say whether the next value is missing."""
    while tree.attribute[node] >= 0:
        following = next_node(tree, node, row[tree.attribute[node]])
        if following < 0:
            return node, following == UNKNOWN
        node = following
    return node, False


@part
def ends(
    tree: Finished, row: Any, node: int, ending: NDArray[np.float64], todo: NDArray[np.float64]
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Find all nodes where fractions of a row end, as (node, share); return how many, and the arrays enlarged.

    A fraction whose next value is missing ends at the node itself if the branches weigh nothing. Where all fractions
    are too small to follow, the whole row ends where it was divided first.
    """
    n_endings, n_todo = 0, 1
    todo[0, 0], todo[0, 1] = node, 1.0
    ending[0, 0], ending[0, 1] = node, 1.0
    while n_todo > 0:
        n_todo -= 1
        share = todo[n_todo, 1]
        node, missing = descend(tree, row, int(todo[n_todo, 0]))
        first, total = tree.first_child[node], 0.0
        if missing:
            for child in range(first, first + tree.n_children[node]):
                total += tree.total[child]
        if not total > 0.0:
            ending = enlarged(ending, n_endings, n_endings + 1)
            ending[n_endings, 0], ending[n_endings, 1] = node, share
            n_endings += 1
            continue
        todo = enlarged(todo, n_todo, n_todo + tree.n_children[node])
        for child in range(first, first + tree.n_children[node]):
            fraction = tree.total[child] / total
            if fraction > SMALL:
                todo[n_todo, 0], todo[n_todo, 1] = child, share * fraction
                n_todo += 1
    return max(1, n_endings), ending, todo


@kernel
def class_shares(given: Given, probability: Floats2, X: Floats2, result: OutFloats2) -> None:
    """Add the class probabilities of each row to a result: those of its leaf, or of all that fractions of it reach."""
    tree = Finished(*given)
    ending, todo = np.empty((64, 2)), np.empty((64, 2))
    for i in range(len(X)):
        node, missing = descend(tree, X[i], 0)
        n_endings, ending[0, 0], ending[0, 1] = 1, node, 1.0
        if missing:
            n_endings, ending, todo = ends(tree, X[i], node, ending, todo)
        whole = 0.0  # less than 1 if tiny fractions were let go
        for k in range(n_endings):
            whole += ending[k, 1]
        for k in range(n_endings):
            for c in range(probability.shape[1]):
                result[i, c] += ending[k, 1] / whole * probability[int(ending[k, 0]), c]


@kernel
def leaf_of_rows(given: Given, X: Floats2, result: OutInts) -> None:
    """Fill in the node where each row ends, of fractions that of the largest; ``-1 - node`` marks those."""
    tree = Finished(*given)
    ending, todo = np.empty((64, 2)), np.empty((64, 2))
    for i in range(len(X)):
        node, missing = descend(tree, X[i], 0)
        result[i] = node
        if missing:
            n_endings, ending, todo = ends(tree, X[i], node, ending, todo)
            best = 0
            for k in range(n_endings):
                larger = ending[k, 1] > ending[best, 1]
                if larger or (ending[k, 1] == ending[best, 1] and ending[k, 0] < ending[best, 0]):
                    best = k
            result[i] = -1 - int(ending[best, 0])
