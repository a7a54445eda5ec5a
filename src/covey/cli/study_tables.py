"""What a study found, as tables on the terminal and in files."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import counted
from covey.cli.terminal import out, say, shown_path, table

if TYPE_CHECKING:
    from covey.study import Results, Study

_MOST_FAILURES = 10
_LONGEST = 300


def show_status(study: Study, store: Path) -> None:
    """Write how many fits of each method on each dataset are done, failed and missing."""
    from covey.study.layout import lay_out
    from covey.study.store import Store

    keys = lay_out(study).keys
    found: dict[str, Any] = {}
    if store.exists():
        with Store.open(store, write=False) as kept:
            found = dict(kept.finished(keys))
    states: dict[tuple[str, str], Counter[str]] = {}
    for key, labels in keys.items():
        states.setdefault((labels["dataset"], labels["method"]), Counter())[found.get(key, "missing")] += 1
    columns = ("done", "failed", "missing")
    ordered = [(data.name, method.name) for data in study.datasets for method in study.methods]
    rows = [[*place, *(str(states[place][state] or "") for state in columns)] for place in ordered]
    out().print(table(["dataset", "method", *columns], rows, right=columns))
    total = Counter(state for counts in states.values() for state in counts.elements())
    parts = [f"{total['done']} of {counted(len(keys), 'fit')} done"]
    parts += [f"{total[state]} {state}" for state in ("failed", "missing") if total[state]]
    say(", ".join(parts) + ("." if store.exists() else f"; there is no store {shown_path(store)} yet."))


def with_metric(results: Results, metric: str | None) -> Results:
    """Return results with another metric, which is found from the predictions that were kept."""
    from covey.study.metrics import check_metrics

    if metric is None:
        return results
    check_metrics([metric], results.record.task)
    return replace(results, record=replace(results.record, metrics=(metric,)))


def show_scores(results: Results) -> None:
    """Write the mean score of each method on each dataset, the best of each dataset with a star."""
    from covey.study.metrics import larger_is_better

    metric, scores = results.record.metrics[0], results.scores()
    best = scores.max(axis=1) if larger_is_better(metric) else scores.min(axis=1)
    cells = [[_cell(value, best.iloc[place]) for value in row] for place, row in enumerate(scores.to_numpy().tolist())]
    datasets, methods = [str(name) for name in scores.index], [str(name) for name in scores.columns]
    say(f"{results.record.name}: mean {metric}, {results.record.protocol_text}", style="bold")
    out().print(_fitting(datasets, methods, cells, metric))
    if scores.isna().to_numpy().any():
        unfinished = (results.frame()["status"] != "done").any()
        say(f"A dash: {'some fit of the method failed or is missing' if unfinished else 'there is no score'} there.")


def has_failures(results: Results) -> bool:
    """Whether a fit failed."""
    return bool(len(_failed(results)))


def _failed(results: Results) -> Any:
    """Return the rows of the fits that failed."""
    frame = results.frame()
    return frame[frame["status"] == "failed"] if "status" in frame else frame.iloc[:0]


def show_failures(results: Results) -> None:
    """Write what failed, with the first reason of each method on each dataset."""
    failed = _failed(results)
    if not len(failed):
        return
    say(f"{counted(len(failed), 'fit')} failed:", style="bold")
    reasons: dict[tuple[str, str], list[str]] = {}
    for dataset, method, why in zip(failed["dataset"], failed["method"], failed["failure"], strict=True):
        reasons.setdefault((dataset, method), []).append(why)
    for (dataset, method), found in list(reasons.items())[:_MOST_FAILURES]:
        say(f"- {method} on {dataset}, {counted(len(found), 'fit')}: {_shortened(found[0])}")
    if len(reasons) > _MOST_FAILURES:
        say(f"- and {len(reasons) - _MOST_FAILURES} more; 'covey study results --csv FILE' has them all")
    say("--retry-failed tries them again.")


def write_csv(results: Results, path: Path) -> None:
    """Write a row for each fit."""
    from covey.analysis.tables.formats import frame_as_csv

    path.write_text(frame_as_csv(results.frame(), index=False), encoding="utf-8", newline="")


def write_latex(results: Results, path: Path) -> None:
    """Write the table of means as LaTeX."""
    path.write_text(_score_table(results).to_latex(), encoding="utf-8")


def _score_table(results: Results) -> Any:
    from covey.analysis.tables import ResultTable, score_table
    from covey.study.metrics import larger_is_better

    scores, metric = results.scores(), results.record.metrics[0]
    caption = f"Mean {metric}, {results.record.protocol_text}"
    if scores.isna().to_numpy().any() or scores.shape[1] == 1:
        return ResultTable(scores.rename_axis(index="dataset"), caption=caption)
    return score_table(scores, larger_is_better=larger_is_better(metric), decimals=3, caption=caption)


def _fitting(datasets: list[str], methods: list[str], cells: list[list[str]], metric: str) -> Any:
    """Return a table that fits the terminal: methods in columns, datasets in columns, or a row for each pair."""
    turned = [list(row) for row in zip(*cells, strict=True)]
    for corner, rows, columns, values in (("dataset", datasets, methods, cells), ("method", methods, datasets, turned)):
        width = max(map(len, [corner, *rows])) + sum(max(len(name), 7) + 2 for name in columns)
        if width <= out().width or len(columns) == 1:
            body = [[name, *line] for name, line in zip(rows, values, strict=True)]
            return table([corner, *columns], body, right=columns)
    long = [[dataset, method, cells[i][j]] for i, dataset in enumerate(datasets) for j, method in enumerate(methods)]
    return table(["dataset", "method", metric], long, right=[metric])


def _cell(value: float, best: float) -> str:
    if value != value:
        return "- "
    return f"{value:.4g}" + ("*" if value == best else " ")


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
