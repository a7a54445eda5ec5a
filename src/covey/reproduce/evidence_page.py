"""The page of a documentation on a paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from covey._text import counted
from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import escape_markdown
from covey.reproduce.costs import costs
from covey.reproduce.deviations import Reason, claim_reason, reason_for
from covey.reproduce.experiments import REMEDY, published_study
from covey.reproduce.index_page import Summary, near_and_all, percent_of
from covey.reproduce.markdown import to_list, to_paragraphs, to_table
from covey.reproduce.published import misprints
from covey.reproduce.results import names
from covey.reproduce.tables import COUNT, DEVIATION, POINT, RATIO, Beside, signed
from covey.reproduce.text import claims_in_words, incomplete_in_words, missing_in_words, quick_in_words, tell

if TYPE_CHECKING:
    from covey.reproduce.paper import View
    from covey.reproduce.run import Reproduction

BOUNDS = {
    DEVIATION: "2 published standard deviations",
    POINT: "3 percentage points",
    COUNT: "3 features or neighbours",
    RATIO: "10 % of the ratio",
}


def evidence_page(made: Reproduction, besides: Mapping[View, Beside], summary: Summary) -> str:
    """Return the page of a paper."""
    parts = [
        f"# {escape_markdown(made.paper.title)}",
        *_caution(made),
        _answer(made, summary),
        "## How it was run",
        *_runs(made, summary),
        "## How close the tables are",
        *_closeness(besides),
        "## Claims",
        *_claims(made),
        "## Tables",
        *_tables(made, besides),
        *_figures(made),
        "## Beyond the bound",
        *_beyond(made.paper.id, besides),
        *_misprints(made.paper.id),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _caution(made: Reproduction) -> Iterator[str]:
    """Say first what is less than in the paper."""
    less = (quick_in_words(made.paper, made.found), *incomplete_in_words(made.found), missing_in_words(made.found))
    words = [escape_markdown(text) for text in less if text]
    if words:
        yield "\n".join(("```{note}", *words, "```"))


def _answer(made: Reproduction, summary: Summary) -> str:
    near, figures = near_and_all(summary)
    failed = [claim_reason(made.paper.id, claim.id) for claim, verdict in made.verdicts if verdict.status == "failed"]
    is_open = sum(reason.is_open for reason in failed)
    why = f" Why not is said below, but for {is_open} that are open." if failed and is_open else ""
    return (
        f"{claims_in_words(made.paper, made.verdicts)}{why} Of {counted(figures, 'published figure')} that can be held "
        f"against ours, {near} are within the bound{percent_of(near, figures)}."
    )


def _runs(made: Reproduction, summary: Summary) -> Iterator[str]:
    yield f"```\n{summary['command']}\n```"
    hours, fits = summary["hours"], summary["fits"]
    yield (
        f"covey {summary['version']}, seed {', '.join(map(str, summary['seeds']))}. "
        f"{fits['done']:,} fits took {hours['spent']:g} hours on one core that was shared with other work; the "
        f"{fits['full']:,} fits of a full run are estimated at {hours['full']:g} hours of the same kind."
    )
    spent = costs(made.paper, made.found)
    rows = {}
    for experiment in (one for one in made.paper.experiments if one.id in made.found):
        record, whole = made.found[experiment.id].record, published_study(made.paper.id, experiment)
        rows[experiment.title or experiment.id] = {
            "methods": len(names(record.methods)),
            "datasets": len(record.datasets),
            "of": len(whole.datasets),
            "protocol": record.protocol_text,
            "minutes": spent[experiment.id].spent / 60,
            "in full": spent[experiment.id].full / 60,
        }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("experiment")
    if rows:
        yield to_table(ResultTable(frame, formats={"minutes": ".0f", "in full": ".0f"}))
    yield to_list(made.paper.method)
    if made.found.missing:
        how = "; ".join(f"{name} ({text})" for name, text in made.found.missing.items())
        yield escape_markdown(f"Datasets that could not be found: {how}. {REMEDY}.")


def _closeness(besides: Mapping[View, Beside]) -> Iterator[str]:
    if not besides:
        yield "Nothing could be compared."
        return
    rows = {
        view.name: {
            "figures": one.compared,
            "within": one.near,
            "share": one.near / one.compared,
            "bound": BOUNDS[one.unit],
            "median deviation": one.median,
            "mean deviation": one.mean,
        }
        for view, one in besides.items()
    }
    formats = {"share": ".0%", "median deviation": ".2f", "mean deviation": "+.2f"}
    yield to_table(ResultTable(pd.DataFrame.from_dict(rows, orient="index").rename_axis("table"), formats=formats))
    yield (
        "Deviations are ours minus the published, in units of the bound: published standard deviations, percentage "
        "points, features, or natural logarithms of ratios, in which 0.10 is about 10 %. Tables of datasets, of times "
        "and of wins have no such figures."
    )
    ratios = [one for one in besides.values() if one.unit == RATIO]
    if ratios:
        apart = pd.concat([(one.frame["ours"] - one.frame["published"]).abs().round(6) for one in ratios]).dropna()
        yield (
            "The paper prints neither standard deviations nor figures in percentage points, so 10 % of a ratio is a "
            f"choice of ours. {int((apart <= 0.03).sum())} of {len(apart)} ratios are within 0.03 of the published."
        )


def _claims(made: Reproduction) -> Iterator[str]:
    if made.paper.note:
        yield escape_markdown(made.paper.note)
    for claim, verdict in made.verdicts:
        published = f" Published: {escape_markdown(claim.published)}." if claim.published else ""
        text = escape_markdown(claim.text.rstrip("."))
        why = why_not(claim_reason(made.paper.id, claim.id)) if verdict.status == "failed" else ""
        yield f"**{claim.id}, {verdict.status}.** {text}. *Found:* {escape_markdown(verdict.found)}{published}{why}"


def why_not(reason: Reason) -> str:
    """Return what is known of a claim that failed, as the end of its paragraph."""
    return f" *{'Open' if reason.is_open else 'Why'}:* {escape_markdown(reason.text)}"


def _tables(made: Reproduction, besides: Mapping[View, Beside]) -> Iterator[str]:
    for view, blocks in made.views:
        if view.id.startswith("figure"):
            continue
        yield f"### {view.name}: {escape_markdown(view.title)}"
        if view in besides:
            one = besides[view]
            yield f"{one.near} of {counted(one.compared, 'figure')} are within {BOUNDS[one.unit]}."
        yield from to_paragraphs(blocks)


def _figures(made: Reproduction) -> Iterator[str]:
    shown = [view for view, _ in made.views if view.id.startswith("figure") and view.tell]
    if shown:
        yield "## Drawings"
        yield "The report that the command writes has the drawings."
        yield to_list((f"{view.name}, {view.title}", tell(view, made.found)) for view in shown)


def beyond(paper: str, besides: Mapping[View, Beside]) -> list[tuple[View, tuple[str, ...], pd.Series, Reason]]:
    """Return the figures beyond the bound with what is known of each."""
    rows = []
    for view, one in besides.items():
        for labels, figure in one.far.iterrows():
            parts = tuple(map(str, labels if isinstance(labels, tuple) else (labels,)))
            rows.append((view, parts, figure, reason_for(paper, view.id, parts)))
    return rows


def _beyond(paper: str, besides: Mapping[View, Beside]) -> Iterator[str]:
    rows = [
        {
            "table": view.id,
            "figure": ", ".join(parts),
            "ours": f"{figure['ours']:.4g}",
            "paper": f"{figure['published']:.4g}",
            "deviation": f"{signed(figure['deviation'])} {_short(besides[view].unit)}",
            "why": str(reason),
        }
        for view, parts, figure, reason in beyond(paper, besides)
    ]
    if not rows:
        yield "None."
        return
    is_open = sum(row["why"].startswith("open") for row in rows)
    yield f"{counted(len(rows), 'figure')}, of which {is_open} are open."
    yield to_table(ResultTable(pd.DataFrame(rows).set_index("table")))


def _short(unit: str) -> str:
    return {DEVIATION: "sd", POINT: "points", COUNT: "", RATIO: "log"}[unit]


def _misprints(paper: str) -> Iterator[str]:
    known = misprints(paper)
    if len(known):
        yield "## Misprints of the paper"
        yield to_list(
            (str(row.id), f"{row.where}: printed {row.printed}; expected {row.expected} ({row.evidence}).")
            for row in known.itertuples()
        )
