"""Tests on a categorical column at a node: a branch for each category, or two groups of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import loop, part
from covey.kernels.layout import SMALL, Cases, Options, sum_of
from covey.kernels.logarithm import xlog2x
from covey.kernels.numeric import Test, gain_ratio, no_test


class Bags(NamedTuple):
    """Scratch: the class weights of each category, zero where ``present`` does not list it."""

    weight: NDArray[np.float64]  # (category, class)
    total: NDArray[np.float64]
    present: NDArray[np.int64]
    is_present: NDArray[np.bool_]


@loop
def fill_bags(j: int, start: int, end: int, cases: Cases, keys: NDArray[np.int64], bags: Bags) -> int:
    """Sort the cases of a node into bags by their category, and return how many categories there are."""
    n_present, members = 0, len(keys) - 1
    for p in range(start, end):
        case = keys[members, p]
        code = cases.values[j, cases.row[case]]
        if code < 0:
            continue
        if not bags.is_present[code]:
            bags.is_present[code] = True
            bags.present[n_present] = code
            n_present += 1
        bags.weight[code, cases.label[case]] += cases.weight[case]
        bags.total[code] += cases.weight[case]
    return n_present


@loop
def empty_bags(bags: Bags, n_present: int) -> None:
    """Leave the scratch as it was found."""
    for i in range(n_present):
        code = bags.present[i]
        bags.is_present[code] = False
        bags.total[code] = 0.0
        for c in range(bags.weight.shape[1]):
            bags.weight[code, c] = 0.0


@part
def known_weights(bags: Bags, n_present: int, n_classes: int) -> NDArray[np.float64]:
    """Return the class weights of all bags together."""
    known = np.zeros(n_classes)
    for i in range(n_present):
        for c in range(n_classes):
            known[c] += bags.weight[bags.present[i], c]
    return known


@loop
def entropy_sum(weights: NDArray[np.float64]) -> float:
    """Return the sum of x log2 x."""
    total = 0.0
    for x in weights:
        total += xlog2x(x)
    return total


@part
def branch_per_category(bags: Bags, n_present: int, n_classes: int, all_weight: float, options: Options) -> Test:
    """Return the worth of a test with a branch for each category."""
    large, within, split = 0, 0.0, xlog2x(all_weight)
    known = known_weights(bags, n_present, n_classes)
    known_weight = sum_of(known)
    for i in range(n_present):
        code = bags.present[i]
        term = xlog2x(bags.total[code])
        split -= term
        within += term - entropy_sum(bags.weight[code])
        if bags.total[code] > options.min_cases - SMALL:
            large += 1
    if large < 2:
        return no_test()
    unknown = all_weight - known_weight
    if unknown > SMALL:
        split -= xlog2x(unknown)
    reduction = xlog2x(known_weight) - entropy_sum(known) - within
    gain = reduction / all_weight if reduction > SMALL else 0.0
    return Test(gain, gain * all_weight / split if split > SMALL else 0.0, 0, 0)


@part
def sorted_by_share(bags: Bags, n_present: int, c: int) -> NDArray[np.int64]:
    """Return the categories present, by the share of a class among their cases."""
    share = np.empty(n_present)
    for i in range(n_present):
        code = bags.present[i]
        share[i] = bags.weight[code, c] / bags.total[code]
    order = np.argsort(share)
    for i in range(n_present):
        order[i] = bags.present[order[i]]
    return order


@part
def two_groups(bags: Bags, n_present: int, n_classes: int, all_weight: float, options: Options) -> Test:
    """Return the best split of the categories into two groups.

    Sorted by the share of a class, one of the cuts is the best of all groupings for two classes (Breiman et al. 1984,
    theorem 4.5); with more classes each takes its turn.
    """
    known = known_weights(bags, n_present, n_classes)
    known_weight = sum_of(known)
    nothing = entropy_sum(known) - xlog2x(known_weight)
    best, best_class, best_size, best_down = nothing, 0, 0, 0.0
    for c in range(1 if n_classes == 2 else n_classes):
        if known[c] <= 0.0:
            continue
        order = sorted_by_share(bags, n_present, c)
        lower, down = np.zeros(n_classes), 0.0
        for i in range(n_present - 1):
            down += bags.total[order[i]]
            score = -xlog2x(down) - xlog2x(known_weight - down)
            for d in range(n_classes):
                lower[d] += bags.weight[order[i], d]
                score += xlog2x(lower[d]) + xlog2x(known[d] - lower[d])
            if min(down, known_weight - down) < options.min_cases - SMALL:
                continue
            if score > best + SMALL * all_weight:
                best, best_class, best_size, best_down = score, c, i + 1, down
    gain = (best - nothing) / all_weight
    if best_size == 0 or gain < SMALL:
        return no_test()
    return Test(gain, gain_ratio(gain, best_down, known_weight - best_down, all_weight), best_class, best_size)
