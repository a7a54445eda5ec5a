"""The page of a documentation that tells of all papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from covey.analysis.tables import ResultTable
from covey.analysis.tables.formats import escape_markdown
from covey.reproduce.markdown import to_table
from covey.reproduce.paper import papers

Summary = Mapping[str, Any]

INTRODUCTION = (
    "Each paper's experiments were carried out by its own protocol with `covey reproduce`. The pages set our figures "
    "beside the published ones and judge what the papers claim. A figure is near the published if it is within two "
    "published standard deviations, or within 3 percentage points where none are printed; ratios, which are neither, "
    "within 10 %."
)
NOTES = (
    "repeats: the share of the paper's own fits that a method has on a dataset, the least and the largest; 0 where "
    "fits are lacking, which the paper's page names. open: figures beyond the bound that are not explained. hours: of "
    "fits on one core that was shared with other work, estimated from those that were carried out. The folder results "
    "has the figures as CSV."
)


def index_page(summaries: Sequence[Summary]) -> str:
    """Return the page of all papers."""
    rows = {}
    for one in summaries:
        near, figures = near_and_all(one)
        rows[one["paper"]] = {
            "repeats": repeats_in_words(one["repeats"]),
            "tables": len(one["tables"]),
            "figures": figures,
            "within the bound": f"{near}{percent_of(near, figures)}",
            "open": one["open"],
            **one["verdicts"],
            "hours, full run": one["hours"]["full"],
        }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("paper")
    toctree = "\n".join(("```{toctree}", ":maxdepth: 1", "", *(one["paper"] for one in summaries), "```"))
    parts = (
        "# The papers, carried out again",
        INTRODUCTION,
        " ".join(_together(summaries)),
        to_table(ResultTable(frame, formats={"hours, full run": ".1f"})),
        NOTES,
        *(f"- [{escape_markdown(one['title'])}]({one['paper']}.md)" for one in summaries),
        toctree,
    )
    return "\n\n".join(parts) + "\n"


def _together(summaries: Sequence[Summary]) -> Iterator[str]:
    """Say what the runs come to, those that are as large as the paper's apart from those that are not."""
    full = [one for one in summaries if is_full(one)]
    less = [one for one in summaries if not is_full(one)]
    for some, what in ((full, "all the repeats of the paper"), (less, "fewer repeats than the paper")):
        if some:
            near, figures = (sum(numbers) for numbers in zip(*map(near_and_all, some), strict=True))
            names = ", ".join(one["paper"] for one in some)
            share = percent_of(near, figures)
            yield f"With {what} ({names}) {near:,} of {figures:,} figures are within the bound{share}."
    if less:
        yield (
            "Figures of fewer repeats are less sure than the published and their bound is the same, so that more of "
            "them are beyond it by chance; the two kinds are not added up."
        )
    often: dict[str, int] = {}
    for one in summaries:
        for status, number in one["verdicts"].items():
            often[status] = often.get(status, 0) + number
    if often:
        each = ", ".join(f"{number} {status}" for status, number in often.items())
        yield f"Claims: {each}, of {sum(often.values())}."
    absent = [paper for paper in papers() if paper not in {one["paper"] for one in summaries}]
    if absent:
        yield f"Not carried out yet: {', '.join(absent)}."


def is_full(summary: Summary) -> bool:
    """Whether every experiment of a paper has all its repeats."""
    repeats: str | Sequence[float] = summary["repeats"]
    return not isinstance(repeats, str) and min(repeats) >= 1


def repeats_in_words(repeats: str | Sequence[float]) -> str:
    """Write the least and the largest share of repeats: "10 to 100 %"."""
    if isinstance(repeats, str):
        return f"{repeats} run"
    least, most = (f"{100 * share:.3g}" for share in repeats)
    return f"{least} %" if least == most else f"{least} to {most} %"


def near_and_all(summary: Summary) -> tuple[int, int]:
    """Return how many figures are near the published, and how many were compared."""
    tables = summary["tables"].values()
    return sum(one["near"] for one in tables), sum(one["figures"] for one in tables)


def percent_of(part: int, whole: int) -> str:
    """Return a share in brackets; "" of nothing."""
    return f" ({100 * part / whole:.0f} %)" if whole else ""
