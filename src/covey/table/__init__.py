"""What a learner sees: one float64 matrix, which of its columns are categorical, and what their codes mean."""

from __future__ import annotations

from covey.table.indicators import Indicators
from covey.table.reader import TableReader, feature_names
from covey.table.schema import Schema, Table
from covey.table.table import as_table
from covey.table.target import check_numeric_target, encode_classes
from covey.table.weights import check_class_weights, check_weight

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
