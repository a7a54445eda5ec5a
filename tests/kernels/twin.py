"""C4.5 Release 8 written to be read: recursive, a case at a time, every cut and every category looked at.

Grown and pruned by the rules of Weka's J48. A node is a dictionary: ``weight`` per class, and for a test ``attribute``,
``threshold`` (None for categories), ``children`` by branch (0 and 1, the category, or the group) and ``codes``, the
branch of each category.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist

import numpy as np

SMALL = 1e-6


@dataclass(frozen=True)
class Options:
    min_cases: float = 2.0
    confidence: float = 0.25
    pruning: bool = True
    subtree_raising: bool = True
    collapse: bool = True
    threshold_charge: bool = True
    binary: bool = False


@dataclass(frozen=True)
class Data:
    """A table: ``categories`` has the number of categories per column, 0 for numbers."""

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    categories: tuple[int, ...]
    n_classes: int

    @property
    def cases(self):
        return [(row, weight) for row, weight in enumerate(self.weight) if weight > 0]


def entropy(weights):
    """Entropy in bits, times the weight."""
    total = math.fsum(weights)
    return -math.fsum(w * math.log2(w / total) for w in weights if w > 0)


def class_weights(cases, data):
    totals = [0.0] * data.n_classes
    for row, weight in cases:
        totals[data.y[row]] += weight
    return totals


def total_weight(cases):
    return math.fsum(weight for _, weight in cases)


def known(cases, column, data):
    return [(row, weight) for row, weight in cases if not np.isnan(data.X[row, column])]


def by_branch(cases, column, data, branch):
    """Cases whose value is known, by branch."""
    bags = {}
    for row, weight in known(cases, column, data):
        bags.setdefault(branch(data.X[row, column]), []).append((row, weight))
    return bags


def gain_of(bags, cases, data):
    """Information gain of a partition of the known cases, over the weight of all."""
    together = [case for bag in bags for case in bag]
    reduction = entropy(class_weights(together, data)) - sum(entropy(class_weights(bag, data)) for bag in bags)
    return reduction / total_weight(cases)


def ratio_of(gain, bags, cases):
    """Gain over the information of the partition itself, to which the unknown cases belong as one more part."""
    parts = [total_weight(bag) for bag in bags]
    unknown = total_weight(cases) - sum(parts)
    information = entropy([*parts, unknown] if unknown > SMALL else parts)
    return gain * total_weight(cases) / information if information > SMALL else 0.0


def best_cut(cases, column, data, options):
    """The best threshold of a numeric column as (gain, ratio, test), None if there is none."""
    here = known(cases, column, data)
    weight = total_weight(here)
    least = max(options.min_cases, min(25.0, 0.1 * weight / data.n_classes))
    values = sorted({data.X[row, column] for row, _ in here})
    best_gain, n_cuts, best = 0.0, 0, None
    for low, high in pairwise(values):
        bags = by_branch(cases, column, data, lambda value, low=low: int(value > low))
        if min(total_weight(bags[0]), total_weight(bags[1])) < least - SMALL:
            continue
        n_cuts += 1
        gain = gain_of(bags.values(), cases, data)
        if gain > best_gain + SMALL:
            best_gain, best = gain, (low, high)
    if best is None:
        return None
    if options.threshold_charge:
        best_gain -= math.log2(n_cuts) / total_weight(cases)
    if best_gain < SMALL:
        return None
    present = {data.X[row, column] for row, _ in data.cases if not np.isnan(data.X[row, column])}
    threshold = max(value for value in present if value <= 0.5 * best[0] + 0.5 * best[1])
    bags = by_branch(cases, column, data, lambda value: int(value > threshold))
    return (
        best_gain,
        ratio_of(best_gain, bags.values(), cases),
        {"threshold": threshold, "codes": None, "grouped": False},
    )


def branch_for_each(cases, column, data, options):
    """The test with a branch for each category as (gain, ratio, test), None if too few branches are large enough."""
    bags = by_branch(cases, column, data, int)
    if sum(total_weight(bag) > options.min_cases - SMALL for bag in bags.values()) < 2:
        return None
    gain = gain_of(bags.values(), cases, data)
    gain = gain if gain * total_weight(cases) > SMALL else 0.0
    codes = {code: code for code in sorted(bags)}
    return gain, ratio_of(gain, bags.values(), cases), {"threshold": None, "codes": codes, "grouped": False}


def best_groups(cases, column, data, options):
    """The best two groups of categories: sorted by the share of each class in turn, every cut is tried."""
    bags = by_branch(cases, column, data, int)
    totals = class_weights(known(cases, column, data), data)
    best_gain, best = 0.0, None
    for c in range(1 if data.n_classes == 2 else data.n_classes):
        if totals[c] == 0:
            continue
        share = {code: class_weights(bag, data)[c] / total_weight(bag) for code, bag in bags.items()}
        order = sorted(sorted(bags), key=lambda code: round(share[code], 12))
        for size in range(1, len(order)):
            groups = [[case for code in part for case in bags[code]] for part in (order[:size], order[size:])]
            if min(map(total_weight, groups)) < options.min_cases - SMALL:
                continue
            gain = gain_of(groups, cases, data)
            if gain > best_gain + SMALL:
                best_gain, best = gain, (groups, {code: int(i >= size) for i, code in enumerate(order)})
    if best is None:
        return None
    codes = dict(sorted(best[1].items()))
    return best_gain, ratio_of(best_gain, best[0], cases), {"threshold": None, "codes": codes, "grouped": True}


def choose(cases, data, options):
    """The test of a node, None for a leaf."""
    n = total_weight(data.cases)
    tests = {}
    for column, n_categories in enumerate(data.categories):
        search = best_cut if n_categories == 0 else best_groups if options.binary else branch_for_each
        test = search(cases, column, data, options)
        if test is not None:
            tests[column] = test
    few_values = [column for column, size in enumerate(data.categories) if size < 0.3 * n]
    counted = [tests[column][0] for column in (few_values or range(len(data.categories))) if column in tests]
    if not counted:
        return None
    average = sum(counted) / len(counted)
    best, best_ratio = None, 0.0
    for column, (gain, ratio, test) in tests.items():
        if gain >= average - 1e-3 and ratio > best_ratio + SMALL:
            best, best_ratio = {"attribute": column, **test}, ratio
    return best


def branches_of(cases, test, data):
    """The branch of each category; one that only the cases of a raised subtree have gets a new one."""
    codes = dict(test["codes"])
    for row, _ in known(cases, test["attribute"], data):
        code = int(data.X[row, test["attribute"]])
        if code not in codes:
            codes[code] = 1 + max(codes.values()) if test["grouped"] else code
    return dict(sorted(codes.items()))


def hand_out(cases, test, data):
    """The cases of each branch; one whose value is missing goes down all of them with a fraction of its weight."""
    column, threshold = test["attribute"], test["threshold"]
    if threshold is None:
        codes = branches_of(cases, test, data)
        branches = sorted(set(codes.values()))
    else:
        branches = [0, 1]

    def branch_of(value):
        return int(value > threshold) if threshold is not None else codes[int(value)]

    bags = by_branch(cases, column, data, branch_of)
    sizes = {branch: total_weight(bags.get(branch, [])) for branch in branches}
    all_known = sum(sizes.values())
    result = {branch: [] for branch in branches}
    for row, weight in cases:
        value = data.X[row, column]
        if not np.isnan(value):
            result[branch_of(value)].append((row, weight))
            continue
        for branch, size in sizes.items():
            share = size / all_known if all_known > 0 else 1 / len(test["children"])
            if share > SMALL:
                result[branch].append((row, weight * share))
    return result


def grow(cases, data, options):
    totals = class_weights(cases, data)
    node = {"weight": totals}
    if sum(totals) < 2 * options.min_cases - SMALL or sum(totals) - max(totals) < SMALL:
        return node
    test = choose(cases, data, options)
    if test is None:
        return node
    bags = hand_out(cases, test, data)
    return node | test | {"children": {branch: grow(bags[branch], data, options) for branch in sorted(bags)}}


def is_leaf(node):
    return "children" not in node


def training_errors(node):
    if is_leaf(node):
        return sum(node["weight"]) - max(node["weight"])
    return sum(map(training_errors, node["children"].values()))


def collapsed(node):
    if is_leaf(node) or training_errors(node) >= sum(node["weight"]) - max(node["weight"]) - 1e-3:
        return {"weight": node["weight"]}
    return node | {"children": {branch: collapsed(child) for branch, child in node["children"].items()}}


def extra_errors(n, errors, confidence):
    """Quinlan's addition to the errors seen: the upper limit of a binomial, by the normal approximation from 1 on."""
    if errors < 1:
        none = n * (1 - confidence ** (1 / n))
        return none if errors == 0 else none + errors * (extra_errors(n, 1.0, confidence) - none)
    if errors + 0.5 >= n:
        return max(n - errors, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    f = (errors + 0.5) / n
    rate = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return rate * n - errors


def leaf_errors(totals, options):
    n = sum(totals)
    return n - max(totals) + extra_errors(n, n - max(totals), options.confidence) if n >= SMALL else 0.0


def estimate(node, options):
    """Pessimistic errors of a tree on its own cases."""
    if is_leaf(node):
        return leaf_errors(node["weight"], options)
    return sum(estimate(child, options) for child in node["children"].values())


def estimate_with(node, cases, data, options):
    """Pessimistic errors of a tree on other cases."""
    if node is None or is_leaf(node):
        return leaf_errors(class_weights(cases, data), options)
    bags = hand_out(cases, node, data)
    return sum(estimate_with(node["children"].get(branch), bag, data, options) for branch, bag in bags.items())


def with_cases(node, cases, data):
    """A tree with the weights that other cases bring it; branches that had none may come to life."""
    totals = {"weight": class_weights(cases, data)}
    if is_leaf(node):
        return totals
    bags = hand_out(cases, node, data)
    children = {
        branch: with_cases(node["children"].get(branch, {"weight": []}), bags[branch], data) for branch in sorted(bags)
    }
    codes = None if node["codes"] is None else branches_of(cases, node, data)
    return node | totals | {"children": children, "codes": codes}


def pruned(node, cases, data, options):
    if is_leaf(node):
        return node
    bags = hand_out(cases, node, data)
    children = {branch: pruned(child, bags[branch], data, options) for branch, child in node["children"].items()}
    node = node | {"children": children}
    largest, most = None, 0.0
    for branch in sorted(children):
        if sum(children[branch]["weight"]) > most - SMALL:
            largest, most = children[branch], sum(children[branch]["weight"])
    as_leaf, as_tree = leaf_errors(node["weight"], options), estimate(node, options)
    as_branch = estimate_with(largest, cases, data, options) if options.subtree_raising else math.inf
    if as_leaf < as_tree + 0.1 + SMALL and as_leaf < as_branch + 0.1 + SMALL:
        return {"weight": node["weight"]}
    if as_branch < as_tree + 0.1 + SMALL:
        return pruned(with_cases(largest, cases, data), cases, data, options)
    return node


def c45(data, options):
    """The tree of a table."""
    tree = grow(data.cases, data, options)
    if options.collapse:
        tree = collapsed(tree)
    if options.pruning:
        tree = pruned(tree, data.cases, data, options)
    return tree


def shares(node, row, above=None):
    """Class probabilities of a row; a node without weight has those of the node above it, the root equal ones."""
    whole = sum(node["weight"])
    own = np.asarray(node["weight"]) / whole if whole else above
    if own is None:
        own = np.full(len(node["weight"]), 1 / len(node["weight"]))
    if is_leaf(node):
        return own
    value, children = row[node["attribute"]], node["children"]
    if np.isnan(value):
        sizes = {branch: sum(child["weight"]) for branch, child in children.items()}
        parts = [shares(children[branch], row, own) * size for branch, size in sizes.items() if size]
        return sum(parts) / sum(sizes.values()) if parts else own
    if node["threshold"] is not None:
        return shares(children[int(value > node["threshold"])], row, own)
    branch = node["codes"].get(int(value))
    return own if branch is None else shares(children[branch], row, own)


def nested(tree, categories, binary):
    """A `covey.learners.Tree` as nested dictionaries, to be compared with the twin's."""
    nodes = [None] * tree.n_nodes
    for node in range(tree.n_nodes - 1, -1, -1):
        nodes[node] = {"weight": tree.weight[node].tolist()}
        if tree.attribute[node] < 0:
            continue
        attribute, first = int(tree.attribute[node]), int(tree.first_child[node])
        codes = None
        if categories[attribute]:
            entries = slice(tree.first_code[node], tree.first_code[node] + tree.n_codes[node])
            pairs = zip(tree.code[entries].tolist(), (tree.code_child[entries] - first).tolist(), strict=True)
            branches = dict(pairs)
            codes = branches if binary else {code: code for code in branches}
        below = {branch: nodes[child] for branch, child in enumerate(tree.children(node))}
        if codes is not None and not binary:
            below = {code: below[branch] for code, branch in sorted(branches.items())}
        nodes[node] |= {
            "attribute": attribute,
            "threshold": None if codes is not None else float(tree.threshold[node]),
            "codes": codes,
            "grouped": codes is not None and binary,
            "children": below,
        }
    return nodes[0]


def assert_same(found, expected):
    """Hold two trees of dictionaries against each other; weights may differ by rounding."""
    np.testing.assert_allclose(found["weight"], expected["weight"], rtol=1e-9, atol=1e-9)
    assert found.keys() == expected.keys()
    if is_leaf(expected):
        return
    for key in ("attribute", "threshold", "codes"):
        assert found[key] == expected[key], key
    assert found["children"].keys() == expected["children"].keys()
    for branch, child in expected["children"].items():
        assert_same(found["children"][branch], child)
