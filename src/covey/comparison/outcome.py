"""What a comparison found."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import spelt_out

if TYPE_CHECKING:
    from covey.analysis.tables import ResultTable
    from covey.report.overall import Overall
    from covey.report.ranked import Ranking
    from covey.study import Results, Study


REPORT = "report.html"


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Methods compared on one's own data.

    Parameters
    ----------
    study : Study
        What was carried out.
    results : Results
        What came of it: scores, times, predictions and votes of every fit.
    out : Path
        The folder that holds the results, and the report once it is written.
    left_out : mapping of str to str
        Methods of the shortlist that were not tried, and why.
    notes : tuple of str
        What was noticed about the data.
    """

    study: Study
    results: Results
    out: Path
    left_out: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @property
    def report(self) -> Path:
        """Where the report is, or will be."""
        return self.out / REPORT

    def ranking(self, dataset: str | None = None, metric: str | None = None) -> Ranking:
        """Return the methods on a dataset, best first, with confidence intervals and corrected tests."""
        from covey.report.ranking import rank_methods

        return rank_methods(self.results, dataset, metric)

    def overall(self, metric: str | None = None) -> Overall:
        """Return the methods over all datasets by their mean ranks."""
        from covey.report.overall import rank_overall

        return rank_overall(self.results, metric)

    @property
    def best(self) -> str:
        """The method with the best mean score; over several datasets, the one with the best mean rank."""
        return self.ranking().best if len(self.study.datasets) == 1 else self.overall().best

    @property
    def best_is_blind(self) -> bool:
        """Whether the best method is a baseline that looks at no attribute."""
        from covey.report.ranking import dummies_of

        return self.best in dummies_of(self.results.record)

    def table(self, metric: str | None = None) -> ResultTable:
        """Return the ranking as a table."""
        if len(self.study.datasets) == 1:
            return self.ranking(metric=metric).table()
        return self.overall(metric).table()

    def write_report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the report, one HTML file, and return where it is; by default into the folder of results."""
        from covey.report import write_report

        return write_report(self.results, self.report if path is None else path)

    def refit_best(self) -> Any:
        """Train the best method on all rows, and return it; new rows may have gaps though these have none.

        Raises
        ------
        ValueError
            There are several datasets, and no model for all of them.
        RuntimeError
            No method finished.
        """
        import numpy as np

        from covey.seeds import seed_model
        from covey.study.fits import with_preprocessing

        data = self.study.datasets[0]
        if len(self.study.datasets) > 1:
            names = ", ".join(repr(one.name) for one in self.study.datasets)
            raise ValueError(f"there are several datasets, {names}; compare on one to get a model for it.")
        loaded = data.load()
        X, y = loaded.to_xy()
        target = np.asarray(y)
        ranking = self.ranking()
        if not ranking.rows:
            why = "; ".join(f"{name}: {reason}" for name, reason in ranking.failed.items())
            raise RuntimeError(f"there is no best model, for no method could be ranked. {why}.")
        best = ranking.best
        method = next(one for one in self.study.methods if one.name == best)
        model = with_preprocessing(method.make(), X, missing=True)
        seed_model(model, np.random.default_rng(self.study.seed))
        return model.fit(X, target)

    def save_best(self, path: str | os.PathLike[str]) -> Path:
        """Train the best method on all rows and write it to a file, without pickle, with what it was trained on.

        Returns
        -------
        Path
            The file, for `covey.load_model` and ``covey predict``.

        Warns
        -----
        UserWarning
            The best method looks at no attribute.
        """
        from covey.models import describe_training, save_model

        model, ranking = self.refit_best(), self.ranking()
        row = ranking.row(ranking.best)
        estimate = {"mean": row.mean, "low": row.low, "high": row.high}
        known = {name: value for name, value in estimate.items() if isfinite(value)}
        if self.best_is_blind:
            what = "no other was ranked" if len(ranking.rows) == 1 else "no other had a better mean"
            warnings.warn(
                f"the model that is saved, {ranking.best!r}, looks at no attribute and says the same of every row; "
                f"{what}.",
                UserWarning,
                stacklevel=2,
            )
        about = describe_training(self.study.datasets[0].load(), method=ranking.best, scores={ranking.metric: known})
        return save_model(model, path, about)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = [str(self.ranking() if len(self.study.datasets) == 1 else self.overall())]
        lines += [spelt_out(f"note: {note}") for note in self.notes]
        lines += [spelt_out(f"not tried: {name}: {why}") for name, why in self.left_out.items()]
        return "\n".join(lines)
