"""Zip files of models: what may be in one, looked at before anything is read.

Parts are stored as they are, not compressed, so that a file cannot hold more than its own size.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from covey.models.document import DTYPES, read_pool
from covey.models.fields import RefusedError, inside, require

DOCUMENT = "model.json"
SIGNATURE = "signature"
FOREIGN = "foreign/"
MAX_BYTES = 2**31
# JSON takes up to so many times its size in memory, so it is a smaller part of a file.
DOCUMENT_SHARE = 32
MOST_PARTS = 1024
_MOST_DIRECTORY = MOST_PARTS * 128
_END, _LOCATOR, _END_64 = (struct.Struct(form) for form in ("<4s4H2LH", "<4sLQL", "<4sQ2H2L4Q"))
# The earliest time that a zip can tell: a file depends on its model alone.
_TIME = (1980, 1, 1, 0, 0, 0)


def write_archive(
    path: Path, document: str, pools: Mapping[str, list[NDArray[Any]]], foreign: Mapping[str, bytes]
) -> None:
    """Write a model file: its JSON, the arrays of each type, joined, and what other packages have written, by name."""
    with ZipFile(path, "w", ZIP_STORED) as file:
        file.writestr(ZipInfo(DOCUMENT, _TIME), document)
        for name, arrays in pools.items():
            with file.open(ZipInfo(f"arrays/{name}.npy", _TIME), "w", force_zip64=True) as entry:
                np.lib.format.write_array_header_1_0(
                    entry,
                    {
                        "descr": np.lib.format.dtype_to_descr(np.dtype(name)),
                        "fortran_order": False,
                        "shape": (sum(map(len, arrays)),),
                    },
                )
                for array in arrays:
                    entry.write(array.view(np.uint8).data)
        for name, content in foreign.items():
            file.writestr(ZipInfo(f"{FOREIGN}{name}", _TIME), content)


def add_signature(path: Path, signature: str) -> None:
    """Put a signature into a file, unless it is empty."""
    if signature:
        with ZipFile(path, "a", ZIP_STORED) as file:
            file.writestr(ZipInfo(SIGNATURE, _TIME), signature)


class Archive:
    """A model file that is open to be read; what it may hold has been looked at."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        if not path.exists():
            raise FileNotFoundError(f"There is no model file {path}.")
        self.path = path
        self.n_bytes = path.stat().st_size
        require(
            self.n_bytes <= max_bytes,
            f"has {self.n_bytes} bytes, and at most {max_bytes} are read; raise max_bytes if you expect as many",
        )
        self._max_document = max(2**20, max_bytes // DOCUMENT_SHARE)
        _check_directory(path)
        try:
            self._file = ZipFile(path)
        except (BadZipFile, NotImplementedError, UnicodeDecodeError, struct.error, OverflowError) as error:
            raise RefusedError(f"is not a model written by covey.save_model: {error}") from error
        self._parts = self._checked(self._file.infolist())

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def _checked(self, infos: list[ZipInfo]) -> dict[str, ZipInfo]:
        parts = {info.filename: info for info in infos}
        if DOCUMENT not in parts and "schema.json" in parts:
            raise RefusedError(
                "was written by a version of covey from before models had a format of their own; save the model again"
            )
        require(DOCUMENT in parts, "is not a model written by covey.save_model")
        require(len(parts) == len(infos), "holds two parts of the same name")
        known = {DOCUMENT, SIGNATURE, *(f"arrays/{name}.npy" for name in DTYPES)}
        strange = [name for name in parts if name not in known and not name.startswith(FOREIGN)]
        require(not strange, "holds parts that no model has")
        require(
            are_stored(infos) and not any(info.flag_bits & 1 for info in infos),
            "is compressed or encrypted, which no model is",
        )
        require(sum(info.file_size for info in infos) <= self.n_bytes, "holds parts that overlap")
        return parts

    def read(self, name: str) -> bytes:
        """Return the bytes of a part."""
        require(name in self._parts, f"has no {name}")
        try:
            return self._file.read(self._parts[name])
        except (BadZipFile, EOFError, RuntimeError, NotImplementedError, OSError, ValueError) as error:
            raise RefusedError(f"cannot be read: {error}") from error

    def document(self) -> dict[str, Any]:
        """Return the JSON document."""
        size = self._parts[DOCUMENT].file_size
        require(
            size <= self._max_document,
            f"has a document of {size} bytes, and at most {self._max_document} are read; raise max_bytes if you expect "
            "as many",
        )
        try:
            document = json.loads(self.read(DOCUMENT).decode(), parse_constant=_no_number)
        except (RecursionError, ValueError) as error:
            if isinstance(error, RefusedError):
                raise
            raise RefusedError(f"has a document that is no JSON: {error}") from error
        require(isinstance(document, dict), "has a document that is no table")
        return document  # type: ignore[no-any-return]

    def pools(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of each type."""
        pools = {}
        for name in DTYPES:
            part = self._parts.get(f"arrays/{name}.npy")
            if part is None:
                continue
            with inside(part.filename):
                try:
                    with self._file.open(part) as stream:
                        pools[name] = read_pool(stream, name, part.file_size)
                except RefusedError:
                    raise
                except (BadZipFile, EOFError, OSError, RuntimeError, SyntaxError, TypeError, ValueError) as error:
                    raise RefusedError(f"cannot be read: {error}") from error
        return pools

    def foreign(self) -> dict[str, bytes]:
        """Return what other packages have written, by name."""
        return {name.removeprefix(FOREIGN): self.read(name) for name in self._parts if name.startswith(FOREIGN)}

    def parts(self) -> Iterator[tuple[str, bytes]]:
        """Give the name and the bytes of every part but the signature."""
        return ((name, self.read(name)) for name in self._parts if name != SIGNATURE)

    def signature(self) -> str:
        """Return what is known of who wrote it; empty if nothing is."""
        return self.read(SIGNATURE).decode(errors="replace") if SIGNATURE in self._parts else ""


def are_stored(infos: list[ZipInfo]) -> bool:
    """Whether the parts of a zip are as long as they say, not compressed."""
    return all(info.compress_type == ZIP_STORED and info.compress_size == info.file_size for info in infos)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON's")


def _check_directory(path: Path) -> None:
    """Refuse a zip whose directory is longer than that of any model, before it is read."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        require(size >= _END.size, "is not a model written by covey.save_model")
        file.seek(-_END.size, 2)
        mark, _, _, _, count, length, _, comment = _END.unpack(file.read(_END.size))
        require(mark == b"PK\5\6" and comment == 0, "is not a model written by covey.save_model")
        before = _LOCATOR.size + _END_64.size
        if size >= _END.size + before:  # where a zip of more than 4 GiB has its numbers
            file.seek(-_END.size - before, 2)
            record = _END_64.unpack(file.read(_END_64.size))
            if file.read(4) == b"PK\6\7" and record[0] == b"PK\6\6":
                count, length = record[7], record[8]
    require(count <= MOST_PARTS and length <= _MOST_DIRECTORY, f"holds more than {MOST_PARTS} parts")
