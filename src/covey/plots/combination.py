"""Members of a combination: what each weighs, given its loss and how much it differs from the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey._text import listed
from covey.plots.columns import fitted_attribute
from covey.plots.layout import Label, Labels, legend_below
from covey.plots.points import scale_axis
from covey.plots.reading import distinct_names
from covey.plots.style import BLUE, GREY, INK, Entry, Floats, about, begin, darker, draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# From this ratio of the greatest number to the least, an axis is logarithmic: bad members would crowd the good ones.
LOG_RATIO = 5
# The diameter, in points, of a member that has all the weight, of the smallest, and of one that has none.
LARGEST, SMALLEST, HOLLOW = 40.0, 3.0, 6.0
# How much longer, as a share, an axis is at either end than it must be: names stand around the outermost discs.
ROOM = 0.16


@dataclass(frozen=True, eq=False)
class MemberWeights:
    """Weights, losses and disagreement of the members of a combination."""

    title: ClassVar[str] = "Weights of members by their loss and disagreement"
    members: tuple[str, ...]  #: their names, the heaviest first
    weights: Floats  #: their weights, 0 of those left out, (n_members,)
    loss: str  #: what the losses are: "log loss" or "RMSE"
    losses: Floats  #: their losses on rows they had not seen, NaN of those that never answered, (n_members,)
    disagreements: Floats  #: how much each differs from the others, NaN if nothing is known of that, (n_members,)
    left_out: tuple[str, ...]  #: why a member has no weight, "" if it has
    of_classes: bool  #: whether members disagree about classes, or have unlike errors in numbers

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The members' names as they are drawn."""
        return tuple(distinct_names(self.members))

    @property
    def shown(self) -> NDArray[np.intp]:
        """The positions of the members that have a loss, and so a place."""
        return np.flatnonzero(np.isfinite(self.losses))

    @property
    def alone(self) -> bool:
        """Whether no member has another to differ from."""
        return not np.isfinite(self.disagreements[self.shown]).any()

    @property
    def places(self) -> Floats:
        """The loss and the disagreement, 0 if nothing is known of that, of the members shown, (n_shown, 2)."""
        return np.stack([self.losses, np.nan_to_num(self.disagreements)], axis=1)[self.shown]

    @property
    def logarithmic(self) -> tuple[bool, bool]:
        """Whether losses, and disagreements, differ so much that their axis is logarithmic."""
        low, high = self.places.min(axis=0), self.places.max(axis=0)
        across, up = ((low > 0) & (high >= LOG_RATIO * low)).tolist()
        return across, up

    @property
    def description(self) -> str:
        """The picture in words, for readers who cannot see it."""
        words = "; ".join(self._words(member) for member in range(len(self.members)))
        return f"{self.title}. {words}."

    def _words(self, member: int) -> str:
        weight, apart = self.weights[member], self.disagreements[member]
        what = f"weight {share(weight)}" if weight > 0 else "left out"
        numbers = f", {self.loss} {about(self.losses[member])}" if np.isfinite(self.losses[member]) else ", not scored"
        return f"{self.names[member]}: {what}{numbers}" + (f", disagreement {about(apart)}" if apart >= 0 else "")


def share(weight: float) -> str:
    """Return a weight in per cent."""
    return f"{weight:.0%}" if weight >= 0.005 else "<1%"


def member_weights(model: Any) -> MemberWeights:
    """Return the weight, the loss and the disagreement of each member of a combination.

    Parameters
    ----------
    model : fitted CoveyClassifier or CoveyRegressor
        Its ``member_scores_`` are taken.
    """
    scores = fitted_attribute(model, "member_scores_", "model", "give a fitted CoveyClassifier or CoveyRegressor.")
    loss = str(scores.columns[2])
    weights, losses, disagreements = (
        scores[column].to_numpy(dtype=np.float64) for column in ("weight", loss, "disagreement")
    )
    return MemberWeights(
        members=tuple(map(str, scores.index)),
        weights=weights,
        loss=loss,
        losses=losses,
        disagreements=disagreements,
        left_out=tuple(map(str, scores["left out"])),
        of_classes=hasattr(model, "classes_"),
    )


@draws(MemberWeights, "member_weights")
def draw_member_weights(members: MemberWeights, ax: Axes | None = None, *, title: str | None = None) -> Axes:
    """Draw a disc for each member, its loss to the right, its disagreement upwards, its weight as area.

    Members that were left out are hollow and grey. Those that were not scored are named below.
    """
    size = (7.2, 5.4) if len(members.shown) > 8 else (6.2, 4.6)
    kind = "share of rows with another class" if members.of_classes else "1 − correlation of errors"
    apart = "no other member to differ from" if members.alone else f"disagreement with others: {kind}"
    skill = f"{members.loss} on rows not seen (smaller is better)"
    x, y = (
        words + (", logarithmic" if log else "") for words, log in zip((skill, apart), members.logarithmic, strict=True)
    )
    ax = begin(members, ax, size, title, x=x, y=y, grid="both")
    shown, places = members.shown, members.places
    for side, values, log in zip("xy", places.T, members.logarithmic, strict=True):
        scale_axis(ax, side, float(values.min()), float(values.max()), logarithmic=log, room=ROOM)
    if members.alone:
        ax.set_yticks([])
    sides = np.maximum(LARGEST * np.sqrt(members.weights[shown]), SMALLEST)
    sides[members.weights[shown] == 0] = HOLLOW
    legend_below(ax, _draw_discs(ax, members, sides), handlelength=1.2)
    labels = []
    for member, place, wide in zip(shown, places, sides, strict=True):
        weight = float(members.weights[member])
        text = f"{members.names[member]} {share(weight)}" if weight > 0 else members.names[member]
        labels.append(Label(tuple(place.tolist()), text, INK if weight > 0 else "#555555", float(wide)))
    Labels(ax, labels, places, sides + 3)
    return ax


def _draw_discs(ax: Axes, members: MemberWeights, sides: Floats) -> list[Entry]:
    """Draw the members, and return what a legend says of them."""
    from matplotlib.lines import Line2D

    hollow: Any = {"markerfacecolor": "white", "markeredgecolor": GREY, "markeredgewidth": 1.1, "markersize": HOLLOW}
    solid: Any = {"markerfacecolor": (BLUE, 0.5), "markeredgecolor": darker(BLUE), "markeredgewidth": 0.9}
    common: Any = {"marker": "o", "linestyle": ""}
    # The heaviest come first, so that no disc hides a smaller one.
    for rank, (member, place, side) in enumerate(zip(members.shown, members.places, sides, strict=True)):
        look = {**solid, "markersize": side} if members.weights[member] > 0 else hollow
        over = 3 + rank / len(sides)
        ax.plot(*place[:, None], **common, **look, zorder=over, label=f"_{members.members[member]}")
    entries: list[Entry] = [(Line2D([], [], **common, **solid, markersize=8.0), "area: weight")]
    if (members.weights[members.shown] == 0).any():
        entries.append((Line2D([], [], **common, **hollow), "left out"))
    absent = [name for name, loss in zip(members.names, members.losses, strict=True) if not np.isfinite(loss)]
    if absent:
        entries.append((Line2D([], [], linestyle=""), f"not scored: {listed(absent, 3)}"))
    return entries
