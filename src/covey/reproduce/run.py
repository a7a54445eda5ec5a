"""The run of a paper's experiments, and what comes of it: views, verdicts and a report."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from covey._arguments import check_number
from covey._files import write_whole
from covey._text import quoted
from covey.report.page import Block, Page, Prose
from covey.report.rendering import render_page
from covey.reproduce.experiments import study_of
from covey.reproduce.page import page_of
from covey.reproduce.paper import (
    Claim,
    Experiment,
    Found,
    Lacking,
    Paper,
    Shares,
    Verdict,
    View,
    by_table,
    find_paper,
)
from covey.reproduce.text import to_text
from covey.study import Study
from covey.study.progress import Progress
from covey.study.run import run_study

REPORT = "report.html"


@dataclass(frozen=True, eq=False, repr=False)
class Reproduction:
    """What came of a paper's experiments.

    Parameters
    ----------
    paper : Paper
    found : Found
        The results of the experiments.
    views : tuple of (View, tuple of Block)
        Tables and figures, ours beside the published.
    verdicts : tuple of (Claim, Verdict)
    report : Path
        The report that was written.
    """

    paper: Paper
    found: Found
    views: tuple[tuple[View, tuple[Block, ...]], ...]
    verdicts: tuple[tuple[Claim, Verdict], ...]
    report: Path

    def page(self) -> Page:
        """Return the report before it is rendered."""
        return page_of(self)

    def __str__(self) -> str:
        return to_text(self)

    def __repr__(self) -> str:
        return (
            f"<Reproduction of {self.paper.id!r}, {self.found.kind}: {len(self.verdicts)} claims judged, {self.report}>"
        )


def reproduce(
    paper: str,
    *,
    out: str | os.PathLike[str],
    tables: Sequence[str | int] = (),
    quick: bool = True,
    repeats: Shares = 1.0,
    n_workers: int = 1,
    cluster: str | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    retry_failed: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Reproduction:
    """Carry out the experiments of a paper, judge its claims and write a report.

    What was carried out is kept in a store, so that a run that was stopped goes on where it was.

    Parameters
    ----------
    paper : str
        Its short name; `papers` has those there are.
    out : path
        A folder for the store and for ``report.html``; it is made if it is not there.
    tables : sequence of str
        Carry out only what these tables and figures need: "2", "figure 3". By default all of the paper. Only claims
        that their experiments bear on are judged then.
    quick : bool, default=True
        Whether to do less than the paper: fewer repeats, smaller ensembles, no large datasets.
    repeats : float or mapping of str to float, default=1.0
        The share of the paper's repeats, rounded up, that each experiment of a run has that is not quick. All else is
        as published, and a later run with a larger share goes on from there. A mapping has shares by tables, figures
        and experiments, and as "" that of all others: ``{"": 0.1, "11": 1.0}``.
    n_workers, cluster, timeout, memory, retry_failed
        See `covey.study.run_study`.
    progress : callable, optional
        Called with a `covey.study.Progress` of all experiments together after every fit.

    Returns
    -------
    Reproduction

    Raises
    ------
    ValueError
        There is no such paper or table.
    """
    plan = find_paper(paper)
    views = _views(plan, tables)
    _check_repeats(plan, repeats, quick)
    _require_report()
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / f"{plan.id}-{'quick' if quick else 'full'}.store"
    needs = {need for view in views for need in view.needs}
    experiments = [one for one in plan.experiments if not tables or one.id in needs]
    studies, missing = _studies(plan, experiments, quick, repeats)
    every = _Together(studies, progress)
    limits = {"timeout": timeout, "memory": memory, "retry_failed": retry_failed}
    results = {
        id: run_study(study, store, n_workers=n_workers, cluster=cluster, progress=every.watch(id), **limits)  # type: ignore[arg-type]
        for id, study in studies.items()
    }
    ran = Found(results, quick, missing, repeats)
    claims = [claim for claim in plan.claims if not tables or (claim.needs and set(claim.needs) <= set(ran))]
    return _reported(plan, ran, views, claims, folder / REPORT)


def judge(claim: Claim, results: Found) -> Verdict:
    """Return the verdict on a claim; one none of whose experiments was carried out cannot be tested."""
    if claim.needs and not set(claim.needs) & set(results):
        why = f"experiment {quoted(claim.needs)} was not carried out, for none of its datasets is there"
        return Verdict("not testable", why)
    return claim.judge(results)


def show(view: View, results: Found) -> tuple[Block, ...]:
    """Return the blocks of a view; a sentence where what it needs is lacking."""
    if view.needs and not set(view.needs) & set(results):
        return (Prose((f"Experiment {quoted(view.needs)} was not carried out: none of its datasets is there.",)),)
    try:
        return tuple(view.show(results))
    except Lacking as lack:
        return (Prose((str(lack),)),)


def _reported(
    paper: Paper, results: Found, views: Sequence[View], claims: Sequence[Claim], report: Path
) -> Reproduction:
    """Make views and verdicts, and write the report."""
    shown = tuple((view, show(view, results)) for view in views)
    verdicts = tuple((claim, judge(claim, results)) for claim in claims)
    made = Reproduction(paper, results, shown, verdicts, report)
    write_whole(report, render_page(made.page()).encode())
    return made


def _views(paper: Paper, tables: Sequence[str | int]) -> tuple[View, ...]:
    """Return the views of a paper that were asked for, all if none was."""
    if isinstance(tables, str):
        raise TypeError(f"tables={tables!r} must be a sequence; write tables=[{tables!r}].")
    wanted = [str(table).strip().lower().removeprefix("table ") for table in tables]
    known = [view.id for view in paper.views]
    for table in wanted:
        if table not in known:
            raise ValueError(f"tables: {table!r} is none of {paper.id!r} that can be made; there are {quoted(known)}.")
    return tuple(view for view in paper.views if not wanted or view.id in wanted)


def _check_repeats(paper: Paper, repeats: Shares, quick: bool) -> None:
    """Raise unless they are shares of what there is, and of a run that is not quick, which has repeats of its own."""
    known = {"", *(name for one in paper.experiments for name in (one.id, *one.serves))}
    for name, share in by_table(repeats).items():
        check_number(f"repeats[{name!r}]" if name else "repeats", share, 0.0, 1.0)
        if name not in known:
            there = quoted(sorted(known - {""}))
            raise ValueError(f"repeats: {name!r} is no table or experiment of {paper.id!r}; there are {there}.")
    if quick and repeats != 1:
        raise ValueError(f"repeats={repeats!r} is for full runs; give quick=False with it.")


def _studies(
    paper: Paper, experiments: Sequence[Experiment], quick: bool, repeats: Shares
) -> tuple[dict[str, Study], dict[str, str]]:
    """Return the studies that can be carried out, and the datasets that are not there with how to get each."""
    studies: dict[str, Study] = {}
    missing: dict[str, str] = {}
    for experiment in experiments:
        study, lacking = study_of(paper.id, experiment, quick=quick, repeats=repeats)
        missing |= lacking
        if study is not None:
            studies[experiment.id] = study
    return studies, missing


def _require_report() -> None:
    """Say before the work begins that its report could not be written."""
    for package in ("jinja2", "matplotlib"):
        if find_spec(package) is None:
            raise ImportError(f"The report of a reproduction needs {package}: pip install 'covey[study]'.")


class _Together:
    """The progress of several studies, in the order in which they are carried out, as of one."""

    def __init__(self, studies: dict[str, Study], progress: Callable[[Progress], None] | None) -> None:
        self._progress = progress
        self._cells = {
            id: len(study.datasets) * len(study.methods) * study.protocol.n_fits for id, study in studies.items()
        }
        self._latest: dict[str, tuple[int, int]] = {}

    def watch(self, id: str) -> Callable[[Progress], None] | None:
        """Return who is told of the progress of a study."""
        if self._progress is None:
            return None
        tell, before = self._progress, list(self._cells)[: list(self._cells).index(id)]

        def watch(progress: Progress) -> None:
            self._cells[id] = progress.total
            self._latest[id] = progress.done, progress.failed
            # A study that the store had all of told nothing, and is done.
            earlier = [self._latest.get(other, (self._cells[other], 0)) for other in before]
            done, failed = (sum(counts) for counts in zip(self._latest[id], *earlier, strict=True))
            total, left = sum(self._cells.values()), progress.total - progress.done - progress.failed
            # The cells of later studies are taken for as long as those that are left of this one.
            seconds = progress.seconds_left * (total - done - failed) / left if progress.seconds_left and left else None
            tell(replace(progress, total=total, done=done, failed=failed, seconds_left=seconds))

        return watch
