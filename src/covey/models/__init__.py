"""Models on disk: each class declares its state once, and that declaration saves, loads and checks it.

A model file is a zip of one JSON document and arrays; neither loading it nor predicting with it runs code of the file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from covey._lazy import lazy_names

if TYPE_CHECKING:
    from covey.models.card import describe_training, read_about
    from covey.models.files import can_save, load_model, needed_trust, save_model

_HOMES = {
    **dict.fromkeys(("can_save", "load_model", "needed_trust", "save_model"), "files"),
    **dict.fromkeys(("describe_training", "read_about"), "card"),
}

__all__ = ["can_save", "describe_training", "load_model", "needed_trust", "read_about", "save_model"]

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
