"""Numbers cut into intervals where the classes change, as many as the data can pay for (Fayyad and Irani 1993)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from covey._arguments import check_choice
from covey._sklearn import StrOptions
from covey.analysis.numbers import LONG_SUM
from covey.models.fields import Array, Field, Items, OrNone
from covey.table import Table, TableReader, as_table, check_weight, encode_classes, feature_names
from covey.table.schema import FloatMatrix, check_finite
from covey.table.table import CategoricalFeatures

Vector = NDArray[np.float64]
Positions = NDArray[np.intp]
Codes = NDArray[np.intp]
Counts = NDArray[Any]  # of integers where each row is one case, else of float64

CHARGES = ("rows", "values")

# Columns are cut so many cells at a time, which bounds the memory and keeps what is in between in the cache.
CELLS = 1 << 18


class Filter(TableReader):
    """An estimator of columns of any kind that needs the classes."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.target_tags.required = True
        return tags


class MDLDiscretizer(OneToOneFeatureMixin, TransformerMixin, Filter):
    """Replaces numbers by intervals, found with the classes by Fayyad and Irani's method.

    A column is cut in two where the entropy of the classes becomes least, and so is each part in turn, as long as the
    gain pays for describing the cut (the minimum description length principle). A column that tells nothing of the
    classes becomes a single interval. Categories are left as they are, and what is missing stays missing.

    Parameters
    ----------
    charge : {"rows", "values"}, default="rows"
        Of how many cuts one is chosen, which each cut has to pay for: one less than there are rows, as published, or
        one less than there are distinct values. The second cuts more where values are repeated.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.

    Attributes
    ----------
    cut_points_ : list of (ndarray or None)
        The cut points of each column in rising order, None for a categorical one. A value equal to a cut point
        belongs to the interval below it.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from covey.analysis.filters import MDLDiscretizer
    >>> X, y = load_iris(return_X_y=True)
    >>> discretizer = MDLDiscretizer().fit(X, y)
    >>> [points.round(2).tolist() for points in discretizer.cut_points_]
    [[5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75]]
    >>> discretizer.transform(X[[0, 50, 100]])
    array([[0., 2., 0., 0.],
           [2., 1., 1., 1.],
           [2., 1., 2., 2.]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {"charge": [StrOptions(set(CHARGES))]}

    cut_points_: list[Vector | None]

    _state: ClassVar[dict[str, Field]] = {
        "cut_points_": Items(OrNone(Array(np.float64, None, low=-np.inf, high=np.inf)), "features")
    }

    def __init__(self, *, charge: str = "rows", categorical_features: CategoricalFeatures = "from_dtype") -> None:
        self.charge = charge
        self.categorical_features = categorical_features

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the cut points of each numeric column.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels, of two classes at least.
        sample_weight : array-like of shape (n_samples,), optional
            How many cases each row stands for: a row of weight 2 occurs twice, one of weight 0 not at all.
        """
        self._validate_params()
        table, codes = labelled_table(X, y, self.categorical_features)
        weight = None if sample_weight is None else check_weight(sample_weight, table.matrix)
        self.cut_points_ = cut_points_of(table, codes, weight, self.charge)
        self._remember_columns(table, feature_names(X))
        return self

    def transform(self, X: Any) -> Any:
        """Return the rows with the number of its interval, from 0, in place of each number.

        Returns
        -------
        ndarray of float64, or data frame
            A frame for a frame, with its categorical columns as they came; an array for an array, with the codes of
            the categories. What is missing is NaN.
        """
        check_is_fitted(self)
        matrix = interval_codes(self._read_new(X), self.cut_points_)
        if isinstance(X, Table):
            return Table(matrix, X.schema)
        frame = nw.from_native(X, pass_through=True)
        return _replace_numbers(frame, matrix, self.cut_points_) if isinstance(frame, nw.DataFrame) else matrix


def mdl_cut_points(values: Any, codes: Any, weight: Any = None, *, charge: str = "rows") -> Vector:
    """Return the cut points of one numeric column, in rising order.

    Parameters
    ----------
    values : array-like of shape (n_samples,)
        The column; rows where it is NaN are left out.
    codes : array-like of shape (n_samples,)
        The class of each row. A single class gives no cut.
    weight : array-like of shape (n_samples,), optional
        How many cases each row stands for.
    charge : {"rows", "values"}, default="rows"
        See `MDLDiscretizer`.

    Returns
    -------
    ndarray of float64
        Middles between neighbouring values, none if the column tells too little of the classes.
    """
    check_choice("charge", charge, CHARGES)
    column = column_or_1d(values, dtype=np.float64)[:, None]
    check_consistent_length(column, codes)
    if not len(column):
        raise ValueError("values is empty; give at least one row.")
    check_finite(column, ["values"])
    cases = None if weight is None else check_weight(weight, column)
    return _find_cut_points(column, encode_classes(codes)[1], cases, charge)[0]


def labelled_table(X: Any, y: Any, categorical_features: CategoricalFeatures) -> tuple[Table, Codes]:
    """Read rows and their classes, of which there must be two at least."""
    table = as_table(X, categorical_features)
    classes, codes = encode_classes(y)
    check_consistent_length(table.matrix, codes)
    if len(classes) < 2:
        raise ValueError(
            f"y has one class only, {classes.tolist()[0]!r}: there is nothing to tell apart; give rows of two or more."
        )
    return table, codes


def cut_points_of(table: Table, codes: Codes, weight: Vector | None, charge: str) -> list[Vector | None]:
    """Return the cut points of each column of a table, None for a categorical one."""
    numeric = np.flatnonzero(~table.categorical)
    matrix = table.matrix if len(numeric) == table.shape[1] else table.matrix[:, numeric]
    points = iter(_find_cut_points(matrix, codes, weight, charge))
    return [None if categorical else next(points) for categorical in table.categorical.tolist()]


def interval_codes(matrix: FloatMatrix, cut_points: Sequence[Vector | None]) -> FloatMatrix:
    """Return a matrix with intervals in place of numbers; columns without cut points (None) stay, and so does NaN."""
    intervals = np.where(np.isnan(matrix), np.nan, 0.0)
    for j, points in enumerate(cut_points):
        if points is None:
            intervals[:, j] = matrix[:, j]
        elif len(points):
            intervals[:, j] += np.searchsorted(points, matrix[:, j])
    return intervals


def _replace_numbers(frame: nw.DataFrame[Any], matrix: FloatMatrix, cut_points: Sequence[Vector | None]) -> Any:
    native = frame.to_native()
    numeric = [j for j, points in enumerate(cut_points) if points is not None]
    keys = frame.columns
    if len(numeric) == len(keys) and hasattr(native, "iloc"):  # one by one thousands of columns take seconds
        return type(native)(matrix, index=native.index, columns=native.columns)
    columns = [nw.new_series(keys[j], matrix[:, j], nw.Float64, backend=frame.implementation) for j in numeric]
    return frame.with_columns(*columns).to_native()


# The search for the cuts of many columns at once


def _find_cut_points(matrix: FloatMatrix, codes: Codes, weight: Vector | None, charge: str) -> list[Vector]:
    """Return the cut points of each column of numbers; without weights each row is one case."""
    if weight is not None and not weight.all():
        matrix, codes, weight = matrix[weight > 0], codes[weight > 0], weight[weight > 0]
    step = max(1, CELLS // max(len(matrix), 1))
    points: list[Vector] = []
    for start in range(0, matrix.shape[1], step):
        points += _cut_columns(np.ascontiguousarray(matrix[:, start : start + step].T), codes, weight, charge)
    return points


def _cut_columns(columns: FloatMatrix, codes: Codes, weight: Vector | None, charge: str) -> list[Vector]:
    """Cut columns, given as rows of a matrix.

    The known values of all columns lie one after the other, each column sorted. A place is a number of values that
    come before it; the places looked at are the ends of columns and those between runs of one class.
    """
    order = np.argsort(columns, axis=1)
    value = np.take_along_axis(columns, order, axis=1)
    known = ~np.isnan(value)
    ends = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    value, row = value[known], order[known]
    if not len(value):
        return [np.empty(0)] * len(columns)
    label = codes[row]
    is_new = np.ones(len(value), dtype=bool)  # whether a value is the first of its kind in its column
    is_new[1:] = value[1:] != value[:-1]
    is_new[ends[:-1][np.diff(ends) > 0]] = True
    place = _places(label, np.flatnonzero(is_new), ends)
    ladder = _Ladder.of(place, label, None if weight is None else weight[row], is_new)
    bottom = np.searchsorted(place, ends)
    chosen = np.sort(_divide(ladder, bottom[:-1], bottom[1:], charge))
    points = _middles(value[place[chosen] - 1], value[np.minimum(place[chosen], len(value) - 1)])
    return np.split(points, np.searchsorted(chosen, bottom[1:-1]))


def _middles(below: Vector, above: Vector) -> Vector:
    """Return the middles between neighbours, below itself where rounding would make the middle the one above."""
    middle = below / 2 + above / 2 if np.abs(above).max(initial=0.0) > 1e300 else (below + above) / 2
    return np.where((middle >= below) & (middle < above), middle, below)


def _places(label: Codes, new: Positions, ends: Positions) -> Positions:
    """Return the ends of columns and the places between values, but not those within a run of one class.

    A cut within such a run is never the best (Fayyad and Irani 1992).
    """
    low, high = np.minimum.reduceat(label, new), np.maximum.reduceat(label, new)
    within = (low[:-1] == high[1:]) & (high[:-1] == low[1:]) & (low[1:] == high[1:])
    wanted = np.zeros(len(label) + 1, dtype=bool)
    wanted[new[1:][~within]] = True
    wanted[ends] = True
    return np.flatnonzero(wanted)


@dataclass(frozen=True, eq=False)
class _Ladder:
    """What comes before each place: cases and rows of each class, of shape (n_classes, n_places), and values."""

    cases: Counts
    rows: Counts
    values: Counts

    @classmethod
    def of(cls, place: Positions, label: Codes, weight: Vector | None, is_new: NDArray[np.bool_]) -> Self:
        def before(amounts: Counts) -> Counts:
            return np.asarray(np.concatenate([[0], np.cumsum(amounts)])[place])

        classes = range(int(label.max()) + 1)
        rows = np.stack([before(label == code) for code in classes])
        cases = rows if weight is None else np.stack([before(np.where(label == code, weight, 0.0)) for code in classes])
        return cls(cases, rows, before(is_new))

    def between(self, low: Positions, high: Positions) -> tuple[Counts, Vector, Counts]:
        """Return the cases of each segment, the entropy of their classes in bits, and how many classes they are of."""
        cases = self.cases[:, high] - self.cases[:, low]
        total = cases.sum(axis=0)
        entropy = (_terms(total) - _terms(cases).sum(axis=0)) / total
        return total, entropy, (self.rows[:, high] > self.rows[:, low]).sum(axis=0)


def _terms(cases: Counts) -> Vector:
    """Return x log2 x, 0 where there is nothing."""
    return np.asarray(cases * np.log2(np.where(cases > 0, cases, 1)))


def _divide(ladder: _Ladder, low: Positions, high: Positions, charge: str) -> Positions:
    """Cut segments in two as long as it pays, all segments of a depth at once, and return the places of the cuts."""
    cuts = [np.empty(0, dtype=np.intp)]
    while True:
        wide = high - low > 1
        low, high = low[wide], high[wide]
        if not len(low):
            return np.concatenate(cuts)
        cut = _best_cuts(ladder, low, high)
        pays = _pays(ladder, low, cut, high, charge)
        low, cut, high = low[pays], cut[pays], high[pays]
        cuts.append(cut)
        low, high = np.concatenate([low, cut]), np.concatenate([cut, high])


def _best_cuts(ladder: _Ladder, low: Positions, high: Positions) -> Positions:
    """Return the first of the best places within each segment, by the entropy on both sides."""
    lengths = high - low - 1
    first = np.cumsum(lengths) - lengths
    place = np.arange(lengths.sum()) + np.repeat(low + 1 - first, lengths)
    cost: Vector = np.zeros(len(place))
    total_left: Counts = np.zeros(len(place), dtype=ladder.cases.dtype)
    total_right: Counts = np.zeros(len(place), dtype=ladder.cases.dtype)
    for cases in ladder.cases:  # of one class after the other, which takes less memory than all at once
        here = cases[place]
        left, right = here - np.repeat(cases[low], lengths), np.repeat(cases[high], lengths) - here
        cost -= _terms(left)
        cost -= _terms(right)
        total_left += left
        total_right += right
    cost += _terms(total_left)
    cost += _terms(total_right)
    whole = total_left[first] + total_right[first]
    least = np.minimum.reduceat(cost, first) + LONG_SUM * whole  # cuts that differ by rounding only are as good
    good = np.flatnonzero(cost <= np.repeat(least, lengths))
    return np.asarray(place[good[np.searchsorted(good, first)]])


def _pays(ladder: _Ladder, low: Positions, cut: Positions, high: Positions, charge: str) -> NDArray[np.bool_]:
    """Whether the gain of each cut is greater than what it costs to describe it."""
    total, entropy, n_classes = ladder.between(low, high)
    left, entropy_left, n_left = ladder.between(low, cut)
    right, entropy_right, n_right = ladder.between(cut, high)
    gain = entropy - (left * entropy_left + right * entropy_right) / total
    n_cuts = np.maximum(total - 1, 1) if charge == "rows" else ladder.values[high] - ladder.values[low] - 1
    kinds = n_classes * np.log2(3.0) + np.log1p(-2 * 3.0**-n_classes) / np.log(2)  # log2(3^k - 2) for any k
    description = kinds - (n_classes * entropy - n_left * entropy_left - n_right * entropy_right)
    return np.asarray((gain > 0) & (gain > (np.log2(n_cuts) + description) / total))
