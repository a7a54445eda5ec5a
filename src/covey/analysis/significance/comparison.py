"""Results of tests on mean ranks: Friedman's test of all methods at once, and comparisons of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._rounding import write_number
from covey._text import listed, p_text
from covey.analysis.numbers import Floats
from covey.analysis.scores import check_alpha
from covey.analysis.significance.normal_range import critical_difference, range_sf, rank_spread
from covey.analysis.tables.result import Finding, ResultTable, table_of

Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]
Positions = NDArray[np.intp]

# With fewer datasets the approximation by F, or by chi-squared, is poor.
FEW_DATASETS = 5
MOST_NAMES = 12
MOST_GROUPS = 8


@dataclass(frozen=True, eq=False, repr=False)
class Friedman(Finding):
    """Mean ranks of methods, and Friedman's test of whether they differ."""

    methods: tuple[str, ...]  #: in the order given
    mean_ranks: Floats  #: the mean of each method's ranks: 1 is best
    n_datasets: int  #: how many datasets there are
    larger_is_better: bool  #: whether the largest score got rank 1
    chi_squared: float  #: Friedman's statistic, corrected for ties
    chi_squared_p_value: float  #: its upper tail with k - 1 degrees of freedom
    f_statistic: float  #: Iman and Davenport's F of the chi-squared without the correction, as papers print it
    p_value: float  #: its upper tail with k - 1 and (k - 1)(n - 1) degrees of freedom
    f_statistic_corrected: float  #: F of the chi-squared with the correction; without ties it is `f_statistic`
    p_value_corrected: float  #: its upper tail
    ranks: Floats  #: of shape (n_datasets, n_methods); ties share the mean of their ranks

    @property
    def degrees_of_freedom(self) -> tuple[int, int]:
        """The degrees of freedom of F: k - 1 and (k - 1)(n - 1). Chi-squared has the first of them."""
        between = len(self.methods) - 1
        return between, between * (self.n_datasets - 1)

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the methods, best mean rank first, equal ones by their names."""
        return rank_order(self.methods, self.mean_ranks)

    @property
    def rank_gaps(self) -> Integers:
        """Twice the gap between the rank sums of each two methods: whole numbers, so that equal gaps are equal."""
        sums = doubled(self.ranks).sum(axis=0)
        return np.asarray(np.abs(sums[:, None] - sums))

    def nemenyi(self, alpha: float = 0.05) -> RankComparison:
        """Return Nemenyi's test of all pairs; see `covey.analysis.significance.nemenyi`."""
        level, k, n = check_alpha(alpha), len(self.methods), self.n_datasets
        gaps = self.rank_gaps
        distinct, place = np.unique(gaps, return_inverse=True)
        p_values = range_sf(distinct / (2.0 * n) * sqrt(2.0) / rank_spread(k, n), k)[place].reshape(gaps.shape)
        return compare_pairs(self, "Nemenyi", level, p_values, critical_difference(k, n, level))

    def bonferroni_dunn(self, control: str, alpha: float = 0.05) -> RankComparison:
        """Return the test of a control against the others; see `covey.analysis.significance.bonferroni_dunn`."""
        from scipy.special import ndtr, ndtri

        level, k, n = check_alpha(alpha), len(self.methods), self.n_datasets
        if str(control) not in self.methods:
            raise ValueError(f"control={control!r} is not among the methods: {', '.join(self.methods)}.")
        place = self.methods.index(str(control))
        z = self.rank_gaps[place] / (2.0 * n) / rank_spread(k, n)
        p_values = np.full((k, k), np.nan)
        p_values[place, :] = p_values[:, place] = np.minimum(1.0, (k - 1) * 2.0 * ndtr(-z))
        np.fill_diagonal(p_values, 1.0)
        least = -float(ndtri(level / (2 * (k - 1)))) * rank_spread(k, n)
        return compare_pairs(self, "Bonferroni-Dunn", level, p_values, least, str(control))

    def table(self) -> ResultTable:
        """Return the mean ranks, best first, and the test as a note."""
        return table_of(
            {"mean rank": self.mean_ranks[self.order]},
            [self.methods[position] for position in self.order],
            "method",
            caption=f"Mean ranks of {len(self.methods)} methods on {self.n_datasets} datasets",
            default_format=".2f",
            notes=(str(self),),
        )

    def __str__(self) -> str:
        subject = f"Friedman test of {len(self.methods)} methods on {self.n_datasets} datasets"
        between, within = self.degrees_of_freedom
        if not np.ptp(self.ranks, axis=1).any():
            return f"{subject}: all methods tie on every dataset, so nothing tells them apart (p = 1)."
        f_text, corrected = (write_number(value, ".2f") for value in (self.f_statistic, self.f_statistic_corrected))
        text = f"{subject}: F({between}, {within}) = {f_text}, {p_text(self.p_value)}"
        if self.f_statistic_corrected != self.f_statistic:
            text += f"; corrected for ties F = {corrected}, {p_text(self.p_value_corrected)}"
        if self.n_datasets < FEW_DATASETS:
            text += f"; with fewer than {FEW_DATASETS} datasets p-values are rough"
        best = self.mean_ranks.min()
        first = [self.methods[at] for at in np.flatnonzero(self.mean_ranks == best)]
        return f"{text}. Best mean rank: {write_number(best, '.2f')} ({listed(first, 3)})."


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison(Finding):
    """Methods by mean rank, and the pairs that differ significantly.

    Groups, text, table and figure all follow from `significant`.
    """

    test: str  #: "Nemenyi", "Bonferroni-Dunn" or "Wilcoxon-Holm"
    methods: tuple[str, ...]  #: in the order given
    mean_ranks: Floats  #: of each method; 1 is best
    n_datasets: int  #: how many datasets there are
    alpha: float  #: the significance level, for all pairs together
    #: of each two methods, adjusted for the number of comparisons: 1 on the diagonal, NaN for pairs not compared
    p_values: Floats
    significant: Flags  #: where the p-value is alpha or less
    #: how far apart the mean ranks of two methods that differ significantly are at least; None for Wilcoxon-Holm, which
    #: does not go by mean ranks
    critical_difference: float | None
    control: str | None  #: the method that the others are compared to; None if all pairs are compared
    friedman: Friedman  #: the test of all methods at once on the same scores

    @property
    def order(self) -> Positions:
        """Positions of the methods, best mean rank first, equal ones by their names."""
        return rank_order(self.methods, self.mean_ranks)

    @property
    def cliques(self) -> list[list[str]]:
        """Groups without a significant difference, best first.

        Each is a run of two or more methods that follow each other in rank order, no pair of which differs
        significantly, and is as long as it can be. Where methods are compared to a control, the one group is that of
        the control, for nothing is known of the others among themselves.
        """
        ranked, starts = self._names(self.order), self._starts()
        ends = np.append(starts[1:] > starts[:-1], True)
        runs = [(int(starts[end]), int(end)) for end in np.flatnonzero(ends & (starts < np.arange(len(starts))))]
        if self.control is not None:
            place = ranked.index(self.control)
            runs = [(start, end) for start, end in runs if start <= place <= end]
        return [ranked[start : end + 1] for start, end in runs]

    @property
    def skipping_pairs(self) -> list[tuple[str, str]]:
        """Pairs that share no group though they do not differ significantly, the better method first.

        Some methods from the one to the other in rank order do differ, so a bar over the pair would be wrong about
        them. It cannot happen where a critical difference decides.
        """
        order = self.order
        ranked = self._names(order)
        alike = (self._compared & ~self.significant)[np.ix_(order, order)]
        apart = np.arange(len(order))[:, None] < self._starts()
        return [(ranked[first], ranked[second]) for first, second in np.argwhere(alike & apart)]

    def table(self) -> ResultTable:
        """Return mean ranks, best first, and p-values against the control, or else against the best method.

        Methods that share a group share a letter.
        """
        order = self.order
        reference = self.methods[order[0]] if self.control is None else self.control
        p_column = f"p against {reference}"
        columns = {
            "mean rank": self.mean_ranks[order],
            p_column: self.p_values[order, self.methods.index(reference)],
            "groups": self._letters(),
        }
        return table_of(
            columns,
            self._names(order),
            "method",
            caption=f"{self._subject}, mean ranks",
            formats={"mean rank": ".2f", p_column: "p"},
            notes=(str(self),),
        )

    def p_table(self) -> ResultTable:
        """Return the adjusted p-value of each two methods, best first; those of pairs that differ are bold."""
        import pandas as pd

        names, both = self._names(self.order), np.ix_(self.order, self.order)
        frame = pd.DataFrame(self.p_values[both], index=pd.Index(names, name="method"), columns=names)
        bold = pd.DataFrame(self.significant[both], index=frame.index, columns=names)
        caption = f"{self._subject}, adjusted p-values"
        return ResultTable(frame, caption=caption, formats=dict.fromkeys(names, "p"), bold=bold)

    def plot(self, ax: Any = None, *, title: str | None = None) -> Any:
        """Draw the critical-difference diagram, and return the axes; see `covey.plots.draw_critical_difference`."""
        from covey.plots import critical_difference_diagram, draw_critical_difference

        return draw_critical_difference(critical_difference_diagram(self), ax, title=title)

    def __str__(self) -> str:
        sentences = [self._headline(), *(self._all_pairs() if self.control is None else self._to_control())]
        if self.friedman.p_value_corrected > self.alpha:
            so = ", so by the usual protocol no pair counts as different" if self.significant.any() else ""
            p_value = p_text(self.friedman.p_value_corrected)
            sentences.append(f"The Friedman test finds no difference among the methods at this alpha ({p_value}){so}.")
        return " ".join(sentences)

    @property
    def _subject(self) -> str:
        against = f" against {self.control}" if self.control is not None else ""
        return (
            f"{self.test} test of {len(self.methods)} methods{against} on {self.n_datasets} datasets "
            f"at alpha = {self.alpha:g}"
        )

    @property
    def _compared(self) -> Flags:
        return ~np.isnan(self.p_values)

    def _headline(self) -> str:
        if self.critical_difference is None:
            different, pairs = (int(np.triu(flags, 1).sum()) for flags in (self.significant, self._compared))
            some = f"{pairs} pairs differ" if pairs > 1 else "1 pair differs"
            return f"{self._subject}: {different} of {some} significantly."
        least = f"{self.critical_difference:.4g}"
        if self.control is None:
            return f"{self._subject}: mean ranks that differ by {least} or more differ significantly."
        return f"{self._subject}: mean ranks that are {least} or more from that of {self.control} differ significantly."

    def _all_pairs(self) -> list[str]:
        if not self.significant.any():
            return ["No two methods differ significantly."]
        if self.significant.sum() == len(self.methods) * (len(self.methods) - 1):
            return ["Every method differs significantly from every other."]
        cliques, skipping = self.cliques, self.skipping_pairs
        sentences = ["Each method differs significantly from the next in rank."]
        if cliques:
            groups = _some([_group(clique) for clique in cliques])
            sentences = [f"Groups without a significant difference: {groups}."]
        alone = self._names(at for at in self.order if self.significant[at].sum() == len(self.methods) - 1)
        if alone:
            sentences.append(f"Different from every other method: {listed(alone, MOST_NAMES)}.")
        if skipping:
            pairs = _some([f"{first} and {second}" for first, second in skipping])
            sentences.append(
                "Pairs that do not differ significantly though some methods from the one to the other in rank do, "
                f"so that no bar can show them: {pairs}."
            )
        return sentences

    def _to_control(self) -> list[str]:
        assert self.control is not None
        control = self.methods.index(self.control)
        differs = [at for at in self.order if self.significant[control, at]]
        better = self._names(at for at in differs if self.mean_ranks[at] < self.mean_ranks[control])
        worse = self._names(at for at in differs if self.mean_ranks[at] > self.mean_ranks[control])
        alike = self._names(at for at in self.order if at != control and not self.significant[control, at])
        parts = (("Significantly better", better), ("Significantly worse", worse), ("No significant difference", alike))
        return [f"{what}: {listed(names, MOST_NAMES)}." for what, names in parts if names]

    def _names(self, positions: Iterable[Any]) -> list[str]:
        return [self.methods[position] for position in positions]

    def _starts(self) -> Positions:
        """Return for each place in rank order the first place from which a run up to it holds no significant pair."""
        order = self.order
        places = np.arange(len(order))
        before = self.significant[np.ix_(order, order)] & (places[:, None] < places)
        last = np.where(before.any(axis=0), len(order) - 1 - np.argmax(before[::-1], axis=0), -1)
        return np.asarray(np.maximum.accumulate(last) + 1)

    def _letters(self) -> list[str]:
        """Return the groups of each method, best method first: letters, or numbers if there are many."""
        cliques = self.cliques
        few = len(cliques) <= 26
        signs = [chr(ord("a") + number) if few else str(number + 1) for number in range(len(cliques))]
        groups: dict[str, list[str]] = {name: [] for name in self._names(self.order)}
        for sign, clique in zip(signs, cliques, strict=True):
            for name in clique:
                groups[name].append(sign)
        return [("" if few else " ").join(signs) for signs in groups.values()]


def compare_pairs(
    ranked: Friedman, test: str, alpha: float, p_values: Floats, least: float | None = None, control: str | None = None
) -> RankComparison:
    """Return the comparison of pairs that p-values make; `least` is the critical difference, if there is one."""
    return RankComparison(
        test=test,
        methods=ranked.methods,
        mean_ranks=ranked.mean_ranks,
        n_datasets=ranked.n_datasets,
        alpha=alpha,
        p_values=p_values,
        significant=p_values <= alpha,
        critical_difference=least,
        control=control,
        friedman=ranked,
    )


def _group(names: list[str]) -> str:
    """Return a run of methods, or only its ends if it is long."""
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{names[0]} to {names[-1]} ({len(names)} methods)"


def _some(groups: list[str]) -> str:
    """Return groups after each other, or the first of them and how many more there are."""
    more = f"; and {len(groups) - MOST_GROUPS} more" if len(groups) > MOST_GROUPS else ""
    return "; ".join(groups[:MOST_GROUPS]) + more


def rank_order(methods: Sequence[str], mean_ranks: Floats) -> NDArray[np.intp]:
    """Return positions of methods, best mean rank first, equal ones by their names: the order given plays no part."""
    return np.lexsort((np.array(methods), mean_ranks))


def doubled(ranks: Floats) -> Integers:
    """Return twice the ranks, which are whole numbers even where methods tie."""
    return np.rint(2.0 * ranks).astype(np.int64)
