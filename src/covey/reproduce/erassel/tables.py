"""Tables 4.1 and 5.1 to 5.9: datasets, and mean, median and variance of the errors of four methods, with boxplots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
import pandas as pd

from covey._rounding import write_number
from covey._text import counted
from covey.analysis.tables import ResultTable
from covey.plots import draw_score_boxes, score_boxes
from covey.report.drawing import drawn
from covey.report.page import Block, Details, Drawing, Prose, TableBlock
from covey.reproduce.described import DescribedTable, Fact, n_rows
from covey.reproduce.erassel.experiments import TABLES, Table
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.published import misprints_on, published_table
from covey.reproduce.results import Floats, names, values_of
from covey.reproduce.tables import DEVIATION, Beside, only_bold

PUBLISHED = ("rssl", "adaptive-rssl", "rassel", "erassel")
DEFAULT = "erassel, by default"
METHODS = ("glm", *PUBLISHED, DEFAULT)
MEASURES = ("mean", "median", "variance")
# What differences are from.
BASE = "rssl"
# What is near the published: a share of it.
NEAR, NEAR_TEXT = 0.1, "10 %"
# Of the thesis.
SPLITS = 50


def draws_of(results: Found, table: Table) -> list[str]:
    """Return the datasets that stand for a table's: itself, or several draws of simulated data."""
    return names(results[table.id].record.datasets) if table.id in results else []


def errors_by_draw(results: Found, table: Table, method: str) -> list[Floats]:
    """Return the errors of splits in the units of a table, for each draw on which all splits are there."""
    runs = (values_of(results[table.id], name, method, "error") for name in draws_of(results, table))
    return [table.factor * run for run in runs if len(run)]


def samples(results: Found, table: Table, methods: Sequence[str]) -> Floats:
    """Return errors that are drawn apart from each other: a row for each split, or for each draw of simulated data.

    The mean of a column is that of the table. There are no rows where a method is lacking on some draw.
    """
    columns = [errors_by_draw(results, table, method) for method in methods]
    draws = len(draws_of(results, table))
    if not draws or any(len(column) < draws for column in columns):
        return np.empty((0, len(methods)))
    if draws == 1:
        return np.stack([column[0] for column in columns], axis=1)
    return np.array([[run.mean() for run in column] for column in columns]).T


def measures(results: Found, table: Table) -> pd.DataFrame:
    """Return mean, median and variance over splits for each method there is; of several draws the means of these.

    The columns lowest and highest are the means of single draws.
    """
    rows = {}
    for method in METHODS:
        runs = errors_by_draw(results, table, method)
        if not runs:
            continue
        means = [run.mean() for run in runs]
        rows[method] = {
            "mean": np.mean(means),
            "median": np.mean([np.median(run) for run in runs]),
            "variance": np.mean([run.var(ddof=1) if len(run) > 1 else np.nan for run in runs]),
            "lowest": min(means),
            "highest": max(means),
        }
    columns = [*MEASURES, "lowest", "highest"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=float).rename_axis("method")


@lru_cache(maxsize=16)
def published_measures(table: Table) -> pd.DataFrame:
    """Return a table as it was printed, with a row for each method."""
    frame = published_table("erassel", table.number).set_index("method")
    return frame.loc[list(PUBLISHED), list(MEASURES)].astype(float)


def is_misprint(table: Table, method: str) -> bool:
    """Whether the published row of a method is that of another."""
    return table.has_classes and method == "rassel"


def deviations(results: Found, table: Table) -> dict[str, float]:
    """Return how far our means are from the published, as shares of these; misprinted rows are left out."""
    ours, printed = measures(results, table)["mean"], published_measures(table)["mean"]
    return {
        method: float(ours[method] / printed[method] - 1)
        for method in PUBLISHED
        if method in ours.index and not is_misprint(table, method)
    }


def beside_measures(results: Found, table: Table) -> Beside:
    """Return our means and medians and the published, in deviations of splits; misprinted rows are left out."""
    ours, printed = measures(results, table), published_measures(table)
    known = printed.drop(index=[method for method in printed.index if is_misprint(table, method)])
    kept = list(MEASURES[:2])
    spread = pd.DataFrame({name: np.sqrt(known["variance"]) for name in kept})
    return Beside.of(ours[kept].rename_axis(columns="measure"), known[kept], spread, unit=DEVIATION)


def chance(results: Found, table: Table) -> float:
    """Return twice the standard error of the difference between our mean of rssl and the published; NaN if unknown.

    Both are of splits of their own. Of simulated data each draw is another dataset, and the thesis has one.
    """
    units, printed = samples(results, table, (BASE,)), float(published_measures(table)["variance"][BASE])
    if len(units) < 2:
        return float("nan")
    variance = float(units.var(ddof=1))
    several = len(draws_of(results, table)) > 1
    return 2 * float(np.sqrt(variance / len(units) + (variance if several else printed / SPLITS)))


def percent(share: float) -> str:
    """Write a deviation, a share, in per cent with its sign."""
    return f"{write_number(100 * float(share), '+.1f')} %"


def _tell_table(results: Found, table: Table) -> str:
    apart = deviations(results, table)
    if not apart:
        return f"Table {table.number} ({table.id}): nothing to compare."
    near = sum(abs(deviation) <= NEAR for deviation in apart.values())
    each = ", ".join(f"{method} {percent(deviation)}" for method, deviation in apart.items())
    return (
        f"Table {table.number} ({table.id}): {near} of {counted(len(apart), 'mean')} within {NEAR_TEXT} of the "
        f"published: {each}."
    )


def measures_table(results: Found, table: Table) -> ResultTable:
    """Return our measures and the published ones, with a row for each method; means that are far apart are bold."""
    ours = measures(results, table)
    printed = published_measures(table).reindex(ours.index)
    far = {method for method, deviation in deviations(results, table).items() if abs(deviation) > NEAR}
    columns = {}
    for measure in MEASURES:
        columns[measure], columns[f"{measure}, published"] = ours[measure], printed[measure]
    notes = [f"erassel: as in appendix A; {DEFAULT}: covey's own rule. Bold: more than {NEAR_TEXT} from the published."]
    if len(draws_of(results, table)) > 1:
        columns |= {"lowest mean": ours["lowest"], "highest mean": ours["highest"]}
        notes.append("Measures are means over draws of the data; lowest and highest are the means of single draws.")
    if table.has_classes:
        notes.append("The published row of rassel repeats that of adaptive-rssl by mistake (ERA-I01).")
    frame = pd.DataFrame(columns).rename_axis("method")
    return ResultTable(
        frame,
        caption=f"Table {table.number}: {table.unit} on {table.title}, {_splits(results, table)}",
        default_format=table.decimals,
        bold=only_bold(frame, mean=[method in far for method in frame.index]),
        notes=tuple(notes),
    )


def _splits(results: Found, table: Table) -> str:
    runs = next(filter(None, (errors_by_draw(results, table, method) for method in PUBLISHED)), [np.empty(0)])
    return draws_and_splits(len(runs), len(runs[0]))


def draws_and_splits(draws: int, splits: int) -> str:
    """Say how many splits there are, and of how many draws of the data."""
    each = counted(splits, "split")
    return f"{counted(draws, 'draw')} of {each} each" if draws > 1 else each


def differences(results: Found, table: Table) -> pd.DataFrame:
    """Return how much more methods err than rssl on the same splits or draws, with standard errors, and as printed."""
    printed, rows = published_measures(table)["mean"], {}
    for method in (method for method in (*PUBLISHED, DEFAULT) if method != BASE):
        pair = samples(results, table, (method, BASE))
        if not len(pair):
            continue
        gap = pair[:, 0] - pair[:, 1]
        known = method in printed.index and not is_misprint(table, method)
        rows[method] = {
            "ours": gap.mean(),
            "standard error": gap.std(ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else np.nan,
            "published": printed[method] - printed[BASE] if known else np.nan,
        }
    columns = ["ours", "standard error", "published"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns, dtype=float).rename_axis("method")


def _show_table(results: Found, table: Table) -> tuple[Block, ...]:
    if measures(results, table).empty:
        raise Lacking(_tell_table(results, table))
    units = "draws of the data" if len(draws_of(results, table)) > 1 else "splits"
    gaps = ResultTable(
        differences(results, table),
        caption=f"How much more than {BASE} methods err on the same {units}: {table.unit}",
        formats={"ours": f"+{table.decimals}", "published": f"+{table.decimals}", "standard error": ".3f"},
        notes=("A difference of less than two standard errors may be chance.",),
    )
    bound, close = chance(results, table), [_tell_table(results, table)]
    if not np.isnan(bound):
        share = f"{100 * bound / float(published_measures(table)['mean'][BASE]):.0f} %"
        close.append(
            f"Ours and the published are of different {units}: by chance alone means may be {table.write(bound)} "
            f"apart, {share} of that of {BASE} (two standard errors)."
        )
    notes, name = misprints_on("erassel", f"table {table.number}"), f"erassel-table-{table.number.replace('.', '-')}"
    return (
        Prose(tuple(close)),
        TableBlock(measures_table(results, table), name),
        TableBlock(gaps, f"{name}-differences"),
        boxes(results, table),
        Prose((f"Of its figure {table.boxes} the thesis says: {table.boxes_text}.",)),
        *((Details("Known misprints", (Prose(notes),)),) if notes else ()),
    )


def boxes(results: Found, table: Table) -> Drawing:
    """Return the boxplots of a table's figure, of simulated data those of the draw that comes closest to the thesis's.

    Closest is the draw on which the mean of rssl is nearest to the published.
    """
    draws, level = draws_of(results, table), float(published_measures(table)["mean"][BASE])
    runs = {method: errors_by_draw(results, table, method) for method in measures(results, table).index}
    whole = {method: run for method, run in runs.items() if len(run) == len(draws)}
    base = whole.get(BASE) or next(iter(runs.values()))
    place = min(range(len(base)), key=lambda draw: abs(float(base[draw].mean()) - level))
    shown = {method: run[place] for method, run in (whole or runs).items()}
    where = draws[place] if len(draws) > 1 else table.title
    return drawn(
        draw_score_boxes,
        score_boxes(shown, metric=table.unit, larger_is_better=False),
        name=f"erassel-figure-{table.boxes.replace('.', '-')}",
        caption=f"Figure {table.boxes}: errors of single splits on {where}",
    )


def tell_tables(results: Found) -> str:
    """Say how close all tables are to the published ones."""
    parts = {
        f"{method} on {table.id}": deviation
        for table in TABLES.values()
        for method, deviation in deviations(results, table).items()
    }
    near = sum(abs(deviation) <= NEAR for deviation in parts.values())
    far = ", ".join(f"{name} {percent(deviation)}" for name, deviation in parts.items() if abs(deviation) > NEAR)
    text = f"Tables 5.1 to 5.9: {near} of {counted(len(parts), 'mean')} within {NEAR_TEXT} of the published"
    return f"{text}; not so {far}." if far else f"{text}."


DATASETS = DescribedTable(
    "erassel",
    "4.1",
    tuple(id for id in TABLES if not id.startswith("sim-")),
    (
        Fact("rows", n_rows, ("observations",)),
        Fact("variables", lambda data: data.n_features + 1, ("variables_incl_response",)),
    ),
    ("rows", "variables"),
    ("variables: with the response.",),
)

VIEWS = (
    DATASETS.view,
    *(
        View(
            table.number,
            f"Errors on {table.title}",
            (table.id,),
            partial(_show_table, table=table),
            partial(_tell_table, table=table),
            partial(beside_measures, table=table),
        )
        for table in TABLES.values()
    ),
)
