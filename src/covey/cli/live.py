"""Progress of a study on the terminal while it runs; lines now and then where the output is no terminal.

What is called for every cell only counts. Drawing happens four times a second in a thread of its own, so that thousands
of cells a second are no slower for it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any

from covey._text import counted, rough_duration, spelt_out
from covey.cli.leaders import Leaders
from covey.cli.terminal import err
from covey.cli.time_left import TimeLeft

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from covey.study.run import Progress

_PER_SECOND = 4
_FIRST_LINE, _LEAST_APART, _MOST_APART = 3.0, 5.0, 60.0
_ROWS_FOR_THE_REST = 7


class LiveProgress(AbstractContextManager["LiveProgress"]):
    """Shows how far a study is; call it with each `covey.study.Progress`.

    Parameters
    ----------
    workers : str
        Where fits run, in words.
    store : callable, optional
        Says, when the first fit is finished, where results are kept: a store knows which fits there are and what
        earlier runs found.
    study : str, optional
        The study in the store, by default the one there is.
    timeout : float, optional
        What a fit that took too long has taken.
    retry_failed : bool, default=False
        Whether fits that failed before are carried out again.
    quiet : bool, default=False
        Whether to show nothing.
    """

    def __init__(
        self,
        workers: str,
        *,
        store: Callable[[], str | os.PathLike[str] | None] | None = None,
        study: str | None = None,
        timeout: float | None = None,
        retry_failed: bool = False,
        quiet: bool = False,
    ) -> None:
        self._workers, self._timeout, self._retry_failed, self._quiet = workers, timeout, retry_failed, quiet
        self._store, self._study = store, study
        self._began = time.monotonic()
        self._next_line = self._began + _FIRST_LINE
        self._total = self._done = self._failed = 0
        self._time_left = TimeLeft()
        self._leaders: Leaders | None = None
        self._metric = ""
        self._live: Live | None = None
        self._lock = Lock()

    def __enter__(self) -> LiveProgress:
        if not self._quiet and err().is_terminal:
            from rich.live import Live

            self._live = Live(
                get_renderable=self._picture, console=err(), refresh_per_second=_PER_SECOND, transient=True
            )
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Note what is new."""
        if self._quiet:
            return
        with self._lock:
            if self._leaders is None:
                self._begin(progress)
            self._count(progress)
        if self._live is None and time.monotonic() >= self._next_line:
            now = time.monotonic()
            self._next_line = now + min(max((now - self._began) / 3, _LEAST_APART), _MOST_APART)
            err().print(spelt_out(self.line()), soft_wrap=True)

    @property
    def n_finished(self) -> int:
        """Cells that are done or have failed."""
        return self._done + self._failed

    def line(self) -> str:
        """Return the state in a line."""
        if not self._total:
            return f"starting on {self._workers}"
        parts = [self._state()]
        if self._leaders is not None and self._leaders.datasets:
            latest = self._leaders.datasets[-1]
            parts.append(f"{self._leaders.metric} on {self._leaders.standing(latest)}")
        return "; ".join(parts)

    def _state(self) -> str:
        failed = f", {self._failed} failed" if self._failed else ""
        if self.n_finished == self._total:
            return f"all {counted(self._total, 'fit')} finished{failed}"
        seconds = self._time_left.estimate(time.monotonic() - self._began, self._total - self.n_finished)
        left = f", about {rough_duration(seconds)} left" if seconds else ""
        return f"{self.n_finished} of {counted(self._total, 'fit')}{failed}{left}"

    def _begin(self, progress: Progress) -> None:
        """Find out which cells there are, and what is known of them from before."""
        from covey.study.metrics import larger_is_better

        self._leaders = Leaders(larger_is_better)
        self._began = time.monotonic() - self._seconds(progress.latest)
        with suppress(Exception):  # without the store less is shown, which is no reason to stop a study
            self._look_into_the_store(progress)

    def _look_into_the_store(self, progress: Progress) -> None:
        from covey.study.results import Results
        from covey.study.store import Store

        path = None if self._store is None else self._store()
        if path is None:
            return
        results = Results.in_store(path, self._study)
        self._metric = results.record.metrics[0]
        left = Counter(_place(labels) for labels in results.keys.values())
        latest = progress.latest.key
        with Store.open(path, write=False) as kept:
            for outcome in kept.read(key for key in results.keys if key != latest):
                place = _place(results.keys[outcome.key])
                if self._retry_failed and outcome.status == "failed":
                    continue
                left[place] -= 1
                self._time_left.learn(place, self._seconds(outcome))
                self._note_score(place, outcome)
        self._time_left.expect(left)

    def _count(self, progress: Progress) -> None:
        latest, place = progress.latest, _place(progress.latest.labels)
        self._total, self._done, self._failed = progress.total, progress.done, progress.failed
        self._time_left.observe(place, self._seconds(latest))
        self._note_score(place, latest)

    def _note_score(self, place: tuple[str, str], outcome: Any) -> None:
        if outcome.scores and self._leaders is not None:
            # A store gives the scores of a fit in another order than the study has its metrics.
            self._metric = self._metric or next(iter(outcome.scores))
            metric = self._metric
            if metric in outcome.scores:
                self._leaders.add(*place, metric, outcome.scores[metric])

    def _seconds(self, outcome: Any) -> float:
        if outcome.status == "failed" and not outcome.seconds and outcome.error.lower().startswith("time"):
            return self._timeout or 0.0
        return float(sum(outcome.seconds.values()))

    def _picture(self) -> RenderableType:
        with self._lock:
            return self._draw()

    def _draw(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if not self._total:
            return Text(f"Reading data and starting {self._workers} ...", style="dim")
        head = Table.grid(padding=(0, 1))
        head.add_row(ProgressBar(self._total, self.n_finished, width=24), Text(self._state()))
        elapsed = rough_duration(time.monotonic() - self._began)
        parts: list[RenderableType] = [head, Text(f"{self._workers}, {elapsed} so far", style="dim")]
        if self._leaders is not None and self._leaders.datasets:
            parts += [Text(""), self._standings()]
        return Group(*parts)

    def _standings(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        assert self._leaders is not None
        room = max(err().size.height - _ROWS_FOR_THE_REST, 1)
        datasets = self._leaders.datasets[-room:]
        best = 3 if err().width >= 100 else 2
        grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        grid.add_column("dataset", overflow="ellipsis", no_wrap=True, min_width=8, max_width=24)
        grid.add_column(f"ahead so far, by {self._leaders.metric}", overflow="ellipsis", no_wrap=True)
        grid.add_column("fits", justify="right", no_wrap=True)
        uneven = False
        for dataset in datasets:
            standing = self._leaders.standing(dataset, best)
            names = ", ".join(f"{method} {score:.4g}" for method, score in standing.best)
            apart = standing.n_methods > standing.n_compared
            uneven = uneven or apart
            grid.add_row(Text(spelt_out(dataset)), Text(spelt_out(names)), f"{standing.n_fits}{'*' if apart else ' '}")
        remark = "* other methods have more or fewer fits so far" if uneven else ""
        return Group(grid, Text(remark, style="dim"))


def _place(labels: Any) -> tuple[str, str]:
    return str(labels["dataset"]), str(labels["method"])
