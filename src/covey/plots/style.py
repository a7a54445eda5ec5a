"""Parts that all figures have: colours, axes with names, legends, docstrings of drawing functions, and files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from inspect import cleandoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from covey._text import clip, one_line, short_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

Floats = NDArray[np.float64]
Draw = TypeVar("Draw", bound=Callable[..., Any])
Entry = tuple[Any, str]  # of a legend: an artist, and what it stands for

# Okabe and Ito's colours, which colour-blind readers can tell apart, with grey for black, on which no text shows; and
# the colour of text on each. What has a colour has a shape or a place of its own too.
PALETTE = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7", "#999999")
TEXT_ON = ("black", "black", "black", "black", "white", "black", "black", "black")
COLOURS = (*PALETTE, "#332288", "#882255")
BLUE, ORANGE, GREEN = COLOURS[4], COLOURS[5], COLOURS[2]
MARKERS = ("o", "s", "^", "D", "v", "P", "p", "<", "h", ">")
LINES = ("-", "--", "-.", ":")
INK, GREY, PALE = "#222222", "#777777", "#DDDDDD"
DASHES = (0, (4, 3))
POINTS = 9.0
# The width in inches of all new figures, where one is asked for.
_WIDTH: ContextVar[float | None] = ContextVar("width", default=None)
# Names such as "a_$b$" are neither formulas nor TeX.
PLAIN: Any = {"parse_math": False, "usetex": False}

_DRAWN = """

Parameters
----------
{name} : {kind}
    From `{maker}`.
ax : matplotlib Axes or None
    Where to draw. Its figure gets matplotlib's constrained layout if it has none. None for a new figure.
title : str or None
    By default that of the {name}; "" for none.

Returns
-------
matplotlib Axes
    Its label is the description of the {name}, for use as alternative text.
"""
_BOTH = """: `{make}`, then `{draw}`.

Parameters
----------
{arguments}
    As of `{make}`.
ax, title
    As of `{draw}`.

Returns
-------
matplotlib Axes
"""


def draws(kind: type, maker: str) -> Callable[[Draw], Draw]:
    """Complete a drawing function: it refuses what `maker` did not make, and its docstring names its arguments."""

    def complete(draw: Draw) -> Draw:
        name = next(iter(signature(draw).parameters))

        @wraps(draw)
        def checked(*arguments: Any, **options: Any) -> Any:
            data = arguments[0] if arguments else options.get(name)
            if not isinstance(data, kind):
                raise TypeError(f"{name}={shown(data)} is no {kind.__name__}; give what covey.plots.{maker} returns.")
            require_matplotlib()
            return draw(*arguments, **options)

        if "Parameters\n" not in (draw.__doc__ or ""):
            sections = _DRAWN.format(name=name, kind=kind.__name__, maker=maker)
            checked.__doc__ = cleandoc(draw.__doc__ or "") + sections
        return cast("Draw", checked)

    return complete


def require_matplotlib() -> None:
    """Raise an error that says how to install matplotlib, if it is not there."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise ImportError("Figures need matplotlib: pip install 'covey[study]'.") from error


def joins(make: Callable[..., Any], draw: Callable[..., Any]) -> Callable[[Draw], Draw]:
    """Complete the docstring of a function that makes the data of a figure and draws it."""

    def complete(both: Draw) -> Draw:
        arguments = ", ".join(name for name in signature(both).parameters if name not in ("ax", "title"))
        words = {"make": make.__name__, "draw": draw.__name__, "arguments": arguments}
        both.__doc__ = cleandoc(both.__doc__ or "").rstrip(".") + _BOTH.format(**words)
        return both

    return complete


def shown(value: Any) -> str:
    """Return a short text of a value that was given, for an error message."""
    return clip(one_line(repr(value)), 60)


def capitalised(text: str) -> str:
    """Return a text with a capital first letter, and all others as they are."""
    return text[:1].upper() + text[1:]


def exactly(value: float) -> str:
    """Return the value of a parameter as a text, in full if it is short."""
    return short_number(float(value), 3)


def about(score: float) -> str:
    """Return a score in three digits, or four from ten up, which percentages need."""
    if abs(score) >= 1e4:
        return f"{score:.0f}" if abs(score) < 1e15 else f"{score:.3g}"
    return f"{score:.4g}" if abs(score) >= 10 else f"{score:.3g}"


def width_or(inches: float) -> float:
    """Return the width that new figures are to have, or else the one given."""
    return _WIDTH.get() or inches


@contextmanager
def figure_width(inches: float) -> Iterator[None]:
    """Let new figures be so wide whatever they show, as high as they are otherwise: for a page, or for a phone."""
    token = _WIDTH.set(inches)
    try:
        yield
    finally:
        _WIDTH.reset(token)


def begin(
    data: Any,
    ax: Axes | None,
    size: tuple[float, float],
    title: str | None,
    *,
    x: str = "",
    y: str = "",
    grid: str | None = None,
) -> Axes:
    """Return axes for the data of a figure, new ones of a size in inches or those given, with its title and names.

    Their label is the description of the data. The ground is white and what is written is dark whatever matplotlib's
    style: the colours were chosen for that.
    """
    if ax is None:
        from matplotlib import pyplot as plt

        ax = plt.subplots(figsize=(width_or(size[0]), size[1]), layout="constrained")[1]
    figure = ax.get_figure(root=True)
    assert figure is not None
    if figure.get_layout_engine() is None and ax.get_subplotspec() is not None:
        figure.set_layout_engine("constrained")
    ax.set_label(data.description)
    figure.set_facecolor("white")
    ax.set_facecolor("white")
    ax.grid(False, which="both")
    ax.tick_params(which="both", color=INK, labelcolor=INK)
    ax.spines[:].set_color(INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_title(data.title if title is None else title, size="medium", color=INK, **PLAIN)
    ax.set_xlabel(x, color=INK, **PLAIN)
    ax.set_ylabel(y, color=INK, **PLAIN)
    if grid is not None:
        ax.grid(True, axis=grid, color=PALE, linewidth=0.6, linestyle="-")  # type: ignore[arg-type]
        ax.set_axisbelow(True)
    return ax


def legend(ax: Axes, entries: Sequence[Entry], **options: Any) -> Legend:
    """Draw a legend whose names are written as they are, even those that start with an underscore."""
    # Matplotlib leaves out names that start with an underscore, so the names come afterwards.
    numbers = [str(number) for number in range(len(entries))]
    look = {"fontsize": POINTS, "frameon": False, "labelcolor": INK, **options}
    drawn = ax.legend([artist for artist, _ in entries], numbers, **look)
    for text, (_, name) in zip(drawn.get_texts(), entries, strict=True):
        text.set(text=name, **PLAIN)
    return drawn


def mixed(colour: str, other: str, share: float) -> tuple[float, float, float]:
    """Return a colour mixed with a share of another."""
    from matplotlib.colors import to_rgb

    red, green, blue = ((1 - share) * a + share * b for a, b in zip(to_rgb(colour), to_rgb(other), strict=True))
    return red, green, blue


def darker(colour: str, share: float = 0.35) -> Any:
    """Return a colour mixed with black, in which text can be read."""
    return INK if colour == INK else mixed(colour, "black", share)


# What each format of files calls a title and a description.
_NAMES = {".svg": ("Title", "Description"), ".png": ("Title", "Description"), ".pdf": ("Title", "Subject")}


def save_figure(ax: Axes | NDArray[Any], path: str | os.PathLike[str], **options: Any) -> None:
    """Write the figure that axes are in to a file, with its titles and its alternative text among the metadata.

    Parameters
    ----------
    ax : matplotlib Axes, or array of them
        What a drawing function returned.
    path : path
        Its ending says the format; SVG, PDF and PNG can hold the text.
    **options
        For matplotlib's ``savefig``, for example dpi.
    """
    first: Axes = np.ravel(np.asarray(ax, dtype=object))[0]
    figure = first.get_figure(root=True)
    assert figure is not None
    names = _NAMES.get(Path(path).suffix.lower())
    described = [part for part in figure.axes if part.get_label() and not str(part.get_label()).startswith("<")]
    texts = (
        "; ".join(" ".join(part.get_title().split()) for part in described if part.get_title()),
        " ".join(str(part.get_label()) for part in described),
    )
    metadata = {} if names is None else dict(zip(names, texts, strict=True))
    figure.savefig(path, **{"metadata": metadata, **options} if metadata else options)
