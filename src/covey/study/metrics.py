"""The metrics that a study may name: scikit-learn's scorers that suit its task, and the plain error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import did_you_mean, listed, quoted
from covey.analysis.ranking.metrics import ERROR
from covey.study.recipes import shown

if TYPE_CHECKING:
    from covey.datasets import Dataset
    from covey.study.spec import MethodSpec

_AVERAGED = ("f1", "jaccard", "precision", "recall")
_AVERAGES = ("", "_macro", "_micro", "_weighted")

_LABELS = (
    "accuracy",
    "balanced_accuracy",
    *(f"{metric}{average}" for metric in _AVERAGED for average in _AVERAGES),
    "matthews_corrcoef",
    "neg_negative_likelihood_ratio",
    "positive_likelihood_ratio",
)
_PROBABILITIES = (
    "average_precision",
    "d2_brier_score",
    "d2_log_loss_score",
    "neg_brier_score",
    "neg_log_loss",
    *(f"roc_auc{kind}" for kind in ("", "_ovo", "_ovo_weighted", "_ovr", "_ovr_weighted")),
    "top_k_accuracy",
)
_NUMBERS = (
    "d2_absolute_error_score",
    "explained_variance",
    "neg_max_error",
    "neg_mean_absolute_error",
    "neg_mean_absolute_percentage_error",
    "neg_mean_gamma_deviance",
    "neg_mean_poisson_deviance",
    "neg_mean_squared_error",
    "neg_mean_squared_log_error",
    "neg_median_absolute_error",
    "neg_root_mean_squared_error",
    "neg_root_mean_squared_log_error",
    "r2",
)
_OF_TASK = {"classification": (*_LABELS, *_PROBABILITIES), "regression": _NUMBERS}

DEFAULT_METRICS = {"classification": ("accuracy",), "regression": ("r2",)}


def known_metrics(task: str) -> list[str]:
    """Return the metrics for a task, "error" first; those only that the installed scikit-learn has."""
    from sklearn.metrics import get_scorer_names

    there = set(get_scorer_names())
    return [ERROR, *sorted(name for name in _OF_TASK[task] if name in there)]


def needs_probabilities(metric: str) -> bool:
    """Whether a metric is found from probabilities rather than from labels or numbers."""
    return metric in _PROBABILITIES


def check_metrics(metrics: object, task: str) -> tuple[str, ...]:
    """Return metrics as a tuple, refusing those that do not suit the task."""
    if not isinstance(metrics, list | tuple) or not metrics:
        raise TypeError(f"metrics={shown(metrics)} must be an array of names, such as {list(DEFAULT_METRICS[task])!r}.")
    known = known_metrics(task)
    for place, metric in enumerate(metrics):
        given = f"metrics[{place}]={shown(metric)}"
        if not isinstance(metric, str):
            raise TypeError(f"{given} must be text, the name of a scorer of scikit-learn or 'error'.")
        if metric not in known:
            other = [task for task, names in _OF_TASK.items() if metric in names]
            what = f"is for {other[0]}, but the study is for {task}" if other else f"is no metric for {task}"
            raise ValueError(f"{given} {what}{did_you_mean(metric, known)} Known are {quoted(known, len(known))}.")
        if metric in metrics[:place]:
            raise ValueError(f"{given} is there twice; name each metric once.")
    return tuple(metrics)


def check_metric_classes(metric: str, classes: Sequence[Any]) -> None:
    """Refuse a metric that cannot be found for some classes, whatever is predicted; the message names one that can.

    Some of scikit-learn's metrics are for two classes only, and some of these for the classes 0 and 1 only.
    """
    from covey.study.scoring import score_predictions

    if len(classes) < 2:
        return
    codes = np.tile(np.arange(len(classes)), 3)
    said = np.append(np.roll(codes[: len(classes)], 1), codes[len(classes) :])  # some are wrong
    labels = np.array(list(classes))
    shares = np.full((len(codes), len(classes)), 0.1 / (len(classes) - 1))
    shares[np.arange(len(codes)), said] = 0.9
    arrays = {"y": labels[codes], "predictions": labels[said], "classes": labels, "probabilities": shares}
    if not score_predictions([metric], arrays)[1]:
        return
    few = len(classes) == 2
    why = f"needs to know which class counts, and takes 1, not {quoted(classes)}" if few else "is for two classes"
    have = "" if few else f", and there are {len(classes)}"
    raise ValueError(f"metrics={metric!r} {why}{have}; try {_instead(metric, few)!r}.")


def check_metrics_of(metrics: Sequence[str], methods: Sequence[MethodSpec], loaded: Sequence[Dataset]) -> None:
    """Refuse metrics that could be found on no fold, for the classes or for want of probabilities."""
    for metric in metrics:
        for data in loaded:
            try:
                check_metric_classes(metric, data.classes)
            except ValueError as error:
                raise ValueError(f"{data.name!r}: {error}") from None
        if needs_probabilities(metric):
            without = [method.name for method in methods if not hasattr(method.make(), "predict_proba")]
            if without:
                verb = "does" if len(without) == 1 else "do"
                raise ValueError(
                    f"metrics={metric!r} needs probabilities, which {listed(without)} {verb} not give; leave out one "
                    "or the other."
                )


def _instead(metric: str, few: bool) -> str:
    if metric in _AVERAGED:
        return f"{metric}_macro"
    if metric in ("roc_auc", "average_precision"):
        return "roc_auc" if few else "roc_auc_ovr"
    return "neg_log_loss" if needs_probabilities(metric) else "balanced_accuracy"
