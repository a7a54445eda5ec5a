"""What all figures have in common: colours, new axes, a title, alternative text, and a legend of names as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covey.learners.describe import PALETTE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Two colours more than trees have. What has a colour has a shape or a place of its own too.
COLOURS = (*PALETTE, "#332288", "#882255")
MARKERS = ("o", "s", "^", "D", "v", "P", "p", "<", "h", ">")
LINES = ("-", "--", "-.", ":")
INK, GREY, PALE = "#222222", "#777777", "#DDDDDD"
POINTS = 9.0
# As they are: method names such as "a_$b$" are neither formulas nor TeX.
PLAIN: Any = {"parse_math": False, "usetex": False}


def axes_of(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Return axes to draw in: those given, or new ones of a size in inches."""
    if ax is not None:
        return ax
    from matplotlib import pyplot as plt

    new: Axes = plt.subplots(figsize=size, layout="constrained")[1]
    return new


def dress(
    ax: Axes, *, title: str, description: str, x: str | None = None, y: str | None = None, grid: str | None = None
) -> None:
    """Give axes a title, names, alternative text as their label, a faint grid ("x", "y" or "both"), and no box.

    The ground is white and what is written is dark whatever matplotlib's style: the colours were chosen for that.
    """
    ax.set_label(description)
    figure = ax.get_figure(root=True)
    assert figure is not None
    figure.set_facecolor("white")
    ax.set_facecolor("white")
    ax.grid(False, which="both")
    ax.tick_params(which="both", color=INK, labelcolor=INK)
    ax.spines[:].set_color(INK)
    ax.set_title(title, size="medium", color=INK, **PLAIN)
    if x is not None:
        ax.set_xlabel(x, color=INK, **PLAIN)
    if y is not None:
        ax.set_ylabel(y, color=INK, **PLAIN)
    ax.spines[["top", "right"]].set_visible(False)
    if grid is not None:
        ax.grid(True, axis=grid, color=PALE, linewidth=0.6, linestyle="-")  # type: ignore[arg-type]
        ax.set_axisbelow(True)


def legend(ax: Axes, handles: Sequence[Any], names: Sequence[str], **options: Any) -> None:
    """Draw a legend whose names are written as they are, even those that start with an underscore."""
    # Matplotlib leaves out names that start with an underscore, so the names come afterwards.
    drawn = ax.legend(
        handles,
        [str(number) for number in range(len(names))],
        fontsize=POINTS,
        frameon=False,
        labelcolor=INK,
        **options,
    )
    for text, name in zip(drawn.get_texts(), names, strict=True):
        text.set(text=name, **PLAIN)
