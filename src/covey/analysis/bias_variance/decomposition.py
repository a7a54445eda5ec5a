"""What decompositions of an error have in common: named terms that add up, a table and a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from covey._text import counted
from covey.analysis.finding import Finding

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Finding):
    """An error and the terms that it is made of.

    Parameters
    ----------
    n_repeats, n_cases : int
        How many models predicted how many cases.
    cases : mapping of str to ndarray of float64 of shape (n_cases,)
        The error and its terms for each case; their means are the values below.
    error : float
        The mean error of the models.
    """

    # The terms in the order of reading, and the sign with which each is part of the error; 0: it is not.
    terms: ClassVar[Mapping[str, int]] = {}
    # Terms that are 0 where no more than labels is known, and are not mentioned then.
    optional: ClassVar[frozenset[str]] = frozenset({"noise", "net_noise", "cross"})
    name: ClassVar[str] = ""
    written: ClassVar[str] = ".4f"

    n_repeats: int
    n_cases: int
    cases: Mapping[str, Floats]
    error: float

    def __post_init__(self) -> None:
        parts = [sign * self.cases[term] for term, sign in self.terms.items() if sign]
        largest = max(np.abs(part).max() for part in parts)
        assert np.abs(sum(parts) - self.cases["error"]).max() <= 1e-9 * largest
        for values in self.cases.values():
            values.setflags(write=False)
        object.__setattr__(self, "cases", MappingProxyType(dict(self.cases)))
        super().__post_init__()

    def values(self) -> dict[str, float]:
        """Return the error and its terms by name."""
        return {"error": self.error, **{term: self._of(term) for term in self.terms}}

    def _of(self, term: str) -> float:
        return float(getattr(self, term))

    def table(self) -> ResultTable:
        """Return the error and its terms, and the sign with which each term is part of the error."""
        import pandas as pd

        from covey.analysis.tables import ResultTable

        values = self.values()
        part = {1: "+", -1: "-", 0: ""}
        rows = {"value": list(values.values()), "part": ["=", *(part[sign] for sign in self.terms.values())]}
        index = pd.Index([_words(term) for term in values], name="term")
        return ResultTable(pd.DataFrame(rows, index=index), caption=self._caption(), default_format=self.written)

    def _caption(self) -> str:
        return f"{self.name} decomposition of {self.n_repeats} repeats on {counted(self.n_cases, 'case')}"

    def __str__(self) -> str:
        told = [term for term, sign in self.terms.items() if sign and (term not in self.optional or self._of(term))]
        signs = {term: "-" if self.terms[term] < 0 else "+" for term in told}
        sums = "".join(f" {sign} {_words(term)} {self._of(term):{self.written}}" for term, sign in signs.items())
        return f"{self._caption()}: error {self.error:{self.written}} = {sums.removeprefix(' + ')}"


def means(cases: Mapping[str, Floats]) -> dict[str, float]:
    """Return the mean of each term over the cases."""
    return {term: float(values.mean()) for term, values in cases.items()}


def _words(term: str) -> str:
    return term.replace("_", " ")
