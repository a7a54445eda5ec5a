"""A study with everything that its page shows, each number found once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from covey.report.leaders import MOST_LEADERS, Leaders, measure_leaders
from covey.report.overall import Overall, overall_of
from covey.report.ranked import Ranking
from covey.report.ranking import dummies_of, rank_cells

if TYPE_CHECKING:
    import pandas as pd

    from covey.study.record import DataRecord, StudyRecord
    from covey.study.results import Results


@dataclass(frozen=True, eq=False)
class StudyView:
    """What a page shows of a study.

    Parameters
    ----------
    results : Results
        Where votes and predictions of the leaders are read from, when they are asked for.
    frame : DataFrame
        The cells of the study, from ``results.frame()``.
    overall : Overall
        The ranking over all datasets by the first metric, with those on each dataset.
    alpha : float
        The significance level of all tests and intervals.
    """

    results: Results
    frame: pd.DataFrame
    overall: Overall
    alpha: float

    @classmethod
    def of(cls, results: Results, *, alpha: float = 0.05) -> StudyView:
        """Read the results of a study."""
        frame = results.frame()
        record = results.record
        return cls(results, frame, overall_of(frame, record, record.metrics[0], alpha=alpha), alpha)

    @property
    def record(self) -> StudyRecord:
        """What the study was."""
        return self.results.record

    @property
    def counts(self) -> Mapping[str, int]:
        """How many fits are done, failed and missing."""
        return Counter(self.frame["status"].tolist())

    @property
    def dummies(self) -> tuple[str, ...]:
        """The methods that learn nothing."""
        return dummies_of(self.record)

    def data(self, dataset: str) -> DataRecord:
        """Return the facts of a dataset."""
        return next(one for one in self.record.datasets if one.name == dataset)

    def ranking(self, dataset: str, metric: str | None = None) -> Ranking:
        """Return the ranking on a dataset by a metric, by default the first."""
        if metric is None or metric == self.overall.metric:
            return self.overall.rankings[dataset]
        return rank_cells(self.frame, self.record, dataset, metric, alpha=self.alpha)

    def leaders(self, dataset: str) -> Leaders:
        """Return bias, variance and diversity of the best methods on a dataset."""
        learners = [row.method for row in self.overall.rankings[dataset].rows if row.method not in self.dummies]
        return measure_leaders(self.results, dataset, learners[:MOST_LEADERS])

    def failures(self, dataset: str | None = None) -> pd.DataFrame:
        """Return a row for each method and message of fits that failed: dataset, method, fits, message."""
        failed = self.frame[self.frame["status"] == "failed"]
        if dataset is not None:
            failed = failed[failed["dataset"] == dataset]
        if not len(failed):
            return failed.reindex(columns=["dataset", "method", "fits", "message"])
        groups = failed.groupby(["dataset", "method", "failure"], sort=False).size()
        return groups.rename("fits").reset_index().rename(columns={"failure": "message"})
