"""Figures 5.1 to 5.5: the weights of columns on simulated data, as they evolve and in the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from covey.report.page import Block, Drawing, Prose, TableBlock
from covey.reproduce.erassel.weights import (
    COLLINEAR,
    NAMES,
    ORTHOGONAL,
    RULES,
    SIZES,
    STATIC,
    best_threes,
    counts,
    paths_of,
    told_correlations,
    told_counts,
    weights_of,
)
from covey.reproduce.paper import Found, View

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable


def tell_orthogonal(found: Found) -> str:
    """Say how often the three are singled out on orthogonal data."""
    if not counts(found, ORTHOGONAL):
        return "Figures 5.1 to 5.3: nothing to show."
    return f"Figures 5.1 to 5.3, orthogonal data: {told_counts(found, ORTHOGONAL)}."


def tell_collinear(found: Found) -> str:
    """Say how often the three are singled out on collinear data."""
    if not counts(found, COLLINEAR):
        return "Figures 5.4 and 5.5: nothing to show."
    return f"Figures 5.4 and 5.5, collinear data: {told_counts(found, COLLINEAR)}."


def count_table(found: Found, id: str, what: str) -> ResultTable:
    """Return the counts, with a row for each rule and a column for each size."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    rows = {
        RULES.get(rule, "squared correlation (rassel)"): {
            f"size {size}": f"{often} of {total}" for size, (often, total) in by_size.items()
        }
        for rule, by_size in counts(found, id).items()
    }
    best = "{} of {}".format(*best_threes(id))
    rows["(best three columns by least squares)"] = {f"size {size}": best for size in SIZES}
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("weights by")
    return ResultTable(
        frame,
        caption=f"Draws of {what} data on which x1, x4 and x5 have the three largest weights",
        notes=(
            "The last row counts the draws on which a model of x1, x4 and x5 fits the 300 cases better than that of "
            "any other three columns: about the most that can be found in the data.",
        ),
    )


def _model(found: Found, id: str, rule: str, size: int) -> SimpleNamespace | None:
    """Return the weights of the first draw in the form that figures take."""
    weights = next(iter(weights_of(found[id], rule, size).values()), None) if id in found else None
    if weights is None:
        return None
    made = SimpleNamespace(feature_weights_=weights, feature_names_in_=np.array(NAMES, dtype=object))
    if rule != STATIC:
        paths = paths_of(found[id], rule, size)
        made.feature_weights_path_ = paths[0] if paths else np.array([weights])
    return made


def _paths(found: Found, id: str, number: str, rules: tuple[str, ...]) -> list[Drawing]:
    from covey.plots import draw_weight_curves, weight_curves
    from covey.report.drawing import drawn

    drawings = []
    for rule in rules:
        for size in SIZES:
            model = _model(found, id, rule, size)
            if model is not None:
                name = f"erassel-figure-{number.replace('.', '-')}-{rule}-{size}"
                caption = f"Figure {number}: weights by round, subspaces of {size}, {RULES[rule]}"
                drawings.append(drawn(draw_weight_curves, weight_curves(model), name=name, caption=caption))
    return drawings


def _finals(found: Found, id: str, number: str, rules: dict[str, str]) -> list[Drawing]:
    """Return the final weights of some rules side by side, a drawing for each size."""
    from covey.plots import column_weights, draw_column_weights
    from covey.report.drawing import drawn

    drawings = []
    for size in SIZES:
        models = {label: _model(found, id, rule, size) for rule, label in rules.items()}
        there = {label: model for label, model in models.items() if model is not None}
        if there:
            name = f"erassel-figure-{number.replace('.', '-')}-{size}"
            caption = f"Figure {number}: final weights, subspaces of {size}"
            drawings.append(drawn(draw_column_weights, column_weights(there), name=name, caption=caption))
    return drawings


def show_paths(found: Found) -> tuple[Block, ...]:
    """Return figure 5.1."""
    said = "Of its picture the thesis says that x1, x4 and x5 have the highest weights, with subspaces of 3 and of 5."
    return (
        Prose((tell_orthogonal(found), said, FIRST)),
        *_paths(found, ORTHOGONAL, "5.1", ("mean", "running")),
    )


def show_finals(found: Found) -> tuple[Block, ...]:
    """Return figure 5.2, and how often it comes out so."""
    if not counts(found, ORTHOGONAL):
        return (Prose((tell_orthogonal(found),)),)
    labels = {rule: rule for rule in ("mean", "running", "printed")}
    return (
        Prose(("Of its picture the thesis says that x1, x4 and x5 weigh most, with both sizes.", FIRST)),
        TableBlock(count_table(found, ORTHOGONAL, "orthogonal"), "erassel-figure-5-2-counts"),
        *_finals(found, ORTHOGONAL, "5.2", labels),
    )


def show_beside_static(found: Found) -> tuple[Block, ...]:
    """Return figure 5.3."""
    if not counts(found, ORTHOGONAL):
        return (Prose((tell_orthogonal(found),)),)
    said = (
        "Of its picture the thesis says that erassel and rassel have the same order of the three: x4, then x5, then "
        "x1. Those of rassel are squared correlations, those of erassel exp(-error)."
    )
    return (
        Prose((said, told_correlations(found), FIRST)),
        *_finals(found, ORTHOGONAL, "5.3", {"running": "erassel (appendix A)", STATIC: "rassel"}),
    )


def show_collinear_paths(found: Found) -> tuple[Block, ...]:
    """Return figure 5.4, with the remedy beside the published rule."""
    said = (
        "Of its picture the thesis says that erassel can no longer tell x1, x4 and x5 from the others. All ten columns "
        "are correlated, for their covariance is a correlation matrix of ten cases (ERA-I20)."
    )
    return (
        Prose((tell_collinear(found), said, FIRST)),
        *_paths(found, COLLINEAR, "5.4", ("running", "conditional")),
    )


def show_collinear_finals(found: Found) -> tuple[Block, ...]:
    """Return figure 5.5, with the remedy beside the published rule."""
    if not counts(found, COLLINEAR):
        return (Prose((tell_collinear(found),)),)
    labels = {"running": "as in appendix A", "mean": "covey's default", "conditional": "conditional credit"}
    return (
        Prose(("Of its picture the thesis says that x1, x4 and x5 can no longer be picked out.", FIRST)),
        TableBlock(count_table(found, COLLINEAR, "collinear"), "erassel-figure-5-5-counts"),
        *_finals(found, COLLINEAR, "5.5", labels),
    )


FIRST = "Ours are of the first of 40 draws of the data; which draw the thesis had is not known."

VIEWS = (
    View("figure 5.1", "Weights by round, orthogonal data", (ORTHOGONAL,), show_paths, tell_orthogonal),
    View("figure 5.2", "Final weights, orthogonal data", (ORTHOGONAL,), show_finals),
    View("figure 5.3", "Final weights of erassel and rassel", (ORTHOGONAL,), show_beside_static),
    View("figure 5.4", "Weights by round, collinear data", (COLLINEAR,), show_collinear_paths, tell_collinear),
    View("figure 5.5", "Final weights, collinear data", (COLLINEAR,), show_collinear_finals),
)
