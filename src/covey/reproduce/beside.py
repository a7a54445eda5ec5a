"""Our figures beside the published ones, with the deviation in units of the published spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from covey._rounding import write_number
from covey._text import counted

if TYPE_CHECKING:
    import pandas as pd

    from covey.analysis.tables import ResultTable

COLUMNS = ("ours", "published", "spread", "deviation")


@dataclass(frozen=True, eq=False)
class Beside:
    """Figures of datasets and methods, ours and the published.

    Parameters
    ----------
    frame : DataFrame
        A row for each dataset and method, with the columns ours, published, spread and deviation; NaN where there is
        none.
    unit : str
        What a deviation of 1 is.
    """

    frame: pd.DataFrame
    unit: str

    @classmethod
    def of(
        cls,
        ours: pd.DataFrame,
        published: pd.DataFrame,
        spread: pd.DataFrame | None = None,
        *,
        unit: str = "published standard deviation",
    ) -> Beside:
        """Put figures side by side.

        Parameters
        ----------
        ours, published, spread : DataFrame
            With a row for each dataset and a column for each method; what only one of the first two has is left out.
            Without a spread, deviations are plain differences, and the unit should say so.
        unit : str
            What a deviation of 1 is.
        """
        import pandas as pd

        datasets = [name for name in published.index if name in ours.index]
        methods = [name for name in published.columns if name in ours.columns]
        index = pd.MultiIndex.from_product([datasets, methods], names=["dataset", "method"])

        def column(frame: pd.DataFrame | None) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
            if frame is None:
                return np.full(len(index), np.nan)
            return np.asarray(frame.reindex(index=datasets, columns=methods), dtype=np.float64).ravel()

        mine, theirs, width = column(ours), column(published), column(spread)
        scale = np.where(width > 0, width, np.nan) if spread is not None else np.ones(len(index))
        values = dict(zip(COLUMNS, (mine, theirs, width, (mine - theirs) / scale), strict=True))
        return cls(pd.DataFrame(values, index=index), unit)

    @property
    def compared(self) -> int:
        """How many figures have a deviation."""
        return int(self.frame["deviation"].notna().sum())

    def within(self, limit: float) -> int:
        """Return how many deviate by at most so many units."""
        return int((self.frame["deviation"].abs() <= limit).sum())

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
            f"{self.within(2)} within two; the median deviation is {write_number(self.median, '.2f')}, the mean "
            f"{write_number(self.mean, '+.2f')}."
        )

    def table(self, caption: str = "", *, number: str = ".2f", notes: tuple[str, ...] = ()) -> ResultTable:
        """Return a row for each dataset and method; deviations of more than two units are bold.

        Parameters
        ----------
        caption : str
            What the table shows.
        number : str, default=".2f"
            How figures are written.
        notes : tuple of str
            Lines below the table, before the one on deviations.
        """
        from covey.analysis.tables import ResultTable

        shown = self.frame if self.frame["spread"].notna().any() else self.frame.drop(columns="spread")
        bold = shown.notna() & False
        bold["deviation"] = self.frame["deviation"].abs() > 2
        return ResultTable(
            shown,
            caption=caption,
            formats={name: "+.2f" if name == "deviation" else number for name in shown.columns},
            bold=bold,
            notes=(*notes, f"deviation: ours minus the published, in units of one {self.unit}; bold above two."),
        )
