"""Reports as files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from covey._files import write_whole

if TYPE_CHECKING:
    from covey.study.results import Results


def write_report(results: Results | Sequence[Results], path: str | os.PathLike[str], *, alpha: float = 0.05) -> Path:
    """Write the report of one or more studies as one HTML file that opens anywhere.

    Parameters
    ----------
    results : Results or sequence of Results
        From `covey.study.run_study`, or `covey.study.Results.in_store`; finished or not. Nothing is fitted again.
    path : path
        Where to write it, such as "report.html".
    alpha : float, default=0.05
        The significance level of all tests and intervals.

    Returns
    -------
    Path
        The file.
    """
    from covey.report.rendering import render_page
    from covey.report.study_page import study_page

    file = Path(path)
    if file.is_dir():
        raise IsADirectoryError(f"path={str(file)!r} is a folder; give the name of a file in it, such as report.html.")
    html = render_page(study_page(results, alpha=alpha))
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, html.encode())
    return file
