"""The report of a reproduction, before it is rendered."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace

from covey.report.page import Figures, Listing, Prose, TableBlock
from covey.reproduce.page import summary, verdict_blocks
from covey.reproduce.paper import Found


def test_summary_says_what_was_found(result):
    often = Counter(verdict.status for _, verdict in result.verdicts)
    page = result.page()
    assert page.summary[0] == (
        f"Of 24 claims of the paper {often['held']} held on our data and {often['failed']} did not; "
        f"{often['not testable']} cannot be tested here."
    )
    assert page.summary[1].startswith("Carried out: the nine systems (9 methods on 2 of 41 datasets by 2 x 3-fold ")
    assert "150 comparisons in tables 1 to 5" in page.summary[2]
    assert page.summary[-1] == (
        "1 dataset of the paper could not be found: verdicts rest on the others, and fewer differences are significant."
    )


def test_counts_and_table_of_claims_agree(result):
    (section,) = (one for one in result.page().sections if one.title == "Claims")
    counts, note, table = section.blocks
    assert isinstance(note, Prose)
    assert isinstance(counts, Figures)
    assert isinstance(table, TableBlock)
    shown = table.table.frame["verdict"].value_counts().to_dict()
    assert {label.lower(): int(value) for label, value, _ in counts.items if value != "0"} == shown
    assert set(table.badges["verdict"]) >= set(shown)


def test_a_chapter_for_each_table_and_figure(result):
    chapters = {chapter.title: chapter.group for chapter in result.page().chapters}
    assert chapters == {f"Table {number}": "Tables" for number in range(1, 7)} | {
        f"Figure {number}": "Figures" for number in range(2, 7)
    }


def test_what_was_missing(result):
    (section,) = (one for one in result.page().sections if one.title == "What was missing")
    (listing,) = (block for block in section.blocks if isinstance(block, Listing))
    assert dict(listing.items) == dict(result.found.missing)


def test_method_has_every_experiment_and_the_misprints(result):
    titles = [section.title for section in result.page().method]
    assert titles == [
        "How numbers were obtained",
        "The nine systems",
        "Bagging and small boosted ensembles",
        "Software and machine",
        "Misprints",
    ]
    facts = dict(result.page().method[1].blocks[0].items)
    assert facts["Fits"] == "108 done, 0 failed, 0 missing"
    assert facts["Datasets"] == "iris, wine"


def test_verdicts_of_a_kind_that_there_is_none_of(result):
    held = tuple(one for one in result.verdicts if one[1].status == "held")
    some = replace(result, verdicts=held)
    counts = verdict_blocks(some)[0]
    assert counts.items[0][:2] == ("Held", str(len(held)))
    assert [label for label, *_ in counts.items] == ["Held", "Failed"]
    assert (
        summary(some)[0]
        == f"Of 24 claims of the paper this run bears on {len(held)}: {len(held)} held on our data and 0 did not."
    )


def test_software_and_machine_are_told_once_but_those_of_earlier_runs_too(result):
    section = result.page().method[-2]
    ((software, versions), (machine, _)) = section.blocks[0].items
    assert (software, machine) == ("Software", "Machine")
    assert "numpy" in versions
    systems = result.found["systems"]
    earlier = {**asdict(systems.record), "software": {"covey": "0.0.1"}}
    older = replace(systems, record=replace(systems.record, earlier=(earlier,)))
    mixed = replace(result, found=Found({**result.found, "systems": older}, quick=True))
    items = dict(mixed.page().method[-2].blocks[0].items)
    assert items["Software, some fits of systems, others"] == versions
    assert items["Software, some fits of systems"] == "covey 0.0.1"
