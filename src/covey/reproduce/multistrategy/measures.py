"""The paper's five measures of every system on every dataset, from the predictions and votes that a store keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey._text import p_text
from covey.analysis.bias_variance import kohavi_wolpert
from covey.analysis.diversity import individual_error, weighted_variance
from covey.analysis.numbers import ROUNDING
from covey.analysis.significance.records import Records, sign_test, win_draw_loss

if TYPE_CHECKING:
    import pandas as pd

    from covey.reproduce.paper import Found
    from covey.study import Results

# In the order of the paper's tables 1 to 5.
MEASURES = ("error", "bias", "variance", "diversity", "individual error")
# Those of single trees too.
OF_ALL = MEASURES[:3]
ALPHA = 0.05
# The paper's cycles of cross-validation.
CYCLES = 10


@dataclass(frozen=True)
class Comparison:
    """A system against another by a measure, as a cell of the paper's tables.

    Parameters
    ----------
    method, against : str
        The systems: the paper's column and row.
    ratio : float
        Geometric mean of method / against over the datasets where both are above zero; NaN if there is none.
    wins, draws, losses : int
        On how many datasets the method has the smaller value, the same, and the larger.
    p_value : float
        Of the two-tailed sign test.
    """

    method: str
    against: str
    ratio: float
    wins: int
    draws: int
    losses: int
    p_value: float

    @property
    def n_datasets(self) -> int:
        """On how many datasets they were compared."""
        return self.wins + self.draws + self.losses

    @property
    def outcome(self) -> str:
        """What the sign test says of the method: "lower", "higher", or "level" if it is not significant."""
        if self.p_value >= ALPHA:
            return "level"
        return "lower" if self.wins > self.losses else "higher"

    @property
    def record(self) -> str:
        """Wins, draws and losses."""
        return f"{self.wins}/{self.draws}/{self.losses}"

    def __str__(self) -> str:
        ratio = write_number(self.ratio, ".3f")
        return f"{self.against} to {self.method} {ratio} ({self.record}, {p_text(self.p_value)})"


@dataclass(frozen=True, eq=False)
class Measures:
    """What was measured.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        By measure: a row for each dataset and a column for each system, NaN where fits are lacking; diversity and
        individual error are NaN for single trees.
    members : DataFrame
        The mean number of members over fits, of the same shape; NaN for single trees.
    """

    frames: Mapping[str, pd.DataFrame]
    members: pd.DataFrame

    def of(self, measure: str, systems: Sequence[str]) -> pd.DataFrame:
        """Return a measure of some systems on the datasets where all of them have it."""
        return self.frames[measure].reindex(columns=list(systems)).dropna()

    def compare(self, measure: str, method: str, against: str) -> Comparison:
        """Return a system against another by a measure, on the datasets where both have it."""
        values = self.of(measure, (method, against))
        one, other = values[method].to_numpy(), values[against].to_numpy()
        certain = np.abs(one - other) > ROUNDING * np.maximum(one, other)
        wins, losses = int((certain & (one < other)).sum()), int((certain & (one > other)).sum())
        above = (one > 0) & (other > 0)
        ratio = float(np.exp(np.log(one[above] / other[above]).mean())) if above.any() else np.nan
        draws = len(values) - wins - losses
        return Comparison(method, against, ratio, wins, draws, losses, sign_test(wins, losses))

    def records(self, measure: str, systems: Sequence[str], *, larger_is_better: bool = False) -> Records:
        """Return the records of all pairs on the datasets where all have the measure."""
        return win_draw_loss(self.of(measure, systems), larger_is_better=larger_is_better)

    @property
    def n_datasets(self) -> int:
        """Of how many datasets there is something."""
        return len(self.frames["error"])


def measures_of(found: Found) -> Measures:
    """Return the measures of all experiments that were carried out."""
    import pandas as pd

    parts = [_measured(results) for results in found.values()]
    frames = {measure: pd.concat([part.frames[measure] for part in parts], axis=1) for measure in MEASURES}
    return Measures(frames, pd.concat([part.members for part in parts], axis=1))


@lru_cache(maxsize=4)
def _measured(results: Results) -> Measures:
    """Return the measures of one experiment."""
    import pandas as pd

    status = results.frame().groupby(["dataset", "method"])["status"]
    whole = status.agg(lambda found: bool((found == "done").all()))
    datasets, methods = ([one.name for one in some] for some in (results.record.datasets, results.record.methods))
    empty = pd.DataFrame(np.nan, index=pd.Index(datasets, name="dataset"), columns=methods)
    frames = {name: empty.copy() for name in (*MEASURES, "members")}
    for dataset in datasets:
        for method in methods:
            if whole[dataset, method]:
                for name, value in _measure(results, dataset, method).items():
                    frames[name].loc[dataset, method] = value
    members = frames.pop("members")
    return Measures(frames, members)


def _measure(results: Results, dataset: str, method: str) -> dict[str, float]:
    """Return the measures of a system on a dataset, all of whose fits are there."""
    predictions, y = results.predictions(dataset, method)
    found = {"error": float(np.mean(predictions != y))}
    if len(predictions) > 1:
        found |= split_error(predictions, y)
    return found | votes_measured(fit for fit in results.fits(dataset, method) if "votes" in fit)


def votes_measured(fits: Iterable[Mapping[str, NDArray[Any]]]) -> dict[str, float]:
    """Return diversity, individual error and the number of members, means over the cases of fits that have votes."""
    rows, cases = [], []
    for fit in fits:
        said, weights, classes = fit["votes"], fit["weights"], fit["classes"]
        diversity = weighted_variance(said, weights, classes=classes)
        rows.append((diversity, individual_error(said, fit["y"], weights, classes=classes), said.shape[1]))
        cases.append(len(said))
    if not rows:
        return {}
    diversities, errors, members = zip(*rows, strict=True)
    return {
        "diversity": float(np.average(diversities, weights=cases)),
        "individual error": float(np.average(errors, weights=cases)),
        "members": float(np.mean(members)),
    }


def split_error(predictions: NDArray[Any], y: NDArray[Any], *, cycles: int = CYCLES) -> dict[str, float]:
    """Return bias and variance by equations 5 to 7, noise counted as bias, as so many cycles would give them.

    The plain formulas take a share of 1 / cycles of the variance for bias. With as many cycles as asked for, this is
    just what they give; with fewer, the estimates are corrected, and then that share is put where ten cycles put it,
    so that a run of two cycles can be set beside the paper's of ten.
    """
    found = kohavi_wolpert(predictions, y, unbiased_estimates=True)
    return {
        "bias": found.bias + found.noise + found.variance / cycles,
        "variance": found.variance * (1 - 1 / cycles),
    }
