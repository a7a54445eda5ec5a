"""Signatures with a key of the user's own, which tells a file that the same user wrote from any other.

The key is random and never leaves its file, which only the user can read. A signature that fits it says that the parts
of the file are, byte for byte, what `save_model` wrote under this account. It says nothing about whether the data the
model was trained on were good, and does not protect from somebody who can read the user's files.
"""

from __future__ import annotations

import hmac
import os
import secrets
import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

_LENGTH = 32


def sign(parts: Iterable[tuple[str, bytes]]) -> str:
    """Return the signature of a file's parts; empty where no key can be kept."""
    key = _key(make=True)
    return "" if key is None else _digest(key, parts)


def is_own(signature: str, parts: Iterable[tuple[str, bytes]]) -> bool:
    """Whether a signature of a file's parts was made with the user's key."""
    key = _key(make=False) if signature else None
    return key is not None and hmac.compare_digest(signature.encode(), _digest(key, parts).encode())


def key_path() -> Path:
    """Return the file that the key is in."""
    if sys.platform == "win32":
        home = Path(os.environ.get("APPDATA", Path.home()))
    else:
        home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "covey" / "key"


def _digest(key: bytes, parts: Iterable[tuple[str, bytes]]) -> str:
    signed = hmac.new(key, digestmod=sha256)
    for name, content in parts:
        signed.update(sha256(name.encode()).digest() + sha256(content).digest())
    return signed.hexdigest()


def _key(*, make: bool) -> bytes | None:
    """Return the key, made if there is none and one is wanted; None where it cannot be read or others can."""
    with suppress(OSError, RuntimeError):  # no home, or one that cannot be written
        path = key_path()
        if make and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = path.with_name(f"key.{secrets.token_hex(8)}")
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(secrets.token_bytes(_LENGTH))
            with suppress(FileExistsError):
                os.link(draft, path)  # whoever comes first, both go on with the same key
            draft.unlink()
        status = path.stat()
        others = sys.platform != "win32" and (status.st_mode & 0o077 or status.st_uid != os.getuid())
        key = path.read_bytes()
        return key if len(key) == _LENGTH and not others else None
    return None
