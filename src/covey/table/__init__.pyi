from .coded import CodedClasses as CodedClasses
from .logarithm import LogTarget as LogTarget
from .reader import Indicators as Indicators, TableReader as TableReader, feature_names as feature_names
from .schema import Schema as Schema
from .table import Table as Table, as_table as as_table
from .target import (
    check_class_weights as check_class_weights,
    check_numeric_target as check_numeric_target,
    check_weight as check_weight,
    encode_classes as encode_classes,
)
