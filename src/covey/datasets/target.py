"""The target of a dataset: whether it is classes or numbers, by what was asked, declared or guessed."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from covey._text import counted, listed, quoted

Task = Literal["classification", "regression"]

# A target of undeclared type with at most this many distinct whole numbers is taken for class labels.
_MOST_WHOLE_NUMBER_CLASSES = 10

# With more of them only where they look like codes: so many at most, with so few gaps, ...
_MOST_CODES = 100
_LEAST_DENSITY = 0.9
# ... so frequent on average, and each at least so often and with this share of the mean, ...
_MEAN_ROWS = 10
_FEWEST_ROWS = 5
_RAREST = 0.1
# ... and their logarithmic frequencies differ by little, or without any order.
_EVEN = 0.04
_ROUGH = 1.2


def as_labels(values: pd.Series[Any]) -> pd.Series[Any]:
    """Turn numbers into categories of their numbers, written without decimals if all of them are whole."""
    numbers = values.to_numpy(dtype="float64")
    distinct = np.unique(numbers[~np.isnan(numbers)])
    codes = np.where(np.isnan(numbers), -1, np.searchsorted(distinct, numbers))
    labels = distinct.astype("int64") if _are_whole(distinct) else distinct
    return pd.Series(
        pd.Categorical.from_codes(codes, categories=pd.Index(labels)), index=values.index, name=values.name
    )


def _are_whole(numbers: NDArray[np.float64]) -> bool:
    # Beyond 2 ** 53 a float64 cannot tell one whole number from the next, and int64 ends soon after.
    return bool((numbers == np.round(numbers)).all() and (np.abs(numbers) <= 2.0**53).all())


def typed_target(
    values: pd.Series[Any], task: Task | None, where: str, *, is_declared: bool
) -> tuple[pd.Series[Any], tuple[str, ...]]:
    """Give the target of the data `where` the type its task needs; say so where the task is a guess."""
    is_nominal = isinstance(values.dtype, pd.CategoricalDtype)
    if task == "regression" and is_nominal:
        try:
            return values.astype(str).astype("float64"), ()
        except ValueError as error:
            raise ValueError(
                f"task='regression' needs a numeric target, but {values.name!r} of {where!r} holds "
                f"{quoted(values.cat.categories)}"
            ) from error
    if task == "regression":
        return values, ()
    if is_nominal:
        return values, (*_one_class_note(values), *_case_note(values))
    distinct, counts = np.unique(values.to_numpy(dtype="float64"), return_counts=True)
    if task is None and (is_declared or not _are_whole(distinct)):
        return values, ()
    holds = f"the target {values.name!r} holds {counted(len(distinct), 'distinct whole number')}"
    if task is None and len(distinct) > _MOST_WHOLE_NUMBER_CLASSES:
        if not are_class_codes(distinct, counts):
            return values, (f"{holds}, taken for numbers; task='classification' takes them for classes",)
        holds += f" that count up from {int(distinct[0])}, each often"
    labels = as_labels(values)
    guess = () if task else (f"{holds}, taken for classes; task='regression' takes them for numbers",)
    return labels, guess + _one_class_note(labels)


def are_class_codes(distinct: NDArray[np.float64], counts: NDArray[np.intp]) -> bool:
    """Guess whether whole numbers, sorted, with how often each occurs, are codes of classes and no counts or measures.

    Codes count up from 0 or 1 and each occurs often. Counts and measures have rare values at an end, and values next
    to each other are nearly as frequent; codes are all about as frequent, or those next to each other differ like any.
    """
    span = distinct[-1] - distinct[0] + 1
    if distinct[0] not in (0, 1) or len(distinct) > _MOST_CODES or len(distinct) < _LEAST_DENSITY * span:
        return False
    mean = counts.mean()
    if mean < _MEAN_ROWS or counts.min() < max(_FEWEST_ROWS, _RAREST * mean):
        return False
    # At the ends, counts may stand for "none" and "so many and more".
    logs = np.log(counts[1:-1])
    # Of numbers in no order, squared differences of neighbours are twice the variance on average (von Neumann).
    return bool(np.log(counts).var() < _EVEN or (np.diff(logs) ** 2).mean() > _ROUGH * logs.var())


def _one_class_note(labels: pd.Series[Any]) -> tuple[str, ...]:
    classes = labels.unique()
    if len(classes) > 1:
        return ()
    return (f"the target {labels.name!r} holds one class only, {classes[0]!r}, so there is nothing to tell apart",)


def _case_note(labels: pd.Series[Any]) -> tuple[str, ...]:
    """Say which classes have the same name but for capitals."""
    alike: dict[str, list[str]] = {}
    for label in labels.dropna().unique():
        alike.setdefault(str(label).casefold(), []).append(repr(str(label)))
    groups = [listed(sorted(names)) for names in alike.values() if len(names) > 1]
    if not groups:
        return ()
    which = "; ".join(groups[:5]) + ("; ..." if len(groups) > 5 else "")
    return (f"classes {which} differ only in case; make them one if they mean the same",)
