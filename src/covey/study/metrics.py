"""The metrics that a study may name: scikit-learn's scorers that suit its task, and the plain error."""

from __future__ import annotations

from covey.datasets.errors import listing
from covey.study.recipes import did_you_mean, shown

ERROR = "error"

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


def larger_is_better(metric: str) -> bool:
    """Whether a larger score is a better one, as of every scorer of scikit-learn; not so of the plain error."""
    return metric != ERROR


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
            raise ValueError(f"{given} {what}{did_you_mean(metric, known)} Known are {listing(known, len(known))}.")
        if metric in metrics[:place]:
            raise ValueError(f"{given} is there twice; name each metric once.")
    return tuple(metrics)
