"""ROC curves of several methods, or their precision against recall, with how far off they may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_count
from covey._text import clip, one_line
from covey.analysis.scores import check_alpha
from covey.plots.curves import looks
from covey.plots.detection import NAMES, Kind
from covey.plots.layout import legend_below
from covey.plots.reading import distinct_names
from covey.plots.style import DASHES, GREY, Entry, Floats, begin, draws, shown
from covey.seeds import RandomState, generator

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_METHODS = 6
# Bands are worked out at so many places from 0 to 1.
N_PLACES = 201


@dataclass(frozen=True)
class MethodCurve:
    """The curve of a method, and between which bounds new ones would lie."""

    x: Floats  #: false positive rate or recall, where the curve has a corner
    y: Floats  #: true positive rate or precision there
    area: float  #: the area under the curve, or the average precision
    area_low: float  #: where the interval of the area begins
    area_high: float  #: where it ends
    low: Floats  #: the lower bound of the curve at places spread evenly from 0 to 1
    high: Floats  #: the upper bound there


@dataclass(frozen=True, eq=False)
class MethodCurves:
    """How well methods tell a class from the rest."""

    kind: Kind  #: "roc" or "precision-recall"
    label: str  #: the class that is to be found
    share: float  #: of rows that are of the class
    alpha: float  #: bands and intervals hold with a confidence of 1 - alpha
    methods: Mapping[str, MethodCurve]  #: by the methods' names

    @property
    def title(self) -> str:
        """What is shown, in a line."""
        return f"{NAMES[self.kind][0]} of class {self.label} by method"

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for each method: its name, the area and the interval of it."""
        what = NAMES[self.kind][3]
        names = distinct_names(list(self.methods), 30)
        return tuple(
            f"{name}: {what} {curve.area:.3f} ({curve.area_low:.3f} to {curve.area_high:.3f})"
            for name, curve in zip(names, self.methods.values(), strict=True)
        )

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        return f"{self.title}, with {100 * (1 - self.alpha):g}% intervals. {'. '.join(self.notes)}."


def method_curves(
    y: Any,
    probabilities: Any,
    *,
    positive: Any = None,
    kind: Kind = "roc",
    classes: Any = None,
    alpha: float = 0.05,
    n_samples: int = 1000,
    random_state: RandomState = 0,
) -> MethodCurves:
    """Return how well the probabilities of methods tell a class from the rest, with intervals.

    Rows are drawn again with replacement, those of the class and the others apart; bounds are quantiles of the curves
    and areas of such samples, place by place. They say how much the test rows matter, not what other training rows
    would change.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels of rows that were not seen in training.
    probabilities : mapping of str to array-like, or array-like, of shape (n_samples, n_classes) or (n_samples,)
        What ``predict_proba`` returns, or the column of the class to find, or any score that is larger for it; by
        name if there are several methods, up to 6.
    positive : label, optional
        The class to find; by default the rarer of two.
    kind : {"roc", "precision-recall"}, default="roc"
        Which curve.
    classes : array-like of shape (n_classes,), optional
        The models' ``classes_``; by default the labels in y, sorted.
    alpha : float, default=0.05
        Intervals hold with a confidence of 1 - alpha.
    n_samples : int, default=1000
        How many samples of the rows are drawn.
    random_state : int, None, RandomState, Generator or SeedSequence, default=0
        Draws them.
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind={kind!r} is unknown; give one of {', '.join(map(repr, get_args(Kind)))}.")
    check_count("n_samples", n_samples, 1)
    alpha = check_alpha(alpha)
    labels = np.asarray(y)
    known = np.unique(labels) if classes is None else np.asarray(classes)
    place = _place_of(positive, known, labels)
    truth = labels == known[place]
    if not 0 < truth.sum() < len(truth):
        raise ValueError(
            f"y has {truth.sum()} of {len(truth)} rows of class {known[place]!r}; there must be others too."
        )
    named = probabilities if isinstance(probabilities, Mapping) else {"predictions": probabilities}
    if not 0 < len(named) <= MOST_METHODS:
        raise ValueError(f"probabilities has {len(named)} methods; give 1 to {MOST_METHODS}, which can be told apart.")
    counts = _drawn(truth, int(n_samples), generator(random_state))
    methods = {}
    for name, given in named.items():
        scores = _scores(given, place, len(known), len(labels), name)
        methods[str(name)] = _curve(truth, scores, counts, kind, alpha)
    return MethodCurves(kind, clip(one_line(known[place]), 24), float(truth.mean()), alpha, methods)


def _place_of(positive: Any, classes: NDArray[Any], labels: NDArray[Any]) -> int:
    """Return the position of the class to find."""
    if positive is None:
        if len(classes) != 2:
            raise ValueError(f"positive must be given, as there are {len(classes)} classes: one of {shown(classes)}.")
        return int(np.sum(labels == classes[1]) <= np.sum(labels == classes[0]))
    found = np.flatnonzero(classes == positive)
    if len(found) != 1:
        raise ValueError(f"positive={positive!r} is none of the classes {shown(list(classes))}.")
    return int(found[0])


def _scores(given: Any, place: int, n_classes: int, n_rows: int, name: str) -> Floats:
    """Return the column of the class, all of it finite."""
    scores = np.asarray(given, dtype=np.float64)
    if scores.shape == (n_rows, n_classes):
        scores = scores[:, place]
    if scores.shape != (n_rows,):
        expected = f"({n_rows},) or ({n_rows}, {n_classes})"
        raise ValueError(f"probabilities of {name!r} has shape {scores.shape}, but must have {expected}.")
    if not np.isfinite(scores).all():
        raise ValueError(f"probabilities of {name!r} has values that are missing or infinite; leave those rows out.")
    return scores


def _drawn(truth: NDArray[np.bool_], n_samples: int, rng: np.random.Generator) -> Floats:
    """Return how often each row is in each sample, (n_samples, n_rows); each class keeps its number of rows."""
    counts = np.empty((n_samples, len(truth)))
    for rows in (np.flatnonzero(truth), np.flatnonzero(~truth)):
        counts[:, rows] = rng.multinomial(len(rows), np.full(len(rows), 1 / len(rows)), size=n_samples)
    return counts


def _curve(truth: NDArray[np.bool_], scores: Floats, counts: Floats, kind: Kind, alpha: float) -> MethodCurve:
    order = np.argsort(-scores, kind="stable")
    # Rows with the same score are found together.
    ends = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    truth = truth[order]
    x, y, area = _points(truth, np.ones(len(truth)), ends, kind)
    at = np.linspace(0, 1, N_PLACES)
    samples, areas = np.empty((len(counts), N_PLACES)), np.empty(len(counts))
    for number, weight in enumerate(counts):
        across, up, areas[number] = _points(truth, weight[order], ends, kind)
        samples[number] = _read_off(at, across, up, kind)
    bounds = (alpha / 2, 1 - alpha / 2)
    (low, high), (area_low, area_high) = np.quantile(samples, bounds, axis=0), np.quantile(areas, bounds)
    return MethodCurve(x, y, area, float(area_low), float(area_high), low, high)


def _points(
    truth: NDArray[np.bool_], weight: Floats, ends: NDArray[np.intp], kind: Kind
) -> tuple[Floats, Floats, float]:
    """Return the corners of the curve of rows in falling order of their scores, and its area."""
    true, false = np.cumsum(weight * truth)[ends], np.cumsum(weight * ~truth)[ends]
    recall = np.append(0.0, true / true[-1])
    if kind == "roc":
        across = np.append(0.0, false / false[-1])
        return across, recall, float(np.trapezoid(recall, across))
    # Where no more rows of the class are found, recall stays and precision only falls.
    found = np.flatnonzero(np.diff(recall) > 0)
    precision = true[found] / (true[found] + false[found])
    area = float(np.diff(recall)[found] @ precision)
    return np.append(0.0, recall[found + 1]), np.append(precision[0], precision), area


def _read_off(at: Floats, x: Floats, y: Floats, kind: Kind) -> Floats:
    """Return a curve's height at some places: of a step that rises the end, of precision that of the larger recall."""
    if kind == "roc":
        return np.interp(at, x, y)
    return np.asarray(y[np.minimum(np.searchsorted(x, at - 1e-12), len(y) - 1)])


@draws(MethodCurves, "method_curves")
def draw_method_curves(curves: MethodCurves, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a curve for each method with its band, and in grey what guessing would give."""
    from matplotlib.ticker import PercentFormatter

    _, x, y, _ = NAMES[curves.kind]
    ax = begin(curves, ax, (5.2, 4.6 + 0.2 * len(curves.methods)), title, x=x, y=y, grid="both")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.03))
    entries: list[Entry] = []
    step: Any = "default" if curves.kind == "roc" else "steps-pre"
    at = np.linspace(0, 1, N_PLACES)
    parts = zip(curves.notes, curves.methods.values(), looks(len(curves.methods)), strict=True)
    for number, (note, curve, look) in enumerate(parts):
        ax.fill_between(at, curve.low, curve.high, color=look["color"], alpha=0.15, linewidth=0, zorder=1.5)
        line: Any = {"color": look["color"], "linestyle": look["linestyle"], "linewidth": 1.8, "zorder": 2.5}
        (drawn,) = ax.plot(curve.x, curve.y, drawstyle=step, label=f"_{number}", **line)
        entries.append((drawn, note))
    level = [0, 1] if curves.kind == "roc" else [curves.share] * 2
    grey: Any = {"color": GREY, "linewidth": 1, "linestyle": DASHES, "zorder": 1.5, "label": "_guess"}
    (guess,) = ax.plot([0, 1], level, **grey)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    sure = f"guessing (bands, and in parentheses: {100 * (1 - curves.alpha):g}% intervals)"
    legend_below(ax, [*entries, (guess, sure)], handlelength=2.2, ncols=1)
    return ax
