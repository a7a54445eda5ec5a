"""Tables 5.1 to 5.9: mean, median and variance of the errors of four methods, with the boxplots of their figures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from covey._text import counted
from covey.report.page import Block, Details, Drawing, Prose, TableBlock
from covey.reproduce.erassel.reading import (
    DEFAULT,
    MEASURES,
    NEAR,
    NEAR_TEXT,
    PUBLISHED,
    TABLES,
    Table,
    chance,
    deviations,
    draws_of,
    errors_by_draw,
    is_misprint,
    measures,
    misprints_on,
    percent,
    published_measures,
    samples,
)
from covey.reproduce.paper import Found, View

if TYPE_CHECKING:
    import pandas as pd

    from covey.analysis.tables import ResultTable

# What differences are from.
BASE = "rssl"


def tell_table(found: Found, table: Table) -> str:
    """Say how close the means of a table are to the published ones."""
    ours = deviations(found, table)
    if not ours:
        return f"Table {table.number} ({table.id}): nothing to compare."
    near = sum(abs(one) <= NEAR for one in ours.values())
    each = ", ".join(f"{method} {percent(one)}" for method, one in ours.items())
    return (
        f"Table {table.number} ({table.id}): {near} of {counted(len(ours), 'mean')} within {NEAR_TEXT} of the "
        f"published: {each}."
    )


def side_by_side(found: Found, table: Table) -> ResultTable:
    """Return our measures and the published ones, with a row for each method; means that are far apart are bold."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    ours = measures(found, table)
    printed = published_measures(table).reindex(ours.index)
    far = {method for method, one in deviations(found, table).items() if abs(one) > NEAR}
    columns = {}
    for measure in MEASURES:
        columns[measure], columns[f"{measure}, published"] = ours[measure], printed[measure]
    several = len(draws_of(found, table)) > 1
    if several:
        columns |= {"lowest mean": ours["lowest"], "highest mean": ours["highest"]}
    frame = pd.DataFrame(columns)
    bold = frame.notna() & False
    bold["mean"] = [method in far for method in frame.index]
    return ResultTable(
        frame.rename_axis("method"),
        caption=f"Table {table.number}: {table.unit} on {table.title}, {_runs(found, table)}",
        default_format=table.decimals,
        bold=bold,
        notes=tuple(_notes(table, several)),
    )


def _runs(found: Found, table: Table) -> str:
    runs = next(filter(None, (errors_by_draw(found, table, method) for method in (BASE, *PUBLISHED))), [np.empty(0)])
    splits = counted(len(runs[0]), "split")
    return f"{counted(len(runs), 'draw')} of {splits} each" if len(runs) > 1 else splits


def _notes(table: Table, several: bool) -> list[str]:
    notes = [
        f"erassel: as in appendix A; {DEFAULT}: covey's own rule. Bold: more than {NEAR_TEXT} from the published.",
    ]
    if several:
        notes.append("Measures are means over draws of the data; lowest and highest are the means of single draws.")
    if table.has_classes:
        notes.append("The published row of rassel repeats that of adaptive-rssl by mistake (ERA-I01).")
    return notes


def differences(found: Found, table: Table) -> pd.DataFrame:
    """Return how much more methods err than rssl on the same splits or draws, with standard errors, and as printed."""
    import pandas as pd

    printed = published_measures(table)["mean"]
    rows = {}
    for method in (*PUBLISHED, DEFAULT):
        pair = samples(found, table, (method, BASE))
        if method == BASE or not len(pair):
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


def show_table(found: Found, table: Table) -> tuple[Block, ...]:
    """Return a table beside the published one, the differences from rssl, and boxplots of errors."""
    from covey.analysis.tables import ResultTable

    if measures(found, table).empty:
        return (Prose((tell_table(found, table),)),)
    units = "draws of the data" if len(draws_of(found, table)) > 1 else "splits"
    gaps = ResultTable(
        differences(found, table),
        caption=f"How much more than {BASE} methods err on the same {units}: {table.unit}",
        formats={name: f"+{table.decimals}" if name != "standard error" else ".3f" for name in ("ours", "published")}
        | {"standard error": ".3f"},
        notes=("A difference of less than two standard errors may be chance.",),
    )
    notes = misprints_on(table.number)
    name = f"erassel-table-{table.number.replace('.', '-')}"
    return (
        Prose((tell_table(found, table), *_by_chance(found, table))),
        TableBlock(side_by_side(found, table), name),
        TableBlock(gaps, f"{name}-differences"),
        boxes(found, table),
        Prose((f"Of its figure {table.figure} the thesis says: {table.said}.",)),
        *((Details("Known misprints", (Prose(notes),)),) if notes else ()),
    )


def _by_chance(found: Found, table: Table) -> tuple[str, ...]:
    """Say how far apart means may be though nothing but chance differs."""
    bound = chance(found, table, BASE)
    if np.isnan(bound):
        return ()
    share = f"{100 * bound / float(published_measures(table)['mean'][BASE]):.0f} %"
    of = "draws of the data" if len(draws_of(found, table)) > 1 else "splits"
    return (
        f"Ours and the published are of different {of}: by chance alone means may be {table.write(bound)} apart, "
        f"{share} of that of {BASE} (two standard errors).",
    )


def boxes(found: Found, table: Table) -> Drawing:
    """Return the boxplots of a table's figure, of simulated data those of the draw that comes closest to the thesis's.

    Closest is the draw on which the mean of rssl is nearest to the published.
    """
    from covey.plots import draw_score_boxes, score_boxes
    from covey.report.drawing import drawn

    draws, level = draws_of(found, table), float(published_measures(table)["mean"][BASE])
    runs = {method: errors_by_draw(found, table, method) for method in measures(found, table).index}
    whole = {method: run for method, run in runs.items() if len(run) == len(draws)}
    base = whole.get(BASE) or next(iter(runs.values()))
    place = min(range(len(base)), key=lambda draw: abs(float(base[draw].mean()) - level))
    shown = {method: run[place] for method, run in (whole or runs).items()}
    where = draws[place] if len(draws) > 1 else table.title
    return drawn(
        draw_score_boxes,
        score_boxes(shown, metric=table.unit, larger_is_better=False),
        name=f"erassel-figure-{table.figure.replace('.', '-')}",
        caption=f"Figure {table.figure}: errors of single splits on {where}",
    )


VIEWS = tuple(
    View(
        table.number,
        f"Errors on {table.title}",
        (table.id,),
        partial(show_table, table=table),
        partial(tell_table, table=table),
    )
    for table in TABLES
)
