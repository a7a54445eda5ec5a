"""Support vector machines over a kernel for classes, with probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax
from sklearn.utils.validation import check_is_fitted

from covey._progress import Progress
from covey.learners.base import CLASS_WEIGHT, ClassWeight, TableClassifier
from covey.learners.design import Matrix, Vector
from covey.learners.linear_svm import LARGEST, check_cost, most_steps, warn_of_gap
from covey.learners.svm_columns import KernelMachine
from covey.learners.svm_fit import MOST_AT_ONCE, Problem, Solution, without_own
from covey.learners.svm_probability import HOTTEST, MOST_SLOPE, couple, fit_sigmoid, fit_temperature
from covey.models.fields import Array, Field, Number, require
from covey.parallel import one_thread
from covey.table import Table
from covey.table.table import CategoricalFeatures

# The temperature of probabilities is fitted on so many rows at most.
MOST_ROWS = 2_000


class Machine(NamedTuple):
    """The machine of a pair of classes."""

    rows: NDArray[np.intp]
    solution: Solution  # positive for the second class
    left_out: Vector  # what it would say of each row without the row itself


@dataclass(eq=False, repr=False, kw_only=True)
class SVMClassifier(KernelMachine, TableClassifier):
    """A support vector machine with a radial basis function, over numbers and categories, with probabilities.

    A number is one column and each category a column of 0 and 1, of more than 255 the most frequent. A missing number
    counts as the median, and a missing category, or one never seen, as none of them. Columns are brought to mean 0 and
    variance 1 over the training rows; one that does not vary makes no difference.

    More than two classes are told apart by a machine for each pair of them. The probabilities of a pair are a sigmoid
    of its machine's value (Platt, 2000). It is fitted to what the training rows would be told by machines trained
    without them, which follows from the solution nearly for nothing (Opper and Winther, 2000), so that no
    cross-validation is needed. A class's probability follows from the odds of all its pairs (Price et al., 1995), to a
    power under which the classes of these rows are likeliest. The class with the greatest probability is predicted.

    Parameters
    ----------
    kernel : {"rbf", "linear"}, default="rbf"
        ``exp(-gamma |x - z|^2)``, or the inner product of x and z.
    C : float, default=1.0
        What a unit of hinge loss costs. A case's weight multiplies its cost.
    gamma : "scale", "auto" or float, default="scale"
        How fast the radial basis function falls. "scale" is 1 over the number of columns that vary, "auto" 1 over the
        number of all columns.
    tol : float, default=1e-3
        By how much the machines' values may miss the conditions of the optimum.
    max_iter : int or None, default=None
        How many steps there may be for a pair of classes; by default ten million, or a hundred per row if that is
        more.
    class_weight : dict, "balanced" or None
        Weights of classes, by which case weights are multiplied; "balanced" gives all classes the same in sum.
    categorical_features : "from_dtype", None, or array-like of int, str or bool, default="from_dtype"
        Which columns are categorical: those of category and text type, none, or those given.
    verbose : int, default=0
        1 prints at most once a second how many pairs of classes are done, 2 after each.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    support_vectors_ : ndarray of shape (n_support, n_columns)
        The rows that the machines consist of, on one scale, class by class.
    n_support_ : ndarray of int of shape (n_classes,)
        How many there are of each class.
    dual_coef_ : ndarray of shape (n_classes - 1, n_support)
        The multiplier of each support vector in the machines of its class with each other class, in their order.
    intercept_ : ndarray of shape (n_pairs,)
        Of the machine of each pair of classes, in the order (0, 1), (0, 2), ..., (1, 2), ..., where the second is the
        positive one.
    sigmoid_ : ndarray of shape (n_pairs, 2)
        The slope and the intercept of each machine's log-odds.
    temperature_ : float
        The power of the probabilities; 1.0 with two classes.
    n_iter_ : ndarray of int of shape (n_pairs,)
        How many steps there were.
    gamma_ : float
        What `gamma` came to.
    fill_, centre_, scale_ : ndarray of shape (n_columns,)
        What a missing value counts as, what is taken off each column, and what the rest is divided by.
    n_features_in_, feature_names_in_, schema_
        What the training data looked like.

    Examples
    --------
    >>> import numpy as np
    >>> from covey import SVMClassifier
    >>> X = np.array([[0.0], [1.0], [2.0], [4.0], [5.0], [6.0], [8.0], [9.0], [10.0]])
    >>> model = SVMClassifier(C=10.0).fit(X, ["out", "out", "out", "in", "in", "in", "out", "out", "out"])
    >>> model.predict([[0.5], [5.5], [9.5]]).tolist()
    ['out', 'in', 'out']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **KernelMachine._parameter_constraints,
        "class_weight": CLASS_WEIGHT,
        "verbose": ["verbose"],
    }

    _state: ClassVar[dict[str, Field]] = {
        "n_support_": Array(np.int64, "classes", low=0),
        "dual_coef_": Array(np.float64, "others", "support", low=-LARGEST, high=LARGEST),
        "intercept_": Array(np.float64, "pairs"),
        "sigmoid_": Array(np.float64, "pairs", 2, low=-LARGEST, high=LARGEST),
        "temperature_": Number(0, HOTTEST),
        "n_iter_": Array(np.int64, "pairs", low=0),
    }

    def _check_state(self) -> None:
        super()._check_state()
        n_classes = len(self.classes_)
        require(len(self.intercept_) == n_classes * (n_classes - 1) // 2, "has machines for other pairs of classes")
        require(len(self.dual_coef_) == n_classes - 1, "has multipliers for other pairs of classes")
        n_support = len(self.support_vectors_)
        counts = self.n_support_.tolist()  # whole numbers that cannot overflow
        require(sum(counts) == n_support, f"has {n_support} support vectors of classes with {sum(counts)}")
        require((np.abs(self.sigmoid_[:, 0]) <= MOST_SLOPE).all(), "has a sigmoid that is too steep")

    kernel: Literal["rbf", "linear"] = "rbf"
    C: float = 1.0
    gamma: float | Literal["scale", "auto"] = "scale"
    tol: float = 0.001
    max_iter: int | None = None
    class_weight: ClassWeight = None
    categorical_features: CategoricalFeatures = "from_dtype"
    verbose: int = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their classes.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Numbers, categories or text; NaN is missing.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Case weights, which multiply C case by case as they are; a row of weight 0 counts as absent.

        Returns
        -------
        self
        """
        return super().fit(X, y, sample_weight)

    def _weigh(self, weight: Vector) -> Vector:
        return weight

    def _learn(self, table: Table, codes: NDArray[np.intp], weight: Vector, *, alone: bool) -> None:
        check_cost(float(self.C), weight)
        kept = np.flatnonzero(weight)
        present, codes = np.unique(codes[kept], return_inverse=True)
        self.classes_, self.n_classes_ = self.classes_[present], len(present)  # a member may have drawn none of a class
        with one_thread():
            rows, weight = self._set_columns(table, kept, weight), weight[kept]
            machines = self._fit_pairs(rows, codes, weight)
            self._set_machines(rows, codes, machines)
            self._set_probabilities(rows, codes, weight, machines)
        worst = max((machine.solution for machine in machines), key=lambda solution: solution.gap, default=None)
        if worst is not None and worst.gap > self.tol:
            warn_of_gap(worst.n_iter, worst.gap, float(self.tol), stacklevel=5)

    def _fit_pairs(self, rows: Matrix, codes: NDArray[np.intp], weight: Vector) -> list[Machine]:
        """Train a machine for each pair of classes."""
        kernel, cost = self._kernel(), weight * float(self.C)
        n_pairs = self.n_classes_ * (self.n_classes_ - 1) // 2
        shared = kernel.all_pairs(rows) if n_pairs and len(rows) <= MOST_AT_ONCE else None
        machines = []
        progress = Progress(type(self).__name__, n_pairs, self.verbose, unit="pairs of classes")
        for one, other in combinations(range(self.n_classes_), 2):
            some = np.flatnonzero((codes == one) | (codes == other))
            # The class of the first row is the positive one, so that the names of the classes make no difference.
            sign = 1.0 if codes[some[0]] == other else -1.0
            label = np.where(codes[some] == other, sign, -sign)
            limits = np.where(label > 0, 0.0, -cost[some]), np.where(label > 0, cost[some], 0.0)
            steps = most_steps(self.max_iter, len(some))
            problem = Problem(rows[some], kernel, label, *limits, 0.0, float(self.tol), steps)
            own = shared if shared is None or n_pairs == 1 else shared[np.ix_(some, some)]
            solution = problem.solve(own).times(sign)
            machines.append(Machine(some, solution, without_own(rows[some], kernel, solution, own)))
            progress.advance()
        return machines

    def _set_machines(self, rows: Matrix, codes: NDArray[np.intp], machines: list[Machine]) -> None:
        values = np.zeros((self.n_classes_ - 1, len(rows)))
        for (one, other), machine in zip(combinations(range(self.n_classes_), 2), machines, strict=True):
            values[np.where(codes[machine.rows] == one, other - 1, one), machine.rows] = machine.solution.value
        support = np.flatnonzero(values.any(axis=0))
        support = support[np.argsort(codes[support], kind="stable")]
        self.support_vectors_, self.dual_coef_ = rows[support], np.ascontiguousarray(values[:, support])
        self.n_support_ = np.bincount(codes[support], minlength=self.n_classes_)
        self.intercept_ = np.array([machine.solution.intercept for machine in machines], dtype=np.float64)
        self.n_iter_ = np.array([machine.solution.n_iter for machine in machines], dtype=np.int64)

    def _set_probabilities(
        self,
        rows: Matrix,
        codes: NDArray[np.intp],
        weight: Vector,
        machines: list[Machine],
    ) -> None:
        n_few = min(len(rows), MOST_ROWS) if self.n_classes_ > 2 else 0
        few = np.linspace(0, len(rows) - 1, n_few).astype(np.intp)
        place = np.full(len(rows), -1)
        place[few] = np.arange(n_few)
        values = self._values_of(rows[few])
        self.sigmoid_, self.temperature_ = np.empty((len(machines), 2)), 1.0
        for pair, ((_, other), machine) in enumerate(
            zip(combinations(range(self.n_classes_), 2), machines, strict=True)
        ):
            own = machine.rows
            self.sigmoid_[pair] = fit_sigmoid(machine.left_out, codes[own] == other, weight[own])
            mine = place[own] >= 0
            values[place[own[mine]], pair] = machine.left_out[mine]
        if n_few:
            scores = couple(values * self.sigmoid_[:, 0] + self.sigmoid_[:, 1], self.n_classes_)
            self.temperature_ = fit_temperature(scores, codes[few], weight[few])

    def _values_of(self, rows: Matrix) -> Matrix:
        """Return the machines' values of rows on one scale."""
        values = np.tile(self.intercept_, (len(rows), 1))
        pairs = list(combinations(range(len(self.classes_)), 2))
        ends = np.cumsum(self.n_support_).tolist()
        for some, products in self._products(rows):
            for own, (end, size) in enumerate(zip(ends, self.n_support_.tolist(), strict=True)):
                part = slice(end - size, end)
                sums = products[:, part] @ self.dual_coef_[:, part].T
                for pair, (one, other) in enumerate(pairs):
                    if own in (one, other):
                        values[some, pair] += sums[:, other - 1 if own == one else one]
        return values

    def pair_decision_function(self, X: Any) -> Matrix:
        """Return the values of the machines of all pairs of classes.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_pairs)
            In the order (0, 1), (0, 2), ..., (1, 2), ..., positive for the second class.
        """
        check_is_fitted(self)
        with one_thread():
            return self._values_of(self._scaled(X))

    def _scores(self, X: Any) -> Matrix:
        odds = self.pair_decision_function(X) * self.sigmoid_[:, 0] + self.sigmoid_[:, 1]
        return couple(odds, len(self.classes_)) * self.temperature_

    def decision_function(self, X: Any) -> Matrix:
        """Return log-odds or log-probabilities.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            The log-odds of the second class if there are two, else the log-probability of every class. What the
            machines say is `pair_decision_function`.
        """
        scores = self._scores(X)
        if len(self.classes_) == 2:
            return np.asarray(scores[:, 1] - scores[:, 0])
        return np.asarray(log_softmax(scores, axis=1))

    def predict_proba(self, X: Any) -> Matrix:
        """Return the class probabilities of each row, columns in the order of ``classes_``."""
        return np.asarray(softmax(self._scores(X), axis=1))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the likeliest class of each row."""
        best = self._scores(X).argmax(axis=1)
        return np.asarray(self.classes_[best])
