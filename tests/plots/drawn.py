"""What the tests of figures ask of a drawing."""

from __future__ import annotations

import io
from itertools import combinations


def save(ax):
    """Save the figure of axes as SVG and PDF, and return the SVG's source."""
    page = io.StringIO()
    ax.figure.savefig(page, format="svg", metadata={"Date": None})
    ax.figure.savefig(io.BytesIO(), format="pdf")
    return page.getvalue()


def extents(artists):
    return [artist.get_window_extent() for artist in artists]


def overlapping(boxes, slack=0.5):
    """The pairs of boxes that have more than a sliver in common."""
    return [
        (one, other)
        for one, other in combinations(boxes, 2)
        if min(one.x1, other.x1) - max(one.x0, other.x0) > slack
        and min(one.y1, other.y1) - max(one.y0, other.y0) > slack
    ]


def is_on_page(ax):
    """Whether nothing of axes is cut off."""
    ax.figure.canvas.draw()
    drawn, page = ax.get_tightbbox(), ax.figure.bbox
    return page.x0 <= drawn.x0 < drawn.x1 <= page.x1 and page.y0 <= drawn.y0 < drawn.y1 <= page.y1


def legend_of(ax):
    legend = ax.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def names_of(ax):
    """The texts written in axes, but for empty ones, which are lines that lead to a name."""
    return [text for text in ax.texts if text.get_text()]


def line(ax, label):
    (found,) = (line for line in ax.lines if line.get_label() == f"_{label}")
    return found
