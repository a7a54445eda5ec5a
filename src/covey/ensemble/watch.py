"""Looking at members on the rows that they have not seen, and letting the next one's columns depend on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor

from covey.ensemble.ballot import member_output
from covey.ensemble.checks import innermost
from covey.ensemble.fit import Cases, fit_member
from covey.ensemble.member import Member, Plan
from covey.strategies import EvolvingSubspace, Round
from covey.strategies.combine import Reads
from covey.strategies.view import View


class Watch:
    """What a chain chooses its members' columns by.

    Parameters
    ----------
    plan : Plan
    estimator : object
        The base estimator.
    cases : Cases
    earlier : iterable of Round
        What became of the members that the chain has already.
    """

    def __init__(self, plan: Plan, estimator: Any, cases: Cases, earlier: Iterable[Round] = ()) -> None:
        self.plan = plan
        self.estimator = estimator
        self.cases = cases
        self.rounds: list[Round] = []
        self.evolving = plan.subspace if isinstance(plan.subspace, EvolvingSubspace) else None
        if self.evolving is not None:
            self.ledger = self.evolving.open(cases.feed.table.shape[1])
            for one in earlier:
                self.evolving.note(self.ledger, one)

    def choose(self, weight: NDArray[np.float64], rng: np.random.Generator) -> View | None:
        """Return what the next member is to see."""
        if self.evolving is not None:
            return self.evolving.draw(self.ledger, rng)
        if self.plan.subspace is None:
            return None
        return self.plan.subspace.choose(self.cases.feed.table, self.cases.y, weight, rng)

    def look(self, member: Member, weight: NDArray[np.float64], rng: np.random.Generator) -> None:
        """Note how a member does on the rows that it has not seen, if anyone wants to know."""
        if not (self.plan.watches or self.evolving is not None):
            return
        every = np.arange(self.cases.feed.table.shape[1])
        columns = member.view if isinstance(member.view, np.ndarray) else every
        rows = np.flatnonzero((weight == 0) & (self.cases.weight > 0))
        loss = self._loss(member, rows, "codes" if self.cases.n_classes else "values")
        gains = None
        if self.evolving is not None and self.evolving.asks_gains and len(rows):
            gains = self._gains(member, columns, rows, weight, rng)
        one = Round(member.chain, columns, loss, gains)
        self.rounds.append(one)
        if self.evolving is not None:
            self.evolving.note(self.ledger, one)

    def _loss(self, member: Member, rows: NDArray[np.intp], reads: Reads) -> float:
        """Return the mean squared error, the share of errors, or the Brier score on some rows."""
        if not len(rows):
            return float("nan")
        cases = self.cases
        said = member_output(member, cases.feed, reads, cases.n_classes, rows)
        true = cases.y[rows]
        if reads == "values":
            losses = np.square(said - true)
        elif reads == "codes":
            losses = (said != true).astype(np.float64)
        else:
            losses = np.square(said - np.eye(cases.n_classes)[true]).sum(axis=1)
        return float(np.average(losses, weights=cases.weight[rows]))

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
        reads: Reads = "values"
        if self.cases.n_classes:
            reads = "probabilities" if hasattr(innermost(self.estimator), "predict_proba") else "codes"
        own = self._loss(member, rows, reads)
        rest = self.cases if len(columns) > 1 else replace(self.cases, params={})  # which a constant does not know
        without = [
            fit_member(self._rest(len(columns)), rest, weight, np.delete(columns, place), rng)
            for place in range(len(columns))
        ]
        return np.array([self._loss(other, rows, reads) - own for other in without])

    def _rest(self, n_columns: int) -> Any:
        """Return what is trained without one of so many columns: a constant, if none is left."""
        if n_columns > 1:
            return self.estimator
        return DummyClassifier(strategy="prior") if self.cases.n_classes else DummyRegressor()
