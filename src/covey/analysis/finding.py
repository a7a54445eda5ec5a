"""What all results have in common."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np


class Finding:
    """A result: its arrays cannot be changed, so that text, table and figure go on agreeing, and it shows itself."""

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]  # every result is a dataclass
            value: Any = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __repr__(self) -> str:
        return str(self)
