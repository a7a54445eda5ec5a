"""The base of all ensembles: parameters, growing, warm starts, and the members in plain lists."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from inspect import signature
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, get_routing_for_object, process_routing

from covey._progress import Progress
from covey._sklearn import Interval, refuse_params
from covey._warnings import warn_user
from covey.ensemble.checks import (
    check_base,
    check_kind,
    check_member,
    check_missing,
    check_plan,
    read_inputs,
    warn_of_identifiers,
    warn_of_ridge,
)
from covey.ensemble.fit import TrainingData, takes_weights
from covey.ensemble.growth import Growth, check_extends, grow_chains, new_entropy
from covey.ensemble.importances import MeanImportances
from covey.ensemble.inputs import Inputs
from covey.ensemble.member import Member, Plan
from covey.ensemble.over_base import OverBase
from covey.ensemble.voting import (
    LEAST_VOTES,
    MOST_VOTES,
    OF_MEANS,
    OF_VOTES,
    OF_WEIGHTED,
    Confidence,
    VoteCount,
    member_output,
    tie_breakers,
)
from covey.learners.base import CLASS_WEIGHT
from covey.models.fields import Array, Field, Items, Maybe, Model, Number, OrNone, Part, require
from covey.parallel import each
from covey.seeds import RandomState
from covey.strategies import Combine, Subspace
from covey.strategies.combine import Reads
from covey.strategies.view import MOST_CATEGORIES, Rotated
from covey.table import Table, as_table, check_weight, feature_names
from covey.table.design import check_size
from covey.table.table import CategoricalFeatures


@dataclass(eq=False, repr=False)
class BaseEnsemble(MeanImportances, OverBase):
    """Grows members by a plan and keeps them in plain lists.

    A subclass names its further parameters, as fields of a dataclass, its plan and how its votes are combined.
    """

    estimator: Any = None
    n_estimators: int = 100
    _: KW_ONLY
    categorical_features: CategoricalFeatures = "from_dtype"
    n_jobs: int | None = None
    random_state: RandomState = None
    warm_start: bool = False
    verbose: int = 0
    # A parameter only of those whose members leave rows out.
    oob_score: Any = field(default=False, init=False)

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "class_weight": CLASS_WEIGHT,  # a parameter of classifiers
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
        "oob_score_": Maybe(Number(nan=True)),
    }
    _default_score: ClassVar[Callable[..., Any]]

    def _check_state(self) -> None:
        check_kind(self._base(), classifier=isinstance(self, ClassifierMixin))
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

    def _subspace(self) -> Subspace | None:
        """Return what chooses the members' views; None if each sees all columns."""
        chosen: Subspace | None = getattr(self, "subspace", None)
        return chosen

    def _makes_numbers(self) -> bool:
        """Whether members see numbers without missing values, whatever there is in the table."""
        return bool(getattr(self._subspace(), "makes_numbers", False))

    def _tune(self, data: TrainingData, seed: np.random.SeedSequence, *, is_warm: bool) -> None:
        """Choose what the data is to choose, before members are grown; a warm start keeps what was chosen."""

    def _weigh(self, sample_weight: Any, table: Table) -> NDArray[np.float64]:
        """Return row weights, ones by default."""
        return check_weight(sample_weight, table.matrix)

    @abstractmethod
    def _read_target(
        self, y: Any, table: Table, weight: NDArray[np.float64]
    ) -> tuple[NDArray[Any], NDArray[np.float64]]:
        """Return class codes, setting ``classes_``, or numbers; and the weights of rows, by their classes."""

    # Training

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Grow the ensemble.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing, if the base estimator can use it.
        y : array-like of shape (n_samples,)
            Class labels, or the response of a regression.
        sample_weight : array-like of shape (n_samples,), optional
            Row weights; a row of weight 0 counts as absent.
        **fit_params : dict
            Metadata for the base estimator's ``fit``, where scikit-learn's metadata routing is enabled.

        Returns
        -------
        self
        """
        self._validate_params()
        check_kind(self._base(), classifier=isinstance(self, ClassifierMixin))
        table = as_table(X, self.categorical_features)
        if self._is_warm() and table.schema != self.schema_:
            raise ValueError("X has other columns or categories than in the last fit; a warm start needs the same.")
        if self._is_warm():  # the members that there are have columns for what was frequent then
            table = replace(table, schema=self.schema_)
        weight = self._weigh(sample_weight, table)
        with self._all_or_nothing():
            data = self._grow_members(X, table, *self._read_target(y, table, weight), fit_params)
            if self.oob_score:
                self._score_out_of_bag(data)
        return self

    def _grow_members(
        self, X: Any, table: Table, y: NDArray[Any], weight: NDArray[np.float64], fit_params: dict[str, Any]
    ) -> TrainingData:
        """Grow the members that the plan asks for beyond those there are, and keep all."""
        estimator, plan, names = self._base(), self._plan(*table.shape), feature_names(X)
        check_base(estimator, self._combine_rule())
        check_missing(self, table)
        check_plan(plan, estimator, weight, bool(self.oob_score))
        params, weighs = self._routed(fit_params), takes_weights(estimator)
        data = TrainingData(Inputs(table.counting(weight > 0)), y, weight, self._n_classes(), weighs, params)
        before, kept = self._start(plan, data)
        self._tune(data, before.seed, is_warm=bool(kept))
        estimator, plan = self._base(), self._prepare(self._plan(*table.shape), data)
        warn_of_identifiers(plan, estimator, table)
        self._encode_for(data.inputs, estimator)
        progress = Progress(type(self).__name__, sum(plan.chains) - before.n_members, self.verbose)
        grown, growth = grow_chains(plan, estimator, data, before, self.n_jobs, progress, self._keeps())
        progress.end()
        self._remember_columns(table, names)
        self._keep([*kept, *(flat for member in grown for flat in _flatten(member))], growth)
        warn_of_ridge(self.estimators_)
        return data

    def _prepare(self, plan: Plan, data: TrainingData) -> Plan:
        """Do once what all members share."""
        if plan.subspace is None:
            return plan
        return replace(plan, subspace=plan.subspace.prepare(data.inputs.table, data.y, data.weight))

    def _encode_for(self, inputs: Inputs, model: Any) -> None:
        if self._makes_numbers():
            schema, n_rows = inputs.table.schema, len(inputs.table.matrix)
            n_columns = int(np.minimum(schema.widths, MOST_CATEGORIES).sum())
            check_size(schema, n_rows * n_columns * 8, most=MOST_CATEGORIES)
        else:
            inputs.encode_for(model)

    def _keeps(self) -> bool:
        """Whether a later fit may want to go on from this one or to know which rows members left out."""
        return bool(self.warm_start or self.oob_score)

    def _is_warm(self) -> bool:
        return bool(self.warm_start) and hasattr(self, "estimators_")

    def _start(self, plan: Plan, data: TrainingData) -> tuple[Growth, list[Member]]:
        """Return where to go on from, and the members there are."""
        if not self._is_warm():
            return Growth(new_entropy(self.random_state)), []
        check_extends(plan, self._growth, data, bool(self.oob_score))
        if sum(plan.chains) == self._growth.n_members:
            warn_user("Warm start without a larger n_estimators adds no members.")
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
        every = np.arange(self.n_features_in_)
        return [
            Member(
                model, rotation or (None if np.array_equal(columns, every) else columns), weight, chain, codes, left_out
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

    def _confidence(self) -> Confidence:
        combine = self._combine_rule()
        if combine.reads != "codes":
            return OF_MEANS
        votes = {combine.share(weight) for weight in self.estimator_weights_.tolist()} - {0.0}
        return OF_WEIGHTED if len(votes) > 1 else OF_VOTES

    def _voters(self) -> list[Member]:
        """The members with their votes; if none has any, all have the same."""
        members = self._members
        return members if self.estimator_weights_.any() else [replace(member, weight=1.0) for member in members]

    def _weighted_members(self) -> list[tuple[Member, float]]:
        rule = self._combine_rule()
        return [(member, rule.share(member.weight)) for member in self._voters()]

    def _outputs(
        self, inputs: Inputs, asked: Iterable[tuple[Member, NDArray[np.intp] | None]], reads: Reads, n_jobs: int | None
    ) -> Iterator[NDArray[Any]]:
        """Give the members' outputs for all or some rows, in order, worked out in parallel."""
        n_classes = self._n_classes()
        self._encode_for(inputs, self._innermost())
        return each(member_output, ((member, inputs, reads, n_classes, rows) for member, rows in asked), n_jobs)

    def _said(self, X: Any) -> NDArray[Any]:
        """Return what each member says: codes in the smallest integer type that holds them, or numbers."""
        inputs = read_inputs(self, X)
        n_classes = self._n_classes()
        reads: Reads = "codes" if n_classes else "values"
        members = self._members
        kind = np.min_scalar_type(-n_classes) if n_classes else np.dtype(np.float64)
        predictions = np.empty((len(inputs.table.matrix), len(members)), dtype=kind)
        outputs = self._outputs(inputs, [(member, None) for member in members], reads, self.n_jobs)
        for column, output in enumerate(outputs):
            predictions[:, column] = output
        return predictions

    def _vote_counts(self, X: Any, n_jobs: int | None = 1) -> Iterator[VoteCount]:
        """Count the members' votes one after the other, giving the count after each."""
        inputs, combine, members = read_inputs(self, X), self._combine_rule(), self._voters()
        factors, class_keys = self._tie_breakers()
        n_rows, confidence = len(inputs.table.matrix), self._confidence()
        count, even = (VoteCount(combine, n_rows, class_keys, confidence) for _ in range(2))
        outputs = self._outputs(inputs, [(member, None) for member in members], combine.reads, n_jobs)
        has_vote = False
        for member, factor, output in zip(members, factors, outputs, strict=True):
            count.add(output, member.weight, factor)
            has_vote = has_vote or member.weight > 0
            if not has_vote:  # as long as none has a vote, all count alike
                even.add(output, 1.0, factor)
            yield count if has_vote else even

    # Out-of-bag estimates

    def _out_of_bag_count(self, data: TrainingData) -> VoteCount:
        """Count for each training row the votes of the members that have not seen it."""
        combine, n_rows = self._combine_rule(), len(data.y)
        factors, class_keys = self._tie_breakers()
        count = VoteCount(combine, n_rows, class_keys, self._confidence())
        left_out = [
            (member, factor, np.flatnonzero(np.unpackbits(member.left_out, count=n_rows)))
            for member, factor in zip(self._voters(), factors, strict=True)
            if member.left_out is not None
        ]
        asked = [(member, rows) for member, _, rows in left_out]
        outputs = self._outputs(data.inputs, asked, combine.reads, self.n_jobs)
        for (member, factor, rows), output in zip(left_out, outputs, strict=True):
            count.add(output, member.weight, factor, rows)
        silent = np.count_nonzero((count.total == 0) & (data.weight > 0))
        if silent:
            warn_user(
                f"{silent} of {n_rows} rows were seen by every member and have no out-of-bag prediction; use more "
                "members."
            )
        return count

    @abstractmethod
    def _out_of_bag_predictions(self, count: VoteCount, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return true and predicted labels or numbers, setting what is shown of the predictions."""

    def _score_out_of_bag(self, data: TrainingData) -> None:
        """Score the rows that have weight and a prediction, by their weights where the score takes them."""
        count = self._out_of_bag_count(data)
        rows = (count.total > 0) & (data.weight > 0)
        true, predicted = self._out_of_bag_predictions(count, data.y)
        score = self.oob_score if callable(self.oob_score) else type(self)._default_score
        weights = {"sample_weight": data.weight[rows]} if "sample_weight" in signature(score).parameters else {}
        self.oob_score_ = float(score(true[rows], predicted[rows], **weights)) if rows.any() else float("nan")


def _flatten(member: Member) -> list[Member]:
    """Return a member, or, if it is an ensemble itself, its members as members of the ensemble around it."""
    if not isinstance(member.model, BaseEnsemble):
        return [member]
    return [inner.within(member) for inner in member.model._voters()]
