"""Bytes of a data file, unpacked and decoded, and never more of them than allowed."""

from __future__ import annotations

import codecs
import gzip
import hashlib
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from covey.datasets.errors import DataFormatError

DEFAULT_MAX_BYTES = 2 * 1024**3
"""Largest unpacked file that is read unless the caller says otherwise: 2 GiB."""

Source = str | os.PathLike[str] | IO[bytes] | IO[str]

_CHUNK = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b"
# The first two bytes of the first are the third.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Tables rarely shrink to less than a fiftieth; what shrinks to a thousandth is made of one byte.
_UNSUSPECTED_BYTES = 1 << 26
_LARGEST_RATIO = 200


@dataclass(frozen=True, slots=True)
class Contents:
    """An unpacked file."""

    where: str  # the file's path, or a stand-in for an open file without one
    data: bytes
    sha256: str  # of the file as stored, that is before unpacking

    def encoding(self) -> str:
        """Return the text's encoding: UTF-8, or else that of Windows, or Latin-1; refuse what is no text."""
        if b"\0" in self.data:
            raise DataFormatError(self.where, "the file holds NUL bytes, so it is binary, or UTF-16 without its mark")
        for encoding in ("utf-8", "cp1252"):
            with suppress(UnicodeDecodeError):
                self.data.decode(encoding)
                return "utf-8-sig" if encoding == "utf-8" else encoding
        return "latin-1"

    def text(self) -> str:
        """Decode the whole file; every kind of line end becomes a line feed."""
        text = self.data.decode(self.encoding())
        # str.splitlines would also split at form feeds and at Latin-1's 0x85, which are part of values.
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def lines(self) -> Iterator[str]:
        """Decode line by line, for files too large to hold twice; line ends become a line feed."""
        return iter(io.TextIOWrapper(io.BytesIO(self.data), encoding=self.encoding()))


def read_contents(source: Source, *, max_bytes: int = DEFAULT_MAX_BYTES) -> Contents:
    """Read a file, plain or gzip (told apart by content), into memory.

    Reading stops with an error as soon as the unpacked data exceed `max_bytes`, or exceed 64 MiB and 200 times the
    packed bytes they came from. Text files are taken as they are decoded.
    """
    check_max_bytes(max_bytes)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if not path.is_file():
            kind = "is a directory" if path.is_dir() else "does not exist"
            raise FileNotFoundError(f"the data file {str(path)!r} {kind}; give the path of a file")
        with path.open("rb") as stream:
            return _read_stream(stream, str(path), max_bytes)
    return _read_stream(source, str(getattr(source, "name", "<open file>")), max_bytes)


def check_max_bytes(max_bytes: int) -> None:
    """Refuse a limit that is not a positive whole number."""
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int) or max_bytes < 1:
        raise ValueError(f"max_bytes must be a positive whole number of bytes, got {max_bytes!r}")


def _read_stream(stream: IO[Any], where: str, max_bytes: int) -> Contents:
    stored = b"".join(_chunks(stream, where, max_bytes))
    data = _unpack(stored, where, max_bytes) if stored[:2] == _GZIP_MAGIC else stored
    data = _in_utf_8(data, where)
    if not data.strip():
        raise DataFormatError(where, "the file is empty")
    return Contents(where, data, hashlib.sha256(stored).hexdigest())


def _in_utf_8(data: bytes, where: str) -> bytes:
    """Return text in UTF-16 or UTF-32, as spreadsheets save it with a mark of the byte order, in UTF-8."""
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None)
    if encoding is None:
        return data
    try:
        return data.decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise DataFormatError(where, f"the file starts as {encoding.upper()} but is not ({error.reason})") from error


def _unpack(stored: bytes, where: str, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    packed = io.BytesIO(stored)
    try:
        with gzip.GzipFile(fileobj=packed) as stream:
            for part in _chunks(stream, where, max_bytes):
                parts.append(part)
                size += len(part)
                if size > _UNSUSPECTED_BYTES and size > _LARGEST_RATIO * packed.tell():
                    raise DataFormatError(
                        where,
                        f"the gzip file unpacks to more than {_LARGEST_RATIO} times its size, {size} bytes so far, so "
                        "it may be made to fill the memory; unpack it and read the plain file if it is right",
                    )
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataFormatError(where, f"the gzip file is cut short or corrupt ({error})") from error
    return b"".join(parts)


def _chunks(stream: Any, where: str, max_bytes: int) -> Iterator[bytes]:
    """Yield what a stream holds, part by part, until it exceeds the limit."""
    size = 0
    while part := stream.read(min(_CHUNK, max_bytes + 1 - size)):
        part = part.encode() if isinstance(part, str) else bytes(part)
        size += len(part)
        if size > max_bytes:
            raise DataFormatError(
                where, f"the file holds more than max_bytes={max_bytes} bytes; pass a larger max_bytes if that is right"
            )
        yield part
