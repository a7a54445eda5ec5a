"""Claims of the paper, with the figures that it prints, and how each claim is judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from covey._text import counted
from covey.reproduce.multistrategy.experiments import (
    ADD_BOOST,
    ADD_SASC,
    ADD_WAG_OR_SASC,
    ADD_WAG_TO_BOOST,
    BAGGING,
    ENSEMBLES,
    SMALL,
    SYSTEMS,
    TO_THREE,
    TO_TWO,
    Step,
)
from covey.reproduce.multistrategy.tables import Comparison, Measures, measures_of
from covey.reproduce.paper import Found, Lacking
from covey.reproduce.tables import listed_values, three
from covey.reproduce.verdicts import FEW_DATASETS, Judgement, claim

Holds = Callable[[Comparison], bool]

BASE = "c4.5"
BOOSTED = ("boost", "mb", "boostsasc", "mbsasc")
UNSURE_STEP = ("boost", "boostsasc")
# What the paper's words are taken to mean where it gives no limits.
ABOUT_EQUAL = (0.98, 1.05)
FAR_BELOW = 2 / 3
# What is claimed to be significant.
_TESTED = ("falls surely", "rises surely")
# Errors and numbers of members for which the argument on maximal variance is worked out.
MOST_CASES, MOST_MEMBERS = 40, 61


# Of a measure that no dataset has.
NO_MEASURE = "there is no {} to compare: bias and variance need two cycles of cross-validation"


@dataclass(frozen=True)
class Point:
    """A part of a claim."""

    holds: bool
    text: str  # its figures
    unsure: bool = False  # whether it goes the way that is claimed, but not significantly


def on_measures(
    results: Found, *, judge: Callable[..., Judgement], tests: bool = False, **arguments: object
) -> Judgement:
    """Judge measures; `tests` are claims about significance, which too few datasets cannot show."""
    measures = measures_of(results)
    whole = int(measures.frames["error"].notna().all(axis=1).sum())
    if not whole:
        raise Lacking("there is no dataset on which every system was carried out")
    if tests and whole < FEW_DATASETS:
        why = f"the claim is about a sign test, which cannot be significant on {counted(whole, 'dataset')}"
        raise Lacking(f"{why}; {FEW_DATASETS} or more are needed")
    holds, text = judge(measures, **arguments)
    lacking = len(measures.frames["error"]) - whole
    incomplete = f" Incomplete: fits are lacking on {counted(lacking, 'dataset')}." if lacking else ""
    return holds, text + incomplete


def steps(
    measures: Measures,
    parts: Sequence[tuple[str, Sequence[Step], str]],
    note: str | Callable[[Measures], str] = "",
) -> Judgement:
    """Judge whether what a key of `HOLDS` says holds of a measure, from systems to others, for all parts of a claim."""
    points, named = [], len({measure for measure, _, _ in parts}) > 1
    for measure, pairs, what in parts:
        # What is not significant may still go the way that is claimed.
        holds, goes = HOLDS[what], HOLDS[what.removesuffix(" surely")] if what in _TESTED else None
        for against, method in pairs:
            cell = measures.compare(measure, method, against)
            if not cell.total:
                raise Lacking(NO_MEASURE.format(measure))
            text = f"{measure}, {cell}" if named else str(cell)
            points.append(Point(holds(cell), text, goes is not None and goes(cell) and not holds(cell)))
    so, text = together(points)
    return so, text + (note if isinstance(note, str) else note(measures))


def together(points: Sequence[Point]) -> Judgement:
    """Return that all points must hold; what does not hold is said first."""
    groups = {
        "Not so": [point.text for point in points if not point.holds and not point.unsure],
        "So, but not significant": [point.text for point in points if not point.holds and point.unsure],
        "As claimed": [point.text for point in points if point.holds],
    }
    if all(point.holds for point in points):
        return True, f"{'; '.join(groups['As claimed'])}."
    return False, " ".join(f"{title}: {'; '.join(texts)}." for title, texts in groups.items() if texts)


# What may hold of a comparison: of its ratio, of its record, and of the sign test.
HOLDS: dict[str, Holds] = {
    "falls": lambda cell: cell.ratio < 1 and cell.wins > cell.losses,
    "rises": lambda cell: cell.ratio > 1 and cell.losses > cell.wins,
    "falls surely": lambda cell: cell.ratio < 1 and cell.outcome == "better",
    "rises surely": lambda cell: cell.ratio > 1 and cell.outcome == "worse",
    "falls, not surely": lambda cell: HOLDS["falls"](cell) and cell.outcome == "level",
    "does not fall surely": lambda cell: cell.outcome != "better",
    "ratio below 1": lambda cell: cell.ratio < 1,
    "ratio above 1": lambda cell: cell.ratio > 1,
    "ratio not below 1": lambda cell: cell.ratio >= 1,
    "ratio about 1": lambda cell: ABOUT_EQUAL[0] <= cell.ratio <= ABOUT_EQUAL[1],
    "ratio far below 1": lambda cell: cell.ratio < FAR_BELOW,
    "falls everywhere": lambda cell: cell.wins == cell.total > 0,
    "rises everywhere": lambda cell: cell.losses == cell.total > 0,
}


def lowest(measures: Measures, measure: str, system: str) -> Judgement:
    """MS-03 and MS-11: whether a system has the lowest ratio to a single tree of all."""
    if measures.of(measure, SYSTEMS).empty:
        raise Lacking(NO_MEASURE.format(measure))
    ratios = {name: measures.compare(measure, name, BASE).ratio for name in SYSTEMS if name != BASE} | {BASE: 1.0}
    order = sorted(ratios, key=lambda name: ratios[name])
    first = listed_values({name: ratios[name] for name in order[:4]}, three)
    return order[0] == system, f"ratios of {measure} to {BASE}, lowest first: {first}, ..."


def _diversity_has_its_price(measures: Measures) -> Judgement:
    points = []
    for against, method in (*TO_TWO, *TO_THREE):
        ratios = [
            measures.compare(measure, method, against).ratio for measure in ("diversity", "individual error", "error")
        ]
        if ratios[0] > 1:
            text = f"{against} to {method} {', '.join(map(three, ratios))}"
            points.append(Point(ratios[1] > 1 and ratios[2] < 1, text))
    if not points:
        return False, "No step raises diversity."
    so, text = together(points)
    return so, f"Ratios of diversity, individual and ensemble error. {text}"


def _multiboosting_against_its_parts(measures: Measures) -> Judgement:
    means = {measure: measures.of(measure, ("mb", SMALL)).mean() for measure in ("diversity", "individual error")}
    so, text = together(
        [
            Point(mean["mb"] > mean[SMALL], f"mean {measure} {mean['mb']:.3f} against {mean[SMALL]:.3f}")
            for measure, mean in means.items()
        ]
    )
    return so, text + told_sizes(measures)


def told_sizes(measures: Measures) -> str:
    """Say how many members the large and the small boosted ensembles have."""
    large, small = (int(measures.members[name].max()) for name in ("boost", SMALL))
    return f" Members: {large} and {small}; the paper has 100 and 10."


def _no_more_members(measures: Measures) -> Judgement:
    sizes = sorted({float(size) for size in measures.members[list(ENSEMBLES)].to_numpy().ravel() if size == size})
    return len(sizes) == 1, (
        f"mean numbers of members over fits: {', '.join(f'{size:g}' for size in sizes)}; a member that boosting drops, "
        "for it is no better than chance, is one call more, which is not counted here."
    )


def least_members(error: Fraction) -> int:
    """Return 1 / (1 - 2e) rounded up to an odd number, the members that the paper asks for."""
    members = ceil(1 / (1 - 2 * error))
    return members if members % 2 else members + 1


def wrong_votes(error: Fraction, members: int) -> tuple[int, int]:
    """Return the least and the most members that are wrong about a case when the variance of votes is maximal.

    The variance of a case is 2 p (1 - p) with a share p of wrong votes, which is concave: for a given mean of p, the
    members' error e, its sum is largest if all cases have the same share, or, as votes are whole, numbers of wrong
    votes that differ by one at most: e t rounded down and up.
    """
    return floor(error * members), ceil(error * members)


def vote_errs(error: Fraction, members: int) -> bool:
    """Whether a majority vote can be wrong, or tied, on some case when the variance of votes is maximal."""
    return 2 * wrong_votes(error, members)[1] >= members


def maximal_variance(results: Found) -> Judgement:
    """MS-23: the argument of section 1 for errors below one half with denominators up to 40, and odd sizes up to 61."""
    errors = sorted({Fraction(wrong, cases) for cases in range(1, MOST_CASES + 1) for wrong in range((cases + 1) // 2)})
    tried = [(error, members) for error in errors for members in range(least_members(error), MOST_MEMBERS + 1, 2)]
    for error, members in tried:
        if vote_errs(error, members):
            return False, f"Not so for e = {error} and t = {members}."
    even = ((error, members) for error in errors for members in range(least_members(error) + 1, MOST_MEMBERS, 2))
    tie = next(pair for pair in even if vote_errs(*pair))
    return True, (
        f"No error in any of {len(tried)} cases: all e below 1/2 with denominators up to {MOST_CASES}, all odd t from "
        f"the least to {MOST_MEMBERS}. With an even t a tie is possible: e = {tie[0]}, t = {tie[1]}."
    )


_ALL, _BOTH = ("systems",), ("systems", "others")
_FROM_BASE = {name: (BASE, name) for name in ENSEMBLES}
_SURE_TWO = tuple(step for step in TO_TWO if step != UNSURE_STEP)
_MEMBERS = ("diversity", "individual error")
_TO_WAG_OR_SASC = (("boost", "wag"), ("boost", "sasc"))

# fmt: off
CLAIMS = (
    claim("MS-01", "Every ensemble has lower error than a C4.5 tree.", "ratios 0.73 to 0.86, all p < 0.0001",
          _ALL, on_measures, judge=steps, tests=True, parts=(("error", _FROM_BASE.values(), "falls surely"),)),
    claim("MS-02", "Each combination of two strategies has lower error than each of its parts, significantly but for "
          "boost to boostsasc.", "0.99, 0.87, 0.98, 0.89, 0.92, 0.95; 5 of 6 significant", _ALL, on_measures,
          judge=steps, tests=True,
          parts=(("error", _SURE_TWO, "falls surely"), ("error", [UNSURE_STEP], "falls, not surely"))),
    claim("MS-03", "mbsasc has the lowest error of all nine systems.", "0.73 of C4.5; next 0.75", _ALL, on_measures,
          judge=lowest, measure="error", system="mbsasc"),
    claim("MS-04", "mbsasc has lower error than mb, boostsasc and wagsasc, significantly only than boostsasc.",
          "0.97, 0.98, 0.91; p = 0.18, 0.0029, 0.20", _ALL, on_measures, judge=steps, tests=True,
          parts=(("error", TO_THREE[::2], "falls, not surely"), ("error", TO_THREE[1:2], "falls surely"))),
    claim("MS-05", "One C4.5SAS tree has higher error than one C4.5 tree.", "1.07 (13/0/28, p = 0.0275)", _ALL,
          on_measures, judge=steps, tests=True, parts=(("error", [(BASE, "c4.5sas")], "rises surely"),)),
    claim("MS-06", "Of the ensembles only those with boosting have significantly lower bias than C4.5.",
          "boosted 0.80 to 0.81, p < 0.002; others 0.94 to 0.98, p > 0.26", _ALL, on_measures, judge=steps, tests=True,
          parts=(("bias", [step for name, step in _FROM_BASE.items() if name in BOOSTED], "falls surely"),
                 ("bias", [step for name, step in _FROM_BASE.items() if name not in BOOSTED], "does not fall surely"))),
    claim("MS-07", "Adding boosting to wag, sasc or wagsasc lowers bias significantly.",
          "0.83, 0.85, 0.85; all p < 0.001", _ALL, on_measures, judge=steps, tests=True,
          parts=(("bias", ADD_BOOST, "falls surely"),)),
    claim("MS-08", "Adding wagging to boost leaves bias about equal or slightly higher.", "1.01 (11/7/23)", _ALL,
          on_measures, judge=steps,
          parts=(("bias", [("boost", "mb")], "ratio about 1"),),
          note=" About equal or slightly higher is taken for {} to {}.".format(*ABOUT_EQUAL)),
    claim("MS-09", "Adding wag or sasc to any technique lowers variance significantly.",
          "0.93, 0.91, 0.85, 0.96, 0.78, 0.94; all p < 0.05", _ALL, on_measures, judge=steps, tests=True,
          parts=(("variance", ADD_WAG_OR_SASC, "falls surely"),)),
    claim("MS-10", "Adding boosting to wag, sasc or wagsasc raises the ratio of variance.", "1.06, 1.20, 1.27", _ALL,
          on_measures, judge=steps, parts=(("variance", ADD_BOOST, "ratio above 1"),)),
    claim("MS-11", "wagsasc has the lowest variance.", "0.51 of C4.5; next 0.60", _ALL, on_measures, judge=lowest,
          measure="variance", system="wagsasc"),
    claim("MS-12", "Boosting lowers bias most, wagging and stochastic attributes lower variance most.",
          "bias 0.80 against 0.98, 0.94; variance 0.75 against 0.65, 0.60", _ALL, on_measures, judge=steps,
          parts=(("bias", (("wag", "boost"), ("sasc", "boost")), "ratio below 1"),
                 ("variance", _TO_WAG_OR_SASC, "ratio below 1"))),
    claim("MS-13", "Adding stochastic attributes to boost, wag or mb raises diversity.", "1.09, 1.29, 1.09", _ALL,
          on_measures, judge=steps, parts=(("diversity", ADD_SASC, "ratio above 1"),)),
    claim("MS-14", "Adding wagging to sasc raises diversity.", "1.65", _ALL, on_measures, judge=steps,
          parts=(("diversity", [("sasc", "wagsasc")], "ratio above 1"),)),
    claim("MS-15", "Adding boosting to wag, sasc or wagsasc raises diversity on every dataset.",
          "2.30, 3.79, 1.95; all 0/0/41", _ALL, on_measures, judge=steps,
          parts=(("diversity", ADD_BOOST, "rises everywhere"),)),
    claim("MS-16", "Adding wagging to boost or boostsasc lowers diversity on every dataset.", "0.85, 0.85; both 41/0/0",
          _ALL, on_measures, judge=steps, parts=(("diversity", ADD_WAG_TO_BOOST, "falls everywhere"),)),
    claim("MS-17", "Adding wagging to boost or boostsasc lowers individual error, and the ensemble's error too.",
          "0.86, 0.86; 0.99, 0.98", _ALL, on_measures, judge=steps,
          parts=tuple((measure, ADD_WAG_TO_BOOST, "ratio below 1") for measure in ("individual error", "error"))),
    claim("MS-18", "Steps that raise diversity also raise individual error, while the ensemble's error falls.",
          "7 of 7 steps", _ALL, on_measures, judge=_diversity_has_its_price),
    claim("MS-19", "boost has far higher diversity and individual error than wag or sasc.", "0.37, 0.29; 0.57, 0.56",
          _ALL, on_measures, judge=steps, note=" Far is taken for a ratio below two thirds.",
          parts=tuple((measure, _TO_WAG_OR_SASC, "ratio far below 1") for measure in _MEMBERS)),
    claim("MS-20", "Small boosted ensembles have lower diversity and individual error than large ones, on every "
          "dataset.", "means 0.276 against 0.340; 0.260 against 0.291; 41 of 41 datasets", _BOTH, on_measures,
          judge=steps, note=told_sizes,
          parts=tuple((measure, [("boost", SMALL)], "falls everywhere") for measure in _MEMBERS)),
    claim("MS-21", "mb has higher diversity and individual error than a boosted ensemble of the size of its parts.",
          "higher", _BOTH, on_measures, judge=_multiboosting_against_its_parts),
    claim("MS-22", "Wagging is slightly less effective than bagging.", "", _BOTH, on_measures, judge=steps,
          parts=(("error", [(BAGGING, "wag")], "ratio not below 1"),)),
    claim("MS-23", "Two classes, equal member error e < 1/2, maximal variance of votes, an odd number of members of "
          "1 / (1 - 2e) or more: the majority vote makes no error.", "exactly 0", (), maximal_variance),
    claim("MS-24", "Combining strategies costs no more calls of the base learner.", "the same number of members",
          _ALL, on_measures, judge=_no_more_members),
)
# fmt: on
