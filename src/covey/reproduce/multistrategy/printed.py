"""The paper's tables 1 to 5 as comparisons, and as records for a figure."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from covey.analysis.significance.records import Records, sign_test
from covey.reproduce.multistrategy.measures import MEASURES, Comparison
from covey.reproduce.published import published_table

N_DATASETS = 41
# All that is left of the mean values in figures 2 to 6: the text has them (MS-I07).
MEANS = {
    "diversity": {"boost": 0.340, "boost-small": 0.276},
    "individual error": {"boost": 0.291, "boost-small": 0.260},
}


@lru_cache(maxsize=len(MEASURES))
def printed_comparisons(measure: str) -> tuple[tuple[Comparison, str], ...]:
    """Return the cells of a measure's table with the p-values as printed, such as "<0.0001".

    The p-values of the comparisons themselves are worked out from the records.
    """
    table = published_table("multistrategy", MEASURES.index(measure) + 1)
    columns = (table[name].tolist() for name in ("col_method", "row_method", "ratio", "wins", "draws", "losses", "p"))
    return tuple(
        (Comparison(method, against, float(ratio), wins, draws, losses, sign_test(wins, losses)), str(p))
        for method, against, ratio, wins, draws, losses, p in zip(*columns, strict=True)
    )


def follows(found: Comparison, printed: str) -> bool:
    """Whether a printed p-value is that of the sign test of the printed record."""
    number = float(printed.lstrip("<>"))
    if printed.startswith("<"):
        return found.p_value < number
    return found.p_value > number if printed.startswith(">") else abs(found.p_value - number) <= 0.51e-4


def printed_records(measure: str, *, larger_is_better: bool = False) -> Records:
    """Return a measure's table as records."""
    cells = [found for found, _ in printed_comparisons(measure)]
    methods = tuple(dict.fromkeys([*(found.against for found in cells), *(found.method for found in cells)]))
    k = len(methods)
    wins, draws, p_values = np.zeros((k, k), dtype=np.int64), N_DATASETS * np.eye(k, dtype=np.int64), np.ones((k, k))
    ratios = np.ones((k, k))
    for found in cells:
        one, other = methods.index(found.method), methods.index(found.against)
        wins[one, other], wins[other, one] = found.wins, found.losses
        draws[one, other] = draws[other, one] = found.draws
        p_values[one, other] = p_values[other, one] = found.p_value
        ratios[one, other], ratios[other, one] = found.ratio, 1 / found.ratio
    return Records(
        methods=methods,
        n_datasets=N_DATASETS,
        larger_is_better=larger_is_better,
        tolerance=0.0,
        wins=wins.T if larger_is_better else wins,
        draws=draws,
        p_values=p_values,
        ratios=ratios,
    )
