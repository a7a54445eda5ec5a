"""``covey report``: the report of what a store keeps, without fitting anything again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from covey.cli.options import Force

EXAMPLES = (
    "covey report covey-wine",
    "covey report study.store --study 'spheres against trees' --out spheres.html",
)


def report(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="A store, or the folder of results that it is in.")],
    study: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of several studies in the store. By default all.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="By default report.html beside the store."),
    ] = None,
    force: Force = False,
) -> None:
    """Write the report of what a store keeps: one HTML file. Nothing is fitted again."""
    from covey.cli.stores import find_store
    from covey.cli.terminal import refuse_existing, say_path
    from covey.report import write_report
    from covey.study.results import Results
    from covey.study.store import Store

    refuse_existing(out, "--out", force)
    file = find_store(store)
    if study is None:
        with Store.open(file, write=False) as kept:
            names = list(kept.studies())
    else:
        names = [study]
    if not names:
        raise ValueError(f"{file} has no study; run one on it first.")
    found = [Results.in_store(file, name) for name in names]
    written = write_report(found if len(found) > 1 else found[0], out if out is not None else _default(file))
    say_path("Report, to open in a browser:", written)


def _default(store: Path) -> Path:
    """Return report.html in a folder of results, and a name of its own beside another store."""
    return (
        store.with_name("report.html") if store.parent.joinpath("report.html").exists() else store.with_suffix(".html")
    )
