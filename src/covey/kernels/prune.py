"""Collapsing and error-based pruning with subtree raising (Quinlan 1993, chapter 4)."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import Codes, Codes2, Flags, Floats, fields_of, kernel, loop, part
from covey.kernels.layout import (
    ATTRIBUTE,
    CUT,
    FIRST_CHILD,
    FIRST_CODE,
    N_BRANCHES,
    N_CHILDREN,
    N_CODES,
    SMALL,
    Growing,
    TreeFields,
    child_of_code,
    copy_node,
    enlarged,
    enlarged_vector,
    largest_of,
    make_leaf,
    reachable,
    sum_of,
    with_room,
    write_compact,
)
from covey.kernels.route import (
    Bagging,
    Lists,
    class_weights,
    distribute,
    first_frame,
    new_bagging,
    new_lists,
    push_bags,
)

ENTER, LEAVE = 0, 1


class Pruning(NamedTuple):
    """What is done to a tree."""

    collapses: bool
    prunes: bool
    raises: bool  # whether a subtree may be replaced by its largest branch
    confidence: float
    z: float  # the normal quantile of 1 - confidence


class Training(NamedTuple):
    """What a tree is pruned by."""

    values: NDArray[np.int32]  # (row, column): rank or category, -1 if missing
    label: NDArray[np.int32]
    confidence: float
    z: float  # the normal quantile of 1 - confidence
    has_missing: NDArray[np.bool_]  # whether a column has missing values


class More(NamedTuple):
    """Scratch: what cases from elsewhere would add to the leaves they touch."""

    weight: NDArray[np.float64]
    total: NDArray[np.float64]
    touched: NDArray[np.int64]
    is_touched: NDArray[np.bool_]


@part
def room_for_more(more: More, n_nodes: int) -> More:
    """Return scratch for so many nodes."""
    if n_nodes <= len(more.touched):
        return more
    size, n_classes = 2 * n_nodes, len(more.total)
    return More(np.zeros((size, n_classes)), more.total, np.empty(size, np.int64), np.zeros(size, np.bool_))


@loop
def extra_errors(weight: float, errors: float, confidence: float, z: float) -> float:
    """Return how many more errors than were seen the upper confidence limit of the error rate allows for."""
    if errors < 1.0:
        none = weight * (1.0 - math.exp(math.log(confidence) / weight))
        if errors == 0.0:
            return none
        return none + errors * (extra_of_many(weight, 1.0, z) - none)
    return extra_of_many(weight, errors, z)


@loop
def extra_of_many(weight: float, errors: float, z: float) -> float:
    """Return the same for at least one error."""
    if errors + 0.5 >= weight:
        return max(weight - errors, 0.0)
    f = (errors + 0.5) / weight
    spread = z * math.sqrt(f / weight - f * f / weight + z * z / (4.0 * weight * weight))
    rate = (f + z * z / (2.0 * weight) + spread) / (1.0 + z * z / weight)
    return rate * weight - errors


@loop
def expected_errors(total: NDArray[np.float64], confidence: float, z: float) -> float:
    """Return the pessimistic number of errors of a leaf with such class weights."""
    weight = sum_of(total)
    if weight < SMALL:
        return 0.0
    errors = weight - largest_of(total)
    return errors + extra_errors(weight, errors, confidence, z)


@part
def collapse(tree: Growing, n_nodes: int) -> None:
    """Make a leaf of every node whose subtree makes no fewer errors in training than the leaf would."""
    below = np.zeros(n_nodes)
    for node in range(n_nodes - 1, -1, -1):
        first, n_children = tree.links[node, FIRST_CHILD], tree.links[node, N_CHILDREN]
        as_leaf = sum_of(tree.weight[node]) - largest_of(tree.weight[node])
        if tree.links[node, ATTRIBUTE] < 0:
            below[node] = as_leaf
            continue
        for child in range(first, first + n_children):
            below[node] += below[child]
        if below[node] >= as_leaf - 1e-3:
            make_leaf(tree, node)


@loop
def child_of_row(tree: Growing, node: int, value: int) -> int:
    """Return the child that a known value leads to, -1 if it has none."""
    if tree.links[node, N_CODES] == 0:
        return int(tree.links[node, FIRST_CHILD] + (value > tree.links[node, CUT]))
    return int(child_of_code(tree, node, value))


@loop
def leaf_of_row(tree: Growing, node: int, row: int, values: Any) -> int:
    """Return the leaf that a row reaches from a node, -1 if it comes to a branch without a child."""
    while node >= 0 and tree.links[node, ATTRIBUTE] >= 0:
        node = child_of_row(tree, node, values[row, tree.links[node, ATTRIBUTE]])
    return node


@part
def meets_missing(tree: Growing, node: int, has_missing: Any) -> bool:
    """Whether a subtree tests a column that has missing values."""
    any_missing = False
    for j in range(len(has_missing)):
        any_missing = any_missing or has_missing[j]
    frames, n_frames = first_frame(node, 0, 0, 0), 1
    while any_missing and n_frames > 0:
        n_frames -= 1
        node = frames[n_frames, 0]
        if tree.links[node, ATTRIBUTE] < 0:
            continue
        if has_missing[tree.links[node, ATTRIBUTE]]:
            return True
        for b in range(tree.links[node, N_CHILDREN]):
            frames = enlarged(frames, n_frames, n_frames + 1)
            frames[n_frames, 0] = tree.links[node, FIRST_CHILD] + b
            n_frames += 1
    return False


@loop
def errors_with_others(
    tree: Growing, node: int, largest: int, start: int, end: int, lists: Lists, data: Training, more: More, known: float
) -> float:
    """Return the pessimistic errors of the largest branch if it also had the cases of the others.

    Its own errors are ``known``, so only those cases need be followed. If one comes to a branch without a child, that
    is not all there is to it, and the answer is -1.
    """
    n_touched, attribute, sound = 0, tree.links[node, ATTRIBUTE], True
    for p in range(start, end):
        row = lists.row[p]
        if child_of_row(tree, node, data.values[row, attribute]) == largest:
            continue
        leaf = leaf_of_row(tree, largest, row, data.values)
        if leaf < 0:
            sound = False
            break
        if not more.is_touched[leaf]:
            more.is_touched[leaf] = True
            more.touched[n_touched] = leaf
            n_touched += 1
        more.weight[leaf, data.label[row]] += lists.weight[p]
    for i in range(n_touched):
        leaf = more.touched[i]
        known -= expected_errors(tree.weight[leaf], data.confidence, data.z)
        more.is_touched[leaf] = False
        for c in range(tree.weight.shape[1]):
            more.total[c] = tree.weight[leaf, c] + more.weight[leaf, c]
            more.weight[leaf, c] = 0.0
        known += expected_errors(more.total, data.confidence, data.z)
    return known if sound else -1.0


@part
def errors_as_branch(
    tree: Growing, node: int, start: int, end: int, top: int, lists: Lists, data: Training, scratch: Bagging
) -> tuple[float, Lists]:
    """Return the pessimistic errors of a subtree, were a list of cases sent down it."""
    total = np.empty(tree.weight.shape[1])
    frames, n_frames, errors = first_frame(node, start, end, top), 1, 0.0
    while n_frames > 0:
        n_frames -= 1
        node, start, end, top = frames[n_frames, 0], frames[n_frames, 1], frames[n_frames, 2], frames[n_frames, 3]
        if node < 0 or tree.links[node, ATTRIBUTE] < 0:
            class_weights(start, end, lists, data.label, total)
            errors += expected_errors(total, data.confidence, data.z)
            continue
        n_bags, top, lists = distribute(tree, node, start, end, top, lists, data.values, scratch)
        frames = push_bags(tree, node, n_bags, top, scratch, frames, n_frames)
        n_frames += n_bags
    return errors, lists


@part
def with_new_leaves(
    tree: Growing, node: int, n_bags: int, scratch: Bagging, n_nodes: int, n_codes: int
) -> tuple[Growing, int, int]:
    """Give categories that had no child one each, now that there are cases of them; children move to a new place."""
    first, n_children = tree.links[node, FIRST_CHILD], tree.links[node, N_CHILDREN]
    first_code, count = tree.links[node, FIRST_CODE], tree.links[node, N_CODES]
    tree = with_room(tree, n_nodes, n_bags, n_codes, count + n_bags - n_children)
    for b in range(n_children):
        copy_node(tree, first + b, n_nodes + b)
    for i in range(count):
        tree.codes[n_codes + i, 0] = tree.codes[first_code + i, 0]
        tree.codes[n_codes + i, 1] = tree.codes[first_code + i, 1] - first + n_nodes
    for b in range(n_children, n_bags):
        make_leaf(tree, n_nodes + b)
        i = n_codes + count
        while i > n_codes and tree.codes[i - 1, 0] > scratch.code[b]:
            tree.codes[i, 0], tree.codes[i, 1] = tree.codes[i - 1, 0], tree.codes[i - 1, 1]
            i -= 1
        tree.codes[i, 0], tree.codes[i, 1] = scratch.code[b], n_nodes + b
        count += 1
    tree.links[node, FIRST_CHILD], tree.links[node, N_CHILDREN] = n_nodes, n_bags
    tree.links[node, N_BRANCHES] = max(tree.links[node, N_BRANCHES], n_bags)
    tree.links[node, FIRST_CODE], tree.links[node, N_CODES] = n_codes, count
    return tree, n_nodes + n_bags, n_codes + count


@part
def send_down(
    tree: Growing,
    node: int,
    start: int,
    end: int,
    top: int,
    lists: Lists,
    data: Training,
    scratch: Bagging,
    n_nodes: int,
    n_codes: int,
) -> tuple[Growing, Lists, int, int]:
    """Give every node of a subtree the class weights that a list of cases brings it."""
    frames, n_frames = first_frame(node, start, end, top), 1
    while n_frames > 0:
        n_frames -= 1
        node, start, end, top = frames[n_frames, 0], frames[n_frames, 1], frames[n_frames, 2], frames[n_frames, 3]
        class_weights(start, end, lists, data.label, tree.weight[node])
        if tree.links[node, ATTRIBUTE] < 0:
            continue
        n_bags, top, lists = distribute(tree, node, start, end, top, lists, data.values, scratch)
        if n_bags > tree.links[node, N_CHILDREN]:
            tree, n_nodes, n_codes = with_new_leaves(tree, node, n_bags, scratch, n_nodes, n_codes)
        frames = push_bags(tree, node, n_bags, top, scratch, frames, n_frames)
        n_frames += n_bags
    return tree, lists, n_nodes, n_codes


@loop
def largest_child(tree: Growing, node: int) -> int:
    """Return the child with the most weight, the last of equals."""
    first, best, most = tree.links[node, FIRST_CHILD], 0, 0.0
    for b in range(tree.links[node, N_CHILDREN]):
        weight = sum_of(tree.weight[first + b])
        if weight > most - SMALL:
            best, most = b, weight
    return int(first + best)


@part
def prune(
    tree: Growing, lists: Lists, n_cases: int, data: Training, scratch: Bagging, raises: bool
) -> tuple[Growing, int]:
    """Replace subtrees by leaves or by their largest branches where that promises fewer errors, from below."""
    n_nodes, n_codes = len(tree.links), len(tree.codes)
    errors, n_classes = np.zeros(n_nodes), tree.weight.shape[1]
    more = More(np.zeros((0, n_classes)), np.empty(n_classes), np.empty(0, np.int64), np.empty(0, np.bool_))
    frames, n_frames = first_frame(0, 0, n_cases, n_cases), 1
    while n_frames > 0:
        n_frames -= 1
        node, start, end, top = frames[n_frames, 0], frames[n_frames, 1], frames[n_frames, 2], frames[n_frames, 3]
        errors = enlarged_vector(errors, n_nodes)
        leaf = expected_errors(tree.weight[node], data.confidence, data.z)
        if tree.links[node, ATTRIBUTE] < 0:
            errors[node] = leaf
            continue
        if frames[n_frames, 4] == ENTER:
            frames[n_frames, 4] = LEAVE
            n_bags, top, lists = distribute(tree, node, start, end, top, lists, data.values, scratch)
            frames = push_bags(tree, node, n_bags, top, scratch, frames, n_frames + 1)
            n_frames += 1 + n_bags
            continue
        first, n_children = tree.links[node, FIRST_CHILD], tree.links[node, N_CHILDREN]
        subtree, largest, branch = sum_of(errors[first : first + n_children]), largest_child(tree, node), np.inf
        if raises:
            more, branch = room_for_more(more, n_nodes), -1.0
            if not meets_missing(tree, node, data.has_missing):
                branch = errors_with_others(tree, node, largest, start, end, lists, data, more, errors[largest])
            if branch < 0.0:
                branch, lists = errors_as_branch(tree, largest, start, end, top, lists, data, scratch)
        if leaf < subtree + 0.1 + SMALL and leaf < branch + 0.1 + SMALL:
            make_leaf(tree, node)
            errors[node] = leaf
        elif branch < subtree + 0.1 + SMALL:
            copy_node(tree, largest, node)
            tree, lists, n_nodes, n_codes = send_down(
                tree, node, start, end, top, lists, data, scratch, n_nodes, n_codes
            )
            frames[n_frames, 4] = ENTER
            n_frames += 1
        else:
            errors[node] = subtree
    return tree, n_nodes


@kernel
def prune_tree(
    tree_fields: TreeFields,  # stays as it is
    values: Codes2,  # (row, column): rank or category, -1 if missing
    has_missing: Flags,  # whether a column has missing values
    row_label: Codes,
    row_weight: Floats,
    widest: int,  # the largest number of categories
    option_fields: Annotated[tuple[Any, ...], fields_of(Pruning)],
    new_fields: TreeFields,  # what is left is written here, but nothing if there is not enough room
) -> tuple[int, int]:
    """Collapse and prune a grown tree; return how many nodes and categories are left."""
    (links, weight, codes), options = tree_fields, Pruning(*option_fields)
    tree = Growing(links.copy(), weight.copy(), codes.copy())
    n_nodes, n_rows = len(links), len(row_label)
    if options.collapses:
        collapse(tree, n_nodes)
    if options.prunes:
        lists, n_cases = new_lists(n_rows), 0
        for row in range(n_rows):
            if row_weight[row] > 0.0:
                lists.row[n_cases], lists.weight[n_cases] = row, row_weight[row]
                n_cases += 1
        scratch = new_bagging(max(widest, 2) + 2)
        data = Training(values, row_label, options.confidence, options.z, has_missing)
        tree, n_nodes = prune(tree, lists, n_cases, data, scratch, options.raises)
    nodes, n_nodes, n_codes = reachable(tree, n_nodes)
    new = Growing(*new_fields)
    if n_nodes <= len(new.links) and n_codes <= len(new.codes):
        write_compact(tree, nodes, n_nodes, new)
    return n_nodes, n_codes
