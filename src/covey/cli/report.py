"""``covey report``: the report of what a store keeps, without fitting anything again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from covey.cli.options import Force, find_store

EXAMPLES = (
    "covey report covey-wine --force",
    "covey report study.store --study 'spheres against trees' --out spheres.html",
)


def report(
    store: Annotated[
        Path, typer.Argument(metavar="STORE", help="A store, the folder of results that it is in, or a study file.")
    ],
    study: Annotated[
        str | None, typer.Option(metavar="NAME", help="One of several studies in the store. By default all.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="By default report.html beside the store."),
    ] = None,
    force: Force = False,
) -> None:
    """Write the report of what a store keeps: one HTML file. Nothing is fitted again.

    A report that is there already is written anew with --force only.
    """
    from covey.cli.terminal import refuse_existing, say_path
    from covey.report import write_report
    from covey.study.results import Results
    from covey.study.store import Store

    file = find_store(store)
    # In the folder of a comparison it is the report; beside another store it has the store's name.
    known = file.with_name("report.html")
    path = out if out is not None else known if file.name == "results.store" else file.with_suffix(".html")
    refuse_existing(path, "--out", force)
    if study is None:
        with Store.open(file, write=False) as kept:
            names = list(kept.studies())
    else:
        names = [study]
    if not names:
        raise ValueError(f"{file} has no study; run one on it first.")
    written = write_report([Results.in_store(file, name) for name in names], path)
    say_path("Report, to open in a browser:", written)
