"""The tables that the papers printed, as data: one CSV file each, with a list of their misprints."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from covey._text import did_you_mean, quoted

if TYPE_CHECKING:
    import pandas as pd

PUBLISHED = Path(str(files("covey.reproduce") / "published"))


def published_table(paper: str, number: str | int) -> pd.DataFrame:
    """Return a table as it was printed.

    Parameters
    ----------
    paper : str
        The paper's short name: "multistrategy".
    number : str or int
        The table's number in the paper: 1, "5.1".

    Returns
    -------
    DataFrame
        In the form of the file; numbers are numbers, and p-values such as "<0.0001" are text.
    """
    import pandas as pd

    index = _index()
    papers = index["paper"].unique().tolist()
    if paper not in papers:
        raise ValueError(f"paper={paper!r} has no tables here{did_you_mean(paper, papers)} Known are {quoted(papers)}.")
    tables = index[index["paper"] == paper].set_index("table")["file"]
    if str(number) not in tables.index:
        raise ValueError(f"number={number!r} is no table of {paper!r}; it has {quoted(tables.index)}.")
    return pd.read_csv(PUBLISHED / tables[str(number)], keep_default_na=False, na_values=[""])


def misprints(paper: str) -> pd.DataFrame:
    """Return what is known to be misprinted in a paper: id, where, printed, expected, evidence."""
    import pandas as pd

    found = pd.read_csv(PUBLISHED / "INCONSISTENCIES.csv", dtype=str, keep_default_na=False)
    return found[found["paper"] == paper].drop(columns="paper").reset_index(drop=True)


@lru_cache(maxsize=1)
def _index() -> pd.DataFrame:
    import pandas as pd

    return pd.read_csv(PUBLISHED / "INDEX.csv", dtype=str, keep_default_na=False)
