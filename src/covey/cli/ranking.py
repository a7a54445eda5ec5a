"""A ranking on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from covey._text import counted, listed
from covey.cli.terminal import out, say, table

if TYPE_CHECKING:
    from rich.table import Table

    from covey.report import Ranking

_WIDE = 100
_LONGEST_NAME = 18


def show_ranking(ranking: Ranking) -> None:
    """Write the methods on a dataset, best first, and what failed."""
    say(ranking.dataset, style="bold")
    if ranking.rows:
        out().print(_table(ranking))
        say(in_words(ranking))
    else:
        say("No method could be ranked.")
    for method, why in ranking.failed.items():
        say(f"{method}: not ranked, {why}", style="red" if out().is_terminal else "")
    say()


def _table(ranking: Ranking) -> Table:
    """Return a row for each ranked method; columns that say nothing, or for which there is no room, are left out."""
    from covey._text import duration

    wide, digits = out().width >= _WIDE, ranking.decimals
    interval = f"{100 * (1 - ranking.alpha):g}% interval"
    metric = ranking.words.name if len(ranking.words.name) <= _LONGEST_NAME else ranking.metric
    rows: list[dict[str, str]] = []
    for place, row in enumerate(ranking.rows, start=1):
        low, high = (ranking.words.value(bound, digits) for bound in (row.low, row.high))
        cells = {
            "": str(place),
            "method": row.method,
            metric: ranking.words.value(row.mean, digits),
            interval: "" if isnan(row.low) else f"{low} to {high}",
            "p": "" if isnan(row.p_value) else "<0.001" if row.p_value < 0.001 else f"{row.p_value:.3f}",
            "verdict": "" if row.verdict == "untested" else ranking.verdict_text(row),
            "fit": duration(row.fit_seconds),
        }
        rows.append(cells | ({"predict": duration(row.predict_seconds)} if wide else {}))
    columns = [name for name in rows[0] if any(row[name] for row in rows)]
    right = [name for name in columns if name not in ("method", "verdict")]
    return table(columns, [[row[name] for name in columns] for row in rows], right=right)


def show_best(rankings: Sequence[Ranking]) -> None:
    """Write the best method on each of many datasets, in a line each."""
    rows = []
    for ranking in rankings:
        value = ranking.words.value(ranking.rows[0].mean, ranking.decimals) if ranking.rows else ""
        best = ranking.best if ranking.rows else "none finished"
        level = "" if ranking.why_untested else str(len(ranking.level))
        rows.append([ranking.dataset, best, value, level, str(len(ranking.failed) or "")])
    columns = ["dataset", "best method", rankings[0].words.name, "not shown to differ", "not ranked"]
    out().print(table(columns, rows, right=columns[2:]))
    say()


def in_words(ranking: Ranking) -> str:
    """Say who is best, and whether that is sure."""
    name, tied = ranking.words.name, ranking.tied
    if ranking.all_tie:
        all_of_them = "Both" if len(tied) == 2 else f"All {len(tied)}"
        return f"{all_of_them} methods have the same {name}, so none is the best."
    best = f"{listed(tied, len(tied))} {'has' if len(tied) == 1 else 'share'} the best {name}"
    if ranking.why_untested:
        return f"{best}. Nothing was tested: {ranking.why_untested}."
    rest = [row for row in ranking.rows if row.method not in tied]
    unsure = [row.method for row in rest if row.verdict != "worse" and row.method not in ranking.baselines]
    blind = [row.method for row in rest if row.verdict != "worse" and row.method in ranking.baselines]
    if not rest:
        return f"{best}; there is no other.{_blind(ranking, tied)}"
    if not unsure and not blind:
        return f"{best}, and all others are significantly worse.{_blind(ranking, tied)}"
    were = "was" if len(unsure) == 1 else "were"
    some = f"; {counted(len(unsure), 'other')} {were} not shown to differ (p is corrected)" if unsure else ""
    return f"{best}{some}.{_blind(ranking, [*tied, *blind])}"


def _blind(ranking: Ranking, methods: Sequence[str]) -> str:
    """Say that a baseline is among methods none of which was shown to be better."""
    among = [method for method in methods if method in ranking.baselines]
    return f" Mind that {among[0]}, which looks at no attribute, was not shown to be worse." if among else ""
