import numpy as np
import pandas as pd
import pytest

from covey.table import Schema, Table, TableReader, as_table, feature_names


@pytest.fixture
def schema():
    return Schema(("n", "colour", "size"), (None, np.array(["red", "blue"]), np.array([3.0, 1.0, 2.0])))


def test_what_a_schema_and_its_tables_say_of_columns(schema):
    assert schema.n_features == 3
    np.testing.assert_array_equal(schema.categorical, [False, True, True])
    np.testing.assert_array_equal(schema.n_categories, [0, 2, 3])
    assert schema.named
    table = Table(np.zeros((4, 3)), schema)
    assert (table.shape, table.names, table.categories) == ((4, 3), schema.names, schema.categories)
    long = Schema(tuple("abcdefgh"), (np.array(["x", "y"]),) + (None,) * 7)
    assert repr(long) == "<Schema of 8 columns: 'a' (2 categories), 'b', 'c', 'd', 'e', 'f', ...>"


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


class Reader(TableReader):
    def fit(self, X, categorical_features="from_dtype"):
        self.table_ = as_table(X, categorical_features)
        self._remember_columns(self.table_, feature_names(X))
        return self

    def read(self, X):
        return self._read_new(X)


@pytest.fixture
def frame():
    return pd.DataFrame({"colour": ["red", "blue", "red"], "n": [1.0, 2.0, np.nan]})


def test_fitting_sets_what_scikit_learn_expects(frame):
    reader = Reader().fit(frame)
    assert reader.n_features_in_ == 2
    assert reader.feature_names_in_.tolist() == ["colour", "n"]
    assert reader.schema_ is reader.table_.schema


def test_refitting_forgets_the_names(frame, numbers):
    reader = Reader().fit(frame).fit(numbers)
    assert not hasattr(reader, "feature_names_in_")
    assert reader.read(numbers) is numbers


def test_new_rows_are_encoded_as_the_training_rows(frame):
    reader = Reader().fit(frame)
    np.testing.assert_array_equal(reader.read(frame), reader.table_.matrix)
    np.testing.assert_array_equal(reader.read(frame.replace("red", "green")), [[np.nan, 1], [0, 2], [np.nan, np.nan]])


def test_tables_keep_their_codes(frame):
    table = as_table(frame)
    reader = Reader().fit(table)
    assert reader.table_ is table
    assert reader.n_features_in_ == 2
    assert reader.read(table) is table.matrix
    with pytest.raises(ValueError, match="not those seen in training"):
        reader.read(as_table(frame.replace("red", "green")))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame[["n", "colour"]], "feature names should match"),
        (lambda frame: frame.rename(columns={"n": "m"}), "feature names should match"),
        (lambda frame: frame[["n"]], "feature names should match"),
        (lambda frame: np.ones((2, 3)), "has 3 features, but Reader is expecting 2 features"),
    ],
)
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_other_columns_are_refused_as_by_scikit_learn(frame, change, message):
    with pytest.raises(ValueError, match=message):
        Reader().fit(frame).read(change(frame))


def test_rows_without_names_warn_as_in_scikit_learn():
    frame = pd.DataFrame({"a": [1.0, 2.0]})
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        matrix = Reader().fit(frame).read(frame.to_numpy())
    np.testing.assert_array_equal(matrix, [[1], [2]])


def test_names_of_two_types_are_refused_as_by_scikit_learn():
    with pytest.raises(TypeError, match="Feature names are only supported if all input features have string names"):
        Reader().fit(pd.DataFrame([[1, 2]], columns=["a", 1]))
