"""A part of the thesis's tables 5.2 and 5.7: what ``covey reproduce erassel`` does in full."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import train_test_split

from covey import method
from covey.datasets import load

AT_START = [Path(entry).absolute() for entry in os.environ.get("COVEY_DATA", "").split(os.pathsep) if entry]

BOSTON = {"rssl": 0.69, "adaptive-rssl": 0.69, "rassel": 0.64, "erassel": 0.67}
PIMA = {"rssl": 22.48, "adaptive-rssl": 22.65, "erassel": 22.67}


@pytest.fixture
def papers_data(monkeypatch):
    found = [path for path in AT_START if (path / "INDEX.csv").exists()]
    if not found:
        pytest.skip("COVEY_DATA does not name the papers' datasets")
    monkeypatch.setenv("COVEY_DATA", os.pathsep.join(map(str, found)))


def errors(X, y, id, splits, size, **params):
    """The mean loss over random splits of 70 and 30 per cent."""
    found = []
    classes = params["task"] == "classification"
    for split in range(splits):
        train, test, known, truth = train_test_split(
            X, y, train_size=0.7, random_state=split, stratify=y if classes else None
        )
        model = method(id, subspace_size=size, random_state=split, **params).fit(train, known)
        said = model.predict(test)
        found.append(100 * np.mean(said != truth) if classes else np.mean((said - truth) ** 2))
    return np.mean(found)


@pytest.mark.slow
def test_boston(papers_data):
    data = load("boston", target="crim")
    X, y = data.to_xy()
    found = {
        id: errors(X, np.log(np.asarray(y, dtype=float)), id, 12, 7, task="regression", **_printed(id, False))
        for id in BOSTON
    }
    for id, published in BOSTON.items():
        assert found[id] == pytest.approx(published, rel=0.1), id
    assert found["rassel"] < found["erassel"] < found["rssl"]


@pytest.mark.slow
def test_pima(papers_data):
    X, y = load("pima_mass532").to_xy()
    for id, published in PIMA.items():
        found = errors(X, np.asarray(y), id, 12, 3, task="classification", **_printed(id, True))
        assert found == pytest.approx(published, rel=0.1), id


def _printed(id, classes):
    if id != "erassel":
        return {}
    return {"update": "running", "credit": "error"} if classes else {"update": "running", "scale_errors": False}
