"""Results of analyses: what all have in common, the table that each can give, and the table of scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import fsum
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from covey._arguments import check_count
from covey._rounding import check_format, round_half_up
from covey._text import quoted
from covey.analysis.numbers import Floats, read_numbers
from covey.analysis.scores import Scores, check_direction, read_scores
from covey.analysis.tables.formats import (
    Grid,
    cell_of,
    column_of,
    frame_as_csv,
    in_one_line,
    to_html,
    to_latex,
    to_markdown,
    to_text,
    with_spread,
)

if TYPE_CHECKING:
    import pandas as pd

MEAN, MEAN_RANK = "mean", "mean rank"


class Finding:
    """A result: its arrays cannot be changed, so that text, table and figure go on agreeing, and it shows itself."""

    def __post_init__(self) -> None:
        for part in fields(self):  # type: ignore[arg-type]  # every result is a dataclass
            value: Any = getattr(self, part.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, eq=False)
class ResultTable:
    """A table of results, with what it takes to print it.

    All formats write the same cells. Numbers stand at the right and text at the left. What is missing is "–", True is
    "yes" and False "no". Numbers are rounded half up as decimals: 3.125 and 2.675 become 3.13 and 2.68. The frames are
    copied, so that the table stays as it was made.

    Parameters
    ----------
    frame : DataFrame
        The values as they are. The index holds the labels of the rows, in one or more named levels.
    caption : str
        What the table shows.
    formats : mapping of column to str
        How to write a column's numbers: a format such as ".2f", ".3g", ".1e" or ",d"; "p" for p-values ("<0.0001" or
        four decimals); "%" for percent with one decimal.
    default_format : str, default=".3f"
        The same for floats of the other columns. Their whole numbers are written as they are, text always is.
    spread : DataFrame, optional
        Of the same rows and columns: numbers are written as "mean ± spread", and alone where the spread is missing.
    bold : DataFrame of bool, optional
        Of the same rows and columns: the cells that stand out.
    notes : tuple of str
        Lines below the table.

    Examples
    --------
    >>> import pandas as pd
    >>> from covey.analysis.tables import ResultTable
    >>> frame = pd.DataFrame({"F": [14.97, 0.4], "p": [1e-6, 0.8]}, index=pd.Index(["ranks", "times"], name="test"))
    >>> print(ResultTable(frame, formats={"F": ".2f", "p": "p"}))
    test       F        p
    -----  -----  -------
    ranks  14.97  <0.0001
    times   0.40   0.8000
    """

    frame: pd.DataFrame
    caption: str = ""
    formats: Mapping[str, str] = field(default_factory=dict)
    default_format: str = ".3f"
    spread: pd.DataFrame | None = None
    bold: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_frame(self.frame)
        check_format(self.default_format, "default_format")
        _check_formats(self.formats, self.frame)
        for name in ("frame", "spread", "bold"):
            frame = getattr(self, name)
            if frame is not None:
                _check_like(self.frame, frame, name)
                object.__setattr__(self, name, frame.copy())
        object.__setattr__(self, "formats", dict(self.formats))
        object.__setattr__(self, "notes", tuple(self.notes))

    def to_frame(self) -> pd.DataFrame:
        """Return a copy of the values as they are, not rounded; `spread` and `bold` are frames of their own."""
        return self.frame.copy()

    def to_csv(self) -> str:
        """Return the values as comma-separated text, not rounded; text that a spreadsheet would run is quoted."""
        return frame_as_csv(self.frame)

    def to_markdown(self) -> str:
        """Return the table in GitHub's Markdown, bold cells in double stars, in columns that read well as they are."""
        return to_markdown(grid_of(self))

    def to_latex(self, *, label: str | None = None) -> str:
        r"""Return a LaTeX table environment with the rules of booktabs, which the document must load.

        All names are escaped, and Greek letters and the usual signs become mathematics, so that any engine can set
        them. Chinese and other scripts need an engine and fonts that have them.

        Parameters
        ----------
        label : str, optional
            What ``\ref`` finds the table by, such as "tab:accuracy".
        """
        return to_latex(grid_of(self), label)

    def to_html(self) -> str:
        """Return an HTML table without style of its own: classes "covey-table", "num", and "best" for bold cells."""
        return to_html(grid_of(self))

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return to_text(grid_of(self))

    def __repr__(self) -> str:
        return str(self)


def table_of(columns: Any, labels: Sequence[Any], name: str, **options: Any) -> ResultTable:
    """Return a table of columns, or of rows as mappings, with the labels of its rows under a name."""
    import pandas as pd

    return ResultTable(pd.DataFrame(columns, index=pd.Index(labels, name=name)), **options)


def grid_of(table: ResultTable) -> Grid:
    """Return the cells of a table."""
    frame = table.frame
    columns = []
    for level, name in enumerate(frame.index.names):
        labels = frame.index.get_level_values(level)
        columns.append(
            column_of("" if name is None else name, [cell_of(label, None) for label in labels.array], labels)
        )
    for position, name in enumerate(frame.columns):
        values = frame.iloc[:, position]
        spec, default = table.formats.get(name), table.default_format
        bold = [False] * len(values) if table.bold is None else table.bold.iloc[:, position].tolist()
        cells = [
            cell_of(value, spec if spec is not None or isinstance(value, Integral) else default, stands_out)
            for value, stands_out in zip(values.array, bold, strict=True)
        ]
        if table.spread is not None:
            cells = with_spread(cells, list(table.spread.iloc[:, position].array), spec or default)
        columns.append(column_of(name, cells, values))
    return Grid(
        caption=in_one_line(table.caption),
        header=tuple(column[0] for column in columns),
        rows=tuple(zip(*(column[1:] for column in columns), strict=True)),
        n_labels=frame.index.nlevels,
        notes=tuple(map(in_one_line, table.notes)),
    )


def _check_frame(frame: pd.DataFrame) -> None:
    if frame.columns.nlevels > 1:
        raise ValueError(
            f"frame has columns of {frame.columns.nlevels} levels, but one is printed; "
            "join their names, as in frame.set_axis(frame.columns.map(' '.join), axis=1)."
        )
    names = [str(name) for name in frame.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"frame has the column {twice!r} twice; names must differ.")


def _check_formats(formats: Mapping[str, str], frame: pd.DataFrame) -> None:
    for name, spec in formats.items():
        if name not in frame.columns:
            raise ValueError(f"formats names the column {name!r}, but frame has {quoted(frame.columns) or 'none'}.")
        check_format(spec, f"formats[{name!r}]")


def _check_like(frame: pd.DataFrame, other: pd.DataFrame, what: str) -> None:
    if not other.index.equals(frame.index) or not other.columns.equals(frame.columns):
        raise ValueError(
            f"{what} is {other.shape[0]} x {other.shape[1]} and frame {frame.shape[0]} x {frame.shape[1]}; they must "
            f"have the same index and columns in the same order. {what}.reindex_like(frame) puts them so."
        )


def score_table(
    scores: Any,
    *,
    larger_is_better: bool,
    spread: Any = None,
    methods: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    decimals: int = 2,
    mean_rank: bool = True,
    caption: str = "",
) -> ResultTable:
    """Return scores as a table: datasets in rows, methods in columns, the best of each row bold, means at the end.

    What is best is judged on the numbers as printed, so that of two equal numbers in a row never only one is bold:
    methods that tie after rounding are all bold. Ranks are those of the scores as given, before rounding, as the tests
    of significance use them. The last rows are the mean score and the mean rank of each method; 1 is best, and ties
    share the mean of their ranks (Demsar, 2006, JMLR 7, section 3.2.2).

    Parameters
    ----------
    scores, larger_is_better, methods, datasets
        As for `covey.analysis.friedman`; one dataset will do.
    spread : like scores, optional
        Standard deviations or the like, written behind the scores; NaN where there is none.
    decimals : int, default=2
        How many to print, of scores and of ranks.
    mean_rank : bool, default=True
        Whether to end with the mean ranks.
    caption : str
        What the table shows.

    Returns
    -------
    ResultTable
        Its frame has the scores as given.
    """
    import pandas as pd

    larger = check_direction(larger_is_better)
    check_count("decimals", decimals, 0)
    read = read_scores(scores, methods=methods, datasets=datasets, least_datasets=1)
    last = {MEAN: [fsum(column) / len(column) for column in read.values.T]}
    if mean_rank:
        last[MEAN_RANK] = list(read.ranks(larger_is_better=larger).mean(axis=0))
    values = np.vstack([read.values, *last.values()])
    axes: Any = {"index": pd.Index([*read.datasets, *last], name="dataset"), "columns": list(read.methods)}
    directions = [larger] * (len(read.datasets) + 1) + [False] * bool(mean_rank)
    bold = [_best(row, decimals, largest) for row, largest in zip(values, directions, strict=True)]
    beside = None
    if spread is not None:
        none = np.full((len(last), len(read.methods)), np.nan)
        beside = pd.DataFrame(np.vstack([_read_spread(spread, scores, read), none]), **axes)
    marked = f"The best of each row is marked; {'larger' if larger else 'smaller'} is better."
    return ResultTable(
        pd.DataFrame(values, **axes),
        caption=caption,
        default_format=f".{decimals}f",
        spread=beside,
        bold=pd.DataFrame(bold, **axes),
        notes=(marked, *(["Mean rank: 1 is best, and ties share the mean of their ranks."] if mean_rank else [])),
    )


def _best(row: Floats, decimals: int, largest: bool) -> list[bool]:
    """Return which numbers of a row are best as printed."""
    printed = [round_half_up(value, decimals) for value in row]
    best = max(printed) if largest else min(printed)
    return [value == best for value in printed]


def _read_spread(spread: Any, scores: Any, read: Scores) -> Floats:
    """Return the spread of each score; where it has names, they are matched with those of the scores."""
    import pandas as pd

    if isinstance(spread, Mapping):
        spread = pd.DataFrame(dict(spread))
    if isinstance(spread, pd.DataFrame):
        before = scores if isinstance(scores, pd.DataFrame) else None
        spread = spread[_matched(spread.columns, read.methods, None if before is None else before.columns, "methods")]
        if before is not None:
            spread = spread.loc[_matched(spread.index, read.datasets, before.index, "datasets")]
    values = read_numbers(spread, "spread", "give one for each score")
    if values.shape != read.values.shape:
        raise ValueError(f"spread has shape {values.shape}, but scores {read.values.shape}; give one for each score.")
    return values


def _matched(names: Any, wanted: Sequence[str], before: Any, what: str) -> list[Any]:
    """Return names in the order wanted; or as they are if they are those that scores had before they were renamed."""
    place = {str(name): name for name in names}
    if set(wanted) <= set(place):
        return [place[name] for name in wanted]
    if before is not None and list(names) == list(before):
        return list(names)
    raise ValueError(f"spread has the {what} {list(place)}, but scores {list(wanted)}; give one for each score.")
