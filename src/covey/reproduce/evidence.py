"""A reproduction as part of a documentation: a page in Markdown, its figures as CSV, and a page of all papers."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import covey
from covey._files import write_whole
from covey.analysis.tables.formats import frame_as_csv
from covey.report.page import TableBlock
from covey.reproduce.costs import costs, total
from covey.reproduce.evidence_page import beyond, evidence_page
from covey.reproduce.experiments import published_study
from covey.reproduce.index_page import index_page, repeats_in_words
from covey.reproduce.paper import by_table
from covey.reproduce.tables import Beside
from covey.reproduce.text import STATUSES

if TYPE_CHECKING:
    import pandas as pd

    from covey.reproduce.paper import Found, View
    from covey.reproduce.run import Reproduction

RESULTS = "results"


def write_evidence(made: Reproduction, folder: str | os.PathLike[str]) -> Path:
    """Write what came of a paper's experiments as part of a documentation.

    Parameters
    ----------
    made : Reproduction
        Of all tables.
    folder : path
        Where ``PAPER.md``, ``index.md`` and the folder ``results`` with a CSV file for each table, one for the claims
        and a summary are written.

    Returns
    -------
    Path
        The page of the paper.
    """
    place = Path(folder)
    (place / RESULTS).mkdir(parents=True, exist_ok=True)
    besides = besides_of(made)
    origin = origin_of(made)
    for name, text in _tables(made, besides).items():
        write_whole(place / RESULTS / f"{name}.csv", (_heading(origin) + text).encode())
    summary = summary_of(made, besides, origin)
    write_whole(place / RESULTS / f"{made.paper.id}.json", (json.dumps(summary, indent=2) + "\n").encode())
    page = place / f"{made.paper.id}.md"
    write_whole(page, evidence_page(made, besides, summary).encode())
    known = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((place / RESULTS).glob("*.json"))]
    write_whole(place / "index.md", index_page(known).encode())
    return page


def besides_of(made: Reproduction) -> dict[View, Beside]:
    """Return the figures of the tables that can be held against a bound, those that have any."""
    parts = {
        view: view.beside(made.found) for view, _ in made.views if view.beside and set(view.needs) & set(made.found)
    }
    return {view: beside for view, beside in parts.items() if beside.compared}


def origin_of(made: Reproduction) -> dict[str, Any]:
    """Return what made the figures: the command, the version, the seeds and the share of the repeats."""
    seeds = sorted({int(run.record.seed) for run in made.found.values()})
    return {
        "command": command_of(made.paper.id, made.found),
        "version": covey.__version__,
        "seeds": seeds,
        "repeats": "quick" if made.found.quick else repeats_of(made),
    }


def repeats_of(made: Reproduction) -> tuple[float, float]:
    """Return the least and the largest share of the paper's fits that a method has on a dataset."""
    shares = set()
    for one in (one for one in made.paper.experiments if one.id in made.found):
        frame, total = made.found[one.id].frame(), published_study(made.paper.id, one).protocol.n_fits
        done = (frame["status"] == "done").groupby([frame["dataset"], frame["method"]]).sum()
        shares |= {float(count) / total for count in done}
    return min(shares, default=1.0), max(shares, default=1.0)


def command_of(paper: str, found: Found) -> str:
    """Return the command that carries out a run like this one."""
    if found.quick:
        return f"covey reproduce {paper} --quick"
    shares = [] if found.is_full else [(name, share) for name, share in by_table(found.repeats).items()]
    options = (f"{name}={share:g}" if name else f"{share:g}" for name, share in shares)
    return " ".join((f"covey reproduce {paper} --full", *(f"--repeats {_as_word(option)}" for option in options)))


def _as_word(option: str) -> str:
    return f'"{option}"' if " " in option else option


def summary_of(made: Reproduction, besides: dict[View, Beside], origin: dict[str, Any]) -> dict[str, Any]:
    """Return what the page of all papers says of one."""
    often, cost = Counter(verdict.status for _, verdict in made.verdicts), total(costs(made.paper, made.found))
    return {
        "paper": made.paper.id,
        "title": made.paper.title,
        **origin,
        "tables": {view.id: {"figures": one.compared, "near": one.near} for view, one in besides.items()},
        "open": sum(reason.is_open for *_, reason in beyond(made.paper.id, besides)),
        "verdicts": {status: often[status] for status in STATUSES},
        "missing": sorted(made.found.missing),
        "hours": {"spent": round(cost.spent / 3600, 2), "full": round(cost.full / 3600, 2)},
        "fits": {"done": cost.fits, "full": cost.full_fits},
    }


def file_of(paper: str, view: View) -> str:
    """Return what the file of a table is called: "rsc-table-02"."""
    first, *rest = view.id.split(".")
    return "-".join((paper, "table", first.zfill(2), *rest))


def _tables(made: Reproduction, besides: dict[View, Beside]) -> dict[str, str]:
    """Return the tables as comma-separated text by the names of their files, and the claims."""
    parts: dict[str, str] = {}
    for view, blocks in made.views:
        if view in besides:
            parts[file_of(made.paper.id, view)] = frame_as_csv(_judged(besides[view]))
        elif not view.id.startswith("figure"):
            shown = [block for block in blocks if isinstance(block, TableBlock)]
            for number, block in enumerate(shown):
                suffix = block.name.removeprefix(f"{made.paper.id}-table-{view.id.replace('.', '-')}") if number else ""
                parts[file_of(made.paper.id, view) + suffix] = block.table.to_csv()
    parts[f"{made.paper.id}-claims"] = frame_as_csv(_claims(made))
    return parts


def _judged(beside: Beside) -> pd.DataFrame:
    """Return figures with whether each is near the published."""
    frame = beside.frame.dropna(subset="deviation")
    return frame.assign(near=frame["deviation"].abs().round(6) <= beside.bound).round(6)


def _claims(made: Reproduction) -> pd.DataFrame:
    import pandas as pd

    rows = {
        claim.id: {"verdict": verdict.status, "claim": claim.text, "found": verdict.found, "published": claim.published}
        for claim, verdict in made.verdicts
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("id")


def _heading(origin: dict[str, Any]) -> str:
    """Return lines that say what made a file, for readers that skip comments."""
    seeds = ", ".join(map(str, origin["seeds"]))
    repeats = repeats_in_words(origin["repeats"])
    return f"# {origin['command']}; covey {origin['version']}; seed {seeds}; repeats: {repeats}\n"
