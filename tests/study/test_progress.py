"""Progress of a study: who leads, and the time that is left."""

from __future__ import annotations

from math import nan
from types import SimpleNamespace

import pytest

from covey.study import DataSpec, MethodSpec, Outcome, Study, run_study
from covey.study.progress import Tally
from covey.study.splits import FixedSplit


def labels(method, dataset="d"):
    return {"dataset": dataset, "method": method}


def done(method, score=0.5, seconds=1.0, dataset="d", metric="accuracy"):
    return Outcome("key", labels(method, dataset), "done", {metric: score}, {"fit": seconds})


def standing(*scores, metric="accuracy"):
    tally = Tally(metric, [labels(method) for method, _ in scores])
    return [tally.finish(done(method, score, metric=metric)) for method, score in scores][-1].standing


def test_means_of_methods_with_as_many_fits():
    found = standing(("a", 0.8), ("b", 0.7), ("a", 0.6), ("b", 0.9), ("c", 1.0))
    assert found.best == (("b", 0.8), ("a", 0.7))
    assert (found.dataset, found.metric, found.n_fits, found.even) == ("d", "accuracy", 2, False)


def test_one_that_is_far_ahead_is_not_compared_with_the_others():
    assert standing(("a", 0.1), ("a", 0.1), ("b", 0.5), ("c", 0.6)).best == (("c", 0.6), ("b", 0.5))


def test_errors_are_better_when_small_and_undefined_scores_do_not_count():
    assert standing(("a", 0.1), ("b", 0.2), metric="error").best[0] == ("a", 0.1)
    assert standing(("a", nan), ("b", 0.5)).best == (("b", 0.5),)
    assert standing(("a", nan)) is None


def test_the_time_left():
    """Cells of a kind take as long as those before, others as the mean cell; two run at a time here."""
    tally = Tally("accuracy", [labels("fast")] * 6 + [labels("slow")] * 3 + [labels("new")])
    tally.add(done("slow", seconds=100.0))
    cells = (SimpleNamespace(key=key, labels=labels("fast") | {"fit": 0}) for key in "ab")
    found = [next(tally.begun(cells)) for _ in range(2)][2:]
    for _ in range(4):
        found.append(tally.finish(done("fast", seconds=1.0)).seconds_left)
    assert found[:2] == [None, None]
    mean = 104.0 / 5
    assert found[3] == pytest.approx((2 * 1.0 + 2 * 100.0 + mean) / 2)


def test_nothing_left_takes_no_time():
    tally = Tally("accuracy", [labels("a")] * 3)
    assert [tally.finish(done("a")).seconds_left for _ in range(3)][-1] == 0


def test_a_study_that_goes_on_knows_what_was_found_before(tmp_path):
    def study(*methods):
        metrics = ("neg_log_loss", "accuracy")
        return Study("s", (DataSpec("iris", "iris"),), methods, FixedSplit(n_train=100), metrics, 0, "classification")

    one, other = (MethodSpec(f"b{n}", "sklearn.naive_bayes.GaussianNB", {"var_smoothing": n / 10}) for n in (1, 2))
    run_study(study(one), tmp_path / "s.store")
    seen = []
    run_study(study(one, other), tmp_path / "s.store", progress=seen.append)
    (last,) = seen
    assert (last.total, last.done, last.failed, last.latest.labels["method"]) == (2, 2, 0, "b2")
    assert {method for method, _ in last.standing.best} == {"b1", "b2"}
    # As people call it, without the minus sign of scikit-learn's scorer: the smallest is the best.
    assert last.standing.metric == "log loss"
    assert 0 < last.standing.best[0][1] <= last.standing.best[1][1]
