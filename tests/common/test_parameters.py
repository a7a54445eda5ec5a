"""Parameters, and models on disk."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone

from common.roster import opinions
from covey import load_model, save_model
from covey.models import needed_trust


def test_clone_keeps_every_parameter(entry):
    before, after = entry.estimator.get_params(deep=True), clone(entry.estimator).get_params(deep=True)
    assert before.keys() == after.keys()
    assert all(str(before[name]) == str(after[name]) for name in before)


def test_set_params_reaches_every_simple_parameter(entry):
    model = entry.new()
    for name, value in model.get_params(deep=True).items():
        if isinstance(value, int | float | str | bool | None):
            model.set_params(**{name: value})
            assert model.get_params(deep=True)[name] == value


def test_fit_changes_no_parameter(entry, data):
    model = entry.new()
    before = {name: str(value) for name, value in model.get_params(deep=True).items()}
    model.fit(*data)
    assert {name: str(value) for name, value in model.get_params(deep=True).items()} == before


def test_saved_and_loaded_it_predicts_the_same(entry, mixed, tmp_path):
    frame, y = mixed
    model = entry.new().fit(frame, y)
    path = save_model(model, tmp_path / "model.covey")
    # scikit-learn's linear regression is none of the models that declare their state.
    assert needed_trust(path) == (("sklearn",) if "linear-regressor" in entry.name else ())
    loaded = load_model(path)
    np.testing.assert_array_equal(loaded.predict(frame), model.predict(frame))
    np.testing.assert_array_equal(opinions(loaded, frame), opinions(model, frame))
    assert loaded.schema_ == model.schema_


@pytest.mark.parametrize(
    ("name", "value"), [("n_estimators", 0), ("n_estimators", 2.5), ("n_jobs", "two"), ("warm_start", "yes")]
)
def test_bad_parameter_is_named(entry, data, name, value):
    with pytest.raises(ValueError, match=name):
        entry.new(**{name: value}).fit(*data)
