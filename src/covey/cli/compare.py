"""``covey compare``: which ensemble to use on a table, and why."""

from __future__ import annotations

import warnings
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from covey.cli import options
from covey.cli.completing import complete_data, complete_methods, stem
from covey.cli.errors import FAILED, FITS_FAILED
from covey.cli.predict import members_text

if TYPE_CHECKING:
    from covey.comparison import Comparison

EXAMPLES = (
    "covey compare patients.csv --target outcome --drop id",
    "covey compare wine iris --method mbsasc --method random-forest",
    "covey compare houses.parquet --target price --save-best model.covey",
)

_MOST_IN_FULL = 4


class Task(StrEnum):
    """What there is to predict."""

    classification = "classification"
    regression = "regression"


def compare(
    context: typer.Context,
    data: Annotated[
        list[str],
        typer.Argument(
            metavar="DATA",
            help="A CSV, Excel, Parquet or ARFF file, or the name of a dataset; several at once.",
            autocompletion=complete_data,
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict. Known datasets have their own."),
    ] = None,
    drop: options.Drop = None,
    categorical: options.Categorical = None,
    text: options.Text = None,
    missing: options.Missing = None,
    keep: options.Keep = None,
    task: Annotated[
        Task | None, typer.Option(help="Whether to predict classes or numbers. By default what the target looks like.")
    ] = None,
    methods: Annotated[
        list[str] | None,
        typer.Option(
            "--method",
            "-m",
            metavar="ID|PATH",
            help="Compare these instead: ids ('covey methods' lists them) or import paths such as "
            "sklearn.svm.SVC. Can be repeated.",
            autocompletion=complete_methods,
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="A scorer of scikit-learn, or 'error'. The first one ranks. Can be repeated.",
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="How long everything may take, such as 90s, 10m or 2h; 'none' for no limit. By default five minutes.",
        ),
    ] = None,
    positive: Annotated[
        str | None,
        typer.Option(
            metavar="LABEL",
            help="The class of two that counts in precision, recall and F1, which are told beside the other metrics.",
        ),
    ] = None,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Let rows of rare classes weigh more, in methods that can do so.")
    ] = False,
    log_target: Annotated[
        bool,
        typer.Option(
            "--log-target",
            help="Train on logarithms of the target; predictions and scores are of the target itself.",
        ),
    ] = False,
    n_folds: Annotated[int, typer.Option("--folds", min=2, metavar="N", help="Folds of the cross-validation.")] = 5,
    n_repeats: Annotated[
        int | None,
        typer.Option(
            "--repeats",
            min=1,
            metavar="N",
            help="How often it is repeated. By default up to ten times while the answer is unclear and there is time.",
        ),
    ] = None,
    n_estimators: Annotated[
        int | None,
        typer.Option(
            "--members",
            min=1,
            metavar="N",
            help="Members of each ensemble, rounds of each boosting; the combination 'covey' keeps its own. By default "
            "each method's own.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Same seed, same result.")] = 0,
    workers: options.Workers = None,
    dask: options.Dask = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    retry_failed: options.RetryFailed = False,
    trust: options.Trust = None,
    out: options.Folder = None,
    save_best: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Train the best method on all rows and save it for 'covey predict'.",
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the ranking by each metric here, a row for each method."),
    ] = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    json: options.Json = False,
) -> None:
    """Compare ensembles on a table and write a report that says which to use, and why.

    Repeated cross-validation of covey's combination, its ensembles and what people use today. Everything that is
    finished is kept in the folder of results: stopped by Ctrl-C or otherwise, the same command goes on from there. The
    exit code is 3 if fits have failed, and 130 if it was stopped by Ctrl-C.
    """
    from covey.cli.records import comparison_record, ranking_frame
    from covey.cli.tables import write_csv
    from covey.cli.terminal import clear_for_json, refuse_existing, refuse_file, say_json
    from covey.comparison.budget import Clock, read_budget

    refuse_existing(save_best, "--save-best", force)
    refuse_existing(csv, "--csv", force)
    folder = out if out is not None else Path(f"covey-{_name_of(data)}")
    refuse_file(folder, "--out")
    # The other options have the names of the parameters that they are handed on to.
    others = ("data", "workers", "dask", "csv", "force", "quiet", "json", "balanced")
    wishes = {name: value for name, value in context.params.items() if name not in others}
    wishes["class_weight"] = "balanced" if balanced else None
    wishes |= {"out": folder, "task": task.value if task else None, "overwrite": force}
    lists = {"drop": drop, "categorical": categorical, "text": text, "missing": missing, "keep": keep}
    wishes |= {name: tuple(names or ()) for name, names in lists.items()}
    wishes |= {"trust": tuple(trust or ()), "metrics": metrics or None, "methods": methods or None}
    wishes["budget"] = clock = Clock(read_budget(budget))
    running = options.running(workers, dask, timeout, memory, retry_failed, quiet, clock.seconds)
    with clear_for_json(json), running as settings, warnings.catch_warnings():
        from covey.comparison import compare as run  # takes seconds, which the clock shows

        warnings.filterwarnings("ignore", message="the model that is saved")  # it is told below
        try:
            comparison = run(data if len(data) > 1 else data[0], **{**wishes, **settings})
        except FileExistsError as error:
            raise FileExistsError(str(error).replace("out=, or give overwrite=True", "--out, or add --force")) from None
    failed = bool(comparison.results.counts().get("failed"))
    ranked = any(comparison.ranking(data.name).rows for data in comparison.results.record.datasets)
    if csv is not None:
        write_csv(ranking_frame(comparison.results), csv)
    if json:
        say_json(comparison_record(comparison, save_best))
    else:
        _tell(comparison, failed, csv)
        if save_best is not None and ranked:
            _tell_model(save_best, comparison)
    if failed or not ranked:
        raise typer.Exit(FITS_FAILED if failed else FAILED)


def _name_of(data: list[str]) -> str:
    """Return a name for the folder of results: that of the dataset, or a common one for several."""
    if len(data) > 1:
        return "comparison"
    bare = data[0].rpartition(":")[2] if "/" not in data[0] else data[0]
    name = Path(bare).name
    return stem(name) or name


def _tell(comparison: Comparison, failed: bool, csv: Path | None) -> None:
    """Write the ranking on each dataset, and which file to open."""
    from covey.cli.tables import show_best, show_ranking
    from covey.cli.terminal import as_options, say, say_lines, say_path

    for remark in comparison.results.record.remarks:
        say(f"Warning: {remark}")
    rankings = [comparison.ranking(dataset.name) for dataset in comparison.results.record.datasets]
    if len(rankings) > _MOST_IN_FULL:
        show_best(rankings)
    else:
        for ranking in rankings:
            show_ranking(ranking)
    if len(rankings) > 1:
        say_lines(str(comparison.overall()))
        say()
    for note in comparison.notes:
        say(f"Note: {as_options(note)}")
    for text in comparison.not_tried:
        say(text)
    if failed:
        say("--retry-failed tries again what failed.")
    if csv is not None:
        say_path("Ranking as CSV:", csv)
    say_path("Report, to open in a browser:", comparison.report)


def _tell_model(path: Path, comparison: Comparison) -> None:
    from covey.cli.terminal import say, say_path, shown_path
    from covey.models import needed_trust, read_about

    trust = " ".join(f"--trust {name}" for name in needed_trust(path))
    say_path("Best model, trained on all rows:", path)
    if members := members_text(read_about(path)):
        say(f"Its members: {members}.")
    if comparison.best_is_blind:
        say(f"Warning: it is {comparison.best}, which looks at no column and says the same of every row.")
    say(f"Use it with: covey predict {quote(shown_path(path))} NEW.csv")
    if trust:
        say(f"Others, who have to trust you for it, add {trust}.")
