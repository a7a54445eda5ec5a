"""The folds of Weka's cross-validation with its default seed, so that accuracies can be held against its own."""

from __future__ import annotations

import numpy as np


class JavaRandom:
    """The generator of java.util.Random, as its documentation defines it."""

    def __init__(self, seed):
        self.state = (seed ^ 0x5DEECE66D) % 2**48

    def bits(self):
        self.state = (self.state * 0x5DEECE66D + 0xB) % 2**48
        return self.state >> 17

    def below(self, bound):
        if bound & (bound - 1) == 0:
            return (bound * self.bits()) >> 31
        while True:
            bits = self.bits()
            if bits - bits % bound + bound - 1 < 2**31:
                return bits % bound


def shuffled(n_rows, seed):
    rows, random = list(range(n_rows)), JavaRandom(seed)
    for last in range(n_rows - 1, 0, -1):
        other = random.below(last + 1)
        rows[last], rows[other] = rows[other], rows[last]
    return rows


def by_class(rows, labels):
    """Bring rows of a class together by swaps, the class of the first row first."""
    index = 1
    while index < len(rows):
        label = labels[rows[index - 1]]
        for j in range(index, len(rows)):
            if labels[rows[j]] == label:
                rows[index], rows[j] = rows[j], rows[index]
                index += 1
        index += 1
    return rows


def weka_folds(labels, n_folds=10, seed=1):
    """Give the training and the test rows of each fold."""
    rows = by_class(shuffled(len(labels), seed), labels)
    dealt = np.array([row for start in range(n_folds) for row in rows[start::n_folds]])
    sizes = [len(dealt) // n_folds + (fold < len(dealt) % n_folds) for fold in range(n_folds)]
    ends = np.cumsum(sizes)
    for start, end in zip(ends - sizes, ends, strict=True):
        yield np.r_[dealt[:start], dealt[end:]], dealt[start:end]
