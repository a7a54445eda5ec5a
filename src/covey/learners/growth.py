"""Growing a tree in as many calls of the kernel as it takes: each about a second long, and each with room enough."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey.learners.presort import Presort

Nodes = tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]

# Keys that the kernel goes through in about a second.
WORK = 2**25

# Room for nodes to begin with, beside a quarter of the rows.
ROOM = 64


def grow_nodes(
    data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], n_classes: int, *options: Any
) -> Nodes:
    """Return the nodes of a tree: links, class weights and codes, as of `covey.kernels.layout`.

    Parameters
    ----------
    data : Presort
    label, weight : ndarray of shape (n_rows,)
    n_classes : int
    options
        As of `covey.kernels.layout.Options`, in its order.
    """
    from covey.kernels.grow import N_COUNTS, N_FRAME, grow_tree
    from covey.kernels.layout import N_LINKS

    n_rows, most = len(label), data.most_values
    room = ROOM + 2 * most + n_rows // 4
    # Cases whose value is missing become several. Memory that is not needed after all is not taken from the system.
    rows, labels, weights = np.empty(2 * n_rows, np.int32), np.empty(2 * n_rows, np.uint32), np.empty(2 * n_rows)
    keys = np.empty((len(data.keys) + 1, n_rows + n_rows // 2 + 1), np.int64)
    used = np.zeros(len(data.distinct) + 1, bool)
    links, totals = np.empty((room, N_LINKS), np.int32), np.empty((room, n_classes))
    codes, frames = np.empty((room, 2), np.int32), np.empty((room, N_FRAME), np.int64)
    counts = np.zeros(N_COUNTS, np.int64)
    while True:
        tree = links, totals, codes
        grow_tree(data.arrays, label, weight, options, rows, labels, weights, keys, used, tree, frames, counts, WORK)
        n_nodes, n_codes, n_frames, _, n_cases, n_keys = counts.tolist()
        if not n_frames:
            return links[:n_nodes].copy(), totals[:n_nodes].copy(), codes[:n_codes].copy()
        links, totals = _with_room(links, n_nodes + most), _with_room(totals, n_nodes + most)
        codes, frames = _with_room(codes, n_codes + most), _with_room(frames, n_frames + most)
        rows, labels, weights = _with_room(rows, n_cases), _with_room(labels, n_cases), _with_room(weights, n_cases)
        if (width := keys.shape[1]) < n_keys:
            keys, narrow = np.empty((len(keys), max(n_keys, width + width // 2)), np.int64), keys
            keys[:, :width] = narrow


def prune_nodes(
    nodes: Nodes, data: Presort, label: NDArray[np.int32], weight: NDArray[np.float64], *options: Any
) -> Nodes:
    """Return what is left of a tree that is collapsed and pruned, with the options of the kernel."""
    from covey.kernels.prune import prune_tree

    n_nodes, n_codes = len(nodes[0]), len(nodes[2])
    while True:  # raised branches may get new leaves
        links = np.empty((n_nodes, nodes[0].shape[1]), np.int32)
        totals, codes = np.empty((n_nodes, nodes[1].shape[1])), np.empty((n_codes, 2), np.int32)
        n_nodes, n_codes = prune_tree(
            nodes, data.values, label, weight, data.most_values, options, (links, totals, codes)
        )
        if n_nodes <= len(links) and n_codes <= len(codes):
            return links[:n_nodes].copy(), totals[:n_nodes].copy(), codes[:n_codes].copy()


def _with_room(array: NDArray[Any], needed: int) -> NDArray[Any]:
    """Return an array with room for at least so many rows."""
    if needed <= len(array):
        return array
    larger = np.empty((max(needed, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
