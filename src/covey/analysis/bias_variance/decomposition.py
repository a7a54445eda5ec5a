"""Decompositions of an error into terms that add up: what all have in common, and those of squared error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from covey._text import counted
from covey.analysis.labels import relative_weights
from covey.analysis.numbers import LONG_SUM, Floats, check_finite, read_numbers
from covey.analysis.tables.result import Finding, ResultTable, table_of


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Finding):
    """An error and the terms that it is made of."""

    # The terms in the order of reading, and the sign with which each is part of the error; 0: it is not.
    terms: ClassVar[Mapping[str, int]] = {}
    # Terms that are 0 where no more than labels is known, and are not mentioned then.
    optional: ClassVar[frozenset[str]] = frozenset({"noise", "net_noise", "cross"})
    name: ClassVar[str] = ""
    written: ClassVar[str] = ".4f"

    n_repeats: int  #: how many models predicted ...
    n_cases: int  #: ... how many cases
    cases: Mapping[str, Floats]  #: the error and its terms for each case; their means are the values below
    error: float  #: the mean error of the models

    def __post_init__(self) -> None:
        parts = [sign * self.cases[term] for term, sign in self.terms.items() if sign]
        largest = max(np.abs(part).max() for part in parts)
        assert np.abs(sum(parts) - self.cases["error"]).max() <= LONG_SUM * largest
        for values in self.cases.values():
            values.setflags(write=False)
        object.__setattr__(self, "cases", MappingProxyType(dict(self.cases)))
        super().__post_init__()

    @classmethod
    def _from_cases(cls, n_repeats: int, cases: Mapping[str, Floats]) -> Self:
        means = {term: float(values.mean()) for term, values in cases.items()}
        return cls(n_repeats=n_repeats, n_cases=len(cases["error"]), cases=cases, **means)

    def values(self) -> dict[str, float]:
        """Return the error and its terms by name."""
        return {"error": self.error, **{term: self._of(term) for term in self.terms}}

    def _of(self, term: str) -> float:
        return float(getattr(self, term))

    def table(self) -> ResultTable:
        """Return the error and its terms, and the sign with which each term is part of the error."""
        values = self.values()
        part = {1: "+", -1: "-", 0: ""}
        columns = {"value": list(values.values()), "part": ["=", *(part[sign] for sign in self.terms.values())]}
        names = [_words(term) for term in values]
        return table_of(columns, names, "term", caption=self._caption(), default_format=self.written)

    def _caption(self) -> str:
        return f"{self.name} decomposition of {self.n_repeats} repeats on {counted(self.n_cases, 'case')}"

    def __str__(self) -> str:
        told = [term for term, sign in self.terms.items() if sign and (term not in self.optional or self._of(term))]
        signs = {term: "-" if self.terms[term] < 0 else "+" for term in told}
        sums = "".join(f" {sign} {_words(term)} {self._of(term):{self.written}}" for term, sign in signs.items())
        return f"{self._caption()}: error {self.error:{self.written}} = {sums.removeprefix(' + ')}"


@dataclass(frozen=True, eq=False, repr=False)
class SquaredLoss(Decomposition):
    """The squared error of repeated runs as noise, squared bias and variance.

    ``error = noise + cross + bias + variance``.
    """

    terms: ClassVar[Mapping[str, int]] = {"noise": 1, "cross": 1, "bias": 1, "variance": 1}
    name: ClassVar[str] = "Squared-loss"
    written: ClassVar[str] = ".4g"

    noise: float  #: the squared distance of y from the true function; 0, and part of the bias, where that is not known
    cross: float  #: what is left as noise and bias of finitely many cases are not independent; its expectation is 0
    bias: float  #: bias², the squared distance of the mean prediction from the true function
    variance: float  #: the squared distance of predictions from their mean


@dataclass(frozen=True, eq=False, repr=False)
class Ambiguity(Finding):
    """The squared error of an ensemble as that of its members less their ambiguity (Krogh and Vedelsby, 1995).

    ``ensemble_error = member_error - ambiguity``.
    """

    n_members: int  #: how many members predicted ...
    n_cases: int  #: ... how many cases
    ensemble_error: float  #: the mean squared error of the weighted mean prediction
    member_error: float  #: the weighted mean of the members' mean squared errors
    ambiguity: float  #: the weighted mean squared distance of the members' predictions from the ensemble's

    def __post_init__(self) -> None:
        assert abs(self.ensemble_error - (self.member_error - self.ambiguity)) <= LONG_SUM * self.member_error

    def table(self) -> ResultTable:
        """Return the three terms."""
        columns = {"value": [self.ensemble_error, self.member_error, self.ambiguity], "part": ["=", "+", "-"]}
        names = ["ensemble error", "member error", "ambiguity"]
        return table_of(columns, names, "term", caption=self._caption(), default_format=".4g")

    def _caption(self) -> str:
        return f"Ambiguity decomposition of {counted(self.n_members, 'member')} on {counted(self.n_cases, 'case')}"

    def __str__(self) -> str:
        return (
            f"{self._caption()}: ensemble error {self.ensemble_error:.4g} = member error {self.member_error:.4g} - "
            f"ambiguity {self.ambiguity:.4g}"
        )


def squared_loss(predictions: Any, y: Any, *, optimal: Any = None) -> SquaredLoss:
    """Decompose the squared error of repeated runs into squared bias, variance and noise (Geman et al., 1992).

    Parameters
    ----------
    predictions : array-like of shape (n_repeats, n_cases)
        The number that each of several models, trained on different samples, gives each case.
    y : array-like of shape (n_cases,)
        The true values.
    optimal : array-like of shape (n_cases,), optional
        The true function without noise. By default y is taken for it.

    Examples
    --------
    >>> from covey.analysis import squared_loss
    >>> result = squared_loss([[1.0, 4.0], [3.0, 4.0]], [2.0, 2.0])
    >>> result.error, result.bias, result.variance
    (2.5, 2.0, 0.5)
    """
    matrix = _numbers(predictions, "predictions", 2)
    n_repeats, n_cases = matrix.shape
    target = _numbers(y, "y", 1, n_cases)
    if n_repeats < 2:
        raise ValueError("predictions has a single repeat, but variance needs two or more rows.")
    truth = target if optimal is None else _numbers(optimal, "optimal", 1, n_cases)
    # All are distances from y first: of large numbers that differ by little, squares would lose the digits that count.
    truth = truth - target
    matrix -= target
    main = matrix.mean(axis=0)
    cases = {
        "error": np.square(matrix).mean(axis=0),
        "noise": truth**2,
        "cross": -2 * truth * (truth - main),
        "bias": (main - truth) ** 2,
        "variance": np.square(matrix - main).mean(axis=0),
    }
    return SquaredLoss._from_cases(n_repeats, cases)


def ambiguity(predictions: Any, y: Any, weights: Any = None) -> Ambiguity:
    """Decompose the squared error of an ensemble into its members' error and their ambiguity.

    Krogh and Vedelsby (1995), equation 10: at equal error, members that differ more make a better ensemble.

    Parameters
    ----------
    predictions : array-like of shape (n_cases, n_members)
        The number that each member gives each case, as ``member_predictions`` of a regression ensemble.
    y : array-like of shape (n_cases,)
        The true values.
    weights : array-like of shape (n_members,), optional
        Weights of the members in the mean; by default all alike.

    Examples
    --------
    >>> from covey.analysis import ambiguity
    >>> print(ambiguity([[1.0, 3.0], [2.0, 6.0]], [2.0, 2.0]))
    Ambiguity decomposition of 2 members on 2 cases: ensemble error 2 = member error 4.5 - ambiguity 2.5
    """
    matrix = _numbers(predictions, "predictions", 2)
    n_cases, n_members = matrix.shape
    target = _numbers(y, "y", 1, n_cases)
    weight = relative_weights(weights, n_members)
    weight /= weight.sum()
    matrix -= target[:, None]
    mean = matrix @ weight
    return Ambiguity(
        n_members=n_members,
        n_cases=n_cases,
        ensemble_error=float(np.square(mean).mean()),
        member_error=float((np.square(matrix) @ weight).mean()),
        ambiguity=float((np.square(matrix - mean[:, None]) @ weight).mean()),
    )


def _numbers(values: Any, name: str, dimensions: int, n_cases: int | None = None) -> Floats:
    numbers = read_numbers(values, name, "for class labels use domingos or kohavi_wolpert")
    if numbers.ndim != dimensions or numbers.size == 0:
        raise ValueError(f"{name} has shape {numbers.shape}, but must have {dimensions} dimensions and some values.")
    if n_cases is not None and len(numbers) != n_cases:
        raise ValueError(f"{name} has {len(numbers)} values, but predictions has {n_cases} cases; give one for each.")
    check_finite(numbers, name, "drop that case first")
    return numbers


def _words(term: str) -> str:
    return term.replace("_", " ")
