"""Reading KEEL's ``.dat`` files: ARFF's older cousin with ranges, inputs and outputs in the header."""

from __future__ import annotations

from collections.abc import Sequence

from covey.datasets.arff import ArffFile, read_declared
from covey.datasets.header import KEEL
from covey.datasets.reading import DEFAULT_MAX_BYTES, Source


def read_keel(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES, drop: Sequence[str] = ()) -> ArffFile:
    """Read a KEEL file.

    Parameters
    ----------
    source : path or open file
        As for `read_arff`; ``?`` and ``<null>`` are missing values, ``[low, high]`` after a type is passed over.
    max_bytes : int, default=2 GiB
        Reading stops with an error as soon as the unpacked file exceeds this.
    drop : sequence of str
        Attributes to leave out.

    Returns
    -------
    ArffFile
        With the `outputs` the file declares.
    """
    return read_declared(source, KEEL, max_bytes=max_bytes, drop=drop)
