"""A member of an ensemble, and the plan by which members are grown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.models.fields import Array, Field, Model, Nothing, Number, OrNone, Whole
from covey.strategies import Draw, Reweight, Subspace, Wagging
from covey.strategies.view import View, view_within


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One trained model, with what it needs to take part in a vote."""

    model: Any  #: a fitted scikit-learn estimator whose classes are class codes
    #: what it sees of the table: the columns at these positions, new columns, or None for all as they are
    view: View | None = None
    weight: float = 1.0  #: the weight of its vote
    chain: int = 0  #: the chain it belongs to
    #: the ensemble's code of each of the model's codes; None where they are the same
    classes: NDArray[np.intp] | None = None
    #: the training rows it has not seen, as packed bits; None if there are none
    left_out: NDArray[np.uint8] | None = None

    # Of a member that is kept as it is, which sees all columns; ensembles keep their members in lists.
    _state: ClassVar[dict[str, Field]] = {
        "model": Model(),
        "view": Nothing(),
        "weight": Number(0.0, 1e100),
        "chain": Whole(),
        "classes": OrNone(Array(np.intp, None, low=0, shared=True)),
        "left_out": OrNone(Array(np.uint8, None)),
    }

    def within(self, outer: Member) -> Member:
        """Return this member of a nested ensemble as a member of the ensemble around it.

        Its view and classes are given in the outer ensemble's terms, and its vote is multiplied by the vote of the
        ensemble it came from.
        """
        view = view_within(self.view, outer.view)
        classes = getattr(outer.model, "classes_", None)
        if classes is not None:
            classes = np.asarray(classes, dtype=np.intp)
            classes = classes if self.classes is None else classes[self.classes]
        return replace(outer, model=self.model, view=view, weight=outer.weight * self.weight, classes=classes)


@dataclass(frozen=True, eq=False)
class Plan:
    """How an ensemble is grown: independent chains, and what happens in each."""

    chains: tuple[int, ...]  #: the number of members of each chain
    draw: Draw  #: opens a chain
    subspace: Subspace | None = None  #: chooses what each member sees; None for all columns
    #: learns from each member's mistakes; None for members that know nothing of each other
    reweight: Reweight | None = None
    #: whether to note how each member does on the rows that it has not seen; a subspace that learns does so anyway
    watches: bool = False

    @property
    def redraws(self) -> bool:
        """Whether each member of a chain draws its rows anew: where columns learn, and weights do not."""
        return self.subspace is not None and self.subspace.learns and self.reweight is None

    @property
    def restart(self) -> Draw:
        """What a chain starts afresh from: its own draw, or wagging if that would give the same weights again."""
        return self.draw if self.draw.is_random else Wagging()


def chain_lengths(n_members: int, length: int) -> tuple[int, ...]:
    """Split a number of members into chains of a length; the last may be shorter."""
    full, rest = divmod(n_members, length)
    return (length,) * full + ((rest,) if rest else ())


def even_chains(n_members: int, n_chains: int) -> tuple[int, ...]:
    """Split a number of members into so many chains, whose lengths differ by one at most."""
    if n_chains > n_members:
        raise ValueError(f"n_chains={n_chains} is more than n_estimators={n_members}; give at most one per member.")
    length, rest = divmod(n_members, n_chains)
    return (length + 1,) * rest + (length,) * (n_chains - rest)
