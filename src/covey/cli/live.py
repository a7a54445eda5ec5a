"""Progress of a study on the terminal while it runs; lines now and then where the output is no terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from threading import Event, Lock, Thread
from types import TracebackType
from typing import TYPE_CHECKING

from covey._text import clock_time, listed, spelt_out
from covey.cli.terminal import err

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from covey.study.progress import Progress

_FIRST_LINE, _LEAST_APART, _MOST_APART = 1.0, 5.0, 60.0
_TICK = 0.5
_MOST_RUNNING = 4


class LiveProgress(AbstractContextManager["LiveProgress"]):
    """Shows what is going on, unless it is quiet, with a clock.

    Call it with each `covey.study.Progress`, and its methods with what is done before and beside fits. A thread of its
    own writes, so that the clock runs on during a long fit, and thousands of fits a second are no slower for it.
    """

    def __init__(self, workers: str, *, quiet: bool = False, budget: float | None = None) -> None:
        self._workers, self._quiet, self._budget = workers, quiet, budget
        self._began = time.monotonic()
        self._next_line = self._began + _FIRST_LINE
        self._doing, self._progress = "reading data", None  # type: tuple[str, Progress | None]
        self._bar: Bar | None = None
        self._ended, self._lock = Event(), Lock()
        self._thread: Thread | None = None

    def __enter__(self) -> LiveProgress:
        if self._quiet:
            return self
        if err().is_terminal:
            from rich.progress import BarColumn, Progress as Bar, TextColumn
            from rich.table import Column

            text = TextColumn("{task.description}", markup=False, table_column=Column(overflow="fold"))
            self._bar = Bar(BarColumn(24), text, console=err(), transient=True)
            self._bar.add_task(self._text("\n"), total=None)
            self._bar.start()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show how far a study is; news stay on the screen."""
        self._progress = progress
        if progress.news and not self._quiet:
            err().print(spelt_out(progress.news), soft_wrap=self._bar is None)
        self._write_line()

    def under_way(self, running: Sequence[str]) -> None:
        """Show which fits are under way."""
        self._doing = f"now {listed(list(dict.fromkeys(running)), _MOST_RUNNING)}" if running else ""
        self._write_line()

    def doing(self, text: str) -> None:
        """Show what is done before or after fits."""
        self._doing, self._progress = text, None
        self._write_line()

    def _run(self) -> None:
        while not self._ended.wait(_TICK):
            self._draw()
            self._write_line()

    def _draw(self) -> None:
        if self._bar is not None:
            progress = self._progress
            total, completed = (None, 0) if progress is None else (progress.total, progress.done + progress.failed)
            (task,) = self._bar.task_ids
            self._bar.update(task, total=total, completed=completed, description=self._text("\n"))

    def _write_line(self) -> None:
        """Write how far it is where there is no picture, unless the last line was a short while ago."""
        now = time.monotonic()
        with self._lock:
            if self._quiet or self._bar is not None or now < self._next_line:
                return
            self._next_line = now + min(max((now - self._began) / 3, _LEAST_APART), _MOST_APART)
            err().print(self._text("; "), soft_wrap=True)

    def _text(self, between: str) -> str:
        so_far = clock_time(time.monotonic() - self._began)
        of = "" if self._budget is None else f" of {clock_time(self._budget)}"
        lines = [] if self._progress is None else self._progress.lines()
        parts = [f"{so_far}{of}, {self._workers}", *lines, self._doing]
        return between.join(spelt_out(part) for part in parts if part)
