"""The thesis's data and experiments, and how these are made smaller."""

from __future__ import annotations

from dataclasses import dataclass

from covey._rounding import write_number
from covey.reproduce.paper import Experiment, Quick


@dataclass(frozen=True)
class Table:
    """One of the tables 5.1 to 5.9, with the figures on the same data."""

    number: str
    id: str  # of the experiment, and of the dataset as the table calls it
    title: str  # what readers call the data
    subspace_size: int  # as published
    unit: str
    factor: float  # by which errors are multiplied
    boxes: str  # the figure of boxplots, and what the thesis says of it
    boxes_text: str
    n_columns: int = 0  # to choose from
    sizes: str = ""  # the figure of errors by size of subspaces if there is one, and what the thesis says of it
    sizes_text: str = ""

    @property
    def has_classes(self) -> bool:
        """Whether it is of a classification, whose row of rassel is misprinted."""
        return not self.unit.startswith("mean squared")

    @property
    def decimals(self) -> str:
        """How its figures are written."""
        return ".3f" if self.id in ("boston", "prostate-79") else ".2f"

    def write(self, value: float) -> str:
        """Write one of its figures."""
        return write_number(float(value), self.decimals)


_MSE, _THOUSAND = ("mean squared error", 1.0), ("mean squared error x 1000", 1000.0)
_PERCENT, _SHARE = ("error in per cent", 100.0), ("share of errors", 1.0)

# fmt: off
TABLES = {table.id: table for table in (
    Table("5.1", "sim-regression", "simulated regression data", 5, *_MSE,
          "5.7", "rassel and erassel are the best two of the four", 10, "5.6", "it falls to 5 columns and then rises"),
    Table("5.2", "boston", "Boston, crime rate", 7, *_MSE,
          "5.9", "rassel is best, followed by erassel, and all spread little", 13,
          "5.8", "it falls with every column, so that 7, a little over half of them, were taken"),
    Table("5.3", "diamonds", "Diamonds, weight", 3, *_THOUSAND,
          "5.11", "rassel is best, and erassel and adaptive-rssl are alike", 6, "5.10", "3 columns seem a good size"),
    Table("5.4", "cars93", "Cars93, price", 7, *_THOUSAND,
          "5.13", "rssl is best, and all are close to each other", 15, "5.12", "7 columns were picked"),
    Table("5.5", "sim-logistic", "simulated logistic data", 7, *_PERCENT,
          "5.15", "rssl and rassel do better than the other two, which table 5.5 contradicts (ERA-I03)", 10,
          "5.14", "it falls little after 7 columns"),
    Table("5.6", "spam", "Spam", 33, *_PERCENT,
          "5.17", "erassel errs least, and rssl has the highest median", 57, "5.16", "33 columns seem a good size"),
    Table("5.7", "pima-532", "Pima", 3, *_PERCENT,
          "5.19", "erassel is distributed much as rassel and adaptive-rssl are", 7,
          "5.18", "it is least with all 7 columns, and settles from 3 on"),
    Table("5.8", "ionosphere", "Ionosphere", 11, *_PERCENT,
          "5.21", "erassel has the least mean, and all others do better than plain rssl", 34,
          "5.20", "it changes little after 11 columns"),
    Table("5.9", "prostate-79", "Prostate", 23, *_SHARE,
          "5.22", "erassel has the least median and variance, which table 5.9 contradicts (ERA-I06)"),
)}
# fmt: on
WITH_SIZES = tuple(table for table in TABLES.values() if table.sizes)
ORTHOGONAL, COLLINEAR = "weights", "weights-collinear"
_SIMULATED = ("sim-regression", "sim-logistic")
# Each split of them takes as long as ten of the others.
_LARGE = ("spam", "diamonds")
# Of sizes of subspaces on many columns, every other one will do in quick runs.
_FEW_SIZES = {
    "spam": tuple(str(size) for size in range(1, 58, 8)),
    "ionosphere": tuple(str(size) for size in (1, 5, 9, 11, 13, 17, 21, 25, 29, 34)),
}


def sizes_id(dataset: str) -> str:
    """Return the experiment for the sizes of subspaces on a dataset."""
    return f"sizes-{dataset}"


def _without(id: str) -> tuple[str, ...]:
    """Return the draws of simulated data that quick runs leave out."""
    return tuple(f"{id} {draw}" for draw in range(5, 11)) if id in _SIMULATED else ()


def _table(table: Table) -> Experiment:
    quick = Quick(3 if table.id in _LARGE else 10, without=_without(table.id))
    serves = (table.number,) if table.id in _SIMULATED else ("4.1", table.number)
    return Experiment(table.id, serves, quick, title=table.title)


def _sizes(id: str, figure: str) -> Experiment:
    repeats = 1 if id in _LARGE else 2 if id in _SIMULATED else 4
    quick = Quick(repeats, without=_without(id), methods=_FEW_SIZES.get(id, ()))
    return Experiment(sizes_id(id), (f"figure {figure}",), quick, title=f"sizes of subspaces on {id}")


# fmt: off
EXPERIMENTS = (
    *(_table(table) for table in TABLES.values()),
    Experiment(ORTHOGONAL, ("figure 5.1", "figure 5.2", "figure 5.3"), Quick(1),
               title="weights of columns on 40 draws of simulated data"),
    Experiment(COLLINEAR, ("figure 5.4", "figure 5.5"), Quick(1),
               title="weights of columns on 40 draws of collinear data"),
    *(_sizes(table.id, table.sizes) for table in WITH_SIZES),
)
# fmt: on
