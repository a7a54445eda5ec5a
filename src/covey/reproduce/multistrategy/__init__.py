"""Webb and Zheng (2004): combinations of boosting, wagging and stochastic attribute selection, and why they work."""

from __future__ import annotations

from covey.registry import PAPERS
from covey.reproduce.multistrategy.claims import CLAIMS
from covey.reproduce.multistrategy.systems import BAGGING, SMALL, SYSTEMS
from covey.reproduce.multistrategy.views import VIEWS, tell_all
from covey.reproduce.paper import Experiment, Paper, Quick

# They take longer than all others together.
LARGE = ("adult", "letter", "nettalk-letter", "nettalk-phoneme", "nettalk-stress")
# As many members as a few minutes allow: their number shifts ratios, which more repeats would only steady.
QUICK = Quick(2, {"n_estimators": 36}, without=LARGE, of={SMALL: {"n_estimators": 6}})

METHOD = (
    (
        "Protocol",
        "Cycles of three-fold cross-validation on fresh random partitions, as in section 5; the paper has ten.",
    ),
    ("Error", "The share of wrong predictions over all cases and cycles (equation 4)."),
    (
        "Bias and variance",
        "Kohavi and Wolpert's (equations 5 to 7), from the predictions of each case in all cycles; noise counts as "
        "bias. The plain formulas take a share of one over the number of cycles of the variance for bias. A run with "
        "fewer than ten cycles is corrected for that, and then has the share of ten there, so that it can be compared "
        "with the paper; with ten cycles these are the plain formulas.",
    ),
    ("Diversity", "The weighted variance of the members' votes, averaged over test cases (equation 2)."),
    (
        "Individual error",
        "The weighted mean of the members' errors on test cases (equation 3, misprinted: MS-I01).",
    ),
    (
        "Ratios and records",
        "The geometric mean over datasets of the ratio of two systems' values, leaving out datasets on which one of "
        "them is zero; and on how many datasets a value is smaller, the same and larger, with a two-tailed sign test. "
        "Ours are compared unrounded, so that draws are rare; the paper's many draws suggest that it rounded.",
    ),
    (
        "Sizes",
        "Ensembles of 100 members and MultiBoosting with sub-committees of 10; in a quick run as many as it says, with "
        "sub-committees of the square root of that, and boost-small of the size of a sub-committee.",
    ),
    ("Bagging", "C4.5 on bootstrap samples, with one vote per member, as wagging has."),
    (
        "Claims",
        "Judged by the numbers of this run, however small it is. A claim held if all figures that it is made of are as "
        "it says: ratios on the side of one that it names and, where it speaks of significance, p below 0.05 where it "
        "says that there is a difference, and 0.05 or more where it says that there is none. With fewer than six "
        "datasets no sign test is significant, and claims about significance cannot be tested.",
    ),
)

PAPER = Paper(
    id="multistrategy",
    title=PAPERS["multistrategy"],
    experiments=(
        Experiment("systems", tuple(view.id for view in VIEWS), QUICK, methods=SYSTEMS, title="the nine systems"),
        Experiment("others", (), QUICK, "systems", (SMALL, BAGGING), "bagging and small boosted ensembles"),
    ),
    views=VIEWS,
    claims=CLAIMS,
    method=METHOD,
    tell=tell_all,
    note=(
        "A figure such as wag to mb 0.892 (22/0/14, p = 0.2430) is of mb against wag: the geometric mean over datasets "
        "of mb's value over wag's; on how many datasets mb's is smaller, the same and larger; and the p-value of a "
        "two-tailed sign test."
    ),
)
