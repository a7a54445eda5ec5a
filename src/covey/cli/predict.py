"""``covey predict``: what a saved model says about new rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from covey.cli.options import Force, Missing

EXAMPLES = (
    "covey predict model.covey new-patients.csv > predictions.csv",
    "covey predict model.covey new-patients.csv --probabilities --out predictions.csv",
)


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model that 'covey compare --save-best' has saved.")],
    new: Annotated[
        Path,
        typer.Argument(
            metavar="NEW", help="A CSV, Excel, Parquet or ARFF file of rows to predict, with or without the target."
        ),
    ],
    probabilities: Annotated[
        bool, typer.Option("--probabilities", "-p", help="Write the probability of each class too.")
    ] = False,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PACKAGE",
            help="Run the code of this package, such as lightgbm, on what the file says. Only for files whose author "
            "you know. Can be repeated.",
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
) -> None:
    """Predict the rows of a file with a saved model, and write them as CSV.

    Each line has the number of a row, from 1, and what is predicted. A label that a spreadsheet would run as a formula
    gets a quote before it. Where the file has the target too, how well the predictions meet it is said on standard
    error. Neither loading a model nor predicting with it runs code from its file, unless --trust allows it.
    """
    from covey.cli.terminal import note, refuse_existing, shown_path
    from covey.datasets import read_new_rows
    from covey.models import load_model, read_about
    from covey.models.archive import MAX_BYTES

    refuse_existing(out, "--out", force)
    limit = MAX_BYTES if max_bytes is None else max_bytes
    about = read_about(model, max_bytes=limit)
    fitted = load_model(model, trust=trust or (), max_bytes=limit)
    rows = read_new_rows(new, about, fitted, missing=missing or ())
    if about.get("method"):
        note(_facts(about))
    for remark in rows.notes:
        note(f"Note: {remark}")
    if probabilities and not hasattr(fitted, "predict_proba"):
        raise ValueError("This model gives no probabilities; leave out --probabilities.")
    predicted = fitted.predict(rows.frame)
    shares = fitted.predict_proba(rows.frame) if probabilities else None
    _write(out, predicted, shares, [str(label) for label in getattr(fitted, "classes_", ())])
    if out is not None:
        note(f"{len(predicted)} predictions are in {shown_path(out)}.")
    if rows.target is not None:
        note(_judge(rows.target, predicted, str(about.get("task")), getattr(fitted, "classes_", ())))


def _facts(about: Mapping[str, Any]) -> str:
    """Say what a model is, and how well it is expected to do."""
    parts = members_text(about)
    text = f"{about['method']}{parts and f' of {parts}'}, trained on {about.get('rows')} rows of {about.get('dataset')}"
    scores = about.get("scores")
    for metric, estimate in scores.items() if isinstance(scores, dict) else ():
        if isinstance(estimate, dict) and isinstance(estimate.get("mean"), float):
            low, high = estimate.get("low"), estimate.get("high")
            span = f" ({low:.3g} to {high:.3g})" if isinstance(low, float) and isinstance(high, float) else ""
            text += f"; expect {metric} {estimate['mean']:.3g}{span}"
    return f"Model: {text}."


def members_text(about: Mapping[str, Any]) -> str:
    """Name the members of a combination with their weights, as its card tells; "" of other models."""
    members = about.get("members")
    weights = members.items() if isinstance(members, dict) else ()
    return ", ".join(f"{name} {100 * weight:.0f}%" for name, weight in weights if isinstance(weight, float))


def _write(path: Path | None, predicted: Any, shares: Any, classes: list[str]) -> None:
    """Write predictions as CSV in UTF-8, whatever the terminal's letters; on it, what cannot be seen is spelt out."""
    import csv
    import io
    import sys

    from covey._text import spelt_out
    from covey.analysis.tables.formats import csv_cell

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [] if shares is None else [csv_cell(f"probability of {name}") for name in classes]
    writer.writerow(["row", "prediction", *names])
    for place, value in enumerate(predicted):
        more = [] if shares is None else [f"{share:.6g}" for share in shares[place]]
        writer.writerow([place + 1, csv_cell(value), *more])
    if path is not None:
        path.write_bytes(text.getvalue().encode())
        return
    shown = spelt_out(text.getvalue(), keep="\n") if sys.stdout.isatty() else text.getvalue()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="")
    sys.stdout.write(shown)


def _judge(target: Any, predicted: Any, task: str, classes: Any) -> str:
    """Say how well predictions meet the truth where it is known."""
    import numpy as np

    from covey._text import quoted
    from covey.datasets.tidy import label_text

    known = target.notna().to_numpy()
    truth, labels = target[known].to_numpy(), np.asarray(predicted)[known]
    if task == "regression":
        wrong = labels.astype("float64") - truth.astype("float64")
        spread = ((truth - truth.mean()) ** 2).sum()
        r2 = f", R2 {1 - (wrong**2).sum() / spread:.3f}" if spread > 0 else ""
        return (
            f"Against the {len(truth)} known values of {target.name}: root mean squared error "
            f"{np.sqrt((wrong**2).mean()):.4g}, mean absolute error {np.abs(wrong).mean():.4g}{r2}."
        )
    right = n_alike(labels, truth)
    text = f"Against the {len(truth)} known values of {target.name}: {right} right, accuracy {right / len(truth):.3f}."
    distinct = dict.fromkeys(truth.tolist())
    strange = [label_text(label) for label in distinct if not any(_are_alike(label, known) for known in classes)]
    if strange:
        text += f" The model never saw {quoted(strange)} in training, and cannot predict that."
    return text


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
