"""Table 6: bias and variance by Kong and Dietterich's definitions."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey.analysis.bias_variance import KongDietterich, kong_dietterich
from covey.report.page import Block, Prose, TableBlock
from covey.reproduce.beside import Beside
from covey.reproduce.mfs.reading import POINT, closeness, misprints_on
from covey.reproduce.paper import Found, View
from covey.reproduce.published import published_table

if TYPE_CHECKING:
    import pandas as pd

    from covey.study import Results

ID = "bias-variance"
DATASETS = ("twonorm", "threenorm", "ringnorm")
OPTIMUM, SINGLE = "bayes-optimal", "mfs1-single"
METHODS = (OPTIMUM, "nn", SINGLE, "mfs1", "knn")
TERMS = ("bias", "variance", "error")
REPEATS = 100
# What counts as near the published, in percentage points.
NEAR = 1.5


@lru_cache(maxsize=64)
def decomposed(results: Results, dataset: str, method: str) -> KongDietterich | None:
    """Return the decomposition of a method's error, of the repeats that are finished; None of one.

    One classifier of MFS1 is the first member of its ensemble: its subset has the size that was chosen for all.
    """
    try:
        said, y = _first_members(results, dataset) if method == SINGLE else results.predictions(dataset, method)
    except (KeyError, ValueError):
        return None
    return kong_dietterich(said, y) if len(said) > 1 else None


def _first_members(results: Results, dataset: str) -> tuple[np.ndarray, np.ndarray]:
    """Return what the first member of each repeat's ensemble says, the cases of all repeats being the same."""
    fits = list(results.fits(dataset, "mfs1"))
    if not fits:
        raise ValueError(f"no repeat of mfs1 on {dataset!r} is finished")
    said = np.stack([fit["classes"][fit["votes"][:, 0]] for fit in fits])
    return said, fits[0]["y"]


@lru_cache(maxsize=8)
def bayes_error(dataset: str) -> float:
    """Return the error of the best rule there is, a share."""
    from covey.datasets import ringnorm_task, threenorm_task, twonorm_task

    tasks = {"twonorm": twonorm_task(), "threenorm": threenorm_task(), "ringnorm": ringnorm_task(distance=1.0)}
    return tasks[dataset].bayes_error()


def losses(found: Found) -> dict[tuple[str, str], dict[str, float]]:
    """Return the terms in per cent by dataset and method; the optimum has no variance."""
    if ID not in found:
        return {}
    results, rows = found[ID], {}
    for dataset in (name for name in DATASETS if name in {one.name for one in results.record.datasets}):
        least = 100 * bayes_error(dataset)
        rows[dataset, OPTIMUM] = {"bias": least, "variance": float("nan"), "error": least}
        for method in METHODS[1:]:
            part = decomposed(results, dataset, method)
            if part is not None:
                rows[dataset, method] = {term: 100 * float(getattr(part, term)) for term in TERMS}
    return rows


def terms(found: Found) -> pd.DataFrame:
    """Return our table 6: a row for each dataset and method, and a column for each term."""
    import pandas as pd

    rows = losses(found)
    index = pd.MultiIndex.from_tuples(list(rows) or [("", "")], names=["dataset", "method"])
    frame = pd.DataFrame(list(rows.values()) or [{}], index=index, columns=list(TERMS), dtype=float)
    return frame if rows else frame.iloc[:0]


def published_terms() -> pd.DataFrame:
    """Return table 6 as it was printed."""
    frame = published_table("mfs", 6)
    wide = frame.assign(metric=frame["metric"].str.removesuffix("-pct"))
    wide = wide.pivot(index=["dataset", "method"], columns="metric", values="mean").astype(float)
    return wide.reindex(columns=list(TERMS))


def beside_terms(found: Found) -> Beside:
    """Return ours and the published."""
    frames = (terms(found), published_terms())
    return Beside.of(*(frame.set_axis([" ".join(label) for label in frame.index]) for frame in frames), unit=POINT)


def tell_terms(found: Found) -> str:
    """Say how close ours are."""
    return closeness(6, beside_terms(found), NEAR)


def show_terms(found: Found) -> tuple[Block, ...]:
    """Return table 6."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    ours = terms(found)
    if ours.empty:
        return (Prose((beside_terms(found).sentence,)),)
    printed = published_terms().reindex(ours.index)
    columns, bold = {}, {}
    for term in TERMS:
        columns[term], columns[f"{term}, published"] = ours[term], printed[term]
        bold[term] = (ours[term] - printed[term]).abs() > NEAR
        bold[f"{term}, published"] = bold[term] & False
    table = ResultTable(
        pd.DataFrame(columns),
        caption="Table 6: bias and variance in per cent",
        default_format=".1f",
        bold=pd.DataFrame(bold),
        notes=(
            "bayes-optimal: the error of the best rule, worked out from the distributions. mfs1-single: the first "
            f"member of each mfs1. Bold: more than {NEAR:g} percentage points from the published.",
        ),
    )
    notes = misprints_on(6)
    ring = (
        "Numbers are not scaled. ringnorm has the means 1 / sqrt(20) of appendix B. The printed optimum rather fits "
        "the 2 / sqrt(20) of Breiman, with which the bias of nn would be about 42 per cent."
    )
    repeats = int(found[ID].record.protocol["n_repeats"])
    few = (
        f"With {repeats} training sets instead of {REPEATS}, the vote of weak classifiers such as mfs1-single is not "
        "yet the ideal one: its bias comes out too high and its variance too low."
    )
    return (
        Prose((tell_terms(found), ring, *((few,) if repeats < REPEATS else ()))),
        TableBlock(table, "mfs-table-6"),
        *((Prose(("Known misprints:", *notes)),) if notes else ()),
    )


VIEWS = (View("6", "Bias and variance", (ID,), show_terms, tell_terms),)
