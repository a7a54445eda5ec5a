import numpy as np
import pytest
import triskel


@pytest.mark.slow
def test_a_quick_run(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["triskel.py", "--quick"])
    triskel.main()
    lines = capsys.readouterr().out.splitlines()
    assert sum("classes" in line for line in lines) == len(triskel.SMALL) + 2
    assert sum("beside one LinearSVC" in line for line in lines) == 1
    assert sum("LinearSVC; takes" in line for line in lines) == 3
    assert sum("trains in less time than" in line for line in lines) == len(triskel.PAIRS)
    assert sum(line.startswith("    as a member") for line in lines) == 3 * len(triskel.KINDS)
    assert sum(line.startswith("    by itself") for line in lines) == 3 * len(triskel.KINDS)
    assert not any("target:" in line or "MET" in line for line in lines)


@pytest.mark.parametrize("name", ["audiology", "balance-scale", "waveform"])
def test_there_are_rows_without_their_file(monkeypatch, name):
    def missing(source):
        raise triskel.DatasetNotFoundError(source)

    monkeypatch.setattr(triskel, "load", missing)
    task = triskel.task_of(name)
    shape = triskel.DATASETS[name]
    assert not task.is_found
    assert task.X.shape == (shape.n_rows, shape.n_columns)
    assert len(np.unique(task.y)) == shape.n_classes


def test_the_papers_pairs_are_of_methods_that_are_timed():
    assert len(triskel.DATASETS) == 15
    assert {id for pair in triskel.PAIRS for id in pair} == set(triskel.METHODS)


def test_records_count_where_triskel_takes_less_time():
    def outcome(seconds, accuracy):
        times, scores = np.ones(len(triskel.METHODS)), np.full(len(triskel.METHODS), 0.5)
        times[triskel.METHODS.index("triskel-w4")] = seconds
        scores[triskel.METHODS.index("triskel-w4")] = accuracy
        return triskel.Outcome(scores, times)

    outcomes = [outcome(0.5, 0.6)] * 10 + [outcome(2.0, 0.4)] * 5
    *others, last = triskel.records(outcomes, True)
    assert "on 10 of 15 (target: 10: met), geometric mean of ratios 0.79; more accurate on 10, less on 5" in last
    assert all("on 0 of 15, geometric mean of ratios 1.00; more accurate on 0, less on 0" in line for line in others)
    assert "(target: 10: NOT MET)" in list(triskel.records(outcomes[1:], True))[-1]
    assert "target" not in list(triskel.records(outcomes[1:], False))[-1]
