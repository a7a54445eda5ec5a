"""Claims of the thesis, with the figures that it prints, and how each claim is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from covey._text import counted
from covey.reproduce.erassel import figures
from covey.reproduce.erassel.experiments import COLLINEAR, ORTHOGONAL, TABLES, sizes_id
from covey.reproduce.erassel.figures import DEFAULT_RULE, RULE, SIZES
from covey.reproduce.erassel.tables import MEASURES, PUBLISHED, draws_of, measures, published_measures, samples
from covey.reproduce.paper import Found, Lacking
from covey.reproduce.results import Floats
from covey.reproduce.tables import listed_values, two
from covey.reproduce.verdicts import DRAWS, Judgement, claim, needed, power_of

# Means of methods, by the id of their table.
Means = Mapping[str, Mapping[str, float]]

REGRESSIONS = ("sim-regression", "boston", "diamonds")
CLASSIFICATIONS = tuple(id for id, table in TABLES.items() if table.has_classes)
# The published figures of rassel are misprints in classification.
MEASURED = ("rssl", "adaptive-rssl", "erassel")
# What "within about 2 per cent" is taken for.
ABOUT_TWO = 0.04
# The widest range of means that counts as alike, in percentage points.
ALIKE, ALIKE_PROSTATE = 0.6, 3.0
# What singling out is taken for, as a share of draws; and what no longer doing so is.
MOSTLY, HALF = 0.75, 0.5
# What near 1, and near 5 columns, is taken for.
NEAR_ONE, NEAR_FIVE = 0.7, (4, 6)
# What stable is taken for: the change from round to round at the end, as a share of that at the beginning.
STABLE = 0.5
NO_DRAW = "no draw of the simulated data was carried out"


def on_means(
    results: Found, ids: Sequence[str], methods: Sequence[str], holds: Callable[[Means], bool], note: str = ""
) -> Judgement:
    """Judge the order of mean errors in some tables, and say how often a run of this size would show it.

    Tables that were not carried out are left out.
    """
    parts = {id: samples(results, TABLES[id], methods) for id in ids}
    there = {id: part for id, part in parts.items() if len(part)}
    needed(there, f"{' and '.join(ids)} was not carried out with {', '.join(methods)}")
    means = {id: dict(zip(methods, part.mean(axis=0).tolist(), strict=True)) for id, part in there.items()}
    text = "; ".join(told_means(results, id, mean) for id, mean in means.items())
    absent = [id for id in ids if id not in there]
    lacking = f"; without {', '.join(absent)}" if absent else ""
    often = ""
    if all(len(part) > 1 for part in there.values()):
        power = f"{100 * power_of(drawn_means(there, methods), holds):.0f} %"
        often = f" Of runs of this size, drawn from the published means, {power} show it."
    return holds(means), f"mean errors: {text}{lacking}.{often}{note}"


def told_means(results: Found, id: str, means: Mapping[str, float]) -> str:
    """Write the means of methods on a table's data."""
    draws = len(draws_of(results, TABLES[id]))
    of = f" ({counted(draws, 'draw')})" if draws > 1 else ""
    return f"{id}{of} {listed_values(means, TABLES[id].write)}"


def drawn_means(parts: Mapping[str, Floats], methods: Sequence[str]) -> list[Means]:
    """Return runs whose means are drawn around the published ones, from the errors of our splits or draws.

    Methods vary together from split to split, or from draw to draw, as they do in our run.
    """
    rng, runs = np.random.default_rng(0), {}
    for id, part in parts.items():
        centre = published_measures(TABLES[id])["mean"].loc[list(methods)].to_numpy()
        spread = np.atleast_2d(np.cov(part, rowvar=False)) / len(part)
        runs[id] = rng.multivariate_normal(centre, spread, size=DRAWS, method="svd")
    return [
        {id: dict(zip(methods, rows[number].tolist(), strict=True)) for id, rows in runs.items()}
        for number in range(DRAWS)
    ]


def ascending(*methods: str) -> Callable[[Means], bool]:
    """Whether the means of methods grow in the given order, in all tables."""
    return lambda means: all(
        mean[first] < mean[second] for mean in means.values() for first, second in pairwise(methods)
    )


def extremes(lowest: str, highest: str = "") -> Callable[[Means], bool]:
    """Whether a method has the lowest mean in all tables, and another the highest if it is named."""
    return lambda means: all(
        min(mean, key=lambda name: mean[name]) == lowest
        and (not highest or max(mean, key=lambda name: mean[name]) == highest)
        for mean in means.values()
    )


def plain_is_best_and_near(means: Means) -> bool:
    """ERA-06: whether rssl has the lowest mean, and all are near each other."""
    widest = max(max(mean.values()) / min(mean.values()) - 1 for mean in means.values())
    return extremes("rssl")(means) and widest <= ABOUT_TWO


def _classifiers_are_alike(results: Found) -> Judgement:
    parts, alike = [], []
    for id in CLASSIFICATIONS:
        errors = samples(results, TABLES[id], PUBLISHED)
        if not len(errors):
            continue
        means = dict(zip(PUBLISHED, (100 / TABLES[id].factor * errors.mean(axis=0)).round(6).tolist(), strict=True))
        width = round(max(means.values()) - min(means.values()), 6)
        alike.append(width <= (ALIKE_PROSTATE if id == "prostate-79" else ALIKE))
        rest = [means[method] for method in MEASURED]
        parts.append(f"{id} {width:.2f} (without rassel {max(rest) - min(rest):.2f})")
    needed(parts, "no classification was carried out with all four methods")
    limits = f"alike is at most {ALIKE:g}, on prostate-79 {ALIKE_PROSTATE:g}"
    return all(alike), f"range of mean errors in percentage points: {', '.join(parts)}; {limits}"


def _static_weights_differ(results: Found) -> Judgement:
    parts, differ = [], []
    for id in CLASSIFICATIONS:
        frame, write = measures(results, TABLES[id]), TABLES[id].write
        if {"rassel", "adaptive-rssl"} <= set(frame.index):
            first, second = (frame.T[method][list(MEASURES)].tolist() for method in ("rassel", "adaptive-rssl"))
            differ.append(first != second)
            parts.append(f"{id} {write(first[0])} and {write(second[0])}")
    needed(parts, "no classification was carried out with rassel and adaptive-rssl")
    return all(differ), f"mean errors of rassel and adaptive-rssl: {'; '.join(parts)}"


def _singles_out(results: Found, size: int) -> Judgement:
    tallied = figures.counts(results, ORTHOGONAL)
    often, total = tallied.get(RULE, {}).get(size, (0, 0))
    if not total:
        raise Lacking(NO_DRAW)
    others = ", ".join(f"{rule} {by[size][0]}" for rule, by in tallied.items() if rule != RULE and size in by)
    text = f"in {often} of {counted(total, 'draw')} by the rule of appendix A ({RULE}); by other rules: {others}"
    return often >= MOSTLY * total, f"{text}; for the claim {100 * MOSTLY:.0f} % are needed"


def _loses_them_when_collinear(results: Found) -> Judgement:
    tallied = needed(figures.counts(results, COLLINEAR).get(RULE, {}), "no draw of the collinear data was carried out")
    text = f"{figures.told_counts(results, COLLINEAR)}; no longer singled out is taken for fewer than half, by {RULE}"
    return all(often < HALF * total for often, total in tallied.values()), text


def _orders_as_static_weights(results: Found) -> Judgement:
    values = [needed(figures.likeness(results, RULE, size)[0], NO_DRAW) for size in SIZES]
    text = f"{figures.told_correlations(results)} Near 1 is taken for {NEAR_ONE:g} or more, by {RULE}"
    return min(float(some.mean()) for some in values) >= NEAR_ONE, text


def _weights_become_stable(results: Found) -> Judgement:
    shares = {}
    for rule in (RULE, DEFAULT_RULE):
        for size in SIZES:
            paths = figures.paths_of(results, ORTHOGONAL, rule, size)
            if paths:
                steps = np.array([np.abs(np.diff(path, axis=0)).sum(axis=1) for path in paths]).mean(axis=0)
                quarter = max(1, len(steps) // 4)
                shares[f"{rule}, size {size}"] = float(steps[-quarter:].mean() / steps[:quarter].mean())
    needed(shares, NO_DRAW)
    each = "; ".join(f"{name}: {two(share)}" for name, share in shares.items())
    return max(shares.values()) < STABLE, (
        "mean change of weights from round to round in the last quarter of rounds, as a share of that in the first: "
        f"{each}; stable is taken for less than {STABLE:g}"
    )


def _five_columns_are_best(results: Found) -> Judgement:
    curve = figures.curve_of(results, TABLES["sim-regression"])
    if curve is None:
        raise Lacking("no sizes were carried out on the simulated data")
    best, (low, high) = int(curve.sizes[int(curve.errors.argmin())]), NEAR_FIVE
    errors = listed_values(dict(zip(curve.sizes, curve.errors, strict=True)))
    return low <= best <= high, f"least at {best} (near 5 is {low} to {high}): {errors}"


_WEIGHTS = (ORTHOGONAL,)

# fmt: off
CLAIMS = (
    claim("ERA-01", "On orthogonal simulated data, with subspaces of 3, erassel gives its three largest weights to x1, "
          "x4 and x5", "figures 5.1 and 5.2, one draw", _WEIGHTS, _singles_out, size=3),
    claim("ERA-02", "The same with subspaces of 5", "figures 5.1 and 5.2, one draw", _WEIGHTS, _singles_out, size=5),
    claim("ERA-03", "The final weights of erassel order the columns as the static weights of rassel do (rank "
          "correlation near 1)", "figure 5.3: x4, x5, x1 by both, one draw", _WEIGHTS, _orders_as_static_weights),
    claim("ERA-04", "On collinear data (x7 = 2 x1 + noise) erassel no longer singles out x1, x4 and x5",
          "figures 5.4 and 5.5, one draw", (COLLINEAR,), _loses_them_when_collinear),
    claim("ERA-05", "rassel has the lowest mean error on simulated regression data, Boston and Diamonds, erassel the "
          "next", "rassel, erassel, adaptive-rssl: 15.52, 16.17, 16.98; 0.64, 0.67, 0.69; 8.13, 8.74, 8.76",
          REGRESSIONS, on_means, ids=REGRESSIONS, methods=("rassel", "erassel", "adaptive-rssl"),
          holds=ascending("rassel", "erassel", "adaptive-rssl")),
    claim("ERA-06", "On Cars93 plain rssl has the lowest mean error, and the four lie within about 2 per cent",
          "57.29, 57.60, 58.47, 57.79", ("cars93",), on_means, ids=("cars93",), methods=PUBLISHED,
          holds=plain_is_best_and_near,
          note=f" Within about 2 per cent is taken for at most {100 * ABOUT_TWO:.0f} %."),
    claim("ERA-07", "erassel has a lower mean error than plain rssl on simulated regression data, Boston and Diamonds",
          "16.17 and 17.00; 0.67 and 0.69; 8.74 and 8.88", REGRESSIONS, on_means, ids=REGRESSIONS,
          methods=("erassel", "rssl"), holds=ascending("erassel", "rssl")),
    claim("ERA-08", "In classification the four methods perform alike", "ranges of means of 0.47, 0.18, 0.19, 0.59 and "
          "3 percentage points, with rassel misprinted", CLASSIFICATIONS, _classifiers_are_alike),
    claim("ERA-09", "On Spam erassel has the lowest mean error and plain rssl the highest", "7.56, 7.42, 7.38",
          ("spam",), on_means, ids=("spam",), methods=MEASURED, holds=extremes("erassel", "rssl")),
    claim("ERA-10", "On Ionosphere erassel has the lowest mean error and plain rssl the highest", "11.42, 11.06, 10.83",
          ("ionosphere",), on_means, ids=("ionosphere",), methods=MEASURED, holds=extremes("erassel", "rssl")),
    claim("ERA-11", "On Pima plain rssl has the lowest mean error and erassel the highest", "22.48, 22.65, 22.67",
          ("pima-532",), on_means, ids=("pima-532",), methods=MEASURED, holds=extremes("rssl", "erassel")),
    claim("ERA-12", "On Prostate, with more columns than cases, erassel has the lowest mean error", "0.38, 0.39, 0.36",
          ("prostate-79",), on_means, ids=("prostate-79",), methods=MEASURED, holds=extremes("erassel")),
    claim("ERA-13", "On simulated logistic data plain rssl has the lowest mean error", "20.82, 21.29, 21.04",
          ("sim-logistic",), on_means, ids=("sim-logistic",), methods=MEASURED, holds=extremes("rssl")),
    claim("ERA-14", "Measured, rassel differs from adaptive-rssl in every classification; the thesis prints the same "
          "figures of both, for its code stores the wrong ones", "the same figures in tables 5.5 to 5.9",
          CLASSIFICATIONS, _static_weights_differ),
    claim("ERA-15", "Weights become stable as the ensemble grows", "", _WEIGHTS, _weights_become_stable),
    claim("ERA-16", "On simulated regression data the error over sizes of subspaces is least at about 5 of 10 columns",
          "figure 5.6", (sizes_id("sim-regression"),), _five_columns_are_best),
)
# fmt: on
