"""Diversity of each two members: how often they agree, and how their errors go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._arguments import check_choice
from covey.analysis.labels import Labels, check_two_members, read_judged
from covey.analysis.numbers import Floats
from covey.analysis.tables.result import Finding, ResultTable, table_of

Counts = NDArray[np.int64]
Words = NDArray[np.uint64]

# A few bits per case and member are held at a time: 65,536 cases of 500 members take 4 MB for each bit of a code.
BLOCK = 65_536
# The matrices, and how they are written.
PAIR_MEASURES = {
    "agreement": "agreement",
    "kappa": "kappa",
    "q_statistic": "Q statistic",
    "correlation": "correlation",
    "disagreement": "disagreement",
    "double_fault": "double fault",
    "both_right": "both right",
    "mean_error": "mean error",
}


@dataclass(frozen=True, eq=False, repr=False)
class KappaError(Finding):
    """The points of a kappa-error diagram, one for each pair of members."""

    kappa: Floats  #: how much the members of each pair agree beyond chance
    error: Floats  #: the mean of their errors
    first: NDArray[np.intp]  #: the numbers of the members, from 0: the lower one, ...
    second: NDArray[np.intp]  #: ... and the higher one

    def __len__(self) -> int:
        return len(self.kappa)

    def table(self) -> ResultTable:
        """Return a row for each pair."""
        columns = {"first": self.first, "second": self.second, "kappa": self.kappa, "error": self.error}
        caption = f"Kappa and mean error of {len(self):,} pairs"
        return table_of(columns, range(1, len(self) + 1), "pair", caption=caption)

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw the kappa-error diagram, and return the axes; see `covey.plots.draw_kappa_error`."""
        from covey.plots import draw_kappa_error, kappa_error_diagram

        return draw_kappa_error(kappa_error_diagram(self), ax, title=title)

    def __str__(self) -> str:
        parts = (
            f"{name} {values.mean():z.3f} ({values.min():z.3f} to {values.max():z.3f})"
            for name, values in (("kappa", self.kappa), ("error", self.error))
        )
        return f"{len(self):,} pairs of members, means and ranges: {', '.join(parts)}"


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Finding):
    r"""Measures of each two members, as symmetric matrices of shape (n_members, n_members).

    For right and wrong, a is the share of cases that both members are right about, b and c those that only the first or
    only the second is right about, and d those that both are wrong about. Members count alike: vote weights play no
    part. A diagonal holds what the formula gives for a member and itself. All comes from four exact counts.
    """

    n_cases: int  #: how many cases there are
    same_cases: Counts  #: how many cases two members say the same of, of shape (n_members, n_members)
    #: pairs of cases of which the first member's label for the one is the second member's for the other: n_cases
    #: squared times the agreement expected by chance, of shape (n_members, n_members)
    chance_cases: Floats
    right_cases: Counts  #: how many cases a member is right about, of shape (n_members,)
    right_together: Counts  #: how many cases two members are both right about, of shape (n_members, n_members)

    @property
    def n_members(self) -> int:
        """How many members there are."""
        return len(self.right_cases)

    @property
    def agreement(self) -> Floats:
        """The share of cases that both members give the same label."""
        return self.same_cases / self.n_cases

    @property
    def kappa(self) -> Floats:
        r"""Cohen's kappa of the labels: :math:`(\Pi_o - \Pi_e) / (1 - \Pi_e)`.

        :math:`\Pi_o` is the agreement and :math:`\Pi_e = \sum_i \pi_{i+} \pi_{+i}` that expected of independent members
        that name each class as often. 1 if members always agree, 0 if they do as by chance. If both name one and the
        same class for every case, which is 0/0, it is 1: they always agree. Cohen (1960); the MFS paper, section 3,
        after Agresti (1990).
        """
        all_pairs = float(self.n_cases) ** 2
        beyond = self.n_cases * self.same_cases - self.chance_cases
        return _ratio(beyond, all_pairs - self.chance_cases, undefined=1.0)

    @property
    def q_statistic(self) -> Floats:
        """Yule's Q of right and wrong: (ad - bc) / (ad + bc).

        1 if two members are right about the same cases, -1 if they never are right or never are wrong together. 0/0 if
        one of them is right about all cases or wrong about all. Then it is 0: ad = bc, as for independent members. Yule
        (1900); Kuncheva and Whitaker (2003).
        """
        together, apart = self._products()
        return _ratio(together - apart, together + apart, undefined=0.0)

    @property
    def correlation(self) -> Floats:
        r"""The correlation of right and wrong: :math:`(ad - bc) / \sqrt{(a + b)(c + d)(a + c)(b + d)}`.

        0/0 if one of the members is right about all cases or wrong about all. Then it is 0, as for Q. Kuncheva and
        Whitaker (2003), after Sneath and Sokal (1973).
        """
        together, apart = self._products()
        spread = (self.right_cases * (self.n_cases - self.right_cases)).astype(np.float64)
        return _ratio(together - apart, np.sqrt(np.multiply.outer(spread, spread)), undefined=0.0)

    @property
    def disagreement(self) -> Floats:
        """The share of cases that one of the members is right about and the other wrong: b + c. Skalak (1996)."""
        return (np.add.outer(self.right_cases, self.right_cases) - 2 * self.right_together) / self.n_cases

    @property
    def double_fault(self) -> Floats:
        """The share of cases that both members are wrong about: d. Giacinto and Roli (2001)."""
        return self._wrong_together() / self.n_cases

    @property
    def both_right(self) -> Floats:
        """The share of cases that both members are right about: a."""
        return self.right_together / self.n_cases

    @property
    def errors(self) -> Floats:
        """The error of each member, of shape (n_members,)."""
        return (self.n_cases - self.right_cases) / self.n_cases

    @property
    def mean_error(self) -> Floats:
        """The mean of the errors of the two members."""
        return np.add.outer(self.errors, self.errors) / 2

    def mean(self, name: str) -> float:
        """Return the mean of a measure over the pairs of different members.

        Parameters
        ----------
        name : str
            One of the matrices, such as "kappa".
        """
        check_choice("name", name, tuple(PAIR_MEASURES))
        matrix: Floats = getattr(self, name)
        return float(matrix.sum() - matrix.trace()) / (self.n_members * (self.n_members - 1))

    def kappa_error(self) -> KappaError:
        """Return a point for each pair: its kappa and its mean error."""
        first, second = np.triu_indices(self.n_members, 1)
        return KappaError(self.kappa[first, second], self.mean_error[first, second], first, second)

    def table(self) -> ResultTable:
        """Return the mean, the least and the greatest value over the pairs, a row per measure."""
        others = ~np.eye(self.n_members, dtype=bool)
        rows = {}
        for name, shown in PAIR_MEASURES.items():
            values = getattr(self, name)[others]
            rows[shown] = {"mean": self.mean(name), "least": values.min(), "greatest": values.max()}
        caption = f"Pairs of {self.n_members:,} members on {self.n_cases:,} cases"
        return table_of(list(rows.values()), list(rows), "measure", caption=caption)

    def __str__(self) -> str:
        n_pairs = self.n_members * (self.n_members - 1) // 2
        means = ", ".join(f"{shown} {self.mean(name):z.3f}" for name, shown in PAIR_MEASURES.items())
        return f"{n_pairs:,} pairs of {self.n_members:,} members on {self.n_cases:,} cases; means: {means}"

    def _wrong_together(self) -> Counts:
        either = np.add.outer(self.right_cases, self.right_cases) - self.right_together
        return self.n_cases - either

    def _products(self) -> tuple[Floats, Floats]:
        """Return ad and bc, in cases."""
        only_first = self.right_cases[:, None] - self.right_together
        together, apart = self.right_together * self._wrong_together(), only_first * only_first.T
        return together.astype(np.float64), apart.astype(np.float64)


def pairwise(predictions: Any, y: Any, *, classes: Any = None) -> Pairs:
    """Return how each two members agree, and how their errors go together.

    Parameters
    ----------
    predictions, y, classes
        As for `entropy_measure`.

    Returns
    -------
    Pairs
        The kappa of the labels, and Yule's Q, correlation, disagreement and double fault of right and wrong, each as a
        matrix; the docstrings of `Pairs` give the formulas.

    Examples
    --------
    >>> pairs = pairwise([[1, 1, 0], [0, 1, 0], [1, 0, 1], [0, 0, 1]], [1, 0, 1, 1])
    >>> pairs.disagreement.tolist()
    [[0.0, 0.5, 0.5], [0.5, 0.0, 1.0], [0.5, 1.0, 0.0]]
    >>> pairs.kappa.tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, -1.0, 1.0]]
    """
    labels, _ = read_judged(predictions, y, classes)
    check_two_members(labels, "pairwise")
    return count_pairs(labels, labels.correct)


def kappa_error_points(predictions: Any, y: Any, *, classes: Any = None) -> KappaError:
    """Return the points of a kappa-error diagram: each pair's kappa, and the mean of its two errors.

    Margineantu and Dietterich (1997); the MFS paper, section 3 and figure 1. Kappa is that of `Pairs`.

    Parameters
    ----------
    predictions, y, classes
        As for `pairwise`.
    """
    labels, _ = read_judged(predictions, y, classes)
    check_two_members(labels, "kappa_error_points")
    return count_pairs(labels, labels.correct).kappa_error()


def count_pairs(labels: Labels, correct: NDArray[np.bool_]) -> Pairs:
    """Return the counts of all pairs; correct says who is right, of the shape of the codes."""
    n_cases = labels.codes.shape[1]
    named = np.array([np.bincount(row, minlength=len(labels.classes)) for row in labels.codes], dtype=np.float64)
    right = np.count_nonzero(correct, axis=1)
    together = (np.add.outer(right, right) - differing_cases(correct)) // 2
    return Pairs(n_cases, n_cases - differing_cases(labels.codes), named @ named.T, right, together)


def _ratio(above: Floats, below: Floats, undefined: float) -> Floats:
    """Return a quotient, and a value of choice for 0/0."""
    return np.divide(above, below, out=np.full_like(below, undefined), where=below != 0)


def differing_cases(codes: NDArray[Any]) -> Counts:
    """Return the number of cases that each two members say different things of, of shape (n_members, n_members).

    Codes are cut into bits, and 64 cases of one bit go into a word. Two members differ in a case if any bit of it does,
    so the bits that differ are or-ed and counted: log K steps for K classes, and exact whole numbers.
    """
    if codes.dtype == np.bool_:
        codes = codes.view(np.uint8)
    n_members, n_cases = codes.shape
    n_bits = max(int(codes.max()).bit_length(), 1)
    counts = np.zeros((n_members, n_members), dtype=np.int64)
    for start in range(0, n_cases, BLOCK):
        planes = _bit_planes(codes[:, start : start + BLOCK], n_bits)
        for member in range(n_members - 1):
            counts[member, member + 1 :] += _count_from(planes, member)
    return counts + counts.T


def _bit_planes(codes: NDArray[Any], n_bits: int) -> Words:
    """Return words of shape (n_bits, n_members, n_words); the last word is filled up with zeros."""
    n_members, n_cases = codes.shape
    planes = np.zeros((n_bits, n_members, -(-n_cases // 64)), dtype=np.uint64)
    octets = planes.view(np.uint8)
    for bit in range(n_bits):
        packed = np.packbits((codes >> bit) & 1, axis=1)
        octets[bit, :, : packed.shape[1]] = packed
    return planes


def _count_from(planes: Words, member: int) -> Counts:
    """Return how many cases a member and each later one differ in."""
    differ = planes[0, member + 1 :] ^ planes[0, member]
    for plane in planes[1:]:
        differ |= plane[member + 1 :] ^ plane[member]
    counts: Counts = np.bitwise_count(differ).sum(axis=1, dtype=np.int64)
    return counts
