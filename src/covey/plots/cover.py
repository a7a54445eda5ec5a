"""A sphere cover as a map: two columns of the data, spheres as circles, and the class that each place gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_consistent_length

from covey import SphereCoverClassifier
from covey._text import clip, counted, one_line, quoted, short_weight
from covey.plots.layout import legend_below, settle
from covey.plots.style import COLOURS, GREY, INK, MARKERS, Entry, Floats, begin, draws
from covey.table import Table, as_table, encode_classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Codes = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Spheres:
    """Some spheres of a cover, in the order they were made."""

    rows: Codes  #: the cases at their centres, (n_spheres,)
    codes: Codes  #: their classes, (n_spheres,)
    centers: Floats  #: in scaled coordinates, (n_spheres, 2)
    radii: Floats  #: infinite for a sphere that nothing halts, (n_spheres,)

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, eq=False)
class CoverMap:
    """A sphere cover of two columns, in coordinates scaled as the classifier scales them."""

    names: tuple[str, ...]  #: the columns, the horizontal one first
    classes: tuple[str, ...]  #: the names of the classes
    points: Floats  #: the training cases, (n_cases, 2)
    codes: Codes  #: their classes, (n_cases,)
    spheres: Spheres  #: those that were kept
    dropped: Spheres  #: those that held too few cases
    sizes: Floats  #: how many cases of its class each sphere holds, (n_spheres,)
    borders: Codes  #: the rows of the border cases
    uncovered: Codes  #: the rows of the cases in no sphere
    window: Floats  #: where the map begins and ends, a row per column, (2, 2)
    origin: Floats  #: what 0 is in the units of the data, (2,)
    span: Floats  #: how much more 1 is, (2,)
    region: Codes  #: the class of each pixel, the lowest row first, (n_rows, n_columns)
    inside: NDArray[np.bool_]  #: whether a sphere holds it: there rule 1 decides, elsewhere rule 2
    min_sphere_size: float  #: the least size alpha
    max_enemies: int  #: the number beta of cases of other classes that a sphere may hold
    accuracy: float  #: the share of the training cases that get their own class

    def in_units(self, coordinates: Floats) -> Floats:
        """Return scaled coordinates, whose last axis is the two columns, in the units of the data."""
        return np.asarray(self.origin + self.span * coordinates)

    @property
    def ranges(self) -> Floats:
        """Where the map begins and ends in the units of the data, a row per column."""
        return self.in_units(self.window.T).T

    @property
    def title(self) -> str:
        """The counts in a line."""
        dropped = f", {len(self.dropped)} dropped" if len(self.dropped) else ""
        beta = f", beta = {self.max_enemies}" if self.max_enemies else ""
        counts = f"{counted(len(self.spheres), 'sphere')} for {counted(len(self.codes), 'case')}"
        return f"{counts}{dropped}; alpha = {short_weight(self.min_sphere_size)}{beta}"

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        return (
            f"Sphere cover of {self.names[0]} and {self.names[1]}: {self.title}. Classes: {', '.join(self.classes)}. "
            f"{counted(len(self.uncovered), 'case')} in no sphere; {self.accuracy:.0%} of all get their own class."
        )


def cover_map(
    X: Any,
    y: Any,
    estimator: SphereCoverClassifier | None = None,
    *,
    columns: Sequence[int | str] | None = None,
    resolution: int = 200,
) -> CoverMap:
    """Cover two columns of some data by spheres, and find the class of each place.

    Parameters
    ----------
    X : array-like or data frame of shape (n_samples, n_features)
        The data, complete in the two columns.
    y : array-like of shape (n_samples,)
        Class labels.
    estimator : SphereCoverClassifier, optional
        A copy is trained on the two columns; by default of ``SphereCoverClassifier(random_state=0)``. One that is
        trained already is shown as it is: X and y must be what it was trained on, two columns in all.
    columns : two of int or str, optional
        The positions or names of the columns, the horizontal one first; by default the first two that are numeric.
    resolution : int, default=200
        Pixels along the longer side of the map.
    """
    if not resolution >= 2:
        raise ValueError(f"resolution={resolution!r} must be 2 or more.")
    estimator = SphereCoverClassifier(random_state=0) if estimator is None else estimator
    model, table, codes = _trained(X, y, estimator, columns)
    space = model._space
    assert space is not None  # the metric is Euclidean
    origin, span = space.low, 2.0 * space.half
    points = space.place(table.matrix).exact
    window = _window(points)
    sides = np.diff(window, axis=1)[::-1, 0]
    shape = np.ceil(resolution * sides / sides.max()).astype(int).tolist()
    there = model._decide(Table(origin + span * _pixels(window, shape).reshape(-1, 2), table.schema))
    spheres, dropped = (
        Spheres(rows, codes[rows], points[rows], radii)
        for rows, radii in ((model.center_indices_, model.radii_), (model.pruned_indices_, model.pruned_radii_))
    )
    return CoverMap(
        names=tuple(clip(one_line(name), 48) for name in table.names),
        classes=tuple(clip(one_line(label), 24) for label in model.classes_),
        points=points,
        codes=codes,
        spheres=spheres,
        dropped=dropped,
        sizes=model.sphere_sizes_,
        borders=model.border_indices_,
        uncovered=model.uncovered_indices_,
        window=window,
        origin=origin,
        span=span,
        region=spheres.codes[there.sphere].reshape(shape),
        inside=there.inside.reshape(shape),
        min_sphere_size=model.min_sphere_size_,
        max_enemies=int(model.max_enemies),
        accuracy=float(np.mean(spheres.codes[model._decide(table).sphere] == codes)),
    )


def _trained(X: Any, y: Any, model: Any, columns: Any) -> tuple[SphereCoverClassifier, Table, Codes]:
    """Return a classifier trained on two columns, these, and the class codes of their rows."""
    if not isinstance(model, SphereCoverClassifier):
        raise TypeError(f"estimator must be one like SphereCoverClassifier(min_sphere_size=3), not {model!r:.60}.")
    if model.metric != "euclidean":
        raise ValueError(f"estimator has metric={model.metric!r}; circles take one with metric='euclidean'.")
    ready = hasattr(model, "centers_")
    if ready and (columns is not None or model.n_features_in_ != 2):
        raise ValueError(
            f"estimator was trained on {counted(model.n_features_in_, 'column')} and would be shown as it is; train it "
            "on two and leave columns out, or give clone(estimator), of which a copy is trained on two columns."
        )
    whole = Table(model.schema_.encode(X), model.schema_) if ready else as_table(X, model.categorical_features)
    chosen = [0, 1] if ready else _choose(whole, columns)
    table = Table(np.ascontiguousarray(whole.matrix[:, chosen]), whole.schema.take(chosen))
    _check_columns(table)
    classes, codes = encode_classes(y)
    check_consistent_length(table.matrix, codes)
    if not ready:
        return clone(model).fit(table, y), table, codes
    rows, same = model.center_indices_, np.array_equal
    there = rows.max() < len(codes) and same(table.matrix[rows], model.centers_)
    if not (there and same(classes, model.classes_) and same(classes[codes[rows]], model.sphere_classes_)):
        raise ValueError("X and y are not what estimator was trained on; give that, or clone(estimator).")
    return model, table, codes


def _choose(table: Table, columns: Any) -> list[int]:
    """Return the positions of two columns."""
    if columns is None:
        numeric: list[int] = np.flatnonzero(~table.categorical).tolist()
        if len(numeric) < 2:
            raise ValueError(f"X has {counted(len(numeric), 'numeric column')}, but a map needs two.")
        return numeric[:2]
    known = {key: position for position, name in enumerate(table.names) for key in (position, name)}
    given = np.ravel(np.asarray(columns, dtype=object)).tolist()
    for column in given:
        if column not in known:
            known_names = quoted(table.names, 8)
            raise ValueError(f"columns has {column!r}, but X has {counted(len(table.names), 'column')}: {known_names}.")
    if len({known[column] for column in given}) != 2 or len(given) != 2:
        raise ValueError(f"columns={columns!r} must be two different columns, by position or by name.")
    return [known[column] for column in given]


def _check_columns(table: Table) -> None:
    """Refuse what is no axis of a map: categories, missing numbers, and a number that is always the same."""
    for name, categorical, values in zip(table.names, table.categorical, table.matrix.T, strict=True):
        missing, wrong = int(np.isnan(values).sum()), ""
        if categorical:
            wrong = "is categorical; choose a numeric one"
        elif missing:
            wrong = f"is missing in {counted(missing, 'row')}; drop them from X and y, or choose another column"
        elif not 0 < 0.5 * values.max() - 0.5 * values.min() < 1e300:
            wrong = f"goes from {values.min():g} to {values.max():g}, which is no axis; choose another column"
        if wrong:
            raise ValueError(f"columns: {name!r} {wrong}.")


def _window(points: Floats) -> Floats:
    """Return where a map of points begins and ends: a margin around them, and never a narrow strip."""
    low, high = points.min(axis=0), points.max(axis=0)
    longest = (high - low).max()
    half = np.maximum(high - low, longest / 3) / 2 + 0.06 * longest
    return np.stack([(low + high) / 2 - half, (low + high) / 2 + half], axis=1)


def _pixels(window: Floats, shape: Sequence[int]) -> Floats:
    """Return the middles of the pixels in scaled coordinates."""
    y, x = (low + (high - low) * (np.arange(n) + 0.5) / n for (low, high), n in zip(window[::-1], shape, strict=True))
    return np.stack(np.meshgrid(x, y), axis=-1)


@draws(CoverMap, "cover_map")
def draw_cover(
    cover: CoverMap, ax: Axes | None = None, *, regions: bool = True, pruned: bool = True, title: str | None = None
) -> Axes:
    """Draw a sphere cover: cases in the colour and shape of their class, and circles around the centres of spheres.

    Parameters
    ----------
    cover : CoverMap
        From `cover_map`.
    ax : matplotlib Axes or None
        Where to draw, in the units of the data, with a legend below that takes room from the axes; None for a new one.
    regions : bool, default=True
        Whether to tint each place in the colour of its class, paler outside of all spheres.
    pruned : bool, default=True
        Whether to show the spheres that were dropped, as dotted circles.
    title : str or None
        By default the numbers of spheres and cases; "" for none.

    Returns
    -------
    matplotlib Axes
        Its label is the map's description, for use as alternative text.
    """
    if len(cover.classes) > len(COLOURS):
        counts = f"{len(cover.classes)} classes, but only {len(COLOURS)} can be told apart"
        raise ValueError(f"cover has {counts}; give cover_map the rows of some of them.")
    width, height = 5 * np.diff(cover.window, axis=1)[:, 0] / np.diff(cover.window, axis=1).max()
    size = (max(width, 3) + 0.9, height + 1.7)
    ax = begin(cover, ax, size, title, x=cover.names[0], y=cover.names[1])
    ax.spines[:].set_visible(True)
    ax.set(xlim=cover.ranges[0], ylim=cover.ranges[1], aspect=cover.span[0] / cover.span[1], anchor="N")
    entries = [*_draw_cases(cover, ax), _draw_spheres(cover, ax, kept=True)]
    entries += [_draw_spheres(cover, ax, kept=False)] if pruned else []
    entries += [_draw_regions(cover, ax)] if regions else []
    legend_below(ax, entries)
    settle(ax)  # axes of a fixed shape take a layout engine two rounds, and drawing is the second
    return ax


def _shades(towards: str, share: float) -> Floats:
    """Return the colours of the classes, mixed with another."""
    from matplotlib.colors import to_rgba_array

    return np.asarray((1 - share) * to_rgba_array(COLOURS) + share * to_rgba_array(towards))


def _draw_regions(cover: CoverMap, ax: Axes) -> Entry:
    from matplotlib.patches import Patch

    tints = np.stack([_shades("white", 0.88), _shades("white", 0.68)])[cover.inside.astype(int), cover.region]
    left, right, bottom, top = cover.ranges.ravel().tolist()
    image = ax.imshow(tints, extent=(left, right, bottom, top), origin="lower", aspect=ax.get_aspect(), zorder=0)
    image.set_interpolation("bilinear")
    return Patch(facecolor="#F4F4F4", edgecolor=GREY, linewidth=0.6), "outside all spheres"


def _draw_spheres(cover: CoverMap, ax: Axes, *, kept: bool) -> Entry:
    from matplotlib.collections import PatchCollection
    from matplotlib.lines import Line2D
    from matplotlib.patches import Ellipse

    spheres, name = (cover.spheres, "sphere") if kept else (cover.dropped, "dropped sphere")
    seen = np.flatnonzero(np.isfinite(spheres.radii) & (spheres.radii > 0))
    codes, many = spheres.codes[seen], max(len(seen), 1)
    faces, edges = _shades("white", 0)[codes], (_shades("black", 0.25) if kept else _shades(GREY, 0.5))[codes]
    faces[:, 3] = min(0.1, 2 / many) if kept else 0
    sizes = 2 * spheres.radii[seen, None] * cover.span
    circles = [Ellipse(at, *size) for at, size in zip(cover.in_units(spheres.centers[seen]), sizes, strict=True)]
    drawn = PatchCollection(circles, facecolors=faces, edgecolors=edges, label=f"_{name}")
    drawn.set_linestyle("-" if kept else ":")
    drawn.set_linewidth(float(np.clip(1.3 * (20 / many) ** 0.3, 0.4, 1.3)))
    ax.add_collection(drawn, autolim=False)
    return Line2D([], [], color=GREY, linewidth=1.2, linestyle="-" if kept else ":"), name


def _draw_cases(cover: CoverMap, ax: Axes) -> list[Entry]:
    from matplotlib.lines import Line2D

    x, y = cover.in_units(cover.points).T
    side = float(np.clip(5.5 * (100 / len(x)) ** 0.25, 2.2, 6))
    colours = zip(cover.classes, MARKERS, COLOURS, _shades("black", 0.45), strict=False)
    marks = [(name, np.flatnonzero(cover.codes == code), *look, 1.0) for code, (name, *look) in enumerate(colours)]
    marks.append(("centre", cover.spheres.rows, ".", INK, INK, 0.6))
    marks.append(("border case", cover.borders, "o", "none", INK, 1.9))
    marks.append(("uncovered case", cover.uncovered, "x", INK, INK, 1.4))
    entries: list[Entry] = []
    for name, rows, marker, face, edge, scale in marks:
        look: Any = {"marker": marker, "markerfacecolor": face, "markeredgecolor": edge, "linestyle": ""}
        size = scale * side
        ax.add_line(Line2D(x[rows], y[rows], markersize=size, markeredgewidth=0.12 * side, label=f"_{name}", **look))
        entries.append((Line2D([], [], markersize=5 * scale, markeredgewidth=0.6, **look), name))
    return entries
