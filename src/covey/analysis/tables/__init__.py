"""Tables of results: as data frame, Markdown, LaTeX, HTML and plain text, all from one object."""

from __future__ import annotations

from covey.analysis.tables.result import ResultTable, score_table

__all__ = ["ResultTable", "score_table"]
