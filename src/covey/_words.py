"""Numbers in sentences."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun: "1 value", "2 values"; the plural may be given."""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"
