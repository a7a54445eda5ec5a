"""``covey study``: studies as files, checked, run, watched and read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from covey.cli import options
from covey.cli.errors import FITS_FAILED

if TYPE_CHECKING:
    from covey.study import Study

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Check, run, watch and read studies: methods on datasets, told in a TOML file.",
)

RUN_EXAMPLES = (
    "covey study run study.toml",
    "covey study run study.toml --workers 4 --timeout 600 --memory 2GB",
    "covey study run study.toml --dask tcp://head:8786 --report report.html",
)
RESULTS_EXAMPLES = (
    "covey study results study.toml",
    "covey study results study.toml --metric balanced_accuracy --csv fits.csv",
)

File = Annotated[Path, typer.Argument(metavar="FILE", help="A study file (TOML).")]


@app.command(no_args_is_help=True)
def check(file: File, trust: options.Trust = None) -> None:
    """Say everything that is wrong with a study file. Nothing is run.

    Methods are made, and datasets looked for.
    """
    from covey._text import counted
    from covey.cli.terminal import say
    from covey.study import check_study
    from covey.study.record import describe_protocol, protocol_text

    study = _read(file, trust)
    check_study(study)
    n_fits = study.protocol.n_fits
    n_cells = n_fits * len(study.datasets) * len(study.methods)
    say(f"{study.name}: nothing is wrong.")
    say(
        f"{counted(len(study.methods), 'method')} on {counted(len(study.datasets), 'dataset')}, "
        f"{protocol_text(describe_protocol(study.protocol))}: {counted(n_cells, 'fit')}."
    )


@app.command(no_args_is_help=True, epilog=options.examples(RUN_EXAMPLES))
def run(
    file: File,
    store: options.StoreOption = None,
    workers: options.Workers = None,
    dask: options.Dask = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    retry_failed: options.RetryFailed = False,
    trust: options.Trust = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the report here when all is done."),
    ] = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Carry out what the store of a study lacks.

    Every fit is kept as soon as it is finished. Stopped by Ctrl-C or killed, the same command goes on from there. The
    exit code is 3 if fits have failed, and 130 if it was stopped by Ctrl-C.
    """
    from covey.cli.tables import show_failures, show_scores
    from covey.cli.terminal import refuse_existing, say_path
    from covey.study import check_study, run_study

    refuse_existing(report, "--report", force)
    study = _read(file, trust)
    check_study(study)
    with options.running(workers, dask, timeout, memory, retry_failed, quiet) as settings:
        results = run_study(study, _store(file, store), **settings)
    show_scores(results)
    show_failures(results)
    if report is not None:
        from covey.report import write_report

        say_path("Report, to open in a browser:", write_report(results, report))
    if results.counts().get("failed"):
        raise typer.Exit(FITS_FAILED)


@app.command(no_args_is_help=True)
def status(file: File, store: options.StoreOption = None, trust: options.Trust = None) -> None:
    """Say how far a study is, by dataset and method. Nothing is run or written; another process may be at it."""
    from covey.cli.tables import show_status

    study = _read(file, trust)
    show_status(study, _store(file, store))


@app.command(no_args_is_help=True, epilog=options.examples(RESULTS_EXAMPLES))
def results(
    file: File,
    store: options.StoreOption = None,
    trust: options.Trust = None,
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another metric; it is found from the predictions that are kept.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row for each fit here.")] = None,
    latex: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the table of means here.")] = None,
    force: options.Force = False,
) -> None:
    """Show the mean score of each method on each dataset."""
    from covey.cli.tables import show_scores, with_metric, write_csv, write_latex
    from covey.cli.terminal import note, refuse_existing, shown_path
    from covey.study.results import Results

    for option, path in (("--csv", csv), ("--latex", latex)):
        refuse_existing(path, option, force)
    kept = _store(file, store)
    if not kept.exists():
        raise FileNotFoundError(f"There is no store {shown_path(kept)}; run the study first, or name its --store.")
    results = with_metric(Results.of(_read(file, trust), kept), metric)
    show_scores(results)
    for path, write in ((csv, write_csv), (latex, write_latex)):
        if path is not None:
            write(results, path)
            note(f"Written: {shown_path(path)}")


def _store(file: Path, named: Path | None) -> Path:
    """Return the store that is named, or the one beside a study file."""
    return named if named is not None else file.with_suffix(options.SUFFIX)


def _read(file: Path, trust: list[str] | None) -> Study:
    from covey.study import read_study

    return read_study(file, trust=tuple(trust or ()))
