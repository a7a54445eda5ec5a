"""Explaining the best method of a comparison: what it looks at, its hardest rows, its scores with fewer rows."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from covey._text import clip, one_line
from covey.analysis.diagnostics import class_to_find, hardest_rows, pool_fits
from covey.analysis.ranking.metrics import ERROR
from covey.comparison.budget import Clock
from covey.report.explanation import (
    MOST_DEPENDENCES,
    MOST_DIAGNOSED,
    PARTS,
    Arrays,
    explained_method,
    part_key,
    read_explanation,
    read_part,
)
from covey.seeds import child, seed_model, seed_sequence
from covey.study import DataSpec, Results, Study
from covey.study.cell import plan_for
from covey.study.fits import with_preprocessing
from covey.study.metrics import needs_probabilities
from covey.study.outcome import Outcome
from covey.study.plans import Fit, FitPlan, has_classes, take_rows
from covey.study.scoring import score_predictions
from covey.study.store import Store

NAMES = {
    "rows": "hardest rows",
    "importance": "importance of columns",
    "dependence": "effects of columns",
    "learning": "learning curve",
}
# Rows whose predictions show what a model looks at: first the one number, then, where time is short, the other.
SAMPLES = (1000, 200)
MOST_SHUFFLES = 5
# Of partial dependence: rows, points along a column of numbers, and categories, the most frequent.
DEPENDENCE_ROWS, N_POINTS, MOST_CATEGORIES, MOST_CLASSES = 300, 20, 12, 6
# The parts of the training rows that a learning curve is made of beside all, and the least rows of one.
SHARES = (1 / 8, 1 / 4, 1 / 2)
FEWEST_ROWS = 10
MOST_FOLDS = 5
# Values of the hardest rows that are kept: columns, and characters of each.
MOST_COLUMNS, LONGEST_VALUE = 50, 60
# Shuffles may take this share of the time that is left.
SHUFFLING = 0.6


class OutOfTime(Exception):  # no error: what is left is done another time
    """There is no time for what comes next."""


def explain_best(
    study: Study,
    results: Results,
    *,
    seconds: float | None = 60.0,
    progress: Callable[[str], None] | None = None,
) -> None:
    """Work out what the best method on each dataset looks at, for the report, and keep it in the results' store.

    The cheapest first: values of its hardest rows, permutation importances on the test rows of the first fold, partial
    dependence of the strongest columns, and a learning curve. What is kept already is not worked out again. What would
    not fit into the time is left out, and Ctrl-C leaves out the rest; neither they nor failures raise anything. Of more
    datasets than a page explains, none is.

    Parameters
    ----------
    study : Study
        What was carried out.
    results : Results
        What came of it.
    seconds : float or None, default=60.0
        How long it may take; None for as long as it takes, which may be hours with thousands of columns.
    progress : callable, optional
        Called with what is worked out next, such as "learning curve of random forest".

    Warns
    -----
    UserWarning
        Nothing could be kept.
    """
    clock = Clock(seconds)
    datasets = study.datasets if len(study.datasets) <= MOST_DIAGNOSED else ()
    try:
        for number, data in enumerate(datasets):
            method = explained_method(results.ranking(data.name))
            if method is not None:
                share = Clock(None if seconds is None else clock.left() / (len(datasets) - number))
                _Subject(study, results, data, method, share, progress).explain()
    except KeyboardInterrupt:
        return
    except Exception as error:
        warnings.warn(f"the best method is not explained: {type(error).__name__}: {error}", stacklevel=2)


@dataclass(frozen=True, eq=False)
class _Subject:
    """The best method on a dataset."""

    study: Study
    results: Results
    data: DataSpec
    method: str
    clock: Clock
    progress: Callable[[str], None] | None

    def explain(self) -> None:
        """Work out and keep all parts that are not there yet."""
        keys = {part: part_key(self.results, self.data.name, self.method, part) for part in PARTS}
        with Store.open(self.results.store, write=False) as kept:
            there = kept.finished(keys.values())
        make: dict[str, Callable[[], Arrays | None]] = {
            "rows": self._rows,
            "importance": self._importance,
            "dependence": self._dependence,
            "learning": self._learning,
        }
        labels = {"dataset": self.data.name, "method": self.method}
        for part in PARTS:
            if there.get(keys[part]) == "done":
                continue
            if self.progress is not None:
                self.progress(f"{NAMES[part]} of {self.method}")
            began = time.perf_counter()
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # the fits of the study gave the same
                    arrays = make[part]()
                if arrays is None:
                    continue
                if read_part(part, arrays) is None:
                    raise ValueError("the scores are not defined on these rows")
                taken = {"explain": time.perf_counter() - began}
                outcome = Outcome.done(keys[part], labels | {"part": part}, {}, taken, (), dict(arrays))
            except OutOfTime:
                continue
            except Exception as error:  # whatever a method of others raises
                text = clip(one_line(f"{type(error).__name__}: {error}"), 200)
                outcome = Outcome.failed(keys[part], labels | {"part": part}, text)
            with Store.open(self.results.store, write=True) as kept:
                kept.put(outcome)

    @property
    def metric(self) -> str:
        return self.results.record.metrics[0]

    @property
    def regression(self) -> bool:
        return self.study.task == "regression"

    @cached_property
    def plan(self) -> FitPlan:
        return plan_for(self.data.load(), self.study.protocol, self.study.seed, self.regression)

    @cached_property
    def fit(self) -> Fit:
        return self.plan[0]

    @cached_property
    def model(self) -> Any:
        """The method as it was in its first fit."""
        return self._trained(self.fit.X, self.fit.y, self.fit.seed)

    def _trained(self, X: Any, y: NDArray[Any], seed: np.random.SeedSequence) -> Any:
        row = self.results.ranking(self.data.name).row(self.method)
        self._require(row.fit_seconds * len(y) / len(self.fit.y))
        spec = next(method for method in self.study.methods if method.name == self.method)
        model = with_preprocessing(spec.make(), self.plan.data[0])
        seed_model(model, np.random.default_rng(seed))
        return model.fit(X, y)

    def _sample(self, most: int) -> tuple[Any, NDArray[Any]]:
        """Return some test rows of the first fit, the same each time, and their targets."""
        n_rows = len(self.fit.test)
        rng = np.random.default_rng(child(seed_sequence(self.study.seed), 0))
        rows = np.sort(rng.permutation(n_rows)[:most])
        return take_rows(self.fit.X_test, rows), self.plan.y[self.fit.test][rows]

    def _score(self, model: Any, X: Any, y: Any) -> float:
        """Return the score of a model, larger is better whatever the metric."""
        arrays = {"y": np.asarray(y), "predictions": np.array(np.asarray(model.predict(X)).tolist())}
        if not self.regression:
            arrays["classes"] = np.array(np.asarray(model.classes_).tolist())
            if needs_probabilities(self.metric):
                arrays["probabilities"] = np.asarray(model.predict_proba(X))
        return self._goodness(arrays)

    def _goodness(self, arrays: Arrays) -> float:
        score = score_predictions((self.metric,), arrays)[0][self.metric]
        return -score if self.metric == ERROR else score

    def _require(self, seconds: float) -> None:
        """Stop if something would take longer than there is time."""
        if (seconds if isfinite(seconds) else 0.0) > self.clock.left():
            raise OutOfTime

    def _rows(self) -> Arrays | None:
        """Return the values of the rows that are hardest to predict."""
        predicted = pool_fits(self.results.fits(self.data.name, self.method))
        if predicted is None:
            return None
        cases = hardest_rows(predicted).index.to_numpy(dtype=np.int64)
        if not len(cases):
            return None
        rows = take_rows(self.plan.X, cases).iloc[:, :MOST_COLUMNS]
        values = [[_written(value) for value in row] for row in rows.itertuples(index=False)]
        # A sample, and data without the rows that lack a target, keep the numbers of rows as their index.
        numbers = self.data.load().frame.index.to_numpy(dtype=np.int64)[cases]
        texts = {"columns": _as_texts(rows.columns), "values": np.array(values, dtype=np.str_)}
        return {"cases": cases, "numbers": numbers, **texts}

    def _importance(self) -> Arrays | None:
        """Return how much worse predictions of test rows are by shuffling each column."""
        from sklearn.inspection import permutation_importance

        model = self.model
        for most in SAMPLES:
            X, y = self._sample(most)
            began = time.perf_counter()
            self._score(model, X, y)
            each = (time.perf_counter() - began) * X.shape[1]
            shuffles = int(min(MOST_SHUFFLES, SHUFFLING * self.clock.left() / max(each, 1e-9)))
            if shuffles:
                break
        else:
            raise OutOfTime
        result = permutation_importance(
            model, X, y, scoring=self._score, n_repeats=shuffles, random_state=self.study.seed
        )
        mean, spread = result["importances_mean"], result["importances_std"]
        return {"columns": _as_texts(X.columns), "losses": mean, "spreads": spread, "n_rows": np.array([len(y)])}

    def _dependence(self) -> Arrays | None:
        """Return the mean prediction along each of the strongest columns."""
        from sklearn.inspection import partial_dependence

        importance = read_explanation(self.results, self.data.name, self.method).importance
        columns = [] if importance is None else importance.strongest[:MOST_DEPENDENCES]
        model = self.model if columns else None
        if model is None or not (self.regression or hasattr(model, "predict_proba")):
            return None
        X = self._sample(DEPENDENCE_ROWS)[0]
        whole = [name for name in X.columns if X[name].dtype.kind in "biu"]
        X = X.astype(dict.fromkeys(whole, np.float64))
        began = time.perf_counter()
        model.predict(X)
        self._require((time.perf_counter() - began) * len(columns) * N_POINTS)
        arrays: dict[str, NDArray[Any]] = {"columns": np.array(columns, dtype=np.str_)}
        places, outputs = self._outputs(model)
        arrays["outputs"] = np.array(outputs, dtype=np.str_)
        for number, name in enumerate(columns):
            values, is_text = _values_along(X[name])
            chosen: Any = {"custom_values": {name: values}, "categorical_features": [name] if is_text else None}
            means = partial_dependence(model, X, [name], kind="average", **chosen)["average"]
            if not self.regression and len(means) == 1:  # of two classes, the second
                means = np.concatenate([1 - means, means])
            arrays[f"values_{number}"] = _as_texts(values) if is_text else values
            arrays[f"means_{number}"] = means[places]
        return arrays

    def _outputs(self, model: Any) -> tuple[list[int], list[str]]:
        """Return places and names of the classes whose probabilities are shown: the largest, or of two one."""
        if self.regression:
            return [0], [""]
        counts = [int(np.count_nonzero(self.plan.y == label)) for label in model.classes_]
        if len(counts) == 2:
            places = [class_to_find(model.classes_.tolist(), counts, self.metric)]
        else:
            places = sorted(np.argsort(-np.array(counts), kind="stable")[:MOST_CLASSES].tolist())
        return places, [str(model.classes_[place]) for place in places]

    def _learning(self) -> Arrays | None:
        """Return scores with a part of the training rows, over as many folds of the first repeat as time allows."""
        n_train = len(self.fit.y)
        sizes = [size for share in SHARES if (size := round(share * n_train)) >= FEWEST_ROWS]
        folds = [number for number in range(len(self.plan)) if self.plan.place(number)[0] == 0][:MOST_FOLDS]
        scores: list[list[float]] = []
        for number in folds if sizes else []:
            began = time.perf_counter()
            try:
                scores.append(self._fold(number, sizes))
                self._require(time.perf_counter() - began)
            except OutOfTime:
                break
        if not scores:
            if sizes:
                raise OutOfTime
            return None
        table = np.array(scores).T
        kept = np.isfinite(table).all(axis=1)
        return {"sizes": np.array([*sizes, n_train])[kept], "scores": table[kept]} if kept.sum() > 1 else None

    def _fold(self, number: int, sizes: list[int]) -> list[float]:
        """Return the scores of a fold with some training rows, NaN where it cannot be trained, and with all."""
        fit = self.plan[number]
        order = self._order(fit)
        scores = []
        for size in sizes:
            rows = order[:size]
            if not self.regression and not has_classes(fit.y[rows]):
                scores.append(np.nan)
                continue
            model = self._trained(take_rows(fit.X, rows), fit.y[rows], fit.seed)
            scores.append(self._score(model, fit.X_test, self.plan.y[fit.test]))
        return [*scores, self._goodness(self.results.arrays(self.data.name, self.method, number))]

    def _order(self, fit: Fit) -> NDArray[np.intp]:
        """Return a random order of training rows, the first of which have about the same shares of classes as all."""
        rng = np.random.default_rng(child(fit.seed, 1))
        places = rng.permutation(len(fit.y))
        if self.regression:
            return places
        keys = np.empty(len(places))
        for label in np.unique(fit.y):
            members = places[fit.y[places] == label]
            keys[members] = (np.arange(len(members)) + rng.random()) / len(members)
        return np.argsort(keys, kind="stable")


def _values_along(column: Any) -> tuple[NDArray[Any], bool]:
    """Return the values of a column at which predictions are shown, and whether they are categories."""
    if column.dtype.kind not in "biuf":
        often = column.value_counts().iloc[:MOST_CATEGORIES]
        kept = set(often.index[often.to_numpy() > 0])
        return np.array([name for name in column.cat.categories if name in kept], dtype=object), True
    known = column.dropna().to_numpy(dtype=np.float64)
    distinct = np.unique(known)
    if len(distinct) <= N_POINTS:
        return distinct, False
    low, high = np.quantile(known, [0.05, 0.95]).tolist()
    return np.unique(np.linspace(low, high, N_POINTS)), False


def _as_texts(values: Any) -> NDArray[np.str_]:
    return np.array([str(value) for value in values], dtype=np.str_)


def _written(value: Any) -> str:
    """Return a value as a page shows it; "" if it is missing."""
    import pandas as pd

    if pd.isna(value):
        return ""
    return clip(one_line(f"{value:.6g}" if isinstance(value, float) else value), LONGEST_VALUE)
