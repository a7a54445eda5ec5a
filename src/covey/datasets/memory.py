"""Datasets from frames in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from covey.datasets.choice import Choice
from covey.datasets.dataset import Dataset, LoadedTable, Provenance, Task, make_dataset
from covey.datasets.tables import RawTable

if TYPE_CHECKING:
    import pandas as pd

SOURCE = "memory"


def from_frame(
    frame: Any,
    target: str,
    *,
    name: str = "data",
    task: Task | None = None,
    drop: Sequence[str] = (),
    categorical: Sequence[str] = (),
) -> Dataset:
    """Make a dataset of a frame.

    Parameters
    ----------
    frame : pandas or polars DataFrame
        Attributes and target, by column names that are text.
    target : str
        Column to predict.
    name : str, default="data"
        What tables call it.
    task : {"classification", "regression"}, optional
        By default what the type of the target says; at most ten distinct whole numbers are taken for classes.
    drop, categorical : sequence of str
        Columns to leave out, and columns to be categories whatever they hold.

    Returns
    -------
    Dataset
        Rows without a target are dropped, with a note in the provenance.

    Examples
    --------
    >>> import pandas as pd
    >>> from covey.datasets import from_frame
    >>> from_frame(pd.DataFrame({"age": [31, 47], "town": ["Ely", "York"], "won": ["yes", "no"]}), "won", name="towns")
    <Dataset 'towns': 2 rows x 2 attributes, 2 classes, 0 missing values, from memory>
    """
    table = _as_pandas(frame)
    where = f"frame {name!r}"
    choice = Choice(target, drop, categorical)
    tidied = RawTable(table, where, None).tidy(choice)
    provenance = Provenance(SOURCE, where, type(frame).__module__.partition(".")[0], notes=tidied.notes)
    loaded = LoadedTable(name, tidied.frame, provenance, typed=False, dropped=tuple(drop))
    return make_dataset(loaded, target=target, task=task, drop=drop)


def _as_pandas(frame: Any) -> pd.DataFrame:
    import narwhals.stable.v2 as nw
    import pandas as pd

    if isinstance(frame, pd.DataFrame):
        return frame.reset_index(drop=True)
    try:
        table: pd.DataFrame = nw.from_native(frame, eager_only=True).to_pandas()
        return table
    except TypeError as error:
        raise TypeError(
            f"frame is a {type(frame).__name__}; give a pandas or polars DataFrame with the target among its columns."
        ) from error
