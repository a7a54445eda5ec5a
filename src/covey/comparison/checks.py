"""What is looked at before a comparison begins, so that no hours go into what cannot work."""

from __future__ import annotations

from collections.abc import Sequence

from covey.datasets import Dataset
from covey.study.metrics import check_metric_classes, needs_probabilities
from covey.study.spec import MethodSpec


def check_target(data: Dataset) -> None:
    """Refuse a target that makes no classes: numbers with decimals, one label, or labels that differ in every row."""
    if data.task != "classification":
        return
    where = f"the target {str(data.target.name)!r} of {data.name!r}"
    if data.target.cat.categories.dtype.kind == "f":
        raise ValueError(f"{where} holds numbers that are not whole, which make no classes; give task='regression'.")
    if len(data.classes) == 1:
        raise ValueError(
            f"{where} holds one class only, {str(data.classes[0])!r}; choose another target, or more rows."
        )
    if len(data.classes) == data.n_rows:
        raise ValueError(f"{where} differs in every row, so every row is a class of its own; choose another target.")


def check_metrics(metrics: Sequence[str], methods: Sequence[MethodSpec], loaded: Sequence[Dataset]) -> None:
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
                raise ValueError(
                    f"metrics={metric!r} needs probabilities, which {', '.join(without)} does not give; leave out one "
                    "or the other."
                )
