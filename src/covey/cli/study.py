"""``covey study``: studies as files, checked, run, watched and read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from covey.cli import options
from covey.cli.errors import FITS_FAILED

if TYPE_CHECKING:
    from covey.study import Results, Study

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
Kept = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A study file (TOML), a store, or a folder that 'covey compare' has made."),
]
Name = Annotated[str | None, typer.Option("--study", metavar="NAME", help="One of several studies in a store.")]


@app.command(no_args_is_help=True)
def check(file: File, trust: options.Trust = None, json: options.Json = False) -> None:
    """Say everything that is wrong with a study file. Nothing is run.

    Methods are made, and datasets looked for.
    """
    from covey._text import counted
    from covey.cli.terminal import say, say_json
    from covey.study import check_study
    from covey.study.record import describe_protocol, protocol_text

    study = _read(file, trust)
    check_study(study)
    n_fits = study.protocol.n_fits
    n_cells = n_fits * len(study.datasets) * len(study.methods)
    if json:
        names = {kind: [one.name for one in getattr(study, kind)] for kind in ("methods", "datasets")}
        say_json({"study": study.name, **names, "protocol": describe_protocol(study.protocol), "fits": n_cells})
        return
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
    json: options.Json = False,
) -> None:
    """Carry out what the store of a study lacks.

    Every fit is kept as soon as it is finished. Stopped by Ctrl-C or killed, the same command goes on from there. The
    exit code is 3 if fits have failed, and 130 if it was stopped by Ctrl-C.
    """
    from covey.cli.records import results_record
    from covey.cli.tables import show_failures, show_scores
    from covey.cli.terminal import clear_for_json, refuse_existing, say_json, say_path
    from covey.study import check_study, run_study

    refuse_existing(report, "--report", force)
    study = _read(file, trust)
    check_study(study)
    running = options.running(workers, dask, timeout, memory, retry_failed, quiet)
    with clear_for_json(json), running as settings:
        results = run_study(study, _store(file, store), **settings)
    if report is not None:
        from covey.report import write_report

        write_report(results, report)
    if json:
        say_json({**results_record(results), "store": results.store, "report": report})
    else:
        show_scores(results)
        show_failures(results)
    if report is not None and not json:
        say_path("Report, to open in a browser:", report)
    if results.counts().get("failed"):
        raise typer.Exit(FITS_FAILED)


@app.command(no_args_is_help=True)
def status(
    file: Kept,
    store: options.StoreOption = None,
    study: Name = None,
    trust: options.Trust = None,
    json: options.Json = False,
) -> None:
    """Say how far a study is, by dataset and method. Nothing is run or written; another process may be at it."""
    from covey.cli.records import status_record
    from covey.cli.tables import show_status
    from covey.cli.terminal import say_json

    record = status_record(_results(file, store, study, trust))
    say_json(record) if json else show_status(record)


@app.command(no_args_is_help=True, epilog=options.examples(RESULTS_EXAMPLES))
def results(
    file: Kept,
    store: options.StoreOption = None,
    study: Name = None,
    trust: options.Trust = None,
    metric: Annotated[
        str | None, typer.Option(metavar="NAME", help="Another metric; it is found from the predictions that are kept.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a row for each fit here.")] = None,
    latex: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the table of means here.")] = None,
    force: options.Force = False,
    json: options.Json = False,
) -> None:
    """Show the mean score of each method on each dataset."""
    from covey.cli.records import results_record
    from covey.cli.tables import show_scores, with_metric, write_csv, write_latex
    from covey.cli.terminal import note, refuse_existing, say_json, shown_path

    for option, path in (("--csv", csv), ("--latex", latex)):
        refuse_existing(path, option, force)
    kept = _results(file, store, study, trust)
    if not Path(kept.store).exists():
        where = shown_path(kept.store)
        raise FileNotFoundError(f"There is no store {where}; run the study first, or name its --store.")
    shown = with_metric(kept, metric)
    say_json(results_record(shown)) if json else show_scores(shown)
    if csv is not None:
        write_csv(shown.frame(), csv)
    if latex is not None:
        write_latex(shown, latex)
    for path in (csv, latex):
        if path is not None:
            note(f"Written: {shown_path(path)}")


def _results(file: Path, store: Path | None, study: str | None, trust: list[str] | None) -> Results:
    """Return what there is of a study that a file tells, or that a store or its folder keeps."""
    from covey.study.results import Results

    if not options.is_store(file):
        if study is not None:
            raise ValueError("--study chooses among the studies of a store; a study file has one.")
        return Results.of(_read(file, trust), _store(file, store))
    if store is not None:
        raise ValueError("--store goes with a study file; name the store, or its folder, alone.")
    return Results.in_store(options.find_store(file), study)


def _store(file: Path, named: Path | None) -> Path:
    """Return the store that is named, or the one beside a study file."""
    return named if named is not None else file.with_suffix(options.SUFFIX)


def _read(file: Path, trust: list[str] | None) -> Study:
    from covey.study import read_study

    return read_study(file, trust=tuple(trust or ()))
