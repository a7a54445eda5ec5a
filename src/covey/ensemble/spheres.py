"""The ensembles of the sphere-cover paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from covey import seeds
from covey._progress import Progress
from covey._sklearn import Interval, StrOptions
from covey.ensemble.base import BaseEnsemble
from covey.ensemble.classifier import BaseEnsembleClassifier
from covey.ensemble.fit import TrainingData
from covey.ensemble.member import Plan, chain_lengths
from covey.ensemble.size_choice import subspace_sizes
from covey.ensemble.sphere_trial import TRIED, Trial
from covey.ensemble.voting import Confidence, tried_confidence
from covey.learners import SphereCoverClassifier
from covey.learners.base import ClassWeight, case_counts
from covey.learners.metric import Metric
from covey.learners.sphere_size import SIZES, best_of
from covey.models.fields import Curve, Field, Maybe, Number, Whole
from covey.parallel import has_threads
from covey.strategies import BorderResampling, Combine, Everything, MajorityVote, RandomSubspace
from covey.strategies.draw import RULES, Size
from covey.strategies.subspace import count_columns
from covey.table import Table

# The place of the seed that parameters are chosen by, beside those that break ties.
_TUNING = 2


@dataclass(eq=False, repr=False, kw_only=True)
class SphereEnsembleClassifier(BaseEnsembleClassifier):
    """Random sphere covers that vote: alpha-RSE (sphere-cover paper, section 4.1).

    Every member covers all training cases; they differ because their centres are drawn at random. Which case is
    closest to which is found out once for all of them.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of members L; the paper has 25 and 100.
    min_sphere_size : float or "auto", default="auto"
        The least number of cases alpha in a sphere. "auto" takes what is best for one cover, by cross-validation on
        the training data, as published; of more than 10,000 rows on as many, as of `SphereCoverClassifier`.
    scale, metric, metric_params
        As of `SphereCoverClassifier`.
    cv : int, splitter or iterable, default=10
        The folds with which "auto" chooses.
    categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble.

    Attributes
    ----------
    min_sphere_size_ : float
        The least size of a sphere, as given or as chosen.
    size_curve_ : dict of float to float
        With "auto", the cross-validated accuracy of each size.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import SphereEnsembleClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> SphereEnsembleClassifier(n_estimators=10, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    estimator: Any = field(default=None, init=False)  # members are sphere covers
    class_weight: ClassWeight = field(default=None, init=False)  # a sphere decides by where it is, not by its weight
    min_sphere_size: float | str = "auto"
    scale: bool = True
    metric: Metric = "euclidean"
    metric_params: Mapping[str, Any] | None = None
    cv: Any = 10

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **BaseEnsemble._parameter_constraints,
        **{
            name: SphereCoverClassifier._parameter_constraints[name]
            for name in ("min_sphere_size", "scale", "metric", "metric_params", "cv")
        },
    }

    _state: ClassVar[dict[str, Field]] = {
        "min_sphere_size_": Number(0),
        "size_curve_": Maybe(Curve(Number(0), Number())),
    }

    def _base(self) -> SphereCoverClassifier:
        """Return a cover of the chosen size; until it is chosen, one that can be asked what it takes."""
        chosen = 1.0 if self.min_sphere_size == "auto" else self.min_sphere_size
        return SphereCoverClassifier(
            min_sphere_size=getattr(self, "min_sphere_size_", chosen),
            scale=self.scale,
            metric=self.metric,
            metric_params=self.metric_params,
            cv=self.cv,
        )

    def _combine_rule(self) -> Combine:
        return MajorityVote()

    def _confidence(self) -> Confidence:
        return tried_confidence(getattr(self, "size_curve_", {}), self.min_sphere_size_, len(self.classes_))

    def _weigh(self, sample_weight: Any, table: Table) -> NDArray[np.float64]:
        """Return weights that count cases, as spheres do."""
        return case_counts(super()._weigh(sample_weight, table))

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return Plan(chain_lengths(self.n_estimators, 1), draw=Everything())

    def _tune(self, data: TrainingData, seed: np.random.SeedSequence, *, is_warm: bool) -> None:
        if has_threads(self.n_jobs):
            self._base()._share(data.inputs.table, data.y, self.n_jobs)
        if is_warm and self.min_sphere_size == "auto":
            return
        self.__dict__.pop("size_curve_", None)
        if self.min_sphere_size != "auto":
            self.min_sphere_size_ = float(self.min_sphere_size)
            return
        rng = np.random.default_rng(seeds.child(seed, _TUNING))
        tell: dict[str, Any] = {"name": type(self).__name__, "verbose": self.verbose}
        self.size_curve_ = self._base()._size_curve(data.inputs.table, data.y, data.weight, rng, **tell)
        self.min_sphere_size_ = float(best_of(self.size_curve_))


class BorderSphereEnsembleClassifier(SphereEnsembleClassifier):
    """Sphere covers that learn where the border is: alpha-beta-RSE (sphere-cover paper, algorithm 2).

    After each member the cases that halted its spheres are replaced by a random choice among these, the cases that no
    sphere held, and those that the member got wrong: the spheres of the next grow past outliers, and more of them are
    made where it is hard. The number of strangers that a sphere may hold, beta, is thus set where it matters, and
    nowhere by hand. `BorderResampling` is the strategy by itself, for combinations in an `EnsembleClassifier`.

    Members are trained one after the other, so ``n_jobs`` helps with predictions only.

    Parameters
    ----------
    n_estimators, min_sphere_size, scale, metric, metric_params, cv
        As of `SphereEnsembleClassifier`.
    categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble.

    Attributes
    ----------
    min_sphere_size_, size_curve_
        As of `SphereEnsembleClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import BorderSphereEnsembleClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> BorderSphereEnsembleClassifier(n_estimators=10, random_state=0).fit(X, y).predict(X[:2])
    array([0, 0])
    """

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return Plan((self.n_estimators,), draw=Everything(), reweight=BorderResampling())


@dataclass(eq=False, repr=False, kw_only=True)
class SubspaceSphereEnsembleClassifier(SphereEnsembleClassifier):
    """Sphere covers of random attributes: alpha-RSSE (sphere-cover paper, algorithm 3).

    Every member covers all training cases as it sees them along a random choice of attributes, as many for each.

    Parameters
    ----------
    n_estimators : int, default=100
        The number of members L.
    subspace_size : int, float, str or "auto", default="auto"
        The number of attributes kappa of each member: a number, a share, "sqrt", "log2" or "third". "auto" chooses by
        cross-validation of a vote on a third of the training data, as published, or on 1,000 rows where that is more,
        but on no more than 4,000: first the number of attributes, with spheres of at least one or two cases, whichever
        is better, then the least size of a sphere for that number.
    min_sphere_size : float or "auto", default="auto"
        The least number of cases alpha in a sphere.
    scale, metric, metric_params
        As of `SphereCoverClassifier`.
    cv : int, splitter or iterable, default=5
        The folds with which "auto" chooses.
    categorical_features, n_jobs, random_state, warm_start, verbose
        As of `EnsembleClassifier`, as are the attributes of a fitted ensemble.

    Attributes
    ----------
    subspace_size_ : int
        The number of attributes of each member.
    min_sphere_size_ : float
        The least size of a sphere, as given or as chosen.
    subspace_curve_, size_curve_ : dict
        With "auto", the cross-validated accuracy of each number of attributes and of each size of spheres.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import SubspaceSphereEnsembleClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SubspaceSphereEnsembleClassifier(n_estimators=10, subspace_size=2, random_state=0)
    >>> model.fit(X, y).predict(X[:2])
    array([0, 0])
    """

    subspace_size: Size = "auto"
    cv: Any = 5
    subspace_size_: int = field(init=False)

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **SphereEnsembleClassifier._parameter_constraints,
        "subspace_size": [
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
            StrOptions({"auto", *RULES}),
        ],
    }

    _state: ClassVar[dict[str, Field]] = {
        "subspace_size_": Whole(1),
        "subspace_curve_": Maybe(Curve(Whole(1), Number())),
    }

    def _plan(self, n_samples: int, n_features: int) -> Plan:
        return Plan(chain_lengths(self.n_estimators, 1), draw=Everything(), subspace=self._subspace())

    def _subspace(self) -> RandomSubspace:
        return RandomSubspace(self.subspace_size_) if hasattr(self, "subspace_size_") else self._given_subspace()

    def _given_subspace(self) -> RandomSubspace:
        return RandomSubspace(1 if self.subspace_size == "auto" else self.subspace_size)

    def _tune(self, data: TrainingData, seed: np.random.SeedSequence, *, is_warm: bool) -> None:
        n_columns = data.inputs.table.shape[1]
        if self.subspace_size != "auto":
            self.subspace_size_ = count_columns(self.subspace_size, n_columns, name="subspace_size")
        elif not is_warm:
            self.subspace_size_ = 0
        size = self.min_sphere_size_ if is_warm else 0.0
        self.min_sphere_size_ = size if self.min_sphere_size == "auto" else float(self.min_sphere_size)
        if not is_warm:
            self._search(data, seed)
        if has_threads(self.n_jobs) or effective_n_jobs(self.n_jobs) == 1:
            new = range(len(self.estimators_) if is_warm else 0, self.n_estimators)
            views = [self._view(data, seed, member) for member in new]
            self._base()._share_along(data.inputs.table, data.y, views, self.n_jobs)

    def _view(self, data: TrainingData, seed: np.random.SeedSequence, member: int) -> NDArray[np.intp]:
        """Return the columns that a member is going to draw, as the first of a chain of its own."""
        rng = np.random.default_rng(seeds.child(seed, member, 0))
        return self._subspace().choose(data.inputs.table, data.y, Everything().draw(data.weight, rng), rng)

    def _search(self, data: TrainingData, seed: np.random.SeedSequence) -> None:
        """Choose the number of attributes, then the least size of spheres, where they are not given."""
        for name in ("size_curve_", "subspace_curve_"):
            self.__dict__.pop(name, None)
        if self.subspace_size != "auto" and self.min_sphere_size != "auto":
            return
        trial = Trial.of(self._base(), data, seeds.child(seed, _TUNING))
        if self.subspace_size == "auto":
            sizes = (1.0, 2.0) if self.min_sphere_size == "auto" else (self.min_sphere_size_,)
            counts = subspace_sizes(data.inputs.table.shape[1])
            curves = trial.curves(counts, sizes, self.n_jobs, self._progress())
            self.subspace_curve_ = {
                count: max(curve.values(), default=0.0) for count, curve in zip(counts, curves, strict=True)
            }
            self.subspace_size_ = best_of(self.subspace_curve_)
        if self.min_sphere_size == "auto":
            self.size_curve_ = trial.curves([self.subspace_size_], SIZES, self.n_jobs, self._progress())[0]
            self.min_sphere_size_ = float(best_of(self.size_curve_))

    def _progress(self) -> Progress:
        return Progress(type(self).__name__, TRIED, self.verbose, unit="members tried")
