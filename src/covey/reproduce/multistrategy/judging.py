"""Parts that claims of this paper share: what must be so of a comparison, and verdicts from several of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps

from covey._rounding import write_number
from covey._text import counted
from covey.reproduce.multistrategy.measures import Comparison, Measures, measures_of
from covey.reproduce.multistrategy.systems import Step
from covey.reproduce.paper import Found, Verdict

# With fewer datasets the sign test of a record without a loss is not significant at the level of 0.05.
LEAST_DATASETS = 6


@dataclass(frozen=True)
class Point:
    """A part of a claim.

    Parameters
    ----------
    holds : bool
        Whether it is so.
    text : str
        Its figures.
    unsure : bool
        Whether it does not hold only because it is not significant, though it goes the way that is claimed.
    """

    holds: bool
    text: str
    unsure: bool = False


def verdict_on(points: Iterable[Point]) -> Verdict:
    """Return the verdict on a claim all of whose points must hold; what does not hold is said first."""
    every = list(points)
    groups = (
        ("Not so", [point.text for point in every if not point.holds and not point.unsure]),
        ("So, but not significant", [point.text for point in every if not point.holds and point.unsure]),
        ("As claimed", [point.text for point in every if point.holds]),
    )
    if all(point.holds for point in every):
        return Verdict("held", f"{'; '.join(groups[-1][1])}.")
    return Verdict("failed", " ".join(f"{title}: {'; '.join(texts)}." for title, texts in groups if texts))


def on_measures(judge: Callable[[Measures], Verdict], *, tests: bool = False) -> Callable[[Found], Verdict]:
    """Return a judge of what was found from one of measures.

    Parameters
    ----------
    judge : callable
        From measures to a verdict.
    tests : bool
        Whether the claim is about significance, which too few datasets cannot show.
    """

    @wraps(judge)
    def judged(found: Found) -> Verdict:
        measures = measures_of(found)
        whole = int(measures.frames["error"].notna().all(axis=1).sum())
        if not whole:
            return Verdict("not testable", "there is no dataset on which every system was carried out")
        if tests and whole < LEAST_DATASETS:
            why = f"the claim is about a sign test, which cannot be significant on {counted(whole, 'dataset')}"
            return Verdict("not testable", f"{why}; {LEAST_DATASETS} or more are needed")
        verdict = judge(measures)
        lacking = measures.n_datasets - whole
        if not lacking:
            return verdict
        return Verdict(
            verdict.status, f"{verdict.found} Incomplete: fits are lacking on {counted(lacking, 'dataset')}."
        )

    return judged


def compared(
    measures: Measures, measure: str, steps: Sequence[Step], holds: Callable[[Comparison], bool]
) -> Iterable[Point]:
    """Yield a point for each step from a system to another."""
    goes_that_way = _WITHOUT_TEST.get(holds)
    for against, method in steps:
        found = measures.compare(measure, method, against)
        unsure = goes_that_way is not None and goes_that_way(found) and not holds(found)
        yield Point(holds(found), str(found), unsure)


def falls(found: Comparison) -> bool:
    """Whether the ratio is below one, and more datasets have a smaller value than a larger."""
    return found.ratio < 1 and found.wins > found.losses


def rises(found: Comparison) -> bool:
    """Whether the ratio is above one, and more datasets have a larger value than a smaller."""
    return found.ratio > 1 and found.losses > found.wins


def falls_surely(found: Comparison) -> bool:
    """Whether the ratio is below one, and significantly many datasets have a smaller value."""
    return found.ratio < 1 and found.outcome == "lower"


def rises_surely(found: Comparison) -> bool:
    """Whether the ratio is above one, and significantly many datasets have a larger value."""
    return found.ratio > 1 and found.outcome == "higher"


def ratio_falls(found: Comparison) -> bool:
    """Whether the ratio is below one."""
    return found.ratio < 1


def ratio_rises(found: Comparison) -> bool:
    """Whether the ratio is above one."""
    return found.ratio > 1


def falls_everywhere(found: Comparison) -> bool:
    """Whether every dataset has a smaller value."""
    return found.n_datasets > 0 and found.wins == found.n_datasets


def rises_everywhere(found: Comparison) -> bool:
    """Whether every dataset has a larger value."""
    return found.n_datasets > 0 and found.losses == found.n_datasets


def lowest(measures: Measures, measure: str, system: str, systems: Sequence[str], base: str) -> Verdict:
    """Return whether a system has the lowest ratio to a base system of all."""
    ratios = {name: measures.compare(measure, name, base).ratio for name in systems if name != base} | {base: 1.0}
    order = sorted(ratios, key=lambda name: ratios[name])
    listed = ", ".join(f"{name} {write_number(ratios[name], '.3f')}" for name in order[:4])
    text = f"ratios of {measure} to {base}, lowest first: {listed}, ..."
    return Verdict("held" if order[0] == system else "failed", text)


_WITHOUT_TEST: dict[Callable[[Comparison], bool], Callable[[Comparison], bool]] = {
    falls_surely: falls,
    rises_surely: rises,
}
