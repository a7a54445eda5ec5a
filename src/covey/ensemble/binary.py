"""Problems with several classes as problems with two: one class against another, or against all others."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from covey.ensemble.fit import Cases
from covey.models.fields import Field, Whole


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two classes to be told apart.

    Parameters
    ----------
    negative, positive : int
        Their codes; ``negative`` is -1 for all classes but the positive one.
    """

    negative: int
    positive: int

    _state: ClassVar[dict[str, Field]] = {"negative": Whole(-1), "positive": Whole()}

    def cases(self, cases: Cases) -> Cases:
        """Return the cases of the two, with codes 0 and 1; those of other classes have no weight."""
        codes = (cases.y == self.positive).astype(np.intp)
        if self.negative < 0:
            return replace(cases, y=codes, n_classes=2)
        involved = (codes == 1) | (cases.y == self.negative)
        return replace(cases, y=codes, weight=np.where(involved, cases.weight, 0.0), n_classes=2)

    def name(self, codes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the codes of classes for those of the problem."""
        return np.asarray(np.array([self.negative, self.positive], dtype=np.intp)[codes])


def one_vs_one(n_classes: int) -> list[Pairing]:
    """Return every pair of classes; with one class alone, that class against itself."""
    if n_classes == 1:
        return [Pairing(0, 0)]
    return [Pairing(first, second) for first, second in combinations(range(n_classes), 2)]


def one_vs_rest(n_classes: int) -> list[Pairing]:
    """Return every class against all others."""
    return [Pairing(-1, code) for code in range(n_classes)]
