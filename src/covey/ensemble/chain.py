"""The one training loop: a chain of members, each of which may learn from those before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor

from covey import seeds
from covey._warnings import warn_user
from covey.ensemble.checks import innermost
from covey.ensemble.fit import TrainingData, fit_member
from covey.ensemble.member import Member, Plan
from covey.ensemble.voting import losses_of, member_output
from covey.strategies import Lesson, Round, Step
from covey.strategies.combine import Reads
from covey.strategies.view import View

# How often in a row a chain whose members are rejected is started afresh, before one is kept without a vote.
MOST_RESTARTS = 25
# What a column that tells nothing may change of a loss, as a share of it.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Chain:
    """A chain as far as it has grown, with what it needs to grow on."""

    members: list[Member]  #: the new members
    #: how many members have been trained in all, rejected ones included; each has a seed of its own
    attempts: int = 0
    weight: NDArray[np.float64] | None = None  #: the row weights for the next member; None if it starts afresh
    #: how the new members did on the rows that they had not seen, where that is noted; of a chain to go on with, how
    #: those that there are did
    rounds: list[Round] = field(default_factory=list)
    ended: bool = False  #: whether it cannot grow on


def grow_chain(
    plan: Plan,
    estimator: Any,
    cases: TrainingData,
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
    cases : TrainingData
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
    history = History(plan, estimator, cases, start.rounds if start else ())
    restarts = 0
    while len(members) < length:
        rng = np.random.default_rng(seeds.child(seed, chain, attempts))
        if weight is None:
            weight = (plan.draw if attempts == 0 else plan.restart).draw(cases.weight, rng)
        attempts += 1
        member = replace(fit_member(estimator, cases, weight, history.choose_view(weight, rng), rng), chain=chain)
        step = _step(plan, member, cases, weight, rng)
        if step is None and restarts < MOST_RESTARTS:
            restarts, weight = restarts + 1, None
            continue
        if step is None:
            warn_user(
                f"{MOST_RESTARTS + 1} members in a row were no better than chance on their own training weights; "
                "the last is kept without a vote. Use a stronger base estimator or no reweighting."
            )
            step = Step(vote=0.0, weight=None)
        if step.ends and (members or start):
            return Chain(members, attempts, None, history.rounds, ended=True)
        history.note(member, weight, rng)
        restarts, weight = 0, None if plan.redraws else step.weight
        members.append(replace(member, weight=1.0 if step.ends else step.vote))
        if report is not None:
            report(len(members))
        if step.ends:
            return Chain(members, attempts, None, history.rounds, ended=True)
    return Chain(members, attempts, weight, history.rounds)


def _step(
    plan: Plan, member: Member, data: TrainingData, weight: NDArray[np.float64], rng: np.random.Generator
) -> Step | None:
    if plan.reweight is None:
        return Step(vote=1.0, weight=weight)
    asked = plan.reweight.asks(weight, member.model)
    rows = None if asked.all() else np.flatnonzero(asked)
    wrong = np.zeros(len(weight), dtype=bool)
    seen = slice(None) if rows is None else rows
    if asked.any():
        wrong[seen] = member_output(member, data.inputs, "codes", data.n_classes, rows) != data.y[seen]
    return plan.reweight.step(weight, wrong, Lesson(member.model, data.weight, rng))


class History:
    """How the members of a chain did on the rows that they had not seen, and what the next one sees by that."""

    def __init__(self, plan: Plan, estimator: Any, data: TrainingData, earlier: Iterable[Round]) -> None:
        self.plan = plan
        self.estimator = estimator
        self.data = data
        self.subspace = plan.subspace
        self.rounds: list[Round] = []
        self.ledger = None if self.subspace is None else self.subspace.open(data.inputs.table.shape[1])
        for past in earlier:
            self._enter(past)

    def choose_view(self, weight: NDArray[np.float64], rng: np.random.Generator) -> View | None:
        """Return what the next member is to see; None for all columns."""
        if self.subspace is None:
            return None
        if self.ledger is not None:
            return self.subspace.draw(self.ledger, rng)
        return self.subspace.choose(self.data.inputs.table, self.data.y, weight, rng)

    def note(self, member: Member, weight: NDArray[np.float64], rng: np.random.Generator) -> None:
        """Note how a member does on the rows that it has not seen, if the plan asks for it."""
        if not self.plan.watches and self.ledger is None:
            return
        every = np.arange(self.data.inputs.table.shape[1])
        columns = member.view if isinstance(member.view, np.ndarray) else every
        rows = np.flatnonzero((weight == 0) & (self.data.weight > 0))
        loss = self._loss(member, rows, "codes" if self.data.n_classes else "values")
        asks_gains = self.subspace is not None and self.subspace.asks_gains
        gains = self._gains(member, columns, rows, weight, rng) if asks_gains and len(rows) else None
        self.rounds.append(Round(member.chain, columns, loss, gains))
        self._enter(self.rounds[-1])

    def _enter(self, last: Round) -> None:
        if self.subspace is not None and self.ledger is not None:
            self.subspace.note(self.ledger, last)

    def _loss(self, member: Member, rows: NDArray[np.intp], reads: Reads) -> float:
        """Return the mean loss on some rows, NaN if there are none."""
        if not len(rows):
            return float("nan")
        data = self.data
        output = member_output(member, data.inputs, reads, data.n_classes, rows)
        return float(np.average(losses_of(output, data.y[rows], reads), weights=data.weight[rows]))

    def _gains(
        self,
        member: Member,
        columns: NDArray[np.intp],
        rows: NDArray[np.intp],
        weight: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        """Return how much greater the loss is without each column; by probabilities, where there are any.

        Errors would do as well, but tell less: a column may change no decision, and yet the confidence in all.
        """
        estimator, data = self.estimator, self.data
        reads: Reads = "values"
        if data.n_classes:
            reads = "probabilities" if hasattr(innermost(estimator), "predict_proba") else "codes"
        if len(columns) == 1:  # without it a constant is left, which takes no metadata
            estimator = DummyClassifier(strategy="prior") if data.n_classes else DummyRegressor()
            data = replace(data, params={})
        said = self._say_without_each(member, rows, weight, reads) if len(columns) > 1 else None
        if said is not None:
            return _gains_of(said, data.y[rows], data.weight[rows] / data.weight[rows].sum())
        full = self._loss(member, rows, reads)
        without = [fit_member(estimator, data, weight, np.delete(columns, at), rng) for at in range(len(columns))]
        return np.array([self._loss(other, rows, reads) - full for other in without])

    def _say_without_each(
        self, member: Member, rows: NDArray[np.intp], weight: NDArray[np.float64], reads: Reads
    ) -> NDArray[np.float64] | None:
        """Return what a member, and those without each column, say of some rows; None if it cannot tell at once."""
        model = member.model
        if reads == "codes" or not hasattr(model, "say_without_each"):
            return None
        table = self.data.inputs.for_model(model, member.view)
        said: NDArray[np.float64] | None = model.say_without_each(table, self.data.y, weight, rows)
        return said


def _gains_of(said: NDArray[np.float64], true: NDArray[Any], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return by how much the mean losses of members are greater than that of the first, rounding left out.

    What is said is numbers, of shape (n_members, n_rows), or probabilities, of shape (n_members, n_rows, n_classes);
    losses are those of `losses_of`, and the shares of rows add up to 1.
    """
    if said.ndim == 2:
        losses = np.square(said - true) @ share
    else:
        said[:, np.arange(len(true)), true] -= 1.0
        losses = np.einsum("ijk,ijk->ij", said, said) @ share
    gains = losses[1:] - losses[0]
    return np.where(np.abs(gains) <= ROUNDING * losses[0], 0.0, gains)
