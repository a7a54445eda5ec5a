"""The way of training cases down a grown tree, as pruning needs them at every node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import loop, part
from covey.kernels.layout import (
    ATTRIBUTE,
    CUT,
    FIRST_CHILD,
    N_CHILDREN,
    N_CODES,
    SMALL,
    Growing,
    child_of_code,
    enlarged,
)


class Lists(NamedTuple):
    """Lists of cases on a stack: the row and the weight of each, and the bag that the test in hand puts it in."""

    row: NDArray[np.int32]
    weight: NDArray[np.float64]
    bag: NDArray[np.int32]
    spare_row: NDArray[np.int32]
    spare_weight: NDArray[np.float64]


@part
def new_lists(size: int) -> Lists:
    """Return room for so many cases."""
    return Lists(
        np.empty(size, np.int32), np.empty(size), np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size)
    )


class Bagging(NamedTuple):
    """Scratch: what the test in hand does to a list. Bags are children first, then categories without a child."""

    start: NDArray[np.int64]  # of each bag's list, and the end of the last
    share: NDArray[np.float64]
    code: NDArray[np.int32]  # the category of a bag without a child
    bag_of_code: NDArray[np.int32]  # of categories without a child, -1 if there is none yet
    place: NDArray[np.int64]  # where the next case of a bag goes


@part
def new_bagging(size: int) -> Bagging:
    """Return scratch for so many bags."""
    bag_of_code = np.empty(size, np.int32)
    for i in range(size):
        bag_of_code[i] = -1
    return Bagging(
        np.empty(size, np.int64), np.empty(size), np.empty(size, np.int32), bag_of_code, np.empty(size, np.int64)
    )


@part
def with_space(lists: Lists, used: int, needed: int) -> Lists:
    """Return the lists with room for at least so many cases."""
    if needed <= len(lists.row):
        return lists
    larger = new_lists(max(needed, 2 * len(lists.row)))
    for i in range(used):
        larger.row[i], larger.weight[i], larger.bag[i] = lists.row[i], lists.weight[i], lists.bag[i]
    return larger


@loop
def find_bags(tree: Growing, node: int, start: int, end: int, lists: Lists, values: Any, bagging: Bagging) -> int:
    """Find the bag of each case of a list, -1 if its value is missing; return the number of bags."""
    links = tree.links[node]
    attribute = links[ATTRIBUTE]
    first, n_bags = links[FIRST_CHILD], links[N_CHILDREN]
    numeric, cut = links[N_CODES] == 0, links[CUT]
    for p in range(start, end):
        value = values[lists.row[p], attribute]
        if value < 0:
            lists.bag[p] = -1
        elif numeric:
            lists.bag[p] = value > cut
        else:
            child = child_of_code(tree, node, value)
            if child >= 0:
                lists.bag[p] = child - first
            else:
                if bagging.bag_of_code[value] < 0:
                    bagging.bag_of_code[value] = n_bags
                    bagging.code[n_bags] = value
                    n_bags += 1
                lists.bag[p] = bagging.bag_of_code[value]
    for b in range(links[N_CHILDREN], n_bags):
        bagging.bag_of_code[bagging.code[b]] = -1
    return int(n_bags)


@loop
def find_shares(start: int, end: int, lists: Lists, n_bags: int, n_children: int, bagging: Bagging) -> int:
    """Find the share of each bag in the known weight and where its list starts, from 0; return the unknown cases."""
    share, size = bagging.share, bagging.start
    n_unknown, known, size[0] = 0, 0.0, 0
    for b in range(n_bags):
        share[b], size[b + 1] = 0.0, 0
    for p in range(start, end):
        b = lists.bag[p]
        if b < 0:
            n_unknown += 1
        else:
            share[b] += lists.weight[p]
            size[b + 1] += 1
            known += lists.weight[p]
    for b in range(n_bags):
        if known > 0.0:
            share[b] /= known
        else:
            share[b] = 1.0 / n_children if b < n_children else 0.0
        if share[b] > SMALL:
            size[b + 1] += n_unknown
        size[b + 1] += size[b]
    return n_unknown


@part
def distribute(
    tree: Growing, node: int, start: int, end: int, top: int, lists: Lists, values: Any, bagging: Bagging
) -> tuple[int, int, Lists]:
    """Divide a list into one per bag; return the number of bags and where all lists end.

    If every case goes one way, the new lists are parts of the old one, put in order. Else they lie behind all others,
    which end at ``top``, and a case of unknown value is in all of them, with a fraction of its weight.
    """
    n_bags = find_bags(tree, node, start, end, lists, values, bagging)
    n_unknown = find_shares(start, end, lists, n_bags, tree.links[node, N_CHILDREN], bagging)
    place, first = bagging.place, start if n_unknown == 0 else top
    lists = with_space(lists, top, first + bagging.start[n_bags])
    for b in range(n_bags + 1):
        place[b] = bagging.start[b]
        bagging.start[b] += first
    row, weight = lists.spare_row, lists.spare_weight
    for p in range(start, end):
        b = lists.bag[p]
        if b >= 0:
            row[place[b]], weight[place[b]] = lists.row[p], lists.weight[p]
            place[b] += 1
            continue
        for c in range(n_bags):
            if bagging.share[c] > SMALL:
                row[place[c]], weight[place[c]] = lists.row[p], lists.weight[p] * bagging.share[c]
                place[c] += 1
    for p in range(bagging.start[n_bags] - first):
        lists.row[first + p], lists.weight[first + p] = row[p], weight[p]
    return n_bags, max(top, bagging.start[n_bags]), lists


@loop
def class_weights(start: int, end: int, lists: Lists, label: Any, total: NDArray[np.float64]) -> None:
    """Sum the weights of a list's cases by class."""
    for c in range(len(total)):
        total[c] = 0.0
    for p in range(start, end):
        total[label[lists.row[p]]] += lists.weight[p]


@part
def first_frame(node: int, start: int, end: int, top: int) -> NDArray[np.int64]:
    """Return a stack with one entry: node, where its list starts and ends, where all lists end, and 0."""
    frames = np.empty((64, 5), dtype=np.int64)
    frames[0, 0], frames[0, 1], frames[0, 2], frames[0, 3], frames[0, 4] = node, start, end, top, 0
    return frames


@part
def push_bags(
    tree: Growing, node: int, n_bags: int, top: int, bagging: Bagging, frames: NDArray[np.int64], n_frames: int
) -> NDArray[np.int64]:
    """Put the bags of a node on the stack, each with its child or with -1 if it has none."""
    for b in range(n_bags):
        frames = enlarged(frames, n_frames + b, n_frames + b + 1)
        has_child = b < tree.links[node, N_CHILDREN]
        frames[n_frames + b, 0] = tree.links[node, FIRST_CHILD] + b if has_child else -1
        frames[n_frames + b, 1], frames[n_frames + b, 2] = bagging.start[b], bagging.start[b + 1]
        frames[n_frames + b, 3], frames[n_frames + b, 4] = top, 0
    return frames
