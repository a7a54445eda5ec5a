"""Choosing how strongly pairs are biased, by cross-validated bias curves."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey.ensemble.ballot import member_output
from covey.ensemble.biased import fit_biased
from covey.ensemble.fit import Cases, fit_member
from covey.learners.sphere_size import splits
from covey.strategies.bias import Biasing

# The strengths that are tried, and the folds; the published strength is taken where there is nothing to choose by.
STRENGTHS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
PUBLISHED = 0.9
_FOLDS = 3


def choose_biases(biasing: Biasing, estimator: Any, cases: Cases, seed: np.random.SeedSequence) -> tuple[float, float]:
    """Return the strengths of h+ and of h- whose points on the bias curves promise most.

    Curves are made of what classifiers say of cases they have not seen. A pair is worth what it gets right where it
    agrees, and of the hard cases what a simple arbiter would: the unbiased classifier, its reverse, a constant or
    chance. Of pairs worth the same, the one that leaves fewest hard cases is taken.

    Parameters
    ----------
    biasing : str
        How classifiers are biased.
    estimator : classifier
    cases : Cases
        Of two classes, 0 and 1.
    seed : SeedSequence
    """
    base, plus, minus, rows = _curves(biasing, estimator, cases, seed)
    if not len(rows):
        return PUBLISHED, PUBLISHED
    true, weight = cases.y[rows], cases.weight[rows]
    best = max(
        product(range(len(STRENGTHS)), repeat=2),
        key=lambda pair: _worth(true, weight, base, plus[pair[0]], minus[pair[1]]),
    )
    return STRENGTHS[best[0]], STRENGTHS[best[1]]


def _curves(
    biasing: Biasing, estimator: Any, cases: Cases, seed: np.random.SeedSequence
) -> tuple[NDArray[np.intp], list[NDArray[np.intp]], list[NDArray[np.intp]], NDArray[np.intp]]:
    """Return what classifiers say of unseen cases: without bias, h+ and h- of each strength; and the cases."""
    rng = np.random.default_rng(seed)
    n_rows = len(cases.y)
    said = np.zeros((1 + 2 * len(STRENGTHS), n_rows), dtype=np.intp)
    tested: list[NDArray[np.intp]] = []
    for number, (train, test) in enumerate(splits(_FOLDS, cases.y, cases.weight, rng)):
        weight = np.zeros(n_rows)
        weight[train] = cases.weight[train]
        if len(np.unique(cases.y[train])) < 2:
            continue
        tested.append(test)
        now = replace(cases, weight=weight)
        draws = np.random.default_rng(seeds.child(seed, number))
        said[0, test] = member_output(fit_member(estimator, now, weight, None, draws), cases.feed, "codes", 2, test)
        for place, (against, bias) in enumerate(product((1, 0), STRENGTHS)):
            one = fit_biased(biasing, estimator, now, against, bias, draws)
            said[1 + place, test] = one.codes(cases.feed, test)
    rows = np.sort(np.concatenate([np.empty(0, dtype=np.intp), *tested]))
    found = [one[rows] for one in said]
    return found[0], found[1 : 1 + len(STRENGTHS)], found[1 + len(STRENGTHS) :], rows


def _worth(
    true: NDArray[np.intp],
    weight: NDArray[np.float64],
    base: NDArray[np.intp],
    plus: NDArray[np.intp],
    minus: NDArray[np.intp],
) -> tuple[float, float]:
    """Return the weight that a pair with a simple arbiter gets right, and less the more it leaves."""
    hard = plus != minus
    sure = weight[~hard & (plus == true)].sum()
    left, positive, kept = weight[hard].sum(), weight[hard & (true == 1)].sum(), weight[hard & (base == true)].sum()
    return float(sure + max(left / 2, positive, left - positive, kept, left - kept)), -float(left)
