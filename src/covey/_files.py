"""Files that appear whole, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """Give a draft beside a file, which takes the file's place at the end; after an error nothing is left of it."""
    draft = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that was there before, or is complete, at any moment."""
    with drafted(path) as draft:
        draft.write_bytes(content)
