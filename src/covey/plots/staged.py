"""The error of a vote against the size of the ensemble."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from covey.analysis.staged import StagedErrors, staged_errors
from covey.plots.curves import Curve, Entry, about, draw_curves, name_curves, size_of
from covey.plots.members import check_made, measure_each, shown_names
from covey.plots.style import GREY, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class StagedError:
    """The errors of one or more ensembles at each size.

    Parameters
    ----------
    ensembles : mapping of str to StagedErrors
        What `covey.analysis.staged_errors` found, by the ensembles' names.
    """

    ensembles: Mapping[str, StagedErrors]

    @cached_property
    def curves(self) -> tuple[Curve, ...]:
        """A curve for each ensemble, with its final error as a note."""
        return tuple(
            Curve(
                name=name,
                x=np.arange(1.0, found.n_members + 1),
                y=found.errors,
                note=about(found.final),
            )
            for name, found in zip(shown_names(list(self.ensembles)), self.ensembles.values(), strict=True)
        )

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return "Error of the vote against ensemble size"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        parts = (
            f"{name}: {about(found.errors[0])} with one member, {about(found.final)} with "
            f"{found.n_members}, least {about(found.errors.min())} with {found.best_size}, "
            f"mean of single members {about(found.mean_member_error)}"
            for name, found in zip(shown_names(list(self.ensembles)), self.ensembles.values(), strict=True)
        )
        return f"{self.title}. {'. '.join(parts)}."


def staged_error(ensembles: Any, *, classes: Any = None) -> StagedError:
    """Return the error of the vote of the first 1, 2, ... members of one or more ensembles.

    Parameters
    ----------
    ensembles : mapping of str to StagedErrors, or to (predictions, y) or (predictions, y, weights)
        Ensembles by name: what `covey.analysis.staged_errors` found, or a tuple of what it takes. One ensemble may
        come without a name.
    classes : array-like of shape (n_classes,), optional
        The ensembles' ``classes_``, when predictions are the codes that their ``member_predictions`` give.

    Returns
    -------
    StagedError
    """
    return StagedError(measure_each(ensembles, StagedErrors, staged_errors, classes=classes))


def draw_staged_error(staged: StagedError, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the error of the vote against the number of members, and the mean error of single members as hollow marks.

    Parameters
    ----------
    staged : StagedError
        From `staged_error`.
    ax : matplotlib Axes or None
        Where to draw; names may take room on its right. None for a new one.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the errors, for use as alternative text.
    """
    from covey.plots.fitting import FromOne, fit_texts

    check_made(staged, StagedError, "staged_error")
    ax = axes_of(ax, size_of(staged.curves))
    lines = draw_curves(ax, staged.curves)
    most = max(len(curve.x) for curve in staged.curves)
    for line, found in zip(lines, staged.ensembles.values(), strict=True):
        look: Any = {"marker": line.get_marker(), "markeredgecolor": line.get_color(), **_HOLLOW}
        ax.plot([1 - 0.03 * most], [found.mean_member_error], label="_mean of members", **look)
    shown = staged.title if title is None else title
    dress(ax, title=shown, description=staged.description, x="members", y="error", grid="y")
    ax.xaxis.set_major_locator(FromOne())
    ax.set(xlim=(1 - 0.06 * most, most + 0.02 * most), ylim=_limits(staged))
    fit_texts(ax)
    name_curves(ax, staged.curves, lines, keys=_keys())
    return ax


_HOLLOW: Any = {"linestyle": "", "markerfacecolor": "white", "markersize": 5.5, "markeredgewidth": 1.2, "zorder": 3}


def _limits(staged: StagedError) -> tuple[float, float | None]:
    """Return the ends of the axis of errors: from 0, or a little less lest the axis covers a line there."""
    errors = np.concatenate([[*found.errors, found.mean_member_error] for found in staged.ensembles.values()])
    top = float(errors.max()) or 0.1
    return (-0.03 * top, 1.06 * top) if errors.min() < 0.01 * top else (0.0, None)


def _keys() -> list[Entry]:
    from matplotlib.lines import Line2D

    return [(Line2D([], [], marker="o", markeredgecolor=GREY, **_HOLLOW), "mean error of single members")]
