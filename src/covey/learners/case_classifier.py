"""The base of classifiers that remember their cases: adding some and forgetting some, without learning anew."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property, partial
from numbers import Integral
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from covey._sklearn import Interval
from covey.learners.base import TableClassifier, case_counts
from covey.learners.per_table import PerTable
from covey.learners.space import Points, Space, space_of
from covey.models.fields import Array, Field, Flag, OrNone, Part, Whole, require
from covey.parallel import each
from covey.table import Schema, Table, as_table, check_weight, encode_classes, feature_names
from covey.table.schema import check_codes
from covey.table.table import extend_rows

# What a chunk of queries may take up, and what one neighbour does on its way from the search to a vote.
CHUNK_BYTES, NEIGHBOR_BYTES = 2**23, 64

# Sums of weights in another order differ by less than this.
SLACK = 1e-9

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class CaseBase:
    """All that a learner keeps of its training data, as it was given."""

    matrix: NDArray[np.float64]  # numbers and codes of categories; NaN is missing
    schema: Schema
    codes: NDArray[np.int64]  # classes
    weight: NDArray[np.float64]  # as it was given; a row without weight counts as absent
    scale: bool  # whether numbers are scaled to [0, 1]
    # What the members of an ensemble share: weights then count cases already. By default it follows the cases.
    space: Space | None = None

    def __len__(self) -> int:
        return len(self.matrix)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be found again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    _state: ClassVar[dict[str, Field]] = {
        "matrix": Array(np.float64, "rows", "features", low=-np.inf, high=np.inf, nan=True, infinite=True, shared=True),
        "schema": Part(Schema, ["features"], shared=True),
        "codes": Array(np.int64, "rows", low=0),
        "weight": Array(np.float64, "rows", low=0.0),
        "scale": Flag(),
        "space": OrNone(Part(Space, shared=True)),
    }

    def _check_state(self) -> None:
        require(self.weight.any(), "has no rows that count")
        check_codes(self.matrix, self.schema)
        if self.space is not None:
            self.space.check_columns(self.schema)

    def add(self, table: Table, codes: NDArray[np.int64], weight: NDArray[np.float64]) -> CaseBase:
        """Return the cases followed by others, whose schema may have more categories."""
        return CaseBase(
            np.concatenate([self.matrix, table.matrix]),
            table.schema,
            np.concatenate([self.codes, codes]),
            np.concatenate([self.weight, weight]),
            self.scale,
        )

    def keep(self, kept: NDArray[np.bool_]) -> CaseBase:
        """Return some of the cases, in their order."""
        return CaseBase(self.matrix[kept], self.schema, self.codes[kept], self.weight[kept], self.scale)

    @property
    def counts(self) -> NDArray[np.float64]:
        """How many cases each row stands for, 0 for one without weight."""
        return case_counts(self.weight) if self.space is None else self.weight

    @property
    def layout(self) -> Layout:
        """The cases as they are searched; members of an ensemble keep no copies of the same points."""
        return self._layout if self.space is None else self._lay_out()

    @cached_property
    def _layout(self) -> Layout:
        return self._lay_out()

    def _lay_out(self) -> Layout:
        rows = np.flatnonzero(self.weight)
        every = len(rows) == len(self)
        matrix = self.matrix if every else self.matrix[rows]
        if self.space is None:
            space, points = space_of(Table(matrix, self.schema), scale=self.scale)
        else:
            space, points = self.space, self.space.place(matrix)
        return Layout(space, points.look_up(), self.codes[rows], self.counts[rows], rows)


@dataclass(frozen=True, eq=False)
class Layout:
    """Cases that have weight, as they are searched."""

    space: Space  # the space that they span, ...
    points: Points  # ... and where they are in it
    codes: NDArray[np.int64]  # their classes
    weight: NDArray[np.float64]  # how many cases each stands for
    rows: NDArray[np.int64]  # their rows in the case base

    @property
    def n_columns(self) -> int:
        """How many columns the cases have."""
        return int(np.count_nonzero(self.space.columns >= 0))

    @cached_property
    def has_whole_cases(self) -> bool:
        """Whether each row stands for one case or for several, and none for a part of one."""
        return bool((self.weight >= 1.0).all() and (self.weight == np.rint(self.weight)).all())

    @property
    def n_cases(self) -> float:
        """How many cases there are; a row of weight 2 is two."""
        return float(self.weight.sum())


def by_chunks(
    part: Callable[..., Result], n_queries: int, bytes_each: int, n_jobs: int | None, *arguments: Any
) -> Iterator[Result]:
    """Give the result of a function of (slice, *arguments) for each chunk of the queries, in order.

    Chunks take up little memory, and there is at least one for each job.
    """
    size = max(1, min(CHUNK_BYTES // max(bytes_each, 1), -(-n_queries // effective_n_jobs(n_jobs))))
    chunks = [slice(start, min(start + size, n_queries)) for start in range(0, n_queries, size)]
    return each(part, ((chunk, *arguments) for chunk in chunks), n_jobs)


def bytes_of(n_subsets: int, n_neighbors: int, n_classes: int) -> int:
    """Return about how much memory one query takes, should all neighbours be ties."""
    return n_subsets * NEIGHBOR_BYTES * (n_neighbors + 1 + n_classes)


_COPIES: PerTable[NDArray[np.float64]] = PerTable()


class CaseClassifier(TableClassifier):
    """A classifier that remembers its training cases as they were given.

    What it has chosen by them, such as a number of neighbours, stays when cases are added or forgotten; what follows
    from them, such as the range of a column, changes with them. A subclass names its parameters, ``scale``,
    ``n_neighbors`` and ``n_jobs`` among them.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "scale": ["boolean"],
        "n_jobs": [None, Interval(Integral, None, -1, closed="right"), Interval(Integral, 1, None, closed="left")],
    }

    scale: bool
    n_jobs: int | None
    n_neighbors_: int
    _cases: CaseBase

    _state: ClassVar[dict[str, Field]] = {"n_neighbors_": Whole(1), "_cases": Part(CaseBase, ["features"])}

    def _check_state(self) -> None:
        super()._check_state()
        require(self._cases.codes.max() < len(self.classes_), "has rows of classes that there are not")
        require(self._cases.schema == self.schema_, "has rows of other columns")
        self._check_enough(self.n_neighbors_, float(self._cases.counts.sum()))

    @abstractmethod
    def _choose(self, layout: Layout) -> None:
        """Choose by the cases what is to be chosen, ``n_neighbors_`` among it."""

    @property
    def n_cases_(self) -> int:
        """The number of rows that are remembered."""
        return len(self._cases)

    def _weigh(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return weights as they are: what they count is known only once all cases are."""
        return weight

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: NDArray[np.float64], *, alone: bool) -> None:
        labels = codes.astype(np.int64)
        if alone:
            cases = CaseBase(table.matrix.copy(), table.schema, labels, weight.copy(), bool(self.scale))
        else:  # in an ensemble all members share the range of the columns, and one copy of the same table
            space, _ = space_of(table, scale=self.scale)
            matrix = _COPIES.get(table, table.matrix.copy) if table.whole is None else table.matrix
            cases = CaseBase(matrix, table.schema, labels, weight.copy(), bool(self.scale), space)
        self._choose(cases.layout)
        self._cases = cases

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add cases.

        The first call is a fit, which may be all that chooses parameters. Later ones only remember further cases:
        predictions are then those of a model with the same parameters fitted to all of them. A category that was not
        there before becomes one.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows with the same columns as before.
        y : array-like of shape (n_samples,)
            Class labels.
        classes : array-like of shape (n_classes,), optional
            All classes that there will ever be; needed in the first call unless there was a ``fit``.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights, on the scale of those given before.

        Returns
        -------
        self
        """
        self._validate_params()
        is_first = not hasattr(self, "_cases")
        known = self._declared(classes)
        if is_first:
            table = as_table(X, self.categorical_features)
        else:
            check = partial(validate_data, self, X, reset=False, skip_check_array=True)
            table = extend_rows(X, self.schema_, check)
        codes = _codes_among(y, known)
        check_consistent_length(table.matrix, codes)
        weight = check_weight(sample_weight, table.matrix)
        if is_first:
            return self._fit(table, feature_names(X), codes.astype(np.intp), weight, alone=True, classes=known)
        self._cases = self._cases.add(table, codes, weight)
        self.schema_ = table.schema
        return self

    def _declared(self, classes: Any) -> NDArray[Any]:
        """Return the classes that cases may have."""
        fitted: NDArray[Any] | None = getattr(self, "classes_", None)
        if classes is None:
            if fitted is None:
                raise ValueError(
                    "classes=None: the first call of partial_fit needs all classes that later ones may bring; give "
                    "them as classes, or call fit first."
                )
            return fitted
        declared, _ = encode_classes(classes, name="classes")
        if fitted is not None and declared.tolist() != fitted.tolist():
            raise ValueError(
                f"classes={declared.tolist()} are not the classes {fitted.tolist()} declared before; leave classes "
                "out, or fit anew."
            )
        return declared if fitted is None else fitted

    def forget(self, rows: Any) -> Self:
        """Remove cases.

        Predictions are then those of a model with the same parameters fitted to the cases that remain, in their order.
        A class without cases stays in ``classes_`` with probability 0.

        Parameters
        ----------
        rows : array-like of int or of bool
            Positions among the cases, in the order they were given; negative ones count from the end. Or a mask of
            length ``n_cases_``, True for what is to be forgotten.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        cases = self._cases.keep(~_forgotten(rows, len(self._cases)))
        if not cases.weight.any():
            raise ValueError(
                f"forget would leave none of the {len(self._cases)} cases; keep at least one, or fit anew."
            )
        self._check_enough(self.n_neighbors_, float(cases.counts.sum()))
        self._cases = cases
        return self

    def _check_enough(self, n_neighbors: int, n_cases: float) -> None:
        if n_neighbors > n_cases + SLACK:
            raise ValueError(
                f"n_neighbors={n_neighbors} is more than the {n_cases:g} cases there are; give at most as many."
            )


def _codes_among(y: Any, classes: NDArray[Any]) -> NDArray[np.int64]:
    """Return the position of each label among the classes."""
    labels, codes = encode_classes(y)
    place = {label: code for code, label in enumerate(classes.tolist())}
    unknown = [label for label in labels.tolist() if label not in place]
    if unknown:
        raise ValueError(
            f"y has the labels {unknown}, which are not among the classes {classes.tolist()}; declare all classes in "
            "the first call of partial_fit, or fit anew."
        )
    return np.array([place[label] for label in labels.tolist()], dtype=np.int64)[codes]


def _forgotten(rows: Any, n_cases: int) -> NDArray[np.bool_]:
    """Return a mask of the rows to be forgotten."""
    chosen = np.atleast_1d(np.asarray(rows))
    if chosen.ndim != 1:
        raise ValueError(f"rows has shape {chosen.shape}; give a list of positions or a mask.")
    if chosen.dtype.kind == "b":
        if len(chosen) != n_cases:
            raise ValueError(f"rows is a mask of length {len(chosen)}, but there are {n_cases} cases.")
        return chosen
    mask = np.zeros(n_cases, dtype=bool)
    if not chosen.size:
        return mask
    if chosen.dtype.kind not in "iu":
        raise ValueError(f"rows holds {chosen.dtype.name} values; give positions, which are integers, or a mask.")
    wrong = chosen[(chosen < -n_cases) | (chosen >= n_cases)]
    if len(wrong):
        raise IndexError(f"rows has the position {int(wrong[0])}, but there are {n_cases} cases.")
    mask[chosen] = True
    return mask
