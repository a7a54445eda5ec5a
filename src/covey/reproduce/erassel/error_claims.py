"""Claims about mean errors: tables 5.1 to 5.9."""

from __future__ import annotations

from covey.reproduce.erassel.judging import Means, ascending, is_highest, is_lowest, on_means
from covey.reproduce.erassel.reading import BY_ID, MEASURES, PUBLISHED, TABLES, measures, samples
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.verdicts import untested, verdict

REGRESSIONS = ("sim-regression", "boston", "diamonds")
CLASSIFICATIONS = tuple(table.id for table in TABLES if table.has_classes)
# The published figures of rassel are misprints in classification.
MEASURED = ("rssl", "adaptive-rssl", "erassel")
# What "within about 2 per cent" is taken for.
ABOUT_TWO = 0.04
# The widest range of means that counts as alike, in percentage points.
ALIKE, ALIKE_PROSTATE = 0.6, 3.0


def static_weights_are_best(found: Found) -> Verdict:
    """ERA-05."""
    methods = ("rassel", "erassel", "adaptive-rssl")
    return on_means(found, REGRESSIONS, methods, lambda means: ascending(means, *methods))


def plain_is_best_on_cars(found: Found) -> Verdict:
    """ERA-06."""

    def holds(means: Means) -> bool:
        widest = max(max(ours.values()) / min(ours.values()) - 1 for ours in means.values())
        return is_lowest(means, "rssl") and widest <= ABOUT_TWO

    said = on_means(found, ("cars93",), PUBLISHED, holds)
    return Verdict(said.status, f"{said.found} Within about 2 per cent is taken for at most {100 * ABOUT_TWO:.0f} %.")


def evolving_beats_plain(found: Found) -> Verdict:
    """ERA-07."""
    return on_means(found, REGRESSIONS, ("erassel", "rssl"), lambda means: ascending(means, "erassel", "rssl"))


def classifiers_are_alike(found: Found) -> Verdict:
    """ERA-08."""
    parts, alike = [], []
    for id in CLASSIFICATIONS:
        table = BY_ID[id]
        errors = samples(found, table, PUBLISHED)
        if not len(errors):
            continue
        means = dict(zip(PUBLISHED, (100 / table.factor * errors.mean(axis=0)).round(6).tolist(), strict=True))
        width = round(max(means.values()) - min(means.values()), 6)
        alike.append(width <= (ALIKE_PROSTATE if id == "prostate-79" else ALIKE))
        rest = [means[method] for method in MEASURED]
        parts.append(f"{id} {width:.2f} (without rassel {max(rest) - min(rest):.2f})")
    if not parts:
        return untested("no classification was carried out with all four methods")
    limits = f"alike is at most {ALIKE:g}, on prostate-79 {ALIKE_PROSTATE:g}"
    return verdict(all(alike), f"range of mean errors in percentage points: {', '.join(parts)}; {limits}")


def evolving_is_best_plain_worst(found: Found, *, id: str) -> Verdict:
    """ERA-09 and ERA-10."""
    return on_means(found, (id,), MEASURED, lambda means: is_lowest(means, "erassel") and is_highest(means, "rssl"))


def plain_is_best_evolving_worst(found: Found) -> Verdict:
    """ERA-11."""
    return on_means(
        found, ("pima-532",), MEASURED, lambda means: is_lowest(means, "rssl") and is_highest(means, "erassel")
    )


def has_least_error(found: Found, *, id: str, method: str) -> Verdict:
    """ERA-12 and ERA-13."""
    return on_means(found, (id,), MEASURED, lambda means: is_lowest(means, method))


def static_weights_differ(found: Found) -> Verdict:
    """ERA-14."""
    parts, differ = [], []
    for id in CLASSIFICATIONS:
        table, ours = BY_ID[id], measures(found, BY_ID[id])
        if not {"rassel", "adaptive-rssl"} <= set(ours.index):
            continue
        first, second = ([float(ours[name][method]) for name in MEASURES] for method in ("rassel", "adaptive-rssl"))
        differ.append(first != second)
        parts.append(f"{id} {table.write(first[0])} and {table.write(second[0])}")
    if not parts:
        return untested("no classification was carried out with rassel and adaptive-rssl")
    return verdict(all(differ), f"mean errors of rassel and adaptive-rssl: {'; '.join(parts)}")
