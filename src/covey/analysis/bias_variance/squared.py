"""Bias and variance of numeric predictions, and what the members of an ensemble gain by differing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from covey._text import counted
from covey.analysis.bias_variance.decomposition import Decomposition, Floats, means
from covey.analysis.finding import Finding
from covey.analysis.labels import check_vote_weights
from covey.analysis.numbers import check_finite, read_numbers

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable


@dataclass(frozen=True, eq=False, repr=False)
class SquaredLoss(Decomposition):
    """The squared error of repeated runs as noise, squared bias and variance.

    ``error = noise + cross + bias + variance``.

    Parameters
    ----------
    noise : float
        The squared distance of y from the true function; 0 where that is not known, and then part of the bias.
    cross : float
        What is left because noise and bias of a finite number of cases are not independent; its expectation is 0.
    bias : float
        The squared distance of the mean prediction from the true function, bias².
    variance : float
        The squared distance of predictions from their mean.
    """

    terms: ClassVar[Mapping[str, int]] = {"noise": 1, "cross": 1, "bias": 1, "variance": 1}
    name: ClassVar[str] = "Squared-loss"
    written: ClassVar[str] = ".4g"

    noise: float
    cross: float
    bias: float
    variance: float


@dataclass(frozen=True, eq=False, repr=False)
class Ambiguity(Finding):
    """The squared error of an ensemble as that of its members less their ambiguity (Krogh and Vedelsby, 1995).

    ``ensemble_error = member_error - ambiguity``.

    Parameters
    ----------
    n_members, n_cases : int
        How many members predicted how many cases.
    ensemble_error : float
        The mean squared error of the weighted mean prediction.
    member_error : float
        The weighted mean of the members' mean squared errors.
    ambiguity : float
        The weighted mean squared distance of the members' predictions from the ensemble's.
    """

    n_members: int
    n_cases: int
    ensemble_error: float
    member_error: float
    ambiguity: float

    def __post_init__(self) -> None:
        assert abs(self.ensemble_error - (self.member_error - self.ambiguity)) <= 1e-9 * self.member_error

    def table(self) -> ResultTable:
        """Return the three terms."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        names = ["ensemble error", "member error", "ambiguity"]
        values = [self.ensemble_error, self.member_error, self.ambiguity]
        frame = pd.DataFrame({"value": values, "part": ["=", "+", "-"]}, index=pd.Index(names, name="term"))
        return ResultTable(frame, caption=self._caption(), default_format=".4g")

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

    Returns
    -------
    SquaredLoss

    Examples
    --------
    >>> from covey.analysis import squared_loss
    >>> found = squared_loss([[1.0, 4.0], [3.0, 4.0]], [2.0, 2.0])
    >>> found.error, found.bias, found.variance
    (2.5, 2.0, 0.5)
    """
    matrix, target = _numbers(predictions, "predictions", 2), _numbers(y, "y", 1)
    n_repeats, n_cases = matrix.shape
    _check_length(target, "y", n_cases)
    if n_repeats < 2:
        raise ValueError("predictions has a single repeat, but variance needs two or more rows.")
    truth = target if optimal is None else _numbers(optimal, "optimal", 1)
    _check_length(truth, "optimal", n_cases)
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
    return SquaredLoss(n_repeats=n_repeats, n_cases=n_cases, cases=cases, **means(cases))


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

    Returns
    -------
    Ambiguity

    Examples
    --------
    >>> from covey.analysis import ambiguity
    >>> print(ambiguity([[1.0, 3.0], [2.0, 6.0]], [2.0, 2.0]))
    Ambiguity decomposition of 2 members on 2 cases: ensemble error 2 = member error 4.5 - ambiguity 2.5
    """
    matrix, target = _numbers(predictions, "predictions", 2), _numbers(y, "y", 1)
    n_cases, n_members = matrix.shape
    _check_length(target, "y", n_cases)
    weight = check_vote_weights(weights, n_members)
    weight = weight / weight.max()
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


def _numbers(values: Any, name: str, dimensions: int) -> Floats:
    numbers = read_numbers(values, name, "for class labels use domingos or kohavi_wolpert")
    if numbers.ndim != dimensions or numbers.size == 0:
        raise ValueError(f"{name} has shape {numbers.shape}, but must have {dimensions} dimensions and some values.")
    check_finite(numbers, name, "drop that case first")
    return numbers


def _check_length(values: Floats, name: str, n_cases: int) -> None:
    if len(values) != n_cases:
        raise ValueError(f"{name} has {len(values)} values, but predictions has {n_cases} cases.")
