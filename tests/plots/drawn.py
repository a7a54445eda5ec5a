"""What the tests of figures ask of a drawing."""

from __future__ import annotations

import io
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd

from covey.reproduce.published import PUBLISHED


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


def row_names(ax):
    return [text.get_text() for text in ax.get_yticklabels()]


def published_accuracies(*tables):
    """Mean accuracies of tables of the sphere-cover paper, methods side by side."""
    frame = pd.concat([pd.read_csv(PUBLISHED / f"rsc-table-{number:02d}.csv") for number in tables])
    frame = frame[frame["metric"] == "accuracy-pct"]
    return frame.pivot(index="dataset", columns="method", values="mean").astype(float)


def model_of(weights, names=None):
    """What a fitted ensemble over random columns has, as far as figures ask; rows are its weights by round."""
    weights = np.array(weights, dtype=float)
    model = SimpleNamespace(feature_weights_=np.atleast_2d(weights)[-1], n_features_in_=weights.shape[-1])
    if weights.ndim == 2:
        model.feature_weights_path_ = weights
    if names is not None:
        model.schema_ = SimpleNamespace(names=tuple(names))
    return model
