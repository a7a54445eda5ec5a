from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from covey.reproduce import run
from covey.reproduce.experiments import published_study
from covey.reproduce.multistrategy import PAPER
from covey.reproduce.paper import Quick
from covey.study import CycledFolds, DataSpec, MethodSpec, Outcome, Results, Store, Study
from covey.study.record import StudyRecord

KEPT = ("iris", "labor", "wine")


@pytest.fixture(scope="session")
def small_paper():
    """The multi-strategy paper on data that are embedded, but for labor, which is not there."""
    names = [data.name for data in published_study("multistrategy", PAPER.experiments[0]).datasets]
    without = tuple(name for name in names if name not in KEPT)
    quick = Quick(2, {"n_estimators": 4}, without=without, of={"boost-small": {"n_estimators": 2}})
    return replace(PAPER, experiments=tuple(replace(one, quick=quick) for one in PAPER.experiments))


def _patch(patch, paper):
    """Let that paper be the one that is found, and nothing but embedded and drawn data be there."""
    patch.delenv("COVEY_DATA", raising=False)
    patch.setattr("covey.datasets.packaged.data_directory", lambda: None)
    patch.setattr(run, "find_paper", lambda id: paper)


@pytest.fixture
def embedded(monkeypatch, small_paper):
    """Where `reproduce` can be called again."""
    _patch(monkeypatch, small_paper)


@pytest.fixture(scope="session")
def made(small_paper, tmp_path_factory):
    """A reproduction of it, with what was told of its progress."""
    told = []
    with pytest.MonkeyPatch.context() as patch:
        _patch(patch, small_paper)
        found = run.reproduce("multistrategy", out=tmp_path_factory.mktemp("out") / "new", progress=told.append)
    return found, told


@pytest.fixture
def result(made):
    return made[0]


@pytest.fixture
def ecoli_like(tmp_path):
    """Results of two folds in a store, the first of which was trained without the class c that one of its cases has."""
    folds = (
        {"classes": ["a", "b"], "y": ["c", "b"], "cases": [2, 0], "predictions": ["b", "b"], "votes": [[0, 1], [1, 1]]},
        {"classes": ["a", "c"], "y": ["c", "a"], "cases": [1, 3], "predictions": ["c", "a"], "votes": [[1, 1], [1, 0]]},
    )
    study = Study(
        "folds",
        (DataSpec("ecoli", "ecoli"),),
        (MethodSpec("boost", "covey:boost"),),
        CycledFolds(n_cycles=1, n_folds=2),
        ("error", "accuracy"),
        seed=0,
    )
    labels = {"dataset": "ecoli", "method": "boost", "repeat": 0}
    keys = {f"fold {fit}": {**labels, "fit": fit} for fit in range(2)}
    with Store.open(tmp_path / "ecoli.store", write=True) as kept:
        for (key, named), fold in zip(keys.items(), folds, strict=True):
            arrays = {name: np.array(values) for name, values in fold.items()}
            arrays["votes"], arrays["weights"] = arrays["votes"].astype(np.uint8), np.array([1.0, 3.0])
            right = float(np.mean(arrays["predictions"] == arrays["y"]))
            scores = {"error": 1 - right, "accuracy": right}
            kept.put(Outcome.done(key, named, scores, {"fit": 0.1, "predict": 0.1}, (), arrays))
    record = StudyRecord.of(study, ())
    return Results(replace(record, datasets=study.datasets), tmp_path / "ecoli.store", keys)
