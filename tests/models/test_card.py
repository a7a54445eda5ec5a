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


@pytest.mark.parametrize(
    ("about", "read"),
    [
        ({"target": "y [red]", "classes": ["ä", "b"]}, {"target": "y [red]", "classes": ["ä", "b"]}),
        (
            {"scores": {"accuracy": {"mean": np.float64(0.5)}}, "n": np.int64(3)},
            {"scores": {"accuracy": {"mean": 0.5}}, "n": 3},
        ),
        ({"low": float("nan"), "high": np.inf}, {"low": None, "high": None}),
        (None, {}),
    ],
)
def test_what_was_said_is_read_without_the_model(model, path, about, read):
    assert save_model(model, path, about=about) == path
    assert read_about(path) == read
    np.testing.assert_array_equal(load_model(path).predict(X), model.predict(X))
    with pytest.raises(ValueError, match=r"at most 1000 are read; raise max_bytes if you expect as many\."):
        read_about(path, max_bytes=1000)


@pytest.mark.parametrize("about", [{"x": object()}, {"x": {1, 2}}, {"x": b"bytes"}, ["x"]])
def test_what_is_not_plain_is_refused_before_anything_is_written(model, path, about):
    with pytest.raises(TypeError, match=r"about cannot be written as JSON|must be a mapping"):
        save_model(model, path, about=about)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("card", [[], None, "text", 3])
def test_a_forged_card_is_refused(model, path, card):
    save_model(model, path)
    rewrite(path, lambda document: document.update(about=card))
    with pytest.raises(ValueError, match="says nothing about its model that could be read"):
        read_about(path)


def test_the_training_of_a_model(tmp_path):
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
    regression = describe_training(load("diabetes"), rows=100)
    assert (regression["task"], regression["classes"], regression["rows"]) == ("regression", [], 100)
