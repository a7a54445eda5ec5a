"""What a model's file says about its model."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from covey import load_model, read_about, save_model
from covey.datasets import load
from covey.models import describe_training
from models.files import X, Y, rewrite


@pytest.fixture
def model():
    return LogisticRegression().fit(X, Y)


def test_what_was_said_is_read_without_the_model(model, path):
    about = {
        "target": "y [red]",
        "classes": ["ä", "b"],
        "scores": {"accuracy": {"mean": np.float64(0.5)}},
        "n": np.int64(3),
    }
    assert save_model(model, path, about=about) == path
    assert read_about(path) == {
        "target": "y [red]", "classes": ["ä", "b"], "scores": {"accuracy": {"mean": 0.5}}, "n": 3
    }  # fmt: skip
    np.testing.assert_array_equal(load_model(path).predict(X), model.predict(X))


def test_files_without_it_are_as_good(model, path):
    save_model(model, path)
    assert read_about(path) == {}
    load_model(path)


@pytest.mark.parametrize("about", [{"x": object()}, {"x": {1, 2}}, {"x": b"bytes"}])
def test_what_is_not_plain_is_refused_before_anything_is_written(model, path, about):
    with pytest.raises(TypeError, match="about cannot be written as JSON"):
        save_model(model, path, about=about)
    assert list(path.parent.iterdir()) == []


def test_it_must_be_a_mapping(model, path):
    with pytest.raises(TypeError, match="must be a mapping"):
        save_model(model, path, about=["x"])


def test_what_is_no_number_is_nothing(model, path):
    save_model(model, path, about={"low": float("nan"), "high": np.inf})
    assert read_about(path) == {"low": None, "high": None}


@pytest.mark.parametrize("card", [[], None, "text", 3])
def test_a_forged_card_is_refused(model, path, card):
    save_model(model, path)
    rewrite(path, lambda document: document.update(about=card))
    with pytest.raises(ValueError, match="says nothing about its model that could be read"):
        read_about(path)


def test_a_file_that_is_too_large_is_refused(model, path):
    save_model(model, path)
    with pytest.raises(ValueError, match=r"at most 1000 are read; raise max_bytes if you expect as many\."):
        read_about(path, max_bytes=1000)


def test_the_training_of_a_classifier(tmp_path):
    file = tmp_path / "data.csv"
    pd.DataFrame({"n": [1.5, 2.5, None], "c": ["b", "a", "b"], "y": ["yes", "no", "yes"]}).to_csv(file, index=False)
    about = describe_training(load(file, target="y"), method="m", scores={"accuracy": 0.5})
    assert about["columns"] == [
        {"name": "n", "kind": "number"},
        {"name": "c", "kind": "category", "categories": ["a", "b"]},
    ]
    assert (about["target"], about["classes"], about["task"]) == ("y", ["no", "yes"], "classification")
    assert (about["dataset"], about["rows"], about["method"]) == ("data", 3, "m")
    assert json.loads(json.dumps(about)) == about


def test_the_training_of_a_regressor():
    about = describe_training(load("diabetes"), rows=100)
    assert (about["task"], about["classes"], about["rows"]) == ("regression", [], 100)
