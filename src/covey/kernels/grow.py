"""The growth of a tree from columns that were sorted once, in as many calls as it takes.

What there is between two calls lies in arrays of the caller, who gives them more room when it is needed.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.choose import Worth, choose
from covey.kernels.compile import (
    Codes,
    Floats,
    OutCodes,
    OutFlags,
    OutFloats,
    OutInts,
    OutInts2,
    OutLabels,
    fields_of,
    kernel,
    loop,
    part,
)
from covey.kernels.cuts import Sides, new_sides
from covey.kernels.divide import (
    Branches,
    divide,
    is_final,
    lay_out,
    new_spare,
    no_branches,
    room_for_branches,
    room_to_divide,
    sort_by_code,
    sort_by_rank,
    split_unknown,
    weigh_branches,
)
from covey.kernels.layout import (
    ATTRIBUTE,
    CASE,
    CUT,
    FIRST_CHILD,
    FIRST_CODE,
    LANES,
    N_BRANCHES,
    N_CHILDREN,
    N_CODES as N_NODE_CODES,
    Cases,
    Growing,
    Node,
    Options,
    Presorted,
    TreeFields,
    make_leaf,
    sum_of,
)
from covey.kernels.logarithm import xlog2x
from covey.kernels.nominal import Bags, empty_bags, fill_bags, sorted_by_share
from covey.kernels.sorting import sort_few

# How far a tree is: its nodes and categories, the nodes that wait on the stack, the rows that have weight, and how many
# cases and keys the next node needs room for.
N_NODES, N_CODES, N_FRAMES, N_CASES, CASES_NEEDED, KEYS_NEEDED = range(6)
N_COUNTS = 6

# What waits on the stack: a node, where its cases start and end, the first number that no case has, and whether its
# cases are numbered by their places.
N_FRAME = 5


class Scratch(NamedTuple):
    """What the search for a test works with."""

    sides: Sides
    bags: Bags
    worth: Worth
    branch: NDArray[np.int32]  # of a category
    counts: NDArray[np.bool_]  # whether a column counts in the average gain


@part
def new_scratch(n_values: NDArray[np.int32], n_classes: int, weight: float) -> Scratch:
    """Return scratch space; a column with a category for three in ten cases does not count, unless all are so."""
    n_columns, widest = len(n_values), 1
    counts, any_counts = np.empty(n_columns, np.bool_), False
    for j in range(n_columns):
        widest = max(widest, n_values[j])
        counts[j] = n_values[j] < 0.3 * weight
        any_counts = any_counts or counts[j]
    for j in range(n_columns):
        counts[j] = counts[j] or not any_counts
    bags = Bags(np.zeros((widest, n_classes)), np.zeros(widest), np.empty(widest, np.int64), np.zeros(widest, np.bool_))
    numbers, places = np.zeros((2, n_columns)), np.zeros((3, n_columns), np.int64)
    worth = Worth(numbers[0], numbers[1], places[0], places[1], places[2])
    return Scratch(new_sides(n_classes), bags, worth, np.empty(widest, np.int32), counts)


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
    sort_few(bags.present, n_present)
    if group:
        order = sorted_by_share(bags, n_present, worth.low[j])
        for i in range(n_present):
            branch[order[i]] = 0 if i < worth.high[j] else 1
    else:
        for i in range(n_present):
            branch[bags.present[i]] = i
    empty_bags(bags, n_present)
    return n_present, 2 if group else n_present


@part
def take_sides(
    j: int, node: Node, cases: Cases, keys: NDArray[np.int64], used: Any, scratch: Scratch, side: Any, group: bool
) -> tuple[int, int, int]:
    """Send each case of a node to its side of the chosen test; return the cut, the categories and the branches."""
    worth = scratch.worth
    if cases.n_values[j] == 0:
        first = cases.offset[cases.place[j]]
        used_here = used[first:] if len(used) > 0 else used
        cut = actual_value(worth.low[j], worth.high[j], cases.distinct[first:], used_here)
        sort_by_rank(keys, cases.place[j], node.start, node.end, cut, side)
        return cut, 0, 2
    n_present, n_branches = branch_of_codes(j, node, cases, keys, scratch.bags, scratch.branch, worth, group)
    sort_by_code(cases, keys, node.start, node.end, j, scratch.branch, side)
    return -1, n_present, n_branches


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
    tree.links[parent, N_NODE_CODES] = n_present
    for i in range(n_present):
        code = bags.present[i]
        tree.codes[n_codes + i, 0] = code
        tree.codes[n_codes + i, 1] = tree.links[parent, FIRST_CHILD] + branch[code]


@part
def push_children(
    frames: NDArray[np.int64],
    n_frames: int,
    n_nodes: int,
    branches: Branches,
    n_branches: int,
    last: int,
    free: int,
    in_place: bool,
) -> int:
    """Put the children that are divided further on the stack, in the order in which their cases lie."""
    for b in range(n_branches):
        if not branches.goes_on[b]:
            continue
        frames[n_frames, 0], frames[n_frames, 1] = n_nodes + b, branches.start[b]
        frames[n_frames, 2], frames[n_frames, 3], frames[n_frames, 4] = last, free, in_place
        if n_frames > 0 and frames[n_frames - 1, 0] >= n_nodes:
            frames[n_frames - 1, 2] = branches.start[b]
        n_frames += 1
    return n_frames


@part
def number_cases(row_label: Any, row_weight: Any, cases: Cases, number: Any) -> int:
    """Make a case of each row that has weight, and note its number, -1 for none; return how many there are.

    A case is written for every row, and stays if it is to.
    """
    n_cases = 0
    for i in range(len(row_label)):
        cases.row[n_cases], cases.label[n_cases], cases.weight[n_cases] = i, row_label[i], row_weight[i]
        number[i] = n_cases if row_weight[i] > 0.0 else -1
        n_cases += row_weight[i] > 0.0
    return n_cases


@part
def keep_keys(sorted_keys: Any, number: Any, n_cases: int, keys: NDArray[np.int64]) -> None:
    """Fill in the sorted columns without rows of no weight, and the cases themselves as a last row.

    Behind each row is room for one more key: every key is written, and stays if it is to.
    """
    n_columns, n_rows = sorted_keys.shape
    for j in range(n_columns):
        p = 0
        for i in range(n_rows):
            key = sorted_keys[j, i]
            if n_cases == n_rows:
                keys[j, i] = key
            else:
                kept = np.int64(number[key & CASE])
                keys[j, p] = key & ~CASE | kept & CASE
                p += int(kept >= 0)
    for case in range(n_cases):
        keys[n_columns, case] = case


@part
def note_ranks(keys: NDArray[np.int64], n_cases: int, offset: Any, used: NDArray[np.bool_]) -> None:
    """Note which distinct values a case of positive weight has."""
    for j in range(len(keys) - 1):
        size = offset[j + 1] - offset[j]
        for i in range(n_cases):
            rank = keys[j, i] >> np.int64(32)
            if rank < size:
                used[offset[j] + rank] = True


@part
def plant(tree: Growing, label: Any, weight: Any) -> None:
    """Make a tree of its root."""
    make_leaf(tree, 0)
    for c in range(tree.weight.shape[1]):
        tree.weight[0, c] = 0.0
    for row in range(len(label)):
        tree.weight[0, label[row]] += weight[row]


@part
def begin(
    sorted_keys: Any, row_label: Any, row_weight: Any, cases: Cases, keys: Any, used: Any, tree: Growing, counts: Any
) -> None:
    """Fill in the cases, their keys and the root of a tree."""
    n_rows = len(row_label)
    number = np.empty(n_rows, np.int32)
    counts[N_CASES] = number_cases(row_label, row_weight, cases, number)
    keep_keys(sorted_keys, number, counts[N_CASES], keys)
    if counts[N_CASES] < n_rows:
        note_ranks(keys, counts[N_CASES], cases.offset, used)
    plant(tree, row_label, row_weight)
    counts[N_NODES] = 1


@part
def grow(
    cases: Cases, keys: Any, used: Any, tree: Growing, frames: Any, options: Options, counts: Any, work: int
) -> None:
    """Divide nodes, the last first, so that the cases of the node in hand always lie behind those of all others."""
    n_classes, n_columns = tree.weight.shape[1], len(cases.n_values)
    n_nodes, n_codes, n_frames = counts[N_NODES], counts[N_CODES], counts[N_FRAMES]
    scratch = new_scratch(cases.n_values, n_classes, sum_of(tree.weight[0]))
    side, term = np.empty(len(cases.row), np.int32), np.empty(n_classes)
    branches, spare = no_branches(side, n_classes), new_spare(keys.shape[1], counts[N_CASES])
    widest = max(2, len(scratch.branch))
    while n_frames > 0 and work > 0:
        if max(n_nodes - len(tree.links), n_codes - len(tree.codes), n_frames - len(frames)) + widest > 0:
            break
        number, start, end, free, in_place = (
            frames[n_frames - 1, 0],
            frames[n_frames - 1, 1],
            frames[n_frames - 1, 2],
            frames[n_frames - 1, 3],
            frames[n_frames - 1, 4],
        )
        for c in range(n_classes):
            term[c] = xlog2x(tree.weight[number, c])
        node = Node(start, end, tree.weight[number], term, sum_of(tree.weight[number]), number)
        j = choose(node, cases, keys, scratch.sides, scratch.bags, scratch.worth, scratch.counts, options)
        work -= (end - start) * n_columns
        if j < 0:
            n_frames -= 1
            continue
        cut, n_present, n_branches = take_sides(j, node, cases, keys, used, scratch, side, options.group)
        branches = room_for_branches(branches, n_branches, side)
        n_unknown = weigh_branches(cases, keys, start, end, branches, n_branches)
        last, needed = lay_out(start, branches, n_branches, n_unknown, options.min_cases)
        if last > start and n_unknown > 0:
            counts[CASES_NEEDED], counts[KEYS_NEEDED] = free + n_unknown * n_branches, last + LANES
            if counts[CASES_NEEDED] > len(cases.row) or counts[KEYS_NEEDED] > keys.shape[1]:
                break
            free = split_unknown(cases, keys, start, end, branches, n_branches, free)
        add_children(tree, number, j, cut, n_nodes, branches, n_branches, 0 if options.group else cases.n_values[j])
        add_codes(tree, number, n_codes, scratch.bags, n_present, scratch.branch)
        two_ways = n_branches == 2 and n_unknown == 0
        moves = two_ways and in_place > 0
        if last > start:
            spare = room_to_divide(spare, needed)
            divide(cases, keys, start, end, last, branches, n_branches, spare, two_ways, moves)
        n_frames = push_children(frames, n_frames - 1, n_nodes, branches, n_branches, last, free, moves)
        n_nodes += n_branches
        n_codes += n_present
    counts[N_NODES], counts[N_CODES], counts[N_FRAMES] = n_nodes, n_codes, n_frames


@kernel
def grow_tree(
    presorted: Annotated[tuple[Any, ...], fields_of(Presorted)],
    row_label: Codes,
    row_weight: Floats,
    options_fields: Annotated[tuple[Any, ...], fields_of(Options)],
    row: OutCodes,  # room for cases, as of `Cases`: their rows, ...
    label: OutLabels,  # ... labels ...
    weight: OutFloats,  # ... and weights
    keys: OutInts2,  # (sorted column + 1, room): room for the keys of cases
    used: OutFlags,  # False before; filled in for the distinct values in use where not all rows have weight
    tree_fields: TreeFields,
    frames: OutInts2,  # (room, N_FRAME): the stack
    counts: OutInts,  # how far the tree is (N_COUNTS): 0 before the first call; done when nothing waits on the stack
    work: int,  # how many keys to go through, but for those of the last node
) -> None:
    """Grow a tree, depth first, from presorted columns, until it is done, room is needed or enough work is done."""
    data, options, tree, n_rows = Presorted(*presorted), Options(*options_fields), Growing(*tree_fields), len(row_label)
    cases = Cases(data.values, data.n_values, data.place, data.distinct, data.offset, data.apart, row, label, weight)
    if counts[N_NODES] == 0:
        begin(data.keys, row_label, row_weight, cases, keys, used, tree, counts)
        if not is_final(tree.weight[0], options.min_cases):
            frames[0, 0], frames[0, 1], frames[0, 2], frames[0, 3], frames[0, 4] = 0, 0, counts[N_CASES], n_rows, 1
            counts[N_FRAMES] = 1
    grow(cases, keys, used if counts[N_CASES] < n_rows else used[:0], tree, frames, options, counts, work)
