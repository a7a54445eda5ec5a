"""The base of random subspace learners: weights of columns, how many are drawn, and what was learnt of them."""

from __future__ import annotations

import math
import warnings
from dataclasses import KW_ONLY, dataclass, field
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from covey import seeds
from covey._progress import Progress
from covey._sklearn import Interval, StrOptions
from covey.ensemble.base import BaseEnsemble
from covey.ensemble.fit import TrainingData
from covey.ensemble.member import Plan, chain_lengths, even_chains
from covey.ensemble.size_choice import SizeCurve, candidate_sizes, choose_size
from covey.ensemble.voting import losses_of
from covey.learners.linear import LinearModel
from covey.learners.sampling import class_by_class
from covey.models.fields import Array, Field, Maybe, Model, Part, Whole, require
from covey.strategies import Bootstrap, Draw, Everything, EvolvingSubspace, RandomSubspace, Subspace, WeightedSubspace
from covey.strategies.combine import Reads
from covey.strategies.draw import RULES, Size
from covey.strategies.evolving import CREDITS, UPDATES, Credit, Update
from covey.strategies.subspace import Score, count_columns
from covey.table import Table

Weighting = str | Score | ArrayLike

# The place of the seed that the size is chosen by, beside those that break ties.
_TUNING = 2
# How many members are trained to judge a number of columns.
_TRIED = 25
# One row in so many is set aside to judge them by, if there are enough rows.
_ONE_IN = 5
_FEWEST_ROWS = 10
# The least number of distinct rows per column of a linear model.
_ROWS_PER_COLUMN = 3
# The share of the rows that a member draws where columns are weighed.
_PUBLISHED_SHARE = 0.7


@dataclass(eq=False, repr=False)
class ColumnWeights(BaseEnsemble):
    """An ensemble whose members see columns drawn by weights, given beforehand or learnt on the way."""

    n_estimators: int = 200
    _: KW_ONLY
    weighting: Weighting = "uniform"
    subspace_size: Size = "auto"
    bootstrap: bool | float | str = "auto"
    update: Update = "mean"
    credit: Credit = "error"
    n_chains: int = 1
    oob_score: Any = False
    # A parameter of the regressor alone.
    scale_errors: bool = field(default=False, init=False)

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        "weighting": [StrOptions({"uniform", "relevance", "evolving"}), callable, "array-like"],
        "subspace_size": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
            StrOptions({"auto", *RULES}),
        ],
        "bootstrap": [
            StrOptions({"auto"}),
            "boolean",
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, None, closed="neither"),
        ],
        "update": [StrOptions(set(UPDATES))],
        "credit": [StrOptions(set(CREDITS))],
        "n_chains": [Interval(Integral, 1, None, closed="left")],
    }
    _state: ClassVar[dict[str, Field]] = {
        "subspace_size_": Whole(1),
        "size_curve_": Maybe(Part(SizeCurve)),
        "_prepared": Model(Subspace),
        "feature_weights_": Array(np.float64, "features", low=0.0),
        "oob_errors_": Maybe(Array(np.float64, None, low=-np.inf, high=np.inf, nan=True, infinite=True)),
    }

    def _check_state(self) -> None:
        super()._check_state()
        drawn = [past.columns for past in self._growth.rounds if len(past.columns)]
        require(all(some.max() < self.n_features_in_ for some in drawn), "has rounds of columns that there are not")

    # How it is grown

    def _weighs(self, kind: str) -> bool:
        return isinstance(self.weighting, str) and self.weighting == kind

    def _subspace(self) -> Subspace:
        size = self.__dict__.get("subspace_size_", 1)
        if self._weighs("evolving"):
            return EvolvingSubspace(size, self.update, self.credit, self.scale_errors)
        if self._weighs("uniform"):
            return RandomSubspace(size)
        return WeightedSubspace(self.weighting, size)

    def _draw(self) -> Draw:
        share: Any = self.bootstrap
        if isinstance(share, str):
            share = False if self._weighs("uniform") else _PUBLISHED_SHARE
        if isinstance(share, bool | np.bool_):
            share = 1.0 if share else None
        if share is None and self._weighs("evolving"):
            raise ValueError(
                "bootstrap=False leaves no rows out, which weighting='evolving' learns from; give a share such as 0.7."
            )
        return Everything() if share is None else Bootstrap(share)

    def _chains(self) -> tuple[int, ...]:
        if not self._weighs("evolving"):
            if self.n_chains > 1:
                raise ValueError(
                    f"n_chains={self.n_chains} is for weighting='evolving'; other members know nothing of each other. "
                    "Give n_chains=1."
                )
            return chain_lengths(self.n_estimators, 1)
        return even_chains(self.n_estimators, self.n_chains)

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        if self.oob_score and not self._draw().is_random:
            raise ValueError(
                f"oob_score needs members that leave rows out, but bootstrap={self.bootstrap!r} takes all; give a "
                "share such as bootstrap=0.7."
            )
        return Plan(self._chains(), self._draw(), self._subspace(), watches=bool(self.oob_score))

    def _prepare(self, plan: Plan, data: TrainingData) -> Plan:
        prepared = super()._prepare(plan, data)
        self._prepared = prepared.subspace
        return prepared

    def _keep(self, members: Any, growth: Any) -> None:
        super()._keep(members, growth)
        self.feature_weights_ = self._final_weights()
        if growth.rounds:
            self.oob_errors_ = np.array([past.loss for past in growth.rounds])

    # How many columns

    def _count(self, n_columns: int) -> int:
        if self.subspace_size in ("sqrt", "third"):
            return math.ceil(RULES[str(self.subspace_size)](n_columns))
        return count_columns(self.subspace_size, n_columns, name="subspace_size")

    def _tune(self, data: TrainingData, seed: np.random.SeedSequence, *, is_warm: bool) -> None:
        if is_warm and self.subspace_size == "auto":
            return
        n_columns = data.inputs.table.shape[1]
        self.__dict__.pop("size_curve_", None)
        if self.subspace_size != "auto":
            self.subspace_size_ = self._count(n_columns)
            return
        most = self._most_columns(data)
        rule = min(most, math.ceil(RULES["sqrt" if data.n_classes else "third"](n_columns)))  # Breiman's
        curve = self._try_sizes(data, candidate_sizes(most, data.n_classes), rule, seeds.child(seed, _TUNING))
        self.subspace_size_ = rule if curve is None else curve.chosen
        if curve is not None:
            self.size_curve_ = curve

    def _most_columns(self, data: TrainingData) -> int:
        """Return the largest number of columns that "auto" may choose.

        A linear model errs wildly where it has as many columns as rows, so of the rows that a member draws, repeated
        ones not counted, there are to be at least three for each column. Other base estimators have no such limit.
        """
        n_rows, n_columns = int(np.count_nonzero(data.weight)), data.inputs.table.shape[1]
        if not isinstance(self._base(), LinearModel):
            return n_columns
        draw = self._draw()
        distinct = n_rows * (1 - math.exp(-draw._count(n_rows) / n_rows)) if isinstance(draw, Bootstrap) else n_rows
        return min(n_columns, max(1, int(distinct / _ROWS_PER_COLUMN)))

    def _try_sizes(
        self, data: TrainingData, sizes: list[int], rule: int, seed: np.random.SeedSequence
    ) -> SizeCurve | None:
        """Return the error on a fifth of the rows of ensembles trained on the rest, by the number of columns.

        None if there is nothing to choose, or too few rows to choose by.
        """
        table, parts = data.inputs.table, _parts(data, seed)
        if len(sizes) == 1 or parts is None:
            return None
        train, test = (Table(table.matrix[rows], table.schema) for rows in parts)
        share = data.weight[parts[1]] / data.weight[parts[1]].mean()
        reads: Reads = "codes" if data.n_classes else "values"
        losses = []
        progress = Progress(type(self).__name__, len(sizes), self.verbose, unit="sizes tried")
        for number, size in enumerate(sizes):
            model = clone(self).set_params(subspace_size=size, oob_score=False, warm_start=False, verbose=0)
            members = min(_TRIED, self.n_estimators)
            model.set_params(n_estimators=members, n_chains=min(self.n_chains, members))
            if data.n_classes:
                model.set_params(class_weight=None)  # the weights of rows have those of their classes in them
            model.set_params(random_state=int(seeds.child(seed, 1 + number).generate_state(1)[0] // 2))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what is amiss with the data is said of the ensemble itself
                model.fit(train, data.y[parts[0]], data.weight[parts[0]])
                losses.append(losses_of(model.predict(test), data.y[parts[1]], reads) * share)
            progress.advance()
        return choose_size(sizes, losses, rule)

    # What was learnt

    def _final_weights(self) -> NDArray[np.float64]:
        subspace, n_columns = self._prepared, self.n_features_in_
        if isinstance(subspace, EvolvingSubspace):
            return np.asarray(self.feature_weights_path_[-1])
        if isinstance(subspace, WeightedSubspace):
            weights = np.asarray(subspace.weights, dtype=np.float64)
            return np.asarray(weights / weights.sum())
        return np.full(n_columns, 1.0 / n_columns)

    @property
    def feature_weights_path_(self) -> NDArray[np.float64]:
        """The weights of columns after each round, of all chains together; the last are ``feature_weights_``."""
        check_is_fitted(self)
        if not isinstance(self._prepared, EvolvingSubspace):
            raise AttributeError(f"Weights have no path with weighting={self.weighting!r:.40}; use 'evolving'.")
        return self._prepared.path(self._growth.rounds, len(self._growth.chains), self.n_features_in_)

    @property
    def selection_counts_(self) -> NDArray[np.intp]:
        """How many members see each column."""
        check_is_fitted(self)
        return np.bincount(np.concatenate(self.estimators_features_), minlength=self.n_features_in_)


def _parts(data: TrainingData, seed: np.random.SeedSequence) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Divide the rows into those to train on and those set aside, as much of each class; None if there are too few."""
    codes = data.y if data.n_classes else np.zeros(len(data.y), dtype=np.intp)
    order = class_by_class(codes, data.weight, np.random.default_rng(seeds.child(seed, 0)))
    if len(order) < _FEWEST_ROWS:
        return None
    aside = np.arange(len(order)) % _ONE_IN == 0
    return np.sort(order[~aside]), np.sort(order[aside])
