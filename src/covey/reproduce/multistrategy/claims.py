"""What the paper claims, as functions from measures to verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import chain

from covey._rounding import write_number
from covey.reproduce.multistrategy.arithmetic import judge_maximal_variance
from covey.reproduce.multistrategy.judging import (
    Point,
    compared,
    falls,
    falls_everywhere,
    falls_surely,
    lowest,
    on_measures,
    ratio_falls,
    ratio_rises,
    rises_everywhere,
    rises_surely,
    verdict_on,
)
from covey.reproduce.multistrategy.measures import Comparison, Measures
from covey.reproduce.multistrategy.systems import (
    ADD_BOOST,
    ADD_SASC,
    ADD_WAG_OR_SASC,
    ADD_WAG_TO_BOOST,
    BAGGING,
    ENSEMBLES,
    SMALL,
    STEPS,
    SYSTEMS,
    TO_THREE,
    TO_TWO,
    Step,
)
from covey.reproduce.paper import Claim, Verdict

FROM_BASE: tuple[Step, ...] = tuple(("c4.5", name) for name in ENSEMBLES)
BOOSTED = ("boost", "mb", "boostsasc", "mbsasc")
# What the paper's words are taken to mean where it gives no limits.
ABOUT_EQUAL = (0.98, 1.05)
FAR_BELOW = 2 / 3


def _every_ensemble_beats_a_tree(measures: Measures) -> Verdict:
    return verdict_on(compared(measures, "error", FROM_BASE, falls_surely))


def _two_strategies_beat_one(measures: Measures) -> Verdict:
    certain = [step for step in TO_TWO if step != ("boost", "boostsasc")]
    return verdict_on(
        chain(
            compared(measures, "error", certain, falls_surely),
            compared(measures, "error", [("boost", "boostsasc")], _falls_but_not_surely),
        )
    )


def _three_strategies_are_best(measures: Measures) -> Verdict:
    return lowest(measures, "error", "mbsasc", SYSTEMS, "c4.5")


def _three_strategies_beat_two(measures: Measures) -> Verdict:
    uncertain = [step for step in TO_THREE if step != ("boostsasc", "mbsasc")]
    return verdict_on(
        chain(
            compared(measures, "error", uncertain, _falls_but_not_surely),
            compared(measures, "error", [("boostsasc", "mbsasc")], falls_surely),
        )
    )


def _a_random_tree_is_worse(measures: Measures) -> Verdict:
    return verdict_on(compared(measures, "error", [("c4.5", "c4.5sas")], rises_surely))


def _only_boosting_lowers_bias(measures: Measures) -> Verdict:
    boosted = [("c4.5", name) for name in ENSEMBLES if name in BOOSTED]
    others = [("c4.5", name) for name in ENSEMBLES if name not in BOOSTED]
    return verdict_on(
        chain(
            compared(measures, "bias", boosted, falls_surely),
            compared(measures, "bias", others, lambda found: found.outcome != "lower"),
        )
    )


def _wagging_leaves_bias(measures: Measures) -> Verdict:
    low, high = ABOUT_EQUAL
    verdict = verdict_on(compared(measures, "bias", [("boost", "mb")], lambda found: low <= found.ratio <= high))
    return Verdict(verdict.status, f"{verdict.found} About equal or slightly higher is taken for {low} to {high}.")


def _wagsasc_has_least_variance(measures: Measures) -> Verdict:
    return lowest(measures, "variance", "wagsasc", SYSTEMS, "c4.5")


def _what_each_strategy_is_good_for(measures: Measures) -> Verdict:
    bias = compared(measures, "bias", [("wag", "boost"), ("sasc", "boost")], ratio_falls)
    variance = compared(measures, "variance", [("boost", "wag"), ("boost", "sasc")], ratio_falls)
    return verdict_on([*_named("bias", bias), *_named("variance", variance)])


def _less_diversity_less_error(measures: Measures) -> Verdict:
    members = compared(measures, "individual error", ADD_WAG_TO_BOOST, ratio_falls)
    errors = compared(measures, "error", ADD_WAG_TO_BOOST, ratio_falls)
    return verdict_on([*_named("individual error", members), *_named("error", errors)])


def _diversity_has_its_price(measures: Measures) -> Verdict:
    points = []
    for against, method in STEPS:
        diversity, member, error = (
            measures.compare(measure, method, against).ratio for measure in ("diversity", "individual error", "error")
        )
        if diversity > 1:
            figures = ", ".join(write_number(value, ".3f") for value in (diversity, member, error))
            points.append(Point(member > 1 and error < 1, f"{against} to {method} {figures}"))
    if not points:
        return Verdict("failed", "No step raises diversity.")
    verdict = verdict_on(points)
    return Verdict(verdict.status, f"Ratios of diversity, individual and ensemble error. {verdict.found}")


def _boosting_is_far_more_diverse(measures: Measures) -> Verdict:
    steps = [("boost", "wag"), ("boost", "sasc")]

    def far(found: Comparison) -> bool:
        return found.ratio < FAR_BELOW

    parts = [_named(measure, compared(measures, measure, steps, far)) for measure in ("diversity", "individual error")]
    verdict = verdict_on(chain.from_iterable(parts))
    return Verdict(verdict.status, f"{verdict.found} Far is taken for a ratio below two thirds.")


def _fewer_boosted_members_agree_more(measures: Measures) -> Verdict:
    points = [
        point
        for measure in ("diversity", "individual error")
        for point in _named(measure, compared(measures, measure, [("boost", SMALL)], falls_everywhere))
    ]
    return _with_sizes(measures, verdict_on(points))


def _multiboosting_against_its_parts(measures: Measures) -> Verdict:
    points = [
        Point(mean["mb"] > mean[SMALL], f"mean {measure} {mean['mb']:.3f} against {mean[SMALL]:.3f}")
        for measure in ("diversity", "individual error")
        for mean in [measures.of(measure, ("mb", SMALL)).mean()]
    ]
    return _with_sizes(measures, verdict_on(points))


def _wagging_against_bagging(measures: Measures) -> Verdict:
    return verdict_on(compared(measures, "error", [(BAGGING, "wag")], lambda found: found.ratio >= 1))


def _no_more_members(measures: Measures) -> Verdict:
    found = sorted({float(size) for size in measures.members[list(ENSEMBLES)].to_numpy().ravel() if size == size})
    text = f"mean numbers of members over fits: {', '.join(f'{size:g}' for size in found)}"
    remark = (
        "a member that boosting drops, for it is no better than chance, is one call more, which is not counted here"
    )
    return Verdict("held" if len(found) == 1 else "failed", f"{text}; {remark}.")


def _falls_but_not_surely(found: Comparison) -> bool:
    return falls(found) and found.outcome == "level"


def _named(measure: str, points: Iterable[Point]) -> list[Point]:
    """Return points that say what was measured."""
    return [replace(point, text=f"{measure}, {point.text}") for point in points]


def _with_sizes(measures: Measures, verdict: Verdict) -> Verdict:
    """Add how many members the large and the small boosted ensembles have."""
    large, small = (int(measures.members[name].max()) for name in ("boost", SMALL))
    return Verdict(verdict.status, f"{verdict.found} Members: {large} and {small}; the paper has 100 and 10.")


def _steps(measure: str, steps: Sequence[Step], holds: Callable[[Comparison], bool]) -> Callable[[Measures], Verdict]:
    return lambda measures: verdict_on(compared(measures, measure, steps, holds))


def _claim(
    number: int,
    text: str,
    published: str,
    judge: Callable[[Measures], Verdict],
    *,
    tests: bool = False,
    others: bool = False,
) -> Claim:
    """Return a claim on what was measured; on others too if it is about bagging or small boosted ensembles."""
    needs = ("systems", "others") if others else ("systems",)
    return Claim(f"MS-{number:02d}", text, published, needs, on_measures(judge, tests=tests))


# fmt: off
CLAIMS: tuple[Claim, ...] = (
    _claim(1, "Every ensemble has lower error than a C4.5 tree.", "ratios 0.73 to 0.86, all p < 0.0001",
           _every_ensemble_beats_a_tree, tests=True),
    _claim(2, "Each combination of two strategies has lower error than each of its parts, significantly but for boost "
           "to boostsasc.", "0.99, 0.87, 0.98, 0.89, 0.92, 0.95; 5 of 6 significant",
           _two_strategies_beat_one, tests=True),
    _claim(3, "mbsasc has the lowest error of all nine systems.", "0.73 of C4.5; next 0.75",
           _three_strategies_are_best),
    _claim(4, "mbsasc has lower error than mb, boostsasc and wagsasc, significantly only than boostsasc.",
           "0.97, 0.98, 0.91; p = 0.18, 0.0029, 0.20", _three_strategies_beat_two, tests=True),
    _claim(5, "One C4.5SAS tree has higher error than one C4.5 tree.", "1.07 (13/0/28, p = 0.0275)",
           _a_random_tree_is_worse, tests=True),
    _claim(6, "Of the ensembles only those with boosting have significantly lower bias than C4.5.",
           "boosted 0.80 to 0.81, p < 0.002; others 0.94 to 0.98, p > 0.26", _only_boosting_lowers_bias, tests=True),
    _claim(7, "Adding boosting to wag, sasc or wagsasc lowers bias significantly.", "0.83, 0.85, 0.85; all p < 0.001",
           _steps("bias", ADD_BOOST, falls_surely), tests=True),
    _claim(8, "Adding wagging to boost leaves bias about equal or slightly higher.", "1.01 (11/7/23)",
           _wagging_leaves_bias),
    _claim(9, "Adding wag or sasc to any technique lowers variance significantly.",
           "0.93, 0.91, 0.85, 0.96, 0.78, 0.94; all p < 0.05",
           _steps("variance", ADD_WAG_OR_SASC, falls_surely), tests=True),
    _claim(10, "Adding boosting to wag, sasc or wagsasc raises the ratio of variance.", "1.06, 1.20, 1.27",
           _steps("variance", ADD_BOOST, ratio_rises)),
    _claim(11, "wagsasc has the lowest variance.", "0.51 of C4.5; next 0.60", _wagsasc_has_least_variance),
    _claim(12, "Boosting lowers bias most, wagging and stochastic attributes lower variance most.",
           "bias 0.80 against 0.98, 0.94; variance 0.75 against 0.65, 0.60", _what_each_strategy_is_good_for),
    _claim(13, "Adding stochastic attributes to boost, wag or mb raises diversity.", "1.09, 1.29, 1.09",
           _steps("diversity", ADD_SASC, ratio_rises)),
    _claim(14, "Adding wagging to sasc raises diversity.", "1.65",
           _steps("diversity", [("sasc", "wagsasc")], ratio_rises)),
    _claim(15, "Adding boosting to wag, sasc or wagsasc raises diversity on every dataset.",
           "2.30, 3.79, 1.95; all 0/0/41", _steps("diversity", ADD_BOOST, rises_everywhere)),
    _claim(16, "Adding wagging to boost or boostsasc lowers diversity on every dataset.", "0.85, 0.85; both 41/0/0",
           _steps("diversity", ADD_WAG_TO_BOOST, falls_everywhere)),
    _claim(17, "Adding wagging to boost or boostsasc lowers individual error, and the ensemble's error too.",
           "0.86, 0.86; 0.99, 0.98", _less_diversity_less_error),
    _claim(18, "Steps that raise diversity also raise individual error, while the ensemble's error falls.",
           "7 of 7 steps", _diversity_has_its_price),
    _claim(19, "boost has far higher diversity and individual error than wag or sasc.", "0.37, 0.29; 0.57, 0.56",
           _boosting_is_far_more_diverse),
    _claim(20, "Small boosted ensembles have lower diversity and individual error than large ones, on every dataset.",
           "means 0.276 against 0.340; 0.260 against 0.291; 41 of 41 datasets", _fewer_boosted_members_agree_more,
           others=True),
    _claim(21, "mb has higher diversity and individual error than a boosted ensemble of the size of its parts.",
           "higher", _multiboosting_against_its_parts, others=True),
    _claim(22, "Wagging is slightly less effective than bagging.", "", _wagging_against_bagging, others=True),
    Claim("MS-23", "Two classes, equal member error e < 1/2, maximal variance of votes, an odd number of members of "
          "1 / (1 - 2e) or more: the majority vote makes no error.", "exactly 0", (), judge_maximal_variance),
    _claim(24, "Combining strategies costs no more calls of the base learner.", "the same number of members",
           _no_more_members),
)
# fmt: on
