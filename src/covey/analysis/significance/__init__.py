"""Significance: which methods differ, by ranks on many datasets, in pairs, and on one dataset."""

from __future__ import annotations

from covey.analysis.significance.bayes import (
    CorrelatedPosterior,
    Posterior,
    SignedRankPosterior,
    bayesian_correlated_t,
    bayesian_signed_rank,
)
from covey.analysis.significance.comparison import Friedman, RankComparison
from covey.analysis.significance.normal_range import critical_difference
from covey.analysis.significance.ranks import bonferroni_dunn, friedman, nemenyi
from covey.analysis.significance.records import Records, sign_test, win_draw_loss
from covey.analysis.significance.resampled import ResampledT, corrected_t_test
from covey.analysis.significance.wilcoxon import holm, wilcoxon_holm

__all__ = [
    "CorrelatedPosterior",
    "Friedman",
    "Posterior",
    "RankComparison",
    "Records",
    "ResampledT",
    "SignedRankPosterior",
    "bayesian_correlated_t",
    "bayesian_signed_rank",
    "bonferroni_dunn",
    "corrected_t_test",
    "critical_difference",
    "friedman",
    "holm",
    "nemenyi",
    "sign_test",
    "wilcoxon_holm",
    "win_draw_loss",
]
