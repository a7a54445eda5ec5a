"""Tables for learners: one float64 matrix, which of its columns are categorical, and what their codes mean."""

from __future__ import annotations

from covey.table.indicators import Indicators
from covey.table.reader import TableReader, feature_names
from covey.table.schema import Schema
from covey.table.table import Table, as_table
from covey.table.target import check_class_weights, check_numeric_target, check_weight, encode_classes

__all__ = [
    "Indicators",
    "Schema",
    "Table",
    "TableReader",
    "as_table",
    "check_class_weights",
    "check_numeric_target",
    "check_weight",
    "encode_classes",
    "feature_names",
]
