"""Rankings and results of studies, as tables and sentences on the terminal and as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covey._text import clip, counted, duration, listed, spelt_out
from covey.analysis.tables.formats import text_width
from covey.cli.terminal import out, say, shown_path, table

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from covey.analysis.ranking.metrics import MetricWords
    from covey.report import RankedMethod, Ranking
    from covey.study import Results

_MOST_FAILURES = 10
_LONGEST = 300
# Longer names of metrics stand above a ranking only; names of methods are not cut shorter.
_LONGEST_NAME = 10
_SHORTEST_NAME = 12
# The blanks between two columns.
_BETWEEN = 2


def show_ranking(ranking: Ranking) -> None:
    """Write the methods on a dataset, best first, and what that says."""
    say(f"{ranking.dataset}: {ranking.words.name}, {ranking.direction} is better", style="bold")
    if ranking.rows:
        shown, left_out = _ranking_table(ranking, out().width)
        out().print(shown)
        if left_out:
            say(f"No room here for {listed(left_out)}; the report has all.")
    for sentence in ranking.summary():
        say(sentence)
    say()


def _ranking_table(ranking: Ranking, width: int) -> tuple[Table, list[str]]:
    """Return a row for each ranked method, as much of it as fits a width without folding, and what does not."""
    for titled, full in ((True, True), (True, False), (False, True), (False, False)):
        cells = _ranking_cells(ranking, titled, full)
        if _width(cells) <= width:
            break
    left_out = []
    if _width(cells) > width and cells.pop("predict", None) is not None:
        left_out.append("the time to predict")
    dispensable = {"fit": "the time to train", _interval_of(ranking): "intervals"}
    for name, meaning in dispensable.items():
        # Names are cut before more is left out.
        if name in cells and width < _width({**cells, "method": [_SHORTEST_NAME * "x"]}):
            del cells[name]
            left_out.append(meaning)
    room = width - _width({**cells, "method": [""]}) + len("method")
    cells["method"] = [clip(name, max(room, _SHORTEST_NAME)) for name in cells["method"]]
    right = [name for name in cells if name != "method" and not name.startswith("verdict")]
    return table(list(cells), zip(*cells.values(), strict=True), right=right), left_out


def _interval_of(ranking: Ranking) -> str:
    return f"{100 * (1 - ranking.alpha):g}% interval"


def _ranking_cells(ranking: Ranking, titled: bool, full: bool) -> dict[str, list[str]]:
    """Return the texts of each column of a ranking; those that say nothing are left out."""
    rows, name = ranking.rows, ranking.words.name
    verdict = "verdict" if full or not ranking.words.percent else "verdict (points)"
    cells = {
        "": [str(place) for place in range(1, len(rows) + 1)],
        "method": [spelt_out(ranking.title(row.method) if titled else row.method) for row in rows],
        name if len(name) <= _LONGEST_NAME else "mean": [ranking.value(row.mean) for row in rows],
        _interval_of(ranking): [
            "" if isnan(row.low) else f"{ranking.value(row.low)} to {ranking.value(row.high)}" for row in rows
        ],
        verdict: [ranking.verdict_text(row) if full else _short_verdict(ranking, row) for row in rows],
        "fit": [duration(row.fit_seconds) for row in rows],
        "predict": [duration(row.predict_seconds) for row in rows],
    }
    return {column: values for column, values in cells.items() if any(values)}


def _short_verdict(ranking: Ranking, row: RankedMethod) -> str:
    if not row.difference and row.verdict != "tie":
        return ranking.verdict_text(row).rpartition(": ")[2]
    size = ranking.words.size(row.difference, ranking.decimals)
    short = {"best": "best", "tie": "tie", "behind": f"behind by {size}", "unclear": f"too close: {size}"}
    return short.get(row.verdict, f"behind by {size}")


def _width(cells: dict[str, list[str]]) -> int:
    """Return how wide a table of some columns is."""
    return sum(max(map(text_width, [name, *values])) + _BETWEEN for name, values in cells.items()) - _BETWEEN


def show_best(rankings: Sequence[Ranking]) -> None:
    """Write the best method on each of many datasets, in a line each."""
    rows = []
    for ranking in rankings:
        value = ranking.value(ranking.rows[0].mean) if ranking.rows else ""
        best = ranking.best if ranking.rows else "none finished"
        counts = [len(ranking.ties), len(ranking.unclear), len(ranking.behind), len(ranking.failed)]
        rows.append([ranking.dataset, best, value, *(str(count or "") for count in counts)])
    columns = ["dataset", "best method", rankings[0].words.name, "ties", "unclear", "behind", "not ranked"]
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
    words, scores = _natural(results)
    best = scores.max(axis=1) if words.larger_is_better else scores.min(axis=1)
    cells = [[_cell(value, best.iloc[place]) for value in row] for place, row in enumerate(scores.to_numpy().tolist())]
    datasets, methods = [str(name) for name in scores.index], [str(name) for name in scores.columns]
    say(f"{results.record.name}: mean {words.name}, {results.record.protocol_text}", style="bold")
    out().print(_fitting(datasets, methods, cells, words.name))
    if scores.isna().to_numpy().any():
        unfinished = results.counts().keys() - {"done"}
        say(f"A dash: {'some fit of the method failed or is missing' if unfinished else 'there is no score'} there.")


def _natural(results: Results) -> tuple[MetricWords, pd.DataFrame]:
    """Return the metric that ranks, and mean scores by it with their natural signs."""
    from covey.analysis.ranking.metrics import describe_metric

    words = describe_metric(results.record.metrics[0], results.record.task)
    return words, words.natural(results.scores())


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
    from covey.analysis.tables import ResultTable, score_table

    words, scores = _natural(results)
    caption = f"Mean {words.name}, {results.record.protocol_text}"
    if scores.isna().to_numpy().any() or scores.shape[1] == 1:
        made = ResultTable(scores.rename_axis(index="dataset"), caption=caption)
    else:
        made = score_table(scores, larger_is_better=words.larger_is_better, decimals=3, caption=caption)
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
