import numpy as np
import pandas as pd
import pytest

from covey.table import Schema, Table


@pytest.fixture
def schema():
    return Schema(("n", "colour", "size"), (None, np.array(["red", "blue"]), np.array([3.0, 1.0, 2.0])))


def test_what_a_schema_says_of_its_columns(schema):
    assert schema.n_features == 3
    np.testing.assert_array_equal(schema.categorical, [False, True, True])
    np.testing.assert_array_equal(schema.n_categories, [0, 2, 3])
    assert schema.named


@pytest.mark.parametrize("columns", [[2, 0], np.array([1, 1, 0]), [], [-1]], ids=repr)
def test_take_gives_columns_in_order_and_repeated(schema, columns):
    taken = schema.take(columns)
    assert taken.names == tuple(schema.names[j] for j in columns)
    assert all(one is schema.categories[j] for one, j in zip(taken.categories, columns, strict=True))


def test_the_code_of_a_category_is_its_position(schema):
    frame = pd.DataFrame({"n": [0.5, 7], "colour": ["blue", "red"], "size": [2, 3]})
    np.testing.assert_array_equal(schema.encode(frame), [[0.5, 1, 2], [7, 0, 0]])


def test_schemas_are_equal_if_names_and_categories_are(schema):
    same = Schema(schema.names, (None, np.array(["red", "blue"]), np.array([3.0, 1.0, 2.0])), named=False)
    assert schema == schema
    assert schema == same
    assert schema != schema.take([0, 1])
    assert schema != schema.take([1, 0, 2])
    assert schema != Schema(schema.names, (None, None, schema.categories[2]))
    assert schema != Schema(schema.names, (None, np.array(["blue", "red"]), schema.categories[2]))
    assert schema != Schema(schema.names, (None, np.array([1.0, 2.0]), schema.categories[2]))
    assert schema != "schema"
    with pytest.raises(TypeError, match="unhashable"):
        hash(schema)


def test_a_table_speaks_for_its_schema(schema):
    table = Table(np.zeros((4, 3)), schema)
    assert table.shape == (4, 3)
    assert table.names == schema.names
    assert table.categories is schema.categories
    np.testing.assert_array_equal(table.categorical, schema.categorical)


def test_its_text_is_short():
    schema = Schema(tuple("abcdefgh"), (np.array(["x", "y"]),) + (None,) * 7)
    assert repr(schema) == "<Schema of 8 columns: 'a' (2 categories), 'b', 'c', 'd', 'e', 'f', ...>"
