"""What the thesis claims, with the figures that it prints."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from covey.reproduce.erassel import error_claims as error, weight_claims as weight
from covey.reproduce.erassel.size_views import id_of
from covey.reproduce.erassel.weights import COLLINEAR, ORTHOGONAL
from covey.reproduce.paper import Claim, Found, Verdict

_WEIGHTS = (ORTHOGONAL,)


def _claim(number: int, text: str, published: str, needs: tuple[str, ...], judge: Callable[[Found], Verdict]) -> Claim:
    return Claim(f"ERA-{number:02d}", text, published, needs, judge)


# fmt: off
CLAIMS = (
    _claim(1, "On orthogonal simulated data, with subspaces of 3, erassel gives its three largest weights to x1, x4 "
           "and x5", "figures 5.1 and 5.2, one draw", _WEIGHTS, partial(weight.singles_out, size=3)),
    _claim(2, "The same with subspaces of 5", "figures 5.1 and 5.2, one draw", _WEIGHTS,
           partial(weight.singles_out, size=5)),
    _claim(3, "The final weights of erassel order the columns as the static weights of rassel do (rank correlation "
           "near 1)", "figure 5.3: x4, x5, x1 by both, one draw", _WEIGHTS, weight.orders_as_static_weights),
    _claim(4, "On collinear data (x7 = 2 x1 + noise) erassel no longer singles out x1, x4 and x5",
           "figures 5.4 and 5.5, one draw", (COLLINEAR,), weight.loses_them_when_collinear),
    _claim(5, "rassel has the lowest mean error on simulated regression data, Boston and Diamonds, erassel the next",
           "rassel, erassel, adaptive-rssl: 15.52, 16.17, 16.98; 0.64, 0.67, 0.69; 8.13, 8.74, 8.76", error.REGRESSIONS,
           error.static_weights_are_best),
    _claim(6, "On Cars93 plain rssl has the lowest mean error, and the four lie within about 2 per cent",
           "57.29, 57.60, 58.47, 57.79", ("cars93",), error.plain_is_best_on_cars),
    _claim(7, "erassel has a lower mean error than plain rssl on simulated regression data, Boston and Diamonds",
           "16.17 and 17.00; 0.67 and 0.69; 8.74 and 8.88", error.REGRESSIONS, error.evolving_beats_plain),
    _claim(8, "In classification the four methods perform alike", "ranges of means of 0.47, 0.18, 0.19, 0.59 and 3 "
           "percentage points, with rassel misprinted", error.CLASSIFICATIONS, error.classifiers_are_alike),
    _claim(9, "On Spam erassel has the lowest mean error and plain rssl the highest", "7.56, 7.42, 7.38", ("spam",),
           partial(error.evolving_is_best_plain_worst, id="spam")),
    _claim(10, "On Ionosphere erassel has the lowest mean error and plain rssl the highest", "11.42, 11.06, 10.83",
           ("ionosphere",), partial(error.evolving_is_best_plain_worst, id="ionosphere")),
    _claim(11, "On Pima plain rssl has the lowest mean error and erassel the highest", "22.48, 22.65, 22.67",
           ("pima-532",), error.plain_is_best_evolving_worst),
    _claim(12, "On Prostate, with more columns than cases, erassel has the lowest mean error", "0.38, 0.39, 0.36",
           ("prostate-79",), partial(error.has_least_error, id="prostate-79", method="erassel")),
    _claim(13, "On simulated logistic data plain rssl has the lowest mean error", "20.82, 21.29, 21.04",
           ("sim-logistic",), partial(error.has_least_error, id="sim-logistic", method="rssl")),
    _claim(14, "Measured, rassel differs from adaptive-rssl in every classification; the thesis prints the same "
           "figures of both, for its code stores the wrong ones",
           "the same figures in tables 5.5 to 5.9", error.CLASSIFICATIONS, error.static_weights_differ),
    _claim(15, "Weights become stable as the ensemble grows", "", _WEIGHTS, weight.weights_become_stable),
    _claim(16, "On simulated regression data the error over sizes of subspaces is least at about 5 of 10 columns",
           "figure 5.6", (id_of("sim-regression"),), weight.five_columns_are_best),
)
# fmt: on
