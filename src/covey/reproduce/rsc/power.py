"""How often a run of a size shows a claim on accuracies that is true: chance hides much from a small one.

The verdict is by what was found, whichever it is. Beside it stands in how many runs of the same size, drawn from the
published means and standard deviations, the claim shows: a reader can tell what a verdict is worth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from covey._rounding import write_number
from covey._text import counted
from covey.reproduce.paper import Found, Verdict
from covey.reproduce.rsc.accuracy_views import TABLES
from covey.reproduce.rsc.judging import FEW_DATASETS
from covey.reproduce.rsc.reading import published_means
from covey.reproduce.verdicts import too_few

if TYPE_CHECKING:
    import pandas as pd

# Accuracies in per cent by the number of the table, each with a row for each dataset and a column for each method.
Scores = Mapping[int, "pd.DataFrame"]
ScoreJudge = Callable[[Scores], Verdict]

DRAWS = 200


def on_scores(judge: ScoreJudge, *numbers: int) -> Callable[[Found], Verdict]:
    """Return a judge of what was found from one of accuracies on the datasets that all methods of some tables have."""

    def judged(found: Found) -> Verdict:
        ours = {number: TABLES[number - 2].ours(found) for number in numbers}
        whole = {number: one.whole for number, one in ours.items()}
        shared = [name for name in whole[numbers[0]].index if all(name in one.index for one in whole.values())]
        if len(shared) < FEW_DATASETS:
            return too_few(len(shared))
        said = judge({number: one.loc[shared] for number, one in whole.items()})
        repeats = min(one.repeats for one in ours.values())
        power = power_of(judge, numbers, tuple(shared), repeats)
        often = (
            f"Of runs of {counted(repeats, 'split')} on these {len(shared)} datasets, drawn from the published means "
            f"and deviations, {write_number(power, '.0%')} show the claim."
        )
        return Verdict(said.status, f"{said.found} {often}")

    return judged


@lru_cache(maxsize=256)
def power_of(judge: ScoreJudge, numbers: Sequence[int], datasets: Sequence[str], repeats: int) -> float:
    """Return how often a claim shows in runs that are drawn from the published tables.

    Accuracies of methods are drawn independently of each other. In a run they share their splits and so differ by less:
    the share is rather too low; for a claim that methods do not differ (RSC-06) it may be too high.
    """
    rng = np.random.default_rng(0)
    means = {number: published_means(number).loc[list(datasets)] for number in numbers}
    errors = {number: published_means(number, spread=True).loc[list(datasets)] / np.sqrt(repeats) for number in numbers}
    held = 0
    for _ in range(DRAWS):
        drawn = {
            number: (mean + errors[number] * rng.standard_normal(mean.shape)).round(2) for number, mean in means.items()
        }
        held += judge(drawn).status == "held"
    return held / DRAWS
