"""Figures 5.6, 5.8 and every other up to 5.20: the error by the number of columns that members see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from covey._text import counted
from covey.ensemble.size_choice import SizeCurve, choose_size
from covey.report.page import Block, Details, Prose, TableBlock
from covey.reproduce.erassel.reading import BY_ID
from covey.reproduce.paper import Found, View

if TYPE_CHECKING:
    from covey.study import Results


@dataclass(frozen=True)
class SizeFigure:
    """A figure of errors by the size of subspaces.

    Parameters
    ----------
    number : str
        "5.6".
    n_columns : int
        How many there are to choose from.
    said : str
        What the thesis says of the curve.
    """

    number: str
    n_columns: int
    said: str


FIGURES = {
    "sim-regression": SizeFigure("5.6", 10, "it falls to 5 columns and then rises"),
    "boston": SizeFigure("5.8", 13, "it falls with every column, so that 7, a little over half of them, were taken"),
    "diamonds": SizeFigure("5.10", 6, "3 columns seem a good size"),
    "cars93": SizeFigure("5.12", 15, "7 columns were picked"),
    "sim-logistic": SizeFigure("5.14", 10, "it falls little after 7 columns"),
    "spam": SizeFigure("5.16", 57, "33 columns seem a good size"),
    "pima-532": SizeFigure("5.18", 7, "it is least with all 7 columns, and settles from 3 on"),
    "ionosphere": SizeFigure("5.20", 34, "it changes little after 11 columns"),
}


_REASONS = {"minimum": "a clear minimum", "elbow": "the elbow", "rule": "by Breiman's rule"}


def id_of(dataset: str) -> str:
    """Return the experiment for the sizes of subspaces on a dataset."""
    return f"sizes-{dataset}"


@lru_cache(maxsize=32)
def losses_of(results: Results) -> tuple[tuple[int, ...], np.ndarray]:
    """Return the sizes that are whole, and the loss of each on each case that was predicted: a row for each size.

    A loss is a squared error, or 1 for a wrong class. A case that is predicted in several splits counts as often.
    """
    rows: dict[int, np.ndarray] = {}
    frame = results.frame()
    lacking = set(frame.loc[frame["status"] != "done", "method"])
    for name in (one.name for one in results.record.methods if one.name not in lacking):
        parts = [_losses(fit) for data in results.record.datasets for fit in results.fits(data.name, name)]
        if parts:
            rows[int(name)] = np.concatenate(parts)
    sizes = tuple(sorted(rows))
    return sizes, np.array([rows[size] for size in sizes])


def _losses(fit: dict[str, np.ndarray]) -> np.ndarray:
    if "classes" in fit:
        return np.asarray(fit["predictions"] != fit["y"], dtype=np.float64)
    return np.asarray((fit["predictions"] - fit["y"]) ** 2, dtype=np.float64)


def curve_of(found: Found, dataset: str) -> SizeCurve | None:
    """Return errors by size in the units of the dataset's table, with the size that covey would choose; None of one."""
    if id_of(dataset) not in found:
        return None
    sizes, losses = losses_of(found[id_of(dataset)])
    if len(sizes) < 2:
        return None
    table, columns = BY_ID[dataset], FIGURES[dataset].n_columns
    rule = ceil(columns**0.5) if table.has_classes else ceil(columns / 3)
    return choose_size(sizes, table.factor * losses, rule)


def tell_sizes(found: Found, dataset: str) -> str:
    """Say where the error is least, and which size was taken."""
    curve, figure, table = curve_of(found, dataset), FIGURES[dataset], BY_ID[dataset]
    if curve is None:
        return f"Figure {figure.number} ({dataset}): nothing to show."
    best = int(curve.errors.argmin())
    return (
        f"Figure {figure.number} ({dataset}): the error is least, {table.write(curve.errors[best])}, with "
        f"{curve.sizes[best]} of {figure.n_columns} columns; covey would take {curve.chosen} "
        f"({_REASONS[curve.reason]}), and the thesis took {table.subspace_size}."
    )


def show_sizes(found: Found, dataset: str) -> tuple[Block, ...]:
    """Return a curve with its numbers."""
    import pandas as pd

    from covey.analysis.tables import ResultTable
    from covey.plots import draw_size_errors, size_errors
    from covey.report.drawing import drawn

    curve, figure, table = curve_of(found, dataset), FIGURES[dataset], BY_ID[dataset]
    if curve is None:
        return (Prose((tell_sizes(found, dataset),)),)
    name = f"erassel-figure-{figure.number.replace('.', '-')}"
    frame = pd.DataFrame(
        {"error": curve.errors, "standard error": curve.standard_errors}, index=pd.Index(curve.sizes, name="columns")
    )
    numbers = ResultTable(frame, caption=f"{table.title}: {table.unit}", default_format=".4g")
    return (
        Prose((tell_sizes(found, dataset), f"Of its curve the thesis says: {figure.said}.")),
        drawn(
            draw_size_errors,
            size_errors(curve, metric=table.unit),
            name=name,
            caption=f"Figure {figure.number}: erassel on {table.title}, {_splits(found, dataset)}",
        ),
        Details("Numbers", (TableBlock(numbers, name),)),
    )


def _splits(found: Found, dataset: str) -> str:
    record = found[id_of(dataset)].record
    draws, splits = len(record.datasets), counted(int(record.protocol["n_repeats"]), "split")
    return f"{counted(draws, 'draw')} of {splits} each" if draws > 1 else splits


VIEWS = tuple(
    View(
        f"figure {figure.number}",
        f"Error by size of subspaces on {BY_ID[dataset].title}",
        (id_of(dataset),),
        partial(show_sizes, dataset=dataset),
        partial(tell_sizes, dataset=dataset),
    )
    for dataset, figure in FIGURES.items()
)
