"""Which methods differ from which: what every test of pairs on mean ranks returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import p_text
from covey.analysis.finding import Finding
from covey.analysis.significance.ranks import Friedman, rank_order
from covey.analysis.tables.result import ResultTable

if TYPE_CHECKING:
    from collections.abc import Iterable


Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Positions = NDArray[np.intp]

MOST_NAMES = 12
MOST_GROUPS = 8


@dataclass(frozen=True, eq=False, repr=False)
class RankComparison(Finding):
    """Methods by mean rank, and the pairs that differ significantly.

    Groups, text, table and figure all follow from `significant`.

    Parameters
    ----------
    test : str
        "Nemenyi", "Bonferroni-Dunn" or "Wilcoxon-Holm".
    methods : tuple of str
        The methods, in the order given.
    mean_ranks : ndarray of float64 of shape (n_methods,)
        1 is best.
    n_datasets : int
        How many datasets there are.
    alpha : float
        The significance level, for all pairs together.
    p_values : ndarray of float64 of shape (n_methods, n_methods)
        Adjusted for the number of comparisons. 1 on the diagonal; NaN for pairs that the test does not compare.
    significant : ndarray of bool of shape (n_methods, n_methods)
        Where the p-value is alpha or less.
    critical_difference : float or None
        The mean ranks of two methods that differ significantly are at least this far apart. None for Wilcoxon-Holm,
        which does not go by mean ranks.
    control : str or None
        The method that the others are compared to; None if all pairs are compared.
    friedman : Friedman
        The test of all methods at once on the same scores.
    """

    test: str
    methods: tuple[str, ...]
    mean_ranks: Floats
    n_datasets: int
    alpha: float
    p_values: Floats
    significant: Flags
    critical_difference: float | None
    control: str | None
    friedman: Friedman

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
            own = ranked.index(self.control)
            runs = [(start, end) for start, end in runs if start <= own <= end]
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
        import pandas as pd

        order = self.order
        reference = self.methods[order[0]] if self.control is None else self.control
        p_column = f"p against {reference}"
        columns = {
            "mean rank": self.mean_ranks[order],
            p_column: self.p_values[order, self.methods.index(reference)],
            "groups": self._letters(),
        }
        return ResultTable(
            pd.DataFrame(columns, index=pd.Index(self._names(order), name="method")),
            caption=f"{self._subject}, mean ranks",
            formats={"mean rank": ".2f", p_column: "p"},
            notes=(str(self),),
        )

    def p_table(self) -> ResultTable:
        """Return the adjusted p-value of each two methods, best first; those of pairs that differ are bold."""
        import pandas as pd

        names = self._names(self.order)
        both = np.ix_(self.order, self.order)
        frame = pd.DataFrame(self.p_values[both], index=pd.Index(names, name="method"), columns=names)
        bold = pd.DataFrame(self.significant[both], index=frame.index, columns=names)
        return ResultTable(
            frame, caption=f"{self._subject}, adjusted p-values", formats=dict.fromkeys(names, "p"), bold=bold
        )

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
        least = self._printed_difference()
        if self.control is None:
            return f"{self._subject}: mean ranks that differ by {least} or more differ significantly."
        return f"{self._subject}: mean ranks that are {least} or more from that of {self.control} differ significantly."

    def _printed_difference(self) -> str:
        """Return the critical difference with four digits, or as many as tell the same of every pair."""
        assert self.critical_difference is not None
        gaps = self.friedman.rank_gaps[self._compared] / (2.0 * self.n_datasets)
        differs = self.significant[self._compared]
        texts = (f"{self.critical_difference:.{digits}g}" for digits in range(4, 17))
        return next(
            (text for text in texts if np.array_equal(gaps >= float(text), differs)), str(self.critical_difference)
        )

    def _all_pairs(self) -> list[str]:
        if not self.significant.any():
            return ["No two methods differ significantly."]
        if self.significant.sum() == len(self.methods) * (len(self.methods) - 1):
            return ["Every method differs significantly from every other."]
        cliques, skipping = self.cliques, self.skipping_pairs
        sentences = ["Each method differs significantly from the next in rank."]
        if cliques:
            groups = _some([_group(clique) for clique in cliques], "; ", MOST_GROUPS)
            sentences = [f"Groups without a significant difference: {groups}."]
        alone = self._names(at for at in self.order if self.significant[at].sum() == len(self.methods) - 1)
        if alone:
            sentences.append(f"Different from every other method: {_some(alone)}.")
        if skipping:
            pairs = _some([f"{first} and {second}" for first, second in skipping], "; ", MOST_GROUPS)
            sentences.append(
                "Pairs that do not differ significantly though some methods from the one to the other in rank do, "
                f"so that no bar can show them: {pairs}."
            )
        return sentences

    def _to_control(self) -> list[str]:
        assert self.control is not None
        own = self.methods.index(self.control)
        differs = [at for at in self.order if self.significant[own, at]]
        better = self._names(at for at in differs if self.mean_ranks[at] < self.mean_ranks[own])
        worse = self._names(at for at in differs if self.mean_ranks[at] > self.mean_ranks[own])
        alike = self._names(at for at in self.order if at != own and not self.significant[own, at])
        found = ((better, "significantly better"), (worse, "significantly worse"), (alike, "no significant difference"))
        return [f"{what[0].upper()}{what[1:]}: {_some(names)}." for names, what in found if names]

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
        return [("" if few else " ").join(own) for own in groups.values()]


def _group(names: list[str]) -> str:
    """Return a run of methods, or only its ends if it is long."""
    return ", ".join(names) if len(names) <= MOST_NAMES else f"{names[0]} to {names[-1]} ({len(names)} methods)"


def _some(texts: list[str], separator: str = ", ", most: int = MOST_NAMES) -> str:
    """Return texts after each other, or the first of them and how many more there are."""
    more = f"{separator}and {len(texts) - most} more" if len(texts) > most else ""
    return separator.join(texts[:most]) + more
