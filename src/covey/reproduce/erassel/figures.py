"""Figures 5.1 to 5.5, the weights of columns on simulated data, and others up to 5.20, the error by subspace size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from math import ceil
from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from covey._text import counted
from covey.analysis.tables import ResultTable
from covey.ensemble.size_choice import SizeCurve, choose_size
from covey.plots import (
    column_weights,
    draw_column_weights,
    draw_size_errors,
    draw_weight_curves,
    size_errors,
    weight_curves,
)
from covey.report.drawing import drawn
from covey.report.page import Block, Details, Drawing, Prose, TableBlock
from covey.reproduce.erassel.experiments import COLLINEAR, ORTHOGONAL, WITH_SIZES, Table, sizes_id
from covey.reproduce.erassel.tables import draws_and_splits
from covey.reproduce.experiments import published_study
from covey.reproduce.paper import Experiment, Found, Lacking, Quick, View
from covey.reproduce.results import Floats, names
from covey.reproduce.tables import table_of, two
from covey.study import Results
from covey.study.splits import FixedSplit

SIZES = (3, 5)
# The rules by which erassel updates its weights, as methods are called, and what readers call them.
RULES = {
    "mean": "mean of errors (covey's default)",
    "running": "running mean, not scaled (appendix A)",
    "printed": "as printed in section 3.2, not scaled",
    "conditional": "conditional credit (covey's remedy)",
}
STATIC = "rassel"
# The rule that verdicts rest on, which is that of the thesis's code, and the default of covey.
RULE, DEFAULT_RULE = "running", "mean"
NAMES = tuple(f"x{number}" for number in range(1, 11))
# The places of x1, x4 and x5, which the response is made of.
RELEVANT = [0, 3, 4]
FIRST = "Ours are of the first of 40 draws of the data; which draw the thesis had is not known."
REASONS = {"minimum": "a clear minimum", "elbow": "the elbow", "rule": "by Breiman's rule"}


@lru_cache(maxsize=64)
def weights_of(run: Results, rule: str, size: int) -> dict[str, dict[str, Floats]]:
    """Return the final weights of columns, and those after each round if there are such, for each draw."""
    name = f"{rule} {size}"
    if name not in names(run.record.methods):
        return {}
    return {data: fit for data in names(run.record.datasets) for fit in run.fits(data, name)}


def final_weights(results: Found, id: str, rule: str, size: int) -> dict[str, Floats]:
    """Return the final weights of columns for each draw that is there."""
    fits = weights_of(results[id], rule, size)
    return {draw: fit["feature_weights"] for draw, fit in fits.items()}


def paths_of(results: Found, id: str, rule: str, size: int) -> list[Floats]:
    """Return the weights of columns after each round, for each draw that is there."""
    fits = weights_of(results[id], rule, size).values()
    return [fit["feature_weights_path"] for fit in fits if "feature_weights_path" in fit]


def counts(results: Found, id: str) -> dict[str, dict[int, tuple[int, int]]]:
    """Return in how many of how many draws x1, x4 and x5 have the three largest weights, by rule and size."""
    tallied: dict[str, dict[int, tuple[int, int]]] = {}
    for rule in (*RULES, STATIC):
        for size in SIZES:
            rows = np.array(list(final_weights(results, id, rule, size).values()))
            if len(rows):
                above = rows[:, RELEVANT].min(axis=1) > np.delete(rows, RELEVANT, axis=1).max(axis=1)
                tallied.setdefault(rule, {})[size] = int(above.sum()), len(rows)
    return tallied


@lru_cache(maxsize=4)
def best_threes(id: str) -> tuple[int, int]:
    """Return on how many of how many draws x1, x4 and x5 are the three columns by which least squares errs least.

    No rule that learns from the cases can be expected to find the three much more often.
    """
    study = published_study("erassel", Experiment(id, (), Quick(1)))
    assert isinstance(study.protocol, FixedSplit)
    often, n_train = 0, study.protocol.n_train
    threes = [list(three) for three in combinations(range(len(NAMES)), 3)]
    for data in (spec.load() for spec in study.datasets):
        X, y = data.frame.to_numpy()[:n_train], data.target.to_numpy()[:n_train]
        X, y = X - X.mean(axis=0), y - y.mean()
        gains = [y @ X[:, three] @ np.linalg.solve(X[:, three].T @ X[:, three], X[:, three].T @ y) for three in threes]
        often += threes[int(np.argmax(gains))] == RELEVANT
    return often, len(study.datasets)


def told_counts(results: Found, id: str) -> str:
    """Say how often each rule singles out the three."""
    tallied = counts(results, id)
    parts = [
        f"{rule} " + " and ".join(f"{often} (size {size})" for size, (often, _) in by_size.items())
        for rule, by_size in tallied.items()
        if rule in RULES
    ]
    total = max((total for by_size in tallied.values() for _, total in by_size.values()), default=0)
    return f"x1, x4 and x5 have the three largest weights, of {counted(total, 'draw')}: {', '.join(parts)}"


def likeness(results: Found, rule: str, size: int) -> tuple[Floats, int]:
    """Return for each draw of orthogonal data the rank correlation of the ten weights of erassel and rassel.

    And on how many draws x1, x4 and x5 are in the same order by both.
    """
    evolving, static = (final_weights(results, ORTHOGONAL, which, size) for which in (rule, STATIC))
    pairs = [(evolving[draw], static[draw]) for draw in evolving if draw in static]
    orders = ([np.argsort(weights[RELEVANT]).tolist() for weights in pair] for pair in pairs)
    correlations = np.array([float(spearmanr(*pair).statistic) for pair in pairs])
    return correlations, sum(first == second for first, second in orders)


def told_correlations(results: Found) -> str:
    """Say how alike the orders of columns are."""
    parts = []
    for rule in (RULE, DEFAULT_RULE):
        for size in SIZES:
            values, same = likeness(results, rule, size)
            if len(values):
                parts.append(f"{rule}, size {size}: {two(values.mean())} ({same} of {len(values)})")
    return (
        "Mean rank correlation of the ten weights of erassel and rassel, and draws on which x1, x4 and x5 have the "
        f"same order: {'; '.join(parts)}."
    )


def count_table(results: Found, id: str) -> ResultTable:
    """Return the counts, with a row for each rule and a column for each size."""
    rows = {
        RULES.get(rule, "squared correlation (rassel)"): {
            f"size {size}": f"{often} of {total}" for size, (often, total) in by_size.items()
        }
        for rule, by_size in counts(results, id).items()
    }
    best = "{} of {}".format(*best_threes(id))
    rows["(best three columns by least squares)"] = {f"size {size}": best for size in SIZES}
    what = "orthogonal" if id == ORTHOGONAL else "collinear"
    note = (
        "The last row counts the draws on which a model of x1, x4 and x5 fits the 300 cases better than that of "
        "any other three columns: about the most that can be found in the data."
    )
    caption = f"Draws of {what} data on which x1, x4 and x5 have the three largest weights"
    return table_of(rows, "weights by", caption=caption, notes=(note,))


def _model(results: Found, id: str, rule: str, size: int) -> SimpleNamespace | None:
    """Return the weights of the first draw in the form that figures take."""
    weights = next(iter(final_weights(results, id, rule, size).values()), None)
    if weights is None:
        return None
    model = SimpleNamespace(feature_weights_=weights, feature_names_in_=np.array(NAMES, dtype=object))
    if rule != STATIC:
        model.feature_weights_path_ = next(iter(paths_of(results, id, rule, size)), np.array([weights]))
    return model


@dataclass(frozen=True)
class WeightFigure:
    """A figure of weights: by round, a drawing for each rule, or the final ones of all rules side by side."""

    number: str
    id: str
    rules: dict[str, str]  # with what a drawing of final weights calls them; "" in figures of rounds
    texts: tuple[str, ...]  # what the thesis says of its picture
    by_round: bool = False
    with_counts: bool = False
    with_correlations: bool = False

    def tell(self, results: Found) -> str:
        """Say how often the three are singled out."""
        span, what = ("5.1 to 5.3", "orthogonal") if self.id == ORTHOGONAL else ("5.4 and 5.5", "collinear")
        if not counts(results, self.id):
            raise Lacking(f"Figures {span}: nothing to show.")
        return f"Figures {span}, {what} data: {told_counts(results, self.id)}."

    def show(self, results: Found) -> tuple[Block, ...]:
        """Return the drawings."""
        told, name = self.tell(results), f"erassel-figure-{self.number.replace('.', '-')}"
        correlations = (told_correlations(results),) if self.with_correlations else ()
        table = TableBlock(count_table(results, self.id), f"{name}-counts") if self.with_counts else None
        drawings = self._rounds(results, name) if self.by_round else self._finals(results, name)
        return (
            Prose((*((told,) if self.by_round else ()), *self.texts, *correlations, FIRST)),
            *((table,) if table else ()),
            *drawings,
        )

    def _rounds(self, results: Found, name: str) -> list[Drawing]:
        models = {(rule, size): _model(results, self.id, rule, size) for rule in self.rules for size in SIZES}
        return [
            drawn(
                draw_weight_curves,
                weight_curves(model),
                name=f"{name}-{rule}-{size}",
                caption=f"Figure {self.number}: weights by round, subspaces of {size}, {RULES[rule]}",
            )
            for (rule, size), model in models.items()
            if model is not None
        ]

    def _finals(self, results: Found, name: str) -> list[Drawing]:
        drawings = []
        for size in SIZES:
            models = {label: _model(results, self.id, rule, size) for rule, label in self.rules.items()}
            there = {label: model for label, model in models.items() if model is not None}
            if there:
                caption = f"Figure {self.number}: final weights, subspaces of {size}"
                weights = column_weights(there)
                drawings.append(drawn(draw_column_weights, weights, name=f"{name}-{size}", caption=caption))
        return drawings


@lru_cache(maxsize=32)
def losses_of(run: Results) -> tuple[tuple[int, ...], np.ndarray]:
    """Return the sizes that are whole, and the loss of each on each case that was predicted: a row for each size.

    A loss is a squared error, or 1 for a wrong class. A case that is predicted in several splits counts as often.
    """
    rows: dict[int, np.ndarray] = {}
    frame = run.frame()
    lacking = set(frame.loc[frame["status"] != "done", "method"])
    for name in (name for name in names(run.record.methods) if name not in lacking):
        parts = [_losses(fit) for data in names(run.record.datasets) for fit in run.fits(data, name)]
        if parts:
            rows[int(name)] = np.concatenate(parts)
    sizes = tuple(sorted(rows))
    return sizes, np.array([rows[size] for size in sizes])


def _losses(fit: dict[str, np.ndarray]) -> np.ndarray:
    if "classes" in fit:
        return np.asarray(fit["predictions"] != fit["y"], dtype=np.float64)
    return np.asarray((fit["predictions"] - fit["y"]) ** 2, dtype=np.float64)


def curve_of(results: Found, table: Table) -> SizeCurve | None:
    """Return errors by size in the units of the dataset's table, with the size that covey would choose; None of one."""
    sizes, losses = losses_of(results[sizes_id(table.id)])
    if len(sizes) < 2:
        return None
    rule = ceil(table.n_columns**0.5) if table.has_classes else ceil(table.n_columns / 3)
    return choose_size(sizes, table.factor * losses, rule)


def _tell_sizes(results: Found, table: Table) -> str:
    curve = curve_of(results, table)
    if curve is None:
        raise Lacking(f"Figure {table.sizes} ({table.id}): nothing to show.")
    best = int(curve.errors.argmin())
    return (
        f"Figure {table.sizes} ({table.id}): the error is least, {table.write(curve.errors[best])}, with "
        f"{curve.sizes[best]} of {table.n_columns} columns; covey would take {curve.chosen} "
        f"({REASONS[curve.reason]}), and the thesis took {table.subspace_size}."
    )


def _show_sizes(results: Found, table: Table) -> tuple[Block, ...]:
    told, curve = _tell_sizes(results, table), curve_of(results, table)
    assert curve is not None
    name, record = f"erassel-figure-{table.sizes.replace('.', '-')}", results[sizes_id(table.id)].record
    columns = {"error": curve.errors, "standard error": curve.standard_errors}
    frame = pd.DataFrame(columns, index=pd.Index(curve.sizes, name="columns"))
    numbers = ResultTable(frame, caption=f"{table.title}: {table.unit}", default_format=".4g")
    splits = draws_and_splits(len(record.datasets), int(record.protocol["n_repeats"]))
    caption = f"Figure {table.sizes}: erassel on {table.title}, {splits}"
    return (
        Prose((told, f"Of its curve the thesis says: {table.sizes_text}.")),
        drawn(draw_size_errors, size_errors(curve, metric=table.unit), name=name, caption=caption),
        Details("Numbers", (TableBlock(numbers, name),)),
    )


PICTURE = "Of its picture the thesis says that"
# fmt: off
ROUNDS = WeightFigure("5.1", ORTHOGONAL, {"mean": "", "running": ""}, (
    f"{PICTURE} x1, x4 and x5 have the highest weights, with subspaces of 3 and of 5.",), by_round=True)
FINALS = WeightFigure("5.2", ORTHOGONAL, {rule: rule for rule in ("mean", "running", "printed")}, (
    f"{PICTURE} x1, x4 and x5 weigh most, with both sizes.",), with_counts=True)
BESIDE_STATIC = WeightFigure("5.3", ORTHOGONAL, {"running": "erassel (appendix A)", STATIC: "rassel"}, (
    f"{PICTURE} erassel and rassel have the same order of the three: x4, then x5, then x1. Those of rassel are squared "
    "correlations, those of erassel exp(-error).",), with_correlations=True)
COLLINEAR_ROUNDS = WeightFigure("5.4", COLLINEAR, {"running": "", "conditional": ""}, (
    f"{PICTURE} erassel can no longer tell x1, x4 and x5 from the others. All ten columns are correlated, for their "
    "covariance is a correlation matrix of ten cases (ERA-I20).",), by_round=True)
COLLINEAR_FINALS = WeightFigure("5.5", COLLINEAR, {
    "running": "as in appendix A", "mean": "covey's default", "conditional": "conditional credit"}, (
    f"{PICTURE} x1, x4 and x5 can no longer be picked out.",), with_counts=True)
VIEWS = (
    View("figure 5.1", "Weights by round, orthogonal data", (ORTHOGONAL,), ROUNDS.show, ROUNDS.tell),
    View("figure 5.2", "Final weights, orthogonal data", (ORTHOGONAL,), FINALS.show),
    View("figure 5.3", "Final weights of erassel and rassel", (ORTHOGONAL,), BESIDE_STATIC.show),
    View("figure 5.4", "Weights by round, collinear data", (COLLINEAR,), COLLINEAR_ROUNDS.show, COLLINEAR_ROUNDS.tell),
    View("figure 5.5", "Final weights, collinear data", (COLLINEAR,), COLLINEAR_FINALS.show),
    *(View(f"figure {table.sizes}", f"Error by size of subspaces on {table.title}", (sizes_id(table.id),),
           partial(_show_sizes, table=table), partial(_tell_sizes, table=table)) for table in WITH_SIZES),
)
# fmt: on
