"""What a model's file says about its model."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from covey.model_card import describe_training, read_about
from sklearn.linear_model import LogisticRegression

from covey import load_model, save_model
from covey.datasets import load
from persistence.files import X, Y


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


def test_a_missing_file(path):
    with pytest.raises(FileNotFoundError, match="There is no model file"):
        read_about(path)


@pytest.mark.parametrize("content", [b"", b"junk", b"PK\x03\x04 nearly a zip file"])
def test_other_files_are_refused(path, content):
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a model"):
        read_about(path)


def test_other_zip_files_are_refused(path):
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("about.json", "{}")
    with pytest.raises(ValueError, match="is not a model"):
        read_about(path)


@pytest.mark.parametrize("text", ["[]", "{", "[" * 100_000, "\xff"])
def test_a_forged_text_is_refused_and_the_model_loads_all_the_same(model, path, text):
    save_model(model, path)
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("about.json", text.encode("latin-1"))
    with pytest.raises(ValueError, match="damaged or forged"):
        read_about(path)
    load_model(path)


def test_a_text_that_unpacks_to_far_too_much_is_refused(model, path, monkeypatch):
    monkeypatch.setattr("covey.model_card._MAX_BYTES", 1000)
    save_model(model, path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("about.json", json.dumps({"x": "a" * 10_000}))
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        read_about(path)


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
