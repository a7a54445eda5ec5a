"""Data held in memory by their hashes."""

from __future__ import annotations

import pytest

from covey.datasets import load
from covey.study import CycledFolds, DataSpec, MethodSpec, Results, Study, run_study
from covey.study.holding import held, holding
from covey.study.layout import lay_out


def test_what_is_held_is_let_go_when_the_last_holder_leaves():
    data = object()
    with holding({"a": data}):
        with holding({"a": data, "b": data}):
            assert held("a") is held("b") is data
        assert held("a") is data
        assert held("b") is None
    assert held("a") is None


def test_it_is_let_go_after_an_error():
    with pytest.raises(KeyError), holding({"a": object()}):
        raise KeyError
    assert held("a") is None


@pytest.fixture(scope="module")
def changed():
    """Data that no file has."""
    data = load("iris")
    frame = data.frame.assign(extra=range(len(data.frame)))
    return type(data)("mine", frame, data.target, data.provenance, data.licence)


@pytest.mark.parametrize("n_workers", [1, 2])
def test_a_study_of_data_in_memory(tmp_path, changed, n_workers):
    data = (DataSpec("mine", "a frame", held=changed),)
    tree = (MethodSpec("tree", "covey:c4.5"),)
    study = Study("held", data, tree, CycledFolds(n_cycles=1, n_folds=3), ("accuracy",), 0)
    results = run_study(study, tmp_path / "a.store", n_workers=n_workers)
    assert results.frame().accuracy.mean() > 0.9
    assert results.record.datasets[0].n_features == 5
    assert held(results.record.datasets[0].content) is None
    assert all(cell.data.held is None for cell in lay_out(study).cells)
    again = Results.in_store(tmp_path / "a.store")
    assert again.frame().equals(results.frame())
