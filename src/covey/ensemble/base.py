"""What all ensembles share: parameters, growing, warm starts, and the members in plain lists."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    get_routing_for_object,
    process_routing,
)
from sklearn.utils.validation import check_is_fitted

from covey import seeds
from covey._sklearn import Interval, refuse_params
from covey.ensemble.ballot import Ballot, member_output
from covey.ensemble.chain import Chain, grow_chain
from covey.ensemble.checks import check_base, check_gaps, check_plan
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases
from covey.ensemble.member import Member, Plan
from covey.ensemble.parallel import each
from covey.ensemble.progress import Progress
from covey.strategies import Combine
from covey.strategies.combine import Reads
from covey.table import Table, TableReader, as_table


class BaseEnsemble(MetaEstimatorMixin, TableReader):
    """Grows members by a plan and keeps them in plain lists.

    A subclass names its parameters (``estimator``, ``n_estimators``, ``oob_score``, ``categorical_features``,
    ``n_jobs``, ``random_state``, ``warm_start`` and ``verbose`` among them), its plan and how its votes are combined.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "oob_score": ["boolean", callable],
        "n_jobs": [None, Integral],
        "warm_start": ["boolean"],
        "verbose": ["verbose"],
    }

    @abstractmethod
    def _plan(self, n_samples: int, n_features: int) -> Plan:
        """Return how to grow the ensemble."""

    @abstractmethod
    def _combine_rule(self) -> Combine:
        """Return how to combine its members' votes."""

    @abstractmethod
    def _base(self) -> Any:
        """Return the base estimator, or the default in its place."""

    # Training

    def _grow(
        self,
        table: Table,
        y: NDArray[Any],
        weight: NDArray[np.float64],
        n_classes: int,
        fit_params: dict[str, Any],
    ) -> None:
        estimator, plan = self._base(), self._plan(*table.shape)
        check_base(estimator, self._combine_rule(), table)
        check_plan(plan, estimator, weight, bool(self.oob_score))
        if plan.subspace is not None:
            plan = Plan(plan.chains, plan.draw, plan.subspace.prepare(table.matrix, y), plan.reweight)
        cases = Cases(Feed(table), y, weight, n_classes, self._routed(fit_params))
        if not self._goes_on(plan):
            self._start_afresh()
        self._extend(plan, estimator, cases)
        if self.oob_score:
            self._score_out_of_bag(cases)

    def _is_warm(self) -> bool:
        return bool(self.warm_start) and hasattr(self, "estimators_")

    def _read_rows(self, X: Any) -> Table:
        if self._is_warm() and as_table(X, self.categorical_features).schema != self.schema_:
            raise ValueError("X has other columns or categories than in the last fit; a warm start needs the same.")
        return self._read_training(X, self.categorical_features)

    def _start_afresh(self) -> None:
        self._entropy: list[int] = seeds.seed_sequence(self.random_state).generate_state(4).tolist()
        self._chain_sizes: list[int] = []
        self._open_chain: dict[str, Any] = {"attempts": 0, "weight": None}
        self.estimators_: list[Any] = []
        self.estimators_features_: list[NDArray[np.intp]] = []
        self.estimator_weights_ = np.empty(0)
        self.estimator_chains_ = np.empty(0, dtype=np.intp)
        self._codes: list[NDArray[np.intp] | None] = []
        self._left_out: list[NDArray[np.uint8] | None] = []

    def _goes_on(self, plan: Plan) -> bool:
        """Whether this fit adds members to those of the last one."""
        if not self._is_warm():
            return False
        grown, wanted = sum(self._chain_sizes), sum(plan.chains)
        if wanted < grown:
            raise ValueError(
                f"n_estimators={wanted} is less than the {grown} members already grown; with warm_start=True an "
                "ensemble can only be enlarged. Give a larger n_estimators or warm_start=False."
            )
        if wanted == grown:
            warnings.warn("Warm start without a larger n_estimators adds no members.", UserWarning, stacklevel=4)
        return True

    def _extend(self, plan: Plan, estimator: Any, cases: Cases) -> None:
        """Grow what the plan asks for beyond the members there are, chains in parallel."""
        seed = np.random.SeedSequence(self._entropy)
        grown = [*self._chain_sizes, *[0] * (len(plan.chains) - len(self._chain_sizes))]
        left = [(chain, wanted - have) for chain, (wanted, have) in enumerate(zip(plan.chains, grown, strict=True))]
        jobs = [(chain, count) for chain, count in left if count > 0]
        progress = Progress(type(self).__name__, sum(count for _, count in jobs), self.verbose)
        opened = Chain([], **self._open_chain)
        # A lone chain is grown here, where it can tell of each member; several tell when they are done.
        report = (lambda _: progress.advance()) if len(jobs) == 1 else None
        n_jobs = self.n_jobs if report is None else 1
        found: list[Member] = []
        arguments = (
            (plan, estimator, cases, count, chain, seed, opened if grown[chain] else None, report)
            for chain, count in jobs
        )
        for chain in each(grow_chain, arguments, n_jobs):
            found.extend(chain.members)
            opened = chain
            if report is None:
                progress.advance(len(chain.members))
        self._chain_sizes = list(plan.chains)
        self._open_chain = {"attempts": opened.attempts, "weight": opened.weight if self.warm_start else None}
        self._keep([flat for member in found for flat in _flatten(member)], cases)

    def _keep(self, members: list[Member], cases: Cases) -> None:
        every = np.arange(cases.feed.table.shape[1])
        self.estimators_ += [member.model for member in members]
        self.estimators_features_ += [every if member.columns is None else member.columns for member in members]
        self._codes += [member.classes for member in members]
        self._left_out += [member.left_out if self.oob_score else None for member in members]
        votes = [*self.estimator_weights_, *(member.weight for member in members)]
        # Members that are all without a vote are still the best there is: they vote alike.
        self.estimator_weights_ = np.array(votes) if any(votes) else np.ones(len(votes))
        chains = [*self.estimator_chains_, *(member.chain for member in members)]
        self.estimator_chains_ = np.array(chains, dtype=np.intp)

    @property
    def _members(self) -> list[Member]:
        n_features = self.n_features_in_
        return [
            Member(model, None if _is_all(columns, n_features) else columns, weight, chain, codes, left_out)
            for model, columns, weight, chain, codes, left_out in zip(
                self.estimators_,
                self.estimators_features_,
                self.estimator_weights_.tolist(),
                self.estimator_chains_.tolist(),
                self._codes,
                self._left_out,
                strict=True,
            )
        ]

    # Metadata

    def get_metadata_routing(self) -> MetadataRouter:
        """Return how metadata given to ``fit`` is routed to the base estimator."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=self).add_self_request(self)
        return router.add(estimator=get_routing_for_object(self._base()), method_mapping=mapping)

    def _routed(self, fit_params: dict[str, Any]) -> dict[str, Any]:
        refuse_params(fit_params, self, "fit")
        return dict(process_routing(self, "fit", **fit_params).estimator.fit) if fit_params else {}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        estimator = self._base()
        if not isinstance(estimator, type) and hasattr(estimator, "fit"):
            tags.input_tags.allow_nan = get_tags(estimator).input_tags.allow_nan
        return tags

    # Votes

    def _n_classes(self) -> int:
        return len(self.classes_) if hasattr(self, "classes_") else 0

    def _tie_breakers(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What breaks ties: a factor for each member's vote, and a key for each class."""
        seed = np.random.SeedSequence(self._entropy)
        factors = 0.5 + np.random.default_rng(seeds.child(seed, 0)).random(len(self.estimators_))
        return factors, np.random.default_rng(seeds.child(seed, 1)).random(self._n_classes())

    def _new_feed(self, X: Any) -> Feed:
        check_is_fitted(self)
        table = Table(self._read_new(X), self.schema_)
        check_gaps(self._base(), table)
        return Feed(table)

    def _outputs(
        self, feed: Feed, asked: Iterable[tuple[Member, NDArray[np.intp] | None]], reads: Reads
    ) -> Iterator[NDArray[Any]]:
        """Give what members say of all or some rows, in order, worked out in parallel."""
        n_classes = self._n_classes()
        return each(member_output, ((member, feed, reads, n_classes, rows) for member, rows in asked), self.n_jobs)

    def member_predictions(self, X: Any) -> NDArray[Any]:
        """Return what each member predicts.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_members)
            Codes, which are positions in ``classes_``; numbers for a regression.
        """
        feed = self._new_feed(X)
        reads: Reads = "codes" if self._n_classes() else "values"
        return np.column_stack(list(self._outputs(feed, [(member, None) for member in self._members], reads)))

    def _ballots(self, X: Any) -> Iterator[Ballot]:
        """Count the members' votes one after the other, giving the ballot after each."""
        feed = self._new_feed(X)
        combine = self._combine_rule()
        factors, class_keys = self._tie_breakers()
        ballot = Ballot(combine, len(feed.table.matrix), class_keys)
        members = self._members
        found = self._outputs(feed, [(member, None) for member in members], combine.reads)
        for member, factor, output in zip(members, factors.tolist(), found, strict=True):
            ballot.add(output, member.weight, factor)
            yield ballot

    def _ballot(self, X: Any) -> Ballot:
        for ballot in self._ballots(X):  # noqa: B007  # the last one counts
            pass
        return ballot

    def _out_of_bag_ballot(self, cases: Cases) -> Ballot:
        """Count for each training row the votes of the members that have not seen it."""
        combine, n_samples = self._combine_rule(), len(cases.y)
        factors, class_keys = self._tie_breakers()
        ballot = Ballot(combine, n_samples, class_keys)
        left_out = [
            (member, factor, np.flatnonzero(np.unpackbits(member.left_out, count=n_samples)))
            for member, factor in zip(self._members, factors.tolist(), strict=True)
            if member.left_out is not None
        ]
        found = self._outputs(cases.feed, [(member, rows) for member, _, rows in left_out], combine.reads)
        for (member, factor, rows), output in zip(left_out, found, strict=True):
            ballot.add(output, member.weight, factor, rows)
        silent = np.count_nonzero((ballot.total == 0) & (cases.weight > 0))
        if silent:
            warnings.warn(
                f"{silent} rows were seen by every member and have no out-of-bag prediction; use more members.",
                UserWarning,
                stacklevel=5,
            )
        return ballot


def _flatten(member: Member) -> list[Member]:
    """Return a member, or, if it is an ensemble itself, its members as members of the ensemble around it."""
    if not isinstance(member.model, BaseEnsemble):
        return [member]
    return [inner.within(member) for inner in member.model._members]


def _is_all(columns: NDArray[np.intp], n_features: int) -> bool:
    return len(columns) == n_features and bool((columns == np.arange(n_features)).all())
