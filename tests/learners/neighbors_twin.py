"""Nearest neighbours as they are defined, one case at a time."""

from __future__ import annotations

import numpy as np


def squared_distances(cases, queries, categorical, times=None, *, scale=True):
    """Return the squared distance of each query from each case."""
    times = np.ones(cases.shape[1]) if times is None else times
    total = np.zeros((len(queries), len(cases)))
    for j in range(cases.shape[1]):
        asked, known = queries[:, j, None], cases[None, :, j]
        gap, both = np.isnan(asked) | np.isnan(known), np.isnan(asked) & np.isnan(known)
        if categorical[j]:
            square = np.where(asked == known, 0.0, 1.0)
        else:
            present = cases[~np.isnan(cases[:, j]), j]
            width = np.ptp(present) if scale and len(present) else 1.0
            square = ((asked - known) / width) ** 2 if width else np.zeros(gap.shape)
        total += times[j] * np.where(both, 0.0, np.where(gap, 1.0, square))
    return total


def shares(squared, codes, k, n_classes):
    """Return the classes' shares of the k nearest cases, those as near as the last sharing its place."""
    order = np.argsort(squared, kind="stable")
    k = min(k, len(order))
    bound = squared[order[k - 1]] if k else 0.0
    nearer = squared < bound * (1 - 1e-9)
    as_near = ~nearer & (squared <= bound * (1 + 1e-9))
    found = np.bincount(codes[nearer], minlength=n_classes).astype(float)
    if k:
        found += (k - nearer.sum()) / as_near.sum() * np.bincount(codes[as_near], minlength=n_classes)
    return found / max(k, 1)


def winner(squared, codes, k, n_classes, keys=None):
    """Return the class with the greatest share, then with the nearest case, then with the greatest key or first row."""
    if not len(squared):
        return -1
    found = shares(squared, codes, k, n_classes)
    tied = np.flatnonzero(found >= found.max() - 1e-9)
    nearest = {c: squared[codes == c].min() for c in tied.tolist()}
    least = min(nearest.values())
    tied = [c for c, distance in nearest.items() if distance <= least * (1 + 1e-9)]
    if keys is not None:
        return max(tied, key=lambda c: keys[c])
    return codes[min(np.flatnonzero((squared <= least * (1 + 1e-9)) & np.isin(codes, tied)))]


def left_out(squared, i):
    """Return the distances of a case from all others, and which these are."""
    others = np.arange(len(squared)) != i
    return squared[i, others], others


def leave_one_out(squared, codes, k, n_classes, keys=None):
    """Return what each case's neighbours say of it."""
    said = []
    for i in range(len(codes)):
        distances, others = left_out(squared, i)
        said.append(winner(distances, codes[others], min(k, len(codes) - 1), n_classes, keys))
    return np.array(said)
