"""``covey methods``: covey's own method, the published systems, and their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.cli import options
from covey.cli.compare import Task
from covey.cli.completing import complete_families, complete_papers

EXAMPLES = ("covey methods --paper multistrategy", "covey methods --family boosting")

if TYPE_CHECKING:
    from covey.registry import Method

_WIDE = 110


def methods(
    paper: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only those of this paper.", autocompletion=complete_papers)
    ] = None,
    family: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only those of this family.", autocompletion=complete_families)
    ] = None,
    task: Annotated[Task | None, typer.Option(help="Only those that can do this.")] = None,
    json: options.Json = False,
) -> None:
    """List methods by id, for --method and study files, and what 'covey compare' tries by default.

    The first one, covey, combines the others; the rest are published systems.
    """
    from covey.cli.terminal import say, say_json
    from covey.registry import methods as known

    chosen = [entry for entry in known(family=family, paper=paper) if task is None or task.value in entry.tasks]
    default = _shortlist([task] if task else list(Task)) if paper is None and family is None else []
    if json:
        named = ("id", "name", "paper", "family", "tasks", "description")
        published = [{name: getattr(entry, name) for name in named} for entry in chosen]
        say_json({"methods": published, "compared_by_default": default})
        return
    if chosen:
        _list_published(chosen)
    else:
        say("No method can do this.")
    if default:
        _list_shortlist(default)


def _list_published(chosen: list[Method]) -> None:
    from covey.cli.terminal import out, say, table
    from covey.registry import PAPERS

    wide = out().width >= _WIDE
    columns = ["id", *(["name"] if wide else []), "paper", "family", "what it is"]
    rows = [
        [entry.id, *([entry.name] if wide else []), entry.paper, entry.family, entry.description] for entry in chosen
    ]
    out().print(table(columns, rows))
    for id in dict.fromkeys(entry.paper for entry in chosen):
        say(f"{id}: {PAPERS[id]}")


def _shortlist(tasks: list[Task]) -> list[dict[str, Any]]:
    """Return what is compared by default, on up to how many rows, and why not if it is not."""
    from covey.study.shortlist import CANDIDATES

    return [
        {"method": one.method.name, "task": task.value, "most_rows": one.most_rows, "why_not": one.why_not(0)}
        for task in tasks
        for one in CANDIDATES[task.value]
    ]


def _list_shortlist(default: list[dict[str, Any]]) -> None:
    from covey.cli.terminal import out, say, table

    rows = []
    for one in default:
        limit = f"up to {one['most_rows']} rows" if one["most_rows"] else ""
        rows.append([one["method"], one["task"], one["why_not"] or limit])
    say()
    say("Compared by default:", style="bold")
    out().print(table(["method", "task", ""], rows))
    say("Their names go with --method, too, between quotes or with dashes.")
