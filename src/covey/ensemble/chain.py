"""The one training loop: a chain of members, each of which may learn from the last one's mistakes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey.ensemble.ballot import member_output
from covey.ensemble.fit import Cases, fit_member
from covey.ensemble.member import Member, Plan
from covey.ensemble.watch import Watch
from covey.strategies import Lesson, Round, Step

# A chain whose members keep being rejected is started afresh so many times in a row before one is kept without a vote.
MOST_RESTARTS = 25


@dataclass(frozen=True, eq=False)
class Chain:
    """A chain as far as it has grown, with what it needs to grow on.

    Parameters
    ----------
    members : list of Member
        The new members.
    attempts : int
        How many members have been trained in all, rejected ones included; each has a seed of its own.
    weight : ndarray or None
        The case weights for the next member; None if it starts afresh.
    rounds : list of Round
        What the new members did on the rows that they had not seen, where that is watched; of a chain to go on with,
        what those that there are did.
    ended : bool
        Whether it cannot grow on.
    """

    members: list[Member]
    attempts: int = 0
    weight: NDArray[np.float64] | None = None
    rounds: list[Round] = field(default_factory=list)
    ended: bool = False


def grow_chain(
    plan: Plan,
    estimator: Any,
    cases: Cases,
    length: int,
    chain: int,
    seed: np.random.SeedSequence,
    start: Chain | None = None,
    report: Callable[[int], None] | None = None,
) -> Chain:
    """Grow a chain by some members.

    Parameters
    ----------
    plan : Plan
        What opens the chain, what a member sees, and what a member's mistakes lead to.
    estimator : object
        The base estimator; each member is a clone of it.
    cases : Cases
        The training data.
    length : int
        How many members to add.
    chain : int
        The chain's number: with it the seed tells the chain's random numbers.
    seed : SeedSequence
        The ensemble's seed.
    start : Chain, optional
        The chain to go on with, from an earlier call.
    report : callable, optional
        Told the number of new members after each.
    """
    attempts, weight = (start.attempts, start.weight) if start else (0, None)
    members: list[Member] = []
    watch = Watch(plan, estimator, cases, start.rounds if start else ())
    restarts = 0
    while len(members) < length:
        rng = np.random.default_rng(seeds.child(seed, chain, attempts))
        if weight is None:
            weight = (plan.draw if attempts == 0 else plan.restart).draw(cases.weight, rng)
        attempts += 1
        member = replace(fit_member(estimator, cases, weight, watch.choose(weight, rng), rng), chain=chain)
        step = _step(plan, member, cases, weight, rng)
        if step is None and restarts < MOST_RESTARTS:
            restarts, weight = restarts + 1, None
            continue
        if step is None:
            _warn_rejected()
            step = Step(vote=0.0, weight=None)
        if step.ends and (members or start):
            return Chain(members, attempts, None, watch.rounds, ended=True)
        watch.look(member, weight, rng)
        restarts, weight = 0, None if plan.redraws else step.weight
        members.append(replace(member, weight=1.0 if step.ends else step.vote))
        if report is not None:
            report(len(members))
        if step.ends:
            return Chain(members, attempts, None, watch.rounds, ended=True)
    return Chain(members, attempts, weight, watch.rounds)


def _step(
    plan: Plan, member: Member, cases: Cases, weight: NDArray[np.float64], rng: np.random.Generator
) -> Step | None:
    if plan.reweight is None:
        return Step(vote=1.0, weight=weight)
    rows = None if weight.all() or plan.reweight.asks_all else np.flatnonzero(weight)
    wrong = np.zeros(len(weight), dtype=bool)
    seen = slice(None) if rows is None else rows
    wrong[seen] = member_output(member, cases.feed, "codes", cases.n_classes, rows) != cases.y[seen]
    return plan.reweight.step(weight, wrong, Lesson(member.model, cases.weight, rng))


def _warn_rejected() -> None:
    warnings.warn(
        f"{MOST_RESTARTS + 1} members in a row were no better than chance on their own training weights; "
        "the last is kept without a vote. Use a stronger base estimator or no reweighting.",
        UserWarning,
        stacklevel=2,
    )
