"""The steps of growing a tree: cases made ready, places found for branches, children written down."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.kernels.choose import Node, Worth
from covey.kernels.compile import loop, part
from covey.kernels.divide import Branches
from covey.kernels.layout import (
    ATTRIBUTE,
    CASE,
    CUT,
    FIRST_CHILD,
    FIRST_CODE,
    N_BRANCHES,
    N_CHILDREN,
    N_CODES,
    SMALL,
    Cases,
    Growing,
    largest_of,
    make_leaf,
    sum_of,
)
from covey.kernels.nominal import Bags, empty_bags, fill_bags, sort_present, sorted_by_share


@part
def keep_keys(sorted_keys: Any, weight: Any, keys: NDArray[np.int64]) -> int:
    """Fill in the sorted columns without cases of no weight, and the cases themselves as a last row; return how many.

    Behind each row is room for one more key: every key is written, and stays if it is to.
    """
    n_columns, n_rows = sorted_keys.shape
    for j in range(n_columns):
        p = 0
        for i in range(n_rows):
            keys[j, p] = sorted_keys[j, i]
            p += weight[sorted_keys[j, i] & CASE] > 0.0
    p = 0
    for row in range(n_rows):
        keys[n_columns, p] = row
        p += weight[row] > 0.0
    return p


@part
def note_ranks(keys: NDArray[np.int64], n_cases: int, offset: Any, used: NDArray[np.bool_]) -> None:
    """Note which distinct values a case of positive weight has."""
    for j in range(len(keys) - 1):
        size = offset[j + 1] - offset[j]
        for i in range(n_cases):
            rank = keys[j, i] >> np.int64(32)
            if rank < size:
                used[offset[j] + rank] = True


@loop
def actual_value(low: int, high: int, values: Any, used: NDArray[np.bool_]) -> int:
    """Return the largest rank in use that is not above the middle between two values, but for rounding."""
    middle = 0.5 * values[low] + 0.5 * values[high]
    middle += 1e-15 * abs(values[low]) + 1e-15 * abs(values[high])
    rank = low
    left, right = low, high
    while left < right:
        between = (left + right) // 2
        if values[between] <= middle:
            rank = between
            left = between + 1
        else:
            right = between
    while rank > low and len(used) > 0 and not used[rank]:
        rank -= 1
    return rank


@loop
def is_final(total: NDArray[np.float64], min_cases: float) -> bool:
    """Whether a node cannot be divided: too few cases, or all of one class."""
    weight = sum_of(total)
    return bool(weight < 2.0 * min_cases - SMALL or weight - largest_of(total) < SMALL)


@part
def branch_of_codes(
    j: int,
    node: Node,
    cases: Cases,
    keys: NDArray[np.int64],
    bags: Bags,
    branch: NDArray[np.int32],
    worth: Worth,
    group: bool,
) -> tuple[int, int]:
    """Give each category present its branch; return how many categories and branches there are."""
    n_present = fill_bags(j, node.start, node.end, cases, keys, bags)
    sort_present(bags, n_present)
    if group:
        order = sorted_by_share(bags, n_present, worth.low[j])
        for i in range(n_present):
            branch[order[i]] = 0 if i < worth.high[j] else 1
    else:
        for i in range(n_present):
            branch[bags.present[i]] = i
    empty_bags(bags, n_present)
    return n_present, 2 if group else n_present


@loop
def lay_out(node: Node, branches: Branches, n_branches: int, n_unknown: int, min_cases: float) -> tuple[int, int]:
    """Find each branch its place in the sorted columns; return where the last that goes on ends, and the space needed.

    Branches that end here share a place beyond the others.
    """
    end, waste, size = node.start, 0, branches.size
    for b in range(n_branches):
        branches.goes_on[b] = not is_final(branches.total[b], min_cases)
        if branches.goes_on[b]:
            branches.start[b] = end
            end += size[b] + (n_unknown if branches.share[b] > SMALL else 0)
        else:
            waste = max(waste, size[b])
    for b in range(n_branches):
        if not branches.goes_on[b]:
            branches.start[b] = end
    return end, end + waste


@loop
def add_children(
    tree: Growing, parent: int, j: int, cut: int, n_nodes: int, branches: Branches, n_branches: int, n_values: int
) -> None:
    """Write down the test of a node and its children, leaves so far."""
    links = tree.links
    links[parent, ATTRIBUTE] = j
    links[parent, CUT] = cut
    links[parent, FIRST_CHILD] = n_nodes
    links[parent, N_CHILDREN] = n_branches
    links[parent, N_BRANCHES] = max(n_values, n_branches)
    for b in range(n_branches):
        make_leaf(tree, n_nodes + b)
        for c in range(tree.weight.shape[1]):
            tree.weight[n_nodes + b, c] = branches.total[b, c]


@loop
def add_codes(tree: Growing, parent: int, n_codes: int, bags: Bags, n_present: int, branch: NDArray[np.int32]) -> None:
    """Write down which category leads to which child."""
    tree.links[parent, FIRST_CODE] = n_codes
    tree.links[parent, N_CODES] = n_present
    for i in range(n_present):
        code = bags.present[i]
        tree.codes[n_codes + i, 0] = code
        tree.codes[n_codes + i, 1] = tree.links[parent, FIRST_CHILD] + branch[code]


@part
def no_branches(side: NDArray[np.int32], n_classes: int) -> Branches:
    """Return scratch for branches, without room for any."""
    none = np.empty(0, np.int64)
    return Branches(side, np.empty((0, n_classes)), np.empty(0), np.empty(0, np.bool_), none, none, none)


@part
def room_for_branches(branches: Branches, n_branches: int, side: NDArray[np.int32]) -> Branches:
    """Return scratch for so many branches."""
    if n_branches <= len(branches.share):
        _, total, share, goes_on, start, size, following = branches
        return Branches(side, total, share, goes_on, start, size, following)
    n = 2 * n_branches
    total, share, goes_on = np.empty((n, branches.total.shape[1])), np.empty(n), np.empty(n, np.bool_)
    return Branches(side, total, share, goes_on, np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64))
