"""The way of new rows down a finished tree."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import (
    Codes,
    Floats,
    Floats2,
    Ints,
    OutFloats2,
    OutInts,
    fields_of,
    inlined_exactly,
    kernel,
    loop,
    part,
)
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

# A node of a tree of numbers in one word: first child << 32 | is leaf << 31 | column; a leaf leads to itself.
CHILD_BITS, LEAF, COLUMN = np.uint64(32), np.uint64(2**31), np.uint64(2**31 - 1)

# Rows that go down a tree side by side: while one waits for memory, the others are worked on.
ABREAST = 8


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


@inlined_exactly
def step(link: Any, node: Any, threshold: Any, X: Any, row: Any) -> Any:
    """Return where a row goes from a node; a leaf has no threshold, and nothing is greater than NaN."""
    return (link >> CHILD_BITS) + np.uint64(X[row, link & COLUMN] > threshold[node])


@inlined_exactly
def leaves_abreast(links: Any, threshold: Any, root: int, X: Any, first: int, leaf: Any) -> None:
    """Fill in the leaves of eight rows without missing values."""
    i = np.uint64(first)
    a = b = c = d = e = f = g = h = np.uint64(root)
    while True:
        p, q, r, s = np.uint64(links[a]), np.uint64(links[b]), np.uint64(links[c]), np.uint64(links[d])
        t, u, v, w = np.uint64(links[e]), np.uint64(links[f]), np.uint64(links[g]), np.uint64(links[h])
        if p & q & r & s & t & u & v & w & LEAF != np.uint64(0):
            break
        a, b = step(p, a, threshold, X, i), step(q, b, threshold, X, i + np.uint64(1))
        c, d = step(r, c, threshold, X, i + np.uint64(2)), step(s, d, threshold, X, i + np.uint64(3))
        e, f = step(t, e, threshold, X, i + np.uint64(4)), step(u, f, threshold, X, i + np.uint64(5))
        g, h = step(v, g, threshold, X, i + np.uint64(6)), step(w, h, threshold, X, i + np.uint64(7))
    leaf[0], leaf[1], leaf[2], leaf[3], leaf[4], leaf[5], leaf[6], leaf[7] = a, b, c, d, e, f, g, h


@loop
def goes_abreast(links: Any, X: Any, first: int, end: int, has_missing: bool) -> bool:
    """Whether rows are as many as go abreast and have no missing value, and the tree is one of numbers."""
    missing = len(links) == 0 or end - first < ABREAST
    if has_missing and not missing:
        for i in range(first, end):
            for j in range(X.shape[1]):
                missing |= X[i, j] != X[i, j]
    return not missing


@kernel
def leaf_of_rows(given: Given, links: Ints, X: Floats2, result: OutInts) -> None:
    """Fill in the node where each row ends, of fractions that of the largest; ``-1 - node`` marks those.

    A tree of numbers alone has links, each a node in one word.
    """
    tree = Finished(*given)
    ending, todo, leaf = np.empty((64, 2)), np.empty((64, 2)), np.empty(ABREAST, np.int64)
    for first in range(0, len(X), ABREAST):
        end = min(first + ABREAST, len(X))
        if goes_abreast(links, X, first, end, True):
            leaves_abreast(links, tree.threshold, 0, X, first, leaf)
            for i in range(first, end):
                result[i] = leaf[i - first]
            continue
        for i in range(first, end):
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


@loop
def mix(ending: Any, n_endings: int, probability: Any, mixed: Any) -> int:
    """Fill in the class probabilities of a row whose fractions end in several leaves; return the greatest one's class.

    The fractions make less than 1 if tiny ones were let go.
    """
    whole, winner = 0.0, 0
    for k in range(n_endings):
        whole += ending[k, 1]
    for c in range(probability.shape[1]):
        mixed[0, c] = 0.0
        for k in range(n_endings):
            mixed[0, c] += ending[k, 1] / whole * probability[int(ending[k, 0]), c]
        if mixed[0, c] > mixed[0, winner]:
            winner = c
    return winner


@inlined_exactly
def add_vote(
    scores: Any,
    second: Any,
    row: Any,
    probability: Any,
    node: Any,
    winner: Any,
    known: Any,
    by_class: bool,
    vote: float,
    second_vote: float,
) -> None:
    """Add a tree's votes for a row: all of it to one class, or to each as probable as it is."""
    if by_class:
        scores[row, np.uint64(known[winner])] += vote
        second[row, np.uint64(known[winner])] += second_vote
        return
    for c in range(len(known)):
        scores[row, np.uint64(known[c])] += vote * probability[node, c]
        second[row, np.uint64(known[c])] += second_vote * probability[node, c]


@kernel
def add_votes(
    given: Given,
    links: Ints,  # as of `leaf_of_rows`
    probability: Floats2,  # (node, class of the tree)
    majority: Ints,  # the most probable class of a node
    known: Ints,  # what the tree's classes are in the scores
    by_class: bool,  # whether the vote goes to the most probable class
    vote: float,
    second_vote: float,
    has_missing: bool,
    X: Floats2,
    scores: OutFloats2,
    second: OutFloats2,  # of the second votes
) -> None:
    """Add the votes of a tree to two counts."""
    tree = Finished(*given)
    ending, todo, leaf = np.empty((64, 2)), np.empty((64, 2)), np.empty(ABREAST, np.int64)
    mixed = np.empty((1, probability.shape[1]))
    for first in range(0, len(X), ABREAST):
        end = min(first + ABREAST, len(X))
        if goes_abreast(links, X, first, end, has_missing):
            leaves_abreast(links, tree.threshold, 0, X, first, leaf)
            for k in range(ABREAST):
                row, end_node = np.uint64(first + k), np.uint64(leaf[k])
                best = np.uint64(majority[end_node])
                add_vote(scores, second, row, probability, end_node, best, known, by_class, vote, second_vote)
            continue
        for i in range(first, end):
            node, missing = descend(tree, X[i], 0)
            shares, winner = probability, majority[node]
            if missing:
                n_endings, ending, todo = ends(tree, X[i], node, ending, todo)
                node, shares, winner = 0, mixed, mix(ending, n_endings, probability, mixed)
            add_vote(scores, second, i, shares, node, winner, known, by_class, vote, second_vote)
