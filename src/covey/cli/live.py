"""Progress of a study on the terminal while it runs; lines now and then where the output is no terminal.

What is called for every cell only keeps it. Drawing happens four times a second in a thread of its own, so that
thousands of cells a second are no slower for it.
"""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TYPE_CHECKING

from covey._text import counted, rough_duration, spelt_out
from covey.cli.terminal import err

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from covey.study.progress import Progress, Standing

_PER_SECOND = 4
_FIRST_LINE, _LEAST_APART, _MOST_APART = 3.0, 5.0, 60.0
_ROWS_FOR_THE_REST = 7


class LiveProgress(AbstractContextManager["LiveProgress"]):
    """Shows how far a study is; call it with each `covey.study.Progress`.

    Parameters
    ----------
    workers : str
        Where fits run, in words.
    quiet : bool, default=False
        Whether to show nothing.
    """

    def __init__(self, workers: str, *, quiet: bool = False) -> None:
        self._workers, self._quiet = workers, quiet
        self._began = time.monotonic()
        self._next_line = self._began + _FIRST_LINE
        self._progress: Progress | None = None
        self._standings: dict[str, Standing] = {}
        self._live: Live | None = None

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
        """Keep what is new."""
        if self._quiet:
            return
        self._progress = progress
        if progress.standing is not None:  # in a new dictionary, for the thread that draws may be reading the old one
            self._standings = {**self._standings, progress.standing.dataset: progress.standing}
        now = time.monotonic()
        if self._live is None and now >= self._next_line:
            self._next_line = now + min(max((now - self._began) / 3, _LEAST_APART), _MOST_APART)
            err().print(spelt_out(self.line()), soft_wrap=True)

    def line(self) -> str:
        """Return the state in a line."""
        if self._progress is None:
            return f"starting on {self._workers}"
        state, standing = _state(self._progress), self._progress.standing
        if standing is None:
            return state
        return f"{state}; {standing.metric} on {standing.dataset}: {_best(standing, 3)} (n = {standing.n_fits})"

    def _picture(self) -> RenderableType:
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        progress = self._progress
        if progress is None:
            return Text(f"Reading data and starting {self._workers} ...", style="dim")
        head = Table.grid(padding=(0, 1))
        head.add_row(ProgressBar(progress.total, progress.done + progress.failed, width=24), Text(_state(progress)))
        elapsed = rough_duration(time.monotonic() - self._began)
        parts: list[RenderableType] = [head, Text(f"{self._workers}, {elapsed} so far", style="dim")]
        room = max(err().size.height - _ROWS_FOR_THE_REST, 1)
        standings = list(self._standings.values())[-room:]
        if standings:
            grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
            grid.add_column("dataset", overflow="ellipsis", no_wrap=True, min_width=8, max_width=24)
            grid.add_column(f"ahead so far, by {standings[-1].metric}", overflow="ellipsis", no_wrap=True)
            grid.add_column("fits", justify="right", no_wrap=True)
            for standing in standings:
                best = _best(standing, 3 if err().width >= 100 else 2)
                n_fits = f"{standing.n_fits}{' ' if standing.even else '*'}"
                grid.add_row(Text(spelt_out(standing.dataset)), Text(spelt_out(best)), n_fits)
            even = all(standing.even for standing in standings)
            remark = "" if even else "* other methods have more or fewer fits so far"
            parts += [Text(""), grid, Text(remark, style="dim")]
        return Group(*parts)


def _state(progress: Progress) -> str:
    failed = f", {progress.failed} failed" if progress.failed else ""
    n_finished, total = progress.done + progress.failed, counted(progress.total, "fit")
    if n_finished == progress.total:
        return f"all {total} finished{failed}"
    left = f", about {rough_duration(progress.seconds_left)} left" if progress.seconds_left else ""
    return f"{n_finished} of {total}{failed}{left}"


def _best(standing: Standing, most: int) -> str:
    return ", ".join(f"{method} {score:.4g}" for method, score in standing.best[:most])
