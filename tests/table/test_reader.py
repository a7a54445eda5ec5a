import numpy as np
import pandas as pd
import pytest

from covey.table import TableReader, as_table, feature_names


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
