"""Figures as files that say what they show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What each format calls a title and a description.
_NAMES = {".svg": ("Title", "Description"), ".png": ("Title", "Description"), ".pdf": ("Title", "Subject")}


def save_figure(ax: Axes | np.ndarray[Any, Any], path: str | os.PathLike[str], **options: Any) -> None:
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
    described = [one for one in figure.axes if one.get_label() and not str(one.get_label()).startswith("<")]
    texts = (
        "; ".join(one.get_title() for one in described if one.get_title()),
        " ".join(str(one.get_label()) for one in described),
    )
    metadata = {} if names is None else dict(zip(names, texts, strict=True))
    figure.savefig(path, **{"metadata": metadata, **options} if metadata else options)
