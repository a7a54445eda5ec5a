"""The metrics that a study may name: scikit-learn's scorers that suit its task, and the plain error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import did_you_mean, listed, quoted
from covey.analysis.ranking.metrics import ERROR, split_metric
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
# Found for one of two classes; "f1[ill]" is F1 of the class "ill".
_OF_ONE_CLASS = (*_AVERAGED, "average_precision", "neg_negative_likelihood_ratio", "positive_likelihood_ratio")
# What people take for the class that counts, whatever its size.
_POSITIVE = ("1", "1.0", "true", "yes", "y", "positive", "pos", "+")
# What is told of a class that was named as the one that counts, beside metrics of all classes.
METRICS_OF_CLASS = ("average_precision", "f1", "precision", "recall")
_OF_TASK = {"classification": (*_LABELS, *_PROBABILITIES), "regression": _NUMBERS}

DEFAULT_METRICS = {"classification": ("accuracy",), "regression": ("r2",)}


def known_metrics(task: str) -> list[str]:
    """Return the metrics for a task, "error" first; those only that the installed scikit-learn has."""
    from sklearn.metrics import get_scorer_names

    there = set(get_scorer_names())
    return [ERROR, *sorted(name for name in _OF_TASK[task] if name in there)]


def needs_probabilities(metric: str) -> bool:
    """Whether a metric is found from probabilities rather than from labels or numbers."""
    return split_metric(metric)[0] in _PROBABILITIES


def check_metrics(metrics: object, task: str) -> tuple[str, ...]:
    """Return metrics as a tuple, refusing those that do not suit the task."""
    if not isinstance(metrics, list | tuple) or not metrics:
        raise TypeError(f"metrics={shown(metrics)} must be an array of names, such as {list(DEFAULT_METRICS[task])!r}.")
    known = known_metrics(task)
    for place, metric in enumerate(metrics):
        given = f"metrics[{place}]={shown(metric)}"
        if not isinstance(metric, str):
            raise TypeError(f"{given} must be text, the name of a scorer of scikit-learn or 'error'.")
        base, label = split_metric(metric)
        if label is not None and base in known and base not in _OF_ONE_CLASS:
            raise ValueError(f"{given} names a class, but it is found for all classes; write {base!r}.")
        if base not in known:
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
    base, label = split_metric(metric)
    if label is not None and len(classes) == 2 and label not in map(str, classes):
        raise ValueError(f"metrics={metric!r} names no class; the classes are {quoted(map(str, classes))}.")
    codes = np.tile(np.arange(len(classes)), 3)
    said = np.append(np.roll(codes[: len(classes)], 1), codes[len(classes) :])  # some are wrong
    labels = np.array(list(classes))
    shares = np.full((len(codes), len(classes)), 0.1 / (len(classes) - 1))
    shares[np.arange(len(codes)), said] = 0.9
    arrays = {"y": labels[codes], "predictions": labels[said], "classes": labels, "probabilities": shares}
    if not score_predictions([metric], arrays)[1]:
        return
    few = len(classes) == 2
    why = "needs to know which class counts" if few else f"is for two classes, and there are {len(classes)}"
    named = f"{f'{metric}[{classes[-1]}]'!r} or " if few else ""
    raise ValueError(f"metrics={metric!r} {why}; try {named}{_instead(base, few)!r}.")


def with_positive(
    metrics: Sequence[str], positive: object, loaded: Sequence[Dataset]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return metrics with the class that counts in those found for one class, and a note on a class taken unasked.

    The class is the one that is named, or else the one that is called 1, true or yes, or else the rarer.
    """
    needing = [metric for metric in metrics if metric in _OF_ONE_CLASS]
    notes: tuple[str, ...] = ()
    if positive is not None:
        label, *_ = [_label_of(positive, data, (*needing, "f1")[0]) for data in loaded]
        if not needing:
            raise ValueError(
                f"positive={positive!r} counts in none of the metrics {quoted(metrics)}; add one such as 'f1'."
            )
    elif needing and all(len(data.classes) == 2 for data in loaded):
        label, why = _default_positive(loaded[0])
        if not all(label in map(str, data.classes) for data in loaded):
            return tuple(metrics), notes
        other = next(str(known) for known in loaded[0].classes if str(known) != label)
        verb = "counts" if len(needing) == 1 else "count"
        notes = (
            f"{listed(needing)} {verb} the class {label!r}, {why}; positive={other!r} (--positive) takes the other.",
        )
    else:
        return tuple(metrics), notes
    return tuple(f"{metric}[{label}]" if metric in _OF_ONE_CLASS else metric for metric in metrics), notes


def _label_of(positive: object, data: Dataset, metric: str) -> str:
    """Return the class that is named, as text."""
    if data.task != "classification":
        raise ValueError(f"positive={positive!r} is a class, but {data.name!r} is for {data.task}; leave it out.")
    known = [label for label in data.classes if label == positive] or [
        label for label in data.classes if str(label) == str(positive)
    ]
    if not known:
        raise ValueError(
            f"positive={positive!r} is no class of {data.name!r}; its classes are {quoted(map(str, data.classes))}."
        )
    if len(data.classes) > 2:
        raise ValueError(
            f"positive={positive!r} needs two classes, and {data.name!r} has {len(data.classes)}; leave it out, and "
            f"try {_instead(metric, False)!r}."
        )
    return str(known[0])


def _default_positive(data: Dataset) -> tuple[str, str]:
    """Return the class of two that is taken for the one that counts, as text, and why."""
    usual = [str(label) for label in data.classes if str(label).casefold() in _POSITIVE]
    if len(usual) == 1:
        return usual[0], "as usual"
    sizes = {str(label): int((data.target == label).sum()) for label in data.classes}
    first, last = sizes
    if sizes[first] == sizes[last]:
        return last, "the last in order"
    return min(sizes, key=lambda label: sizes[label]), "the rarer one"


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
