import os
from pathlib import Path

import numpy as np
import pytest
import rsc

from covey.datasets import make_twonorm

AT_START = [Path(entry).absolute() for entry in os.environ.get("COVEY_DATA", "").split(os.pathsep) if entry]


@pytest.fixture
def small(monkeypatch):
    """Any dataset is a small one, and ensembles have 25 and 30 members."""
    X, y = make_twonorm(120, random_state=0)
    monkeypatch.setattr(rsc, "rows_of", lambda name: (X[:, :3], y))
    monkeypatch.setattr(rsc, "SIZES", (25, 30))


@pytest.fixture
def published(monkeypatch):
    directory = next((entry for entry in AT_START if (entry / "INDEX.csv").is_file()), None)
    if directory is None:
        pytest.skip("COVEY_DATA names no directory with an INDEX.csv")
    monkeypatch.setenv("COVEY_DATA", str(directory))


def as_published():
    """The published figures as if they were ours, members being half as accurate."""
    return {
        column: {name: rsc.Result(*pairs[at], pairs[at][0] / 2) for name, pairs in rsc.PUBLISHED.items()}
        for at, column in enumerate(rsc.COLUMNS)
    }


def test_published_figures_are_complete_and_make_the_published_claims():
    assert len(rsc.PAPER) == 16
    assert list(rsc.PUBLISHED) == list(rsc.DATASETS)
    lines = list(rsc.report(as_published()))
    assert sum("within 2 sd" in line for line in lines) == 6 * 17
    assert not any("MISS" in line for line in lines)
    assert sum(line.endswith("16 of 16   met") for line in lines) == 6
    claims = [line.split() for line in rsc.claims(as_published())]
    assert [words[-3] for words in claims[:3]] == [words[-2] for words in claims[:3]] == ["12/2/2", "14/0/2", "14/0/2"]
    assert [words[-3] for words in claims[3:]] == ["16/0/0"] * 7


def test_a_miss_is_called_one_and_the_extra_dataset_is_not_counted():
    results = as_published()
    column = rsc.COLUMNS[0]
    for name in ("sonar", "heart", "ecoli", rsc.BINARY):
        mean, deviation = rsc.PUBLISHED[name][0]
        results[column][name] = rsc.Result(mean - 2.5 * deviation, deviation, 50.0)
    lines = [line for line in rsc.beside_published(column, results[column]) if "MISS" in line]
    assert [line.split()[0] for line in lines] == ["sonar", "heart", "ecoli", rsc.BINARY]
    assert all("-2.5 sd" in line for line in lines)
    assert rsc.within(column, results[column]).endswith("13 of 16   NOT MET")


@pytest.mark.parametrize("method", rsc.ENSEMBLES)
def test_the_first_members_are_an_ensemble_of_their_own(small, method):
    cells = rsc.cells_of_split("sonar", method, 3)
    X_train, X_test, y_train, y_test = rsc.parted(*rsc.rows_of("sonar"), 3)
    assert len(y_train) == 80
    for cell, size in zip(cells, (25, 30), strict=True):
        model = rsc.ENSEMBLES[method](size, random_state=3).fit(X_train, y_train)
        assert cell.key == ("sonar", method, size, 3)
        assert cell.accuracy == model.score(X_test, y_test)
        right = model.classes_[model.member_predictions(X_test)] == y_test[:, None]
        assert cell.member_accuracy == pytest.approx(right.mean())
        assert cell.min_sphere_size == model.min_sphere_size_


def test_a_short_run_goes_on_where_it_stopped(small, tmp_path):
    path = tmp_path / "cells.csv"
    methods = [rsc.SINGLE, "alpha-rse"]
    first = rsc.run(path, ["sonar"], methods, 1, 1)
    cells = rsc.run(path, ["sonar", "heart"], methods, 2, 1)
    assert cells[:3] == first
    assert len(path.read_text().splitlines()) == 1 + len(cells) == 1 + 2 * 2 * 3
    result = rsc.results_of(cells)["alpha-rse", 30]["heart"]
    scores = [100 * cell.accuracy for cell in cells if cell.key[:3] == ("heart", "alpha-rse", 30)]
    assert result.mean == pytest.approx(np.mean(scores))
    assert result.deviation == pytest.approx(np.std(scores, ddof=1))


@pytest.mark.parametrize(
    ("name", "shape", "n_classes", "gaps"),
    [
        ("cancer", (277, 9), 2, 0),
        ("wisconsin", (699, 9), 2, 16),
        ("ecoli", (336, 7), 8, 0),
        ("waveform-binary", (5000, 40), 2, 0),
        ("ringnorm", (7400, 20), 2, 0),
    ],
)
def test_datasets(published, name, shape, n_classes, gaps):
    X, y = rsc.rows_of(name)
    assert X.shape == (len(y), shape[1]) == shape
    assert len(np.unique(y)) == n_classes
    assert np.isnan(X).sum() == gaps
