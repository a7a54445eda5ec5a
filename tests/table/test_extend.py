"""New rows that bring categories of their own."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey.table import as_table
from covey.table.table import extend_rows

FRAME = pd.DataFrame({"x": [1.0, 2.0], "c": ["a", "b"], "n": pd.Categorical([3, 1])})


def test_new_categories_come_after_the_others_which_keep_their_codes():
    before = as_table(FRAME)
    table = extend_rows(FRAME.assign(c=["z", "a"], n=pd.Categorical([2, 3])), before.schema)
    assert table.schema.categories[1].tolist() == ["a", "b", "z"]
    assert table.schema.categories[2].tolist() == [1.0, 3.0, 2.0]
    np.testing.assert_array_equal(table.matrix, [[1.0, 2.0, 2.0], [2.0, 0.0, 1.0]])
    assert before.schema.categories[1].tolist() == ["a", "b"]


def test_without_new_categories_the_schema_is_the_same():
    before = as_table(FRAME)
    assert extend_rows(FRAME, before.schema).schema is before.schema
    assert extend_rows(FRAME.assign(c=None), before.schema).schema is before.schema
    assert extend_rows(before, before.schema).schema is before.schema


def test_numbers_become_text_where_text_is():
    table = extend_rows([[1.0, 7, 1]], as_table([[1.0, "a", 3], [2.0, "b", 1]]).schema)
    assert table.schema.categories[1].tolist() == ["a", "b", "7"]


def test_other_columns_are_refused():
    schema = as_table(FRAME).schema
    with pytest.raises(ValueError, match=r"not those seen in training \(they are in another order\)"):
        extend_rows(FRAME[["c", "x", "n"]], schema)
    with pytest.raises(ValueError, match="X has 2 features, but 3 were seen"):
        extend_rows(FRAME[["x", "c"]], schema)
