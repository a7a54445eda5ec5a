"""The error of a vote as members join it, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted
from covey.analysis.diversity.votes import member_errors
from covey.analysis.labels import read_judged, relative_weights
from covey.analysis.numbers import TIE, Floats
from covey.analysis.tables.result import Finding, ResultTable, table_of

# How many counts of votes, cases times classes, are held at a time.
MOST_COUNTS = 2**18


@dataclass(frozen=True, eq=False, repr=False)
class StagedErrors(Finding):
    """The error of an ensemble at each size."""

    errors: Floats  #: the error of the vote of the first 1, 2, ... members
    member_errors: Floats  #: the error of each member alone
    n_cases: int  #: how many cases they voted on
    n_classes: int  #: how many classes there are

    @property
    def n_members(self) -> int:
        """How many members there are."""
        return len(self.errors)

    @property
    def final(self) -> float:
        """The error of the vote of all members."""
        return float(self.errors[-1])

    @property
    def mean_member_error(self) -> float:
        """The mean of the members' own errors, each counted alike."""
        return float(self.member_errors.mean())

    @property
    def best_size(self) -> int:
        """The smallest number of members whose vote has the least error."""
        return int(np.argmax(self.errors <= self.errors.min() + TIE)) + 1

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw the error against the number of members, and return the axes; see `covey.plots.draw_staged_error`."""
        from covey.plots import draw_staged_error, staged_error

        return draw_staged_error(staged_error(self), ax, title=title)

    def __str__(self) -> str:
        best, least = self.best_size, float(self.errors.min())
        early = "" if self.final <= least + TIE else f"; least {least:.4f} with the first {best}"
        return (
            f"Error {self.final:.4f} by the vote of {counted(self.n_members, 'member')} on "
            f"{counted(self.n_cases, 'case')}{early}; mean error of a member {self.mean_member_error:.4f}"
        )

    def table(self) -> ResultTable:
        """Return the error of the vote at each size, and of the member that joined last."""
        columns = {"error of the vote": self.errors, "error of the member": self.member_errors}
        sizes = range(1, self.n_members + 1)
        return table_of(columns, sizes, "members", caption="Error by ensemble size", default_format=".4f")


def staged_errors(predictions: Any, y: Any, weights: Any = None, *, classes: Any = None) -> StagedErrors:
    r"""Return the error of the vote of the first 1, 2, ... members.

    With :math:`v_{tc}(x) = \sum_{s \le t} w_s [h_s(x) = c]` the votes of the first t members for class c, and
    :math:`W_t(x)` the classes with the most of them, the error at size t is the mean over cases of
    :math:`1 - [y \in W_t(x)] / |W_t(x)|`: a tie counts as the expected error of a fair draw among the classes that
    are tied. So the order of classes makes no difference. As long as no member with a positive weight has
    voted, all classes are tied.

    Parameters
    ----------
    predictions, y, weights, classes
        As for `individual_error`, the members in the order in which they join.
    """
    labels, truth = read_judged(predictions, y, classes)
    n_members, n_cases = labels.codes.shape
    weight, n_classes = relative_weights(weights, n_members), len(labels.classes)
    wrong = np.zeros(n_members)
    step = max(1, MOST_COUNTS // n_classes)
    for first in range(0, n_cases, step):
        some = slice(first, first + step)
        wrong += _expected_errors(labels.codes[:, some], truth[some], weight, n_classes)
    return StagedErrors(wrong / n_cases, member_errors(labels), n_cases, n_classes)


def _expected_errors(codes: NDArray[Any], truth: NDArray[np.intp], weight: Floats, n_classes: int) -> Floats:
    """Return how many cases the vote of the first 1, 2, ... members is expected to get wrong."""
    cases, wrong = np.arange(len(truth)), np.empty(len(codes))
    votes = np.zeros((n_classes, len(truth)))
    totals = np.cumsum(weight)
    for member, (labels, total) in enumerate(zip(codes, totals, strict=True)):
        votes[labels, cases] += weight[member]
        tied = votes >= votes.max(axis=0) - TIE * total
        chance = tied[truth, cases] / np.count_nonzero(tied, axis=0)
        wrong[member] = len(truth) - chance.sum()
    return wrong
