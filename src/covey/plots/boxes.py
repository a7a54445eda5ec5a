"""Box plots of scores by method, the best on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from covey.analysis.scores import check_direction
from covey.plots.curves import LINE_COLOURS, Floats, about
from covey.plots.members import check_made, labels_of, shown_names
from covey.plots.named_rows import longest_name, make_room_for_names, write_row_names
from covey.plots.room import settle
from covey.plots.style import INK, axes_of, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# So many scores of a method are drawn one by one, more only as a box with outliers.
MOST_POINTS = 100
# Steps of this share of a turn never come near the same place twice.
GOLDEN = (5**0.5 - 1) / 2


class Box(NamedTuple):
    """Tukey's summary of scores: quartiles, and whiskers to the last score within 1.5 times their distance.

    Parameters
    ----------
    low, first, median, third, high : float
        The lower whisker's end, the quartiles, and the upper whisker's end.
    mean : float
        The mean score.
    outliers : tuple of float
        The scores beyond the whiskers.
    """

    low: float
    first: float
    median: float
    third: float
    high: float
    mean: float
    outliers: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class ScoreBoxes:
    """Scores of methods on datasets or in runs.

    Parameters
    ----------
    metric : str
        What the scores are.
    larger_is_better : bool
        Whether the greatest scores are the best.
    methods : tuple of str
        The names of the methods, the best median first; equal ones by their means, then as they were given.
    scores : tuple of ndarray of float64
        The scores of each method.
    """

    metric: str
    larger_is_better: bool
    methods: tuple[str, ...]
    scores: tuple[Floats, ...]

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The box of each method."""
        return tuple(_box(values) for values in self.scores)

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        counts = sorted({len(values) for values in self.scores})
        each = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        return (
            f"{self.metric[:1].upper()}{self.metric[1:]} by method, {each} {'score' if each == '1' else 'scores'} each"
        )

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        better = "larger" if self.larger_is_better else "smaller"
        parts = (
            f"{name}: median {about(box.median)}, quartiles {about(box.first)} and {about(box.third)}, "
            f"mean {about(box.mean)}"
            for name, box in zip(shown_names(self.methods), self.boxes, strict=True)
        )
        return f"Box plots. {self.title}, {better} is better, the best median first. {'. '.join(parts)}."


def _box(values: Floats) -> Box:
    first, median, third = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
    reach = 1.5 * (third - first)
    inside = (values >= first - reach) & (values <= third + reach)
    # A quartile between two scores may have none within reach on its side; then there is no whisker.
    low, high = min(first, float(values[inside].min())), max(third, float(values[inside].max()))
    return Box(low, first, median, third, high, float(values.mean()), tuple(np.sort(values[~inside]).tolist()))


def score_boxes(
    scores: Any, *, metric: str, larger_is_better: bool, methods: Sequence[str] | None = None
) -> ScoreBoxes:
    """Return the scores of methods as boxes, the best median first.

    Quartiles are those of `numpy.quantile`; whiskers reach to the last score within 1.5 times the distance of the
    quartiles (Tukey, 1977).

    Parameters
    ----------
    scores : array-like or data frame of shape (n_datasets, n_methods), or mapping of method to scores
        A score for each dataset or run, and each method. In a mapping methods may differ in the number of scores.
    metric : str
        The name of the axis.
    larger_is_better : bool
        True for accuracies, False for errors and times.
    methods : sequence of str, optional
        Names; by default a frame's columns or a mapping's keys, otherwise "1", "2", ...

    Returns
    -------
    ScoreBoxes
    """
    sign = -1.0 if check_direction(larger_is_better) else 1.0
    columns, found = _read(scores)
    names = _names(methods, found, len(columns))
    for name, values in zip(names, columns, strict=True):
        if not len(values):
            raise ValueError(f"scores: method {name!r} has no scores; run what is missing, or leave it out.")
        if not np.isfinite(values).all():
            row = int(np.isfinite(values).argmin())
            place = _place(scores, row)
            raise ValueError(
                f"scores: method {name!r} has {values[row]} {place}; run what is missing, or leave that out."
            )
    order = sorted(range(len(columns)), key=lambda k: (sign * np.median(columns[k]), sign * columns[k].mean()))
    return ScoreBoxes(
        metric=metric,
        larger_is_better=bool(larger_is_better),
        methods=tuple(names[method] for method in order),
        scores=tuple(columns[method] for method in order),
    )


def _read(scores: Any) -> tuple[list[Floats], Any]:
    """Return the scores of each method, and the methods' names if they are known."""
    try:
        if isinstance(scores, Mapping):
            return [np.array(values, dtype=np.float64).reshape(-1) for values in scores.values()], list(scores)
        matrix = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("scores must be numbers, a row per dataset or run and a column per method.") from None
    if matrix.ndim != 2:
        raise ValueError(f"scores has {matrix.ndim} dimensions, but needs two: a row per dataset, a column per method.")
    return list(matrix.T), getattr(scores, "columns", None)


def _place(scores: Any, row: int) -> str:
    """Return where a row of scores is, by its label if it has one."""
    labels = None if isinstance(scores, Mapping) else labels_of(scores)
    return f"in row {row}, counted from 0" if labels is None else f"on dataset {str(labels[row])!r}"


def _names(given: Sequence[str] | None, found: Any, count: int) -> tuple[str, ...]:
    if count == 0:
        raise ValueError("scores has no method; give a column for each.")
    source = given if given is not None else found
    names = tuple(map(str, range(1, count + 1) if source is None else source))
    if len(names) != count or len(set(names)) < count:
        raise ValueError(f"methods={list(names)!r:.80} must be {count} different names, one for each column of scores.")
    return names


def draw_score_boxes(boxes: ScoreBoxes, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a box for each method, one below the other: quartiles, the median as a line, the mean as a diamond.

    Up to 100 scores of a method are drawn too, at random heights that are always the same; of more, only outliers.

    Parameters
    ----------
    boxes : ScoreBoxes
        From `score_boxes`.
    ax : matplotlib Axes or None
        Where to draw; None for a new one, as high as the number of methods asks for.
    title : str or None
        By default what is shown; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the description of the boxes, for use as alternative text.
    """
    from covey.plots.fitting import fit_texts

    check_made(boxes, ScoreBoxes, "score_boxes")
    count = len(boxes.methods)
    ax = axes_of(ax, (6.2, 1.1 + 0.32 * max(min(count, 12), 2) + 0.23 * max(count - 12, 0)))
    places = np.arange(count, dtype=np.float64)
    shown = boxes.title if title is None else title
    dress(ax, title=shown, description=boxes.description, x=_name_axis(boxes), grid="x")
    fitter = fit_texts(ax)
    width, height = settle(ax)
    room = height / count
    _draw_points(boxes, ax, room)
    low, first, median, third, high, mean = np.array([box[:6] for box in boxes.boxes]).T
    line: Any = {"color": INK, "linewidth": 0.9, "zorder": 3}
    fill: Any = {"color": LINE_COLOURS[0], "alpha": 0.3, "linewidth": 0, "zorder": 2}
    edge: Any = {"color": "none", "edgecolor": INK, "linewidth": 0.9, "zorder": 3}
    for look in (fill, edge):
        for bar in ax.barh(places, third - first, 0.56, first, **look):
            # Bars hold the axis to where they start, which would put a box without width onto its edge.
            bar.sticky_edges.x.clear()
    ax.hlines(np.tile(places, 2), np.concatenate([low, third]), np.concatenate([first, high]), **line)
    ax.vlines(np.concatenate([low, high]), np.tile(places, 2) - 0.14, np.tile(places, 2) + 0.14, **line)
    ax.vlines(median, places - 0.28, places + 0.28, color=INK, linewidth=2, zorder=4)
    mark: Any = {
        "marker": "D",
        "linestyle": "",
        "markersize": min(4.5, 0.35 * room),
        "markeredgewidth": 0.8,
        "zorder": 5,
    }
    ax.plot(mean, places, color="white", markeredgecolor=INK, label="_mean", **mark)
    write_row_names(ax, _row_names(boxes, width))
    make_room_for_names(ax, fitter, 1.5)
    return ax


def _name_axis(boxes: ScoreBoxes) -> str:
    """Return the name of the axis, which says what is drawn."""
    many = [len(values) > MOST_POINTS for values in boxes.scores]
    outliers = any(box.outliers for box, more in zip(boxes.boxes, many, strict=True) if more)
    if not any(many):
        dots = ", dots: all scores"
    elif all(many):
        dots = ", dots: outliers" if outliers else ""
    else:
        dots = f", dots: all scores, but only outliers of more than {MOST_POINTS}"
    return f"{boxes.metric} (line: median, diamond: mean{dots})"


def _draw_points(boxes: ScoreBoxes, ax: Axes, room: float) -> None:
    """Draw the scores of each method, or its outliers if they are many; room is the height of a row in points."""
    for place, (box, values) in enumerate(zip(boxes.boxes, boxes.scores, strict=True)):
        x = np.sort(values) if len(values) <= MOST_POINTS else np.array(box.outliers)
        y = place + 0.44 * (((np.arange(len(x)) + 0.5) * GOLDEN) % 1 - 0.5)
        size = min(3.4 if len(values) <= 40 else 2.6, 0.25 * room)
        look: Any = {"linestyle": "", "marker": "o", "markersize": size, "markeredgewidth": 0}
        ax.plot(x, y, color=LINE_COLOURS[0], alpha=0.6, label="_scores", zorder=1.8, **look)


def _row_names(boxes: ScoreBoxes, width: float) -> list[str]:
    """Return the methods' names as short as asked for by the room, with numbers of scores where those differ."""
    differ = len({len(values) for values in boxes.scores}) > 1
    return [
        f"{name} ({len(values)})" if differ else name
        for name, values in zip(shown_names(boxes.methods, longest_name(width)), boxes.scores, strict=True)
    ]
