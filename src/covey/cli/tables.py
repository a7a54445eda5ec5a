"""Rankings and results of studies, as tables and sentences on the terminal and as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import clip, counted, duration
from covey.cli.terminal import out, say, shown_path, table

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from covey.report import Ranking
    from covey.study import Results

_MOST_FAILURES = 10
_LONGEST = 300
_WIDE = 100
_LONGEST_NAME = 18


def show_ranking(ranking: Ranking) -> None:
    """Write the methods on a dataset, best first, and what that says."""
    say(ranking.dataset, style="bold")
    if ranking.rows:
        out().print(_ranking_table(ranking))
    for sentence in ranking.summary():
        say(sentence)
    say()


def _ranking_table(ranking: Ranking) -> Table:
    """Return a row for each ranked method; columns that say nothing, or for which there is no room, are left out."""
    interval = f"{100 * (1 - ranking.alpha):g}% interval"
    metric = ranking.words.name if len(ranking.words.name) <= _LONGEST_NAME else ranking.metric
    rows: list[dict[str, str]] = []
    for place, row in enumerate(ranking.rows, start=1):
        cells = {
            "": str(place),
            "method": row.method,
            metric: ranking.value(row.mean),
            interval: "" if isnan(row.low) else f"{ranking.value(row.low)} to {ranking.value(row.high)}",
            "p": "" if isnan(row.p_value) else "<0.001" if row.p_value < 0.001 else f"{row.p_value:.3f}",
            "verdict": "" if row.verdict == "untested" else ranking.verdict_text(row),
            "fit": duration(row.fit_seconds),
            "predict": duration(row.predict_seconds) if out().width >= _WIDE else "",
        }
        rows.append(cells)
    columns = [name for name in rows[0] if any(row[name] for row in rows)]
    right = [name for name in columns if name not in ("method", "verdict")]
    return table(columns, [[row[name] for name in columns] for row in rows], right=right)


def show_best(rankings: Sequence[Ranking]) -> None:
    """Write the best method on each of many datasets, in a line each."""
    rows = []
    for ranking in rankings:
        value = ranking.value(ranking.rows[0].mean) if ranking.rows else ""
        best = ranking.best if ranking.rows else "none finished"
        level = "" if ranking.why_untested else str(len(ranking.level))
        rows.append([ranking.dataset, best, value, level, str(len(ranking.failed) or "")])
    columns = ["dataset", "best method", rankings[0].words.name, "not shown to differ", "not ranked"]
    out().print(table(columns, rows, right=columns[2:]))
    say()


def show_status(status: Mapping[str, Any]) -> None:
    """Write how many fits of each method on each dataset are done, failed and missing."""
    columns = ("dataset", "method", "done", "failed", "missing")
    rows = [[str(row[name] or "") for name in columns] for row in status["methods"]]
    out().print(table(columns, rows, right=columns[2:]))
    parts = [f"{status['done']} of {counted(status['fits'], 'fit')} done"]
    parts += [f"{status[state]} {state}" for state in ("failed", "missing") if status[state]]
    store = Path(status["store"])
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
    from covey.analysis.ranking.metrics import larger_is_better

    metric, scores = results.record.metrics[0], results.scores()
    best = scores.max(axis=1) if larger_is_better(metric) else scores.min(axis=1)
    cells = [[_cell(value, best.iloc[place]) for value in row] for place, row in enumerate(scores.to_numpy().tolist())]
    datasets, methods = [str(name) for name in scores.index], [str(name) for name in scores.columns]
    say(f"{results.record.name}: mean {metric}, {results.record.protocol_text}", style="bold")
    out().print(_fitting(datasets, methods, cells, metric))
    if scores.isna().to_numpy().any():
        unfinished = results.counts().keys() - {"done"}
        say(f"A dash: {'some fit of the method failed or is missing' if unfinished else 'there is no score'} there.")


def show_failures(results: Results) -> None:
    """Write what failed, with the first reason of each method on each dataset."""
    failed = results.failures()
    if not len(failed):
        return
    say(f"{counted(int(failed['fits'].sum()), 'fit')} failed:", style="bold")
    groups = failed.groupby(["dataset", "method"], sort=False).agg({"fits": "sum", "message": "first"})
    for (dataset, method), fits, message in list(groups.itertuples())[:_MOST_FAILURES]:
        say(f"- {method} on {dataset}, {counted(fits, 'fit')}: {clip(message, _LONGEST)}")
    if len(groups) > _MOST_FAILURES:
        say(f"- and {len(groups) - _MOST_FAILURES} more; 'covey study results --csv FILE' has them all")
    say("--retry-failed tries them again.")


def write_csv(frame: pd.DataFrame, path: Path) -> None:
    """Write a table to a file, such that a spreadsheet runs nothing of it."""
    from covey.analysis.tables.formats import frame_as_csv

    path.write_text(frame_as_csv(frame, index=False), encoding="utf-8", newline="")


def write_latex(results: Results, path: Path) -> None:
    """Write the table of means as LaTeX."""
    from covey.analysis.ranking.metrics import larger_is_better
    from covey.analysis.tables import ResultTable, score_table

    scores, metric = results.scores(), results.record.metrics[0]
    caption = f"Mean {metric}, {results.record.protocol_text}"
    if scores.isna().to_numpy().any() or scores.shape[1] == 1:
        made = ResultTable(scores.rename_axis(index="dataset"), caption=caption)
    else:
        made = score_table(scores, larger_is_better=larger_is_better(metric), decimals=3, caption=caption)
    path.write_text(made.to_latex(), encoding="utf-8")


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
