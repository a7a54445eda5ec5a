"""Figures 2 to 6: the hierarchy of systems by each measure, with our means and with the published records."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from covey.analysis.significance.records import Records
from covey.analysis.tables import ResultTable
from covey.plots import MULTISTRATEGY, HierarchyDiagram, draw_hierarchy, hierarchy_diagram
from covey.report.drawing import drawn
from covey.report.page import Block, Prose, TableBlock
from covey.reproduce.multistrategy.experiments import ENSEMBLES
from covey.reproduce.multistrategy.tables import MEASURES, Measures, measures_of, printed_comparisons
from covey.reproduce.paper import Found, Lacking, View

N_DATASETS = 41
# All that is left of the mean values in figures 2 to 6: the text has them (MS-I07).
MEANS = {
    "diversity": {"boost": 0.340, "boost-small": 0.276},
    "individual error": {"boost": 0.291, "boost-small": 0.260},
}


def printed_records(measure: str, *, larger_is_better: bool = False) -> Records:
    """Return a measure's table as records."""
    cells = [cell for cell, _ in printed_comparisons(measure)]
    methods = tuple(dict.fromkeys([*(cell.against for cell in cells), *(cell.method for cell in cells)]))
    k = len(methods)
    wins, draws = np.zeros((k, k), dtype=np.int64), N_DATASETS * np.eye(k, dtype=np.int64)
    p_values, ratios = np.ones((k, k)), np.ones((k, k))
    for cell in cells:
        row, column = methods.index(cell.method), methods.index(cell.against)
        wins[row, column], wins[column, row] = cell.wins, cell.losses
        draws[row, column] = draws[column, row] = cell.ties
        p_values[row, column] = p_values[column, row] = cell.p_value
        ratios[row, column], ratios[column, row] = cell.ratio, 1 / cell.ratio
    return Records(
        methods=methods,
        n_datasets=N_DATASETS,
        larger_is_better=larger_is_better,
        tolerance=0.0,
        wins=wins.T if larger_is_better else wins,
        draws=draws,
        p_values=p_values,
        ratios=ratios,
    )


def diagrams(measure: str, measures: Measures) -> tuple[HierarchyDiagram, HierarchyDiagram]:
    """Return our hierarchy and that of the published records."""
    # Diversity and individual error are of ensembles only.
    of_trees = measure in MEASURES[:3]
    parts = {name: strategies for name, strategies in MULTISTRATEGY.items() if of_trees or name in ENSEMBLES}
    values = measures.of(measure, tuple(parts))
    if len(values) < 2:
        number = MEASURES.index(measure) + 2
        raise Lacking(f"Figure {number} ({measure}) needs two datasets on which every system was carried out.")
    larger = measure == "diversity"
    ours = measures.records(measure, tuple(parts), larger_is_better=larger)
    means = {str(name): mean for name, mean in values.mean().items()}
    theirs = printed_records(measure, larger_is_better=larger)
    return (
        hierarchy_diagram(ours, means, parts, measure=measure),
        hierarchy_diagram(theirs, None, parts, measure=f"{measure}, published"),
    )


def _show_figure(measure: str, results: Found) -> tuple[Block, ...]:
    measures, number = measures_of(results), MEASURES.index(measure) + 2
    ours, theirs = diagrams(measure, measures)
    name, lost = f"multistrategy-figure-{number}", f"from the records of table {number - 1}; the means are lost"
    more = "More diversity counts as better here, for it is what the paper's strategies aim at."
    captions = (
        f"Ours: mean {measure} over {ours.n_datasets} datasets, and the steps up",
        f"Published: the steps up, {lost}",
    )
    return (
        Prose((_tell_figure(measure, results), *((more,) if measure == "diversity" else ()))),
        drawn(draw_hierarchy, ours, name=f"{name}-ours", caption=captions[0]),
        drawn(draw_hierarchy, theirs, name=f"{name}-published", caption=captions[1]),
        TableBlock(means_table(measure, measures), f"{name}-means"),
    )


def _tell_figure(measure: str, results: Found) -> str:
    (ours, theirs), number = diagrams(measure, measures_of(results)), MEASURES.index(measure) + 2
    same = sum(mine.sign == published.sign for mine, published in zip(ours.steps, theirs.steps, strict=True))
    return f"Figure {number} ({measure}): {same} of {len(ours.steps)} steps up have the published sign."


def means_table(measure: str, measures: Measures) -> ResultTable:
    """Return our means with those that are left of the published."""
    means = measures.frames[measure].dropna(axis=1, how="all").dropna().mean()
    left = MEANS.get(measure, {})
    frame = pd.DataFrame({"ours": means}).rename_axis("system")
    if left:
        frame["published"] = pd.Series(left)
        frame["ratio"] = frame["ours"] / frame["published"]
    note = "The values in the printed figure are lost"
    note += " but for those that the text repeats, which are of all 41 datasets and 100 members." if left else "."
    if "boost-small" in frame.index:
        note += " boost-small has as many members as a sub-committee of mb, in the paper 10."
    sizes = sorted({int(size) for size in measures.members[list(ENSEMBLES)].max()})
    note += f" The other ensembles have {', '.join(map(str, sizes))} members here."
    return ResultTable(frame, caption=f"Mean {measure} over datasets", notes=(note,))


VIEWS = tuple(
    View(
        f"figure {number}",
        f"Hierarchy of {measure}",
        ("systems",),
        partial(_show_figure, measure),
        partial(_tell_figure, measure),
    )
    for number, measure in enumerate(MEASURES, 2)
)
