"""The hierarchy of combined strategies: which steps up, from fewer strategies to more, are improvements."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._rounding import write_number
from covey._text import counted, one_line
from covey.analysis.scores import check_alpha
from covey.analysis.significance.records import Records
from covey.plots.layout import lay_out, text_size
from covey.plots.reading import distinct_names
from covey.plots.style import BLUE, GREY, INK, ORANGE, PLAIN, POINTS, Floats, begin, capitalised, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = tuple[float, float]
Node = str | tuple[str, str, int]  # a method, or where the line between two methods passes a level

# The systems of Webb and Zheng (2004), figure 1, and the ensemble strategies that each combines. C4.5SAS, a single
# tree, is not among them.
MULTISTRATEGY: Mapping[str, frozenset[str]] = {
    "c4.5": frozenset(),
    "boost": frozenset({"boosting"}),
    "wag": frozenset({"wagging"}),
    "sasc": frozenset({"stochastic attributes"}),
    "mb": frozenset({"boosting", "wagging"}),
    "boostsasc": frozenset({"boosting", "stochastic attributes"}),
    "wagsasc": frozenset({"wagging", "stochastic attributes"}),
    "mbsasc": frozenset({"boosting", "wagging", "stochastic attributes"}),
}
# The marker and the colour of each sign.
SIGNS = {"+": ("+", BLUE), "-": ("_", ORANGE), "=": ("$=$", GREY)}
WORDS = {"+": "better", "-": "worse", "=": "even"}
# How long and how thick strokes are, in points, of significant steps and of others.
LARGE, SMALL = (13.0, 3.0), (8.0, 1.2)
# How far up a line its sign may be.
SHARES = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75)


@dataclass(frozen=True)
class Step:
    """A step up, to a method that adds strategies to those of another."""

    lower: str
    upper: str
    record: tuple[int, int, int]  # wins, draws and losses of the upper method against the lower
    p_value: float  # of the two-tailed sign test
    sign: str  # "+", "-" or "=": whether the upper method wins more often than it loses, less often, or as often
    significant: bool
    path: tuple[Point, ...]  # the corners of its line, from the lower method to the upper
    label: Point  # where on the line the sign is


@dataclass(frozen=True, eq=False)
class HierarchyDiagram:
    """Methods by the strategies they combine, with the win/draw/loss record of each step up."""

    methods: tuple[str, ...]  #: the methods
    parts: tuple[frozenset[str], ...]  #: the strategies that each combines
    #: where each is: neighbours are 1 apart, and so are levels, which hold methods of as many strategies
    places: Floats
    means: Floats | None  #: the mean value of each over the datasets, (n_methods,)
    steps: tuple[Step, ...]  #: from each method to those that add as little as any to its strategies
    measure: str  #: what is measured, "" if that was not said
    larger_is_better: bool  #: which direction is better
    n_datasets: int  #: on how many datasets
    alpha: float  #: the level of significance
    digits: int  #: decimals of the means

    @property
    def labels(self) -> list[str]:
        """What is written at each method: its name, and its mean below."""
        names = distinct_names(self.methods, 32)
        if self.means is None:
            return names
        written = [write_number(mean, f".{self.digits}f") for mean in self.means]
        return [f"{name}\n{mean}" for name, mean in zip(names, written, strict=True)]

    @property
    def title(self) -> str:
        """How many steps are improvements."""
        subject = f"{one_line(self.measure)}: " if self.measure else ""
        kinds = {sign: [step for step in self.steps if step.sign == sign] for sign in SIGNS}
        total = f" of {counted(len(self.steps), 'step')} up"
        words = [_count(kinds["+"], "improve", total)]
        words += [_count(kinds["-"], "decline")] if kinds["-"] else []
        words += [f"{len(kinds['='])} even"] if kinds["="] else []
        return capitalised(subject + ", ".join(words))

    @property
    def legend(self) -> str:
        """What the signs mean."""
        direction = "larger" if self.larger_is_better else "smaller"
        return (
            f"plus: the upper method wins on more of {self.n_datasets} datasets than it loses; minus: on fewer; "
            f"equals: on as many ({direction} is better); large and bold: a two-tailed sign test has p < {self.alpha:g}"
        )

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        means = (
            "" if self.means is None else f" Means: {', '.join(text.replace(chr(10), ' ') for text in self.labels)}."
        )
        steps = "; ".join(
            f"{step.lower} to {step.upper} {WORDS[step.sign]}{' significantly' if step.significant else ''} "
            f"({'/'.join(map(str, step.record))})"
            for step in self.steps
        )
        return f"Hierarchy of {len(self.methods)} methods. {self.title}.{means} Steps with wins/draws/losses: {steps}."


def _count(steps: list[Step], verb: str, total: str = "") -> str:
    """Return how many steps do something, and how many of them significantly."""
    certain = sum(step.significant for step in steps)
    how = f" ({certain or 'none'} significantly)" if steps else ""
    return f"{len(steps)}{total} {verb}{'s' if len(steps) == 1 else ''}{how}"


def hierarchy_diagram(
    records: Records,
    means: Mapping[str, float] | None = None,
    parts: Mapping[str, Collection[str]] | None = None,
    *,
    measure: str = "",
    alpha: float = 0.05,
    digits: int = 3,
) -> HierarchyDiagram:
    """Lay out methods by the strategies they combine, as in figures 1 to 6 of Webb and Zheng (2004).

    Parameters
    ----------
    records : Records
        From `win_draw_loss`. Methods without parts are left out.
    means : mapping of str to float, optional
        The mean value of each method over the datasets, written below its name.
    parts : mapping of str to collection of str, optional
        The strategies that each method combines; none for the base learner. Steps lead from each set of strategies
        to those that contain it, with none in between. By default `MULTISTRATEGY`, as far as records has its methods.
    measure : str, default=""
        What was measured, such as "error", for the title.
    alpha : float, default=0.05
        The level of significance of the sign tests.
    digits : int, default=3
        Decimals of the means.
    """
    if not isinstance(records, Records):
        raise TypeError(f"records must be Records, as win_draw_loss returns them, not {records!r:.60}.")
    level = check_alpha(alpha)
    if not isinstance(digits, int | np.integer) or not 0 <= digits <= 15:
        raise ValueError(f"digits={digits!r} must be a whole number from 0 to 15.")
    sets = _check_parts(parts, records.methods)
    for name in sets:
        if means is not None and not (name in means and np.isfinite(means[name])):
            raise ValueError(f"means has no number for {name!r}; give one for each method, or none at all.")
    covers = _covers(sets)
    if not covers:
        raise ValueError("parts has no two methods of which one adds to the strategies of the other; name their parts.")
    places, paths = _arrange(sets, covers)
    steps = []
    for (lower, upper), path, label in zip(covers, paths, _sign_places(paths), strict=True):
        wins, draws, losses = records.record(upper, lower)
        p_value = float(records.p_values[records.methods.index(upper), records.methods.index(lower)])
        sign = "+" if wins > losses else "-" if wins < losses else "="
        steps.append(Step(lower, upper, (wins, draws, losses), p_value, sign, p_value < level, path, label))
    return HierarchyDiagram(
        methods=tuple(sets),
        parts=tuple(sets.values()),
        places=np.array([places[name] for name in sets]),
        means=None if means is None else np.array([float(means[name]) for name in sets]),
        steps=tuple(steps),
        measure=measure,
        larger_is_better=records.larger_is_better,
        n_datasets=records.n_datasets,
        alpha=level,
        digits=digits,
    )


def _check_parts(parts: Any, methods: tuple[str, ...]) -> dict[str, frozenset[str]]:
    if parts is None:
        known = {name: strategies for name, strategies in MULTISTRATEGY.items() if name in methods}
        if len(known) < 2:
            raise ValueError(f"records has none of {', '.join(MULTISTRATEGY)}; give the parts of its methods.")
        return known
    sets: dict[str, frozenset[str]] = {}
    for name, strategies in parts.items():
        if name not in methods:
            raise ValueError(f"parts has {name!r}, which is no method of records; these are {', '.join(methods)}.")
        if isinstance(strategies, str):
            raise TypeError(
                f"parts has {strategies!r} for {name!r}, but must have a collection of strategies: {{{strategies!r}}}."
            )
        twin = next((other for other, there in sets.items() if there == frozenset(strategies)), None)
        if twin is not None:
            raise ValueError(f"parts has the same strategies for {twin!r} and {name!r}; tell them apart or drop one.")
        sets[name] = frozenset(strategies)
    return sets


def _covers(sets: Mapping[str, frozenset[str]]) -> list[tuple[str, str]]:
    """Return the pairs of methods of which the second has all strategies of the first, with none in between."""
    return [
        (lower, upper)
        for lower, fewer in sets.items()
        for upper, more in sets.items()
        if fewer < more and not any(fewer < between < more for between in sets.values())
    ]


def _arrange(
    sets: Mapping[str, frozenset[str]], covers: Sequence[tuple[str, str]]
) -> tuple[dict[str, Point], list[tuple[Point, ...]]]:
    """Return the place of each method, and the corners of each line up, which has one at each level that it passes.

    A level is sorted by the mean place of its neighbours in the level below, then, from the top, in the one above
    (Sugiyama, Tagawa and Toda 1981): few lines cross.
    """
    sizes = sorted({len(parts) for parts in sets.values()})
    level = {name: sizes.index(len(parts)) for name, parts in sets.items()}
    rows: list[list[Node]] = [[name for name in sets if level[name] == depth] for depth in range(len(sizes))]
    ways: list[list[Node]] = []
    for lower, upper in covers:
        between: list[Node] = [(lower, upper, depth) for depth in range(level[lower] + 1, level[upper])]
        for depth, node in enumerate(between, level[lower] + 1):
            rows[depth].append(node)
        ways.append([lower, *between, upper])
    links = [link for way in ways for link in pairwise(way)]
    places: dict[Node, Point] = {}
    for direction in (1, -1):
        there: dict[Node, float] = {}
        for row in rows[::direction]:
            wanted = _centred(row)
            for node in row:
                near = [there[pair[0]] for pair in (link[::direction] for link in links) if pair[1] == node]
                wanted[node] = float(np.mean(near)) if near else wanted[node]
            row.sort(key=wanted.__getitem__)
            there |= _centred(row)
    for depth, row in enumerate(rows):
        places |= {node: (x, float(depth)) for node, x in _centred(row).items()}
    return {name: places[name] for name in sets}, [tuple(places[node] for node in way) for way in ways]


def _centred(row: Sequence[Node]) -> dict[Node, float]:
    return {node: place - (len(row) - 1) / 2 for place, node in enumerate(row)}


def _sign_places(paths: Sequence[tuple[Point, ...]]) -> list[Point]:
    """Return a point on the last stretch of each line: below each level at the height that parts lines most."""
    shares = {}
    for level in {path[-1][1] for path in paths}:
        ends = np.array([pair for path in paths for pair in pairwise(path) if pair[1][1] == level])[:, :, 0]
        passing = [np.sort(ends[:, 0] + share * (ends[:, 1] - ends[:, 0])) for share in SHARES]
        gaps = [np.diff(places).min(initial=1.0) for places in passing]
        shares[level] = SHARES[int(np.argmax(np.round(np.minimum(gaps, 0.25), 6)))]
    labels = []
    for path in paths:
        (left, bottom), (right, top) = path[-2:]
        share = shares[top]
        labels.append((left + share * (right - left), bottom + share * (top - bottom)))
    return labels


@draws(HierarchyDiagram, "hierarchy_diagram")
def draw_hierarchy(diagram: HierarchyDiagram, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw the hierarchy: the base learner at the bottom, and a sign on each line up."""
    (left, _), (right, top) = diagram.places.min(axis=0), diagram.places.max(axis=0)
    longest = max(len(line) for label in diagram.labels for line in label.split("\n"))
    width = (right - left + 1) * max(1.3, 0.08 * longest + 0.35)
    ax = begin(diagram, ax, (max(width, 6.0), 1.3 * (top + 0.6) + 1.0), title, x=diagram.legend)
    ax.set(xlim=(left - 0.5, right + 0.5), ylim=(-0.3, top + 0.3), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.xaxis.label.set(color=GREY, size=POINTS)
    signs = []
    for step in diagram.steps:
        thick = 1.6 if step.significant else 0.8
        ax.plot(*zip(*step.path, strict=True), color=GREY, linewidth=thick, zorder=1, label="_step")
        marker, colour = SIGNS[step.sign]
        mark: Any = {"marker": marker, "linestyle": ""}
        size, thick = LARGE if step.significant else SMALL
        for label, shade, edge in (("_halo", "white", 4.0), (f"_sign {step.sign}", colour, 0.0)):
            look: Any = {"markersize": size + edge, "markeredgewidth": thick + edge, "markerfacecolor": "none"}
            signs += ax.plot(*step.label, color=shade, label=label, zorder=2, **mark, **look)
    box: Any = {"boxstyle": "round,pad=0.4", "facecolor": "white", "edgecolor": INK, "linewidth": 0.8}
    write: Any = {"ha": "center", "va": "center", "color": INK, "bbox": box, "zorder": 3, **PLAIN}
    texts = [ax.text(x, y, label, **write) for label, (x, y) in zip(diagram.labels, diagram.places, strict=True)]
    sizes = [(mark.get_markersize(), mark.get_markeredgewidth()) for mark in signs]
    lay_out(ax, partial(_scale, texts, list(zip(signs, sizes, strict=True))))
    return ax


def _scale(texts: list[Any], signs: list[Any], ax: Axes, width: float, height: float) -> None:
    """Make text and signs as large as axes of a width and height have room for."""
    sizes = np.array([text_size(ax, text.get_text()) for text in texts])
    (low, high), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    # A method takes the room of its text, a frame and a gap.
    wide, tall = sizes.max(axis=0) + np.array([2.0, 3.5]) * POINTS
    scale = float(np.clip(min(width / (wide * (high - low)), height / (tall * (top - bottom))), 0.1, 1))
    for text in texts:
        text.set_fontsize(scale * POINTS)
    for mark, (size, thick) in signs:
        mark.set(markersize=scale * size, markeredgewidth=scale * thick)
