"""Gaussian processes over numbers and categories: a regressor, and a classifier that regresses on classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar

from covey import seeds
from covey._sklearn import Interval, StrOptions
from covey.learners.base import CLASS_WEIGHT, ClassWeight, TableClassifier, TableRegressor, case_counts
from covey.learners.design import Matrix, Positions, Vector, own_design
from covey.learners.gaussian_fit import (
    BLOCK,
    FARTHEST,
    Kernel,
    factorise,
    left_out,
    moments,
    outputs,
    solve,
    standardised,
    tune,
    variances,
)
from covey.models.fields import Array, Field, Number, require
from covey.parallel import one_thread
from covey.seeds import RandomState
from covey.table import Table, TableReader
from covey.table.design import Design, design_of
from covey.table.table import CategoricalFeatures

# The logarithms of the least and the greatest temperature that is tried.
TEMPERATURES = (-3.0, 6.0)
MOST_TEMPERATURE = 1e6

# Categories of new rows are columns of so many rows at a time; a multiple of the blocks that outputs are worked out in.
ROWS_AT_ONCE = 64 * BLOCK

# Variances as large as this make covariances that are still numbers.
LARGEST = 1e100
_POSITIVE = Interval(Real, 0, None, closed="neither")
_VARIANCE = Interval(Real, 0, LARGEST, closed="right")
_AUTO = StrOptions({"auto"})


@dataclass(eq=False, repr=False, kw_only=True)
class GaussianProcess(TableReader):
    """What Gaussian processes share: the parameters, the columns, the kernel and its equations."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "length_scale": [_POSITIVE, _AUTO, "array-like"],
        "amplitude": [_VARIANCE, _AUTO],
        "noise": [_VARIANCE, _AUTO],
        "linear": [Interval(Real, 0, LARGEST, closed="both"), _AUTO],
        "tuning_rows": [Interval(Integral, 2, None, closed="left")],
        "max_rows": [Interval(Integral, 2, None, closed="left")],
    }

    _state: ClassVar[dict[str, Field]] = {
        "length_scale_": Array(np.float64, None, low=0.0),
        "amplitude_": Number(0, LARGEST),
        "noise_": Number(0, LARGEST),
        "linear_": Number(0, LARGEST),
        "fill_": Array(np.float64, "columns", low=-np.inf, high=np.inf),
        "mean_": Array(np.float64, "columns", low=-np.inf, high=np.inf),
        "scale_": Array(np.float64, "columns", low=0.0, high=np.inf),
        "X_fit_": Array(np.float64, "cases", "columns", low=-FARTHEST, high=FARTHEST),
        "case_count_": Array(np.float64, "cases", low=0.0),
        "dual_coef_": Array(np.float64, "cases", "outputs"),
    }

    # Up to so many columns each gets a length scale of its own.
    _most_lengths: ClassVar[int] = 1

    length_scale: float | ArrayLike | Literal["auto"] = "auto"
    amplitude: float | Literal["auto"] = "auto"
    noise: float | Literal["auto"] = "auto"
    linear: float | Literal["auto"] = "auto"
    tuning_rows: int = 400
    max_rows: int = 3000
    categorical_features: CategoricalFeatures = "from_dtype"
    random_state: RandomState = None

    def _check_state(self) -> None:
        super()._check_state()
        n_columns = len(self._design())
        require(n_columns == len(self.fill_), "has numbers of other columns")
        require(len(self.length_scale_) in (1, n_columns), "has length scales of other columns")
        require((self.length_scale_ > 0).all() and self.noise_ > 0, "has a length scale or noise of 0")
        require(len(self.X_fit_) and (self.case_count_ > 0).all(), "has rows without weight")
        dual = np.abs(self.dual_coef_)
        with np.errstate(over="ignore"):
            most = self.amplitude_ * dual.sum() + self.linear_ * (np.abs(self.X_fit_).T @ dual).sum() * FARTHEST
        require(np.isfinite(most), "has outputs that are not finite")

    def _design(self) -> Design:
        return design_of(self.schema_, every=True)

    @property
    def length_scale_names_(self) -> NDArray[Any]:
        """The names of the columns that length scales belong to."""
        return self._design().names(self.schema_)

    @property
    def _kernel(self) -> Kernel:
        length = np.broadcast_to(self.length_scale_, len(self.fill_))
        return Kernel(length, float(self.amplitude_), float(self.noise_), float(self.linear_))

    def _draw(self, weight: Vector, rng: np.random.Generator) -> tuple[Positions, Vector]:
        """Return the rows to learn from and how many cases each stands for."""
        rows = np.flatnonzero(weight)
        counts = case_counts(weight[rows])
        if len(rows) > self.max_rows:
            some = np.sort(rng.choice(len(rows), int(self.max_rows), replace=False))
            rows, counts = rows[some], counts[some]
        return rows, counts

    def _solve(
        self, table: Table, rows: Positions, counts: Vector, targets: Matrix, rng: np.random.Generator
    ) -> Matrix:
        """Set what depends on the columns, tune the kernel, find the weights of rows; return the Cholesky factor."""
        given = self._given(len(design_of(table.schema, every=True)))
        # Of the others there are no columns for categories, which may take a thousand times the room of the table.
        filled = own_design(Table(table.matrix[rows], table.schema), counts)
        values, self.fill_ = filled.values, filled.fill
        self.mean_, self.scale_ = moments(values, counts)
        self.X_fit_, self.case_count_ = standardised(values, self.mean_, self.scale_), counts
        some = np.arange(len(rows))
        if len(rows) > self.tuning_rows:
            some = np.sort(rng.choice(len(rows), int(self.tuning_rows), replace=False))
        if np.isnan(given).any():
            given = tune(self.X_fit_[some], targets[some], counts[some], given)
        self.length_scale_ = given[:-3]
        self.amplitude_, self.noise_, self.linear_ = given[-3:].tolist()
        factor = factorise(self._kernel, self.X_fit_, counts)
        self.dual_coef_ = solve(factor, targets)
        return factor

    def _given(self, n_columns: int) -> Vector:
        """Return the kernel's parameters, NaN for those that are to be found."""
        if isinstance(self.length_scale, str):
            lengths = np.full(n_columns if n_columns <= self._most_lengths else 1, np.nan)
        else:
            lengths = np.atleast_1d(np.asarray(self.length_scale, dtype=np.float64))
            if lengths.ndim != 1 or len(lengths) not in (1, n_columns):
                raise ValueError(
                    f"length_scale has shape {lengths.shape}; give one number, or one for each column ({n_columns})."
                )
            if not ((lengths > 0) & np.isfinite(lengths)).all():
                raise ValueError(f"length_scale={self.length_scale} must hold positive numbers.")
        others = [np.nan if isinstance(one, str) else float(one) for one in (self.amplitude, self.noise, self.linear)]
        return np.concatenate([lengths, others])

    def _blocks(self, read: Matrix) -> Iterator[Matrix]:
        """Give new rows as numbers, some at a time."""
        design = self._design()
        for start in range(0, len(read), ROWS_AT_ONCE):
            values = design.filled(read[start : start + ROWS_AT_ONCE], self.fill_)
            yield standardised(values, self.mean_, self.scale_)

    def _outputs(self, read: Matrix) -> Matrix:
        with one_thread():
            parts = [outputs(self._kernel, self.X_fit_, self.dual_coef_, new) for new in self._blocks(read)]
        return np.concatenate(parts)


@dataclass(eq=False, repr=False, kw_only=True)
class GaussianProcessRegressor(GaussianProcess, TableRegressor):
    """A Gaussian process with a Matern 3/2 and a linear kernel, over numbers and categories.

    The covariance of the responses of two rows is ``amplitude * (1 + sqrt(3) r) exp(-sqrt(3) r) + linear * x'z / d``,
    where r is their distance with each of the d columns divided by its length scale; a row's own has the noise on top.
    A number is one column, a nominal attribute of two categories one column of 0 and 1, and one of more has such a
    column for each, of more than 255 for the most frequent. A missing value counts as the mean, or the most frequent
    category, of the training rows. Columns and response are standardised first, which is the unit of all parameters:
    amplitude, noise and linear are shares of the response's variance. Parameters left to "auto" are those of the
    greatest marginal likelihood, times a broad normal prior on their logarithms, on a sample of the rows.

    Parameters
    ----------
    length_scale : "auto", float or array-like of shape (1,) or (n_columns,), default="auto"
        How far apart rows have to be for their responses to differ, along all columns or each. "auto" finds one for
        all columns and then, if there are no more than 60 of them, one for each, with a prior about the first.
    amplitude : "auto" or float, default="auto"
        The variance of the Matern part.
    noise : "auto" or float, default="auto"
        The variance of a response about its expectation. That of a row is divided by its weight.
    linear : "auto" or float, default="auto"
        The variance of the linear part.
    tuning_rows : int, default=400
        How many rows, drawn at random, parameters are found by.
    max_rows : int, default=3000
        How many rows are learnt from; of more, as many are drawn at random.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    random_state : int, Generator, RandomState, SeedSequence or None
        Draws the rows, where there are more than `tuning_rows` or `max_rows`.

    Attributes
    ----------
    length_scale_ : ndarray of shape (1,) or (n_columns,)
        One for all columns, or for each; `length_scale_names_` tells which is which.
    amplitude_, noise_, linear_ : float
        The parameters, as given or as found. Given all of them, a fit finds none.
    y_mean_, y_scale_ : float
        The mean of the response and its standard deviation.
    fill_, mean_, scale_ : ndarray of shape (n_columns,)
        What a missing value counts as, and each column's mean and standard deviation.
    X_fit_ : ndarray of shape (n_cases, n_columns)
        The standardised rows that it learnt from.
    case_count_ : ndarray of shape (n_cases,)
        How many cases each of them stands for, by its weight.
    dual_coef_ : ndarray of shape (n_cases, 1)
        Their weights in the standardised response.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> import numpy as np
    >>> from covey import GaussianProcessRegressor
    >>> X = np.linspace(0, 6, 30)[:, None]
    >>> model = GaussianProcessRegressor(random_state=0).fit(X, np.sin(X[:, 0]))
    >>> model.predict([[1.5], [4.5]]).round(2)
    array([ 1.  , -0.98])
    """

    _state: ClassVar[dict[str, Field]] = {"y_mean_": Number(), "y_scale_": Number(0)}
    _most_lengths: ClassVar[int] = 60

    def _check_state(self) -> None:
        super()._check_state()
        require(self.dual_coef_.shape[1] == 1, "has several outputs")

    def _learn(self, table: Table, y: Vector, weight: Vector, *, alone: bool) -> None:
        rng = seeds.generator(self.random_state)
        rows, counts = self._draw(weight, rng)
        response = y[rows][:, None]
        mean, scale = moments(response, counts)
        targets = (response - mean) / scale if scale[0] else np.zeros_like(response)
        with one_thread():
            self._solve(table, rows, counts, targets, rng)
        self.y_mean_, self.y_scale_ = float(mean[0]), float(scale[0])

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Return the expected response of each row.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
        return_std : bool, default=False
            Whether to return standard deviations too. Each call factorises the covariances of the training rows again.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        std : ndarray of shape (n_samples,)
            With `return_std`, the standard deviation of a new response, noise included.
        """
        read = self._rows(X)
        with np.errstate(over="ignore"):
            response = self.y_mean_ + self.y_scale_ * self._outputs(read)[:, 0]
        if not return_std:
            return response
        with one_thread():
            factor = factorise(self._kernel, self.X_fit_, self.case_count_)
            parts = [variances(self._kernel, self.X_fit_, factor, new) for new in self._blocks(read)]
            return response, self.y_scale_ * np.sqrt(np.concatenate(parts))


@dataclass(eq=False, repr=False, kw_only=True)
class GaussianProcessClassifier(GaussianProcess, TableClassifier):
    """A classifier by Gaussian processes on the indicators of classes, which share one kernel.

    There is an output for each class: the expectation of its indicator less the class's share, by the process of
    `GaussianProcessRegressor`; for a fixed kernel it is regularised least squares. Probabilities are proportional to
    ``share * exp(temperature * output)``. Parameters left to "auto" are those of the greatest marginal likelihood of
    all indicators; the temperature is that of the least log loss of leave-one-out outputs, which have a closed form.

    Parameters
    ----------
    length_scale, amplitude, noise, linear, tuning_rows, max_rows, categorical_features, random_state
        As of `GaussianProcessRegressor`, but "auto" finds one length scale for all columns: with one for each, kernels
        fitted the rows they were found by and not others. Variances are shares of the indicators' mean variance.
    temperature : "auto" or float, default="auto"
        What outputs are multiplied by.
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    class_prior_ : ndarray of shape (n_classes,)
        Each class's share of the cases.
    temperature_ : float
        The temperature, as given or as found.
    dual_coef_ : ndarray of shape (n_cases, n_classes)
        The weights of the rows in the outputs.
    length_scale_, amplitude_, noise_, linear_, fill_, mean_, scale_, X_fit_, case_count_
        As of `GaussianProcessRegressor`.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey import GaussianProcessClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianProcessClassifier(random_state=0).fit(X[::2], y[::2])
    >>> model.predict(X[1::50])
    array([0, 1, 2])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **GaussianProcess._parameter_constraints,
        "class_weight": CLASS_WEIGHT,
        "temperature": [Interval(Real, 0, MOST_TEMPERATURE, closed="right"), _AUTO],
    }

    _state: ClassVar[dict[str, Field]] = {
        "class_prior_": Array(np.float64, "classes", low=np.finfo(np.float64).tiny, high=1.0),
        "temperature_": Number(0, MOST_TEMPERATURE),
    }

    temperature: float | Literal["auto"] = "auto"
    class_weight: ClassWeight = None

    def _check_state(self) -> None:
        super()._check_state()
        require(self.dual_coef_.shape[1] == len(self.classes_), "has outputs of other classes")

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: Vector, *, alone: bool) -> None:
        rng = seeds.generator(self.random_state)
        rows, counts = self._draw(weight, rng)
        present, own = np.unique(codes[rows], return_inverse=True)
        if len(present) < len(self.classes_):  # a member, or the rows drawn, may have no row of a class
            self.classes_, self.n_classes_ = self.classes_[present], len(present)
        self.class_prior_ = np.bincount(own, counts) / counts.sum()
        scale = np.sqrt((self.class_prior_ * (1.0 - self.class_prior_)).mean())
        targets = (np.eye(len(present))[own] - self.class_prior_) / (scale if len(present) > 1 else 1.0)
        with one_thread():
            factor = self._solve(table, rows, counts, targets, rng)
            if isinstance(self.temperature, str):
                without = left_out(factor, self.dual_coef_, targets, counts, self.noise_) * scale
                self.temperature_ = self._best_temperature(without, own, counts)
            else:
                self.temperature_ = float(self.temperature)
        self.dual_coef_ *= scale

    def _best_temperature(self, values: Matrix, codes: NDArray[np.intp], counts: Vector) -> float:
        """Return the temperature by which outputs have the least log loss."""
        if len(self.classes_) == 1:
            return 1.0
        shares, own = np.log(self.class_prior_), np.arange(len(codes))

        def loss(log: float) -> float:
            logits = shares + np.exp(log) * values
            logits -= logits.max(axis=1, keepdims=True)
            return float(counts @ (np.log(np.exp(logits).sum(axis=1)) - logits[own, codes]))

        return float(np.exp(minimize_scalar(loss, bounds=TEMPERATURES, method="bounded", options={"xatol": 1e-6}).x))

    def decision_function(self, X: Any) -> Matrix:
        """Return logits.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            The logit of the second class if there are two, else of every class.
        """
        logits = self._logits(X)
        return logits[:, 1] - logits[:, 0] if len(self.classes_) == 2 else logits

    def _logits(self, X: Any) -> Matrix:
        values = self._outputs(self._rows(X))
        values *= self.temperature_
        values += np.log(self.class_prior_)
        return values

    def predict_proba(self, X: Any) -> Matrix:
        """Return the class probabilities of each row, columns in the order of ``classes_``."""
        logits = self._logits(X)
        logits = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(logits / logits.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each row."""
        codes = self._logits(X).argmax(axis=1)
        return np.asarray(self.classes_[codes])
