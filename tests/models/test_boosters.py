"""Models of the boosting packages, in the packages' own formats."""

import json
from importlib import import_module

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from covey import can_save, load_model, save_model
from covey.models import needed_trust
from models.files import X, Y, ensemble, parts_of, rewrite, write_parts

SETTINGS = {
    "lightgbm": {"n_estimators": 3, "min_child_samples": 2, "verbose": -1},
    "xgboost": {"n_estimators": 3},
    "catboost": {"iterations": 3, "verbose": 0, "allow_writing_files": False},
}
NAMES = {"lightgbm": "LGBM", "xgboost": "XGB", "catboost": "CatBoost"}


@pytest.fixture(params=SETTINGS)
def package(request):
    pytest.importorskip(request.param)
    return request.param


def booster(package, kind="Classifier"):
    return getattr(import_module(package), f"{NAMES[package]}{kind}")(**SETTINGS[package])


@pytest.mark.parametrize("kind", ["Classifier", "Regressor"])
def test_a_booster_is_kept_in_its_own_format(package, kind, path, stranger):
    model = booster(package, kind).fit(X, Y if kind == "Classifier" else X[:, 0])
    save_model(model, path)
    assert [name for name in parts_of(path) if name.endswith((".txt", ".json", ".cbm")) and "/" in name]
    assert "foreign/objects.skops" not in parts_of(path)
    assert needed_trust(path) == (package,)
    with stranger(), pytest.raises(ValueError, match=rf"give trust=\['{package}'\]"):
        load_model(path)
    with stranger():
        loaded = load_model(path, trust=[package])
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert repr(loaded.get_params()) == repr(model.get_params())


def test_labels_and_categories_of_lightgbm_are_kept(path, mixed):
    pytest.importorskip("lightgbm")
    frame, y = mixed
    frame = frame.drop(columns="text")
    model = booster("lightgbm").fit(frame, y)
    loaded = load_model(save_model(model, path))
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))
    assert loaded.classes_.tolist() == model.classes_.tolist()
    assert loaded.predict(frame).tolist() == model.predict(frame).tolist()
    assert loaded.feature_name_ == model.feature_name_


def test_boosters_inside_others(package, path):
    for model in (make_pipeline(StandardScaler(), booster(package)), ensemble(booster(package))):
        save_model(model.fit(X, Y), path)
        assert needed_trust(path) == (package,)
        np.testing.assert_array_equal(load_model(path).predict(X), model.predict(X))


def test_a_booster_that_is_not_fitted_is_saved_all_the_same(package, path):
    save_model(booster(package), path)
    assert package in needed_trust(path)
    assert can_save(booster(package)) is None


@pytest.mark.parametrize(
    "change",
    [{"package": "os"}, {"package": None}, {"class": "Booster"}, {"part": "1.txt"}, {"params": None}, {"state": []}],
    ids=json.dumps,
)
def test_a_forged_or_damaged_booster_is_refused(change, path):
    pytest.importorskip("lightgbm")
    save_model(booster("lightgbm").fit(X, Y), path)
    parts = parts_of(path)
    rewrite(path, lambda document: document["foreign"][0].update(change))
    with pytest.raises(ValueError, match=r"model\.covey"):
        load_model(path, trust=["lightgbm", "os"])
    write_parts(path, parts | {"foreign/0.txt": b"tree\nversion=v4\nharm"})
    with pytest.raises(ValueError, match="cannot be read by lightgbm"):
        load_model(path, trust=["lightgbm"])
