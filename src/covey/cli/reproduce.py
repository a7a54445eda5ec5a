"""``covey reproduce``: a paper's experiments, tried again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from covey.cli import options
from covey.cli.completing import complete_reproduced

if TYPE_CHECKING:
    from covey.reproduce.paper import Shares

EXAMPLES = (
    "covey reproduce",
    "covey reproduce multistrategy --quick",
    "covey reproduce rsc --table 4 --full --workers 8",
)


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER",
            help="Its short name; without it the papers are listed.",
            autocompletion=complete_reproduced,
        ),
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="N", help="Only this table, such as 2, or 'figure 3'. Can be repeated."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option("--quick/--full", help="A few minutes on fewer repeats, or everything as published."),
    ] = True,
    repeats: Annotated[
        list[str] | None,
        typer.Option(
            "--repeats",
            metavar="SHARE",
            help="With --full: only this share of the paper's repeats, such as 0.1; a later run goes on from there. "
            "Given again as 11=1 it is of table 11.",
        ),
    ] = None,
    workers: options.Workers = None,
    dask: options.Dask = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    retry_failed: options.RetryFailed = False,
    out: options.Folder = None,
    docs: Annotated[
        Path | None,
        typer.Option(
            "--docs", metavar="DIR", help="Write a page in Markdown, and the figures as CSV, into this folder."
        ),
    ] = None,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Try a paper's experiments again: our figures beside the published ones, and a verdict on each claim.

    Stopped, the same command goes on where it was. Datasets that are missing are named with how to get them.
    """
    from covey.cli.records import reproduction_record
    from covey.cli.terminal import clear_for_json, refuse_file, say_json, say_lines

    if paper is None:
        _list(json)
        return
    from covey.reproduce import find_paper, reproduce as run, write_evidence

    shares = _shares(repeats)
    folder = out if out is not None else Path(f"covey-{find_paper(paper).id}")
    refuse_file(folder, "--out")
    if docs is not None:
        refuse_file(docs, "--docs")
    running = options.running(workers, dask, timeout, memory, retry_failed, quiet)
    with clear_for_json(json), running as settings:
        made = run(paper, tables=tuple(table or ()), quick=quick, repeats=shares, out=folder, **settings)
    if docs is not None:
        write_evidence(made, docs)
    if json:
        say_json(reproduction_record(made))
    else:
        say_lines(str(made))


def _shares(given: list[str] | None) -> Shares:
    """Return the shares of repeats that were given: "0.1" for all, "11=1" for a table."""
    shares: dict[str, float] = {}
    for text in given or ():
        name, _, share = text.rpartition("=")
        try:
            shares[name.strip().lower().removeprefix("table ")] = float(share)
        except ValueError:
            raise ValueError(f"--repeats {text}: {share!r} is no number; write 0.1, or 11=0.1 for table 11.") from None
    return shares if set(shares) - {""} else shares.get("", 1.0)


def _list(json: bool) -> None:
    """List the papers with what can be made of each."""
    from covey.cli.terminal import out, say, say_json, table
    from covey.reproduce import find_paper, papers

    known = [find_paper(id) for id in papers()]
    views = {one.id: [view.id for view in one.views] for one in known}
    if json:
        say_json(
            [{"id": one.id, "title": one.title, "views": views[one.id], "claims": len(one.claims)} for one in known]
        )
        return
    rows = [[one.id, one.title, ", ".join(views[one.id]), str(len(one.claims))] for one in known]
    out().print(table(["paper", "title", "tables and figures", "claims"], rows, right=["claims"]))
    say("Try one with: covey reproduce PAPER")
