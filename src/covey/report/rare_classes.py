"""Whether each class has its share in every part of a protocol, and which classes are too rare for that."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor
from typing import TYPE_CHECKING, Any

from covey._text import counted
from covey.report.splits import splits_of

if TYPE_CHECKING:
    from covey.study.record import DataRecord, StudyRecord

# So many rare classes are named.
MOST_RARE = 3


def stratified_words(record: StudyRecord) -> str:
    """Say that each class has its share in every part, and name the classes that are too rare; "" if not stratified."""
    if not record.protocol.get("stratified"):
        return ""
    several = len(record.datasets) > 1
    rare = [
        f"{label!r}{f' of {data.name}' if several else ''} has {counted(count, 'case')}, {why}"
        for data in record.datasets
        for label, count in sorted(data.classes.items(), key=lambda item: item[1])
        if (why := _why_rare(record.protocol, data, count))
    ]
    if not rare:
        return "Each class has its share in every part."
    more = len(rare) - MOST_RARE
    told = "; ".join(rare[:MOST_RARE]) + (f"; and so {counted(more, 'more class', 'more classes')}" if more > 0 else "")
    return f"Each class has its share in every part, where it has cases enough. But {told}."


def _why_rare(protocol: Mapping[str, Any], data: DataRecord, count: int) -> str:
    """Say why a class with so many cases is not in every part, or ""."""
    if protocol["kind"] == "cross-validation":
        n_folds = int(protocol["n_folds"])
        if count >= n_folds:
            return ""
        effect = "where it is tested it was not there to be learnt" if count == 1 else "not every fold tests it"
        return f"fewer than the {n_folds} folds: {effect}"
    splits = splits_of(protocol, data.n_rows)
    # A class has its share of a part, rounded up or down.
    if min(floor(count * part / data.n_rows) for part in (splits.n_train, splits.n_test)) >= 1:
        return ""
    return "so few that in some splits there is none to learn from, or none to test"
