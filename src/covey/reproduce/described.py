"""Tables that describe the datasets of a paper: ours beside the published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from covey.report.page import Block, Prose, TableBlock, Tone
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.published import published_table
from covey.reproduce.tables import misprint_blocks, table_of
from covey.study.record import DataRecord

SAME: dict[str, Tone] = {"yes": "good", "no": "bad"}


@dataclass(frozen=True)
class Fact:
    """Something that a table says of each dataset."""

    name: str  # of the column in ours
    ours: Callable[[DataRecord], int | None]  # None where ours cannot say
    published: tuple[str, ...]  # columns of the published table whose sum it is


def n_rows(data: DataRecord) -> int:
    """Return how many cases a dataset has."""
    return data.n_rows


def n_classes(data: DataRecord) -> int:
    """Return how many classes a dataset has."""
    return len(data.classes)


def n_discrete(data: DataRecord) -> int:
    """Return how many attributes have categories."""
    return data.n_categorical


def n_numeric(data: DataRecord) -> int:
    """Return how many attributes are numbers."""
    return data.n_features - data.n_categorical


@dataclass(frozen=True)
class DescribedTable:
    """A table that describes datasets, declared by what it says of them.

    Parameters
    ----------
    paper, number : str
    needs : tuple of str
        The experiments that have the datasets.
    facts : tuple of Fact
    decisive : tuple of str
        The facts that must agree for a dataset to be the same.
    notes : tuple of str
        Said before the table.
    """

    paper: str
    number: str
    needs: tuple[str, ...]
    facts: tuple[Fact, ...]
    decisive: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def rows(self, results: Found) -> dict[str, dict[str, Any]]:
        """Return what is said of each dataset that is in the published table, in its order."""
        printed = published_table(self.paper, self.number).set_index("dataset")
        there = dict(reversed(list(self._datasets(results))))
        rows = {}
        for name in (name for name in printed.index if name in there):
            row: dict[str, Any] = {"source": there[name].source}
            for fact in self.facts:
                row[fact.name] = fact.ours(there[name])
                row[f"published {fact.name}"] = int(printed.loc[name, list(fact.published)].sum())
            same = all(row[fact] == row[f"published {fact}"] for fact in self.decisive if row[fact] is not None)
            rows[name] = row | {"same": "yes" if same else "no"}
        return rows

    def _datasets(self, results: Found) -> Iterator[tuple[str, DataRecord]]:
        """Yield datasets by the paper's names: studies may have the number of attributes behind it."""
        known = set(published_table(self.paper, self.number)["dataset"])
        for run in (results[id] for id in self.needs if id in results):
            for data in run.record.datasets:
                yield data.name if data.name in known else data.name.rpartition(" ")[0], data

    def tell(self, results: Found) -> str:
        """Say how many datasets are as printed."""
        same = [row["same"] == "yes" for row in self.rows(results).values()]
        *others, last = self.decisive
        what = f"{', '.join(others)} and {last}" if others else last
        return f"Table {self.number}: {sum(same)} of {len(same)} datasets have the printed {what}."

    def show(self, results: Found) -> tuple[Block, ...]:
        """Return the table, and what is known to be misprinted in it."""
        rows = self.rows(results)
        if not rows:
            raise Lacking("None of the datasets was carried out.")
        caption = f"The datasets, ours beside table {self.number} of the paper"
        note = f"same: whether {' and '.join(self.decisive)} are as printed."
        table = table_of(rows, "dataset", caption=caption, notes=(note,))
        name = f"{self.paper}-table-{self.number.replace('.', '-')}"
        return (
            Prose((self.tell(results), *self.notes)),
            TableBlock(table, name, badges={"same": SAME}, filterable=len(rows) > 12),
            *misprint_blocks(self.paper, f"table {self.number}"),
        )

    @property
    def view(self) -> View:
        """The view of it."""
        return View(self.number, "Datasets", self.needs, self.show, self.tell)
