"""Claims about the weights of columns on simulated data, and about the size of subspaces: sections 3.2, 5.1 and 5.3."""

from __future__ import annotations

import numpy as np

from covey._rounding import write_number
from covey._text import counted
from covey.reproduce.erassel.size_views import curve_of
from covey.reproduce.erassel.weights import (
    COLLINEAR,
    DEFAULT_RULE,
    ORTHOGONAL,
    RULE,
    SIZES,
    correlations,
    counts,
    paths_of,
    told_correlations,
    told_counts,
)
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.verdicts import untested, verdict

# What singling out is taken for, as a share of draws; and what no longer doing so is.
MOSTLY, HALF = 0.75, 0.5
# What near 1 is taken for.
NEAR_ONE = 0.7
# What stable is taken for: the change from round to round at the end, as a share of that at the beginning.
STABLE = 0.5
# Sizes of subspaces that are near 5.
NEAR_FIVE = (4, 6)


def singles_out(found: Found, *, size: int) -> Verdict:
    """ERA-01 and ERA-02."""
    often, total = counts(found, ORTHOGONAL).get(RULE, {}).get(size, (0, 0))
    if not total:
        return untested("no draw of the simulated data was carried out")
    rest = _others(found, ORTHOGONAL, size)
    text = f"in {often} of {counted(total, 'draw')} by the rule of appendix A ({RULE}); {rest}"
    return verdict(often >= MOSTLY * total, f"{text}; for the claim {100 * MOSTLY:.0f} % are needed")


def _others(found: Found, id: str, size: int) -> str:
    tallied = counts(found, id)
    parts = [f"{rule} {by[size][0]}" for rule, by in tallied.items() if rule != RULE and size in by]
    return f"by other rules: {', '.join(parts)}"


def loses_them_when_collinear(found: Found) -> Verdict:
    """ERA-04."""
    tallied = counts(found, COLLINEAR).get(RULE, {})
    if not tallied:
        return untested("no draw of the collinear data was carried out")
    fails = all(often < HALF * total for often, total in tallied.values())
    text = f"{told_counts(found, COLLINEAR)}; no longer singled out is taken for fewer than half, by {RULE}"
    return verdict(fails, text)


def orders_as_static_weights(found: Found) -> Verdict:
    """ERA-03."""
    values = [correlations(found, RULE, size) for size in SIZES]
    if not all(len(one) for one in values):
        return untested("no draw of the simulated data was carried out")
    text = f"{told_correlations(found)} Near 1 is taken for {NEAR_ONE:g} or more, by {RULE}"
    return verdict(min(float(one.mean()) for one in values) >= NEAR_ONE, text)


def weights_become_stable(found: Found) -> Verdict:
    """ERA-15."""
    parts, calm = [], []
    for rule in (RULE, DEFAULT_RULE):
        for size in SIZES:
            paths = paths_of(found[ORTHOGONAL], rule, size)
            if not paths:
                continue
            steps = np.array([np.abs(np.diff(path, axis=0)).sum(axis=1) for path in paths]).mean(axis=0)
            quarter = max(1, len(steps) // 4)
            ratio = float(steps[-quarter:].mean() / steps[:quarter].mean())
            calm.append(ratio < STABLE)
            parts.append(f"{rule}, size {size}: {write_number(ratio, '.2f')}")
    if not parts:
        return untested("no draw of the simulated data was carried out")
    text = (
        "mean change of weights from round to round in the last quarter of rounds, as a share of that in the first: "
        f"{'; '.join(parts)}; stable is taken for less than {STABLE:g}"
    )
    return verdict(all(calm), text)


def five_columns_are_best(found: Found) -> Verdict:
    """ERA-16."""
    curve = curve_of(found, "sim-regression")
    if curve is None:
        return untested("no sizes were carried out on the simulated data")
    best = int(curve.sizes[int(curve.errors.argmin())])
    low, high = NEAR_FIVE
    errors = ", ".join(
        f"{size} {write_number(error, '.2f')}" for size, error in zip(curve.sizes, curve.errors, strict=True)
    )
    return verdict(low <= best <= high, f"least at {best} (near 5 is {low} to {high}): {errors}")
