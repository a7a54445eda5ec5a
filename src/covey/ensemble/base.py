"""What all ensembles share: parameters, growing, warm starts, and the members in plain lists."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import signature
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

from covey._progress import Progress
from covey._sklearn import Interval, refuse_params
from covey.ensemble.ballot import LEAST_VOTES, MOST_VOTES, Ballot, member_output, tie_breakers
from covey.ensemble.checks import (
    check_base,
    check_gaps,
    check_member,
    check_plan,
    innermost,
    warn_of_identifiers,
    warn_of_ridge,
)
from covey.ensemble.feed import Feed
from covey.ensemble.fit import Cases, takes_weights
from covey.ensemble.growth import Growth, check_extends, grow, new_growth
from covey.ensemble.member import Member, Plan
from covey.models.fields import Array, Field, Items, Model, OrNone, Part, require
from covey.parallel import each
from covey.strategies import Combine, Subspace
from covey.strategies.combine import Reads
from covey.strategies.view import Rotated
from covey.table import Table, TableReader, as_table, check_weight, feature_names


class BaseEnsemble(MetaEstimatorMixin, TableReader, ABC):
    """Grows members by a plan and keeps them in plain lists.

    A subclass names its parameters (``estimator``, ``n_estimators``, ``oob_score``, ``categorical_features``,
    ``n_jobs``, ``random_state``, ``warm_start`` and ``verbose`` among them), its plan and how its votes are combined.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "oob_score": ["boolean", callable],
        "n_jobs": [None, Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left")],
        "warm_start": ["boolean"],
        "verbose": ["verbose"],
    }
    _state: ClassVar[dict[str, Field]] = {
        "_growth": Part(Growth),
        "estimators_": Items(Model(), "members"),
        "_rotations": Items(OrNone(Part(Rotated, shared=True)), "members"),
        "estimators_features_": Items(Array(np.intp, None, low=0, below="features", shared=True), "members"),
        "estimator_weights_": Array(np.float64, "members", low=0.0, high=MOST_VOTES),
        "estimator_chains_": Array(np.intp, "members", low=0),
        "_codes": Items(OrNone(Array(np.intp, None, low=0, shared=True)), "members"),
        "_left_out": Items(OrNone(Array(np.uint8, None)), "members"),
    }

    def _check_state(self) -> None:
        super()._check_state()
        require(len(self.estimators_) > 0, "has no members")
        rule = self._combine_rule()
        check_base(self._base(), rule)
        votes = sum(map(rule.share, self.estimator_weights_))
        require(votes >= LEAST_VOTES or not self.estimator_weights_.any(), "has votes that are too small")
        for member in self._members:
            check_member(member, self.schema_, self._n_classes())

    @abstractmethod
    def _plan(self, n_samples: int, n_features: int) -> Plan:
        """Return how to grow the ensemble."""

    @abstractmethod
    def _combine_rule(self) -> Combine:
        """Return how to combine its members' votes."""

    @abstractmethod
    def _base(self) -> Any:
        """Return the base estimator, or the default in its place."""

    def _subspace(self) -> Subspace | None:
        """Return what chooses the members' views; None if each sees all columns."""
        chosen: Subspace | None = getattr(self, "subspace", None)
        return chosen

    def _makes_numbers(self) -> bool:
        """Whether members see numbers without gaps, whatever there is in the table."""
        subspace = self._subspace()
        return isinstance(subspace, Subspace) and subspace.makes_numbers

    def _tune(self, cases: Cases, seed: np.random.SeedSequence, *, is_warm: bool) -> bool:
        """Choose what is left to be chosen by the data, before members are grown; say whether there was any.

        A warm start keeps what was chosen.
        """
        return False

    def _weigh(self, sample_weight: Any, table: Table) -> NDArray[np.float64]:
        """Return case weights, ones by default."""
        return check_weight(sample_weight, table.matrix)

    # Training

    def _fit(
        self,
        X: Any,
        table: Table,
        y: NDArray[Any],
        weight: NDArray[np.float64],
        n_classes: int,
        fit_params: dict[str, Any],
    ) -> Cases:
        """Grow the ensemble and keep its members."""
        estimator, plan, names = self._base(), self._plan(*table.shape), feature_names(X)
        check_base(estimator, self._combine_rule())
        check_gaps(self, table)
        check_plan(plan, estimator, weight, bool(self.oob_score))
        params, weighs = self._routed(fit_params), takes_weights(estimator)
        cases = Cases(Feed(table.counting(weight > 0)), y, weight, n_classes, weighs, params)
        before, kept = self._start(plan, cases)
        if self._tune(cases, before.seed, is_warm=bool(kept)):
            estimator, plan = self._base(), self._plan(*table.shape)
        plan = self._prepare(plan, cases)
        warn_of_identifiers(plan, estimator, table)
        self._make_ready(cases.feed, estimator)
        progress = Progress(type(self).__name__, sum(plan.chains) - before.n_members, self.verbose)
        grown, growth = grow(plan, estimator, cases, before, self.n_jobs, progress, self._keeps())
        self._remember_columns(table, names)
        self._keep([*kept, *(flat for member in grown for flat in _flatten(member))], growth)
        warn_of_ridge(self.estimators_)
        return cases

    def _prepare(self, plan: Plan, cases: Cases) -> Plan:
        """Do once what all members share."""
        if plan.subspace is None:
            return plan
        return replace(plan, subspace=plan.subspace.prepare(cases.feed.table, cases.y, cases.weight))

    def _make_ready(self, feed: Feed, model: Any) -> None:
        if self._makes_numbers():
            feed.check_size()
        else:
            feed.make_ready(model)

    def _keeps(self) -> bool:
        """Whether a later fit may want to go on from this one or to know which rows members left out."""
        return bool(self.warm_start or self.oob_score)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Put everything back as it was if a fit fails."""
        before = self.__dict__.copy()
        try:
            yield
        except BaseException:
            self.__dict__ = before
            raise

    def _is_warm(self) -> bool:
        return bool(self.warm_start) and hasattr(self, "estimators_")

    def _read_rows(self, X: Any) -> Table:
        table = as_table(X, self.categorical_features)
        if self._is_warm() and table.schema != self.schema_:
            raise ValueError("X has other columns or categories than in the last fit; a warm start needs the same.")
        return table

    def _start(self, plan: Plan, cases: Cases) -> tuple[Growth, list[Member]]:
        """Return where to go on from, and the members there are."""
        if not self._is_warm():
            return new_growth(self.random_state), []
        check_extends(plan, self._growth, cases, bool(self.oob_score))
        if sum(plan.chains) == self._growth.n_members:
            warnings.warn("Warm start without a larger n_estimators adds no members.", UserWarning, stacklevel=4)
        return self._growth, self._members

    def _keep(self, members: list[Member], growth: Growth) -> None:
        every = np.arange(self.n_features_in_)
        self._growth = growth
        self.estimators_ = [member.model for member in members]
        views = [member.view for member in members]
        self._rotations = [view if isinstance(view, Rotated) else None for view in views]
        self.estimators_features_ = [
            every if view is None else view.attributes if isinstance(view, Rotated) else view for view in views
        ]
        self.estimator_weights_ = np.array([member.weight for member in members])
        self.estimator_chains_ = np.array([member.chain for member in members], dtype=np.intp)
        self._codes = [member.classes for member in members]
        self._left_out = [member.left_out if self._keeps() else None for member in members]
        for name in [name for name in vars(self) if name.startswith("oob_") and name.endswith("_")]:
            delattr(self, name)

    @property
    def _members(self) -> list[Member]:
        n_features = self.n_features_in_
        return [
            Member(
                model, rotation or (None if _is_all(columns, n_features) else columns), weight, chain, codes, left_out
            )
            for model, rotation, columns, weight, chain, codes, left_out in zip(
                self.estimators_,
                self._rotations,
                self.estimators_features_,
                self.estimator_weights_.tolist(),
                self.estimator_chains_.tolist(),
                self._codes,
                self._left_out,
                strict=True,
            )
        ]

    def _innermost(self) -> Any:
        return innermost(self._base())

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
        tags.input_tags.categorical = True  # where the base estimator knows none, each category becomes a column
        estimator = self._base()
        if not isinstance(estimator, type) and hasattr(estimator, "fit"):
            tags.input_tags.allow_nan = self._makes_numbers() or get_tags(estimator).input_tags.allow_nan
        return tags

    # Votes

    def _n_classes(self) -> int:
        return len(self.classes_) if hasattr(self, "classes_") else 0

    def _tie_breakers(self) -> tuple[list[float], NDArray[np.float64]]:
        return tie_breakers(self._growth.seed, len(self.estimators_), self._n_classes())

    def _voters(self) -> list[Member]:
        """The members with their votes; if none has any, all have the same."""
        members = self._members
        return members if self.estimator_weights_.any() else [replace(member, weight=1.0) for member in members]

    def _new_feed(self, X: Any) -> Feed:
        check_is_fitted(self)
        table = Table(self._read_new(X), self.schema_)
        check_gaps(self, table)
        return Feed(table)

    def _outputs(
        self, feed: Feed, asked: Iterable[tuple[Member, NDArray[np.intp] | None]], reads: Reads, n_jobs: int | None
    ) -> Iterator[NDArray[Any]]:
        """Give what members say of all or some rows, in order, worked out in parallel."""
        n_classes = self._n_classes()
        self._make_ready(feed, self._innermost())
        return each(member_output, ((member, feed, reads, n_classes, rows) for member, rows in asked), n_jobs)

    def member_predictions(self, X: Any) -> NDArray[Any]:
        """Return what each member predicts.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_members)
            Codes, which are positions in ``classes_``, in the smallest integer type that holds them; numbers for a
            regression.
        """
        feed = self._new_feed(X)
        n_classes = self._n_classes()
        reads: Reads = "codes" if n_classes else "values"
        members = self._members
        kind = np.min_scalar_type(-n_classes) if n_classes else np.dtype(np.float64)
        predictions = np.empty((len(feed.table.matrix), len(members)), dtype=kind)
        found = self._outputs(feed, [(member, None) for member in members], reads, self.n_jobs)
        for column, output in enumerate(found):
            predictions[:, column] = output
        return predictions

    def _ballots(self, X: Any, n_jobs: int | None = 1) -> Iterator[Ballot]:
        """Count the members' votes one after the other, giving the ballot after each."""
        feed, combine, members = self._new_feed(X), self._combine_rule(), self._voters()
        factors, class_keys = self._tie_breakers()
        ballot, even = (Ballot(combine, len(feed.table.matrix), class_keys) for _ in range(2))
        found = self._outputs(feed, [(member, None) for member in members], combine.reads, n_jobs)
        has_vote = False
        for member, factor, output in zip(members, factors, found, strict=True):
            ballot.add(output, member.weight, factor)
            has_vote = has_vote or member.weight > 0
            if not has_vote:  # as long as none has a vote, all count alike
                even.add(output, 1.0, factor)
            yield ballot if has_vote else even

    def _ballot(self, X: Any) -> Ballot:
        return deque(self._ballots(X, self.n_jobs), maxlen=1).pop()

    def _out_of_bag_ballot(self, cases: Cases) -> Ballot:
        """Count for each training row the votes of the members that have not seen it."""
        combine, n_samples = self._combine_rule(), len(cases.y)
        factors, class_keys = self._tie_breakers()
        ballot = Ballot(combine, n_samples, class_keys)
        left_out = [
            (member, factor, np.flatnonzero(np.unpackbits(member.left_out, count=n_samples)))
            for member, factor in zip(self._voters(), factors, strict=True)
            if member.left_out is not None
        ]
        asked = [(member, rows) for member, _, rows in left_out]
        found = self._outputs(cases.feed, asked, combine.reads, self.n_jobs)
        for (member, factor, rows), output in zip(left_out, found, strict=True):
            ballot.add(output, member.weight, factor, rows)
        silent = np.count_nonzero((ballot.total == 0) & (cases.weight > 0))
        if silent:
            warnings.warn(
                f"{silent} of {n_samples} rows were seen by every member and have no out-of-bag prediction; use more "
                "members.",
                UserWarning,
                stacklevel=4,
            )
        return ballot

    def _out_of_bag_score(
        self, score: Callable[..., Any], true: NDArray[Any], predicted: NDArray[Any], weight: NDArray[np.float64]
    ) -> float:
        """Score the rows that have weight and a prediction, by their weights where the score takes them."""
        if not len(true):
            return float("nan")
        weights = {"sample_weight": weight} if "sample_weight" in signature(score).parameters else {}
        return float(score(true, predicted, **weights))


def _flatten(member: Member) -> list[Member]:
    """Return a member, or, if it is an ensemble itself, its members as members of the ensemble around it."""
    if not isinstance(member.model, BaseEnsemble):
        return [member]
    return [inner.within(member) for inner in member.model._voters()]


def _is_all(columns: NDArray[np.intp], n_features: int) -> bool:
    return len(columns) == n_features and bool((columns == np.arange(n_features)).all())
