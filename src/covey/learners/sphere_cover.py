"""The random sphere cover classifier (RSC) and its greedy ancestor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from numbers import Integral, Real
from typing import Any, ClassVar

import joblib
import numpy as np
from numpy.typing import NDArray

from covey import seeds
from covey._sklearn import Interval, StrOptions
from covey.learners import euclid, metric
from covey.learners.base import TableClassifier
from covey.learners.closest import MANY_COLUMNS
from covey.learners.cover import ClassedRows, Cover, Coverable, CoverRule, Verdict, make_cover
from covey.learners.euclid import EuclideanRows
from covey.learners.metric import EUCLIDEAN, Metric, MetricRows, check_metric, metric_rows, takes_missing
from covey.learners.per_table import PerTable
from covey.learners.sampling import some_of_each
from covey.learners.space import Points, Space, space_of
from covey.learners.sphere_size import best_of, sphere_size_curve
from covey.learners.subset_enemies import known_enemies, share_enemies
from covey.models.fields import Array, Curve, Field, Labels, Maybe, Number, OrNone, Part, require
from covey.seeds import RandomState
from covey.table import Table
from covey.table.schema import check_codes
from covey.table.table import CategoricalFeatures

# How many enemies are found of each row beyond those that halt its sphere: a cover that leaves these out need not
# search again. Of many columns one is found much faster than several.
SPARE = 4

_COVERABLE: PerTable[Coverable] = PerTable()
_PLACED: PerTable[Points] = PerTable()

# How many rows sizes of spheres are tried on at most.
MOST_TRIED = 10_000


@dataclass(eq=False, repr=False)
class SphereCoverClassifier(TableClassifier):
    """The random sphere cover classifier alpha-RSC (sphere-cover paper, algorithm 1).

    Cases are drawn at random among those that no sphere holds yet. Each becomes the centre of a sphere that reaches to
    the closest case of another class, its border case, and is kept if it holds enough cases. A new case takes the class
    of the sphere around it, of several the one with the closest centre (rule 1); one outside of all spheres takes the
    class of the closest edge (rule 2).

    Numbers are scaled to [0, 1]. Categories are at distance 0 or 1, and so is a missing value from one that is there.

    Parameters
    ----------
    min_sphere_size : float or "auto", default=1
        The least number of cases alpha that a sphere must hold, its centre included, or be dropped. "auto" chooses by
        cross-validation on the training data; of more than 10,000 rows on as many, drawn by the seed as large a share
        of each class, unless ``cv`` is more than a number.
    cover : {"random", "greedy"}, default="random"
        Whether centres are drawn at random, or the sphere that holds most cases of its class not held by others comes
        first: the class cover catch digraph, which is not random.
    max_enemies : int, default=0
        How many cases of other classes a sphere may hold, beta: it then reaches to the next one. They neither count
        for its size nor as covered.
    scale : bool, default=True
        Whether to scale numbers to [0, 1] by their range in the training data.
    metric : str or callable, default="euclidean"
        The distance: one of those that `sklearn.metrics.pairwise_distances` knows, or a function of two rows. All but
        "euclidean", also called "l2", and "nan_euclidean" need numbers that are complete; for all but "euclidean"
        categories become columns of 0 and 1/2.
    metric_params : dict, optional
        Further parameters of such a metric.
    cv : int, splitter or iterable, default=10
        The folds with which "auto" chooses: their number, or as of `sklearn.model_selection.check_cv`.
    categorical_features : "from_dtype", None or array-like, default="from_dtype"
        Which columns are categorical, as of `EnsembleClassifier`.
    random_state : int, Generator, RandomState, SeedSequence or None
        What the order of the centres and the folds are drawn from.
    verbose : int, default=0
        1 prints at most once a second how many covers the search for a size has tried, 2 after each.

    Attributes
    ----------
    centers_ : ndarray of shape (n_spheres, n_features)
        The cases at the centres as they were given, with codes for categories.
    center_indices_ : ndarray of shape (n_spheres,)
        Their rows in the training data, in the order the spheres were made; those of a greedy cover by size.
    radii_ : ndarray of shape (n_spheres,)
        The distances to the border cases, in scaled numbers; infinite if there is only one class.
    sphere_classes_ : ndarray of shape (n_spheres,)
        The class of each sphere.
    sphere_sizes_ : ndarray of shape (n_spheres,)
        How many cases of its class each holds, by their weights.
    sphere_borders_ : ndarray of shape (n_spheres,)
        The row of each sphere's border case, -1 for a sphere that has none.
    border_indices_ : ndarray
        The rows of all border cases, in ascending order.
    uncovered_indices_ : ndarray
        The rows that no sphere holds, in ascending order.
    pruned_indices_, pruned_radii_ : ndarray
        The centres and radii of the spheres that were dropped.
    compression_ : float
        Spheres per training case.
    min_sphere_size_ : float
        The least size, as given or as chosen.
    size_curve_ : dict of float to float
        With "auto", the cross-validated accuracy of each size.
    classes_, n_classes_, n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import SphereCoverClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SphereCoverClassifier(min_sphere_size=3, random_state=0).fit(X, y)
    >>> model.predict(X[:2])
    array([0, 0])
    >>> model.explain(X[:1])[["prediction", "rule", "sphere", "size"]]
       prediction    rule  sphere  size
    0           0  inside       0  50.0
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "min_sphere_size": [Interval(Real, 0, None, closed="left"), StrOptions({"auto"})],
        "cover": [StrOptions({"random", "greedy"})],
        "max_enemies": [Interval(Integral, 0, None, closed="left")],
        "scale": ["boolean"],
        "metric": [str, callable],
        "metric_params": [dict, None],
        "cv": ["cv_object"],
        "verbose": ["verbose"],
    }
    _state: ClassVar[dict[str, Field]] = {
        "_space": OrNone(Part(Space, shared=True)),
        "size_curve_": Maybe(Curve(Number(0), Number())),
        "min_sphere_size_": Number(0),
        "centers_": Array(np.float64, "spheres", "features", low=-np.inf, high=np.inf, nan=True),
        "center_indices_": Array(np.int64, "spheres", low=0),
        "radii_": Array(np.float64, "spheres", low=0.0, infinite=True),
        "sphere_classes_": Labels("spheres"),
        "sphere_sizes_": Array(np.float64, "spheres", low=0.0),
        "sphere_borders_": Array(np.int64, "spheres", low=-1),
        "border_indices_": Array(np.int64, None, low=0),
        "uncovered_indices_": Array(np.int64, None, low=0),
        "pruned_indices_": Array(np.int64, "pruned", low=0),
        "pruned_radii_": Array(np.float64, "pruned", low=0.0, infinite=True),
        "compression_": Number(0),
        "_cases": OrNone(Array(np.int64, None, low=0)),
        "_cases_start": OrNone(Array(np.int64, None, low=0)),
    }

    def _check_state(self) -> None:
        super()._check_state()
        check_metric(self.metric, self.metric_params)
        plain = all(isinstance(value, Real) for value in (self.metric_params or {}).values())
        require(isinstance(self.metric, str) and plain, "has a metric that a file cannot hold")
        require(len(self.radii_) > 0, "has no spheres")
        require(np.isin(self.sphere_classes_, self.classes_).all(), "has spheres of classes that there are not")
        check_codes(self.centers_, self.schema_)
        require(self._space is not None or self.metric not in EUCLIDEAN, "has no space")
        require(self._space is not None or not self.scale, "has no space")
        if self._space is not None:
            self._space.check_columns(self.schema_)
        if self.metric not in EUCLIDEAN:
            rows = metric_rows(Table(self.centers_, self.schema_), self._space, self.metric)[:1]
            metric.decide(rows, rows, self.radii_[:1], self.metric, self.metric_params or {})
        if self._cases is not None and self._cases_start is not None:
            starts = self._cases_start
            whole = len(starts) == len(self.radii_) + 1 and starts[0] == 0 and starts[-1] == len(self._cases)
            require(whole and (np.diff(starts) >= 0).all(), "has spheres whose cases do not fit together")

    min_sphere_size: float | str = 1
    _: KW_ONLY
    cover: CoverRule = "random"
    max_enemies: int = 0
    scale: bool = True
    metric: Metric = "euclidean"
    metric_params: Mapping[str, Any] | None = None
    cv: Any = 10
    categorical_features: CategoricalFeatures = "from_dtype"
    random_state: RandomState = None
    verbose: int = 0

    # Training

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        check_metric(self.metric, self.metric_params)
        rng = seeds.generator(self.random_state)
        if alone:  # in an ensemble all members share the range of the columns
            table = table.counting(weight > 0)
        self._space = self._space_of(table)
        size = self._choose(table, codes, weight, rng)
        data = self._coverable(table, codes, often=self._covers_often(table, weight, alone))
        cover = make_cover(data, weight, size, rule=self.cover, rng=rng)
        self._keep(table, codes, cover, int(np.count_nonzero(weight)))
        self._keep_cases(data.rows if alone else None, cover, weight)

    def _covers_often(self, table: Table, weight: NDArray[np.float64], alone: bool) -> bool:
        """Whether the same cases are covered many times: by other members, or in search of the best size."""
        shared = not alone and table.whole is None
        tried = self.min_sphere_size == "auto" and not self._tries_some(weight)
        return self.cover == "random" and (shared or tried)

    def _share(self, table: Table, codes: NDArray[np.intp], n_jobs: int | None) -> None:
        """Find out what all members of an ensemble share, by several threads; else one would, and the others wait.

        By other metrics the last digits may depend on how many rows are asked about at a time.
        """
        if self.metric in EUCLIDEAN:
            self._coverable(table, codes, often=self.cover == "random", n_jobs=n_jobs)

    def _share_along(
        self, table: Table, codes: NDArray[np.intp], subsets: Sequence[NDArray[np.intp]], n_jobs: int | None
    ) -> None:
        """Find out, for members that see some columns each, what is quicker found for all of them."""
        if self.metric in EUCLIDEAN and self.max_enemies == 0:
            share_enemies(table, codes.astype(np.int64), subsets, scale=self.scale, n_jobs=n_jobs)

    def _coverable(self, table: Table, codes: NDArray[np.intp], *, often: bool, n_jobs: int | None = 1) -> Coverable:
        """Return what covers of these cases share, from another member if there is one."""
        labels = codes.astype(np.int64)
        key = (self.scale, self.metric, joblib.hash(self.metric_params), self.max_enemies, often, labels.tobytes())
        n_spare = SPARE if often and table.shape[1] < MANY_COLUMNS else 0

        def find() -> Coverable:
            rows = self._classed_rows(table, labels, n_jobs)
            return Coverable.of(rows, self.max_enemies, often=often, n_spare=n_spare)

        return _COVERABLE.get(table, find, key)

    def _classed_rows(self, table: Table, labels: NDArray[np.int64], n_jobs: int | None = 1) -> ClassedRows:
        """Return the cases in the space of the table."""
        if self.metric in EUCLIDEAN:
            nearest = known_enemies(table, labels, scale=self.scale)
            return EuclideanRows(labels, space_of(table, scale=self.scale)[1], n_jobs, nearest)
        rows = metric_rows(table, self._space_of(table), self.metric)
        return MetricRows(labels, rows, self.metric, self.metric_params or {})

    def _space_of(self, table: Table) -> Space | None:
        """Return what scales the numbers; None where another metric takes them as they are."""
        return space_of(table, scale=self.scale)[0] if self.scale or self.metric in EUCLIDEAN else None

    def _size_curve(
        self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], rng: np.random.Generator, **tell: Any
    ) -> dict[float, float]:
        """Return the cross-validated accuracy of each least size."""
        check_metric(self.metric, self.metric_params)
        often = self.cover == "random"
        if self._tries_some(weight):
            rows = some_of_each(codes, weight, MOST_TRIED, rng)
            labels = np.unique(codes[rows], return_inverse=True)[1].astype(np.int64)
            some, weight = Table(table.matrix[rows], table.schema), weight[rows]
            data = Coverable.of(self._classed_rows(some, labels), self.max_enemies, often=often)
        else:
            data = self._coverable(table, codes, often=often)
        return sphere_size_curve(data, weight, self.cv, rng, rule=self.cover, **tell)

    def _tries_some(self, weight: NDArray[np.float64]) -> bool:
        """Whether sizes are tried on some rows only; folds that are given are those of all rows."""
        return isinstance(self.cv, Integral) and int(np.count_nonzero(weight)) > MOST_TRIED

    def _choose(
        self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], rng: np.random.Generator
    ) -> float:
        self.__dict__.pop("size_curve_", None)
        if self.min_sphere_size == "auto":
            tell: dict[str, Any] = {"name": type(self).__name__, "verbose": self.verbose}
            self.size_curve_ = self._size_curve(table, codes, weight, rng, **tell)
            self.min_sphere_size_ = float(best_of(self.size_curve_))
        else:
            self.min_sphere_size_ = float(self.min_sphere_size)
        return self.min_sphere_size_

    def _keep(self, table: Table, codes: NDArray[np.intp], cover: Cover, n_cases: int) -> None:
        self.centers_ = table.matrix[cover.centers]
        self.center_indices_ = cover.centers
        self.radii_ = cover.radii
        self.sphere_classes_ = self.classes_[codes[cover.centers]]
        self.sphere_sizes_ = cover.sizes
        self.sphere_borders_ = cover.borders
        self.border_indices_ = np.unique(cover.borders[cover.borders >= 0])
        self.uncovered_indices_ = cover.uncovered
        self.pruned_indices_ = cover.pruned
        self.pruned_radii_ = cover.pruned_radii
        self.compression_ = len(cover.centers) / n_cases

    def _keep_cases(self, rows: ClassedRows | None, cover: Cover, weight: NDArray[np.float64]) -> None:
        """Keep which cases each sphere holds, one list after the other; members of an ensemble keep none."""
        self._cases: NDArray[np.int64] | None = None
        self._cases_start: NDArray[np.int64] | None = None
        if rows is None:
            return
        radius = np.zeros(len(weight))
        radius[cover.centers] = cover.radii
        held = [np.sort(cases[weight[cases] > 0]) for cases in rows.rows_inside(cover.centers, radius)]
        self._cases = np.concatenate(held)
        self._cases_start = np.cumsum([0, *map(len, held)])

    # Predictions

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of the sphere that decides each row."""
        verdict = self._decide(X)
        return np.asarray(self.sphere_classes_[verdict.sphere])

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return 1 for the predicted class of each row and 0 for the others, columns in the order of ``classes_``."""
        return np.asarray(self.predict(X)[:, None] == self.classes_, dtype=np.float64)

    def _decide(self, X: Any) -> Verdict:
        rows = self._rows(X)
        space = self._space
        if self.metric in EUCLIDEAN and space is not None:
            # The members of an ensemble that see all columns are given the same table, and have one space.
            asked = _PLACED.get(X, lambda: space.place(rows), space) if isinstance(X, Table) else space.place(rows)
            return euclid.decide(asked, space.place(self.centers_), self.radii_)
        table = Table(rows, self.schema_)
        centers = metric_rows(Table(self.centers_, self.schema_), self._space, self.metric)
        queries = metric_rows(table, self._space, self.metric)
        return metric.decide(queries, centers, self.radii_, self.metric, self.metric_params or {})

    def explain(self, X: Any) -> Any:
        """Say for each row which sphere decides it, and why.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        pandas.DataFrame
            A line per row: the ``prediction``; the ``rule``, "inside" for a row that the sphere holds and "edge" for
            one that none holds; the ``sphere``, its ``radius`` and ``size``; the row's ``distance`` from its centre and
            ``edge_distance`` from its edge, negative inside; and the ``cases``, rows of the training data that the
            sphere holds. Members of an ensemble keep no cases.
        """
        import pandas as pd

        verdict = self._decide(X)
        radius = self.radii_[verdict.sphere]
        table = {
            "prediction": self.sphere_classes_[verdict.sphere],
            "rule": np.where(verdict.inside, "inside", "edge"),
            "sphere": verdict.sphere,
            "distance": verdict.distance,
            "edge_distance": verdict.distance - radius,
            "radius": radius,
            "size": self.sphere_sizes_[verdict.sphere],
        }
        if self._cases is not None and self._cases_start is not None:
            lists = np.split(self._cases, self._cases_start[1:-1])
            table["cases"] = pd.Series([lists[sphere] for sphere in verdict.sphere.tolist()], dtype=object).to_numpy()
        return pd.DataFrame(table, index=X.index if isinstance(X, pd.DataFrame) else None)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = takes_missing(self.metric)
        return tags
