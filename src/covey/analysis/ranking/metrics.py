"""Metrics in words: their names, what they say, their scales, and how their values are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import floor, inf, isfinite, log10
from typing import Any

import numpy as np

from covey._rounding import write_number

ERROR = "error"
_OF_CLASS = re.compile(r"(\w+)\[(.*)\]", re.DOTALL)
# What scikit-learn's scorers of errors begin with: they have a minus sign, so that larger is better.
_NEGATIVE = "neg_"
# The largest difference that has no practical meaning: one point on scales from 0 to 1, ...
POINT = 0.01
# ... and one part in a hundred of an error on the scale of the target, which is two of its square.
_SHARE, _SHARE_OF_SQUARES = 0.01, 0.02

# The name of each metric, and a sentence that follows "It is".
_WORDS: dict[str, tuple[str, str]] = {
    "accuracy": ("accuracy", "the share of test rows whose class was predicted correctly"),
    "error": ("error", "the share of test rows whose class was predicted wrongly"),
    "balanced_accuracy": ("balanced accuracy", "the share of correct predictions in each class, averaged over classes"),
    "f1": ("F1", "the harmonic mean of precision and recall of the second class"),
    "jaccard": ("Jaccard index", "of rows that are of the second class or predicted so, the share that are both"),
    "precision": ("precision", "of rows predicted to be of the second class, the share that are"),
    "recall": ("recall", "of rows of the second class, the share that were predicted so"),
    "matthews_corrcoef": (
        "Matthews correlation",
        "the correlation of predicted and true classes: 1 is perfect, 0 is chance",
    ),
    "roc_auc": (
        "area under the ROC curve",
        "how often a row of a class gets a larger probability of it than a row that is not: 0.5 is chance",
    ),
    "average_precision": ("average precision", "the area under the curve of precision against recall"),
    "top_k_accuracy": ("top-2 accuracy", "how often the true class is among the two with the largest probabilities"),
    "neg_log_loss": ("log loss", "the mean of -log(probability of the true class): 0 is perfect"),
    "neg_brier_score": ("Brier score", "the mean squared error of predicted probabilities: 0 is perfect"),
    "d2_log_loss_score": (
        "D2 of log loss",
        "the part of the log loss of constant probabilities that the method saves: 1 is perfect",
    ),
    "d2_brier_score": (
        "D2 of Brier score",
        "the part of the Brier score of constant probabilities that the method saves: 1 is perfect",
    ),
    "positive_likelihood_ratio": (
        "positive likelihood ratio",
        "how much more often the second class is predicted where it is true than where it is not",
    ),
    "neg_negative_likelihood_ratio": (
        "negative likelihood ratio",
        "how much more often the first class is predicted where it is not true than where it is",
    ),
    "r2": (
        "R²",
        "the share of the target's variance that predictions explain: 1 is perfect, 0 is no better than always "
        "predicting the mean, and less than 0 is worse than that",
    ),
    "explained_variance": ("explained variance", "as R², but a constant offset of all predictions costs nothing"),
    "d2_absolute_error_score": (
        "D2 of absolute error",
        "the part of the absolute error of always predicting the median that the method saves: 1 is perfect",
    ),
}
# What scorers of a regression's errors are called without their minus sign.
_ERRORS = {
    "neg_mean_absolute_error": "mean absolute error",
    "neg_median_absolute_error": "median absolute error",
    "neg_max_error": "largest absolute error",
    "neg_mean_squared_error": "mean squared error",
    "neg_root_mean_squared_error": "root mean squared error",
    "neg_mean_squared_log_error": "mean squared error of logarithms",
    "neg_root_mean_squared_log_error": "root mean squared error of logarithms",
    "neg_mean_absolute_percentage_error": "mean absolute error as a share of the true value",
    "neg_mean_gamma_deviance": "mean gamma deviance",
    "neg_mean_poisson_deviance": "mean Poisson deviance",
}
_AVERAGES = {"macro": "mean over classes", "micro": "over all rows", "weighted": "mean over classes by their size"}
_PERCENT = frozenset({"accuracy", "error", "balanced_accuracy", "top_k_accuracy"})
_SHARES = ("f1", "jaccard", "precision", "recall", "roc_auc", "average_precision")


@dataclass(frozen=True)
class MetricWords:
    """A metric in words; its values have their natural signs, errors none."""

    metric: str  # as the study has it
    name: str  # as sentences and tables have it
    meaning: str  # what it is, to follow "It is"; "" if that is not known here
    percent: bool  # whether values are shares that are written as percentages
    least: float = -inf
    most: float = inf
    share: float = 0.0  # what part of the best value has no practical meaning; 0 where that is a point

    @property
    def larger_is_better(self) -> bool:
        """Whether a larger value is a better one."""
        return larger_is_better(self.metric) and not self.metric.startswith(_NEGATIVE)

    def natural(self, scores: Any) -> Any:
        """Return scores of scikit-learn's scorer, a number or an array, without the minus sign of errors."""
        return 0.0 - scores if self.metric.startswith(_NEGATIVE) else scores

    def rope(self, best: float) -> float:
        """Return the largest difference to the best mean that has no practical meaning."""
        return self.share * abs(best) if self.share else POINT

    @property
    def rope_text(self) -> str:
        """The largest difference that has no practical meaning, in words."""
        if self.share:
            return f"{100 * self.share:g}%"
        return "1 point" if self.percent else f"{POINT:g}"

    def spec(self, decimals: int) -> str:
        """Return the format of its values for a table; below 0 decimals stand for four digits in all."""
        return ".4g" if decimals < 0 else f".{decimals}%" if self.percent else f".{decimals}f"

    def value(self, value: float, decimals: int) -> str:
        """Write a value."""
        return write_number(float(value), self.spec(decimals))

    def size(self, difference: float, decimals: int) -> str:
        """Write the size of a difference, of percentages in points; only what is zero looks like it."""
        size = abs(float(difference)) * (100 if self.percent else 1)
        text = write_number(size, ".4g" if decimals < 0 else f".{decimals}f")
        return text if float(text) or not size else write_number(size, ".1g")

    def gap(self, difference: float, decimals: int) -> str:
        """Write the size of a difference with its unit."""
        text = self.size(difference, decimals)
        return text if not self.percent else f"{text} point" if float(text) == 1 else f"{text} points"

    def decimals(self, spreads: Iterable[float], values: Iterable[float]) -> int:
        """Return how many decimals tell values apart: one or two digits of a typical spread, or else four of the value.

        Spreads are halves of confidence intervals; those that are no positive number do not count.
        """
        scale = 100 if self.percent else 1
        sizes = [abs(scale * value) for value in values if isfinite(value)]
        known = sorted(scale * spread for spread in spreads if isfinite(spread) and spread > 0)
        largest = max(sizes, default=0.0)
        if self.percent:
            return min(max(-floor(log10(float(np.median(known)) / 3)), 1), 3) if known else 1
        size = 100 * float(np.median(known)) if known else largest
        decimals = 3 - floor(log10(size)) if size else 3
        return -1 if largest >= 1e6 or decimals > 6 else max(decimals, 0)


def larger_is_better(metric: str) -> bool:
    """Whether a larger score, as scikit-learn has it, is a better one: always but for the plain error."""
    return metric != ERROR


def split_metric(metric: str) -> tuple[str, str | None]:
    """Return a metric without the class that counts in it, and that class: "f1[ill]" is F1 of the class "ill"."""
    parts = _OF_CLASS.fullmatch(metric)
    return (parts[1], parts[2]) if parts else (metric, None)


def describe_metric(metric: str, task: str) -> MetricWords:
    """Return what a metric, a scorer of scikit-learn or "error", is called and what it says."""
    base, label = split_metric(metric)
    if label is not None:
        words, of = describe_metric(base, task), f"the class {label!r}"
        meaning = words.meaning.replace("the second class", of).replace("the first class", "the other class")
        meaning = meaning if of in meaning else f"{meaning}, of {of}"
        return replace(words, metric=metric, name=f"{words.name} of {label}", meaning=meaning)
    if metric == ERROR and task == "regression":
        meaning = "the mean of squared differences"
        return MetricWords(metric, "mean squared error", meaning, False, 0.0, share=_SHARE_OF_SQUARES)
    if metric in _ERRORS:
        name = _ERRORS[metric]
        share = _SHARE_OF_SQUARES if name.startswith("mean squared") else _SHARE
        return MetricWords(metric, name, f"the {name} of predictions", False, 0.0, share=share)
    if metric in _WORDS:
        name, meaning = _WORDS[metric]
        share = _SHARE if metric.endswith("likelihood_ratio") else 0.0
        return MetricWords(metric, name, meaning, metric in _PERCENT, *_bounds(metric), share)
    base, _, kind = metric.rpartition("_")
    if base in _WORDS and kind in _AVERAGES:
        name = _WORDS[base][0]
        meaning = f"{_WORDS[base][1].replace('the second class', 'each class')}, {_AVERAGES[kind]}"
        return MetricWords(metric, f"{name}, {_AVERAGES[kind]}", meaning, False, *_bounds(metric))
    if metric.startswith("roc_auc"):
        name, meaning = _WORDS["roc_auc"]
        pairs = "over pairs of classes" if "ovo" in metric else "of each class against all others"
        by_size = ", weighted by their size" if metric.endswith("weighted") else ""
        return MetricWords(
            metric, f"{name}, {pairs}{by_size}", f"{meaning}; the mean {pairs}{by_size}", False, 0.0, 1.0
        )
    return MetricWords(metric, metric.removeprefix(_NEGATIVE), "", False, share=_SHARE)


def _bounds(metric: str) -> tuple[float, float]:
    if metric in _PERCENT or metric.startswith(_SHARES):
        return 0.0, 1.0
    if metric.startswith(_NEGATIVE) or metric == "positive_likelihood_ratio":
        return 0.0, inf
    return (-1.0, 1.0) if metric == "matthews_corrcoef" else (-inf, 1.0)


def number_spec(values: Iterable[float]) -> str:
    """Return a format that gives the largest of some numbers four digits."""
    largest = max((abs(value) for value in values if isfinite(value)), default=0.0)
    if not 1e-4 <= largest < 1e12:
        return ".4g" if largest else ".1f"
    return f".{max(3 - floor(log10(largest)), 0)}f"


@dataclass(frozen=True)
class Chance:
    """The score that can be had without learning anything, and by what, such as "always predicting the mean"."""

    deed: str
    value: float


def chance_of(classes: Mapping[str, int], metric: str) -> Chance | None:
    """Return what can be had without learning from classes of some sizes, none in a regression, where that is known."""
    if not classes:
        return Chance("always predicting the mean", 0.0) if metric == "r2" else None
    largest, total = max(classes.values()), sum(classes.values())
    labels = [label for label, n_rows in classes.items() if n_rows == largest]
    deed = "always predicting the most frequent class" + (f" ({labels[0]})" if len(labels) == 1 else "")
    share = largest / total
    known = {"accuracy": share, "error": 1 - share, "balanced_accuracy": 1 / len(classes)}
    return Chance(deed, known[metric]) if metric in known else None
