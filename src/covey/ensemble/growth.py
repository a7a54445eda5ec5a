"""Growing the chains of an ensemble, from nothing or from where an earlier fit left off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._progress import Progress
from covey.ensemble.chain import Chain, grow_chain
from covey.ensemble.fit import Cases
from covey.ensemble.member import Member, Plan
from covey.models.fields import Array, Field, Flag, Items, OrNone, Part, Whole, require
from covey.parallel import each
from covey.seeds import RandomState
from covey.strategies import Round

SEVERAL = -1


@dataclass(frozen=True, eq=False)
class Growth:
    """What a fit leaves for a later one to go on from.

    Parameters
    ----------
    entropy : tuple of int
        The ensemble's seed.
    chains : tuple of int
        The number of members of each chain so far.
    attempts : int
        How many members were trained for the last chain.
    weight : ndarray or None
        The case weights that the last chain goes on with.
    checksum : int or None
        Of the rows that all members were grown on; None if it was not kept, `SEVERAL` if they differ.
    rounds : tuple of Round
        What each member did on the rows that it had not seen, chain by chain, where that was watched.
    ended : bool
        Whether the last chain cannot grow on.
    """

    entropy: tuple[int, ...]
    chains: tuple[int, ...] = ()
    attempts: int = 0
    weight: NDArray[np.float64] | None = None
    checksum: int | None = None
    rounds: tuple[Round, ...] = ()
    ended: bool = False

    _state: ClassVar[dict[str, Field]] = {
        "entropy": Items(Whole(0, 2**32 - 1), 4, tuple),
        "chains": Items(Whole(), kind=tuple),
        "attempts": Whole(),
        "weight": OrNone(Array(np.float64, None, low=0.0)),
        "checksum": OrNone(Whole(SEVERAL)),
        "rounds": Items(Part(Round), kind=tuple),
        "ended": Flag(),
    }

    def _check_state(self) -> None:
        require(all(one.chain < len(self.chains) for one in self.rounds), "has rounds of chains that there are not")

    @property
    def seed(self) -> np.random.SeedSequence:
        """The ensemble's seed sequence."""
        return np.random.SeedSequence(list(self.entropy))

    @property
    def n_members(self) -> int:
        """How many members have been grown."""
        return sum(self.chains)


def new_growth(random_state: RandomState) -> Growth:
    """Return the growth of an ensemble without members."""
    return Growth(tuple(seeds.seed_sequence(random_state).generate_state(4).tolist()))


def check_extends(plan: Plan, growth: Growth, cases: Cases, oob_score: bool) -> None:
    """Refuse a plan that does not go on where the growth ends."""
    if sum(plan.chains) < growth.n_members:
        raise ValueError(
            f"n_estimators={sum(plan.chains)} is less than the {growth.n_members} members already grown; with "
            "warm_start=True an ensemble can only be enlarged. Give a larger n_estimators or warm_start=False."
        )
    *whole, last = growth.chains
    goes_on = plan.chains[: len(whole)] == tuple(whole) and plan.chains[len(whole)] >= last
    if not goes_on:
        raise ValueError(
            f"The chains grown so far have {_listing(growth.chains)} members, which {_listing(plan.chains)} does not "
            "continue; a warm start needs the chain_length of the last fit, or chains as long as then, of which only "
            "the last may grow."
        )
    if not (oob_score or plan.chains[len(whole)] > last):
        return
    if growth.checksum is None:
        raise ValueError("The last fit kept nothing to go on from; fit with warm_start=True from the start.")
    if growth.checksum != checksum(cases):
        raise ValueError(
            "X, y or sample_weight differ from those that members were grown on; to go on with a chain or with "
            "out-of-bag votes a warm start needs the same rows."
        )


def _listing(sizes: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, sizes[:3]))
    return f"({shown}, ..., {sizes[-1]})" if len(sizes) > 4 else f"({', '.join(map(str, sizes))})"


def checksum(cases: Cases) -> int:
    """Return a number that other training data is unlikely to have."""
    total = 0
    for array in (cases.feed.table.matrix, cases.y, cases.weight):
        total = crc32(np.ascontiguousarray(array).data, total)
    return total


def grow(
    plan: Plan, estimator: Any, cases: Cases, growth: Growth, n_jobs: int | None, progress: Progress, keep: bool
) -> tuple[list[Member], Growth]:
    """Grow what the plan asks for beyond the members there are, chains in parallel.

    Returns
    -------
    members : list of Member
        The new ones, chain by chain.
    growth : Growth
        Where they end; without ``keep`` it holds no weights to go on from.
    """
    grown = (*growth.chains, *[0] * (len(plan.chains) - len(growth.chains)))
    going_on = [one for one in growth.rounds if one.chain == len(growth.chains) - 1]
    opened = Chain([], growth.attempts, growth.weight, going_on)
    jobs = [
        (chain, wanted - have, opened if have else None)
        for chain, (wanted, have) in enumerate(zip(plan.chains, grown, strict=True))
        if wanted > have and not (have and growth.ended)
    ]
    if not jobs:
        return [], growth
    # A lone chain is grown here, where it can tell of each member; several tell when they are done.
    report: Callable[[int], None] | None = (lambda _: progress.advance()) if len(jobs) == 1 else None
    arguments = [(plan, estimator, cases, count, chain, growth.seed, start, report) for chain, count, start in jobs]
    members: list[Member] = []
    rounds: list[Round] = [*growth.rounds]
    last = opened
    for last in each(grow_chain, arguments, n_jobs if report is None else 1):
        members += last.members
        rounds += last.rounds
        if report is None:
            progress.advance(len(last.members))
    left = Growth(growth.entropy, plan.chains, last.attempts, rounds=tuple(rounds), ended=last.ended)
    if keep:
        rows = checksum(cases)
        left = replace(
            left, weight=last.weight, checksum=SEVERAL if growth.chains and growth.checksum != rows else rows
        )
    return members, left
