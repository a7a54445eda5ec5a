"""Results of a study, read from its store: tidy tables, scores, rankings, warnings and predictions."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted, quoted
from covey.analysis.ranking.methods import Ranking, Splits, rank_frame
from covey.analysis.ranking.metrics import chance_of, describe_metric
from covey.analysis.ranking.overall import Overall, compare_rankings
from covey.registry import title_of
from covey.study.outcome import CHOSEN
from covey.study.record import StudyRecord
from covey.study.scoring import score_predictions, widened
from covey.study.store import Store

_BY_CASE = ("cases", "predictions", "y")
# Where the classes are that learn nothing.
_LEARNS_NOTHING = "sklearn.dummy."

if TYPE_CHECKING:
    import pandas as pd

    from covey.study.spec import Study


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """The results of a study, as they are when they are first asked for: cells finished later are in new `Results`.

    Parameters
    ----------
    record : StudyRecord
        What the study is.
    store : path
        Where they are kept.
    keys : mapping of str to mapping
        The labels of each cell, by its key.
    """

    record: StudyRecord
    store: str | os.PathLike[str]
    keys: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, study: Study, store: str | os.PathLike[str]) -> Results:
        """Return the results of a study, finished or not, from a store."""
        from covey.study.layout import lay_out

        layout = lay_out(study)
        return cls(StudyRecord.of(study, layout.datasets), store, layout.keys)

    @classmethod
    def in_store(cls, store: str | os.PathLike[str], name: str | None = None) -> Results:
        """Return the results of a study that was carried out on a store, from the store alone.

        Parameters
        ----------
        store : path
        name : str, optional
            The study, by default the one there is.

        Raises
        ------
        ValueError
            There is no such study in the store, or several to choose from.
        """
        with Store.open(store, write=False) as kept:
            studies = kept.studies()
            if name is None and len(studies) == 1:
                name = next(iter(studies))
            if name is None or name not in studies:
                raise ValueError(f"{os.fspath(store)} has {_choice(name, list(studies))}")
            return cls(studies[name], store, kept.study_cells(name))

    def with_remarks(self, remarks: Sequence[str]) -> Results:
        """Return the results with remarks that are shown before the ranking, and keep those in the store."""
        if tuple(remarks) == self.record.remarks:
            return self
        record = replace(self.record, remarks=tuple(remarks))
        with Store.open(self.store, write=True) as kept:
            kept.put_study(record, self.keys)
        remarked = replace(self, record=record)
        # What was read from the store, and ranked, stays as it is.
        vars(remarked).update({name: value for name, value in vars(self).items() if name.startswith("_")})
        return remarked

    def frame(self) -> pd.DataFrame:
        """Return a row for each cell: labels, status, a column per metric, seconds, and why it failed if it did.

        A score of a metric that was not asked for when a cell ran is found from the predictions that were kept.
        """
        return self._read[0].copy()

    @property
    def warnings(self) -> dict[str, Counter[str]]:
        """In how many fits each method gave each warning; methods without warnings are left out."""
        return self._read[1]

    @cached_property
    def _read(self) -> tuple[pd.DataFrame, dict[str, Counter[str]]]:
        """The frame of cells and the warnings, read from the store once."""
        import pandas as pd

        rows = []
        warned: dict[str, Counter[str]] = {method.name: Counter() for method in self.record.methods}
        with Store.open(self.store, write=False) as kept:
            outcomes = {outcome.key: outcome for outcome in kept.read(self.keys)}
            for key, labels in self.keys.items():
                outcome = outcomes.get(key)
                row: dict[str, Any] = {**labels, "status": "missing" if outcome is None else outcome.status}
                if outcome is not None:
                    scores = dict(outcome.scores)
                    lacking = [metric for metric in self.record.metrics if metric not in scores]
                    if outcome.status == "done" and lacking:
                        scores |= score_predictions(lacking, kept.arrays(key))[0]
                    row |= {metric: scores.get(metric, np.nan) for metric in self.record.metrics}
                    row |= {f"{what} seconds": seconds for what, seconds in outcome.seconds.items()}
                    row |= {"warnings": len(outcome.warnings), "failure": outcome.error}
                    warned[labels["method"]].update(
                        dict.fromkeys(" ".join(text.split()) for text in outcome.warnings).keys()
                    )
                rows.append(row)
        return pd.DataFrame(rows), {method: texts for method, texts in warned.items() if texts}

    def counts(self, dataset: str | None = None) -> Mapping[str, int]:
        """Return how many fits are done, failed and missing, on a dataset or on all."""
        frame = self._read[0]
        return Counter(frame["status"][frame["dataset"] == dataset] if dataset is not None else frame["status"])

    def failures(self, dataset: str | None = None) -> pd.DataFrame:
        """Return a row for each dataset, method and message of fits that failed, with how many fits it has."""
        frame = self._read[0]
        failed = frame[frame["status"] == "failed"]
        if dataset is not None:
            failed = failed[failed["dataset"] == dataset]
        if not len(failed):
            return failed.reindex(columns=["dataset", "method", "fits", "message"])
        failed = failed.assign(message=[" ".join(str(text).split()) for text in failed["failure"]])
        groups = failed.groupby(["dataset", "method", "message"], sort=False).size()
        return groups.rename("fits").reset_index()[["dataset", "method", "fits", "message"]]

    @property
    def baselines(self) -> tuple[str, ...]:
        """The methods that learn nothing, which others are held against."""
        return tuple(method.name for method in self.record.methods if method.path.startswith(_LEARNS_NOTHING))

    def ranking(self, dataset: str | None = None, metric: str | None = None, *, alpha: float = 0.05) -> Ranking:
        """Return the methods on a dataset, best first; see `covey.report.rank_methods`."""
        names = [data.name for data in self.record.datasets]
        if dataset is None and len(names) > 1:
            raise ValueError(f"the study has {len(names)} datasets; give dataset, one of {quoted(names, len(names))}.")
        chosen = names[0] if dataset is None else dataset
        if chosen not in names:
            raise ValueError(f"dataset={dataset!r} is none of the study's, which are {quoted(names, len(names))}.")
        return self._rankings(self.record.metric(metric), alpha)[chosen]

    def overall(self, metric: str | None = None, *, alpha: float = 0.05) -> Overall:
        """Return the methods over all datasets by their mean ranks; see `covey.report.rank_overall`."""
        chosen = self.record.metric(metric)
        if (chosen, alpha) not in self._overall:
            methods = [method.name for method in self.record.methods]
            self._overall[chosen, alpha] = compare_rankings(self._rankings(chosen, alpha), methods)
        return self._overall[chosen, alpha]

    @cached_property
    def _overall(self) -> dict[tuple[str, float], Overall]:
        return {}

    @cached_property
    def _ranked(self) -> dict[tuple[str, float], dict[str, Ranking]]:
        return {}

    def _rankings(self, metric: str, alpha: float) -> dict[str, Ranking]:
        """Rank the methods on every dataset, once for each metric and level."""
        if (metric, alpha) not in self._ranked:
            record, frame = self.record, self._read[0]
            by_dataset = dict(iter(frame.groupby("dataset", sort=False)))
            self._ranked[metric, alpha] = {
                data.name: rank_frame(
                    by_dataset.get(data.name, frame.iloc[:0]),
                    describe_metric(metric, record.task),
                    dataset=data.name,
                    methods=[method.name for method in record.methods],
                    splits=splits_of(record.protocol, data.n_rows),
                    alpha=alpha,
                    baselines=self.baselines,
                    chance=chance_of(data.classes, metric),
                    titles={method.name: title_of(method.name, method.path) for method in record.methods},
                )
                for data in record.datasets
            }
        return self._ranked[metric, alpha]

    def scores(self, metric: str | None = None) -> pd.DataFrame:
        """Return the mean score of each method on each dataset, as `covey.analysis.friedman` takes them.

        A dataset on which a cell of some method failed, or is missing, has NaN for that method: what remains would be
        a mean over other splits.
        """
        groups = self._read[0].groupby(["dataset", "method"], sort=False)[self.record.metric(metric)]
        means = groups.agg(lambda scores: scores.mean(skipna=False)).unstack("method")
        datasets, methods = ([one.name for one in some] for some in (self.record.datasets, self.record.methods))
        return means.reindex(index=datasets, columns=methods)

    def __repr__(self) -> str:
        return f"<Results of {self.record.name!r}: {counted(len(self.keys), 'cell')} in {os.fspath(self.store)}>"

    def arrays(self, dataset: str, method: str, fit: int) -> dict[str, NDArray[Any]]:
        """Return what was kept of a cell: y, predictions, probabilities, votes and weights, and more."""
        for key, labels in self._by_place.get((dataset, method), {}).items():
            if labels["fit"] == fit:
                with Store.open(self.store, write=False) as kept:
                    return widened(kept.arrays(key))
        raise KeyError(f"the study has no fit {fit} of method {method!r} on dataset {dataset!r}.")

    def fits(self, dataset: str, method: str) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield what was kept of each finished fit of a method on a dataset, in the order of fits.

        Classes cover all labels of y, those too that were not there to be learnt.
        """
        with Store.open(self.store, write=False) as kept:
            for _, key in self._finished(kept, dataset, method):
                yield widened(kept.arrays(key))

    def chosen(self, dataset: str, method: str) -> dict[str, NDArray[Any]]:
        """Return the numbers that fitting chose for parameters of a method on a dataset, such as "subset_size".

        Returns
        -------
        dict of str to ndarray of shape (n_fits,)
            By parameter, a number for each finished fit, in the order of fits; a parameter for which some fit has none
            is left out.
        """
        fits = [
            {name.removeprefix(CHOSEN): value for name, value in fit.items() if name.startswith(CHOSEN)}
            for fit in self.fits(dataset, method)
        ]
        shared = [name for name in fits[0] if all(name in fit for fit in fits)] if fits else []
        return {name: np.array([fit[name] for fit in fits]) for name in shared}

    def predictions(self, dataset: str, method: str) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return what a method said of each case in each repeat, and the truth, as bias and variance need them.

        Returns
        -------
        predictions : ndarray of shape (n_repeats, n_cases)
            Of the repeats that are finished, with the cases in the order of the data.
        y : ndarray of shape (n_cases,)

        Raises
        ------
        ValueError
            No repeat is finished, or the protocol is one by which repeats predict different cases.
        """
        fits_per_repeat = Counter(one["repeat"] for one in self._labels(dataset, method).values())
        parts: dict[int, list[dict[str, NDArray[Any]]]] = {}
        with Store.open(self.store, write=False) as kept:
            for repeat, key in self._finished(kept, dataset, method):
                arrays = kept.arrays(key)
                parts.setdefault(repeat, []).append({name: arrays[name] for name in _BY_CASE})
        whole = [part for repeat, part in sorted(parts.items()) if len(part) == fits_per_repeat[repeat]]
        if not whole:
            raise ValueError(f"no repeat of method {method!r} on dataset {dataset!r} is finished; run the study.")
        rows = [{name: np.concatenate([fit[name] for fit in part]) for name in _BY_CASE} for part in whole]
        orders = [np.argsort(row["cases"], kind="stable") for row in rows]
        cases = [row["cases"][order] for row, order in zip(rows, orders, strict=True)]
        if any(not np.array_equal(cases[0], other) for other in cases[1:]):
            raise ValueError(
                f"{self.record.protocol_text} does not predict every case in every repeat, as bias and variance need "
                "it; use cross-validation or bootstrap."
            )
        said = np.stack([row["predictions"][order] for row, order in zip(rows, orders, strict=True)])
        return said, rows[0]["y"][orders[0]]

    def _labels(self, dataset: str, method: str) -> dict[str, Mapping[str, Any]]:
        if (dataset, method) not in self._by_place:
            raise KeyError(f"the study has no method {method!r} on dataset {dataset!r}.")
        return self._by_place[dataset, method]

    @cached_property
    def _by_place(self) -> dict[tuple[str, str], dict[str, Mapping[str, Any]]]:
        """The labels of each cell by its key, of each dataset and method."""
        places: dict[tuple[str, str], dict[str, Mapping[str, Any]]] = {}
        for key, labels in self.keys.items():
            places.setdefault((labels["dataset"], labels["method"]), {})[key] = labels
        return places

    def _finished(self, kept: Store, dataset: str, method: str) -> list[tuple[int, str]]:
        """Return repeat and key of the finished fits of a method on a dataset, in the order of fits."""
        labels = self._labels(dataset, method)
        statuses = kept.finished(labels)
        done = [key for key in labels if statuses.get(key) == "done"]
        return [(labels[key]["repeat"], key) for key in sorted(done, key=lambda key: labels[key]["fit"])]


def splits_of(protocol: Mapping[str, Any], n_rows: int) -> Splits:
    """Return the sizes of the splits that a protocol, as a study's record has it, makes of some rows."""
    kind = protocol["kind"]
    if kind == "cross-validation":
        n_test = n_rows / protocol["n_folds"]
        return Splits(n_rows - n_test, n_test)
    if kind == "resamples":
        n_train = _n_rows(protocol["train_size"], n_rows)
        only_one = "there was one split only" if protocol["n_repeats"] < 2 else ""
        return Splits(n_train, n_rows - n_train, only_one)
    if kind == "fixed-split":
        n_train = protocol["n_train"] if "n_train" in protocol else n_rows - len(protocol["test"])
        return Splits(n_train, n_rows - n_train, "there was one split only")
    if kind == "bootstrap":
        same = "all fits predict the same test rows, so how they differ does not show what other rows would change"
        return Splits(protocol["sample_size"], _n_rows(protocol["test_size"], n_rows), same)
    return Splits(n_rows, n_rows, f"for the protocol {kind} it is not known how far training and test rows overlap")


def _n_rows(size: float, n_rows: int) -> float:
    """Return a number of rows, which may be given as a share."""
    return float(size) if isinstance(size, int) else float(round(size * n_rows))


def _choice(name: str | None, known: list[str]) -> str:
    """Say which studies there are to choose from."""
    if not known:
        return "no study; it may be of a run that was killed as it began: run it again."
    names = ", ".join(map(repr, known))
    return f"several studies; give one of {names}." if name is None else f"no study {name!r}; it has {names}."
