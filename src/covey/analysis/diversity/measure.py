"""All measures of an ensemble's diversity at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from covey.analysis.diversity.oracle import tally_right
from covey.analysis.diversity.pairs import Pairs, count_pairs
from covey.analysis.diversity.votes import Margins, entropy_of, margins_of, mean_error, variance_of, vote_error
from covey.analysis.labels import check_two_members, read_judged, shares_of
from covey.analysis.tables.result import Finding, ResultTable, table_of


class Measure(NamedTuple):
    """A measure as it is shown."""

    field: str  # of `Diversity`
    name: str
    range: str  # its least and greatest value for L members and K classes
    larger: str  # what a larger value means
    source: str = ""  # "pairs" if it is a mean of `Pairs`, "right" if it goes by how many members are right


_MORE, _LESS = "more diverse", "less diverse"
MEASURES = (
    Measure("ensemble_error", "ensemble error", "0 to 1", "the vote errs more"),
    Measure("individual_error", "individual error", "0 to 1", "members err more"),
    Measure("weighted_variance", "weighted variance", "0 to 1 - 1/K", _MORE),
    Measure("vote_entropy", "vote entropy", "0 to 1", _MORE),
    Measure("agreement", "agreement", "0 to 1", _LESS, "pairs"),
    Measure("kappa", "kappa", "-1 to 1", _LESS, "pairs"),
    Measure("q_statistic", "Q statistic", "-1 to 1", _LESS, "pairs"),
    Measure("correlation", "correlation", "-1 to 1", _LESS, "pairs"),
    Measure("disagreement", "disagreement", "0 to 1", _MORE, "pairs"),
    Measure("double_fault", "double fault", "0 to 1", "less diverse, or members err more", "pairs"),
    Measure("entropy_measure", "entropy measure", "0 to 1", _MORE, "right"),
    Measure("kohavi_wolpert_variance", "Kohavi-Wolpert variance", "0 to 1/4", _MORE, "right"),
    Measure("interrater_kappa", "interrater kappa", "-1/(L - 1) to 1", _LESS, "right"),
    Measure("difficulty", "difficulty", "0 to 1/4", _LESS, "right"),
    Measure("generalized_diversity", "generalized diversity", "0 to 1", _MORE, "right"),
    Measure("coincident_failure_diversity", "coincident failure diversity", "0 to 1", _MORE, "right"),
    Measure("mean_margin", "mean margin", "-1 to 1", "the true class is further ahead"),
    Measure("minimum_margin", "minimum margin", "-1 to 1", "the true class is further ahead in the worst case"),
)


@dataclass(frozen=True, eq=False, repr=False)
class Diversity(Finding):
    """Every measure of an ensemble's diversity, as the function of the same name defines it."""

    n_cases: int  #: how much was looked at
    n_members: int
    n_classes: int
    weighted_variance: float  #: of the weighted votes, as are the next three
    vote_entropy: float
    individual_error: float
    ensemble_error: float
    agreement: float  #: of each two members, the mean over all pairs, which count alike; so are the next five
    kappa: float
    q_statistic: float
    correlation: float
    disagreement: float
    double_fault: float
    entropy_measure: float  #: by how many members are right about each case, which count alike; so are the next five
    kohavi_wolpert_variance: float
    interrater_kappa: float
    difficulty: float
    generalized_diversity: float
    coincident_failure_diversity: float
    pairs: Pairs  #: the measures of each two members
    margins: Margins  #: the margins of the weighted votes

    @property
    def mean_margin(self) -> float:
        """The mean margin."""
        return self.margins.mean

    @property
    def minimum_margin(self) -> float:
        """The least margin."""
        return self.margins.minimum

    def table(self) -> ResultTable:
        """Return a row for each measure: its value, its range, and what a larger value means."""
        columns = {
            "value": [getattr(self, measure.field) for measure in MEASURES],
            "range": [measure.range for measure in MEASURES],
            "larger means": [measure.larger for measure in MEASURES],
        }
        return table_of(
            columns,
            [measure.name for measure in MEASURES],
            "measure",
            caption=f"Diversity of {self._what()}",
            notes=("agreement to double fault are means over all pairs of members",),
        )

    def __str__(self) -> str:
        width = max(len(measure.name) for measure in MEASURES)
        lines = (
            f"  {measure.name:{width}} {getattr(self, measure.field):z7.3f}  larger: {measure.larger}"
            for measure in MEASURES
        )
        return "\n".join([f"Diversity of {self._what()}", *lines])

    def _what(self) -> str:
        return f"{self.n_members:,} members on {self.n_cases:,} cases of {self.n_classes:,} classes"


def measure_diversity(predictions: Any, y: Any, weights: Any = None, *, classes: Any = None) -> Diversity:
    """Return all measures of how members of an ensemble differ, and of how they err.

    Labels are read once and votes are counted once, so this takes less time than the functions for the measures.

    Parameters
    ----------
    predictions, y, classes
        As for `entropy_measure`.
    weights : array-like of shape (n_members,), optional
        Vote weights, not negative; by default all alike. They count for the votes, margins and the individual error;
        pairs and numbers of right members count all members alike, as their definitions do.

    Examples
    --------
    >>> predictions = [["a", "a", "a"], ["a", "a", "b"], ["b", "c", "b"], ["a", "c", "b"], ["a", "b", "a"]]
    >>> diversity = measure_diversity(predictions, ["a", "a", "b", "c", "c"])
    >>> round(diversity.weighted_variance, 3), round(diversity.kappa, 3), round(diversity.ensemble_error, 3)
    (0.4, 0.079, 0.333)
    >>> print(diversity.margins)
    Margins of 5 cases: minimum -0.667, mean 0.200; 20.0% negative, 20.0% tied
    """
    labels, truth = read_judged(predictions, y, classes)
    check_two_members(labels, "measure_diversity")
    shares = shares_of(labels, weights)
    correct = labels.correct
    pairs, tally = count_pairs(labels, correct), tally_right(correct)
    return Diversity(
        n_cases=len(truth),
        n_members=len(labels.codes),
        n_classes=len(labels.classes),
        weighted_variance=variance_of(shares),
        vote_entropy=entropy_of(shares),
        individual_error=mean_error(pairs.errors, weights),
        ensemble_error=vote_error(shares, truth),
        **{measure.field: pairs.mean(measure.field) for measure in MEASURES if measure.source == "pairs"},
        **{measure.field: getattr(tally, measure.field)() for measure in MEASURES if measure.source == "right"},
        pairs=pairs,
        margins=margins_of(shares, truth),
    )
