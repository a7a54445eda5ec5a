"""The arrays of a tree in the making, and of the cases that it is grown from."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import Codes, Codes2, Floats, Ints, Ints2, OutCodes2, OutFloats2, fields_of, loop, part

# The columns of `links`, one row per node.
ATTRIBUTE = 0  # the column tested, -1 at a leaf
CUT = 1  # the largest rank that goes to the first child
FIRST_CHILD = 2
N_CHILDREN = 3
N_BRANCHES = 4  # children, and categories that no case had
FIRST_CODE = 5  # where `codes` lists which category leads to which child
N_CODES = 6
N_LINKS = 7

# A sorted column holds rank << 32 | case; cases whose value is missing come last, with the largest rank. Between the
# two is a mark of values so close to the next smaller one in the column that C4.5 makes no cut there.
FIRST_MISSING = np.int64((2**31 - 1) << 32)
CASE = np.int64(2**31 - 1)
CLOSE = np.int64(2**31)
BELOW_RANK = np.int64(2**32 - 1)
RANK_BITS = np.int64(32)

# Cases are looked at in multiples of this, so that there is room for as many keys behind the last; a block is one.
LANES = 16

# C4.5 makes no cut between values that are so near to each other.
NARROW = 1e-5

# Differences up to this are no differences, as in the reference implementations of C4.5.
SMALL = 1e-6


class Options(NamedTuple):
    """What kind of tree is grown."""

    min_cases: float
    by_ratio: bool  # choose by gain ratio among tests of average gain, else by gain
    charge_cuts: bool  # Release 8: a numeric test pays for the choice of its threshold
    group: bool  # categories in two groups, else a branch for each
    probability: float  # with which a column is available at a node
    n_candidates: int  # columns looked at per node, 0 for all available
    seed: int


class Presorted(NamedTuple):
    """A table as `covey.learners.presort.Presort` has it."""

    keys: Ints2  # (sorted column, row): rank << 32 | row in the order of the values
    values: Codes2  # (column, row): rank or category, -1 if missing
    n_values: Codes  # categories per column, 0 if it is numeric
    place: Codes  # where a numeric column lies among the sorted ones
    distinct: Floats  # the values of numeric columns, in order, one column after the other
    offset: Ints  # where those of a column start
    apart: Ints  # values whose ranks in a column differ by so many are not so near that C4.5 makes no cut


class Cases(NamedTuple):
    """The cases that a tree is grown from: rows, or fractions of a row whose value was missing, one in each branch."""

    values: NDArray[np.int32]  # the first six as of `Presorted`
    n_values: NDArray[np.int32]
    place: NDArray[np.int32]
    distinct: NDArray[np.float64]
    offset: NDArray[np.int64]
    apart: NDArray[np.int64]
    row: NDArray[np.int32]  # of a case
    label: NDArray[np.uint32]  # of a case, unsigned for the sake of speed as an index
    weight: NDArray[np.float64]  # of a case


class Node(NamedTuple):
    """The node in hand: its cases are at ``start`` to ``end`` of every sorted column."""

    start: int
    end: int
    total: NDArray[np.float64]  # per class
    term: NDArray[np.float64]  # x log2 x of them
    weight: float
    number: int


class Growing(NamedTuple):
    """A tree in the making."""

    links: OutCodes2
    weight: OutFloats2  # (node, class)
    codes: OutCodes2  # (category, child), sorted by category within a node


# A `Growing` as kernels are given it.
TreeFields = Annotated[tuple[Any, ...], fields_of(Growing)]


@part
def enlarged(array: Any, used: int, needed: int) -> Any:
    """Return a table with room for at least so many rows."""
    if needed <= len(array):
        return array
    larger = np.empty((max(needed, 2 * len(array)), array.shape[1]), dtype=array.dtype)
    for i in range(used):
        for j in range(array.shape[1]):
            larger[i, j] = array[i, j]
    return larger


@loop
def sum_of(array: NDArray[np.float64]) -> float:
    """Return the sum of a few numbers."""
    total = 0.0
    for x in array:
        total += x
    return total


@loop
def largest_of(array: NDArray[np.float64]) -> float:
    """Return the largest of a few numbers, at least 0."""
    largest = 0.0
    for x in array:
        largest = max(largest, x)
    return largest


@part
def with_room(tree: Growing, n_nodes: int, new_nodes: int, n_codes: int, new_codes: int) -> Growing:
    """Return the tree with room for more nodes and categories."""
    return Growing(
        enlarged(tree.links, n_nodes, n_nodes + new_nodes),
        enlarged(tree.weight, n_nodes, n_nodes + new_nodes),
        enlarged(tree.codes, n_codes, n_codes + new_codes),
    )


@loop
def make_leaf(tree: Growing, node: int) -> None:
    """Make a node a leaf."""
    for j in range(N_LINKS):
        tree.links[node, j] = -1 if j <= CUT else 0


@loop
def child_of_code(tree: Growing, node: int, code: int) -> int:
    """Return the child that a category leads to, -1 if it has none."""
    low = tree.links[node, FIRST_CODE]
    end = low + tree.links[node, N_CODES]
    high = end
    while low < high:
        middle = (low + high) // 2
        if tree.codes[middle, 0] < code:
            low = middle + 1
        else:
            high = middle
    if low < end and tree.codes[low, 0] == code:
        return int(tree.codes[low, 1])
    return -1


@loop
def copy_node(tree: Growing, source: int, target: int) -> None:
    """Make a node what another is."""
    for j in range(N_LINKS):
        tree.links[target, j] = tree.links[source, j]
    for c in range(tree.weight.shape[1]):
        tree.weight[target, c] = tree.weight[source, c]


@part
def enlarged_vector(array: NDArray[np.float64], needed: int) -> NDArray[np.float64]:
    """Return an array with room for at least so many numbers."""
    if needed <= len(array):
        return array
    larger = np.zeros(max(needed, 2 * len(array)))
    for i in range(len(array)):
        larger[i] = array[i]
    return larger


@part
def reachable(tree: Growing, n_nodes: int) -> tuple[NDArray[np.int64], int, int]:
    """Return the nodes that can be reached from the root, level by level, how many they are, and their categories."""
    nodes = np.zeros(n_nodes, dtype=np.int64)
    count, n_codes, node = 1, 0, 0
    while node < count:
        links = tree.links[nodes[node]]
        for b in range(links[N_CHILDREN]):
            nodes[count + b] = links[FIRST_CHILD] + b
        count += links[N_CHILDREN]
        n_codes += links[N_CODES]
        node += 1
    return nodes, count, n_codes


@loop
def write_compact(tree: Growing, old: NDArray[np.int64], n_nodes: int, new: Growing) -> None:
    """Write down the nodes that can be reached, as `reachable` lists them, as a tree of their own."""
    n_classes = tree.weight.shape[1]
    count, n_codes = 1, 0
    for node in range(n_nodes):
        for j in range(N_LINKS):
            new.links[node, j] = tree.links[old[node], j]
        for c in range(n_classes):
            new.weight[node, c] = tree.weight[old[node], c]
        first, first_code = new.links[node, FIRST_CHILD], new.links[node, FIRST_CODE]
        new.links[node, FIRST_CODE] = n_codes
        if new.links[node, ATTRIBUTE] >= 0:
            new.links[node, FIRST_CHILD] = count
        for i in range(new.links[node, N_CODES]):
            new.codes[n_codes + i, 0] = tree.codes[first_code + i, 0]
            new.codes[n_codes + i, 1] = tree.codes[first_code + i, 1] - first + count
        count += new.links[node, N_CHILDREN]
        n_codes += new.links[node, N_CODES]
