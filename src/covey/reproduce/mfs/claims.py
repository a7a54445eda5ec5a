"""What the paper claims, with the figures that it prints."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from covey.reproduce.mfs import error_claims as error, loss_claims as loss, other_claims as other
from covey.reproduce.mfs.reading import TABLE_2
from covey.reproduce.paper import Claim, Found, Verdict

_NEIGHBOURS = tuple(id for id in TABLE_2 if id not in ("selection", "trees"))
_WITH_TREES = tuple(id for id in TABLE_2 if id != "selection")
_NOISE = ("neighbours", "irrelevant")
_LOSSES = ("bias-variance",)


def _claim(number: int, text: str, published: str, needs: tuple[str, ...], judge: Callable[[Found], Verdict]) -> Claim:
    return Claim(f"MFS-{number:02d}", text, published, needs, judge)


# fmt: off
CLAIMS = (
    _claim(1, "mfs1 errs less than nn on 23 of 25 datasets or more, significantly with Bonferroni's correction for 28 "
           "tests", "23-1-1, p < 0.0001", _NEIGHBOURS, partial(error.beats_nn, method="mfs1", share=23 / 25)),
    _claim(2, "mfs2 errs less than nn on 21 of 25 datasets or more, significantly with Bonferroni's correction for 28 "
           "tests", "21-3-1, p = 0.0003", _NEIGHBOURS, partial(error.beats_nn, method="mfs2", share=21 / 25)),
    _claim(3, "mfs1 and mfs2 each err significantly less than knn, fss and bss (sign test, 0.05)",
           "18-4-3, 19-4-2; 20-4-1, 19-6-0; 21-3-1, 21-3-1", tuple(id for id in TABLE_2 if id != "trees"),
           partial(error.beats, against=("knn", "fss", "bss"))),
    _claim(4, "mfs1 and mfs2 err significantly less than one c5.0 tree", "18-6-1 and 18-7-0", _WITH_TREES,
           partial(error.beats, against=("c5.0",))),
    _claim(5, "mfs1 and mfs2 are level with boosted c5.0: no significant difference, mean error no higher",
           "10-13-2 and 10-14-1; 17.2 and 17.1 against 17.4", _WITH_TREES, error.is_level_with_boosting),
    _claim(6, "mfs1 and mfs2 do not differ significantly", "15-8-2", _NEIGHBOURS, error.do_not_differ),
    _claim(7, "On tic-tac-toe mfs1 errs more than three times as often as nn; mfs2 stays near nn, for its subsets grow "
           "to all features", "0.9, 7.5 and 1.2; subset 8.9 of 9", ("neighbours",), error.collapses_on_tic_tac_toe),
    _claim(8, "mfs2 errs about 7 points less than boosted c5.0 on sonar, and about 7 more on automobile",
           "7.3 and -7.0", ("neighbours", "trees"), error.sonar_and_automobile),
    _claim(9, "Classifying with 100 members costs 4 to 6 times as much as with nn, at least less than 10 times",
           "5.2, 6.2 and 4.0", ("neighbours", "satimage"), error.costs_a_few_times_nn),
    _claim(10, "30 irrelevant attributes raise the error of knn more than that of mfs1 (on 4 of 5 datasets)",
           "on all but german", _NOISE, other.knn_suffers_more),
    _claim(11, "10 irrelevant attributes cost knn more than 20 points on wine, and mfs1 about 3", "20.2 and 2.8",
           _NOISE, other.wine_with_ten),
    _claim(12, "On ionosphere mfs1 with 30 irrelevant attributes errs less than every variant of nn without any",
           "9.1 against 11.1 to 13.1", (*_NOISE, "selection"), other.ionosphere_with_thirty),
    _claim(13, "Irrelevant attributes never lower the error of knn or mfs1", "30 of 30 figures", _NOISE,
           other.noise_never_helps),
    _claim(14, "On ringnorm a random subset cuts the bias of nn from about 47 to below 5", "47.1 to 4.6", _LOSSES,
           loss.subset_cuts_bias),
    _claim(15, "On ringnorm one random subset raises variance from below 0, and voting brings it below 5",
           "-7.9 to 25.8 to 2.0", _LOSSES, loss.voting_cuts_variance),
    _claim(16, "On twonorm and threenorm one random subset raises variance above that of nn, and voting brings it "
           "below", "4.9, 17.8, 1.3; 13.6, 22.5, 6.3", _LOSSES, loss.variance_goes_up_and_down),
    _claim(17, "knn lowers variance and leaves bias; on ringnorm it errs as nn does",
           "bias 2.4 and 2.4, 10.5 and 11.2, 47.1 and 47.1", _LOSSES, loss.knn_lowers_variance_only),
    _claim(18, "knn has less variance than mfs1 on twonorm and threenorm", "1.0 and 1.3; 4.4 and 6.3", _LOSSES,
           loss.knn_lowers_variance_most),
    _claim(19, "On ionosphere members on 6 random features agree less than bagged ones and err no more; members on 50 "
           "prototypes agree less and err more", "figure 1", ("members",), other.features_make_members_diverse),
    _claim(20, "Bagging does not improve nn", "", ("members",), other.bagging_does_not_help),
    _claim(21, "Members on subsets of different sizes, votes weighted by accuracy, or pruning bring no gain", "",
           ("neighbours", "sizes"), other.different_sizes_do_not_help),
    _claim(22, "The subsets that are chosen are small, smaller for mfs2 than for mfs1", "10.6 and 8.3 features",
           _NEIGHBOURS, error.subsets_are_small),
)
# fmt: on
