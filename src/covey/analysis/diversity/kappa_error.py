"""The points of a kappa-error diagram."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey.analysis.finding import Finding
from covey.analysis.numbers import Floats

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable


@dataclass(frozen=True, eq=False, repr=False)
class KappaError(Finding):
    """The points of a kappa-error diagram, one for each pair of members.

    Parameters
    ----------
    kappa, error : ndarray of float64 of shape (n_pairs,)
        How much the members agree beyond chance, and the mean of their errors.
    first, second : ndarray of int of shape (n_pairs,)
        The numbers of the members, from 0; the first is the lower.
    """

    kappa: Floats
    error: Floats
    first: NDArray[np.intp]
    second: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.kappa)

    def table(self) -> ResultTable:
        """Return a row for each pair."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        columns = {"first": self.first, "second": self.second, "kappa": self.kappa, "error": self.error}
        frame = pd.DataFrame(columns, index=pd.RangeIndex(1, len(self) + 1, name="pair"))
        return ResultTable(frame, caption=f"Kappa and mean error of {len(self):,} pairs")

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw the kappa-error diagram, and return the axes; see `covey.plots.draw_kappa_error`."""
        from covey.plots import draw_kappa_error, kappa_error_diagram

        return draw_kappa_error(kappa_error_diagram(self), ax, title=title)

    def __str__(self) -> str:
        parts = (
            f"{name} {values.mean():z.3f} ({values.min():z.3f} to {values.max():z.3f})"
            for name, values in (("kappa", self.kappa), ("error", self.error))
        )
        return f"{len(self):,} pairs of members, means and ranges: {', '.join(parts)}"
