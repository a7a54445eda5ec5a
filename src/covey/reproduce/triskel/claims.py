"""What the paper claims, with the figures that it prints."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from covey.reproduce.paper import Claim, Found, Verdict
from covey.reproduce.triskel import fold_claims as fold, roc_claims as roc
from covey.reproduce.triskel.reading import CAKE, COVERING, FOLDS, OVERSAMPLING, PAIRS

_TABLES, _CAKE = (FOLDS,), (CAKE,)
_W2, _W4 = PAIRS[2], PAIRS[3]


def _claim(number: int, text: str, published: str, needs: tuple[str, ...], judge: Callable[[Found], Verdict]) -> Claim:
    return Claim(f"TRI-{number:02d}", text, published, needs, judge)


# fmt: off
CLAIMS = (
    _claim(1, "On the layered cake a linear SVM, boosted or not, keeps a large training error, and three linear "
           "separators that vote have none", "figure 1", _CAKE, roc.boosting_fails_on_the_cake),
    _claim(2, "triskel-w4 is significantly more accurate than adaboost-50 on some datasets, and significantly less on "
           "none", "3 wins, 0 losses of 15", _TABLES, partial(fold.wins_without_loss, pair=_W4)),
    _claim(3, "triskel-w4 trains faster than adaboost-50 on most datasets", "11 of 15", _TABLES,
           partial(fold.trains_faster, pair=_W4)),
    _claim(4, "triskel-w2 is level with adaboost-10", "2 wins, 2 losses of 15", _TABLES,
           partial(fold.is_level, pair=_W2)),
    _claim(5, "triskel-w2 trains faster than adaboost-10 on most datasets", "9 of 15", _TABLES,
           partial(fold.trains_faster, pair=_W2)),
    _claim(6, "triskel-m1 is significantly more accurate than smo on annealing-orig, hypothyroid and segment, and "
           "significantly less nowhere", "+8.39, +0.29, +0.69 points", _TABLES, fold.m1_beats_smo),
    _claim(7, "triskel-m1 trains faster than smo on audiology, hypothyroid and soybean", "ratios 0.69, 0.57, 0.61",
           _TABLES, fold.m1_faster_than_smo),
    _claim(8, "triskel-m1 is the least accurate and the fastest of the ensembles", "in the mean: TRI-I01, TRI-I02",
           _TABLES, fold.m1_is_least),
    _claim(9, "adaboost-50 is the most accurate of smo and the settings of AdaBoost", "mean 84.40", _TABLES,
           fold.boosting_50_is_best),
    _claim(10, "The best Triskel is more accurate than the best AdaBoost on more datasets than the other way round",
           "8 of 15, 1 tie", _TABLES, fold.best_triskel_exceeds),
    _claim(11, "Soft covering is at least as accurate as separation", "", (FOLDS, COVERING),
           fold.soft_beats_separation),
    _claim(12, "Undersampling one class to 10 per cent is about as accurate as oversampling, and trains faster", "",
           (FOLDS, OVERSAMPLING), fold.undersampling_does_not_hurt),
    _claim(13, "Where predictions are nested, the rates of the ensemble are those of the arbiter on hard cases, read "
           "in the embedded ROC space", "proposition 1", _CAKE, roc.embedding_is_exact),
    _claim(14, "Triskel gains with a random arbiter where the middle of the biased classifiers lies above the line of "
           "equal accuracy of the base", "section 5", _CAKE, roc.midpoint_foretells),
    _claim(15, "On the layered cake the best bias is about 0.1, and one of 0.4 or more brings no gain",
           "0.09; none at 0.4", _CAKE, roc.small_bias_is_best),
    _claim(16, "On the layered cake different strengths for h+ and h- do better than equal ones", "0.803 and 0.703",
           _CAKE, roc.asymmetric_is_better),
    _claim(17, "On the layered cake reversing the base classifier on the hard cases raises accuracy", "figure 4", _CAKE,
           roc.reversing_helps),
    _claim(18, "An agreeing pair outvotes all later members: the first that agrees decides, else the arbiter",
           "algorithm 1", _CAKE, roc.first_pair_decides),
)
# fmt: on
