import numpy as np
import pandas as pd
import pytest

from covey.datasets import dataset
from covey.datasets.choice import Choice
from covey.datasets.dataset import LoadedTable, Provenance


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "age": [1.0, np.nan, 3.0, 4.0],
            "colour": pd.Categorical(["red", None, "red", "blue"], categories=["red", "blue"]),
            "kind": pd.Categorical(["b", "a", None, "b"], categories=["c", "b", "a"]),
            "count": [1.0, 2.0, 2.0, 1.0],
            "rate": [0.5, 1.5, 2.5, 3.5],
        }
    )


def make_dataset(table, task=None, **choice):
    return dataset.make_dataset(table, Choice(**choice), task)


def loaded(frame, target="kind", **options):
    return LoadedTable("toy", frame, Provenance("files", "toy.arff", "arff"), target, **options)


def test_classification_and_regression(frame):
    before = frame.copy()
    data = make_dataset(loaded(frame))
    assert data.task == "classification"
    assert data.classes == ("b", "a")
    assert list(data.target.cat.categories) == ["c", "b", "a"]
    assert data.target.name == "kind"
    assert tuple(data.frame.columns) == data.schema.names == ("age", "colour", "count", "rate")
    assert data.schema.categorical.tolist() == [False, True, False, False]
    assert (data.n_rows, data.n_features, data.n_missing) == (3, 4, 2)
    assert data.provenance.notes == ("1 row without a target (kind) was dropped",)
    assert list(data.frame.index) == list(data.target.index) == [0, 1, 3]  # rows of the source
    numeric = make_dataset(loaded(frame), target="rate", drop=["count"])
    assert (numeric.task, numeric.classes, numeric.target.dtype) == ("regression", (), "float64")
    assert numeric.provenance.notes == ()
    pd.testing.assert_frame_equal(frame, before)


def test_xy_and_repr(frame):
    data = make_dataset(loaded(frame))
    X, y = data.to_xy()
    assert X is data.frame
    assert y is data.target
    assert repr(data) == "<Dataset 'toy': 3 rows x 4 attributes, 2 classes, 2 missing values, from files>"
    assert "regression" in repr(make_dataset(loaded(frame, "rate")))
    single = make_dataset(loaded(pd.DataFrame({"x": [np.nan], "y": pd.Categorical(["a"])}), "y"))
    assert repr(single) == "<Dataset 'toy': 1 row x 1 attribute, 1 class, 1 missing value, from files>"


def test_whole_numbers_are_classes_only_where_types_are_not_declared(frame):
    assert make_dataset(loaded(frame, "count")).task == "regression"
    data = make_dataset(loaded(frame, "count", typed=False))
    assert data.classes == (1, 2)
    assert "task='regression' takes them for numbers" in data.provenance.notes[0]
    assert make_dataset(loaded(frame, "count", typed=False), task="regression").task == "regression"
    assert make_dataset(loaded(frame, "rate", typed=False)).task == "regression"
    many = pd.DataFrame({"x": np.zeros(11), "y": np.arange(11.0)})
    data = make_dataset(loaded(many, "y", typed=False))
    assert data.task == "regression"
    assert data.provenance.notes == (
        "the target 'y' holds 11 distinct whole numbers, taken for numbers; "
        "task='classification' takes them for classes",
    )
    assert make_dataset(loaded(many, "y")).provenance.notes == ()
    assert make_dataset(loaded(many, "y", typed=False), task="regression").provenance.notes == ()


@pytest.mark.parametrize("values", [[3.0, 3.0], pd.Categorical(["a", "a"], categories=["a", "b"])])
def test_one_class_is_noted(values):
    table = loaded(pd.DataFrame({"x": [1.0, 2.0], "y": values}), "y", task="classification")
    data = make_dataset(table)
    assert len(data.classes) == 1
    assert "the target 'y' holds one class only" in data.provenance.notes[0]


def test_classes_that_differ_only_in_case_are_noted():
    table = loaded(pd.DataFrame({"x": [1.0] * 5, "y": pd.Categorical(["well", "Well", "ill", "ILL", "so"])}), "y")
    (note,) = make_dataset(table).provenance.notes
    assert note == "classes 'Well' and 'well'; 'ILL' and 'ill' differ only in case; make them one if they mean the same"


def test_numbers_as_categories(frame):
    data = make_dataset(loaded(frame), categorical=["age", "rate", "colour"])
    assert data.frame["age"].cat.categories.tolist() == [1, 3, 4]
    assert data.frame["age"].isna().tolist() == [False, True, False]


def test_the_task_can_be_asked_for(frame):
    assert make_dataset(loaded(frame, "count"), task="classification").classes == (1, 2)
    assert make_dataset(loaded(frame, "rate"), task="classification").classes == (0.5, 1.5, 2.5, 3.5)
    frame["kind"] = pd.Categorical(["10", "9", None, "10"])
    assert make_dataset(loaded(frame), task="regression").target.tolist() == [10.0, 9.0, 10.0]


def test_the_task_of_the_source_holds_for_its_own_target_only(frame):
    table = loaded(frame, "count", task="classification")
    assert make_dataset(table).task == "classification"
    assert make_dataset(table, target="rate").task == "regression"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"target": "Colour"}, "'toy' has no column 'Colour'; did you mean 'colour'[?] Its columns are 'age'"),
        ({"target": "nope"}, "target='nope': 'toy' has no column 'nope'; its columns are 'age', 'colour'"),
        ({"drop": ["age", "nope"]}, r"drop=\['age', 'nope'\]: 'toy' has no column 'nope'"),
        ({"drop": ["kind"]}, "names the target 'kind'"),
        ({"drop": ["age", "colour", "count", "rate", "gone"]}, "has no column besides the target"),
        ({"task": "ranking"}, "task must be 'classification', 'regression' or None, got 'ranking'"),
        ({"task": "regression"}, "task='regression' needs a numeric target, but 'kind' of 'toy' holds 'c', 'b', 'a'"),
        ({"target": "gone"}, "the target 'gone' of 'toy' is missing in every row"),
    ],
)
def test_bad_arguments(frame, options, problem):
    frame = frame.assign(gone=np.nan)
    with pytest.raises(ValueError, match=problem):
        make_dataset(loaded(frame), **options)
    with pytest.raises(ValueError, match="'toy' does not say which column to predict; pass target= with one of 'age'"):
        make_dataset(loaded(frame, None))
