"""The choice of a cut, in blocks of cases, against one that takes each cut by itself."""

import numpy as np
import pytest

from covey import C45Classifier
from covey.kernels.cuts import BLOCK

SMALL, NARROW = 1e-6, 1e-5
COLUMNS = {
    "numbers": lambda rng, n: rng.normal(size=n),
    "ties": lambda rng, n: rng.integers(0, 40, n).astype(float),
    "close": lambda rng, n: rng.uniform(0, 8e-6 * n, n),  # half of the values are too near to the next for a cut
    "close ties": lambda rng, n: np.round(rng.uniform(0, 8e-6 * n, n), 6),
}
WEIGHTS = {
    "ones": lambda rng, n: np.ones(n),
    "whole": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "real": lambda rng, n: rng.exponential(size=n),
}


def bits(totals):
    """Entropy in bits, times the weight, of each row of class weights."""
    parts = np.where(totals > 0, totals, 1.0)
    return (totals.sum(axis=1) * np.log2(np.maximum(totals.sum(axis=1), 1e-300))) - (parts * np.log2(parts)).sum(axis=1)


def below_best_cut(x, y, weight, n_classes, narrow):
    """The class weights below the first cut that no later one beats by more than 1e-6 bits a case; None without one."""
    known = ~np.isnan(x)
    all_weight = weight.sum()
    x, y, weight = x[known], y[known], weight[known]
    order = np.argsort(x, kind="stable")
    x, per_case = x[order], np.zeros((len(x), n_classes))
    per_case[np.arange(len(x)), y[order]] = weight[order]
    below = per_case.cumsum(axis=0)[:-1]
    total = per_case.sum(axis=0)
    known_weight = total.sum()
    least = max(2.0, min(25.0, 0.1 * known_weight / n_classes)) - SMALL
    down = below.sum(axis=1)
    cuts = np.flatnonzero((x[:-1] + narrow < x[1:]) & (down >= least) & (known_weight - down >= least))
    gains = (bits(total[None]) - bits(below[cuts]) - bits(total - below[cuts])) / all_weight
    best, gain = None, 0.0
    for cut, of_cut in zip(cuts, gains, strict=True):
        if of_cut > gain + SMALL:
            best, gain = cut, of_cut
    return None if best is None or gain - np.log2(len(cuts)) / all_weight < SMALL else below[best]


def rows_of_nodes(tree, x):
    """The rows of each node of a tree on one column, without missing values."""
    rows = [np.arange(len(x)), *[None] * (tree.n_nodes - 1)]
    for node in np.flatnonzero(tree.n_children):
        lower, first = x[rows[node]] <= tree.threshold[node], tree.first_child[node]
        rows[first], rows[first + 1] = rows[node][lower], rows[node][~lower]
    return rows


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("n_classes", [2, 3, 6])
@pytest.mark.parametrize("n_rows", [BLOCK // 4, BLOCK, 2 * BLOCK + 1, 5 * BLOCK + 300])
def test_every_node_takes_the_first_of_the_best_cuts(n_rows, n_classes, column, weights):
    rng = np.random.default_rng([n_rows, n_classes])
    x, weight = COLUMNS[column](rng, n_rows), WEIGHTS[weights](rng, n_rows)
    spread = np.ptp(x)
    y = np.clip((n_classes * (x - x.min()) / spread + 0.4 * rng.normal(size=n_rows)).astype(int), 0, n_classes - 1)
    y[:n_classes], weight[:n_classes] = np.arange(n_classes), 1.0
    narrow = NARROW if spread >= 1e-2 else 0.0
    scaled = weight * (np.count_nonzero(weight) / weight.sum()) if weights == "real" else weight
    tree = C45Classifier(pruning=False, collapse=False).fit(x[:, None], y, weight).tree_
    kept = scaled > 0
    x, y, scaled = x[kept], y[kept], scaled[kept]
    for node, rows in enumerate(rows_of_nodes(tree, x)):
        expected = below_best_cut(x[rows], y[rows], scaled[rows], n_classes, narrow)
        if tree.n_children[node] == 0:
            total = tree.weight[node]
            assert expected is None or total.sum() < 4.0 or total.max() > total.sum() - SMALL
        else:
            np.testing.assert_allclose(tree.weight[tree.first_child[node]], expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n_classes", [2, 4])
def test_rows_without_a_value_count_in_the_gain_only(n_classes):
    rng = np.random.default_rng(0)
    x = rng.normal(size=3 * BLOCK)
    y = np.clip((n_classes / 2 + x + rng.normal(size=len(x))).astype(int), 0, n_classes - 1)
    x[rng.random(len(x)) < 0.2] = np.nan
    tree = C45Classifier(pruning=False, collapse=False).fit(x[:, None], y).tree_
    known = ~np.isnan(x)
    below = np.bincount(y[known & (x <= tree.threshold[0])], minlength=n_classes)
    np.testing.assert_allclose(below, below_best_cut(x, y, np.ones(len(x)), n_classes, NARROW))
