"""What came of a comparison: its ranking, its report and the best model."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import quoted, spelt_out
from covey.analysis.ranking.overall import Overall
from covey.parallel import thread_pools
from covey.study import Results, Study
from covey.study.shortlist import NOT_INSTALLED, REFIT, combination_of, with_budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from covey.analysis.ranking.methods import Ranking
    from covey.analysis.tables import ResultTable

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
        """Return the methods on a dataset, best first, with confidence intervals and what is shown of each."""
        return self.results.ranking(dataset, metric)

    def overall(self, metric: str | None = None) -> Overall:
        """Return the methods over all datasets by their mean ranks."""
        return self.results.overall(metric)

    def _answer(self, metric: str | None = None) -> Ranking | Overall:
        return self.ranking(metric=metric) if len(self.study.datasets) == 1 else self.overall(metric)

    @property
    def best(self) -> str:
        """The method with the best mean score; over several datasets, the one with the best mean rank."""
        return self._answer().best

    @property
    def best_is_blind(self) -> bool:
        """Whether the best method is a baseline that looks at no column."""
        return self.best in self.results.baselines

    def table(self, metric: str | None = None) -> ResultTable:
        """Return the ranking as a table."""
        return self._answer(metric).table()

    def write_report(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Write the report, one HTML file, and return where it is; by default into the folder of results."""
        from covey.report import write_report

        return write_report(self.results, self.report if path is None else path)

    def refit_best(self) -> Any:
        """Train the best method on all rows, and return it; new rows may lack values though these lack none.

        Like the fits that were compared, it has one thread of linear algebra. The combination may take three times as
        long as each of those, so that it lacks no member for which they had the time.

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

        if len(self.study.datasets) > 1:
            names = quoted(data.name for data in self.study.datasets)
            raise ValueError(f"there are several datasets, {names}; compare on one to get a model for it.")
        ranking = self.ranking()
        if not ranking.rows:
            why = "; ".join(f"{name}: {reason}" for name, reason in ranking.failed.items())
            raise RuntimeError(f"there is no best model, for no method could be ranked. {why}.")
        X, y = self.study.datasets[0].load().to_xy()
        method = next(method for method in self.study.methods if method.name == ranking.best)
        if budget := (combination_of(method) or {}).get("budget"):
            method = with_budget(method, REFIT * budget)
        model = with_preprocessing(method.make(), X, missing=True)
        seed_model(model, np.random.default_rng(self.study.seed))
        with thread_pools().limit(limits=1):
            return model.fit(X, np.asarray(y))

    def save_best(self, path: str | os.PathLike[str]) -> Path:
        """Train the best method on all rows and write it to a file, without pickle, with what it was trained on.

        Returns
        -------
        Path
            The file, for `covey.load_model` and ``covey predict``.

        Warns
        -----
        UserWarning
            The best method looks at no column.
        """
        from covey.models import describe_training, save_model

        model, ranking = self.refit_best(), self.ranking()
        row = ranking.rows[0]
        if self.best_is_blind:
            what = "no other was ranked" if len(ranking.rows) == 1 else "no other had a better mean"
            warnings.warn(
                f"the model that is saved, {ranking.best!r}, looks at no column and says the same of every row; "
                f"{what}.",
                UserWarning,
                stacklevel=2,
            )
        estimate = {"mean": row.mean, "low": row.low, "high": row.high}
        # The estimate has its natural sign, and so has the metric's name.
        scores = {
            ranking.metric.removeprefix("neg_"): {name: value for name, value in estimate.items() if isfinite(value)}
        }
        errors = self._errors_of_best() if self.study.task == "regression" else None
        about = describe_training(self.study.datasets[0].load(), method=ranking.best, scores=scores, errors=errors)
        compared = self.results.record.datasets[0].n_rows
        if compared < about["rows"]:
            about["compared_rows"] = compared
        if isinstance(weights := getattr(model, "weights_", None), dict):  # of a combination
            about["members"] = weights
        return save_model(model, path, about)

    def _errors_of_best(self) -> NDArray[Any] | None:
        """What the best method said of each row when it was left out, less the truth, in the first repeat.

        None where there are no such errors: no repeat is whole, or some are not finite.
        """
        import numpy as np

        try:
            said, truth = self.results.predictions(self.study.datasets[0].name, self.best)
        except ValueError:
            return None
        errors = said[0].astype(np.float64) - truth
        return errors if np.isfinite(errors).all() else None

    @property
    def not_tried(self) -> tuple[str, ...]:
        """The methods of the shortlist that were not tried, in sentences; those that are not installed in one."""
        absent = [name for name, why in self.left_out.items() if why.endswith(NOT_INSTALLED)]
        others = (f"Not tried: {name}: {why}" for name, why in self.left_out.items() if name not in absent)
        return (*others, *([f"Not tried, because not installed: {', '.join(absent)}"] if absent else []))

    def _lines(self) -> list[str]:
        """Return what was noticed, and what was not tried."""
        lines = [f"note: {note}" for note in self.notes]
        return lines + [text[0].lower() + text[1:] for text in self.not_tried]

    def __str__(self) -> str:
        remarks = [f"warning: {remark}" for remark in self.results.record.remarks]
        return "\n".join([*map(spelt_out, remarks), str(self._answer()), *map(spelt_out, self._lines())])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        answer = self._answer()
        texts = [f"<p>{escape(spelt_out(text))}</p>" for text in (*self.results.record.remarks, *answer.summary())]
        ranked = answer.scores.size if isinstance(answer, Overall) else answer.rows
        lines = "".join(f"<li>{escape(spelt_out(line))}</li>" for line in self._lines())
        parts = [*texts, *([answer.table().to_html()] if ranked else []), *([f"<ul>{lines}</ul>"] if lines else [])]
        return f"<div>{''.join(parts)}</div>"
