"""Khoussainov, Heß and Kushmerick, Ensembles of biased classifiers (2005)."""

from __future__ import annotations

from covey.registry import PAPERS
from covey.reproduce.paper import Paper
from covey.reproduce.triskel.claims import CLAIMS
from covey.reproduce.triskel.experiments import EXPERIMENTS
from covey.reproduce.triskel.views import VIEWS, tell_all

__all__ = ["PAPER"]

METHOD = (
    (
        "Protocol",
        "ten times ten-fold cross-validation, stratified, on the paper's 15 datasets; accuracy is the mean over folds",
    ),
    (
        "Base",
        "smo is a linear support vector machine with C = 1 for each pair of classes, categories being columns of 0 and "
        "1. Members of ensembles fill gaps, and bring their columns to [0, 1], on their own cases, which the paper "
        "does not say but its tables need",
    ),
    (
        "AdaBoost",
        "of each pair of classes by itself, as published, with 3, 10 and 50 members; it ends early where it must",
    ),
    (
        "Triskel",
        "pairs biased by undersampling a class to a tenth. Weights of soft covering are halved and doubled without "
        "being brought back to their sum, against algorithm 1: only so the published accuracies are met",
    ),
    (
        "Marks",
        "a corrected resampled t-test (Nadeau and Bengio) on the differences of folds, two-tailed, at 0.05, as in Weka",
    ),
    (
        "Times",
        "seconds that training took, on one thread of a worker that may share its machine with others: noisy. Means "
        "over folds, and ratios of these within a pair",
    ),
    (
        "Layered cake",
        "four layers of alternating class in a square, 300 cases, two fifths of them in the inner layers; the paper "
        "gives no parameters. Ten draws, and training accuracy, as in the paper",
    ),
    (
        "Claims",
        "judged by the numbers of this run, however small it is. What words such as about are taken for is said with "
        "the figures",
    ),
)

PAPER = Paper(
    id="triskel",
    title=PAPERS["triskel"],
    experiments=EXPERIMENTS,
    views=VIEWS,
    claims=CLAIMS,
    method=METHOD,
    tell=tell_all,
    note=(
        "Significant wins and losses are by the corrected resampled t-test on single datasets. Accuracies of tables "
        "are in per cent, those of the layered cake shares."
    ),
)
