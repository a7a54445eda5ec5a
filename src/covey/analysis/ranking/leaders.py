"""Bias and variance of the best methods of a dataset, and how the members of those that are ensembles differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted
from covey.analysis.ranking.metrics import number_spec

if TYPE_CHECKING:
    from covey.analysis.diversity import KappaError
    from covey.analysis.tables import ResultTable

Arrays = Mapping[str, NDArray[Any]]

# Votes take most of the room in a store, so they are read of the three best methods only, and of ten fits each.
MOST_LEADERS = 3
MOST_FITS = 10
# How many members of an ensemble, evenly spaced, make the pairs of a diagram.
MOST_MEMBERS = 25


@dataclass(frozen=True)
class BiasVariance:
    """The error of repeated fits, ``error = bias + variance``, estimated without the bias that few repeats bring."""

    error: float  # of wrong labels, or squared errors in a regression
    bias: float
    variance: float
    n_repeats: int
    n_rows: int


@dataclass(frozen=True, eq=False)
class Members:
    """How the members of an ensemble do and differ, means over fits."""

    n_members: float
    n_fits: int
    member_error: float  # the share of wrong labels, or mean squared error, weighted as their votes are
    ensemble_error: float  # of the whole ensemble in the same fits
    disagreement: float  # how often just one of two members is right; NaN in a regression
    kappa: float  # how much two members agree beyond chance; NaN in a regression
    ambiguity: float  # mean squared distance from their mean (Krogh and Vedelsby, 1995); NaN in a classification
    points: KappaError | None  # pairs of some members of the first fit


@dataclass(frozen=True, eq=False)
class Leader:
    """What is known of a method beyond its scores: None where rows were not predicted twice, or no votes kept."""

    method: str
    bias_variance: BiasVariance | None
    members: Members | None


@dataclass(frozen=True, eq=False)
class Leaders:
    """The best methods on a dataset, best first."""

    dataset: str
    regression: bool
    leaders: tuple[Leader, ...]

    @property
    def points(self) -> dict[str, KappaError]:
        """The pairs of members of each ensemble that has some."""
        points = {leader.method: leader.members.points for leader in self.leaders if leader.members is not None}
        return {name: pairs for name, pairs in points.items() if pairs is not None}

    def bias_variance_table(self) -> ResultTable | None:
        """Return error, bias and variance of each leader of which they are known, if there is one."""
        known = {leader.method: leader.bias_variance for leader in self.leaders if leader.bias_variance is not None}
        if not known:
            return None
        first = next(iter(known.values()))
        what = "the squared distance of the mean prediction" if self.regression else "how far typical predictions are"
        after = "Geman, Bienenstock and Doursat (1992)" if self.regression else "Kohavi and Wolpert (1996)"
        notes = (
            f"error = bias + variance. bias: {what} from the truth, noise included. variance: how much predictions "
            f"of a row change with the training set. After {after}, corrected for the number of repeats.",
            f"Over {counted(first.n_repeats, 'repeat')} on {counted(first.n_rows, 'row')}.",
            "The repeats train on parts of one table that overlap, so the variance between independent training "
            "sets is larger than this, and the bias smaller.",
        )
        rows = {
            name: {"error": parts.error, "bias": parts.bias, "variance": parts.variance}
            for name, parts in known.items()
        }
        name = "squared error" if self.regression else "error"
        return self._table(rows, f"Bias and variance of the leaders on {self.dataset} ({name})", notes)

    def members_table(self) -> ResultTable | None:
        """Return errors of members and ensembles, and how members differ, if there are ensembles."""
        known = {leader.method: leader.members for leader in self.leaders if leader.members is not None}
        if not known:
            return None
        if self.regression:
            note = (
                "member error: the mean squared error of single members. ambiguity: their mean squared distance from "
                "their mean. The mean of members errs by member error - ambiguity (Krogh and Vedelsby, 1995)."
            )
        else:
            note = (
                "member error: how often a single member is wrong. disagreement: how often just one of two members is "
                "right. kappa: how much two members agree beyond chance, 1 always, 0 as by chance (Cohen, 1960)."
            )
        fits = max(members.n_fits for members in known.values())
        over = f"Means over {'the first fit' if fits == 1 else f'the first {fits} fits'}."
        rows = {name: self._row(members) for name, members in known.items()}
        return self._table(rows, f"Members of the leading ensembles on {self.dataset}", (note, over))

    def _row(self, members: Members) -> dict[str, float]:
        row = {"members": round(members.n_members), "member error": members.member_error}
        if self.regression:
            return {**row, "ambiguity": members.ambiguity, "ensemble error": members.ensemble_error}
        shared = {"disagreement": members.disagreement, "kappa": members.kappa}
        return {**row, "ensemble error": members.ensemble_error, **shared}

    def _table(self, rows: Mapping[str, dict[str, float]], caption: str, notes: tuple[str, ...]) -> ResultTable:
        import pandas as pd

        from covey.analysis.tables import ResultTable

        frame = pd.DataFrame(list(rows.values()), index=pd.Index(list(rows), name="method"))
        numbers = frame.drop(columns="members", errors="ignore").to_numpy(dtype=np.float64)
        spec = number_spec(numbers.ravel().tolist()) if self.regression else ".1%"
        formats = dict.fromkeys(frame.columns, spec) | {"kappa": ".2f"}
        shown = {column: text for column, text in formats.items() if column in frame and column != "members"}
        return ResultTable(frame, caption=caption, formats=shown, notes=notes)


def bias_variance(predictions: NDArray[Any], y: NDArray[Any], regression: bool) -> BiasVariance | None:
    """Split the error of predictions of shape (n_repeats, n_rows); None if there is one repeat only."""
    from covey.analysis.bias_variance import kohavi_wolpert, squared_loss

    n_repeats, n_rows = predictions.shape
    if n_repeats < 2:
        return None
    if not regression:
        whole = kohavi_wolpert(predictions, y, unbiased_estimates=True)
        return BiasVariance(whole.error, whole.bias, whole.variance, n_repeats, n_rows)
    parts = squared_loss(predictions, y)
    # The mean of few predictions varies itself, which the plain formula takes for bias.
    excess = parts.variance / (n_repeats - 1)
    return BiasVariance(parts.error, parts.bias - excess, parts.variance + excess, n_repeats, n_rows)


def measure_members(fits: Iterable[Arrays], regression: bool, most_fits: int = MOST_FITS) -> Members | None:
    """Return how members differ in the first fits, from the arrays kept of each; None if votes were not kept."""
    rows: list[Sequence[float]] = []
    points = None
    for arrays in islice(fits, most_fits):
        votes = arrays.get("votes")
        if votes is None or votes.ndim != 2 or votes.shape[1] < 2 or not len(votes):
            break
        if not rows and not regression:
            points = _points(arrays)
        rows.append(_regressors(arrays) if regression else _classifiers(arrays))
    if not rows:
        return None
    n_members, member_error, error, disagreement, kappa, spread = np.array(rows).mean(axis=0).tolist()
    return Members(n_members, len(rows), member_error, error, disagreement, kappa, spread, points)


def _regressors(arrays: Arrays) -> Sequence[float]:
    from covey.analysis.bias_variance import ambiguity

    parts = ambiguity(arrays["votes"], arrays["y"], arrays.get("weights"))
    error = float(np.mean((arrays["predictions"] - arrays["y"]) ** 2))
    return parts.n_members, parts.member_error, error, nan, nan, parts.ambiguity


def _classifiers(arrays: Arrays) -> Sequence[float]:
    from covey.analysis.diversity import individual_error, pairwise

    labels: Any = {"predictions": arrays["votes"], "y": arrays["y"], "classes": arrays["classes"]}
    pairs = pairwise(**labels)
    error = float(np.mean(arrays["predictions"] != arrays["y"]))
    member_error = individual_error(**labels, weights=arrays.get("weights"))
    return pairs.n_members, member_error, error, pairs.mean("disagreement"), pairs.mean("kappa"), nan


def _points(arrays: Arrays) -> KappaError:
    """Return the pairs of some members, evenly spaced."""
    from covey.analysis.diversity import kappa_error_points

    n_members = arrays["votes"].shape[1]
    chosen = np.unique(np.linspace(0, n_members - 1, min(n_members, MOST_MEMBERS)).round().astype(int))
    return kappa_error_points(arrays["votes"][:, chosen], arrays["y"], classes=arrays["classes"])
