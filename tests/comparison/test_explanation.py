"""Explaining the best method of a comparison."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from covey import compare
from covey.comparison import explanation
from covey.comparison.explanation import explain_best
from covey.report.explanation import PARTS, part_key, read_explanation
from covey.study import MethodSpec, Results
from covey.study.store import Store

TREE, BASELINE = MethodSpec("tree", "sklearn.tree.DecisionTreeClassifier", {"max_depth": 4}), "baseline"


def frame_of(n_rows=150):
    """A class that follows from x and colour; noise has nothing to do with it, and some values are missing."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"noise": rng.normal(size=n_rows), "x": rng.normal(size=n_rows)})
    frame["colour"] = rng.choice(["red", "green", "blue"], n_rows)
    high = (frame["x"] > 0) ^ (frame["colour"] == "red")
    frame.loc[:10, "x"] = np.nan
    frame["class"] = np.where(high, "yes", "no")
    return frame


def compared(data, *, methods=(TREE, BASELINE), target="class", **options):
    settings = {"n_folds": 3, "n_repeats": 2, "n_workers": 1}
    return compare(data, target, methods=list(methods), **settings, **options)


@pytest.fixture(scope="module")
def classified():
    """A comparison whose best method is explained."""
    comparison = compared(frame_of())
    explain_best(comparison.study, comparison.results)
    return comparison


def known(comparison, method="tree"):
    data = comparison.study.datasets[0].name
    return read_explanation(comparison.results, data, method)


def test_columns_that_count_are_told_from_noise(classified):
    importance = known(classified).importance
    assert set(importance.strongest) == {"x", "colour"}
    losses = dict(zip(importance.columns.tolist(), importance.losses.tolist(), strict=True))
    assert losses["x"] > 0.2
    assert abs(losses["noise"]) < 0.1
    assert importance.n_rows == 50  # those of the first fold


def test_dependence_follows_numbers_and_categories_through_the_preparation(classified):
    effects = {effect.column: effect for effect in known(classified).dependence}
    assert set(effects) == {"x", "colour"}
    assert set(effects["colour"].values.tolist()) == {"red", "green", "blue"}
    assert (np.diff(effects["x"].values) > 0).all()
    assert np.isfinite(effects["x"].means).all()
    assert ((effects["x"].means >= 0) & (effects["x"].means <= 1)).all()
    # Without red, the class is "yes" above 0.
    assert len(effects["x"].outputs) == 1


def test_the_hardest_rows_have_their_values(classified):
    rows, frame = known(classified).rows, frame_of()
    assert rows.columns.tolist() == ["noise", "x", "colour"]
    for case, values in zip(rows.cases.tolist(), rows.values.tolist(), strict=True):
        assert values[2] == frame["colour"][case]
        assert values[1] == ("" if np.isnan(frame["x"][case]) else f"{frame['x'][case]:.6g}")


def test_the_learning_curve_ends_with_the_scores_of_the_study(classified):
    learning = known(classified).learning
    assert learning.sizes.tolist() == [12, 25, 50, 100]
    frame = classified.results.frame()
    of_first = frame[(frame["method"] == "tree") & (frame["repeat"] == 0)].sort_values("fit")["accuracy"]
    assert learning.scores[-1] == pytest.approx(of_first.to_numpy())
    assert learning.scores[0].mean() < learning.scores[-1].mean()


def test_what_is_kept_is_not_worked_out_again_and_read_from_the_store_alone(classified, monkeypatch):
    monkeypatch.setattr(explanation._Subject, "plan", property(lambda self: pytest.fail("the data were read")))
    explain_best(classified.study, classified.results)
    alone = Results.in_store(classified.results.store)
    data = classified.study.datasets[0].name
    assert read_explanation(alone, data, "tree").importance.columns.tolist() == ["noise", "x", "colour"]
    assert dict(alone.counts()) == {"done": 12}


def test_numbers_are_explained():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=90), "b": rng.integers(0, 4, 90), "c": rng.normal(size=90)})
    frame["y"] = 3 * frame["a"] + 2 * frame["b"] + rng.normal(0, 0.1, 90)
    comparison = compared(frame, methods=["ridge regression", BASELINE], target="y", task="regression")
    explain_best(comparison.study, comparison.results)
    found = known(comparison, "ridge regression")
    assert found.importance.strongest == ["a", "b"]
    slopes = {effect.column: np.polyfit(effect.values, effect.means[0], 1)[0] for effect in found.dependence}
    assert slopes == {"a": pytest.approx(3, abs=0.3), "b": pytest.approx(2, abs=0.2)}
    assert found.dependence[0].outputs == ("",)
    assert found.learning.scores[-1].mean() > 0.9


def test_losses_of_a_metric_that_is_better_if_smaller_are_above_0():
    comparison = compared(frame_of(), metrics=["error", "neg_log_loss"])
    explain_best(comparison.study, comparison.results)
    losses = dict(zip(known(comparison).importance.columns, known(comparison).importance.losses, strict=True))
    assert losses["x"] > 0.2


def test_without_time_nothing_is_fitted(monkeypatch):
    comparison = compared(frame_of(60))
    monkeypatch.setattr(MethodSpec, "make", lambda self: pytest.fail("a model was made"))
    explain_best(comparison.study, comparison.results, seconds=0)
    found = known(comparison)
    assert (found.importance, found.dependence, found.learning, dict(found.failed)) == (None, (), None, {})
    monkeypatch.undo()
    explain_best(comparison.study, comparison.results)  # what was left out is done when there is time
    assert known(comparison).importance is not None


def test_a_part_that_fails_is_noted_and_does_no_harm(monkeypatch):
    comparison = compared(frame_of(60))

    def fail(self):
        raise RuntimeError("no\nluck")

    monkeypatch.setattr(explanation._Subject, "_importance", fail)
    explain_best(comparison.study, comparison.results)
    found = known(comparison)
    assert found.failed == {"importance": r"RuntimeError: no\nluck"}
    assert found.learning is not None
    assert comparison.write_report().is_file()


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_what_stops_an_explanation_leaves_what_there_is(monkeypatch, error):
    comparison = compared(frame_of(60))

    def stop(self, *given):
        raise error

    monkeypatch.setattr(explanation._Subject, "_trained", stop)
    explain_best(comparison.study, comparison.results)
    found = known(comparison)
    assert found.rows is not None
    assert found.importance is None


def test_a_store_that_another_process_holds_is_told_of():
    comparison = compared(frame_of(60))
    with Store.open(comparison.results.store, write=True), pytest.warns(UserWarning, match="is not explained"):
        explain_best(comparison.study, comparison.results)


def test_several_datasets_are_explained_but_not_many(monkeypatch):
    monkeypatch.setattr(explanation._Subject, "_learning", lambda self: None)
    one, two = frame_of(60), frame_of(70)
    comparison = compared([one, two])
    said = []
    explain_best(comparison.study, comparison.results, progress=said.append)
    names = [data.name for data in comparison.study.datasets]
    assert all(read_explanation(comparison.results, name, "tree").importance is not None for name in names)
    assert said.count("importance of columns of tree") == 2
    monkeypatch.setattr(explanation, "MOST_DIAGNOSED", 1)
    explain_best(comparison.study, comparison.results, progress=lambda text: pytest.fail(text))


def test_a_baseline_is_not_explained():
    comparison = compared(frame_of(60), methods=[BASELINE])
    explain_best(comparison.study, comparison.results)
    data = comparison.study.datasets[0].name
    with Store.open(comparison.results.store, write=False) as kept:
        assert not kept.finished([part_key(comparison.results, data, BASELINE, part) for part in PARTS])
