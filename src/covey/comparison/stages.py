"""A comparison in stages: some rows first, then more of them, then more repeats, as long as there is time.

Each stage is a whole study, so that there is a ranking of all methods as soon as the first one is finished. What a
stage took says which one there is time for next. Stages share a store, and the same command goes on where one was
stopped.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from covey._text import counted, duration, listed
from covey.analysis.ranking.metrics import describe_metric
from covey.comparison.budget import Clock
from covey.datasets import Dataset
from covey.study import CycledFolds, MethodSpec, Progress, Results, Study, run_study
from covey.study.shortlist import REFIT, combination_of, with_budget

if TYPE_CHECKING:
    from covey.analysis.ranking.methods import Ranking

# Up to so many rows, and values, everything is done on all rows; the first stage of larger data has no more.
FIRST_ROWS, FIRST_VALUES, FEWEST_ROWS = 1_500, 100_000, 200
# So many rows of the rarer of two classes tell something, unless that takes too many rows.
FEWEST_OF_CLASS, MOST_FOR_CLASS = 40, 10_000
# How often the cross-validation is repeated while the answer is unclear.
REPEATS = (1, 3, 10)
# The share of the time left that a stage may be expected to take.
_LIMIT = 0.8
# Time grows with this power of the rows before it was measured, and with one of these at least and at most after.
_POWER, _POWERS = 1.3, (0.7, 2.2)
# So many times the rows may come next: how time grows is not known further than that.
_MOST_GROWTH = 8
# Starting processes and sending data takes about so long.
_START = 3.0
# What share of the budget a fit of the combination may have, in each fold, and at least; the least budget to try it.
_COMBINATION_SHARE, _COMBINATION_SECONDS, _COMBINATION_BUDGET = 0.25, 5.0, 40.0
# The share of the methods that the first whole stage has, or else the next share; it may take this part of the time.
_QUORUMS, _FIRST_LIMIT = (0.75, 0.5, 0.0), 0.5
# So many methods that learn are compared at least.
_FEWEST_METHODS = 3
# Rankings so far are told of so many datasets, and of so many methods.
_MOST_TOLD, _TOLD = 4, 3


@dataclass(frozen=True)
class Stage:
    """What is carried out at a time: some methods on some rows, with some repeats."""

    methods: tuple[MethodSpec, ...]
    rows: int  # the most of any dataset
    repeats: int = 1


@dataclass(frozen=True)
class Staged:
    """What came of a comparison in stages."""

    study: Study  # as it was last carried out
    on_all_rows: Study  # the same with all rows of the data
    results: Results
    remarks: tuple[str, ...]  # what was not done for lack of time


def run_in_stages(
    study: Study,
    store: str | os.PathLike[str],
    clock: Clock,
    *,
    n_repeats: int | None = None,
    refit: bool = False,
    progress: Callable[[Progress], None] | None = None,
    **running: Any,
) -> Staged:
    """Carry out a comparison as far as there is time.

    Parameters
    ----------
    study : Study
        On all rows, by `CycledFolds`, whose repeats do not count.
    store : path
    clock : Clock
    n_repeats : int, optional
        How many repeats are wanted; by default more of them as long as the answer is unclear.
    refit : bool, default=False
        Whether the best method will be trained on all rows, for which time is left over.
    progress : callable, optional
        Called with a `Progress` after every fit; rankings after stages are its news.
    **running
        Of `run_study`.
    """
    return _Stages(study, store, clock, n_repeats, refit, progress, running).run()


def row_steps(n_rows: int, n_columns: int, rarest: float = 1.0) -> tuple[int, ...]:
    """Return on how many rows a stage may be, each time twice as many, the last one on all.

    The first has some rows of the rarer of two classes, which has a share of all.
    """
    first = max(min(FIRST_ROWS, FIRST_VALUES // max(n_columns, 1)), FEWEST_ROWS)
    fewest = max(min(FEWEST_OF_CLASS / rarest, MOST_FOR_CLASS), FEWEST_ROWS)
    steps = [n_rows]
    while steps[0] > first and steps[0] > fewest:
        steps.insert(0, max(-(-steps[0] // 2), int(fewest)))
    return tuple(steps)


def sample_rows(data: Dataset, n_rows: int, seed: int) -> Dataset:
    """Return some rows of a dataset in their order, each class with its share; a smaller sample is a part of it."""
    if n_rows >= data.n_rows:
        return data
    rng = np.random.default_rng(seed)
    order: NDArray[Any] = rng.random(data.n_rows)
    if data.task == "classification":
        codes = np.asarray(data.target.cat.codes)
        for code in np.unique(codes):
            rows = np.flatnonzero(codes == code)
            order[rows] = (rng.permutation(len(rows)) + order[rows]) / len(rows)
    rows = np.sort(np.argsort(order, kind="stable")[:n_rows])
    note = f"a sample of {n_rows:,} of the {data.n_rows:,} rows, drawn at random"
    provenance = replace(data.provenance, notes=(*data.provenance.notes, note))
    return replace(data, frame=data.frame.iloc[rows], target=data.target.iloc[rows], provenance=provenance)


class _Stages:
    """The stages of one comparison."""

    def __init__(
        self,
        study: Study,
        store: str | os.PathLike[str],
        clock: Clock,
        n_repeats: int | None,
        refit: bool,
        progress: Callable[[Progress], None] | None,
        running: Mapping[str, Any],
    ) -> None:
        assert isinstance(study.protocol, CycledFolds)
        self.protocol = study.protocol
        self.store, self.clock, self.n_repeats, self.refit = store, clock, n_repeats, refit
        self.progress, self.running = progress, running
        self.n_workers = int(running.get("n_workers", 1))
        self.study = replace(study, methods=tuple(map(self._limited, study.methods)))
        self.data = {spec.name: spec.load() for spec in study.datasets}
        largest = max(self.data.values(), key=lambda data: data.n_rows)
        steps = row_steps(largest.n_rows, largest.n_features, min(map(_share_of_rarer, self.data.values())))
        self.steps = steps[-1:] if clock.seconds is None else steps
        self.seconds: dict[int, dict[str, float]] = {}  # that a repeat takes each method, by rows
        self.most = {  # seconds that a repeat takes methods with a limit of their own, which they pass a little
            method.name: 1.5 * budget * self.protocol.n_folds * len(self.data)
            for method in self.study.methods
            if (budget := (combination_of(method) or {}).get("budget"))
        }
        self.most_rows = self.steps[-1]  # less once more rows have turned out to allow for lesser methods only
        self.shared_fits = self.protocol.n_folds  # that methods enough have finished
        self.told: dict[str, str] = {}  # methods with the last score that each had

    def _limited(self, method: MethodSpec) -> MethodSpec:
        """Return a method; a fit of the combination takes no more than its share of the time."""
        params = combination_of(method)
        if params is None or "budget" in params or self.clock.seconds is None:
            return method
        share = max(_COMBINATION_SHARE * self.clock.seconds / self.protocol.n_folds, _COMBINATION_SECONDS)
        return with_budget(method, float(f"{share:.2g}"))

    def run(self) -> Staged:
        """Go from stage to stage while there is time."""
        all_at_once = self.clock.seconds is None and self.n_repeats is not None
        stage = Stage(self._startable(), self.steps[0], self.n_repeats or 1 if all_at_once else 1)
        if len(self.steps) > 1:
            self._carry_out(stage, n_fits=1)
            learners = self._count(stage.methods)
            quorums = [max(ceil(quorum * learners), min(_FEWEST_METHODS, learners)) for quorum in _QUORUMS]
            stages = (self._larger(stage, self.steps, least, _FIRST_LIMIT) for least in quorums)
            stage = next((larger for larger in stages if larger is not None), stage)
        results = self._carry_out(stage)
        while not self._over(results) and (following := self._next(stage, results)) is not None:
            later = self._carry_out(following)
            over, on_more_rows = self._over(later), following.rows > stage.rows
            least = _FEWEST_METHODS if on_more_rows else _n_finished(results)  # no method is lost to more repeats
            if over and (whole := self._whole_repeats(later, least)):
                following = replace(following, repeats=whole)
                later = self._carry_out(following, n_fits=0)
            if on_more_rows and self._is_worse(later, results):
                self.most_rows = stage.rows
                results = self._carry_out(stage, n_fits=0)  # to be the study that the store tells of
            else:
                stage, results = following, later
            if over:
                break
        results = self._on_shared_fits(stage, results)
        on_all_rows = self._study(replace(stage, rows=self.steps[-1]))
        return Staged(self._study(stage), on_all_rows, results, self._remarks(stage))

    def _is_worse(self, later: Results, before: Results) -> bool:
        """Whether the best of a stage, of fewer methods on more rows, is worse than the best of the stage before."""
        worse = []
        for after, ranking in zip(_rankings(later), _rankings(before), strict=True):
            if not after.rows:
                return bool(ranking.rows)
            if ranking.rows and len(after.rows) < len(ranking.rows):
                gain = after.rows[0].mean - ranking.rows[0].mean
                worse.append(gain < 0 if after.larger_is_better else gain > 0)
        return bool(worse) and all(worse)

    def _startable(self) -> tuple[MethodSpec, ...]:
        """Return the methods but for the combination if there is no time for a few of its fits beside others."""
        methods, seconds = self.study.methods, self.clock.seconds
        others = tuple(method for method in methods if combination_of(method) is None)
        return methods if seconds is None or seconds >= _COMBINATION_BUDGET or not self._count(others) else others

    def _carry_out(self, stage: Stage, n_fits: int | None = None) -> Results:
        until = self.clock.fits_until
        self.worked = False
        study = self._study(stage)
        results = run_study(study, self.store, progress=self._note, until=until, n_fits=n_fits, **self.running)
        done = results.frame()
        done = done[done["status"] == "done"]
        if len(done):
            seconds = (done["fit seconds"] + done["predict seconds"]).groupby(done["method"]).mean()
            per_repeat = self.protocol.n_folds * len(self.data)
            self.seconds[stage.rows] = {str(method): per_repeat * float(each) for method, each in seconds.items()}
            self._tell(stage, results)
        return results

    def _note(self, progress: Progress) -> None:
        self.worked = True
        if self.progress is not None:
            self.progress(progress)

    def _study(self, stage: Stage) -> Study:
        datasets = []
        for spec in self.study.datasets:
            data = self.data[spec.name]
            sampled = sample_rows(data, stage.rows, self.study.seed)
            datasets.append(spec if sampled is data else replace(spec, held=sampled))
        protocol = replace(self.protocol, n_cycles=stage.repeats)
        return replace(self.study, datasets=tuple(datasets), methods=stage.methods, protocol=protocol)

    def _over(self, results: Results) -> bool:
        return self.clock.left_for_fits() <= 0 and bool(results.counts().get("missing"))

    def _count(self, methods: Sequence[MethodSpec]) -> int:
        """Return how many of some methods learn something."""
        return sum(map(_learns, methods))

    def _whole_repeats(self, results: Results, least: int) -> int:
        """Return how many repeats are finished of so many methods, or of all if they are fewer."""
        frame = results.frame()
        finished = frame["status"].ne("missing").groupby([frame["repeat"], frame["method"]]).all()
        least = min(least, len(results.record.methods))
        whole = (finished.groupby("repeat").sum() >= least).sort_index().to_list()
        return whole.index(False) if False in whole else len(whole)

    def _on_shared_fits(self, stage: Stage, results: Results) -> Results:
        """Return the results of the first fits only, where too few methods have finished all and more have these."""
        frame, n_folds = results.frame(), self.protocol.n_folds
        frame = frame[frame["method"].isin([method.name for method in stage.methods if _learns(method)])]
        unfinished = frame[frame["status"] == "missing"].groupby("method")["fit"].min()  # the first, of each method
        n_whole = unfinished.reindex(frame["method"].unique()).fillna(n_folds).sort_values(ascending=False)
        of_enough = n_whole.iloc[:_FEWEST_METHODS]
        self.shared_fits = int(of_enough[of_enough > 0].min()) if (of_enough > 0).any() else n_folds
        if stage.repeats > 1 or self.shared_fits >= n_folds:
            self.shared_fits = n_folds
            return results
        return replace(results, keys={key: at for key, at in results.keys.items() if at["fit"] < self.shared_fits})

    def _next(self, stage: Stage, results: Results) -> Stage | None:
        """Return the stage that there is time for: on more rows, or else with more repeats."""
        least = min(_FEWEST_METHODS, self._count(stage.methods))
        steps = [rows for rows in self.steps if stage.rows < rows <= self.most_rows]
        larger = self._larger(stage, steps, least, _LIMIT, results)
        if larger is not None:
            return larger
        if self.n_repeats is None and all(ranking.is_clear for ranking in _rankings(results)):
            return None
        room = _LIMIT * (self.clock.left_for_fits() - self._refit_seconds(stage, results)) - _START
        wanted = self.n_repeats or next((count for count in REPEATS if count > stage.repeats), stage.repeats)
        one = sum(self.seconds.get(stage.rows, {}).get(method.name, 0.0) for method in stage.methods) / self.n_workers
        affordable = wanted if one * (wanted - stage.repeats) <= room else stage.repeats + max(int(room / one), 0)
        return replace(stage, repeats=affordable) if affordable > stage.repeats else None

    def _larger(
        self, stage: Stage, steps: Sequence[int], least: int, limit: float, results: Results | None = None
    ) -> Stage | None:
        """Return the stage on the most rows that there is time for, with the leading methods and the quickest."""
        refit = 0.0 if results is None else self._refit_seconds(stage, results)
        rankings = [] if results is None else _rankings(results)
        leading = {row.method for ranking in rankings for row in ranking.rows[:_FEWEST_METHODS]}
        room = (limit * (self.clock.left_for_fits() - refit) - _START) * self.n_workers
        for rows in reversed([rows for rows in steps if rows <= _MOST_GROWTH * stage.rows]):
            costs = {method: self._expected(method.name, stage.rows, rows) for method in stage.methods}
            total, chosen = 0.0, []
            for method in sorted(stage.methods, key=lambda method: (method.name not in leading, costs[method])):
                if total + costs[method] <= room:
                    total += costs[method]
                    chosen.append(method)
            if self._count(chosen) >= least:
                return Stage(tuple(method for method in stage.methods if method in chosen), rows)
        return None

    def _expected(self, method: str, before: int, rows: int) -> float:
        """Return the seconds that a repeat will take a method on more rows, from what it took on fewer."""
        known = self.seconds.get(before, {}).get(method, 0.0)
        earlier = [size for size in self.seconds if size < before and self.seconds[size].get(method)]
        power = _POWER
        if earlier and known:
            growth = log(self._size(before) / self._size(max(earlier)))
            power = float(np.clip(log(known / self.seconds[max(earlier)][method]) / growth, *_POWERS))
        expected = known * (self._size(rows) / self._size(before)) ** power
        return float(min(expected, self.most.get(method, expected)))

    def _size(self, rows: int) -> int:
        return sum(min(data.n_rows, rows) for data in self.data.values())

    def _refit_seconds(self, stage: Stage, results: Results) -> float:
        """Return about how long the best method takes to be trained on all rows, if it will be."""
        ranking = _rankings(results)[0]
        if not self.refit or not ranking.rows or self.clock.seconds is None:
            return 0.0
        times = REFIT if ranking.best in self.most else _POWER  # what has a budget gets more of it then
        return self._expected(ranking.best, stage.rows, self.steps[-1]) / self.protocol.n_folds * times

    def _tell(self, stage: Stage, results: Results) -> None:
        """Keep the means of methods that have the most fits, and tell them unless all were in the store."""
        metric, frame = results.record.metrics[0], results.frame()
        words = describe_metric(metric, results.record.task)
        for data in results.record.datasets[:_MOST_TOLD]:
            scores = frame[(frame["dataset"] == data.name) & (frame["status"] == "done")].groupby("method")[metric]
            n_fits = int(scores.count().max()) if len(scores) else 0
            means = {
                str(name): words.natural(float(some.mean())) for name, some in scores if some.count() == n_fits > 0
            }
            decimals = words.decimals((), means.values())
            values = {name: words.value(mean, decimals) for name, mean in means.items()}
            self.told |= {name: f"{name} ({value} on {stage.rows:,} rows)" for name, value in values.items()}
            best = sorted(means, key=lambda name: means[name], reverse=words.larger_is_better)[:_TOLD]
            part = f"{self._part(stage)}, " if stage.rows < self.steps[-1] else ""
            listing = ", ".join(f"{name} {values[name]}" for name in best)
            news = f"So far on {data.name} ({part}{counted(n_fits, 'fit')} each): {words.name} {listing}"
            if best and self.worked and self.progress is not None:
                counts = results.counts()
                self.progress(Progress(sum(counts.values()), counts.get("done", 0), counts.get("failed", 0), news=news))

    def _part(self, stage: Stage) -> str:
        return f"{stage.rows:,} of {self.steps[-1]:,} rows"

    def _remarks(self, stage: Stage) -> tuple[str, ...]:
        """Say what was not done for lack of time."""
        remarks = []
        allowed = "" if self.clock.seconds is None else duration(self.clock.seconds)
        if stage.rows < self.steps[-1]:
            better = "" if self.most_rows == self.steps[-1] else ", or by methods that did no better there"
            remarks.append(
                f"The comparison is on {self._part(stage)}: more would not have been done in {allowed}{better}. "
                "A larger budget compares on more rows."
            )
        startable = self._startable()
        needs = f"was not tried: it needs a budget of {duration(_COMBINATION_BUDGET)} or more."
        remarks += [f"{method.name} {needs}" for method in self.study.methods if method not in startable]
        dropped = [method.name for method in startable if method not in stage.methods]
        if dropped:
            names = listed([self.told.get(name, name) for name in dropped], len(dropped))
            remarks.append(f"Too slow for so many rows in {allowed}, and so not ranked: {names}.")
        if self.shared_fits < self.protocol.n_folds:
            remarks.append(
                f"There was time for {self.shared_fits} of {self.protocol.n_folds} folds in {allowed}, which the "
                "ranking is of. The same command goes on from here, and a larger budget allows for all."
            )
        if self.n_repeats is not None and stage.repeats < self.n_repeats:
            remarks.append(f"There was time for {stage.repeats} of {self.n_repeats} repeats in {allowed}.")
        return tuple(remarks)


def _n_finished(results: Results) -> int:
    """Return how many methods have all their fits."""
    frame = results.frame()
    return int(frame["status"].ne("missing").groupby(frame["method"]).all().sum())


def _learns(method: MethodSpec) -> bool:
    return not method.path.startswith("sklearn.dummy.")


def _share_of_rarer(data: Dataset) -> float:
    """Return the share of the rarer of two classes; 1 where there are more, or numbers."""
    if len(data.classes) != 2:
        return 1.0
    return max(int(data.target.value_counts().min()), 1) / data.n_rows


def _rankings(results: Results) -> list[Ranking]:
    return [results.ranking(data.name) for data in results.record.datasets]
