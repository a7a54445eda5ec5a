"""Diversity by how many members are right about each case, and all measures of diversity at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from covey.analysis.diversity.pairs import Pairs, count_pairs
from covey.analysis.diversity.votes import Margins, entropy_of, margins_of, mean_error, variance_of, vote_error
from covey.analysis.labels import check_two_members, read_judged, shares_of
from covey.analysis.tables.result import Finding, ResultTable, table_of


@dataclass(frozen=True, eq=False)
class _Tally:
    """The numbers of cases that 0, 1, ..., all members are right about; each measure is that of the public name."""

    cases: NDArray[np.int64]

    @property
    def right(self) -> NDArray[np.int64]:
        return np.arange(len(self.cases))

    @property
    def n_members(self) -> int:
        return len(self.cases) - 1

    @property
    def n_cases(self) -> int:
        return int(self.cases.sum())

    @property
    def split_pairs(self) -> int:
        """How many pairs of members there are, over all cases, of which one is right and the other wrong."""
        return int(self.cases @ (self.right * (self.n_members - self.right)))

    @property
    def accuracy(self) -> float:
        return float(self.cases @ self.right) / (self.n_cases * self.n_members)

    def entropy_measure(self) -> float:
        fewer = np.minimum(self.right, self.n_members - self.right)
        return float(self.cases @ fewer) / (self.n_cases * (self.n_members // 2))

    def kohavi_wolpert_variance(self) -> float:
        return self.split_pairs / (self.n_cases * self.n_members**2)

    def interrater_kappa(self) -> float:
        hits = int(self.cases @ self.right)
        misses = self.n_cases * self.n_members - hits
        if hits == 0 or misses == 0:
            return 1.0
        by_chance = (self.n_members - 1) * hits * misses
        return 1 - self.split_pairs * self.n_cases * self.n_members / by_chance

    def difficulty(self) -> float:
        share = self.right / self.n_members
        return float(self.cases @ (share - self.accuracy) ** 2) / self.n_cases

    def generalized_diversity(self) -> float:
        wrong = self.n_members - self.right
        failures, pairs = int(self.cases @ wrong), int(self.cases @ (wrong * (wrong - 1)))
        return 1 - pairs / (failures * (self.n_members - 1)) if failures else 0.0

    def coincident_failure_diversity(self) -> float:
        failed = self.n_cases - int(self.cases[-1])
        others_right = int(self.cases[:-1] @ self.right[:-1])
        return others_right / (failed * (self.n_members - 1)) if failed else 0.0


def entropy_measure(predictions: Any, y: Any, *, classes: Any = None) -> float:
    r"""Return the entropy measure E.

    .. math:: E = \frac{1}{N} \sum_{j=1}^N \frac{\min(l_j, L - l_j)}{L - \lceil L/2 \rceil}

    where :math:`l_j` of the L members are right about case j. 0 if all are right or all are wrong about every case, 1
    if half of them, rounded up or down, are right about each. Kuncheva and Whitaker (2003).

    Parameters
    ----------
    predictions : array-like of shape (n_cases, n_members)
        What each member says of each case: labels, or codes if classes is given. Two members or more.
    y : array-like of shape (n_cases,)
        The true labels.
    classes : array-like of shape (n_classes,), optional
        An ensemble's ``classes_``, when predictions are codes: ``member_predictions(X, codes=True)``.
    """
    return _read_tally(predictions, y, classes, "entropy_measure").entropy_measure()


def kohavi_wolpert_variance(predictions: Any, y: Any, *, classes: Any = None) -> float:
    r"""Return the Kohavi-Wolpert variance of being right.

    .. math:: KW = \frac{1}{N L^2} \sum_{j=1}^N l_j (L - l_j)

    From 0 to 1/4, and (L - 1) / 2L times the mean disagreement of pairs. Kuncheva and Whitaker (2003), after Kohavi and
    Wolpert (1996). One member will do; it has no variance.

    Parameters
    ----------
    predictions, y, classes
        As for `entropy_measure`.
    """
    return _read_tally(predictions, y, classes).kohavi_wolpert_variance()


def interrater_kappa(predictions: Any, y: Any, *, classes: Any = None) -> float:
    r"""Return the kappa of all members at once, on whether they are right: Fleiss' kappa of right and wrong.

    .. math:: \kappa = 1 - \frac{\frac{1}{L} \sum_{j=1}^N l_j (L - l_j)}{N (L - 1) \bar p (1 - \bar p)}

    with the mean accuracy :math:`\bar p` of the members. From -1/(L - 1) to 1; 0 if members agree as by chance. If all
    members are right about all cases, or all wrong, which is 0/0, it is 1: they always agree. Kuncheva and Whitaker
    (2003), after Fleiss (1981).

    Parameters
    ----------
    predictions, y, classes
        As for `entropy_measure`.
    """
    return _read_tally(predictions, y, classes, "interrater_kappa").interrater_kappa()


def difficulty(predictions: Any, y: Any, *, classes: Any = None) -> float:
    r"""Return the measure of difficulty: the variance, over the cases, of the share of members that are right.

    .. math:: \theta = \frac{1}{N} \sum_{j=1}^N \Bigl(\frac{l_j}{L} - \bar p \Bigr)^2

    From 0, all cases are equally hard, to 1/4, half of them are easy for all and half hard for all. Smaller is more
    diverse. With the Kohavi-Wolpert variance it sums to :math:`\bar p (1 - \bar p)`. Kuncheva and Whitaker (2003),
    after Hansen and Salamon (1990). One member will do.

    Parameters
    ----------
    predictions, y, classes
        As for `entropy_measure`.
    """
    return _read_tally(predictions, y, classes).difficulty()


def generalized_diversity(predictions: Any, y: Any, *, classes: Any = None) -> float:
    r"""Return the generalized diversity: how rarely a second random member fails where a first one does.

    .. math:: GD = 1 - \frac{p(2)}{p(1)}, \quad p(1) = \sum_{i=1}^L \frac{i}{L} p_i, \quad
        p(2) = \sum_{i=1}^L \frac{i (i - 1)}{L (L - 1)} p_i

    where :math:`p_i` is the share of cases that i members are wrong about. 1 if no two members are wrong about the same
    case, 0 if members are wrong together. If nobody is ever wrong, which is 0/0, it is 0, as the coincident failure
    diversity is by its definition. Partridge and Krzanowski (1997).

    Parameters
    ----------
    predictions, y, classes
        As for `entropy_measure`.
    """
    return _read_tally(predictions, y, classes, "generalized_diversity").generalized_diversity()


def coincident_failure_diversity(predictions: Any, y: Any, *, classes: Any = None) -> float:
    r"""Return the coincident failure diversity: the share of the other members that is right where some are wrong.

    .. math:: CFD = \frac{1}{1 - p_0} \sum_{i=1}^L \frac{L - i}{L - 1} p_i, \quad CFD = 0 \text{ if } p_0 = 1

    where :math:`p_i` is the share of cases that i members are wrong about. 1 if every failure is that of one member
    alone, 0 if members are always wrong together or nobody is ever wrong. Partridge and Krzanowski (1997).

    Parameters
    ----------
    predictions, y, classes
        As for `entropy_measure`.
    """
    return _read_tally(predictions, y, classes, "coincident_failure_diversity").coincident_failure_diversity()


def tally_right(correct: NDArray[np.bool_]) -> _Tally:
    """Return the tally of who is right, of shape (n_members, n_cases)."""
    right = np.count_nonzero(correct, axis=0)
    return _Tally(np.bincount(right, minlength=len(correct) + 1))


def _read_tally(predictions: Any, y: Any, classes: Any, compares: str = "") -> _Tally:
    """Return the tally of predictions; a measure that compares members gives its name, and needs two."""
    labels, _ = read_judged(predictions, y, classes)
    if compares:
        check_two_members(labels, compares)
    return tally_right(labels.correct)


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
