r"""Reading ARFF files, plain or gzip.

covey reads ARFF itself because no kept-up library reads it right. `scipy.io.arff` (1.17) has neither string
attributes nor sparse rows, returns a missing nominal value as the value ``?``, keeps backslashes (``'x\'s'`` becomes
``x\s'``), fails on non-ASCII values and silently drops surplus values of a row. `liac-arff` 2.5.0 (August 2020, its
maintainer has stepped down; scikit-learn carries a private copy) is right on nearly all of that but leaves escapes in
attribute names, takes neither tabs nor comments after a row, refuses dates as a "bad type", and returns Python lists
without bounds on size. `sklearn.datasets.fetch_openml` reads OpenML's own files only, not files on disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from covey.datasets.cells import read_rows
from covey.datasets.choice import Choice
from covey.datasets.header import ARFF, Attribute, Dialect, read_header
from covey.datasets.reading import DEFAULT_MAX_BYTES, Source, read_contents

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class ArffFile:
    """A parsed ARFF (or KEEL) file.

    Parameters
    ----------
    relation : str
        Name of the relation, empty when the file gives none.
    attributes : tuple of Attribute
        The declarations, in the order of the columns.
    frame : DataFrame
        All columns but dropped ones: float64 for numeric attributes; categories in declared order for nominal ones,
        unused ones included; sorted categories for strings; NaN where a value is missing.
    sha256 : str
        Digest of the file as stored.
    outputs : tuple of str
        The outputs a KEEL file declares; empty for ARFF, which has no such notion.
    """

    relation: str
    attributes: tuple[Attribute, ...]
    frame: pd.DataFrame = field(repr=False)
    sha256: str
    outputs: tuple[str, ...] = ()


def read_arff(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES, drop: Sequence[str] = ()) -> ArffFile:
    """Read an ARFF file.

    Quoted names and values, backslash escapes, ``%`` comments, sparse rows, tab-separated rows and ``?`` are
    understood; ``nan`` in a numeric column counts as missing. Dates, relational attributes and weights are refused.

    Parameters
    ----------
    source : path or open file
        Plain or gzip, told apart by content; UTF-8, or Latin-1 where that fails.
    max_bytes : int, default=2 GiB
        Reading stops with an error as soon as the unpacked file exceeds this.
    drop : sequence of str
        Attributes to leave out, of any type, dates and relational ones included.

    Returns
    -------
    ArffFile
        The declarations and the data.

    Raises
    ------
    DataFormatError
        The file is malformed; the message gives the line number.
    ValueError
        An attribute to drop does not exist.
    FileNotFoundError
        There is no such file.
    """
    return read_declared(source, ARFF, max_bytes=max_bytes, drop=drop)


def read_declared(source: Source, dialect: Dialect, *, max_bytes: int, drop: Sequence[str] = ()) -> ArffFile:
    """Read a file of the ARFF family: declarations, ``@data``, rows."""
    choice = Choice(drop=drop)
    contents = read_contents(source, max_bytes=max_bytes)
    lines = contents.text().split("\n")
    header = read_header(lines, dialect, contents.where, drop)
    choice.check(header.attributes, contents.where)
    frame = read_rows(lines, header, dialect, contents.where, max_bytes)
    return ArffFile(header.relation, tuple(header.attributes.values()), frame, contents.sha256, header.outputs)
