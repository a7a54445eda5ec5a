"""The question that a comparison answers: by which metric methods are ranked, and what to know about the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._text import counted, listed

if TYPE_CHECKING:
    from covey.datasets import Dataset
    from covey.study import MethodSpec, Results

# The first one ranks.
METRICS: Mapping[str, tuple[str, ...]] = {
    "classification": ("accuracy", "balanced_accuracy", "neg_log_loss"),
    "regression": ("r2", "neg_root_mean_squared_error", "neg_mean_absolute_error"),
}
# Accuracy says little where one class has more than this share of the rows.
_COMMON, _COMMON_OF_MANY = 0.8, 2 / 3
# One of more classes is rare if it has less than this share of the rows, and less than this part of an equal share.
_RARE_OF_MANY, _RARE_FOR_MANY = 0.05, 1 / 3
# Fewer rows of a class come too early or too late by chance.
_FEWEST_RANKED = 10
# With fewer rows of a class some test parts have none.
_FEWEST_TESTED = 5
# The largest of this share of numbers hold less than 9 % of the variance of normal numbers, and 22 % of exponential.
_LARGEST, _OWNED = 0.01, 0.3
# Where so few own half of the absolute distances too, as errors of typing do, the mean of these is theirs as well.
_OWNED_BY_FEW = 0.5
# The skewness from which it counts, 2 of exponential numbers, where logarithms halve it.
_SKEWED = 2.0
_FEWEST_NUMBERS = 50
# Of fewer rows intervals and tests say little.
_FEW_ROWS = 30


@dataclass(frozen=True)
class Question:
    """By which metric methods are ranked, and why.

    Parameters
    ----------
    metrics : tuple of str
        The first one ranks.
    remarks : tuple of str
        What is to be known before the ranking: facts, and how to ask otherwise.
    positive : label, optional
        The class that counts in metrics of one class.
    """

    metrics: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    positive: object = None


def ask(
    *datasets: Dataset,
    metrics: Sequence[str] | None = None,
    positive: object = None,
    methods: Sequence[MethodSpec] = (),
    log_target: bool = False,
) -> Question:
    """Return by which metric to rank methods on some data, and what is to be said about it.

    Parameters
    ----------
    *datasets : Dataset
        All for the same task.
    metrics : sequence of str, optional
        What the caller wants; then facts are told, and nothing else is chosen.
    positive : label, optional
        The class that counts, if the caller names one.
    methods : sequence of MethodSpec
        What is compared: average precision needs methods that give probabilities.
    log_target : bool, default=False
        Whether methods are trained on logarithms of the target.

    Returns
    -------
    Question
        By average precision of the rarer of two classes, by balanced accuracy where one of more classes is common, and
        by mean or median absolute error where few numbers own the variance; else by accuracy or R². Over several
        datasets classes are compared by balanced accuracy if one class is rare in some.
    """
    task = datasets[0].task
    if task == "classification":
        parts = [_of_classes(data, positive, methods) for data in datasets]
    else:
        parts = [_of_numbers(data, log_target) for data in datasets]
    several = len(datasets) > 1
    remarks = [
        f"{data.name}: {fact}" if several else fact
        for data, part in zip(datasets, parts, strict=True)
        for fact in (*part.facts, *_few_rows(data))
    ]
    unusual = [part for part in parts if part.metric]
    if metrics is not None or not unusual:
        return Question(METRICS[task] if metrics is None else tuple(metrics), tuple(remarks), positive)
    choice = unusual[0] if not several or task == "regression" else _BALANCED
    others = [metric for metric in reversed(METRICS[task]) if metric != choice.metric]
    how = f"{choice.how} To rank by another metric, name it: --metric {METRICS[task][0]}."
    label = choice.positive if positive is None else positive
    told = (*remarks, how) if several else (f"{remarks[0]} {how}", *remarks[1:])
    return Question((choice.metric, *others), told, label)


@dataclass(frozen=True)
class _Part:
    """What one dataset says: facts, the metric that suits it if the usual one does not, and what that is."""

    facts: tuple[str, ...] = ()
    metric: str = ""
    how: str = ""
    positive: object = None


_BALANCED = _Part(
    (), "balanced_accuracy", "Methods are therefore ranked by balanced accuracy, in which each class counts alike."
)


def _of_classes(data: Dataset, positive: object, methods: Sequence[MethodSpec]) -> _Part:
    sizes = {label: int(size) for label, size in data.target.value_counts().items() if size}
    facts = _scarce(sizes)
    (common, most), (rare, least) = (choose(sizes.items(), key=lambda item: item[1]) for choose in (max, min))
    share = most / data.n_rows
    everywhere = f"so predicting {str(common)!r} everywhere is right {share:.1%} of the time."
    if len(sizes) > 2 and share > _COMMON_OF_MANY:
        few = f"{least / data.n_rows:.1%} of {str(rare)!r}"
        fact = f"{share:.1%} of the rows are of class {str(common)!r}, and only {few}, {everywhere}"
        return _Part((fact, *facts), _BALANCED.metric, _BALANCED.how)
    if len(sizes) > 2 and (label := _rare_of_many(sizes)) is not None:
        part = f"{sizes[label] / data.n_rows:.1%} of the rows ({sizes[label]} of {data.n_rows})"
        fact = f"Only {part} are of class {str(label)!r}, so accuracy hardly tells whether they are recognised."
        return _Part((f"{fact} In balanced accuracy each class counts alike: --metric balanced_accuracy.", *facts))
    if len(sizes) != 2 or share <= _COMMON:
        return _Part(facts)
    part = f"{least / data.n_rows:.1%} of the rows ({least} of {data.n_rows})"
    fact = f"Only {part} are of class {str(rare)!r}, {everywhere}"
    if not all(hasattr(method.make(), "predict_proba") for method in methods) or (
        positive is not None and str(positive) != str(rare)
    ):
        return _Part((fact, *facts), _BALANCED.metric, _BALANCED.how)
    if least < _FEWEST_RANKED:
        how = (
            f"With only {counted(least, 'row')} of {str(rare)!r}, measures of right and wrong are too coarse. Methods "
            "are therefore ranked by log loss, which uses the probabilities."
        )
        return _Part((fact, *facts), "neg_log_loss", how)
    how = (
        f"Methods are therefore ranked by average precision of {str(rare)!r}: by how many of its rows come first when "
        "all are sorted by its probability, whatever threshold is chosen later."
    )
    return _Part((fact, *facts), "average_precision", how, rare)


def _rare_of_many(sizes: Mapping[Any, int]) -> Any:
    """Return the rarest class if it is rare, for so many classes, but has rows enough to be learnt; None otherwise."""
    label, least = min(sizes.items(), key=lambda item: item[1])
    n_rows = sum(sizes.values())
    is_rare = least < min(_RARE_OF_MANY, _RARE_FOR_MANY / len(sizes)) * n_rows
    return label if is_rare and least >= _FEWEST_TESTED else None


def _scarce(sizes: Mapping[Any, int]) -> tuple[str, ...]:
    """Say which classes have too few rows for every test part."""
    few = [f"{str(label)!r} ({counted(size, 'row')})" for label, size in sizes.items() if size < _FEWEST_TESTED]
    if not few or len(few) == len(sizes):
        return ()
    classes = "A class has" if len(few) == 1 else f"{len(few)} classes have"
    return (
        f"{classes} too few rows to be learnt and tested: {listed(few)}. Leave the rows out, or join classes, if they "
        "do not matter.",
    )


def _few_rows(data: Dataset) -> tuple[str, ...]:
    if data.n_rows >= _FEW_ROWS:
        return ()
    return (
        f"There are only {data.n_rows} rows: on other rows scores, and the order of methods, may be far from these.",
    )


def _of_numbers(data: Dataset, log_target: bool) -> _Part:
    from scipy.stats import skew

    values = data.target.to_numpy(dtype=np.float64)
    if len(values) < _FEWEST_NUMBERS or np.ptp(values) == 0:
        return _Part()
    squares = np.sort((values - values.mean()) ** 2)[::-1]
    owned = float(squares[: ceil(_LARGEST * len(values))].sum() / squares.sum())
    positive = bool((values > 0).all())
    skewed = positive and skew(values) > _SKEWED and abs(skew(np.log(values))) < skew(values) / 2
    if owned < _OWNED and not skewed:
        return _Part()
    median, largest = (_short(float(value)) for value in (np.median(values), values.max()))
    fact = (
        f"A few values of {str(data.target.name)!r} are far from the others: the median is {median}, the largest "
        f"{largest}, and {_LARGEST:.0%} of the rows have {owned:.0%} of the variance, which R² depends on."
    )
    common = float((values == np.median(values)).mean())
    if common > 0.5:
        return _Part((f"{fact} But {common:.0%} are {median}, and by absolute errors saying that always would win.",))
    metric = "neg_mean_absolute_error"
    how = "Methods are therefore ranked by mean absolute error, in which no row counts for more than its distance."
    distances = np.sort(np.abs(values - np.median(values)))[::-1]
    if distances[: ceil(_LARGEST * len(values))].sum() > _OWNED_BY_FEW * distances.sum():
        metric = "neg_median_absolute_error"
        how = "Methods are therefore ranked by median absolute error: half of the predictions are closer than that."
    if positive and not log_target:
        how += " --log-target trains on logarithms, as suits numbers that differ by factors."
    return _Part((fact,), metric, how)


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def after_run(results: Results, dataset: Dataset, question: Question) -> tuple[str, ...]:
    """Return what the best method makes of a rare class: which part of it is found, and how many alarms are right."""
    label = question.positive
    if label is None and len(dataset.classes) > 2:
        label = _rare_of_many({name: int(size) for name, size in dataset.target.value_counts().items() if size})
    ranking = results.ranking(dataset.name)
    if label is None or not ranking.rows:
        return ()
    said, true = (
        np.concatenate([fit[name] for fit in results.fits(dataset.name, ranking.best)]).astype(str) == str(label)
        for name in ("predictions", "y")
    )
    right = int((said & true).sum())
    precision = f"{right / said.sum():.1%} of the rows that it calls so are" if said.any() else "it calls no row so"
    text = (
        f"By its own threshold {ranking.best} recognises {right / true.sum():.1%} of the rows of class {str(label)!r} "
        f"(recall), and {precision} (precision)."
    )
    weighted = "class_weight" in str([method.params for method in results.record.methods])
    if right < true.sum() / 2 and not weighted:
        text += " Methods find more of them, with more false alarms, if they weigh more: --balanced."
    return (text,)
