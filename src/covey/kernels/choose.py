"""The choice of the test that a node makes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.kernels.compile import WITHOUT_COMPILER, loop, part
from covey.kernels.cuts import Sides
from covey.kernels.layout import SMALL, Cases, Node, Options
from covey.kernels.nominal import Bags, branch_per_category, empty_bags, fill_bags, two_groups
from covey.kernels.numeric import Test, best_threshold
from covey.kernels.sorting import sort_few


class Worth(NamedTuple):
    """Scratch: the worth of each column's test."""

    gain: NDArray[np.float64]
    ratio: NDArray[np.float64]
    low: NDArray[np.int64]
    high: NDArray[np.int64]
    order: NDArray[np.int64]


def _draw(seed: int, node: int, column: int) -> float:
    """Return a number from [0, 1) that depends on nothing but its arguments (SplitMix64)."""
    x = (
        np.uint64(seed)
        + np.uint64(node) * np.uint64(0xD1342543DE82EF95)
        + np.uint64(column + 1) * np.uint64(0x9E3779B97F4A7C15)
    )
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = x ^ (x >> np.uint64(31))
    return float(x >> np.uint64(11)) / 9007199254740992.0


# Numbers that wrap around are what it is about, and NumPy would warn of it.
draw = np.errstate(over="ignore")(_draw) if WITHOUT_COMPILER else loop(_draw)


@loop
def weigh_number(j: int, node: Node, cases: Cases, keys: NDArray[np.int64], sides: Sides, options: Options) -> Test:
    """Return the best test on a numeric column; it gets single arrays, since structures cost 5 % of the time."""
    column = cases.place[j]
    return best_threshold(
        keys,
        column,
        node.start,
        node.end,
        cases.label,
        cases.weight,
        cases.distinct[cases.offset[column] :],
        cases.apart[column],
        node.total,
        node.term,
        node.weight,
        sides,
        options,
    )


@part
def weigh_category(j: int, node: Node, cases: Cases, keys: NDArray[np.int64], bags: Bags, options: Options) -> Test:
    """Return the best test on a categorical column."""
    n_classes = len(node.total)
    n_present = fill_bags(j, node.start, node.end, cases, keys, bags)
    if options.group:
        sort_few(bags.present, n_present)
        test = two_groups(bags, n_present, n_classes, node.weight, options)
    else:
        test = branch_per_category(bags, n_present, n_classes, node.weight, options)
    empty_bags(bags, n_present)
    return test


@loop
def note(worth: Worth, j: int, test: Test) -> None:
    """Write down the worth of a column's test."""
    worth.gain[j], worth.ratio[j] = test.gain, test.ratio
    worth.low[j], worth.high[j] = test.low, test.high


@loop
def is_numeric(j: int, cases: Cases) -> bool:
    """Whether a column is one of numbers."""
    return bool(cases.n_values[j] == 0)


@loop
def best_by_ratio(worth: Worth, n_weighed: int, counts: NDArray[np.bool_]) -> int:
    """Return the column with the greatest gain ratio among those of at least average gain, -1 if there is none.

    Columns with very many values do not count in the average.
    """
    n_tests, mean = 0, 0.0
    for i in range(n_weighed):
        j = worth.order[i]
        if worth.gain[j] >= 0.0 and counts[j]:
            n_tests += 1
            mean += worth.gain[j]
    if n_tests == 0:
        return -1
    least = max(0.0, mean / n_tests - 1e-3)
    best, ratio = -1, 0.0
    for i in range(n_weighed):
        j = worth.order[i]
        if worth.gain[j] >= least and is_better(worth.ratio[j], ratio, j, best):
            best, ratio = j, worth.ratio[j]
    return best


@loop
def best_by_gain(worth: Worth, n_weighed: int) -> int:
    """Return the column with the greatest gain, -1 if none has any."""
    best, gain = -1, 0.0
    for i in range(n_weighed):
        j = worth.order[i]
        if is_better(worth.gain[j], gain, j, best):
            best, gain = j, worth.gain[j]
    return best


@loop
def is_better(value: float, best_value: float, j: int, best: int) -> bool:
    """Whether a column beats the best so far; of equals the first in the table is taken."""
    if value > best_value + SMALL:
        return True
    return value > SMALL and value > best_value - SMALL and j < best


@loop
def set_order(node: Node, n_columns: int, worth: Worth, options: Options) -> int:
    """Put the columns in the order in which they are looked at; return how many are looked at in any case."""
    if options.n_candidates > 0:
        for j in range(n_columns):
            worth.order[j] = j
        for i in range(n_columns):
            k = i + int(draw(options.seed, node.number, i) * (n_columns - i))
            worth.order[i], worth.order[k] = worth.order[k], worth.order[i]
        return int(min(options.n_candidates, n_columns))
    n_available, n_others = 0, 0
    for j in range(n_columns):
        if options.probability >= 1.0 or draw(options.seed, node.number, j) < options.probability:
            worth.order[n_available] = j
            n_available += 1
        else:
            n_others += 1
            worth.order[n_columns - n_others] = j
    return n_available


@part
def choose(
    node: Node,
    cases: Cases,
    keys: NDArray[np.int64],
    sides: Sides,
    bags: Bags,
    worth: Worth,
    counts: NDArray[np.bool_],
    options: Options,
) -> int:
    """Return the column to test, -1 for a leaf.

    With stochastic attribute selection the best acceptable test among the columns available is taken; if there is
    none, the best among all. Of a few columns drawn at random the best is taken; more are drawn, one by one, as long
    as none has a gain.
    """
    n_columns, best = len(cases.n_values), -1
    n_wanted = set_order(node, n_columns, worth, options)
    for i in range(n_columns):
        if i >= n_wanted and (options.n_candidates > 0 or i == n_wanted):
            best = best_by_ratio(worth, i, counts) if options.by_ratio else best_by_gain(worth, i)
            if best >= 0:
                return best
        j = worth.order[i]
        if is_numeric(j, cases):
            note(worth, j, weigh_number(j, node, cases, keys, sides, options))
        else:
            note(worth, j, weigh_category(j, node, cases, keys, bags, options))
    return best_by_ratio(worth, n_columns, counts) if options.by_ratio else best_by_gain(worth, n_columns)
