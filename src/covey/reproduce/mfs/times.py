"""Table 4: times to predict and to train, as ratios within a dataset, for the paper's machines were others."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from covey.report.page import Block, Prose, TableBlock
from covey.reproduce.mfs.tables import STAND_INS
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.published import published_table
from covey.reproduce.results import is_whole, names, values_of
from covey.reproduce.tables import side_by_side, two

NEEDS = ("neighbours", "selection", "trees", "satimage")
DATASETS = ("satimage", "segment", "annealing")
_PREDICT, _FIT = ("predict seconds",), ("fit seconds",)


class Ratio(NamedTuple):
    """The time of a method as a multiple of another's."""

    method: str
    against: str
    what: str  # what is timed, as readers call it
    metric: str  # as the published table calls it
    columns: tuple[str, ...]  # of results, whose sum the time is

    def __str__(self) -> str:
        return f"{self.method} / {self.against}, {self.what}"


# fmt: off
RATIOS = (
    Ratio("mfs1", "nn", "predicting", "classification-time-per-pattern", _PREDICT),
    Ratio("fss", "mfs1", "training", "training-time", _FIT),
    Ratio("bss", "mfs1", "training", "training-time", _FIT),
    Ratio("c5.0-boosted", "c5.0", "both", "training-plus-classification-time", (*_FIT, *_PREDICT)),
)
# fmt: on


def seconds_of(results: Found, dataset: str, method: str, columns: tuple[str, ...]) -> float:
    """Return the median over fits of the time of a method on a dataset; NaN where it was not carried out."""
    name = STAND_INS.get(method, method)
    for run in (results[id] for id in NEEDS if id in results):
        if name in names(run.record.methods) and is_whole(run, dataset, name):
            return float(np.median(sum(values_of(run, dataset, name, column) for column in columns)))
    return float("nan")


def ratios(results: Found) -> pd.DataFrame:
    """Return our ratios: a row for each dataset and a column for each ratio, NaN where one is lacking."""
    rows = {
        dataset: {
            str(ratio): seconds_of(results, dataset, ratio.method, ratio.columns)
            / seconds_of(results, dataset, ratio.against, ratio.columns)
            for ratio in RATIOS
        }
        for dataset in DATASETS
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset").dropna(how="all")


def published_ratios() -> pd.DataFrame:
    """Return the ratios of the printed times, as `ratios` does."""
    seconds = published_table("mfs", 4).set_index(["dataset", "method", "metric"])["seconds"]
    rows = {
        dataset: {
            str(ratio): seconds[dataset, ratio.method, ratio.metric] / seconds[dataset, ratio.against, ratio.metric]
            for ratio in RATIOS
        }
        for dataset in DATASETS
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("dataset")


def _tell(results: Found) -> str:
    ours, printed = ratios(results), published_ratios()
    parts = []
    for name in ours.columns:
        there = ours[name].dropna()
        if len(there):
            theirs = printed[name].reindex(there.index)
            each = (f"{two(mine)} ({two(other)})" for mine, other in zip(there, theirs, strict=True))
            parts.append(f"{name} {', '.join(each)}")
    if not parts:
        raise Lacking("Table 4: nothing to compare.")
    where = ", ".join(map(str, ours.index))
    return f"Table 4, ratios of times on {where}, in brackets those published: {'; '.join(parts)}."


def _show(results: Found) -> tuple[Block, ...]:
    told, ours = _tell(results), ratios(results)
    caption = "Table 4: ratios of times, medians of fits"
    text = (
        "The paper timed nearest neighbours and trees on two machines of its day, so that only ratios within a machine "
        "can be set beside ours. It searched subsets by plain cross-validation; ours keep distances from one trial to "
        "the next, so that feature selection costs less beside MFS1."
    )
    trees = "c4.5 stands for c5.0, and boost for c5.0-boosted."
    table = side_by_side(ours, published_ratios(), caption)
    return (Prose((told, text, trees)), TableBlock(table, "mfs-table-4"))


VIEW = View("4", "Times to predict and to train", NEEDS, _show, _tell)
