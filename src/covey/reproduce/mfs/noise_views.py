"""Table 5: error with irrelevant attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey.report.page import Block, Details, Prose, TableBlock
from covey.reproduce.beside import Beside
from covey.reproduce.mfs.error_views import NEAR
from covey.reproduce.mfs.reading import POINT, closeness, error_of, errors
from covey.reproduce.paper import Found, View
from covey.reproduce.published import published_table

if TYPE_CHECKING:
    import pandas as pd

ID = "irrelevant"
NUMBERS = (0, 10, 20, 30)
TOLERANT = ("knn", "mfs1")


def published_noise() -> pd.DataFrame:
    """Return table 5, with a row for each dataset and columns such as "knn 10"."""
    frame = published_table("mfs", 5)
    labels = frame["method"] + " " + frame["irrelevant_features"].astype(str)
    wide = frame.assign(label=labels).pivot(index="dataset", columns="label", values="mean").astype(float)
    return wide.reindex(index=list(dict.fromkeys(frame["dataset"])), columns=list(dict.fromkeys(labels)))


def noise(found: Found) -> pd.DataFrame:
    """Return our table 5; the columns without irrelevant attributes are those of table 2."""
    import pandas as pd

    printed = published_noise()
    clean = errors(found, TOLERANT)
    rows: dict[str, dict[str, float]] = {}
    if ID in found:
        results = found[ID]
        there = {one.name for one in results.record.methods}
        for dataset in (one.name for one in results.record.datasets):
            rows[dataset] = {
                label: error_of(results, dataset, label) for label in printed.columns if label in there
            } | {f"{method} 0": clean[method].get(dataset, float("nan")) for method in TOLERANT}
    frame = pd.DataFrame.from_dict(rows, orient="index", dtype=float).reindex(columns=printed.columns)
    return frame.reindex([name for name in printed.index if name in frame.index]).rename_axis("dataset")


def beside_noise(found: Found) -> Beside:
    """Return our table 5 and the published."""
    return Beside.of(noise(found), published_noise(), unit=POINT)


def show_noise(found: Found) -> tuple[Block, ...]:
    """Return table 5 with every deviation."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    ours, beside = noise(found), beside_noise(found)
    if ours.empty:
        return (Prose((beside.sentence,)),)
    blocks: list[Block] = [Prose((closeness(5, beside, NEAR),))]
    printed = published_noise().reindex(ours.index)
    for method in TOLERANT:
        columns = {}
        for number in NUMBERS:
            label = f"{method} {number}"
            columns[str(number)], columns[f"{number}, published"] = ours[label], printed[label]
        caption = f"Table 5: error of {method} in per cent, by the number of irrelevant boolean attributes"
        table = ResultTable(pd.DataFrame(columns), caption=caption, default_format=".1f")
        blocks.append(TableBlock(table, f"mfs-table-5-{method}"))
    every = beside.table("Table 5, every figure", number=".1f")
    blocks.append(Details("Every figure", (TableBlock(every, "mfs-table-5-deviations", filterable=True),)))
    return tuple(blocks)


VIEWS = (
    View(
        "5",
        "Error rates with irrelevant attributes",
        ("neighbours", ID),
        show_noise,
        lambda found: closeness(5, beside_noise(found), NEAR),
    ),
)
