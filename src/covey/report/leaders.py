"""Why the best methods of a dataset err: bias and variance, and how the members of ensembles differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted
from covey.report.metric_words import number_spec

if TYPE_CHECKING:
    from covey.analysis.diversity import KappaError
    from covey.analysis.tables import ResultTable
    from covey.study.results import Results

Arrays = Mapping[str, NDArray[Any]]

# Votes take most of the room in a store, so they are read of the leaders only, and of so many fits.
MOST_LEADERS = 3
MOST_FITS = 10
# So many members of an ensemble, evenly spaced, make the pairs of a diagram.
MOST_MEMBERS = 25


@dataclass(frozen=True)
class BiasVariance:
    """The error of repeated fits as bias and variance, both estimated without the bias that few repeats bring.

    Parameters
    ----------
    error, bias, variance : float
        ``error = bias + variance``; of wrong labels, or squared errors in a regression.
    n_repeats, n_cases : int
    """

    error: float
    bias: float
    variance: float
    n_repeats: int
    n_cases: int


@dataclass(frozen=True, eq=False)
class Members:
    """How the members of an ensemble do and differ, means over fits.

    Parameters
    ----------
    n_members : float
        How many there are.
    n_fits : int
        How many fits were looked at.
    member_error : float
        The share of wrong labels of the members, or their mean squared error; weighted as their votes are.
    ensemble_error : float
        That of the whole ensemble in the same fits.
    disagreement : float
        Of two members, how often just one is right; NaN in a regression.
    kappa : float
        How much two members agree beyond chance: 1 always, 0 as by chance; NaN in a regression.
    ambiguity : float
        The mean squared distance of members from their mean (Krogh and Vedelsby, 1995); NaN in a classification.
    points : KappaError or None
        Pairs of some members of the first fit.
    """

    n_members: float
    n_fits: int
    member_error: float
    ensemble_error: float
    disagreement: float
    kappa: float
    ambiguity: float
    points: KappaError | None


@dataclass(frozen=True, eq=False)
class Leader:
    """What is known of a method beyond its scores.

    Parameters
    ----------
    method : str
    bias_variance : BiasVariance or None
        None if cases were not predicted twice or more.
    members : Members or None
        None if it is no ensemble whose votes were kept.
    """

    method: str
    bias_variance: BiasVariance | None
    members: Members | None


@dataclass(frozen=True, eq=False)
class Leaders:
    """The best methods on a dataset.

    Parameters
    ----------
    dataset : str
    regression : bool
    leaders : tuple of Leader
        Best first.
    overlap : bool
        Whether the training sets of different repeats overlap, as they do where all come from one table.
    """

    dataset: str
    regression: bool
    leaders: tuple[Leader, ...]
    overlap: bool = True

    @property
    def has_bias_variance(self) -> bool:
        """Whether bias and variance are known of some leader."""
        return any(one.bias_variance is not None for one in self.leaders)

    @property
    def has_members(self) -> bool:
        """Whether some leader is an ensemble whose members are known."""
        return any(one.members is not None for one in self.leaders)

    @property
    def points(self) -> dict[str, KappaError]:
        """The pairs of members of each ensemble that has some."""
        found = {one.method: one.members.points for one in self.leaders if one.members is not None}
        return {name: points for name, points in found.items() if points is not None}

    def bias_variance_table(self) -> ResultTable:
        """Return error, bias and variance of each leader."""
        rows = [
            (one.method, {"error": found.error, "bias": found.bias, "variance": found.variance})
            for one in self.leaders
            if (found := one.bias_variance) is not None
        ]
        name = "squared error" if self.regression else "error"
        known = [one.bias_variance for one in self.leaders if one.bias_variance is not None]
        what = "the squared distance of the mean prediction" if self.regression else "how far typical predictions are"
        after = "Geman, Bienenstock and Doursat (1992)" if self.regression else "Kohavi and Wolpert (1996)"
        notes = [
            f"error = bias + variance. bias: {what} from the truth, noise included. variance: how much predictions "
            f"of a case change with the training set. After {after}, corrected for the number of repeats.",
            f"Over {counted(known[0].n_repeats, 'repeat')} on {counted(known[0].n_cases, 'case')}." if known else "",
        ]
        if self.overlap:
            notes.append(
                "The repeats train on parts of one table that overlap, so the variance between independent training "
                "sets is larger than this, and the bias smaller."
            )
        return self._table(rows, f"Bias and variance of the leaders on {self.dataset} ({name})", notes)

    def members_table(self) -> ResultTable:
        """Return errors of members and ensembles, and how members differ."""
        rows = [(one.method, self._row(found)) for one in self.leaders if (found := one.members) is not None]
        if self.regression:
            notes = [
                "member error: the mean squared error of single members. ambiguity: their mean squared distance from "
                "their mean. The mean of members errs by member error - ambiguity (Krogh and Vedelsby, 1995)."
            ]
        else:
            notes = [
                "member error: how often a single member is wrong. disagreement: how often just one of two members is "
                "right. kappa: how much two members agree beyond chance, 1 always, 0 as by chance (Cohen, 1960)."
            ]
        fits = max((one.members.n_fits for one in self.leaders if one.members is not None), default=0)
        notes.append(f"Means over {'the first fit' if fits == 1 else f'the first {fits} fits'}.")
        return self._table(rows, f"Members of the leading ensembles on {self.dataset}", notes)

    def _row(self, found: Members) -> dict[str, float]:
        row = {"members": round(found.n_members), "member error": found.member_error}
        if self.regression:
            return {**row, "ambiguity": found.ambiguity, "ensemble error": found.ensemble_error}
        shared = {"disagreement": found.disagreement, "kappa": found.kappa}
        return {**row, "ensemble error": found.ensemble_error, **shared}

    def _table(self, rows: list[tuple[str, dict[str, float]]], caption: str, notes: Sequence[str]) -> ResultTable:
        import pandas as pd

        from covey.analysis.tables import ResultTable

        frame = pd.DataFrame([row for _, row in rows], index=pd.Index([name for name, _ in rows], name="method"))
        numbers = frame.drop(columns="members", errors="ignore").to_numpy(dtype=np.float64)
        spec = number_spec(numbers.ravel().tolist()) if self.regression else ".1%"
        formats = {column: spec for column in frame.columns if column not in ("members", "kappa")}
        if "kappa" in frame:
            formats["kappa"] = ".2f"
        return ResultTable(frame, caption=caption, formats=formats, notes=tuple(note for note in notes if note))


def measure_leaders(results: Results, dataset: str, methods: Sequence[str], *, most_fits: int = MOST_FITS) -> Leaders:
    """Measure bias and variance of some methods, and how the members of those that are ensembles differ.

    Parameters
    ----------
    results : Results
    dataset : str
    methods : sequence of str
        The methods, best first.
    most_fits : int, default=10
        Of how many fits votes are read.

    Returns
    -------
    Leaders
    """
    kind = results.record.protocol["kind"]
    n_repeats = results.record.protocol.get("n_repeats", 1)
    regression = results.record.task == "regression"
    every_case = kind in ("cross-validation", "bootstrap") and n_repeats >= 2
    leaders = []
    for method in methods:
        found = _bias_variance(*results.predictions(dataset, method), regression) if every_case else None
        leaders.append(Leader(method, found, _members(results.fits(dataset, method), regression, most_fits)))
    return Leaders(dataset, regression, tuple(leaders))


def _bias_variance(said: NDArray[Any], y: NDArray[Any], regression: bool) -> BiasVariance | None:
    n_repeats, n_cases = said.shape
    if n_repeats < 2:
        return None
    if not regression:
        from covey.analysis.bias_variance import kohavi_wolpert

        whole = kohavi_wolpert(said, y, unbiased_estimates=True)
        return BiasVariance(whole.error, whole.bias, whole.variance, n_repeats, n_cases)
    from covey.analysis.bias_variance import squared_loss

    found = squared_loss(said, y)
    # The mean of few predictions varies itself, which the plain formula takes for bias.
    excess = found.variance / (n_repeats - 1)
    return BiasVariance(found.error, found.bias - excess, found.variance + excess, n_repeats, n_cases)


def _members(fits: Iterator[Arrays], regression: bool, most_fits: int) -> Members | None:
    """Return how members differ, from the first fits; None if votes were not kept."""
    rows: list[tuple[float, ...]] = []
    points = None
    for arrays in islice(fits, most_fits):
        votes = arrays.get("votes")
        if votes is None or votes.ndim != 2 or votes.shape[1] < 2 or not len(votes):
            break
        if regression:
            rows.append(_one_regression(arrays))
            continue
        if not rows:
            points = _points(arrays)
        rows.append(_one_classification(arrays))
    if not rows:
        return None
    n_members, member_error, error, disagreement, kappa, spread = np.array(rows).mean(axis=0).tolist()
    return Members(n_members, len(rows), member_error, error, disagreement, kappa, spread, points)


def _one_regression(arrays: Arrays) -> tuple[float, ...]:
    from covey.analysis.bias_variance import ambiguity

    found = ambiguity(arrays["votes"], arrays["y"], arrays.get("weights"))
    error = float(np.mean((arrays["predictions"] - arrays["y"]) ** 2))
    return found.n_members, found.member_error, error, nan, nan, found.ambiguity


def _one_classification(arrays: Arrays) -> tuple[float, ...]:
    from covey.analysis.diversity import individual_error, pairwise

    labels: Any = {"predictions": arrays["votes"], "y": arrays["y"], "classes": arrays["classes"]}
    pairs = pairwise(**labels)
    error = float(np.mean(arrays["predictions"] != arrays["y"]))
    own = individual_error(**labels, weights=arrays.get("weights"))
    return pairs.n_members, own, error, pairs.mean("disagreement"), pairs.mean("kappa"), nan


def _points(arrays: Arrays) -> KappaError:
    """Return the pairs of some members, evenly spaced."""
    from covey.analysis.diversity import kappa_error_points

    votes = arrays["votes"]
    n_members = votes.shape[1]
    chosen = np.unique(np.linspace(0, n_members - 1, min(n_members, MOST_MEMBERS)).round().astype(int))
    return kappa_error_points(votes[:, chosen], arrays["y"], classes=arrays["classes"])
