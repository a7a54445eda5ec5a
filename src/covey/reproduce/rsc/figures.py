"""Figures 3 to 6: accuracy by alpha, critical differences, and bias and variance by kappa."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import pandas as pd

from covey.analysis.bias_variance import Domingos
from covey.analysis.tables import ResultTable
from covey.plots import (
    bias_variance_curves,
    critical_difference_diagram,
    draw_bias_variance_curves,
    draw_critical_difference,
    draw_parameter_curves,
    parameter_curves,
)
from covey.report.drawing import drawn
from covey.report.page import Block, Details, Prose, TableBlock
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.results import is_whole, names
from covey.reproduce.rsc import tables
from covey.reproduce.rsc.experiments import BORDER, CURVES, SUBSPACE, loss_id
from covey.reproduce.rsc.tables import FULL_IDS, FULL_SPACE_METHODS, SUBSPACE_IDS, SUBSPACE_METHODS
from covey.study import Results

MEMBER = "mean of 25 alpha-rsc"
ALL_IDS = tuple(dict.fromkeys((*FULL_IDS, *SUBSPACE_IDS)))
# The ensembles of figure 4 and of figure 5.
DIAGRAMS = {4: tables.ACCURACIES[4], 5: tables.Accuracies(25, (*FULL_SPACE_METHODS, *SUBSPACE_METHODS), ALL_IDS)}


@lru_cache(maxsize=16)
def by_alpha(run: Results, dataset: str) -> pd.DataFrame:
    """Return accuracies in per cent: a row for each alpha; the mean of 25 single covers, and the ensemble."""
    rows: dict[int, dict[str, float]] = {}
    for name in (name for name in names(run.record.methods) if is_whole(run, dataset, name)):
        method, alpha = name.rsplit(" ", 1)
        errors = tables.pooled(tables.votes_of(run, dataset, name))
        column, error = (MEMBER, errors.mean_member_error) if method == "alpha-rse" else (BORDER, errors.final)
        rows.setdefault(int(alpha), {})[column] = 100 * (1 - error)
    frame = pd.DataFrame.from_dict(rows, orient="index").reindex(columns=[MEMBER, BORDER]).dropna()
    return frame.sort_index().rename_axis("alpha")


def _show_alphas(results: Found) -> tuple[Block, ...]:
    blocks: list[Block] = [
        Prose(
            (
                "The paper prints this figure as pictures without numbers and does not name its four datasets, so "
                "there is nothing to set beside ours but its shape: the ensemble is above the mean of single covers, "
                "and both are best at about the same alpha.",
            )
        )
    ]
    for dataset in names(results["alpha"].record.datasets):
        frame = by_alpha(results["alpha"], dataset)
        if frame.empty:
            continue
        words: Any = {"parameter": "alpha", "metric": "accuracy in per cent", "larger_is_better": True}
        curves = parameter_curves(frame.index.to_numpy(), {name: frame[name].to_numpy() for name in frame}, **words)
        name, caption = f"rsc-figure-3-{dataset}", f"{dataset}: accuracy by the least number of cases in a sphere"
        blocks.append(drawn(draw_parameter_curves, curves, name=name, caption=caption))
        table = ResultTable(frame, caption=f"{dataset}: accuracy in per cent", default_format=".2f")
        blocks.append(Details(f"Numbers of {dataset}", (TableBlock(table, name),)))
    return tuple(blocks)


def _show_diagrams(results: Found, number: int) -> tuple[Block, ...]:
    ours = DIAGRAMS[number].whole(results)
    if len(ours) < 2:
        raise Lacking("A diagram needs two datasets or more on which every method was carried out.")
    mine, theirs = tables.compared_ranks(
        ours, pd.concat([tables.published_means(2), tables.published_means(4)], axis=1)
    )
    return (
        Prose((tables.rank_sentence(mine, "Ours"), tables.rank_sentence(theirs, "Published"))),
        *(
            drawn(draw_critical_difference, critical_difference_diagram(ranks), name=name, caption=caption)
            for ranks, name, caption in (
                (mine, f"rsc-figure-{number}", f"Mean ranks of {len(mine.methods)} ensembles of 25, ours"),
                (theirs, f"rsc-figure-{number}-published", "The same from the published accuracies"),
            )
        ),
    )


def curve_of(results: Found, dataset: str) -> dict[int, Domingos]:
    """Return the decompositions of alpha-rsse on a dataset by kappa."""
    if loss_id(dataset) not in results:
        return {}
    run = results[loss_id(dataset)]
    tried = [name for name in names(run.record.methods) if name.startswith(f"{SUBSPACE} ")]
    kappas = sorted(int(name.rsplit(" ", 1)[1]) for name in tried)
    parts = {kappa: tables.decomposed(run, dataset, f"{SUBSPACE} {kappa}") for kappa in kappas}
    return {kappa: part for kappa, part in parts.items() if part is not None}


def _show_curves(results: Found) -> tuple[Block, ...]:
    blocks: list[Block] = [
        Prose(("The paper prints this figure as pictures without numbers; table 11 has its best kappa of each.",))
    ]
    for dataset in CURVES:
        parts = curve_of(results, dataset)
        if len(parts) < 2:
            continue
        curves = bias_variance_curves(list(parts), list(parts.values()), parameter="kappa")
        name = f"rsc-figure-6-{dataset}"
        caption = f"{dataset}: error, bias and variance of alpha-rsse by the number of attributes of each member"
        blocks.append(drawn(draw_bias_variance_curves, curves, name=name, caption=caption, title=None))
    return tuple(blocks)


# fmt: off
VIEWS = (
    View("figure 3", "Accuracy by alpha, of single covers and of the ensemble", ("alpha",), _show_alphas),
    View("figure 4", "Critical difference of five ensembles on some attributes", SUBSPACE_IDS,
         partial(_show_diagrams, number=4)),
    View("figure 5", "Critical difference of all ten ensembles", ALL_IDS, partial(_show_diagrams, number=5)),
    View("figure 6", "Bias and variance of alpha-rsse by the number of attributes",
         tuple(loss_id(dataset) for dataset in CURVES), _show_curves),
)
# fmt: on
