"""``covey predict``: what a saved model says about new rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from covey.cli.options import Force, Missing

if TYPE_CHECKING:
    import pandas as pd

EXAMPLES = (
    "covey predict model.covey new-patients.csv > predictions.csv",
    "covey predict model.covey new-patients.csv --keep id --proba --out out.csv",
    "covey predict model.covey new-houses.csv --keep all --interval 90",
)

# Names of columns that are written; those of probabilities begin with the same words.
_NUMBERS = ("prediction", "low", "high")
_OWN = ("row", *_NUMBERS)
_PROBABILITY = "probability of "


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model that 'covey compare --save-best' has saved.")],
    new: Annotated[
        Path,
        typer.Argument(
            metavar="NEW", help="A CSV, Excel, Parquet or ARFF file of rows to predict, with or without the target."
        ),
    ],
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            "-k",
            metavar="COLUMN",
            help="Pass this column of NEW on, such as an id, or 'all' of them. Can be repeated.",
        ),
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--proba", "--probabilities", "-p", help="Write the probability of each class too.")
    ] = False,
    interval: Annotated[
        float | None,
        typer.Option(
            min=1,
            max=99.9,
            metavar="PERCENT",
            help="For numbers, write between which two about this share of new values lies, such as 90.",
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PACKAGE",
            help="Run the code of this package, such as lightgbm, on what the file says. Only for files whose author "
            "you know; files of your own need none. Can be repeated.",
        ),
    ] = None,
    max_bytes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="The largest model file to read. By default 2 GiB.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write here instead of to the screen."),
    ] = None,
    missing: Missing = None,
    force: Force = False,
    json: Annotated[bool, typer.Option("--json", help="Write JSON, for programs, in the place of CSV.")] = False,
) -> None:
    """Predict the rows of a file with a saved model, and write them as CSV.

    Each line has the number of a row, from 1, the columns to keep, and what is predicted. A label that a spreadsheet
    would run as a formula gets a quote before it. Where the file has the target too, how well the predictions meet it
    is said on standard error, and whether the model was trained on these rows. Neither loading a model nor predicting
    with it runs code from its file, unless --trust allows it.
    """
    from covey.cli.terminal import note, refuse_existing, shown_path
    from covey.datasets import read_new_rows
    from covey.datasets.new_rows import read_kept
    from covey.models import read_about
    from covey.models.archive import MAX_BYTES

    refuse_existing(out, "--out", force)
    limit = MAX_BYTES if max_bytes is None else max_bytes
    about = read_about(model, max_bytes=limit)
    fitted = _load(model, trust or [], limit)
    half_width = _half_width(about, fitted, interval)
    if probabilities and not hasattr(fitted, "predict_proba"):
        raise ValueError("This model gives no probabilities; leave out --proba.")
    rows = read_new_rows(new, about, fitted, missing=missing or ())
    kept = read_kept(new, keep) if keep else None
    remarks = [_facts(about)] if about.get("method") else []
    remarks += [f"Note: {remark}" for remark in rows.notes]
    trained = trained_on(about, new, rows.frame)
    remarks += [f"Note: {trained.text}"] if trained else []
    for remark in remarks:
        note(remark)
    predicted = fitted.predict(rows.frame)
    columns = _columns(predicted, kept)
    if probabilities:
        shares = fitted.predict_proba(rows.frame)
        columns |= {f"{_PROBABILITY}{label}": shares[:, place] for place, label in enumerate(fitted.classes_)}
    if half_width is not None:
        low = predicted - half_width
        # A price is not below 0 where none was in the training.
        columns |= {"low": low.clip(min=0) if about.get("least") == 0 else low, "high": predicted + half_width}
    further = _said_afterwards(about, rows.target, predicted, half_width, interval, trained, fitted)
    digits = {name: 6 for name in columns if name.startswith(_PROBABILITY)}
    digits |= dict.fromkeys([] if hasattr(fitted, "classes_") else _NUMBERS, 7)
    _write(out, columns, digits, [*remarks, *further] if json else None)
    if out is not None:
        note(f"{len(predicted)} predictions are in {shown_path(out)}.")
    for remark in further:
        note(remark)


def _load(model: Path, trust: list[str], limit: int) -> Any:
    """Load a model; say which option lets it be loaded if that takes trust."""
    from covey.models import load_model
    from covey.models.files import UntrustedError

    try:
        return load_model(model, trust=trust, max_bytes=limit)
    except UntrustedError as error:
        options = " ".join(f"--trust {name}" for name in error.packages)
        raise ValueError(f"{error.problem} If you know who wrote it, add {options}.") from None


def _half_width(about: Mapping[str, Any], fitted: Any, interval: float | None) -> float | None:
    from covey.models import interval_half_width

    if interval is None:
        return None
    if hasattr(fitted, "classes_"):
        raise ValueError("--interval is for models that predict numbers; this one predicts classes: use --proba.")
    return interval_half_width(about, interval)


@dataclass(frozen=True)
class Trained:
    """Rows that a model was trained on among those to predict."""

    text: str  # which they are
    all: bool  # whether they are all


def trained_on(about: Mapping[str, Any], file: Path, frame: pd.DataFrame) -> Trained | None:
    """Tell whether a model was trained on a file, or on some rows that equal those of it."""
    from hashlib import file_digest

    from covey.models import count_training_rows

    if isinstance(about.get("sha256"), str):
        with file.open("rb") as stream:
            if file_digest(stream, "sha256").hexdigest() == about["sha256"]:
                return Trained("this is the file that the model was trained on.", True)
    count, exact = count_training_rows(about, frame)
    if not count:
        return None
    every = count == len(frame)
    some = f"{'' if exact else 'about '}{count} of the {len(frame)} rows"
    share = f"all {count} rows" if every and exact else some
    return Trained(f"{share} equal rows that the model was trained on.", every)


def _said_afterwards(
    about: Mapping[str, Any],
    target: Any,
    predicted: Any,
    half_width: float | None,
    interval: float | None,
    trained: Trained | None,
    fitted: Any,
) -> list[str]:
    """Say what intervals mean, and how well predictions meet the truth, which is no merit on rows of the training."""
    said = []
    if half_width is not None:
        said.append(
            f"Intervals: about {interval:g}% of new rows like those of the training lie within {_size(half_width)} of "
            "the prediction, as did rows left out of the training in cross-validation."
        )
    if target is None:
        return said
    which = f", {'' if trained.all else 'some of '}which the model was trained on" if trained else ""
    text = _judge(target, predicted, str(about.get("task")), getattr(fitted, "classes_", ()), which)
    if half_width is not None:
        inside = (target.astype("float64") - predicted).abs()[target.notna()] <= half_width
        text += f" {100 * inside.mean():.0f}% of them lie in their intervals."
    if trained:
        expected = _expected(about)
        text += f" This says little about new rows{expected and f'; in cross-validation it had {expected}'}."
    return [*said, text]


def _expected(about: Mapping[str, Any]) -> str:
    """Write the scores that a model had in cross-validation."""
    from covey.analysis.ranking.metrics import describe_metric, split_metric

    scores, task, texts = about.get("scores"), str(about.get("task")), []
    for metric, estimate in scores.items() if isinstance(scores, dict) else ():
        known = estimate if isinstance(estimate, dict) else {}
        mean, *ends = map(known.get, ("mean", "low", "high"))
        if not isinstance(mean, float):
            continue
        base = split_metric(str(metric))[0]
        is_error = describe_metric(f"neg_{base}", task).meaning  # errors are kept under their natural names
        words = describe_metric(f"neg_{metric}" if is_error else str(metric), task)
        span = [end for end in ends if isinstance(end, float)]
        decimals = words.decimals([(span[1] - span[0]) / 2] if len(span) == 2 else (), [mean])
        interval = f" ({' to '.join(words.value(end, decimals) for end in span)})" if len(span) == 2 else ""
        texts.append(f"{words.name} {words.value(mean, decimals)}{interval}")
    return ", ".join(texts)


def _facts(about: Mapping[str, Any]) -> str:
    """Say what a model is, and how well it is expected to do."""
    parts, expected = members_text(about), _expected(about)
    text = f"{about['method']}{parts and f' of {parts}'}, trained on {about.get('rows')} rows of {about.get('dataset')}"
    compared = about.get("compared_rows")
    sample = f", as on a sample of {compared} of them" if isinstance(compared, int) else ""
    return f"Model: {text}{expected and f'; expect {expected}{sample}'}."


def members_text(about: Mapping[str, Any]) -> str:
    """Name the members of a combination with their weights, as its card tells; "" of other models."""
    members = about.get("members")
    weights = members.items() if isinstance(members, dict) else ()
    return ", ".join(f"{name} {100 * weight:.0f}%" for name, weight in weights if isinstance(weight, float))


def _columns(predicted: Any, kept: pd.DataFrame | None) -> dict[str, Any]:
    """Return the columns to write up to the prediction; one of the file that has the name of another says so."""
    columns: dict[str, Any] = {"row": range(1, len(predicted) + 1)}
    for name, values in kept.items() if kept is not None else ():
        taken = name in _OWN or str(name).startswith(_PROBABILITY)
        columns[f"{name} of the file" if taken else str(name)] = [_as_it_stands(value) for value in values]
    return {**columns, "prediction": predicted}


def _as_it_stands(value: Any) -> Any:
    from covey.analysis.tables.formats import is_missing
    from covey.datasets.tidy import label_text

    return None if is_missing(value) else label_text(value)


def _write(path: Path | None, columns: Mapping[str, Any], digits: Mapping[str, int], remarks: list[str] | None) -> None:
    """Write predictions in UTF-8, whatever the terminal's letters; with remarks as JSON, else as CSV.

    In CSV, numbers of some columns have so many significant digits at most.
    """
    import csv
    import io
    import sys

    from covey._text import spelt_out
    from covey.analysis.tables.formats import csv_cell
    from covey.cli.terminal import json_text

    lines = zip(*columns.values(), strict=True)
    if remarks is not None:
        rows = [dict(zip(columns, line, strict=True)) for line in lines]
        content = json_text({"remarks": remarks, "rows": rows})
    else:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([csv_cell(name) for name in columns])
        for line in lines:
            values = zip(columns, line, strict=True)
            writer.writerow([_rounded(v, digits[name]) if name in digits else csv_cell(v) for name, v in values])
        content = text.getvalue()
    if path is not None:
        path.write_bytes(content.encode())
        return
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="")
    sys.stdout.write(spelt_out(content, keep="\n") if sys.stdout.isatty() else content)


def _rounded(number: float, digits: int) -> str:
    """Write a number with so many significant digits at most."""
    text = f"{number:.{digits}g}"
    return str(float(text)) if "e+" in text else text


def _judge(target: Any, predicted: Any, task: str, classes: Any, which: str) -> str:
    """Say how well predictions meet the truth where it is known; `which` tells more of those rows."""
    import numpy as np

    from covey._text import quoted
    from covey.datasets.tidy import label_text

    known = target.notna().to_numpy()
    truth, labels = target[known].to_numpy(), np.asarray(predicted)[known]
    if task == "regression":
        wrong = labels.astype("float64") - truth.astype("float64")
        spread = ((truth - truth.mean()) ** 2).sum()
        r2 = f", R² {1 - (wrong**2).sum() / spread:.3f}" if spread > 0 else ""
        return (
            f"Against the {len(truth)} known values of {target.name}{which}: root mean squared error "
            f"{_size(np.sqrt((wrong**2).mean()))}, mean absolute error {_size(np.abs(wrong).mean())}{r2}."
        )
    right = n_alike(labels, truth)
    share = f"{right} right, accuracy {right / len(truth):.1%}."
    text = f"Against the {len(truth)} known values of {target.name}{which}: {share}"
    distinct = dict.fromkeys(truth.tolist())
    strange = [label_text(label) for label in distinct if not any(_are_alike(label, known) for known in classes)]
    if strange:
        text += f" The model never saw {quoted(strange)} in training, and cannot predict that."
    return text


def _size(number: float) -> str:
    """Write the size of an error: four digits, or all before the point."""
    return f"{number:.0f}" if number >= 1000 else f"{number:.4g}"


def n_alike(first: Any, second: Any) -> int:
    """Return in how many places two arrays have the same label."""
    return sum(map(_are_alike, first, second))


def _are_alike(label: Any, other: Any) -> bool:
    """Whether labels are the same: two texts, or a number and a number of another type, or its text."""
    if isinstance(label, str) and isinstance(other, str):
        return label == other
    try:
        return float(str(label)) == float(str(other))
    except ValueError:
        return str(label) == str(other)
