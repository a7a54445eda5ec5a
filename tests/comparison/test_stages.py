"""Comparisons in stages: which rows, how many repeats, and what is said of what was not done."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from covey import compare
from covey.comparison import budget, stages
from covey.comparison.stages import FEWEST_ROWS, FIRST_ROWS, FIRST_VALUES, row_steps, sample_rows
from covey.datasets import from_frame
from covey.study import Results, layout

CHEAP = ["logistic regression", "sklearn.naive_bayes.GaussianNB", "baseline"]


def table(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=list("abc"))
    frame["y"] = np.where(frame.a + rng.normal(size=n_rows) > 0.7, "rare", "often")
    return frame


@pytest.mark.parametrize("n_rows", [1, 150, FIRST_ROWS, FIRST_ROWS + 1, 40_000, 1_000_000])
@pytest.mark.parametrize("n_columns", [1, 30, 5_000])
def test_rows_double_from_a_small_part_to_all(n_rows, n_columns):
    steps = row_steps(n_rows, n_columns)
    assert steps[-1] == n_rows
    assert steps[0] <= max(min(FIRST_ROWS, FIRST_VALUES // n_columns), FEWEST_ROWS)
    assert all(before < after <= 2 * before for before, after in pairwise(steps))
    rare = row_steps(n_rows, n_columns, 0.01)
    assert rare[0] >= min(n_rows, 4_000)
    assert rare[-1] == n_rows


def test_samples_keep_the_shares_of_classes_and_larger_ones_hold_smaller_ones():
    data = from_frame(table(4_000), "y")
    small, large = (set(sample_rows(data, size, 0).frame.index) for size in (250, 1_000))
    assert small < large
    shares = [sample_rows(data, size, 0).target.eq("rare").mean() for size in (250, 1_000, 4_000)]
    assert shares == pytest.approx([shares[2]] * 3, abs=0.004)
    assert sample_rows(data, 4_000, 0) is data
    assert sample_rows(data, 250, 0).frame.equals(sample_rows(data, 250, 0).frame)
    assert set(sample_rows(data, 250, 1).frame.index) != small


def test_all_rows_are_used_and_repeats_stop_when_the_answer_is_clear():
    frame = table(2_000)
    frame["y"] = np.where(frame.a + frame.b > 0, "p", "q")
    result = compare(frame, "y", methods=["logistic regression", "baseline"], n_workers=1)
    assert result.results.record.datasets[0].n_rows == 2_000
    assert result.results.record.protocol["n_repeats"] == 1
    assert result.results.record.remarks == ()


def test_repeats_go_on_while_the_answer_is_unclear():
    rng = np.random.default_rng(0)
    noise = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"]).assign(y=rng.choice(["p", "q"], 60))
    result = compare(noise, "y", methods=CHEAP[:2], n_workers=1)
    assert result.results.record.protocol["n_repeats"] == max(stages.REPEATS)


def test_what_there_is_no_time_for_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(stages, "_START", 1e9)  # so that no further stage seems affordable
    told = []
    result = compare(table(4_000), "y", methods=CHEAP, n_workers=1, n_repeats=2, out=tmp_path, progress=told.append)
    record = Results.in_store(tmp_path / "results.store").record
    assert record.datasets[0].n_rows == result.ranking().splits.n_train * 5 / 4 == 1_000
    assert "1,000 of 4,000 rows" in record.remarks[0]
    assert "1 of 2 repeats" in record.remarks[1]
    assert told[3].news.startswith("So far on data (1,000 of 4,000 rows, 1 fit each): accuracy ")
    told.clear()
    assert "a sample of 1,000 of the 4,000 rows" in " ".join(record.datasets[0].notes)
    assert len(result.refit_best().predict(table(10)[list("abc")])) == 10
    # With time enough the same folder goes on, and what was not done before is no longer said.
    monkeypatch.setattr(stages, "_START", 0.0)
    again = compare(table(4_000), "y", methods=CHEAP, n_workers=1, n_repeats=2, out=tmp_path, progress=told.append)
    assert again.results.record.datasets[0].n_rows == 4_000
    assert again.results.record.remarks == ()
    news = [progress.news for progress in told if progress.news]  # the rest was in the store
    assert [text.partition(":")[0] for text in news] == [
        "So far on data (5 fits each)",
        "So far on data (10 fits each)",
    ]
    assert len(Results.in_store(tmp_path / "results.store").frame()) == 3 * 2 * 5


@pytest.mark.parametrize("finished", [1, 4])
def test_a_stage_that_does_not_end_in_time_counts_if_methods_enough_are_finished(monkeypatch, finished):
    """Of four methods some are finished on all rows when the time is over; else the stage before is the answer."""
    left, run, many = [1e3], stages.run_study, [*CHEAP, "nearest neighbours"]

    def run_out(study, store, *, until, n_fits, **more):
        if study.datasets[0].load().n_rows < 4_000:
            return run(study, store, until=until, n_fits=n_fits, **more)
        left[0] = 0.0
        few = replace(study, methods=study.methods[:finished])
        run(few, store, until=None, n_fits=None, **more)
        return run(study, store, until=0.0, n_fits=n_fits, **more)

    monkeypatch.setattr(stages, "run_study", run_out)
    monkeypatch.setattr(budget.Clock, "left_for_fits", lambda self: left[0])
    monkeypatch.setattr(stages, "_FIRST_LIMIT", 0.0)
    result = compare(table(4_000), "y", methods=many, n_workers=1)
    assert result.results.record.datasets[0].n_rows == (4_000 if finished > 1 else 1_000)
    assert not result.ranking().failed


def test_slow_methods_are_left_out_on_more_rows(monkeypatch):
    expected = {"baseline": 1e6}
    monkeypatch.setattr(stages._Stages, "_expected", lambda self, method, *rows: expected.get(method, 0.01))
    frame = table(4_000)
    frame["y"] = np.where(frame.a + frame.b > 0, "p", "q")
    result = compare(frame, "y", methods=CHEAP, n_workers=1, n_repeats=1)
    assert [row.method for row in result.ranking().rows] == ["logistic regression", "GaussianNB"]
    assert "not ranked: baseline (5" in result.results.record.remarks[0]


def test_a_fit_of_the_combination_has_its_share_of_the_time(monkeypatch):
    seen = []
    monkeypatch.setattr(stages, "run_study", lambda study, *given, **more: seen.append(study) or 1 / 0)
    for given in ("10m", "none"):
        with pytest.raises(ZeroDivisionError):
            compare("iris", methods=["covey", "baseline"], budget=given, n_workers=1)
    assert [study.methods[0].params for study in seen] == [{"budget": 30.0}, {}]


def test_without_time_for_the_combination_it_is_not_tried():
    result = compare("iris", methods=["covey", "c4.5", "baseline"], budget=30, n_workers=1, n_repeats=1)
    assert result.best == "c4.5"
    assert result.results.record.remarks == ("covey was not tried: it needs a budget of 40 s or more.",)


def test_time_is_left_over_for_the_larger_budget_of_the_saved_combination(monkeypatch, tmp_path):
    """Review: the saved one may take three times as long as each fit, of which 1.3 were left over."""
    seen = []
    monkeypatch.setattr(stages._Stages, "run", lambda self: seen.append(self) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        compare("iris", methods=["covey", "c4.5"], n_workers=1, save_best=tmp_path / "best.covey")
    (found,) = seen
    found.seconds = {150: {"covey": 5 * 10.0, "c4.5": 5 * 10.0}}
    stage = stages.Stage(found.study.methods, 150)
    for best, expected in (("covey", 30.0), ("c4.5", 13.0)):
        monkeypatch.setattr(stages, "_rankings", lambda results, best=best: [SimpleNamespace(best=best, rows=[best])])
        assert found._refit_seconds(stage, None) == pytest.approx(expected)


def test_a_combination_of_logarithms_has_a_budget_too():
    """Review: only the combination itself was known by its path, and had no limit where the target was logged."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=40), "y": np.exp(rng.normal(size=40))})
    methods = ["covey", "ridge regression", "baseline"]
    result = compare(frame, "y", methods=methods, budget=30, n_workers=1, n_repeats=1, log_target=True)
    assert result.results.record.remarks == ("covey was not tried: it needs a budget of 40 s or more.",)


def test_more_rows_are_no_answer_if_only_lesser_methods_have_time_for_them(monkeypatch):
    frame = table(4_000)
    frame["y"] = np.where(frame.a + frame.b > 0, "p", "q")
    monkeypatch.setattr(stages, "_FIRST_LIMIT", 0.0)
    monkeypatch.setattr(
        stages._Stages, "_expected", lambda self, method, *rows: 1e6 if method == "logistic regression" else 0.01
    )
    many = [*CHEAP, "nearest neighbours", "sklearn.tree.DecisionTreeClassifier"]
    result = compare(frame, "y", methods=many, n_workers=1, n_repeats=1)
    assert result.best == "logistic regression"
    assert result.results.record.datasets[0].n_rows == 1_000
    assert "1,000 of 4,000 rows" in result.results.record.remarks[0]
    assert "methods that did no better there" in result.results.record.remarks[0]


def test_repeats_that_a_slow_method_has_no_time_for_are_not_those_of_the_ranking(monkeypatch):
    """Regression: the last repeat lacked one method, so the ranking was of the first alone, or without that method."""
    left, run, many = [1e3], stages.run_study, [*CHEAP, "nearest neighbours"]
    rng = np.random.default_rng(0)
    noise = pd.DataFrame(rng.normal(size=(80, 2)), columns=["a", "b"]).assign(y=rng.choice(["p", "q"], 80))

    def run_out(study, store, *, until, n_fits, **more):
        if study.protocol.n_cycles == 3 and n_fits is None:
            left[0] = 0.0
            run(replace(study, protocol=replace(study.protocol, n_cycles=2)), store, until=None, n_fits=None, **more)
            run(replace(study, methods=study.methods[:-1]), store, until=None, n_fits=None, **more)
            until = 0.0
        return run(study, store, until=until, n_fits=n_fits, **more)

    monkeypatch.setattr(stages, "run_study", run_out)
    monkeypatch.setattr(budget.Clock, "left_for_fits", lambda self: left[0])
    monkeypatch.setattr(stages, "REPEATS", (1, 3))
    ranking = compare(noise, "y", methods=many, n_workers=1).ranking()
    assert {row.method: len(row.scores) for row in ranking.rows} == dict.fromkeys(
        ["logistic regression", "GaussianNB", "baseline", "nearest neighbours"], 10
    )


@pytest.mark.parametrize("n_cells", [3, 18])
def test_there_is_an_answer_whenever_the_time_is_over(monkeypatch, tmp_path, n_cells):
    """On the folds that three methods have finished, or fewer methods where no three have one."""
    run, many = stages.run_study, [*CHEAP, "nearest neighbours", "sklearn.tree.DecisionTreeClassifier"]

    def run_out(study, store, *, progress, **more):
        done = []

        def stop(told):
            progress(told)
            done.append(told)
            if len(done) >= n_cells:
                raise TimeoutError

        with suppress(TimeoutError):
            run(study, store, progress=stop, **more)
        monkeypatch.setattr(budget.Clock, "left_for_fits", lambda self: 0.0)
        return run(study, store, **{**more, "n_fits": 0})

    monkeypatch.setattr(stages, "run_study", run_out)
    monkeypatch.setattr(layout, "_QUICK", -1.0)  # so that methods take turns
    frame = table(200)
    frame["y"] = np.where(frame.a + frame.b > 0, "p", "q")
    result = compare(frame, "y", methods=many, n_workers=1, out=tmp_path)
    ranking = result.ranking()
    n_fits = {3: 1, 18: 2}[n_cells]
    assert len(ranking.rows) >= min(n_cells, 3)
    assert {len(row.scores) for row in ranking.rows} == {n_fits}
    remarks = Results.in_store(tmp_path / "results.store").record.remarks
    assert [f"time for {n_fits} of 5 folds" in remark for remark in remarks] == [True]
    assert "folds" in (tmp_path / "report.html").read_text()
    monkeypatch.undo()  # the same command goes on
    assert len(compare(frame, "y", methods=many, n_workers=1, n_repeats=1, out=tmp_path).results.frame()) == 25
