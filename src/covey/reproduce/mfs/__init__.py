"""Bay, Nearest neighbor classification from multiple feature subsets (1999)."""

from __future__ import annotations

from covey.registry import PAPERS
from covey.reproduce.mfs.claims import CLAIMS
from covey.reproduce.mfs.experiments import EXPERIMENTS
from covey.reproduce.mfs.views import VIEWS, tell_all
from covey.reproduce.paper import Paper

__all__ = ["PAPER"]

METHOD = (
    (
        "Protocol",
        "Ten folds without stratification; satimage and vowel by their own division into training and test part; "
        "waveform ten times on 300 cases. As in the paper.",
    ),
    ("Error", "the share of wrong predictions over the cases of all folds, in per cent"),
    (
        "Distance",
        "numbers are scaled to [0, 1] on the training cases, but not on satimage, vowel and the data of table 6, whose "
        "published errors fit the numbers as they are; categories are at distance 0 or 1; a missing value is at "
        "distance 1 from one that is there and 0 from another missing one",
    ),
    ("MFS", "100 members whose subsets are drawn afresh for each case; the size of subsets is chosen by leave-one-out"),
    (
        "C5.0",
        "is not free: C4.5 stands for it, and AdaBoost over C4.5 with 100 members for boosted C5.0",
    ),
    ("Irrelevant attributes", "tosses of a fair coin as categories, drawn anew in each fold"),
    (
        "Bias and variance",
        "Kong and Dietterich's: bias is the error of the vote of all repeats, variance what single ones err more. 100 "
        "training sets of 300 cases and a test set of 3000, from one sample of 33,000",
    ),
    (
        "Pairs of members",
        "members of the same number in all folds are one; kappa and error are of all cases",
    ),
    (
        "Times",
        "seconds that predicting the test cases took, on one thread of a worker that may share its machine",
    ),
    (
        "Claims",
        "judged by the numbers of this run, however small it is. What words such as about are taken for is said with "
        "the figures. Records are of errors as printed, with one decimal, and their p-values of two-tailed sign tests",
    ),
)

PAPER = Paper(
    id="mfs",
    title=PAPERS["mfs"],
    experiments=EXPERIMENTS,
    views=VIEWS,
    claims=CLAIMS,
    method=METHOD,
    tell=tell_all,
    note=(
        "A record such as mfs1 against nn 23-1-1 (p < 0.0001) says on how many datasets mfs1 errs less, more and as "
        "much, and the p-value of a two-tailed sign test. Errors are in per cent, differences in percentage points."
    ),
)
