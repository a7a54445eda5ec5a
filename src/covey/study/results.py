"""What a study found, read from its store: tidy tables, scores for the analysis, and predictions."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._words import counted
from covey.study.scoring import score_predictions
from covey.study.store import Store

if TYPE_CHECKING:
    import pandas as pd

    from covey.study.spec import Study


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """The results of a study.

    Parameters
    ----------
    study : Study
    store : path
        Where they are kept.
    keys : mapping of str to mapping
        The labels of each cell, by its key.
    """

    study: Study
    store: str | os.PathLike[str]
    keys: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, study: Study, store: str | os.PathLike[str]) -> Results:
        """Return the results of a study, finished or not, from a store."""
        from covey.study.cell import cells_of

        return cls(study, store, {cell.key: cell.labels for cell in cells_of(study)})

    def frame(self) -> pd.DataFrame:
        """Return a row for each cell: labels, status, a column per metric, seconds, and why it failed if it did.

        A score of a metric that was not asked for when a cell ran is found from the predictions that were kept.
        """
        import pandas as pd

        rows = []
        with Store.open(self.store, write=False) as kept:
            found = {outcome.key: outcome for outcome in kept.read(self.keys)}
            for key, labels in self.keys.items():
                outcome = found.get(key)
                row: dict[str, Any] = {**labels, "status": "missing" if outcome is None else outcome.status}
                if outcome is not None:
                    scores = dict(outcome.scores)
                    lacking = [metric for metric in self.study.metrics if metric not in scores]
                    if outcome.status == "done" and lacking:
                        scores |= score_predictions(lacking, kept.arrays(key))[0]
                    row |= {metric: scores.get(metric, np.nan) for metric in self.study.metrics}
                    row |= {f"{what} seconds": seconds for what, seconds in outcome.seconds.items()}
                    row |= {"warnings": len(outcome.warnings), "failure": outcome.error}
                rows.append(row)
        return pd.DataFrame(rows)

    def scores(self, metric: str | None = None) -> pd.DataFrame:
        """Return the mean score of each method on each dataset, as `covey.analysis.friedman` takes them.

        A dataset on which a cell of some method failed, or is missing, has NaN for that method: what remains would be
        a mean over other splits.
        """
        chosen = self.study.metrics[0] if metric is None else metric
        if chosen not in self.study.metrics:
            raise ValueError(f"metric={metric!r} is none of the study's, which are {', '.join(self.study.metrics)}.")
        groups = self.frame().groupby(["dataset", "method"], sort=False)[chosen]
        means = groups.agg(lambda scores: scores.mean(skipna=False)).unstack("method")
        datasets, methods = ([one.name for one in some] for some in (self.study.datasets, self.study.methods))
        return means.reindex(index=datasets, columns=methods)

    def __repr__(self) -> str:
        return f"<Results of {self.study.name!r}: {counted(len(self.keys), 'cell')} in {os.fspath(self.store)}>"

    def arrays(self, dataset: str, method: str, fit: int) -> dict[str, NDArray[Any]]:
        """Return what was kept of a cell: y, predictions, probabilities, votes and weights, and more."""
        for key, labels in self.keys.items():
            if (labels["dataset"], labels["method"], labels["fit"]) == (dataset, method, fit):
                with Store.open(self.store, write=False) as kept:
                    return kept.arrays(key)
        raise KeyError(f"the study has no fit {fit} of method {method!r} on dataset {dataset!r}.")
