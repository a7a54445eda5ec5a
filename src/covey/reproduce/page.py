"""The report of a reproduction: verdicts first, then each table and figure beside the published, then the method."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pandas as pd

from covey._text import counted
from covey.analysis.tables import ResultTable
from covey.report.page import Block, Chapter, Details, Figures, Listing, Page, Prose, Section, TableBlock, Tone
from covey.reproduce.experiments import REMEDY
from covey.reproduce.published import misprints
from covey.reproduce.results import names
from covey.reproduce.text import (
    STATUSES,
    claims_in_words,
    close_in_words,
    incomplete_in_words,
    missing_in_words,
    quick_in_words,
    runs_in_words,
    status_of,
)

if TYPE_CHECKING:
    from covey.reproduce.run import Reproduction
    from covey.study import Results

TONES: dict[str, Tone] = {"held": "good", "failed": "bad", "not testable": "neutral"}


def page_of(made: Reproduction) -> Page:
    """Return the report as a page."""
    close = close_in_words([view for view, _ in made.views], made.found)
    listing = Listing(tuple((view.name, text) for view, text in close.items()))
    return Page(
        title=f"Reproduction: {made.paper.title}",
        subtitle=f"The paper's experiments carried out again by covey, {made.found.kind}",
        summary=summary(made),
        sections=(
            *((Section("Claims", verdict_blocks(made)),) if made.verdicts else ()),
            *((Section("Tables and figures", (listing,)),) if close else ()),
            Section("What was missing", missing_blocks(made)),
        ),
        chapters=tuple(
            Chapter(view.name, (Section(view.title, blocks),), group="Figures" if "figure" in view.id else "Tables")
            for view, blocks in made.views
        ),
        method=method_sections(made),
    )


def summary(made: Reproduction) -> tuple[str, ...]:
    """Return the answer in words, a paragraph each: claims, runs, how close tables are, and what to beware of."""
    paper, results = made.paper, made.found
    whole = len(made.views) == len(paper.views) and set(results) == {one.id for one in paper.experiments}
    close = close_in_words([view for view, _ in made.views], results)
    parts = (
        claims_in_words(paper, made.verdicts) if made.verdicts else "",
        runs_in_words(paper, results),
        paper.tell(results) if paper.tell is not None and whole else " ".join(close.values()),
        quick_in_words(paper, results),
        " ".join(incomplete_in_words(results)),
        missing_in_words(results),
    )
    return tuple(part for part in parts if part)


def verdict_blocks(made: Reproduction) -> tuple[Block, ...]:
    """Return the number of verdicts of each kind, how to read their figures, and the table of claims."""
    often = Counter(verdict.status for _, verdict in made.verdicts)
    remarks = ("as the numbers of this run say", "the numbers of this run say otherwise", "the table says why")
    counts = Figures(
        tuple(
            (status.capitalize(), str(often[status]), remark)
            for status, remark in zip(STATUSES, remarks, strict=True)
            if often[status] or status != "not testable"
        )
    )
    rows = {
        claim.id: (verdict.status, claim.text, verdict.found, claim.published or "–")
        for claim, verdict in made.verdicts
    }
    columns = ["verdict", "claim", "found", "published"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("id")
    table = ResultTable(frame, caption="What the paper claims, what was found here, and the figures that it prints")
    return (
        counts,
        *((Prose((made.paper.note,)),) if made.paper.note else ()),
        TableBlock(table, f"{made.paper.id}-claims", badges={"verdict": TONES}, filterable=len(rows) > 12),
    )


def missing_blocks(made: Reproduction) -> tuple[Block, ...]:
    """Return which datasets and fits are lacking."""
    ran = made.found
    blocks: list[Block] = []
    if ran.missing:
        blocks.append(Prose((f"{counted(len(ran.missing), 'dataset')} could not be found. {REMEDY}:",)))
        blocks.append(Listing(tuple(ran.missing.items())))
    without = sorted({name for one in made.paper.experiments if one.id in ran for name in one.quick.without})
    if ran.quick and without:
        blocks.append(Prose((f"Left out of the quick run, for they take long: {', '.join(without)}.",)))
    lacking = incomplete_in_words(ran)
    if lacking:
        blocks.append(Prose(tuple(lacking)))
        failures = {id: _failures(run) for id, run in ran.items() if status_of(run)["failed"]}
        blocks += [Details(f"Failures of {id}", (Listing(reasons),)) for id, reasons in failures.items() if reasons]
    return tuple(blocks) or (Prose(("Nothing: all datasets are there, and every fit was carried out.",)),)


def _failures(run: Results) -> tuple[tuple[str, str], ...]:
    """Return the failed fits of an experiment and why they failed, the same reason of a method on a dataset once."""
    frame = run.frame()
    failed = frame[frame["status"] == "failed"].drop_duplicates(["dataset", "method", "failure"])
    return tuple(zip(failed["method"] + " on " + failed["dataset"], failed["failure"], strict=True))


def method_sections(made: Reproduction) -> tuple[Section, ...]:
    """Return how numbers were obtained: measures, each experiment's setting, and the paper's misprints."""
    sections = [Section("How numbers were obtained", (Listing(made.paper.method),))] if made.paper.method else []
    titles = {one.id: one.title or f"Experiment {one.id}" for one in made.paper.experiments}
    for id, results in made.found.items():
        record = results.record
        often = status_of(results)
        items = (
            ("Protocol", record.protocol_text),
            ("Methods", ", ".join(names(record.methods))),
            ("Datasets", ", ".join(names(record.datasets))),
            ("Fits", f"{often['done']} done, {often['failed']} failed, {often['missing']} missing"),
            ("Seed", str(record.seed)),
            ("Last run", record.started.replace("T", " ").replace("+00:00", " UTC")),
            ("Ran on", record.workers),
        )
        title = titles[id]
        sections.append(Section(title[:1].upper() + title[1:], (Listing(items),)))
    if made.found:
        sections.append(Section("Software and machine", (_machines(made),)))
    known = misprints(made.paper.id)
    if len(known):
        table = ResultTable(known.set_index("id"), caption="Where the paper contradicts itself, its text or its data")
        block = TableBlock(table, f"{made.paper.id}-misprints", filterable=len(known) > 12)
        sections.append(Section("Misprints", (block,)))
    return tuple(sections)


def _machines(made: Reproduction) -> Listing:
    """Return with what and on what experiments were carried out, each once; of earlier runs that left fits too."""
    used: dict[tuple[str, str], list[str]] = {}
    for id, results in made.found.items():
        record = results.record
        for run in ({"software": record.software, "machine": record.machine}, *record.earlier):
            software = ", ".join(f"{name} {version}" for name, version in run["software"].items())
            machine = ", ".join(f"{name}: {value}" for name, value in run["machine"].items() if value)
            used.setdefault((software, machine), []).append(id)
    items = []
    for both, ids in used.items():
        of = f", some fits of {', '.join(ids)}" if len(used) > 1 else ""
        items += [(f"{what}{of}", text) for what, text in zip(("Software", "Machine"), both, strict=True)]
    return Listing(tuple(items))
