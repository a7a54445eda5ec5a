"""Our figures beside the published ones, with deviations in units of the published spread, and numbers as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
import pandas as pd

from covey._rounding import write_number
from covey._text import counted
from covey.analysis.tables import ResultTable
from covey.report.page import Block, Details, Prose, TableBlock
from covey.reproduce.paper import Found, Lacking, View
from covey.reproduce.published import misprints_on

COLUMNS = ("ours", "published", "spread", "deviation")
POINT, DEVIATION = "percentage point", "published standard deviation"
RATIO, COUNT = "natural logarithm of a ratio", "feature or neighbour"
# What is near the published, in units: two of its standard deviations where it has some, 3 points where it has none,
# and 10 % of ratios, which are neither.
BOUNDS = {DEVIATION: 2.0, POINT: 3.0, COUNT: 3.0, RATIO: log(1.1)}


def one(value: float) -> str:
    """Write a number with one decimal."""
    return write_number(float(value), ".1f")


def two(value: float) -> str:
    """Write a number with two decimals."""
    return write_number(float(value), ".2f")


def three(value: float) -> str:
    """Write a number with three decimals."""
    return write_number(float(value), ".3f")


def signed(value: float, decimals: int = 2) -> str:
    """Write a difference with its sign."""
    return write_number(float(value), f"+.{decimals}f")


def listed_values(values: Any, write: Callable[[float], str] = two) -> str:
    """Write numbers of a mapping or series with their names: "a 0.10, b 0.20"."""
    return ", ".join(f"{name} {write(value)}" for name, value in values.items())


@dataclass(frozen=True, eq=False)
class Beside:
    """Figures of datasets and methods, ours and the published."""

    frame: pd.DataFrame  # a row for each dataset and method, and the columns above; NaN where there is none
    unit: str  # what a deviation of 1 is

    @classmethod
    def of(
        cls,
        ours: pd.DataFrame,
        published: pd.DataFrame,
        spread: pd.DataFrame | None = None,
        *,
        unit: str = DEVIATION,
    ) -> Beside:
        """Put tables with a row for each dataset side by side; what only one of the first two has is left out.

        Without a spread, deviations are plain differences, and the unit should say so.
        """
        datasets = [name for name in published.index if name in ours.index]
        methods = [name for name in published.columns if name in ours.columns]
        levels: Any = {
            "iterables": [datasets, methods],
            "names": [ours.index.name or "dataset", ours.columns.name or "method"],
        }
        index = pd.MultiIndex.from_product(**levels)
        frames = (ours, published, published * np.nan if spread is None else spread)
        mine, theirs, width = (
            np.asarray(frame.reindex(index=datasets, columns=methods), dtype=np.float64).ravel() for frame in frames
        )
        scale = np.where(width > 0, width, np.nan) if spread is not None else np.ones(len(index))
        values = dict(zip(COLUMNS, (mine, theirs, width, (mine - theirs) / scale), strict=True))
        return cls(pd.DataFrame(values, index=index), unit)

    @property
    def compared(self) -> int:
        """How many figures have a deviation."""
        return int(self.frame["deviation"].notna().sum())

    def within(self, limit: float) -> int:
        """Return how many deviate by at most so many units."""
        return int((self.frame["deviation"].abs().round(6) <= limit).sum())

    @property
    def bound(self) -> float:
        """What is near the published, in units."""
        return BOUNDS[self.unit]

    @property
    def near(self) -> int:
        """How many figures are within the bound."""
        return self.within(self.bound)

    @property
    def far(self) -> pd.DataFrame:
        """The figures that are not within the bound, those that deviate most first."""
        apart = self.frame["deviation"].abs()
        return self.frame[apart.round(6) > self.bound].sort_values("deviation", key=abs, ascending=False)

    @property
    def mean(self) -> float:
        """The mean deviation, with its sign; NaN if there is none."""
        return float(self.frame["deviation"].mean())

    @property
    def median(self) -> float:
        """The median of the deviations without their signs; NaN if there is none."""
        return float(self.frame["deviation"].abs().median())

    @property
    def sentence(self) -> str:
        """How close the figures are."""
        if not self.compared:
            return "None of the published figures could be set beside ours."
        return (
            f"{self.within(1)} of {counted(self.compared, 'figure')} are within one {self.unit} of the published, "
            f"{self.within(2)} within two; the median deviation is {two(self.median)}, the mean {signed(self.mean)}."
        )

    def closeness(self, table: int | str, limit: float | None = None) -> str:
        """Say in short how close a table is: in units, or by how many figures are within so many percentage points."""
        if not self.compared:
            return f"Table {table}: nothing to compare."
        figures = counted(self.compared, "figure")
        if limit is None:
            within = f"{self.within(1)} of {figures} within one {self.unit} of the published"
            return f"Table {table}: {within}, {self.within(2)} within two."
        within = f"{self.within(limit)} of {figures} within {points(limit)} of the published"
        return f"Table {table}: {within}; median deviation {one(self.median)}, mean {signed(self.mean, 1)}."

    def table(self, caption: str = "", *, number: str = ".2f") -> ResultTable:
        """Return a row for each dataset and method; deviations of more than two units are bold."""
        shown = self.frame if self.frame["spread"].notna().any() else self.frame.drop(columns="spread")
        return ResultTable(
            shown,
            caption=caption,
            formats={name: "+.2f" if name == "deviation" else number for name in shown.columns},
            bold=only_bold(shown, deviation=self.frame["deviation"].abs() > 2),
            notes=(f"deviation: ours minus the published, in units of one {self.unit}; bold above two.",),
        )

    def folded(self, name: str, caption: str, number: str = ".2f") -> Details:
        """Return the table of all deviations, to be unfolded."""
        table = self.table(caption, number=number)
        return Details("Every figure", (TableBlock(table, f"{name}-deviations", filterable=True),))


def side_by_side(
    ours: pd.DataFrame,
    printed: pd.DataFrame,
    caption: str,
    *,
    number: str = ".2f",
    label: Callable[[str], str] = str,
    far: float | None = None,
    best: bool = False,
    spreads: tuple[pd.DataFrame, pd.DataFrame] | None = None,
    notes: tuple[str, ...] = (),
) -> ResultTable:
    """Return for each column ours and the published.

    Bold are ours that are further than `far` from the published or, with `best`, the best of each row, of ours and of
    the published. `spreads` are the standard deviations of both.
    """
    printed = printed.reindex(index=ours.index, columns=ours.columns)
    wide = spreads and tuple(some.reindex(index=ours.index, columns=ours.columns) for some in spreads)
    bold_notes = ("Bold: the best of ours in a row, and the best of the published.",) if best else ()
    if far is not None:
        bold_notes = (f"Bold: more than {points(far)} from the published.",)
    columns, bold, widths = {}, {}, {}
    for name in ours.columns:
        labels = label(name), f"{name}, published"
        for place, (heading, means) in enumerate(zip(labels, (ours, printed), strict=True)):
            columns[heading] = means[name]
            is_far = far is not None and place == 0
            bold[heading] = (ours[name] - printed[name]).abs().round(6) > far if is_far else means[name].notna() & False
            if best:
                bold[heading] = means[name].round(2).eq(means.round(2).max(axis=1))
            if wide:
                widths[heading] = wide[place][name]
    return ResultTable(
        pd.DataFrame(columns),
        caption=caption,
        default_format=number,
        spread=pd.DataFrame(widths) if wide else None,
        bold=pd.DataFrame(bold) if best or far is not None else None,
        notes=(*notes, *bold_notes),
    )


@dataclass(frozen=True, eq=False)
class BesideTable:
    """A table of a paper with ours beside the published, declared by where both come from."""

    paper: str
    number: int
    title: str
    needs: tuple[str, ...]
    ours: Callable[[Found], pd.DataFrame]
    published: Callable[[], pd.DataFrame]
    caption: str
    notes: tuple[str, ...] = ()  # said before the table
    table_notes: tuple[str, ...] = ()
    decimals: str = ".2f"
    unit: str = POINT  # of deviations
    scale: float = 1.0  # from figures to units of deviations
    limit: float | None = None  # what is near, in percentage points; figures that are not are bold
    best: bool = False  # whether the best figures of a row are bold
    spreads: Callable[[Found], tuple[pd.DataFrame, pd.DataFrame]] | None = None  # ours, and the published
    more: Callable[[Found], Iterable[Block]] | None = None  # below the table
    every_figure: str = ""  # the caption of all deviations; "" for none

    def beside(self, results: Found) -> Beside:
        """Return ours and the published."""
        ours, printed = (
            joined(self.scale * frame) if frame.index.nlevels > 1 else frame
            for frame in (self.ours(results), self.published())
        )
        return Beside.of(ours, printed, self.spreads(results)[1] if self.spreads else None, unit=self.unit)

    def tell(self, results: Found) -> str:
        """Say how close ours are."""
        return self.beside(results).closeness(self.number, self.limit)

    def show(self, results: Found) -> tuple[Block, ...]:
        """Return the table, what belongs to it, every deviation and what is known to be misprinted."""
        ours, beside, name = self.ours(results), self.beside(results), f"{self.paper}-table-{self.number}"
        if ours.empty:
            raise Lacking(beside.sentence)
        spreads = self.spreads(results) if self.spreads else None
        words: Any = {"number": self.decimals, "far": self.limit, "best": self.best, "notes": self.table_notes}
        table = side_by_side(ours, self.published(), f"Table {self.number}: {self.caption}", spreads=spreads, **words)
        return (
            Prose((beside.sentence if self.limit is None else self.tell(results), *self.notes)),
            TableBlock(table, name, filterable=ours.index.nlevels > 1 and self.limit is None),
            *(self.more(results) if self.more else ()),
            *((beside.folded(name, self.every_figure, self.decimals),) if self.every_figure else ()),
            *misprint_blocks(self.paper, f"table {self.number}"),
        )

    @property
    def view(self) -> View:
        """The view of it."""
        return View(str(self.number), self.title, self.needs, self.show, self.tell, self.beside)


def only_bold(frame: pd.DataFrame, **columns: Any) -> pd.DataFrame:
    """Return which figures are bold: those of some columns, and no others."""
    return (frame.notna() & False).assign(**columns)


def table_of(rows: dict[Any, Any], index: str, **words: Any) -> ResultTable:
    """Return a table of rows by their names."""
    return ResultTable(pd.DataFrame.from_dict(rows, orient="index").rename_axis(index), **words)


def joined(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table whose rows have one name instead of a dataset's and a method's."""
    return frame.set_axis([" ".join(label) for label in frame.index])


def misprint_blocks(paper: str, place: str, heading: str = "Known misprints:") -> tuple[Block, ...]:
    """Return what is known to be wrong with a place of a paper, if anything is."""
    lines = misprints_on(paper, place)
    return (Prose((heading, *lines)),) if lines else ()


def points(number: float) -> str:
    """Write a number of percentage points."""
    return f"{number:g} {POINT}" + ("" if number == 1 else "s")
