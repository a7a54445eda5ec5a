"""``covey methods``: the published systems and their ids."""

from __future__ import annotations

from typing import Annotated

import typer

from covey.cli.compare import Task
from covey.cli.completing import complete_families, complete_papers

EXAMPLES = ("covey methods --paper multistrategy", "covey methods --family boosting")

_WIDE = 110


def methods(
    paper: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only those of this paper.", autocompletion=complete_papers)
    ] = None,
    family: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only those of this family.", autocompletion=complete_families)
    ] = None,
    task: Annotated[Task | None, typer.Option(help="Only those that can do this.")] = None,
) -> None:
    """List the published systems: their ids, for --method and for study files, and what they are."""
    from covey.cli.terminal import out, say, table
    from covey.registry import PAPERS
    from covey.registry import methods as known

    chosen = [entry for entry in known(family=family, paper=paper) if task is None or task.value in entry.tasks]
    if not chosen:
        say("There is none.")
        return
    wide = out().width >= _WIDE
    columns = ["id", *(["name"] if wide else []), "paper", "family", "what it is"]
    rows = [[one.id, *([one.name] if wide else []), one.paper, one.family, one.description] for one in chosen]
    out().print(table(columns, rows))
    for id in dict.fromkeys(one.paper for one in chosen):
        say(f"{id}: {PAPERS[id]}")
