"""Progress of a study on the terminal while it runs; lines now and then where the output is no terminal."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING

from covey._text import counted, rough_duration, spelt_out
from covey.cli.terminal import err

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from covey.study.progress import Progress

_FIRST_LINE, _LEAST_APART, _MOST_APART = 3.0, 5.0, 60.0
_MOST_LEADERS = 3


class LiveProgress(AbstractContextManager["LiveProgress"]):
    """Shows how far a study is, unless it is quiet; call it with each `covey.study.Progress`."""

    def __init__(self, workers: str, *, quiet: bool = False) -> None:
        self._workers, self._quiet = workers, quiet
        self._began = time.monotonic()
        self._next_line = self._began + _FIRST_LINE
        self._bar: Bar | None = None

    def __enter__(self) -> LiveProgress:
        if not self._quiet and err().is_terminal:
            from rich.progress import BarColumn, Progress as Bar, TextColumn
            from rich.table import Column

            # A thread of the bar's draws it now and then, so that thousands of cells a second are no slower for it.
            text = TextColumn("{task.description}", markup=False, table_column=Column(overflow="fold"))
            self._bar = Bar(BarColumn(24), text, console=err(), transient=True)
            self._bar.add_task(f"reading data and starting {self._workers}", total=None)
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show what is new."""
        if self._quiet:
            return
        now = time.monotonic()
        if self._bar is not None:
            (task,) = self._bar.task_ids
            elapsed = f"{self._workers}, {rough_duration(now - self._began)} so far"
            text = "\n".join(map(spelt_out, [*parts(progress), elapsed]))
            self._bar.update(task, total=progress.total, completed=progress.done + progress.failed, description=text)
        elif now >= self._next_line:
            self._next_line = now + min(max((now - self._began) / 3, _LEAST_APART), _MOST_APART)
            err().print(spelt_out("; ".join(parts(progress))), soft_wrap=True)


def parts(progress: Progress) -> list[str]:
    """Say how far a study is, and who leads on the dataset of the latest fit."""
    n_finished, total = progress.done + progress.failed, counted(progress.total, "fit")
    failed = f", {progress.failed} failed" if progress.failed else ""
    left = f", about {rough_duration(progress.seconds_left)} left" if progress.seconds_left else ""
    state = f"{n_finished} of {total}{failed}{left}"
    if n_finished == progress.total:
        state = f"all {total} finished{failed}"
    standing = progress.standing
    if standing is None:
        return [state]
    best = ", ".join(f"{method} {score:.4g}" for method, score in standing.best[:_MOST_LEADERS])
    over = f"means of {counted(standing.n_fits, 'fit')}{'' if standing.even else '; others have more or fewer'}"
    return [state, f"{standing.metric} on {standing.dataset}: {best} ({over})"]
