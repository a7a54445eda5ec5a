"""The outcome of a cell of a study, and its form in a store: text that anyone can read, and arrays without pickle."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from math import isfinite
from numbers import Real
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Status = Literal["done", "failed"]
STATUSES: tuple[Status, ...] = get_args(Status)
COLUMNS = ("key", "status", "labels", "scores", "seconds", "warnings", "error", "traceback")

# Begins the names of arrays that hold a number chosen on fitting.
CHOSEN = "chosen_"

# Booleans, numbers, dates and text of fixed width: what a file can hold that runs nothing when it is read.
_PLAIN_KINDS = "biufcmMSU"


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a cell."""

    key: str  #: a hash of everything that the outcome depends on
    labels: Mapping[str, Any]  #: how tables call the cell: dataset, method, repeat, fit and so on
    status: Status  #: "done" or "failed"
    #: by metric; NaN says that a metric is not defined here
    scores: Mapping[str, float] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)  #: how long its steps took: "fit", "predict"
    warnings: tuple[str, ...] = ()  #: what the learner warned of
    error: str = ""  #: what went wrong, in one line; empty if nothing did
    traceback: str = ""  #: the same in full
    #: predictions, votes, weights and so on, of numbers, booleans, dates or text of fixed width
    arrays: Mapping[str, NDArray[Any]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.key, str):
            raise TypeError(f"key={self.key!r} is no text; give the hash of the cell.")
        if not self.key:
            raise ValueError("key is empty; give the hash of the cell.")
        if self.status not in STATUSES:
            raise ValueError(f"status={self.status!r} is unknown; give one of {', '.join(STATUSES)}.")

    @classmethod
    def done(
        cls,
        key: str,
        labels: Mapping[str, Any],
        scores: Mapping[str, float],
        seconds: Mapping[str, float],
        warnings: Sequence[str] = (),
        arrays: Mapping[str, NDArray[Any]] | None = None,
    ) -> Outcome:
        """Return the outcome of a cell that was carried out."""
        return cls(key, labels, "done", scores, seconds, _texts(warnings), arrays={} if arrays is None else arrays)

    @classmethod
    def failed(
        cls, key: str, labels: Mapping[str, Any], error: str, traceback: str = "", warnings: Sequence[str] = ()
    ) -> Outcome:
        """Return the outcome of a cell that went wrong."""
        return cls(key, labels, "failed", warnings=_texts(warnings), error=error, traceback=traceback)

    def __str__(self) -> str:
        name = ", ".join(f"{label} {value}" for label, value in self.labels.items()) or self.key
        if self.status == "failed":
            return f"{name}: failed: {self.error}"
        scores = "".join(f", {metric} {score:.4g}" for metric, score in self.scores.items())
        return f"{name}: done{scores} in {sum(self.seconds.values()):.3g} s"


def to_row(outcome: Outcome) -> tuple[str, ...]:
    """Return the `COLUMNS` of an outcome as text: canonical JSON, with NaN and infinity as words."""
    return (
        outcome.key,
        outcome.status,
        _write_json("labels", outcome.labels),
        _write_json("scores", _numbers("scores", outcome.scores)),
        _write_json("seconds", _numbers("seconds", outcome.seconds)),
        _write_json("warnings", _texts(outcome.warnings)),
        _writable("error", outcome.error),
        _writable("traceback", outcome.traceback),
    )


def from_row(row: Sequence[str]) -> Outcome:
    """Return the outcome whose `COLUMNS` are given, without its arrays; an error says that `to_row` wrote others."""
    key, status, labels, scores, seconds, warnings, error, traceback = row
    named, warned = json.loads(labels), json.loads(warnings)
    measured, took = ({name: float(value) for name, value in json.loads(text).items()} for text in (scores, seconds))
    if status not in STATUSES or not isinstance(named, dict) or not isinstance(warned, list):
        raise ValueError("its status, labels or warnings are of another kind")
    return Outcome(key, named, status, measured, took, _texts(warned), error, traceback)


def pack_arrays(arrays: Mapping[str, Any]) -> bytes:
    """Return arrays as the content of a compressed ``.npz`` file, refusing what only a pickle could hold."""
    if isinstance(arrays, PackedArrays):
        return arrays.content
    for name, array in arrays.items():
        _check_array(name, np.asanyarray(array))
    content = BytesIO()
    np.savez_compressed(content, **arrays)
    return content.getvalue()


class PackedArrays(Mapping[str, NDArray[Any]]):
    """Arrays as a store keeps them: a worker packs them, so that the coordinator has nothing to do but write."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self.content = pack_arrays(arrays)
        self._names = tuple(arrays)

    @cached_property
    def _unpacked(self) -> dict[str, NDArray[Any]]:
        return unpack_arrays(self.content)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._unpacked[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def unpack_arrays(content: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays that `pack_arrays` has written. No pickle is read."""
    with np.load(BytesIO(content), allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _check_array(name: str, array: NDArray[Any]) -> None:
    if not name.isidentifier():
        raise ValueError(f"arrays has the name {name!r}; give one of letters, digits and _ that begins with a letter.")
    if array.dtype.kind not in _PLAIN_KINDS:
        raise TypeError(
            f"arrays[{name!r}] has type {array.dtype}, which only a pickle could hold; give numbers, or text of fixed "
            "width such as array.astype(str)."
        )
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"arrays[{name!r}] is masked, and the mask would be lost; give its values and its mask apart.")


def _numbers(where: str, values: Mapping[str, Any]) -> dict[str, float | str]:
    """Return numbers by name, those that JSON lacks as the words nan, inf and -inf."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError(f"{where}[{name!r}]={value!r} is no number; give a float, NaN if it is not defined.")
    measured = ((name, float(value)) for name, value in values.items())
    return {name: value if isfinite(value) else str(value) for name, value in measured}


def _texts(values: Sequence[str]) -> tuple[str, ...]:
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"warnings={values!r} is no sequence of texts; give a tuple of str.")
    return tuple(values)


def _write_json(where: str, value: Any) -> str:
    """Return canonical JSON. It is all ASCII: file names may hold what UTF-8 cannot."""
    if isinstance(value, Mapping) and not all(isinstance(name, str) for name in value):
        raise TypeError(f"{where} has the names {', '.join(map(repr, value))}; give text for names.")
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{where}={value!r} cannot be written as JSON: {error}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{value!r} is of type {type(value).__name__}; give text, a number, a boolean, None or a list.")


def _writable(where: str, text: str) -> str:
    """Return text with what UTF-8 cannot hold, such as half a surrogate pair in a file name, spelt out."""
    if not isinstance(text, str):
        raise TypeError(f"{where}={text!r} is no text; give a str.")
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
