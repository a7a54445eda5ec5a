"""Sending new cases down a finished tree."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from covey.kernels.compile import kernel, loop, part, read_only
from covey.kernels.layout import SMALL, enlarged


class Finished(NamedTuple):
    """A finished tree; see `covey.learners.tree.Tree`."""

    attribute: NDArray[np.int32]
    threshold: NDArray[np.float64]
    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]
    first_code: NDArray[np.int32]
    n_codes: NDArray[np.int32]
    code: NDArray[np.int32]
    code_child: NDArray[np.int32]
    total: NDArray[np.float64]  # the weight of training cases at a node


ARRAYS = (
    read_only(types.int32, 1),
    read_only(types.float64, 1),
    read_only(types.int32, 1),
    read_only(types.int32, 1),
    read_only(types.int32, 1),
    read_only(types.int32, 1),
    read_only(types.int32, 1),
    read_only(types.int32, 1),
    read_only(types.float64, 1),
)

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
    tree: Finished, row: Any, node: int, found: NDArray[np.float64], todo: NDArray[np.float64]
) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Find all nodes where fractions of a case end, as (node, share); return how many, and the arrays enlarged.

    A fraction whose next value is missing ends at the node itself if the branches weigh nothing. Where all fractions
    are too small to follow, the whole case ends where it was divided first.
    """
    n_found, n_todo = 0, 1
    todo[0, 0], todo[0, 1] = node, 1.0
    found[0, 0], found[0, 1] = node, 1.0
    while n_todo > 0:
        n_todo -= 1
        share = todo[n_todo, 1]
        node, missing = descend(tree, row, int(todo[n_todo, 0]))
        first, total = tree.first_child[node], 0.0
        if missing:
            for child in range(first, first + tree.n_children[node]):
                total += tree.total[child]
        if not total > 0.0:
            found = enlarged(found, n_found, n_found + 1)
            found[n_found, 0], found[n_found, 1] = node, share
            n_found += 1
            continue
        todo = enlarged(todo, n_todo, n_todo + tree.n_children[node])
        for child in range(first, first + tree.n_children[node]):
            fraction = tree.total[child] / total
            if fraction > SMALL:
                todo[n_todo, 0], todo[n_todo, 1] = child, share * fraction
                n_todo += 1
    return max(1, n_found), found, todo


@kernel(types.void(*ARRAYS, read_only(types.float64, 2), read_only(types.float64, 2), types.float64[:, ::1]))
def class_shares(
    attribute: Any,
    threshold: Any,
    first_child: Any,
    n_children: Any,
    first_code: Any,
    n_codes: Any,
    code: Any,
    code_child: Any,
    total: Any,
    probability: Any,
    X: Any,
    result: Any,
) -> None:
    """Add the class probabilities of each row to a result: those of its leaf, or of all that fractions of it reach."""
    tree = Finished(attribute, threshold, first_child, n_children, first_code, n_codes, code, code_child, total)
    found, todo = np.empty((64, 2)), np.empty((64, 2))
    for i in range(len(X)):
        node, missing = descend(tree, X[i], 0)
        n_found, found[0, 0], found[0, 1] = 1, node, 1.0
        if missing:
            n_found, found, todo = ends(tree, X[i], node, found, todo)
        whole = 0.0  # less than 1 if tiny fractions were let go
        for k in range(n_found):
            whole += found[k, 1]
        for k in range(n_found):
            for c in range(probability.shape[1]):
                result[i, c] += found[k, 1] / whole * probability[int(found[k, 0]), c]


@kernel(types.void(*ARRAYS, read_only(types.float64, 2), types.int64[::1]))
def leaf_of_rows(
    attribute: Any,
    threshold: Any,
    first_child: Any,
    n_children: Any,
    first_code: Any,
    n_codes: Any,
    code: Any,
    code_child: Any,
    total: Any,
    X: Any,
    result: Any,
) -> None:
    """Fill in the node where each row ends, of fractions that of the largest; ``-1 - node`` marks those."""
    tree = Finished(attribute, threshold, first_child, n_children, first_code, n_codes, code, code_child, total)
    found, todo = np.empty((64, 2)), np.empty((64, 2))
    for i in range(len(X)):
        node, missing = descend(tree, X[i], 0)
        result[i] = node
        if missing:
            n_found, found, todo = ends(tree, X[i], node, found, todo)
            best = 0
            for k in range(n_found):
                larger = found[k, 1] > found[best, 1]
                if larger or (found[k, 1] == found[best, 1] and found[k, 0] < found[best, 0]):
                    best = k
            result[i] = -1 - int(found[best, 0])
