"""Which studies a store has cells of: the record of each, and its cells by the names that its tables use."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any
from zlib import crc32

from covey.study.record import StudyRecord

SCHEMA = """
    CREATE TABLE studies (
        name TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL, checksum INTEGER NOT NULL, cells_checksum INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE study_cells (
        study TEXT NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, labels TEXT NOT NULL,
        PRIMARY KEY (study, position)
    ) WITHOUT ROWID;
"""


def write_study(connection: sqlite3.Connection, record: StudyRecord, keys: Mapping[str, Mapping[str, Any]]) -> None:
    """Put a study in the place of the one of the same name, inside a transaction."""
    rows = [
        (record.name, position, key, json.dumps(dict(labels))) for position, (key, labels) in enumerate(keys.items())
    ]
    text = record.to_json()
    checksums = _checksum(record.name, text), _checksum(*(str(part) for row in rows for part in row))
    connection.execute("DELETE FROM study_cells WHERE study = ?", (record.name,))
    connection.executemany("INSERT INTO study_cells VALUES (?, ?, ?, ?)", rows)
    connection.execute("INSERT OR REPLACE INTO studies VALUES (?, ?, ?, ?)", (record.name, text, *checksums))


def read_studies(connection: sqlite3.Connection) -> dict[str, StudyRecord]:
    """Return the records of all studies by name, in the order of their names.

    Raises
    ------
    TypeError, ValueError, KeyError
        They are not what was put.
    """
    found = {}
    for name, text, checksum in connection.execute("SELECT name, record, checksum FROM studies ORDER BY name"):
        if _checksum(name, text) != checksum:
            raise ValueError("the record of a study is not what was put")
        found[name] = StudyRecord.from_json(text)
    return found


def read_study_cells(connection: sqlite3.Connection, name: str) -> dict[str, Mapping[str, Any]]:
    """Return the labels of a study's cells by their keys.

    Raises
    ------
    ValueError
        They are not what was put.
    """
    query = "SELECT study, position, key, labels FROM study_cells WHERE study = ? ORDER BY position"
    rows = connection.execute(query, (name,)).fetchall()
    known = connection.execute("SELECT cells_checksum FROM studies WHERE name = ?", (name,)).fetchone()
    if known is None or known[0] != _checksum(*(str(part) for row in rows for part in row)):
        raise ValueError(f"the cells of study {name!r} are not those that were put")
    return {key: json.loads(labels) for _, _, key, labels in rows}


def _checksum(*texts: str) -> int:
    return crc32("\0".join(texts).encode())
