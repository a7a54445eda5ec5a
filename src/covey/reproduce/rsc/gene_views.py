"""Tables 7 to 10: gene expression data after a filter, the best of several numbers of attributes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from covey.report.page import Block, Details, Prose, TableBlock
from covey.reproduce.beside import Beside
from covey.reproduce.paper import Found, View
from covey.reproduce.rsc.accuracy_views import rank_blocks
from covey.reproduce.rsc.reading import GENE, closeness, in_order, misprints_on, published_means, runs_of

if TYPE_CHECKING:
    import pandas as pd

    from covey.analysis.tables import ResultTable
    from covey.study import Results

FILTERS = {"gene-chi-squared": "chi-squared", "gene-information-gain": "information gain", "gene-relief": "Relief"}
NOTES = (
    "Attributes were chosen on all cases before these were divided, as the published accuracies suggest, and the "
    "number of attributes by the accuracy on test cases: both make accuracies too high, ours and the published alike.",
    "Of breast-cancer-gene there are 78 of 97 cases. The training and test part of prostate-gene are on different "
    "scales.",
)


@lru_cache(maxsize=16)
def by_number(results: Results) -> pd.DataFrame:
    """Return the mean accuracy in per cent by dataset, number of attributes and method."""
    import pandas as pd

    rows = []
    for method in GENE:
        for name, run in runs_of(results, method).items():
            dataset, k = name.rsplit(" ", 1)
            rows.append((dataset, int(k), method, 100 * run.mean()))
    frame = pd.DataFrame(rows, columns=["dataset", "attributes", "method", "accuracy"])
    return frame.pivot(index=["dataset", "attributes"], columns="method", values="accuracy").reindex(columns=list(GENE))


def best_of(found: Found, ids: Sequence[str]) -> pd.DataFrame:
    """Return the best mean accuracy over filters and numbers of attributes, by dataset and method."""
    import pandas as pd

    every = pd.concat([by_number(found[id]) for id in ids if id in found])
    best = every.groupby(level="dataset").max()
    return best.reindex(in_order(best.index, 7)).rename_axis("dataset")


@dataclass(frozen=True)
class GeneTable:
    """One of the tables 7 to 10.

    Parameters
    ----------
    number : int
        Of the table.
    ids : tuple of str
        The experiments it is made from.
    """

    number: int
    ids: tuple[str, ...]

    @property
    def title(self) -> str:
        """What it shows."""
        names = [FILTERS[id] for id in self.ids]
        return f"Gene expression data, best after a filter by {names[0] if len(names) == 1 else 'any of the three'}"

    def beside(self, found: Found) -> Beside:
        """Return ours and the published, which have no standard deviations."""
        return Beside.of(best_of(found, self.ids), published_means(self.number), unit="percentage point")

    def tell(self, found: Found) -> str:
        """Say how close ours are."""
        return closeness(self.number, self.beside(found))

    def show(self, found: Found) -> tuple[Block, ...]:
        """Return the table, its ranks, and the accuracy of every number of attributes."""
        from covey.analysis.tables import ResultTable

        number, ours, beside = self.number, best_of(found, self.ids), self.beside(found)
        every = [
            TableBlock(
                ResultTable(by_number(found[id]), caption=f"After {FILTERS[id]}, in per cent", default_format=".2f"),
                f"rsc-table-{number}-{id}",
                filterable=True,
            )
            for id in self.ids
            if id in found
        ]
        misprints = misprints_on(number)
        return (
            Prose((beside.sentence, *NOTES, *lacking(ours))),
            TableBlock(gene_table(ours, number), f"rsc-table-{number}"),
            *rank_blocks(ours.dropna().round(2), published_means(number), f"rsc-table-{number}-ranks"),
            Details("Every number of attributes", tuple(every)),
            *((Prose(("Known misprints:", *misprints)),) if misprints else ()),
        )

    @property
    def view(self) -> View:
        """The view of it."""
        return View(str(self.number), self.title, self.ids, self.show, self.tell)


def lacking(ours: pd.DataFrame) -> tuple[str, ...]:
    """Name the datasets of the paper that are not there."""
    names = [name for name in published_means(7).index if name not in ours.index]
    if not names:
        return ()
    return (f"Not found, and left out here and in the ranks of the published: {', '.join(names)}.",)


def gene_table(ours: pd.DataFrame, number: int) -> ResultTable:
    """Return a row for each dataset with our accuracy and the published one of each method, the best of both bold."""
    import pandas as pd

    from covey.analysis.tables import ResultTable

    printed = published_means(number).reindex(index=ours.index, columns=ours.columns)
    columns, bold = {}, {}
    for name in ours.columns:
        for label, means in ((name, ours), (f"{name}, published", printed)):
            columns[label] = means[name]
            bold[label] = means[name].round(2).eq(means.round(2).max(axis=1))
    caption = f"Table {number}: best accuracy in per cent"
    note = "Bold: the best of ours in a row, and the best of the published."
    return ResultTable(
        pd.DataFrame(columns), caption=caption, default_format=".2f", bold=pd.DataFrame(bold), notes=(note,)
    )


TABLES = (
    *(GeneTable(7 + place, (id,)) for place, id in enumerate(FILTERS)),
    GeneTable(10, tuple(FILTERS)),
)
