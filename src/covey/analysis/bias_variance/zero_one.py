"""Bias and variance of classifiers, by three definitions for zero-one loss.

All start from the same two things: the share of the repeats that predict each class for a case, and the probability
of each class, which is 1 for the true label where no more is known. A main prediction that is a tie between classes
counts as each of them in equal parts, and so does an optimal one; neither the names of the classes nor their order
matter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from covey.analysis.bias_variance.decomposition import Decomposition
from covey.analysis.labels import Labels, distinct_labels, join_labels, read_labels, vote_shares
from covey.analysis.numbers import TIE, Floats, read_numbers


@dataclass(frozen=True, eq=False, repr=False)
class Domingos(Decomposition):
    """Bias and variance as Domingos (2000) and the sphere-cover paper's section 2.3 define them.

    ``error = net_noise + bias + unbiased_variance - biased_variance``.
    """

    terms: ClassVar[Mapping[str, int]] = {
        "noise": 0,
        "net_noise": 1,
        "bias": 1,
        "variance": 0,
        "net_variance": 0,
        "unbiased_variance": 1,
        "biased_variance": -1,
    }
    name: ClassVar[str] = "Domingos'"

    noise: float  #: how often the true label is not the optimal one; 0 where the optimal labels are not known
    net_noise: float  #: what noise adds to the error: less than noise, as a wrong prediction may meet a noisy label
    bias: float  #: how often the main prediction, the one most repeats make, is not the optimal one
    variance: float  #: how often a repeat does not make the main prediction
    unbiased_variance: float  #: the part of variance on cases whose main prediction is right: it adds to the error
    #: on cases whose main prediction is wrong, how often a repeat is right, which takes from the error; of two classes,
    #: this is the part of variance on these cases
    biased_variance: float
    net_variance: float  #: the unbiased less the biased variance; of two classes, ``E[(1 - 2 B(x)) V(x)]``


@dataclass(frozen=True, eq=False, repr=False)
class KongDietterich(Decomposition):
    """Bias and variance as Kong and Dietterich (1995) and the MFS paper's equations 1 and 2 define them.

    ``error = bias + variance``.
    """

    terms: ClassVar[Mapping[str, int]] = {"bias": 1, "variance": 1}
    name: ClassVar[str] = "Kong and Dietterich's"

    bias: float  #: the error of the vote of all repeats, noise included
    variance: float  #: how much more the repeats err than their vote; negative where they are wrong by a small majority


@dataclass(frozen=True, eq=False, repr=False)
class KohaviWolpert(Decomposition):
    """Bias and variance as Kohavi and Wolpert (1996) and the multi-strategy paper's equations 5 to 7 define them.

    ``error = noise + bias + variance``.
    """

    terms: ClassVar[Mapping[str, int]] = {"noise": 1, "bias": 1, "variance": 1}
    name: ClassVar[str] = "Kohavi and Wolpert's"

    #: half of one less the sum of the classes' squared probabilities (equation 7); 0, and part of the bias, where only
    #: labels are known
    noise: float
    bias: float  #: half the squared distance of the shares of predictions from the classes' probabilities (equation 5)
    variance: float  #: half of one less the sum of the squared shares (equation 6)


def domingos(
    predictions: Any, y: Any = None, *, optimal: Any = None, class_probabilities: Any = None, classes: Any = None
) -> Domingos:
    """Decompose the zero-one loss of repeated runs into bias, unbiased and biased variance, and noise.

    The sphere-cover paper, section 2.3, with net variance ``E[(1 - 2B) V]`` (its formula has the sign turned round).
    For more than two classes the variance of a case whose main prediction is wrong counts as far as it hits the
    optimal class, Domingos' factor ``-P(prediction = optimal | prediction != main)``; else the terms would not add up.

    Parameters
    ----------
    predictions : array-like of shape (n_repeats, n_cases)
        The label that each of several models, trained on different samples, gives each case.
    y : array-like of shape (n_cases,)
        The true labels; not needed with class_probabilities.
    optimal : array-like of shape (n_cases,), optional
        The labels of the Bayes-optimal rule, which let noise be told from bias. By default y is taken for them.
    class_probabilities : array-like of shape (n_cases, n_classes), optional
        The probability of each class, in the classes' order, instead of y: then all terms are expectations.
    classes : array-like of shape (n_classes,), optional
        The classes, when predictions are numbers that are positions among them, or text that lacks some of them.

    Examples
    --------
    >>> from covey.analysis import domingos
    >>> print(domingos([["a", "b", "b"], ["a", "b", "a"], ["a", "a", "b"]], ["a", "a", "b"]))
    Domingos' decomposition of 3 repeats on 3 cases: error 0.3333 = bias 0.3333 + unbiased variance 0.1111 - \
biased variance 0.1111
    """
    labels, truth, shares = _read(predictions, y, class_probabilities, classes)
    best = _modes(truth) if optimal is None else _optimal(optimal, labels, class_probabilities)
    main = _modes(shares)
    variance = 1.0 - shares.max(axis=1)
    error = 1.0 - (truth * shares).sum(axis=1)
    cases = {
        "error": error,
        "noise": 1.0 - (best * truth).sum(axis=1),
        "net_noise": error - (1.0 - (best * shares).sum(axis=1)),
        "bias": 1.0 - (best * main).sum(axis=1),
        "variance": variance,
        "unbiased_variance": (best * main).sum(axis=1) * variance,
        "biased_variance": (best * (1.0 - main) * shares).sum(axis=1),
    }
    cases["net_variance"] = cases["unbiased_variance"] - cases["biased_variance"]
    return Domingos._from_cases(len(labels.codes), cases)


def kong_dietterich(
    predictions: Any, y: Any = None, *, class_probabilities: Any = None, classes: Any = None
) -> KongDietterich:
    """Decompose the zero-one loss of repeated runs into the error of their vote and the rest.

    The MFS paper, equations 1 and 2.

    Parameters
    ----------
    predictions, y, class_probabilities, classes
        As for `domingos`.

    Examples
    --------
    >>> from covey.analysis import kong_dietterich
    >>> print(kong_dietterich([["b"], ["b"], ["a"]], ["a"]))  # usually wrong, sometimes right
    Kong and Dietterich's decomposition of 3 repeats on 1 case: error 0.6667 = bias 1.0000 + variance -0.3333
    """
    labels, truth, shares = _read(predictions, y, class_probabilities, classes)
    error = 1.0 - (truth * shares).sum(axis=1)
    bias = 1.0 - (truth * _modes(shares)).sum(axis=1)
    cases = {"error": error, "bias": bias, "variance": error - bias}
    return KongDietterich._from_cases(len(labels.codes), cases)


def kohavi_wolpert(
    predictions: Any,
    y: Any = None,
    *,
    class_probabilities: Any = None,
    classes: Any = None,
    unbiased_estimates: bool = False,
) -> KohaviWolpert:
    """Decompose the zero-one loss of repeated runs into squared bias, variance and noise.

    The multi-strategy paper, equations 5 to 7.

    Parameters
    ----------
    predictions, y, class_probabilities, classes
        As for `domingos`; with class_probabilities, noise is told from bias.
    unbiased_estimates : bool, default=False
        Whether to correct for the few repeats: the plain formulas take a part of variance for bias, about a share of
        ``1 / n_repeats`` of it. The multi-strategy paper does not say that it did.

    Examples
    --------
    >>> from covey.analysis import kohavi_wolpert
    >>> result = kohavi_wolpert([["a", "b"], ["a", "a"]], ["a", "b"])
    >>> result.error, result.bias, result.variance
    (0.25, 0.125, 0.125)
    """
    labels, truth, shares = _read(predictions, y, class_probabilities, classes)
    n_repeats = len(labels.codes)
    variance = 0.5 * (1.0 - (shares**2).sum(axis=1))
    excess = variance / (n_repeats - 1) if unbiased_estimates else np.zeros_like(variance)
    cases = {
        "error": 1.0 - (truth * shares).sum(axis=1),
        "noise": 0.5 * (1.0 - (truth**2).sum(axis=1)),
        "bias": 0.5 * ((truth - shares) ** 2).sum(axis=1) - excess,
        "variance": variance + excess,
    }
    return KohaviWolpert._from_cases(n_repeats, cases)


def _read(predictions: Any, y: Any, class_probabilities: Any, classes: Any) -> tuple[Labels, Floats, Floats]:
    """Return predictions as codes, the probability of each case's classes, and their shares of the predictions."""
    if (y is None) == (class_probabilities is None):
        raise ValueError("Give either y, the true labels, or class_probabilities, which say more than labels do.")
    labels = read_labels(predictions, y, classes=classes, cases=1)
    n_repeats, n_cases = labels.codes.shape
    if n_repeats < 2:
        raise ValueError(
            "predictions has a single repeat, a row of labels, but variance needs two or more: predictions of models "
            "that were trained on different samples, as repeat_predictions makes them."
        )
    if class_probabilities is None:
        truth = np.zeros((n_cases, len(labels.classes)))
        truth[np.arange(n_cases), labels.truth] = 1.0
    else:
        truth = _check_probabilities(class_probabilities, (n_cases, len(labels.classes)))
    return labels, truth, vote_shares(labels)


def _check_probabilities(class_probabilities: Any, shape: tuple[int, int]) -> Floats:
    truth = read_numbers(class_probabilities, "class_probabilities")
    if truth.shape != shape:
        raise ValueError(
            f"class_probabilities has shape {truth.shape}, but there are {shape[0]} cases and {shape[1]} classes in "
            "predictions; give a column per class, and name all classes by classes."
        )
    if not (truth >= 0).all() or not np.allclose(truth.sum(axis=1), 1.0, atol=1e-6):
        raise ValueError("class_probabilities must not be negative, and must sum to 1 for each case.")
    return np.asarray(truth / truth.sum(axis=1, keepdims=True))


def _optimal(optimal: Any, labels: Labels, class_probabilities: Any) -> Floats:
    """Return 1 for the optimal class of each case and 0 for the others; for a class that nobody predicted, only 0."""
    if class_probabilities is not None:
        raise ValueError("optimal follows from class_probabilities; give one of them.")
    known, codes = distinct_labels(optimal, "optimal")
    n_cases = labels.codes.shape[1]
    if len(codes) != n_cases:
        raise ValueError(f"optimal has {len(codes)} labels, but predictions has {n_cases} cases.")
    join_labels(known, labels.classes, "optimal")
    return np.asarray((known[:, None] == labels.classes)[codes], dtype=np.float64)


def _modes(shares: Floats) -> Floats:
    """Return the class with the largest share of each case; classes that tie share it in equal parts."""
    modes = shares >= shares.max(axis=1, keepdims=True) - TIE
    return np.asarray(modes / modes.sum(axis=1, keepdims=True))
